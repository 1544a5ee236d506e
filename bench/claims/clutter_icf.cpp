// The clutter under sap and the icf laws: iterations, conditioning, penetration (I section XII-A).

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "bench/claims/clutter.h"
#include "bench/claims/measure.h"
#include "scenes/piles.h"

namespace stiction::claims {
namespace {

constexpr double kEnd = 3.0;         // s
constexpr double kSettling = 2.0;    // s, "impacts subside" (I XII-A)
constexpr double kTolerance = 1e-5;  // of the paper, I XII
constexpr double kRadius = 0.05;     // m, half the size of an object
constexpr double kGravity = 9.81;    // m/s^2

World icf_clutter(LawKind law, double h, double stiffness, int pile = 0,
                  double dissipation = scenes::ClutterOptions().dissipation) {
  scenes::ClutterOptions clutter;
  clutter.dissipation = dissipation;
  clutter.stiffness = stiffness;
  clutter.seed = static_cast<std::uint64_t>(pile) + 1;
  Model model = scenes::clutter(clutter);
  WorldOptions options = with_law(law, h);
  NewtonOptions& newton = options.formulation.newton;
  newton.relative_tolerance = kTolerance;
  // All bodies in one system, a line search and a new factor in every iteration, as in the paper (I X, eq.
  // 28): an iteration is one of all bodies.
  newton.use_islands = false;
  newton.reuse_factor = false;
  newton.full_steps = 0;
  return World(std::move(model), options);
}

double speed(const Vec6& V) { return std::max(V.tail<3>().norm(), kRadius * V.head<3>().norm()); }

// Iterations of the steps of one run.
struct IterationCounts {
  std::vector<double> early, late;     // before and after 2 s, when "impacts subside" (I XII-A)
  std::vector<double> impacts, still;  // of those, steps with impacts, and of sustained contact
};

// Adds a step that has been done. I VIII explains the figures by impacts and sustained contact; in this pile
// the one ends before 2 s and the other begins after it.
void count_step(const World& world, int iterations, IterationCounts* counts) {
  constexpr double kImpact = 1.0;                       // m/s, what a fall of half an object's size gives
  const double at_rest = kGravity * world.options().h;  // m/s, what gravity gives in a step
  if (world.time() < kSettling) {
    double fastest = 0.0;
    const VecX& v = world.state().v;
    for (int i = 0; i + 6 <= v.size(); i += 6) fastest = std::max(fastest, v.segment<3>(i + 3).norm());
    counts->early.push_back(iterations);
    if (fastest > kImpact) counts->impacts.push_back(iterations);
  } else {
    double fastest = 0.0;
    for (const TouchedPoint& p : touched_points(world.record())) fastest = std::max(fastest, p.vc.norm());
    counts->late.push_back(iterations);
    if (fastest < at_rest) counts->still.push_back(iterations);
  }
}

// A mean over piles, and its standard error.
struct PileMean {
  double value = 0.0, error = 0.0;
  std::string text() const { return fmt::format("{:.2f}+-{:.2f}", value, error); }
};
PileMean mean_of(const std::vector<double>& piles) {
  PileMean out;
  out.value = mean(piles);
  double sum = 0.0;
  for (const double one : piles) sum += (one - out.value) * (one - out.value);
  const auto n = static_cast<double>(piles.size());
  out.error = piles.size() > 1 ? std::sqrt(sum / (n * (n - 1.0))) : 0.0;
  return out;
}
// Every pile counts with its own mean; those where nothing was counted are left out.
PileMean mean_of(const std::vector<IterationCounts>& piles, std::vector<double> IterationCounts::*counts) {
  std::vector<double> means;
  for (const IterationCounts& pile : piles)
    if (!(pile.*counts).empty()) means.push_back(mean(pile.*counts));
  return mean_of(means);
}

// The difference of two laws in the same piles: its mean and standard error are those of the differences pile by
// pile, which leaves out what a pile does to both. A star: less than two standard errors.
std::string difference(const std::vector<IterationCounts>& a, const std::vector<IterationCounts>& b,
                       std::vector<double> IterationCounts::*counts) {
  std::vector<double> differences;
  for (std::size_t pile = 0; pile < a.size(); ++pile)
    if (!(a[pile].*counts).empty() && !(b[pile].*counts).empty())
      differences.push_back(mean(a[pile].*counts) - mean(b[pile].*counts));
  const PileMean of = mean_of(differences);
  return fmt::format("{:+.2f}+-{:.2f}{}", of.value, of.error, std::abs(of.value) < 2.0 * of.error ? "*" : "");
}

// Mean slip at which the points that push in the last step stop sticking (I Table I; eq. 26), m/s.
double stiction_tolerance(const World& world) {
  std::vector<double> tolerances;
  const bool is_sap = world.options().formulation.contact.law == LawKind::sap;
  for (const TouchedPoint& p : touched_points(world.record()))
    tolerances.push_back(is_sap ? p.numbers[SapNumber::kMu] * p.normal_impulse() / p.numbers[kTangential]
                                : p.numbers[kEpsilon]);
  return mean(tolerances);
}

// Means of what is measured often, over stretches of time.
class WindowedMean {
 public:
  explicit WindowedMean(const char* name) : curve_{name, {}, {}} {}
  void add(double time, double value) {
    constexpr double kWindow = 0.05;  // s
    window_.push_back(value);
    if (time < shown_) return;
    curve_.add(time, mean(window_));
    window_.clear();
    shown_ += kWindow;
  }
  const Curve& curve() const { return curve_; }

 private:
  Curve curve_;
  std::vector<double> window_;
  double shown_ = 0.05;
};

constexpr double kSteps[] = {5e-4, 1e-3, 2e-3, 5e-3, 1e-2};  // s

// How the condition number depends on h where nothing else does: of the pile that a run has left, after a
// tenth of a second of steps of another size. Its log-log slope.
double slope_of_pile(const ClaimContext& context, LawKind law, const State& pile) {
  Curve condition;
  NewtonSolver check_residual;
  for (const double h : kSteps) {
    World world = icf_clutter(law, h, 1e7);
    world.set_state(pile);
    run_until(context, pile.time + 0.1, &world);
    condition.add(h, condition_number(world.record(), &check_residual));
  }
  return log_slope(condition.x, condition.y);
}

}  // namespace

ClaimResult iterations_of_icf(const ClaimContext& context) {
  constexpr double kStep = 2e-3;  // s
  const NamedLaw laws[] = {kSap, kLaggedPlain, kLagged, kSimilar};
  Figure figure{
      "Newton iterations of a step, h 2e-3 s", "t (s)", "iterations, mean over 50 ms", false, false, {}};
  Figure history_figure{"Condition number, h 2e-3 s", "t (s)", "condition number", false, true, {}};
  Figure tolerance_figure{
      "Mean stiction tolerance, h 2e-3 s", "t (s)", "slip (m/s), mean over 50 ms", false, true, {}};
  Figure condition_figure{"Mean condition number by step size", "h (s)", "condition number", true, true, {}};
  Figure count_figure{"Mean iterations by step size", "h (s)", "iterations", true, false, {}};
  std::map<LawKind, std::vector<IterationCounts>> counts;
  std::map<LawKind, double> slope, pile_slope;
  for (const NamedLaw& law : laws) {
    WindowedMean curve(law.name), tolerance(law.name);
    Curve condition{law.name, {}, {}}, count = condition, history = condition;
    counts[law.law].resize(kPiles);
    for (const double h : kSteps) {
      World world = icf_clutter(law.law, h, 1e7);
      NewtonSolver check_residual;
      std::vector<double> all, conditions;
      double sampled = 0.02;
      run_until(context, kEnd, &world, [&](const StepReport& report) {
        all.push_back(report.contact.iterations);
        if (h == kStep) {
          count_step(world, report.contact.iterations, &counts[law.law].front());
          curve.add(world.time(), report.contact.iterations);
          if (const double slip = stiction_tolerance(world); slip > 0.0) tolerance.add(world.time(), slip);
        }
        if (world.time() < sampled) return;
        sampled += 0.025;
        const double kappa = condition_number(world.record(), &check_residual);
        if (kappa > 0.0) conditions.push_back(kappa);
        if (kappa > 0.0 && h == kStep) history.add(world.time(), kappa);
      });
      if (h == kStep) pile_slope[law.law] = slope_of_pile(context, law.law, world.state());
      condition.add(h, mean(conditions));
      count.add(h, mean(all));
    }
    for (int pile = 1; pile < kPiles; ++pile) {
      World world = icf_clutter(law.law, kStep, 1e7, pile);
      run_until(context, kEnd, &world, [&](const StepReport& report) {
        count_step(world, report.contact.iterations, &counts[law.law][static_cast<std::size_t>(pile)]);
      });
    }
    slope[law.law] = log_slope(condition.x, condition.y);
    figure.curves.push_back(curve.curve());
    tolerance_figure.curves.push_back(tolerance.curve());
    history_figure.curves.push_back(std::move(history));
    condition_figure.curves.push_back(std::move(condition));
    count_figure.curves.push_back(std::move(count));
  }
  context.save("I4", figure);
  context.save("I4_condition_in_time", history_figure);
  context.save("I4_tolerance", tolerance_figure);
  context.save("I4_conditioning", condition_figure);
  context.save("I4_iterations", count_figure);
  const LawKind sap = LawKind::sap, plain = LawKind::icf_lagged_plain, lagged = LawKind::icf_lagged,
                similar = LawKind::icf_similar;
  // The means of all steps, and of those that I VIII speaks of: with impacts, and of sustained contact.
  std::map<LawKind, double> transient, rest, impacts, still;
  std::string numbers;
  for (const NamedLaw& law : laws) {
    const std::vector<IterationCounts>& c = counts[law.law];
    const PileMean early = mean_of(c, &IterationCounts::early), late = mean_of(c, &IterationCounts::late),
                   in_impacts = mean_of(c, &IterationCounts::impacts),
                   sustained = mean_of(c, &IterationCounts::still);
    transient[law.law] = early.value;
    rest[law.law] = late.value;
    impacts[law.law] = in_impacts.value;
    still[law.law] = sustained.value;
    numbers +=
        fmt::format("{} {} ({}) / {} ({}) / {:.2f} ({:.2f}); ", law.name, early.text(), in_impacts.text(),
                    late.text(), sustained.text(), slope[law.law], pile_slope[law.law]);
  }
  std::string differences;
  const auto add_difference = [&](const char* name, LawKind a, LawKind b) {
    const auto text = [&](std::vector<double> IterationCounts::*part) {
      return difference(counts[a], counts[b], part);
    };
    differences += fmt::format("{}{} {} ({}) / {} ({})", differences.empty() ? "" : "; ", name,
                               text(&IterationCounts::early), text(&IterationCounts::impacts),
                               text(&IterationCounts::late), text(&IterationCounts::still));
  };
  add_difference("lagged, v_s alone - sap", plain, sap);
  add_difference("lagged - sap", lagged, sap);
  add_difference("similar - sap", similar, sap);
  add_difference("lagged - lagged, v_s alone", lagged, plain);
  const auto more = [&](std::map<LawKind, double>& m) { return m[plain] > m[sap] && m[similar] > m[sap]; };
  const auto fewer = [&](std::map<LawKind, double>& m) {
    return m[plain] < m[sap] && m[lagged] < m[sap] && m[similar] < m[sap];
  };
  const bool regularised = transient[lagged] < transient[plain];
  const bool conditioning = slope[plain] > 0.5 && slope[similar] > 0.5 && slope[sap] < 0.1;
  const bool holds = more(transient) && fewer(rest) && regularised && conditioning;
  return {
      fmt::format(
          "mean iterations over {} piles, with standard errors, before 2 s in all steps (in those with "
          "impacts) "
          "/ after 2 s in all steps (in those of sustained contact) / slope of the mean condition number in "
          "h (of one "
          "pile at rest, h alone changed): {}more in the transient {} ({}), fewer at rest {} ({}), "
          "regularised fewer {} ({}), conditioning {}. G_t of sap is 1/(sigma w) whatever h (I VIII), and "
          "its "
          "condition number on one pile stays; what its mean grows by is the piles, which differ from step "
          "size to step size. Differences in the same piles, with their standard errors (*: less than two of "
          "them, an order that these piles do not settle): {}",
          kPiles, numbers, more(transient), more(impacts), fewer(rest), fewer(still), regularised,
          impacts[lagged] < impacts[plain], conditioning, differences),
      holds};
}

ClaimResult stiffness_sweep(const ClaimContext& context) {
  const NamedLaw laws[] = {kSap, kLagged, kSimilar};
  // I XII-A compares Fig. 18 with the near-rigid stiffness "for a time step 0.005 s".
  constexpr double kStep = 5e-3;        // s
  constexpr double kSettled = 1.75;     // s: "the last 1.25 seconds, when objects settle"
  constexpr double kTransition = 1e-4;  // m/s, v_s: what moves faster is not in the steady state of Fig. 18
  constexpr double kConditionEvery = 0.05;  // s
  Figure depth_figure{"Mean penetration at rest, h 5e-3 s", "k (N/m)", "depth (m)", true, true, {}};
  Figure count_figure{"Mean iterations of a step", "k (N/m)", "iterations", true, false, {}};
  Figure condition_figure{"Mean condition number", "k (N/m)", "condition number", true, true, {}};
  bool holds = true;
  std::string numbers;
  for (const NamedLaw& law : laws) {
    Curve depth{law.name, {}, {}}, count = depth, condition = depth;
    NewtonSolver check_residual;
    std::vector<PileMean> means;  // of the iterations of a step, by stiffness
    std::string by_part, conditions_of_k;
    bool failed = false;
    int unconverged = 0;
    for (int exponent = 4; exponent <= 12; ++exponent) {
      const double k = std::pow(10.0, exponent);
      double depths = 0.0, points = 0.0, sampled = 0.0;
      std::vector<double> iterations;  // by pile
      std::vector<double> conditions;
      double sums[2] = {};  // of the iterations before and after impacts subside
      int steps[2] = {};
      // Iterations are compared up to 1e7: means of many piles.
      const int piles = exponent <= 7 ? kPiles : 1;
      for (int pile = 0; pile < piles; ++pile) {
        World world = icf_clutter(law.law, kStep, k, pile);
        double sum = 0.0;
        const RunResult result = run_until(context, kEnd, &world, [&](const StepReport& report) {
          sum += report.contact.iterations;
          const int part = world.time() < kSettling ? 0 : 1;
          sums[part] += report.contact.iterations;
          ++steps[part];
          if (pile == 0 && world.time() > sampled) {
            const double kappa = condition_number(world.record(), &check_residual);
            if (kappa > 0.0) conditions.push_back(kappa);
            sampled += kConditionEvery;
          }
          if (world.time() < kSettled) return;
          for (const TouchedPoint& p : touched_points(world.record())) {
            if (p.distance >= 0.0 || speed(p.V_A) > kTransition || speed(p.V_B) > kTransition) continue;
            depths -= p.distance;
            points += 1.0;
          }
        });
        iterations.push_back(sum / std::max(result.steps, 1));
        failed |= result.failed;
        unconverged += result.unconverged;
      }
      depth.add(k, depths / std::max(points, 1.0));
      means.push_back(mean_of(iterations));
      count.add(k, means.back().value);
      condition.add(k, mean(conditions));
      conditions_of_k += fmt::format("{}{:.0e}", conditions_of_k.empty() ? "" : ", ", condition.y.back());
      by_part += fmt::format("{}{:.1f}/{:.1f}", by_part.empty() ? "" : ", ", sums[0] / std::max(steps[0], 1),
                             sums[1] / std::max(steps[1], 1));
    }
    const double slope = log_slope(depth.x, depth.y);
    const double growth = *std::max_element(count.y.begin(), count.y.begin() + 4) / count.y[0];
    const double growth_before = *std::max_element(count.y.begin(), count.y.begin() + 3) / count.y[0];
    const double flat = depth.y[8] / depth.y[4];  // from 1e8 to 1e12
    if (law.law == LawKind::sap)
      holds = holds && flat > 0.5;
    else
      holds = holds && std::abs(slope + 1.0) <= 0.1;
    holds = holds && growth <= 1.2 && !failed;
    numbers += fmt::format(
        "{}{}: slope {:.2f}{}, iterations {} at 1e4 and {} at 1e7, up to there at most {:.2f}x those at 1e4 "
        "(up "
        "to 1e6 {:.2f}x), {:.2f} at 1e12 (before/after 2 s at 1e4 .. 1e12: {}), failed steps {}, unconverged "
        "{}, "
        "mean condition numbers {}",
        numbers.empty() ? "" : "; ", law.name, slope,
        law.law == LawKind::sap ? fmt::format(" (depth at 1e12 {:.2f} of that at 1e8)", flat) : std::string(),
        means[0].text(), means[3].text(), growth, growth_before, count.y.back(), by_part,
        failed ? "yes" : "none", unconverged, conditions_of_k);
    depth_figure.curves.push_back(std::move(depth));
    count_figure.curves.push_back(std::move(count));
    condition_figure.curves.push_back(std::move(condition));
  }
  // The dissipation stiffens similar while it slides, by 1 + mu d |vt| (I VII-B): without it.
  std::string undamped;
  for (const double k : {1e4, 1e7, 1e8}) {
    std::vector<double> piles;
    for (int pile = 0; pile < kPiles; ++pile) {
      World world = icf_clutter(LawKind::icf_similar, kStep, k, pile, 0.0);
      double sum = 0.0;
      const RunResult result = run_until(context, kEnd, &world,
                                         [&](const StepReport& report) { sum += report.contact.iterations; });
      piles.push_back(sum / std::max(result.steps, 1));
    }
    undamped += fmt::format("{}{}", undamped.empty() ? "" : ", ", mean_of(piles).text());
  }
  numbers += fmt::format(
      ". Why similar: its impulse is a function of vn - mu |vt|, so that what is stiff is a cone, where it "
      "is a "
      "plane under lagged, and Newton's method leaves a cone on its tangent. A line search ends such a step "
      "after (2 m L u^2/(mu^2 h^2 k))^(1/3) at a slip u with L left to go, so that a slip that turns takes "
      "at most "
      "some 3/2 (L mu h/u)^(2/3) (k/(2 m))^(1/3) iterations more, once h^2 k > 2 m (u/L)^2/mu^2. One step of "
      "a "
      "point of "
      "1 kg at 1 m/s that turns by 0.3 rad, at k 1e4 .. 1e12: {}. A shift of lagged's curve in k it is not: "
      "similar is stiffer by 1 + mu^2 = 2 along n - mu t and by 1 + mu d |vt| while it slides (I VII-B; 11 "
      "at 1 "
      "m/s), and lagged takes {:.2f} times the iterations at a hundred times the stiffness (1e9 over 1e7). "
      "The second factor only "
      "brings "
      "the growth forward: without dissipation similar takes {} at 1e4, 1e7 and 1e8",
      turning_slip(kStep), count_figure.curves[1].y[5] / count_figure.curves[1].y[3], undamped);
  context.save("I5", depth_figure);
  context.save("I5_iterations", count_figure);
  context.save("I5_conditioning", condition_figure);
  return {numbers, holds};
}

}  // namespace stiction::claims
