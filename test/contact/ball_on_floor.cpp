#include "test/contact/ball_on_floor.h"

#include <algorithm>

#include <Eigen/Cholesky>

#include "stiction/constraint/apply_law.h"
#include "stiction/constraint/contact_rows.h"
#include "test/contact/one_body_problem.h"

namespace stiction {

SavedProblem ball_on_floor(const Vec3& v_free) {
  SavedProblem saved;
  saved.problem = one_body_problem(
      {.mass = kBallMass, .inertia = kBallInertia, .v_free = v_free, .arm = kBallArm, .h = 0.01});
  saved.points.assign(saved.problem.frames.size(), {});
  PhysicalPoint& point = saved.points[0];
  point.distance = -1e-4;
  point.stiffness = 1e5;
  point.hertz_stiffness = 1e7;
  point.dissipation = 10.0;
  point.relaxation_time = 1e-3;
  point.friction = 0.5;
  point.inverse_mass = 0.5;
  ContactOptions options;
  options.law = LawKind::sap;
  apply_law(options, &saved);
  return saved;
}

SavedProblem turning_ball_on_floor(const Vec3& v_free, const Vec3& w_free) {
  SavedProblem saved = ball_on_floor(v_free);
  ContactProblem& problem = saved.problem;
  problem.friction_lengths.assign(problem.frames.size(), FrictionLengths{});
  problem.friction_lengths[0] = friction_lengths(0.5, 0.02, 0.01);
  problem.v_free.head<3>() = w_free;
  problem.v_start = problem.v_free;
  return saved;
}

std::span<const BallMotion> ball_motions() {
  static const BallMotion motions[] = {{Vec3(0.0, 0.0, -0.5), Vec3::Zero()},
                                       {Vec3(0.1, 0.05, -0.5), Vec3(0.5, 0.1, 0.3)},
                                       {Vec3(2.0, 1.0, -0.5), Vec3(3.0, 2.0, 20.0)},
                                       {Vec3(0.0, 0.0, 0.5), Vec3(3.0, 2.0, 20.0)}};
  return motions;
}

std::span<const PointKind> point_kinds() {
  static const PointKind kinds[] = {
      {"sliding friction", 0.5, 0.0, 0.0},
      {"no friction", 0.0, 0.0, 0.0},
      {"torsional and rolling friction", 0.5, 0.02, 0.01},
      {"torsional friction", 0.5, 0.02, 0.0},
      {"rolling friction", 0.5, 0.0, 0.01},
      {"torsional and rolling friction alone", 0.0, 0.02, 0.01},
      {"a friction direction", 0.5, 0.0, 0.0, true},
      {"a friction direction, torsional and rolling friction", 0.5, 0.02, 0.01, true},
      {"MuJoCo's numbers", 0.5, 0.0, 0.0, false, true},
      {"MuJoCo's numbers, a friction direction, torsional and rolling friction", 0.5, 0.02, 0.01, true, true},
      {"a force and a stiffness of its own", 0.5, 0.0, 0.0, false, false, true},
      {"a force and a stiffness of its own, a friction direction", 0.5, 0.0, 0.0, true, false, true},
  };
  return kinds;
}

bool takes(const ContactOptions& options, const PointKind& kind) {
  return !kind.is_of_patch || takes_pressure_fields(options);
}

SavedProblem ball_of_kind(const PointKind& kind, const BallMotion& motion, const ContactOptions& options) {
  SavedProblem saved = ball_on_floor(motion.v);
  ContactProblem& problem = saved.problem;
  PhysicalPoint& point = saved.points[0];
  problem.v_free.head<3>() = motion.w;
  problem.v_start = problem.v_free;
  point.friction = friction_scale(kind.mu, kind.torsional, kind.rolling);
  if (kind.torsional > 0.0 || kind.rolling > 0.0) {
    problem.friction_lengths.assign(problem.frames.size(), FrictionLengths{});
    problem.friction_lengths[0] = friction_lengths(kind.mu, kind.torsional, kind.rolling);
  }
  if (kind.has_direction) {
    problem.friction_tensors.assign(problem.frames.size(), FrictionTensor{});
    problem.friction_tensors[0] = friction_tensor(Vec3::UnitZ(), Vec3(0.6, 0.8, 0.0), 1.0, 0.6);
  }
  point.mujoco.is_given = kind.has_mujoco_numbers;
  point.mujoco.inverse_mass = point.inverse_mass;
  apply_law(options, &saved);
  if (!kind.is_of_patch) return saved;
  constexpr double kForce = 10.0, kStiffness = 2e5;  // N, N/m
  PointMaterial<double> material{};
  material.dissipation = point.dissipation;
  material.relaxation_time = point.relaxation_time;
  material.friction = point.friction;
  const PressureState<double> state{kForce, kStiffness, motion.v.z()};
  problem.set_parameters(0, contact_row(options, problem.h, state, material, point.inverse_mass).numbers);
  return saved;
}

AlignedVector<double> impulses_of(const SavedProblem& saved, const Vec3& gamma) {
  AlignedVector<double> impulses(4 * saved.problem.frames.size());
  std::fill(impulses.begin(), impulses.end(), 0.0);
  for (int i = 0; i < 3; ++i) impulses[static_cast<std::size_t>(i)] = gamma[i];
  return impulses;
}

void add_in_balance(const ContactProblem& problem, int point, const PointImpulse& change,
                    ContactSolution* solution) {
  ContactSolution& s = *solution;
  if (s.moments.empty()) s.moments.assign(s.impulses.size(), 0.0);
  Eigen::Map<Vec3>(s.impulses.data() + 4 * point) += change.impulse;
  Eigen::Map<Vec3>(s.moments.data() + 4 * point) += change.moment;
  VecX pushed = VecX::Zero(problem.v_free.size());
  add_point_impulse(problem, point, change, &pushed);
  for (const int t : problem.island_trees) {
    const ProblemTree& tree = problem.trees[static_cast<std::size_t>(t)];
    MatX A(tree.num_v, tree.num_v);
    for (int i = 0; i < tree.num_v; ++i) {
      const VecX unit = VecX::Unit(tree.num_v, i);
      multiply_A(problem, t, unit.data(), A.col(i).data());
    }
    const VecX dv = A.ldlt().solve(pushed.segment(tree.v_begin, tree.num_v));
    s.v.segment(tree.v_begin, tree.num_v) += dv;
  }
}

}  // namespace stiction
