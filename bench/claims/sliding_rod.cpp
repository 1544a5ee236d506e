// A rod that slides on its tip, jams and jumps: Painleve's paradox (I section XI-C).

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/sliders.h"

namespace stiction::claims {
namespace {

struct RodRun {
  double jam = 0.0, jump = 0.0;  // s: the tip stops slipping; the tip is in the air after that. 0: never
  double stiction = 0.0;         // s
  double height = 0.0;           // m, the highest of the lower tip
  Curve force;
};

RodRun run(const ClaimContext& context, const NamedLaw& law, double h, double end, bool with_dissipation) {
  WorldOptions options = with_exact_law(law.law, h);
  if (!with_dissipation) options.formulation.contact.dissipation = Dissipation::none;
  Model model = scenes::sliding_rod();
  if (!with_dissipation) {
    for (PlacedShape& shape : model.shapes) shape.contact.relaxation_time = 0.0;
  }
  World world(std::move(model), options);
  // Every law starts where its own force vanishes: at its gliding height (I Table I).
  constexpr double kMu = 2.3, kSpeed = 10.0, kRelaxation = 4e-6;  // -, m/s, s
  if (law.law == LawKind::icf_similar) world.set_position("z", kMu * h * kSpeed);
  if (law.law == LawKind::sap)
    world.set_position("z", kMu * (h + (with_dissipation ? kRelaxation : 0.0)) * kSpeed);
  RodRun result;
  result.force.name = law.name;
  const double v_s = options.formulation.contact.v_s;
  const int every = std::max(1, static_cast<int>(2e-5 / h));
  int steps = 0;
  double lost = 0.0;  // s, since when the tip is in the air
  run_until(context, end, &world, [&](const StepReport&) {
    double force = 0.0, slip = 1.0, tolerance = v_s;
    for (const TouchedPoint& p : touched_points(world.record())) {
      force += p.impulse.z() / h;
      slip = p.slip();
      // sap sticks up to sigma w mu gamma_n.
      if (law.law == LawKind::sap)
        tolerance = p.numbers[SapNumber::kMu] * p.normal_impulse() / p.numbers[kTangential];
    }
    if (++steps % every == 0) result.force.add(world.time(), force);
    if (force > 0.0 && slip <= tolerance) {
      if (result.jam == 0.0) result.jam = world.time();
      result.stiction += h;
    }
    if (result.jam > 0.0 && result.jump == 0.0) {
      constexpr double kInTheAir = 2e-4;  // s, longer than a chatter of the contact
      if (force > 0.0) lost = 0.0;
      if (force == 0.0 && lost == 0.0) lost = world.time();
      if (lost > 0.0 && world.time() - lost > kInTheAir) result.jump = lost;
    }
    const Vec3 tip = world.body_pose("rod") * Vec3(0.0, 0.0, 0.0);
    const double turn = world.position("turn");
    constexpr double kHalf = 0.245, kRadius = 0.005, kAngle = 0.5235987755982988;
    result.height = std::max(result.height, tip.z() - kHalf * std::sin(kAngle + turn) - kRadius);
  });
  return result;
}

}  // namespace

ClaimResult sliding_rod(const ClaimContext& context) {
  constexpr double kStep = 1e-7, kEnd = 0.05;  // s
  std::map<std::string, RodRun> plain, damped;
  Figure figure{"Normal force without dissipation, h 1e-7 s", "t (s)", "force (N)", false, false, {}};
  Figure figure_damped{"Normal force with dissipation, h 1e-7 s", "t (s)", "force (N)", false, false, {}};
  for (const NamedLaw& law : {kSap, kSimilar, kLagged}) {
    plain[law.name] = run(context, law, kStep, kEnd, false);
    damped[law.name] = run(context, law, kStep, kEnd, true);
    figure.curves.push_back(plain[law.name].force);
    figure_damped.curves.push_back(damped[law.name].force);
  }
  context.save("I3", figure);
  context.save("I3_dissipation", figure_damped);
  const RodRun coarse = run(context, kLagged, 2e-3, kEnd, false);

  const double jump = plain["lagged"].jump;
  double apart = 0.0;
  for (const auto& [name, result] : plain) apart = std::max(apart, std::abs(result.jump / jump - 1.0));
  const double stiction = plain["lagged"].stiction;
  const bool jumps = jump > 0.0 && plain["sap"].jump > 0.0 && plain["similar"].jump > 0.0;
  const bool ordered = damped["similar"].jump > 0.0 && damped["similar"].jump < damped["lagged"].jump &&
                       damped["lagged"].jump < damped["sap"].jump;
  constexpr double kLiftOff = 1e-3;  // m
  const bool holds =
      jumps && stiction > 1.5e-4 && stiction < 2.5e-4 && apart <= 0.01 && ordered && coarse.height < kLiftOff;
  return {fmt::format(
              "stiction {:.2f} ms; jump at {:.4f} s, laws {:.2g} % apart; with dissipation similar {:.4f}, "
              "lagged {:.4f}, sap {:.4f} s; lagged at h 2e-3 lifts {:.2g} mm (fine: {:.3g} mm)",
              1e3 * stiction, jump, 100.0 * apart, damped["similar"].jump, damped["lagged"].jump,
              damped["sap"].jump, 1e3 * coarse.height, 1e3 * plain["lagged"].height),
          holds};
}

}  // namespace stiction::claims
