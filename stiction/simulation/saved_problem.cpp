#include "stiction/simulation/saved_problem.h"

#include "stiction/contact/catalog.h"
#include "stiction/simulation/contact/mujoco_points.h"
#include "stiction/simulation/contact/surface_velocity.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/scheme/geometrically_implicit.h"

namespace stiction {

std::vector<PhysicalPoint> physical_points(const Model& model, const StepRecord& record,
                                           const ContactOptions& options) {
  const ContactRecord& contact = record.contact;
  const CollisionRecord& collision = record.collision;
  const auto surface_of = [&](int item) {
    return surface_velocity(model, collision, contact.surface_velocities, item);
  };
  std::vector<PhysicalPoint> points(contact.problem.frames.size());
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const ContactPairMap& place = contact.places[k];
    if (place.begin < 0) continue;
    const ShapePair& pair = collision.pairs[k];
    const PairMaterial& material = contact.materials[k];
    const Vec3 belt = surface_of(pair.item_B) - surface_of(pair.item_A);
    const double points_of_curve =
        mujoco_points(*model.tables().collision, material, pair.item_A, pair.item_B);
    for (int i = pair.begin; i < pair.end; ++i) {
      const ContactPoint point = collision.contact(pair, i);
      // A point of a patch is as stiff as its field, under every elasticity in proportion.
      const double weight =
          pair.has_patch
              ? collision.pressure_points[static_cast<std::size_t>(i)].stiffness / material.stiffness
              : point.weight;
      const int p = place.begin + i - pair.begin;
      const Vec3 at = point.p_A + 0.5 * point.distance * point.normal;
      const Vec3 vc = point_velocity(model.forest, record.kinematics, pair.body_B, at) -
                      point_velocity(model.forest, record.kinematics, pair.body_A, at) + belt;
      const double vn = point.normal.dot(vc);
      PhysicalPoint& out = points[p];
      out.distance = point.distance;
      out.stiffness = weight * material.stiffness;
      out.hertz_stiffness = weight * material.hertz_stiffness;
      out.barrier_stiffness = weight * material.barrier_stiffness;
      out.barrier_energy = weight * material.barrier_energy;
      out.barrier_distance = material.barrier_distance;
      out.dissipation = material.dissipation;
      out.relaxation_time = material.relaxation_time < 0.0 ? record.h : material.relaxation_time;
      out.friction = friction_scale(blended_friction(material, (vc - vn * point.normal).norm(), options.v_s),
                                    material.torsional_friction, material.rolling_friction);
      out.table = material.table;
      out.table_scale = table_share(weight, points_of_curve) * material.table_scale;
      out.mujoco = material.mujoco;
      out.vn0 = vn;
      out.restitution = material.restitution;
      if (!contact.recovery_shares.empty()) out.recovery_share = contact.recovery_shares[p];
      out.inverse_mass = contact.problem.inverse_masses[p];
    }
  }
  return points;
}

SavedProblem saved_problem(const Model& model, const StepRecord& record, const ContactOptions& asked) {
  // For a step taken in parts: the problem of the last part.
  if (!record.parts.empty()) return saved_problem(model, record.parts.back(), asked);
  // For the geometric laws: the problem with the points at the start of the step.
  const ContactOptions options = is_geometric(asked.law) ? explicit_options(asked) : asked;
  SavedProblem saved;
  saved.problem = record.contact.problem;
  saved.dissipation = options.dissipation;
  saved.v_s = options.v_s;
  saved.sigma = options.sigma;
  saved.beta = options.beta;
  saved.solver = solver_of(options);
  saved.points = physical_points(model, record, options);
  return saved;
}

}  // namespace stiction
