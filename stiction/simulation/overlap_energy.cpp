#include "stiction/simulation/overlap_energy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/collision/collision.h"
#include "stiction/simulation/collision/pressure_pairs.h"
#include "stiction/simulation/contact/mujoco_points.h"
#include "stiction/simulation/contact_energy.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// kg, of everything in the tree of a body; infinite for what does not move.
double tree_mass(const Forest& forest, int body) {
  const int node = forest.places[body].node;
  if (node < 0) return std::numeric_limits<double>::infinity();
  double mass = 0.0;
  for (std::size_t b = 0; b < forest.bodies.size(); ++b) {
    const int other = forest.places[b].node;
    if (other >= 0 && forest.nodes[other].tree == forest.nodes[node].tree)
      mass += forest.bodies[b].inertia.mass;
  }
  return mass;
}

}  // namespace

std::vector<OverlapEnergy> overlap_energies(const World& world, const Input& input, double depth) {
  constexpr double kNoStep = 0.0;
  const Model& model = world.model();
  const ContactOptions& contact = world.options().formulation.contact;
  const bool is_elastic = stores_contact_energy(contact) && !is_geometric(contact.law);
  const bool is_hertz = takes_elasticity(contact.law) && contact.elasticity == Elasticity::hertz;
  const std::vector<ForceTable>* tables =
      uses_tables(contact) ? model.tables().contact->soft.tables.get() : nullptr;
  const CollisionModel& shapes = *model.tables().collision;
  const SolverForm solver = solver_form(contact);
  const auto energy_of = [&](const PairMaterial& material, const ShapePair& pair, double weight, double x) {
    if (is_rigid(contact.law) && has_mujoco_law(solver, material.mujoco.is_given)) return 0.0;
    if (tables != nullptr && material.table >= 0) {
      const double points = mujoco_points(shapes, material, pair.item_A, pair.item_B);
      return table_share(weight, points) * material.table_scale *
             table_force<double>(tables->data(), material.table, x).F;
    }
    if (is_hertz) return weight * 0.4 * material.hertz_stiffness * x * x * std::sqrt(x);
    return weight * 0.5 * material.stiffness * x * x;
  };
  CollisionRecord c(shapes);
  CollisionWorkspace work(shapes);
  set_disabled(input.disabled_contacts, model, &work);
  Kinematics kinematics(model.forest);
  set_prescribed(model.forest, input.prescribed, &kinematics);
  for (PrescribedMotion& motion : kinematics.prescribed) motion.V = motion.A = Vec6::Zero();
  compute_positions(model.forest, world.state().q.data(), &kinematics);
  const VecX at_rest = VecX::Zero(model.num_v());
  compute_velocities(model.forest, at_rest.data(), &kinematics);
  SlidingGap gap;
  gap.takes_fields = takes_pressure_fields(contact);
  find_pairs(model, kinematics, kNoStep, gap, &c, &work);
  find_contacts(model, kNoStep, gap, &c, &work);
  PressureWorkspace workspace;
  PressurePatch patch;

  std::vector<OverlapEnergy> out;
  for (const ShapePair& pair : c.pairs) {
    OverlapEnergy one = {pair.shape_A, pair.shape_B};
    const PairMaterial material =
        model.tables().pair(pair.item_A, pair.item_B, world.formulation().stiffness_step);
    if (pair.has_patch) {
      find_patch(shapes, c, pair, true, &workspace, &patch);
      one.energy = patch.energy;
    }
    for (int k = pair.begin; k < pair.end; ++k) {
      const ContactPoint point = c.contact(pair, k);
      const double x = std::max(0.0, -point.distance);
      one.depth = std::max(one.depth, x);
      if (is_elastic && !pair.has_patch) one.energy += energy_of(material, pair, point.weight, x);
    }
    if (one.depth <= depth) continue;
    const double lighter =
        std::min(tree_mass(model.forest, pair.body_A), tree_mass(model.forest, pair.body_B));
    if (std::isfinite(lighter) && lighter > 0.0) {
      one.mass = lighter;
      one.speed = std::sqrt(2.0 * one.energy / lighter);
    }
    out.push_back(one);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const OverlapEnergy& a, const OverlapEnergy& b) { return a.energy > b.energy; });
  return out;
}

}  // namespace stiction
