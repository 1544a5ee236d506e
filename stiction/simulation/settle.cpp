#include "stiction/simulation/settle.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/contact/law/sap.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// s, of the pretended step; so short that springs and the margin of collision do not count.
constexpr double kStep = 1e-4;

bool is_limit(RowKind kind) { return kind == RowKind::limit || kind == RowKind::tendon_limit; }
bool is_friction(RowKind kind) { return kind == RowKind::friction || kind == RowKind::tendon_friction; }

// From rest, no force but those that part bodies.
class Parting final : public Scheme {
 public:
  const char* name() const override { return "settle"; }
  const char* description() const override { return "parts what overlaps"; }
  StepTheta theta() const override { return {0.0, 1.0}; }
  int order() const override { return 1; }

  void free_motion(const Model& model, const State&, const Input&, StepRecord* r,
                   SchemeWorkspace*) const override {
    const Forest& forest = model.forest;
    compute_mass_matrix(forest, r->kinematics, &r->mass);
    r->added_diagonal.setZero();
    for (const Tree& tree : forest.trees) {
      const Node& root = forest.nodes[tree.node_begin];
      if (root.kind != NodeKind::free) continue;
      // The mass matrix of a free root has its moments of inertia, then the mass of the whole tree.
      const auto diagonal = [&](int d) { return r->mass.rows[forest.dofs[d].row + forest.dofs[d].depth]; };
      const double mass = diagonal(tree.v_begin + 3);
      double inertia = 0.0;
      for (int d = tree.v_begin; d < tree.v_begin + 3; ++d) inertia = std::max(inertia, diagonal(d));
      for (int d = tree.v_begin + root.num_v; d < tree.v_end; ++d) {
        const double* axis = r->kinematics.axis(d);
        const bool turns = axis[0] != 0.0 || axis[1] != 0.0 || axis[2] != 0.0;
        r->added_diagonal[d] = kJointWeight * (turns ? inertia : mass);
      }
    }
    if (!factorise_momentum(forest, r)) return;
    r->v_free.setZero();
  }

  void solve_contact(const Model& model, const State& now, const Formulation& f, StepRecord* r,
                     StepWorkspace* w) const override {
    ContactProblem& problem = r->contact.problem;
    const int points = static_cast<int>(problem.frames.size());
    for (int p = 0; p < points; ++p) {
      auto row = SapParameters<double>::from(problem.parameters_at(p));
      row.mu = 0.0;
      row.sliding = row.normal;
      problem.set_parameters(p, row.stored());
    }
    problem.friction_tensors.clear();
    problem.friction_lengths.clear();
    for (std::size_t i = 0; i < r->constraints.owners.size(); ++i)
      if (is_friction(r->constraints.owners[i].kind))
        problem.row_laws[i].lower = problem.row_laws[i].upper = 0.0;
    Scheme::solve_contact(model, now, f, r, w);
  }

  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override {
    integrate_positions(model.forest, now.q.data(), r.v_next.data(), r.h, next->q.data());
    next->v = now.v;
  }
};

Formulation parting() {
  Formulation f;
  f.contact.law = LawKind::convex_cone;
  f.contact.solver = "newton";
  f.contact.rigid.penetration_recovery = 1.0;
  f.contact.rigid.fastest_recovery = kLargestMove / kStep;
  f.constraints.relaxation_time = 0.0;
  return f;
}

// What is left at the start of the step in the record.
struct Left {
  double overlap = 0.0;    // m
  double violation = 0.0;  // m or rad
  int pair = -1;           // of CollisionRecord::pairs
  double worst() const { return std::max(overlap, violation); }
};

Left left_in(const Model& model, const StepRecord& r) {
  Left left;
  for (std::size_t k = 0; k < r.collision.pairs.size(); ++k) {
    const ShapePair& pair = r.collision.pairs[k];
    for (int p = pair.begin; p < pair.end; ++p) {
      const double overlap = -r.collision.contact(pair, p).distance;
      if (overlap <= left.overlap) continue;
      left.overlap = overlap;
      left.pair = static_cast<int>(k);
    }
  }
  // The speed that a row asks for is its violation over the step.
  const std::vector<Constraint>& constraints = model.tables().constraints->constraints;
  for (std::size_t i = 0; i < r.constraints.owners.size(); ++i) {
    const RowOwner& owner = r.constraints.owners[i];
    const bool is_closure = owner.kind == RowKind::constraint &&
                            constraints[owner.index].compliance.is_rigid() &&
                            !std::holds_alternative<BushingSprings>(constraints[owner.index].what) &&
                            !std::holds_alternative<Support>(constraints[owner.index].what);
    const RowLaw& law = r.contact.problem.row_laws[i];
    const double asked = kStep * law.offset / law.slope;
    // A rope or a pin in a slot may be anywhere between its limits.
    const bool is_bound = is_limit(owner.kind) || (is_closure && is_limit(law));
    if (is_bound) left.violation = std::max(left.violation, asked);
    if (owner.kind == RowKind::lock || (is_closure && !is_bound))
      left.violation = std::max(left.violation, std::abs(asked));
  }
  return left;
}

std::vector<Vec3> origins(const Model& model, const Input& input, const VecX& q) {
  Kinematics kinematics(model.forest);
  set_prescribed(model.forest, input.prescribed, &kinematics);
  compute_positions(model.forest, q.data(), &kinematics);
  std::vector<Vec3> out;
  for (std::size_t b = 0; b < model.forest.bodies.size(); ++b)
    out.push_back(body_pose(model.forest, kinematics, static_cast<int>(b)).p);
  return out;
}

}  // namespace

SettleReport settle(World* world) {
  constexpr int kMostSteps = 2000;
  // Steps after which less than kWorthwhile better is as good as it gets.
  constexpr int kPatience = 50;
  constexpr double kWorthwhile = 0.99;
  const Parting scheme;
  const Model& model = world->model();
  const Formulation formulation = parting();
  Input input = world->input();
  check_input(model, input);
  for (PrescribedMotion& motion : input.prescribed) motion.V = motion.A = Vec6::Zero();
  input.surface_velocities.clear();

  StepRecord record(model);
  StepWorkspace workspace(model);
  State now = world->state(), next(model);
  now.v.setZero();
  now.memory = {};
  now.acceleration.resize(0);
  now.last_acceleration.resize(0);
  SettleReport report;
  Left best;
  VecX best_q = now.q;
  for (int step = 0, since = 0; step <= kMostSteps; ++step) {
    const StepReport taken =
        single_step(scheme, model, now, input, kStep, formulation, &record, &workspace, &next);
    if (!taken.ok()) throw SimulationError(describe(model, taken));
    const Left left = left_in(model, record);
    if (step == 0) report.overlap_before = left.overlap;
    const bool is_better = step == 0 || left.worst() < kWorthwhile * best.worst();
    if (step == 0 || left.worst() < best.worst()) {
      best = left;
      best_q = now.q;
      report.steps = step;
      report.shape1 = report.shape2 = "";
      if (left.overlap > kSettledOverlap) {
        const ShapePair& pair = record.collision.pairs[left.pair];
        report.shape1 = model.shapes[pair.shape_A].name;
        report.shape2 = model.shapes[pair.shape_B].name;
      }
    }
    since = is_better ? 0 : since + 1;
    if (left.worst() <= kSettledOverlap || since == kPatience) break;
    now.q = next.q;
  }
  report.overlap = best.overlap;
  report.violation = best.violation;
  if (report.steps == 0) return report;

  const std::vector<Vec3> from = origins(model, input, world->state().q), to = origins(model, input, best_q);
  for (std::size_t b = 0; b < from.size(); ++b) {
    const double moved = (to[b] - from[b]).norm();
    if (moved <= report.moved) continue;
    report.moved = moved;
    report.body = model.forest.bodies[b].name;
  }
  State settled = world->state();
  settled.q = best_q;
  settled.memory = {};
  settled.acceleration.resize(0);
  settled.last_acceleration.resize(0);
  world->set_state(settled);
  return report;
}

std::string SettleReport::text() const {
  std::string out;
  if (steps == 0)
    out = format("settled: nothing had to move (deepest overlap {:.3g} mm)", 1e3 * overlap_before);
  else
    out = format(
        "settled in {} step{}: body '{}' moved most, by {:.3g} mm; deepest overlap {:.3g} mm before, {:.3g} "
        "mm "
        "now",
        steps, steps == 1 ? "" : "s", body, 1e3 * moved, 1e3 * overlap_before, 1e3 * overlap);
  if (overlap > kSettledOverlap) out += format(" (shapes '{}' and '{}' cannot be parted)", shape1, shape2);
  if (violation > kSettledOverlap)
    out += format("; limits or loops are violated by {:.3g} (m or rad)", violation);
  return out;
}

}  // namespace stiction
