// A box on a belt that oscillates: what the coupling of slip into the normal force does (I section XI-A).

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "stiction/simulation/contact/assemble.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::claims {
namespace {

constexpr double kAmplitude = 0.2, kRate = 2.0 * std::numbers::pi;  // m, rad/s
constexpr double kEnd = 2.0, kSample = 0.05;                        // s

Model box_on_belt() {
  constexpr double kSide = 0.05;
  ModelBuilder builder("oscillating_belt");
  ContactMaterial material;
  material.stiffness = 1e7;
  material.dissipation = 500.0;
  material.relaxation_time = 1e-3;
  material.static_friction = 0.7;
  builder.add_kinematic_body("belt");
  builder.add_shape("belt", "belt", translation(0.0, 0.0, -0.05), Box{Vec3(2.0, 0.5, 0.05)});
  builder.add_free_body("box", translation(0.0, 0.0, kSide / 2.0), Inertia{});
  builder.add_solid("box", "box", {}, Box{Vec3::Constant(kSide / 2.0)}, 1.0 / (kSide * kSide * kSide));
  builder.set_material("box", material);
  return builder.build();
}

struct BeltRun {
  std::vector<Vec3> motion;  // every kSample
  Curve vn, force;           // every step
  double largest_vz = 0.0;   // after settling
};

BeltRun run(const ClaimContext& context, const NamedLaw& law, double h) {
  World world(box_on_belt(), with_exact_law(law.law, h));
  BeltRun result;
  result.vn.name = result.force.name = law.name;
  PrescribedMotion belt;
  const auto move_belt = [&] {
    // Where the belt is now; its velocity is that of the end of the step, as the velocities of all bodies
    // are.
    const double now = kRate * world.time(), then = kRate * (world.time() + h);
    belt.X_WB = translation(kAmplitude * (1.0 - std::cos(now)), 0.0, 0.0);
    belt.V[3] = kAmplitude * kRate * std::sin(then);
    belt.A[3] = kAmplitude * kRate * kRate * std::cos(then);
    world.input().prescribed = {belt};
  };
  move_belt();
  double sampled = kSample;
  run_until(context, kEnd, &world, [&](const StepReport&) {
    if (world.time() > sampled - 0.5 * h) {
      result.motion.push_back(world.body_pose("box").p);
      sampled += kSample;
    }
    const double vz = world.body_velocity("box")[5];
    double force = 0.0;
    for (const TouchedPoint& p : touched_points(world.record())) force += p.impulse.z() / h;
    result.vn.add(world.time(), vz);
    result.force.add(world.time(), force);
    constexpr double kSettled = 0.25;  // s
    if (world.time() > kSettled) result.largest_vz = std::max(result.largest_vz, std::abs(vz));
    move_belt();
  });
  return result;
}

}  // namespace

ClaimResult oscillating_belt(const ClaimContext& context) {
  const BeltRun reference = run(context, kLagged, 2e-4);
  Figure velocity{"Normal velocity of the box, h 0.01 s", "t (s)", "vz (m/s)", false, false, {}};
  Figure force{"Normal force, h 0.01 s", "t (s)", "force (N)", false, false, {}};
  Figure convergence{"Error of the box's motion", "h (s)", "e_q (m)", true, true, {}};
  std::map<std::string, double> slope, fall, vz;
  for (const NamedLaw& law : {kSap, kSimilar, kLagged}) {
    Curve curve{law.name, {}, {}};
    for (const double h : {2e-3, 1e-2, 5e-2}) {
      const BeltRun result = run(context, law, h);
      curve.add(h, motion_error(result.motion, reference.motion));
      vz[law.name] = std::max(law.law == LawKind::icf_lagged ? vz[law.name] : 0.0, result.largest_vz);
      if (h == 1e-2) {
        velocity.curves.push_back(result.vn);
        force.curves.push_back(result.force);
        vz[law.name] = result.largest_vz;
      }
    }
    slope[law.name] = log_slope(curve.x, curve.y);
    fall[law.name] = curve.y[1] / curve.y[0];
    convergence.curves.push_back(std::move(curve));
  }
  const std::string plateau = sap_plateau(
      2e-3, 1e-2, [&](double h) { return motion_error(run(context, kSap, h).motion, reference.motion); },
      &convergence);
  context.save("I1", velocity);
  context.save("I1_force", force);
  context.save("I1_convergence", convergence);
  const bool holds = vz["lagged"] < 1e-6 && vz["sap"] > 1e-3 && vz["similar"] > 1e-3 &&
                     std::abs(slope["lagged"] - 1.0) <= 0.2 && std::abs(slope["similar"] - 1.0) <= 0.2 &&
                     fall["sap"] < 1.2;
  return {
      fmt::format(
          "largest |vz| at h 0.01: lagged {:.1e}, similar {:.1e}, sap {:.1e} m/s; slopes lagged {:.2f}, "
          "similar {:.2f}; sap's error falls {:.2f}x over the two smallest h; {}",
          vz["lagged"], vz["similar"], vz["sap"], slope["lagged"], slope["similar"], fall["sap"], plateau),
      holds};
}

}  // namespace stiction::claims
