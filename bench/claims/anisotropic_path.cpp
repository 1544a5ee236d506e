// A point mass that slides under anisotropic friction (I Appendix B).
//
// The reference integrates  dv/dt = -g mu (mu v)/|mu v|  by the classical Runge-Kutta method, without any
// contact code.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/newton/newton.h"

namespace stiction::claims {
namespace {

constexpr double kGravity = 9.81, kMass = 1.0, kStiffness = 1e6;  // m/s^2, kg, N/m
const Vec3 kStart(1.0, 1.0, 0.0);                                 // m/s

struct Path {
  std::vector<Vec3> points;  // every step
  Vec3 end() const { return points.back(); }
};

// The point rests on the plane and slides until `end`; friction mu_x and mu_y, or isotropic mu_x without a
// tensor.
Path simulate(double mu_x, double mu_y, bool with_tensor, LawKind law, double h, double end) {
  ContactProblem problem;
  problem.h = h;
  problem.law = law;
  ProblemTree tree;
  tree.num_v = 3;
  problem.set_trees(std::vector<ProblemTree>{tree});
  Eigen::Map<Mat3>(problem.A_of(0)) = kMass * Mat3::Identity();
  ProblemBody moving;
  moving.tree = 0;
  moving.columns = 3;
  problem.bodies = {ProblemBody{}, moving};
  problem.columns.assign(24, 0.0);
  for (int i = 0; i < 3; ++i) {
    problem.columns[8 * i + 4 + i] = 1.0;
    problem.column_dofs.push_back(i);
  }
  PatchPlan plan;
  plan.b = 1;
  plan.points = 1;
  ContactOptions options;
  options.law = law;
  PointMaterial<double> material{kStiffness, 0.0, 0.0, mu_x};
  NewtonSolver solver;
  NewtonOptions newton;
  newton.relative_tolerance = 1e-10;
  ContactSolution solution;
  Vec3 p(0.0, 0.0, -kMass * kGravity / kStiffness), v = kStart;
  Path path;
  for (int i = 0; i * h < end; ++i) {
    problem.set_patches(std::vector<PatchPlan>{plan});
    problem.frames[0] = PointFrame{{}, {}, {0.0, 0.0, 1.0, 0.0}, {}};
    const PointState<double> state{p.z(), 1.0, v.z()};
    const PointRow<double> row = contact_row(options, h, state, material, 1.0 / (std::sqrt(3.0) * kMass));
    for (int k = 0; k < kLawParameters; ++k) problem.law_parameters[k][0] = row.numbers.x[k];
    if (with_tensor) {
      // mu_x is in the law; the tensor stretches across.
      problem.friction_tensors.assign(problem.frames.size(), FrictionTensor{});
      problem.friction_tensors[0] = friction_tensor(Vec3::UnitZ(), Vec3::UnitX(), 1.0, mu_y / mu_x);
    }
    for (int k = 0; k < 3; ++k) problem.v_free[k] = problem.v_start[k] = v[k];
    problem.v_free[2] -= h * kGravity;
    solver.solve(problem, newton, &solution);
    v = Vec3(solution.v[0], solution.v[1], solution.v[2]);
    p += h * v;
    path.points.push_back(p);
  }
  return path;
}

Path integrate(double mu_x, double mu_y, double h, double end) {
  const auto acceleration = [&](const Vec3& v) {
    const Vec3 stretched(mu_x * v.x(), mu_y * v.y(), 0.0);
    const double size = stretched.norm();
    if (size < 1e-9) return Vec3(Vec3::Zero());
    return Vec3(-kGravity * Vec3(mu_x * stretched.x(), mu_y * stretched.y(), 0.0) / size);
  };
  Vec3 p = Vec3::Zero(), v = kStart;
  Path path;
  for (int i = 0; i * h < end; ++i) {
    const Vec3 k1 = acceleration(v), k2 = acceleration(v + 0.5 * h * k1), k3 = acceleration(v + 0.5 * h * k2),
               k4 = acceleration(v + h * k3);
    p += h * v + h * h / 6.0 * (k1 + k2 + k3);
    v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    path.points.push_back(p);
  }
  return path;
}

double largest_distance(const Path& a, const Path& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.points.size(), b.points.size()); ++i)
    largest = std::max(largest, (a.points[i] - b.points[i]).head<2>().norm());
  return largest;
}

Curve curve_of(const std::string& name, const Path& path, bool is_dashed) {
  Curve curve{name, {}, {}, is_dashed};
  for (const Vec3& p : path.points) curve.add(p.x(), p.y());
  return curve;
}

}  // namespace

ClaimResult anisotropic_path(const ClaimContext& context) {
  constexpr double kMuX = 0.3, kMuY = 0.6, kStep = 5e-4, kEnd = 0.4;
  const Path reference = integrate(kMuX, kMuY, kStep, kEnd);
  Figure figure{"Path under mu 0.3 along x, 0.6 along y", "x (m)", "y (m)", false, false, {}};
  double worst = 0.0, isotropic = 0.0;
  for (const NamedLaw& law : {kLagged, kSimilar, kSap}) {
    const Path path = simulate(kMuX, kMuY, true, law.law, kStep, kEnd);
    worst = std::max(worst, largest_distance(path, reference) / reference.end().norm());
    figure.curves.push_back(curve_of(law.name, path, false));
    const Path round = simulate(kMuX, kMuX, true, law.law, kStep, kEnd),
               plain = simulate(kMuX, kMuX, false, law.law, kStep, kEnd);
    isotropic = std::max(isotropic, largest_distance(round, plain) / plain.end().norm());
  }
  figure.curves.push_back(curve_of("ODE", reference, true));
  context.save("I11", figure);
  // How far the path leaves the straight line of its first direction.
  const Vec3 end = reference.end();
  const double turn = std::atan2(end.y(), end.x()) - std::atan2(kStart.y(), kStart.x());
  return {fmt::format(
              "path within {:.2g} % of the ODE (it turns by {:.1f} degrees), isotropic limit within {:.1e}",
              100.0 * worst, turn * 57.29577951308232, isotropic),
          worst <= 0.01 && isotropic <= 1e-6};
}

}  // namespace stiction::claims
