// A rod that slides on its tip, jams and jumps: Painleve's paradox (I section XI-C).

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/sliders.h"

namespace stiction::claims {
namespace {

constexpr double kHalf = 0.245, kRadius = 0.005;                // m, of the line of centres, of a tip
constexpr double kAngle = std::numbers::pi / 6.0;               // rad, at the start
constexpr double kStudyEnd = 0.0512, kStudySample = 6.4e-4;     // s, of Fig. 13
constexpr double kStudySteps[] = {6.4e-4, 1.6e-4, 4e-5, 1e-5};  // s
constexpr double kStudyReference = 1e-6;                        // s

struct RodRun {
  double jam = 0.0, jump = 0.0;  // s: the tip stops slipping; the tip is in the air after that. 0: never
  double stiction = 0.0;         // s
  double height = 0.0;           // m, the highest of the lower tip
  Curve force;
  Curve slip, approach;  // m/s, of the point of the lower tip that is or would be in contact: along x and z
  std::vector<Vec3> motion;  // x, z and half the length times the angle (m), every kStudySample
};

// Velocity of the lowest point of the lower tip.
Vec3 tip_velocity(const World& world) {
  const double angle = kAngle + world.position("turn"), w = world.velocity("turn");
  const Vec3 arm = kHalf * Vec3(std::cos(angle), 0.0, -std::sin(angle)) - kRadius * Vec3::UnitZ();
  return Vec3(world.velocity("x"), 0.0, world.velocity("z")) + (w * Vec3::UnitY()).cross(arm);
}

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
  result.slip.name = std::string(law.name) + ", slip";
  result.approach.name = std::string(law.name) + ", normal";
  const double v_s = options.formulation.contact.v_s;
  const long every = std::max(1L, std::lround(2e-5 / h)),
             every_velocity = std::max(1L, std::lround(2e-6 / h));
  long steps = 0;
  double sampled = kStudySample;
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
    if (steps % every_velocity == 0) {
      const Vec3 velocity = tip_velocity(world);
      result.slip.add(world.time(), velocity.x());
      result.approach.add(world.time(), velocity.z());
    }
    if (world.time() > sampled - 0.5 * h) {
      constexpr double kHalfLength = 0.25;  // m
      result.motion.emplace_back(world.position("x"), world.position("z"),
                                 kHalfLength * world.position("turn"));
      sampled += kStudySample;
    }
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
    result.height = std::max(result.height, tip.z() - kHalf * std::sin(kAngle + turn) - kRadius);
  });
  return result;
}

// The points of a curve in a stretch of x, or every n-th of them.
Curve part(const Curve& curve, double from, double to, std::size_t every = 1) {
  Curve out{curve.name, {}, {}};
  for (std::size_t i = 0; i < curve.x.size(); i += every)
    if (curve.x[i] >= from && curve.x[i] <= to) out.add(curve.x[i], curve.y[i]);
  return out;
}

// I Figs. 10 and 12: velocities of the tip, and their close-up where lagged jams.
void save_velocities(const ClaimContext& context, const std::map<std::string, RodRun>& runs,
                     const std::string& name, const char* which) {
  Figure all{fmt::format("Velocity of the tip {}", which), "t (s)", "m/s", false, false, {}};
  Figure near{fmt::format("Velocity of the tip at the jam {}", which), "t (s)", "m/s", false, false, {}};
  constexpr double kBefore = 2e-4, kAfter = 6e-4;  // s
  const double jam = runs.at("lagged").jam;
  for (const auto& [law, result] : runs) {
    for (const Curve* curve : {&result.slip, &result.approach}) {
      all.curves.push_back(part(*curve, 0.0, curve->x.back(), 10));
      near.curves.push_back(part(*curve, jam - kBefore, jam + kAfter));
    }
  }
  context.save(name, all);
  context.save(name + "_jam", near);
}

// I Fig. 13: errors of the positions against lagged at the reference's step.
struct Study {
  Figure figure;
  std::string text;
};
Study study(const ClaimContext& context, bool with_dissipation) {
  const auto at = [&](const NamedLaw& law, double h) {
    return run(context, law, h, kStudyEnd, with_dissipation).motion;
  };
  const std::vector<Vec3> reference = at(kLagged, kStudyReference);
  Study out{
      {fmt::format("Error of the rod's positions {} dissipation", with_dissipation ? "with" : "without"),
       "h (s)",
       "e_q (m)",
       true,
       true,
       {}},
      {}};
  for (const NamedLaw& law : {kSap, kSimilar, kLagged}) {
    Curve curve{law.name, {}, {}};
    for (const double h : kStudySteps) curve.add(h, motion_error(at(law, h), reference));
    const double ratio = kStudySteps[2] / kStudySteps[3];
    const double finest = std::log(curve.y[2] / curve.y[3]) / std::log(ratio);
    // Of the law alone, without what it differs from lagged by.
    const std::vector<Vec3> own = at(law, kStudyReference);
    const double of_law =
        std::log(motion_error(at(law, kStudySteps[2]), own) / motion_error(at(law, kStudySteps[3]), own)) /
        std::log(ratio);
    out.text += fmt::format(
        "{}{} {:.1e} .. {:.1e} m (slope {:.2f} at the end, {:.2f} against its own motion at "
        "1e-6, which is {:.1e} m off lagged's)",
        out.text.empty() ? "" : ", ", law.name, curve.y.front(), curve.y.back(), finest, of_law,
        motion_error(own, reference));
    out.figure.curves.push_back(std::move(curve));
  }
  return out;
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
  save_velocities(context, plain, "I3_velocity", "without dissipation");
  save_velocities(context, damped, "I3_velocity_dissipation", "with dissipation");
  const Study study_plain = study(context, false), study_damped = study(context, true);
  context.save("I3_convergence", study_plain.figure);
  context.save("I3_convergence_dissipation", study_damped.figure);
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
              "lagged {:.4f}, sap {:.4f} s; lagged at h 2e-3 lifts {:.2g} mm (fine: {:.3g} mm); e_q at h "
              "6.4e-4 .. "
              "1e-5 without dissipation: {}; with: {}. I says first order with smaller steps; within its "
              "steps only "
              "lagged comes near it, and what sap and similar differ from lagged by with dissipation stays "
              "however small h is (I eq. 24, VII-B)",
              1e3 * stiction, jump, 100.0 * apart, damped["similar"].jump, damped["lagged"].jump,
              damped["sap"].jump, 1e3 * coarse.height, 1e3 * plain["lagged"].height, study_plain.text,
              study_damped.text),
          holds};
}

}  // namespace stiction::claims
