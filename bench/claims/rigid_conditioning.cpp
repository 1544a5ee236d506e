// What makes contact problems hard, and what compliance changes (C section IV-A, Figs. 13, 14): a heavy cube
// on a light one, and a quadruped on feet that give way.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bench/claims/rigid_scenes.h"

namespace stiction::claims {

ClaimResult mass_ratios(const ClaimContext& context) {
  constexpr int kIterations = 1000;
  Figure figure{"A cube on one of 1e-3 kg: error after 1000 iterations",
                "ratio of masses",
                "relative error",
                true,
                true,
                {}};
  std::string text;
  bool holds = true;
  for (const std::string& name : all_rigid_formulations()) {
    const bool is_global = name.ends_with("+admm") || name.ends_with("+admm_spectral") ||
                           name.ends_with("+staggered") || name == "convex_cone+newton";
    // Pivoting solvers are neither per contact nor global: the claim says nothing of them.
    if (!is_per_contact(name) && !is_global) continue;
    Curve curve{figure_name(name), {}, {}};
    for (const double ratio : {1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6}) {
      context.check_stop();
      constexpr double kFloor = 1e-18;  // a logarithm takes no zero
      curve.add(ratio, std::max(kFloor, stack_residual(name, ratio, kIterations)));
    }
    const double last = curve.y.back();
    text += fmt::format("{}{} {:.1e} ({:.1e} at equal masses)", text.empty() ? "" : ", ", name, last,
                        curve.y.front());
    holds &= is_global ? last < 1e-9 : last > 1e-6;
    figure.curves.push_back(std::move(curve));
  }
  context.save("C5", figure);
  // s is a difference of velocities lambda / rho, rho = light / 4, of a quarter of the heavy cube's m g h.
  return {fmt::format("ratio 1e6: {}; round-off is 4 eps of heavy/light there, {:.0e}", text,
                      4.0 * std::numeric_limits<double>::epsilon() * 1e6),
          holds};
}

namespace {

constexpr double kForce = 10.0;  // N
constexpr int kFeet = 4;

struct Standing {
  double depth = 0.0, creep = 0.0;  // m, m/s: means of the feet
  double load = 0.0;                // N s, of all feet
  double internal = 0.0;            // N s
  bool has_all_feet = true;
};

// Pushed along x; means over the last part of the time.
Standing stand(const ClaimContext& context, std::string_view formulation, double normal_compliance,
               double tangential_compliance) {
  constexpr double kSettled = 1.0, kEnd = 2.0, kPart = 0.25;  // s
  const PushedRobot& robot = pushed_robots().front();
  WorldOptions options = rigid_options(formulation, kRigidStep, 1e-9);
  options.formulation.contact.rigid.normal_compliance = normal_compliance;
  options.formulation.contact.rigid.tangential_compliance = tangential_compliance;
  World world = world_of(robot, options);
  Standing out;
  int steps = 0;
  run_until(context, kEnd, &world, [&](const StepReport&) {
    if (world.time() > kSettled) push(robot.body, Vec3(kForce, 0.0, 0.0), &world);
    if (world.time() < kEnd - kPart) return;
    ++steps;
    const std::vector<TouchedPoint> feet = touched_points(world.record());
    out.has_all_feet &= feet.size() == kFeet;
    for (const TouchedPoint& foot : feet) {
      out.depth -= foot.distance / kFeet;
      out.creep += foot.vc.x() / kFeet;
      out.load += foot.normal_impulse();
    }
    const DualAnswer answer = dual_of(world);
    if (answer.problem)
      out.internal = std::max(out.internal, internal_impulse(*answer.problem, *answer.lambda));
  });
  for (double* sum : {&out.depth, &out.creep, &out.load}) *sum /= steps;
  return out;
}

// Of m g h: a cube pulled at stiction, solved contact by contact, with the same R in all rows; in its first
// step, before it sinks and tilts.
double internal_of_compliant_cube(std::string_view formulation, double R) {
  constexpr double kPull = 2.0, kExact = 1e-13;  // N; of the free velocity
  WorldOptions options = rigid_options(formulation, kRigidStep, kExact);
  options.formulation.dual.max_iterations = 200000;
  options.formulation.contact.rigid.normal_compliance = R;
  options.formulation.contact.rigid.tangential_compliance = R;
  World world(cube_on_floor(), options);
  push("cube", Vec3(kPull, 0.0, 0.0), &world);
  world.step();
  const DualAnswer answer = dual_of(world);
  return internal_force(*answer.problem, *answer.lambda) / (kCubeMass * kGravity * kRigidStep);
}

}  // namespace

ClaimResult compliant_quadruped(const ClaimContext& context) {
  Figure gap{"Depth of the feet of a quadruped", "R (1/kg)", "mean depth (m)", true, true, {}};
  Figure creep{"Creep of a quadruped pushed by 10 N", "R (1/kg)", "mean slip (m/s)", true, true, {}};
  Figure jam{"Internal impulses of a cube at stiction", "R (1/kg)", "|P lambda| / (m g h)", true, true, {}};
  const double penetration_recovery = ContactOptions{}.rigid.penetration_recovery;
  std::string feet, cubes;
  bool holds = true;
  for (const char* name : {"coulomb_ncp+admm", "coulomb_ncp+admm_spectral"}) {
    Curve depths{figure_name(name), {}, {}}, said_depths{"predicted", {}, {}, true};
    Curve slips = depths, said_slips = said_depths;
    double depth_off = 0.0, slip_off = 0.0, internal = 0.0;
    bool stands = true;
    for (const double R : {1e-3, 1e-2, 1e-1, 1.0}) {
      // At rest a share penetration_recovery of the depth would be taken back in a step if R lambda_n did not
      // stand against it.
      const Standing normal = stand(context, name, R, 0.0);
      const double said_depth = R * normal.load / kFeet * kRigidStep / penetration_recovery;
      depths.add(R, normal.depth);
      said_depths.add(R, said_depth);
      depth_off = std::max(depth_off, std::abs(normal.depth / said_depth - 1.0));
      // What sticks slips at R lambda_t; the four of them carry F h.
      const Standing tangential = stand(context, name, 0.0, R);
      const double said_slip = R * kForce * kRigidStep / kFeet;
      slips.add(R, tangential.creep);
      said_slips.add(R, said_slip);
      slip_off = std::max(slip_off, std::abs(tangential.creep / said_slip - 1.0));
      stands &= normal.has_all_feet && tangential.has_all_feet;
      internal = std::max({internal, normal.internal, tangential.internal});
    }
    const double slope = log_slope(depths.x, depths.y);
    feet += fmt::format(
        "{}: slope of the depth {:.3f}, off R h lambda_n/penetration_recovery by {:.1e}, creep "
        "off R F h/4 by {:.1e}, internal impulses of the feet {:.1e} N s{}; ",
        name, slope, depth_off, slip_off, internal, stands ? "" : ", a foot left the ground");
    holds &= std::abs(slope - 1.0) <= 0.05 && slip_off <= 0.05 && internal < 1e-9 && stands;
    gap.curves.push_back(std::move(depths));
    creep.curves.push_back(std::move(slips));
    if (is_literal(name)) {  // the last one: what is predicted is the same for both
      gap.curves.push_back(std::move(said_depths));
      creep.curves.push_back(std::move(said_slips));
    }
  }
  for (const char* name : {"coulomb_ncp+pgs", "coulomb_ncp+pgs_plain"}) {
    Curve internals{figure_name(name), {}, {}};
    double soft = 0.0;
    for (const double R : {1e-2, 1e-1, 1.0}) {
      internals.add(R, internal_of_compliant_cube(name, R));
      soft = std::max(soft, internals.y.back());
    }
    cubes += fmt::format("{}{} {:.1e} m g h at R = 0 and at most {:.1e} from R = 1e-2",
                         cubes.empty() ? "" : ", ", name, internal_of_compliant_cube(name, 0.0), soft);
    holds &= soft < 1e-9;
    jam.curves.push_back(std::move(internals));
  }
  context.save("C6", gap);
  context.save("C6_creep", creep);
  context.save("C6_internal", jam);
  return {fmt::format(
              "{}three hinges a leg: null(J') of the feet is empty with or without R. Internal impulses of "
              "the cube of C4, contact by contact: {} (R lambda = -J v lies in the range of J)",
              feet, cubes),
          holds};
}

}  // namespace stiction::claims
