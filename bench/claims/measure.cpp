#include "bench/claims/measure.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include <fmt/format.h>

#include "stiction/base/check.h"
#include "stiction/math/eigenvalues.h"

namespace stiction::claims {

WorldOptions with_law(LawKind law, double h) {
  WorldOptions options;
  options.h = h;
  options.formulation.contact.law = law;
  return options;
}

WorldOptions with_exact_law(LawKind law, double h) {
  constexpr double kExact = 1e-12;
  WorldOptions options = with_law(law, h);
  options.formulation.newton.relative_tolerance = kExact;
  return options;
}

RunResult run_until(const ClaimContext& context, double end, World* world,
                    const std::function<void(const StepReport&)>& after) {
  RunResult result;
  const double h = world->options().h;
  while (world->time() < end - 0.5 * h) {
    if (result.steps % 64 == 0) context.check_stop();
    try {
      const StepReport report = world->step();
      ++result.steps;
      result.unconverged += report.status != StepStatus::done;
      if (after) after(report);
    } catch (const SimulationError&) {
      result.failed = true;
      return result;
    }
  }
  return result;
}

Line fit_line(std::span<const double> x, std::span<const double> y) {
  const double mx = mean(x), my = mean(y);
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  Line line;
  line.slope = xy / xx;
  line.offset = my - line.slope * mx;
  line.r_squared = yy > 0.0 ? xy * xy / (xx * yy) : 1.0;
  return line;
}

double log_slope(std::span<const double> x, std::span<const double> y) {
  std::vector<double> lx, ly;
  for (std::size_t i = 0; i < x.size(); ++i) {
    lx.push_back(std::log(x[i]));
    ly.push_back(std::log(y[i]));
  }
  return fit_line(lx, ly).slope;
}

double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

namespace {

// Velocity (angular, linear at O) of a body of the problem.
Vec6 body_velocity(const ContactProblem& problem, int index, const VecX& v) {
  const ProblemBody& body = problem.bodies[index];
  if (body.tree < 0) return Vec6::Zero();
  const ProblemTree& tree = problem.trees[body.tree];
  if (tree.is_free_body) return v.segment<6>(tree.v_begin);
  Vec6 V = Vec6::Zero();
  for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
    const double* S = problem.columns.data() + 8 * c;
    const double rate = v[tree.v_begin + problem.column_dofs[c]];
    for (int i = 0; i < 3; ++i) {
      V[i] += S[i] * rate;
      V[3 + i] += S[4 + i] * rate;
    }
  }
  return V;
}

Vec3 vec3(const double* p) { return Eigen::Map<const Vec3>(p); }

}  // namespace

std::vector<TouchedPoint> touched_points(const StepRecord& r, bool all) {
  const ContactProblem& problem = r.contact.problem;
  const ContactSolution& solution = r.contact.solution;
  std::vector<TouchedPoint> points;
  for (std::size_t k = 0; k < r.contact.places.size(); ++k) {
    const int begin = r.contact.places[k].begin;
    if (begin < 0) continue;
    const ShapePair& pair = r.collision.pairs[k];
    for (int i = 0; i < pair.end - pair.begin; ++i) {
      const int p = begin + i;
      const PointFrame& frame = problem.frames[p];
      const Vec6 VA = body_velocity(problem, problem.body_a[p], solution.v),
                 VB = body_velocity(problem, problem.body_b[p], solution.v);
      TouchedPoint point;
      point.n = vec3(frame.n);
      point.V_A = VA;
      point.V_B = VB;
      point.vc = VB.tail<3>() - VA.tail<3>() + VB.head<3>().cross(vec3(frame.r_B)) -
                 VA.head<3>().cross(vec3(frame.r_A)) + vec3(frame.bias);
      point.impulse = vec3(solution.impulses.data() + 4 * p);
      point.distance = r.collision.contact(pair, pair.begin + i).distance;
      point.w = r.contact.problem.inverse_masses[p];
      for (int j = 0; j < kLawParameters; ++j) point.numbers[j] = problem.law_parameters[j][p];
      if (all || point.normal_impulse() > 0.0) points.push_back(point);
    }
  }
  return points;
}

double condition_number(const StepRecord& r, NewtonSolver* solver) {
  const ContactProblem& problem = r.contact.problem;
  if (problem.islands.empty()) return 0.0;
  VecX gradient;
  MatX hessian;
  solver->evaluate(problem, r.contact.solution.v, &gradient, &hessian);
  std::vector<int> kept;
  for (const int t : problem.island_trees) {
    const ProblemTree& tree = problem.trees[t];
    for (int d = tree.v_begin; d < tree.v_begin + tree.num_v; ++d) kept.push_back(d);
  }
  const MatX H = hessian(kept, kept);
  const VecX values = eigenvalues(H);
  return values.maxCoeff() / values.minCoeff();
}

double slackness(const StepRecord& r, NewtonSolver* check_residual) {
  const std::vector<TouchedPoint> points = touched_points(r, true);
  if (points.empty()) return 0.0;
  VecX gradient;
  const double cost = check_residual->evaluate(r.contact.problem, r.contact.solution.v, &gradient, nullptr);
  double sum = 0.0;
  for (const TouchedPoint& p : points) {
    // g = vc - vhat + R gamma, which is perpendicular to gamma.
    const double gn = p.normal_impulse();
    const Vec3 gt = p.impulse - gn * p.n, vt = p.vc - p.vn() * p.n;
    const double along_n = p.vn() - p.numbers[kBias] + gn / p.numbers[kNormal];
    sum += std::abs(along_n * gn + (vt + gt / p.numbers[kTangential]).dot(gt));
  }
  return cost > 0.0 ? sum / static_cast<double>(points.size()) / cost : 0.0;
}

Plateau sap_plateau(const std::function<double(const NamedLaw& law, double h)>& error, Figure* figure) {
  Curve sap{"sap, small h", {}, {}}, lagged{"lagged, small h", {}, {}};
  Plateau plateau;
  plateau.over_lagged = std::numeric_limits<double>::infinity();
  for (const double h : kPlateauSteps) {
    sap.add(h, error(kSap, h));
    lagged.add(h, error(kLagged, h));
    plateau.over_lagged = std::min(plateau.over_lagged, sap.y.back() / lagged.y.back());
    plateau.text += fmt::format("{}{:.2e} and {:.1e} m at h {:g}", plateau.text.empty() ? "" : ", ",
                                sap.y.back(), lagged.y.back(), h);
  }
  const auto [low, high] = std::minmax_element(sap.y.begin(), sap.y.end());
  plateau.spread = *high / *low - 1.0;
  plateau.text = fmt::format(
      "errors of sap and lagged well below tau_d = 1e-3 s: {}: sap's varies by {:.1f} %, at least {:.0f}x "
      "lagged's",
      plateau.text, 100.0 * plateau.spread, plateau.over_lagged);
  figure->curves.push_back(std::move(sap));
  figure->curves.push_back(std::move(lagged));
  return plateau;
}

double motion_error(std::span<const Vec3> a, std::span<const Vec3> b) {
  STICTION_ASSERT(a.size() == b.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace stiction::claims
