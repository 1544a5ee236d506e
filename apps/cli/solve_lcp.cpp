#include "apps/cli/solve_lcp.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "stiction/base/check.h"
#include "stiction/base/timer.h"
#include "stiction/contact/file/lcp_file.h"
#include "stiction/contact/residual.h"

namespace stiction::cli {
namespace {

const char* name_of(LinearMethod method) { return kLinearMethodNames[static_cast<std::size_t>(method)]; }

const char* name_of(LinearStatus status) {
  switch (status) {
    case LinearStatus::solved:
      return "converged";
    case LinearStatus::ray:
      return "ray";
    case LinearStatus::infeasible:
      return "infeasible";
    case LinearStatus::stalled:
      return "stalled";
    case LinearStatus::max_iterations:
      return "max_iterations";
    case LinearStatus::zero_diagonal:
      return "zero_diagonal";
    case LinearStatus::not_finite:
      return "not_finite";
  }
  return "";
}

LinearOptions options_of(const LcpArguments& arguments) {
  LinearOptions options;
  if (arguments.tolerance) {
    STICTION_USER_CHECK(std::isfinite(*arguments.tolerance) && *arguments.tolerance >= 0.0,
                        "--tolerance must be finite and not negative, not {}", *arguments.tolerance);
    options.tolerance = *arguments.tolerance;
  }
  if (arguments.max_iterations) {
    STICTION_USER_CHECK(*arguments.max_iterations >= 0, "--max-iterations must not be negative, not {}",
                        *arguments.max_iterations);
    options.max_sweeps = *arguments.max_iterations;
  }
  if (arguments.method.empty()) return options;
  std::string names;
  for (std::size_t i = 0; i < kLinearMethodNames.size(); ++i) {
    if (arguments.method == kLinearMethodNames[i]) {
      options.method = static_cast<LinearMethod>(i);
      return options;
    }
    names += (names.empty() ? "" : ", ") + std::string(kLinearMethodNames[i]);
  }
  throw_user_error(
      format("'{}' does not solve linear complementarity problems; {} do", arguments.method, names));
}

// The largest errors of all unknowns, each relative to the largest of z or of M z and q.
struct Residuals {
  Error natural;             // z - mid(lower, z - w, upper)
  Error primal;              // of z beyond its bounds
  Error dual;                // of w with the wrong sign at a bound, or not zero
  Error complementarity;     // distance from the nearer bound times w
  double worst_share = 0.0;  // natural error over that allowed by round-off and the tolerance
};

Residuals checked(const LinearComplementarity& problem, const VecX& z, double tolerance) {
  Residuals out;
  const VecX w = problem.M * z + problem.q;
  const VecX terms = problem.M.cwiseAbs() * z.cwiseAbs() + problem.q.cwiseAbs();
  const auto raise = [](double value, double* to) {
    if (!(value <= *to)) *to = value;  // NaN stays
  };
  for (int i = 0; i < z.size(); ++i) {
    const double low = problem.lower[i], high = problem.upper[i];
    const double natural = std::abs(z[i] - std::min(std::max(z[i] - w[i], low), high));
    raise(natural, &out.natural.absolute);
    raise(std::max({0.0, low - z[i], z[i] - high}), &out.primal.absolute);
    // w may be positive at the lower bound only, negative at the upper one only.
    const double to_low = std::isfinite(low) ? std::abs(z[i] - low) : std::numeric_limits<double>::infinity();
    const double to_high =
        std::isfinite(high) ? std::abs(high - z[i]) : std::numeric_limits<double>::infinity();
    const double gap = w[i] > 0.0 ? to_low : to_high;
    raise(std::isfinite(gap) ? 0.0 : std::abs(w[i]), &out.dual.absolute);
    raise(std::isfinite(gap) ? gap * std::abs(w[i]) : 0.0, &out.complementarity.absolute);
    // As in mixed_newton.h, with room for another order of summation.
    constexpr double kRoom = 10.0;
    const double round_off = 16.0 * std::numeric_limits<double>::epsilon() * terms[i];
    raise(natural / (kRoom * (tolerance + std::min(round_off, 1e4 * tolerance))), &out.worst_share);
  }
  const double position = z.lpNorm<Eigen::Infinity>(), force = terms.lpNorm<Eigen::Infinity>();
  const auto divide = [](double by, Error* error) {
    error->relative = by > 0.0 ? error->absolute / by : error->absolute;
  };
  divide(std::max(position, force), &out.natural);
  divide(position, &out.primal);
  divide(force, &out.dual);
  divide(position * force, &out.complementarity);
  return out;
}

}  // namespace

int solve_lcp(const std::string& text, const std::string& file, const LcpArguments& arguments) {
  const SavedLcp saved = lcp_from_json(text, file);
  if (!arguments.write.empty()) save_lcp(saved, arguments.write);
  const LinearOptions options = options_of(arguments);
  VecX z = VecX::Zero(saved.problem.size());
  const Stopwatch clock;
  const LinearReport report = solve_linear_complementarity(saved.problem, options, &z);
  const double seconds = clock.seconds();
  const Residuals residuals = checked(saved.problem, z, options.tolerance);
  // The residuals, not the solver, decide whether the problem counts as solved.
  const bool is_solved = report.status == LinearStatus::solved && residuals.worst_share <= 1.0;
  const char* status =
      name_of(is_solved || report.status != LinearStatus::solved ? report.status : LinearStatus::stalled);
  struct Row {
    const char* name;
    Error error;
  };
  const Row rows[] = {{"natural", residuals.natural},
                      {"primal", residuals.primal},
                      {"dual", residuals.dual},
                      {"complementarity", residuals.complementarity}};
  const int iterations = report.pivots + report.sweeps + report.newton_steps;
  if (arguments.json) {
    nlohmann::json errors;
    for (const Row& row : rows)
      errors[row.name] = {{"absolute", row.error.absolute}, {"relative", row.error.relative}};
    const nlohmann::json answer = {{"name", saved.name},
                                   {"unknowns", saved.problem.size()},
                                   {"method", name_of(report.method)},
                                   {"status", status},
                                   {"iterations", iterations},
                                   {"pivots", report.pivots},
                                   {"sweeps", report.sweeps},
                                   {"newton_steps", report.newton_steps},
                                   {"time_s", seconds},
                                   {"errors", errors},
                                   {"z", std::vector<double>(z.begin(), z.end())}};
    std::printf("%s\n", answer.dump(2).c_str());
  } else {
    std::printf("%s: %d unknowns, by %s\n  %s after %d pivots, %d sweeps, %d Newton steps, %.3g s\n",
                saved.name.c_str(), saved.problem.size(), name_of(report.method), status, report.pivots,
                report.sweeps, report.newton_steps, seconds);
    for (const Row& row : rows)
      std::printf("  %-16s %10.2e  %10.2e of its scale\n", row.name, row.error.absolute, row.error.relative);
  }
  return is_solved ? kDone : kSimulationFailed;
}

}  // namespace stiction::cli
