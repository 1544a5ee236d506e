// A cube pulled by a growing force (C section IV-A and IV-B, Figs. 4, 11, 12, 15): how its motion depends on
// the step, and which solvers leave internal forces between its corners.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bench/claims/rigid_scenes.h"

namespace stiction::claims {
namespace {

constexpr double kEnd = 1.0, kSample = 0.01;  // s
constexpr double kRate = 20.0;                // N/s
constexpr double kReference = 1e-5;           // s
constexpr double kEnergyReference = 1e-4;     // s

// When the force that acts during a step is taken. At its beginning it is late by half a step, which is what
// positions by the new velocity are early by; in its middle velocities are right. Either way what is left of
// the error at first order, in positions or in velocities, is the law's.
enum class ForceTime { beginning, middle };

struct Drag {
  std::vector<Vec3> motion;      // every kSample
  std::vector<double> energies;  // J, likewise
};
Drag drag(const ClaimContext& context, std::string_view formulation, double h, ForceTime when) {
  World world(cube_on_floor(), rigid_options(formulation, h, 1e-7));
  const double ground = world.energies().gravity, ahead = when == ForceTime::middle ? 0.5 * h : 0.0;
  Drag out;
  const auto pull = [&] { push("cube", Vec3(kRate * (world.time() + ahead), 0.0, 0.0), &world); };
  pull();
  run_until(context, kEnd, &world, [&](const StepReport&) {
    pull();
    if (world.time() < kSample * static_cast<double>(out.motion.size() + 1) - 0.5 * h) return;
    out.motion.push_back(world.body_pose("cube").p);
    out.energies.push_back(world.energies().kinetic + world.energies().gravity - ground);
  });
  return out;
}

// The integral over time of the distance between two motions (m s), C IV-A.
double consistency_error(const Drag& a, const Drag& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(a.motion.size(), b.motion.size()); ++i)
    sum += kSample * (a.motion[i] - b.motion[i]).norm();
  return sum;
}

double energy_error(const Drag& a, const Drag& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.energies.size(), b.energies.size()); ++i)
    largest = std::max(largest, std::abs(a.energies[i] - b.energies[i]));
  return largest;
}

}  // namespace

ClaimResult dragged_cube(const ClaimContext& context) {
  const std::vector<double> steps = {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2};
  Figure figure{"Distance from the motion at h = 1e-5 s", "h (s)", "integral over 1 s (m s)", true, true, {}};
  Figure energies{"Energy against that at h = 1e-4 s", "h (s)", "largest difference (J)", true, true, {}};
  const Drag coulomb = drag(context, "coulomb_ncp+admm", kReference, ForceTime::beginning);
  std::string text;
  double slope = 0.0, slope_to_coulomb = 0.0, ccp = 0.0, worst_other = 0.0;
  for (const char* name : {"convex_cone+admm", "coulomb_ncp+pgs", "coulomb_ncp+admm", "raisim+bisection"}) {
    const std::string_view law(name);
    const bool is_ccp = law.starts_with("convex_cone"), is_ncp = law.starts_with("coulomb_ncp");
    const Drag own = is_ncp ? coulomb : drag(context, name, kReference, ForceTime::beginning);
    const Drag own_energy = drag(context, name, kEnergyReference, ForceTime::middle);
    Curve error{figure_name(name), {}, {}}, energy = error, to_coulomb{"ccp against ncp", {}, {}};
    for (const double h : steps) {
      const Drag run = drag(context, name, h, ForceTime::beginning);
      error.add(h, consistency_error(run, own));
      if (h > 5.0 * kEnergyReference)
        energy.add(h, energy_error(drag(context, name, h, ForceTime::middle), own_energy));
      to_coulomb.add(h, consistency_error(run, coulomb));
    }
    text += fmt::format("{}{} {:.2e} m s (energy {:.1e} J)", text.empty() ? "" : ", ", name, error.y.back(),
                        energy.y.back());
    if (is_ccp) {
      slope = log_slope(error.x, error.y);
      slope_to_coulomb = log_slope(to_coulomb.x, to_coulomb.y);
      ccp = error.y.back();
      figure.curves.push_back(to_coulomb);
    } else {
      worst_other = std::max(worst_other, error.y.back());
    }
    figure.curves.push_back(std::move(error));
    energies.curves.push_back(std::move(energy));
  }
  context.save("C3", figure);
  context.save("C3_energy", energies);
  const std::string corners = corner_forces(context, "C3");
  return {
      fmt::format("at h 1e-2: {}; slope of CCP {:.2f} ({:.2f} against the NCP at h 1e-5); the others at "
                  "least {:.0f}x below it; {}",
                  text, slope, slope_to_coulomb, ccp / worst_other, corners),
      std::abs(slope - 1.0) <= 0.2 && std::abs(slope_to_coulomb - 1.0) <= 0.2 && 10.0 * worst_other <= ccp};
}

namespace {

// What the warm start of rho does to a cube at stiction. ADMM solves (W + R + rho) x = b; on null(J') W is zero, so
// that the round-off of b there, eps |W| |lambda|, is divided by rho alone.
std::string why_warm_spectral_admm_jams() {
  constexpr double kStictionEnd = 0.133;  // s
  World world(cube_on_floor(), rigid_options("coulomb_ncp+admm_spectral", kRigidStep, 1e-10));
  double first = 0.0, least = 0.0, W = 0.0;
  int step = 0, at = 0;
  push("cube", Vec3::Zero(), &world);
  while (world.time() < kStictionEnd) {
    world.step();
    ++step;
    const DualAnswer answer = dual_of(world);
    if (!answer.problem) break;
    const double rho = answer.problem->penalty;
    W = std::max(W, answer.problem->dense().diagonal().maxCoeff());
    if (first == 0.0) first = rho;
    if (rho > 0.0 && (least == 0.0 || rho < least)) {
      least = rho;
      at = step;
    }
    push("cube", kRate * world.time() * Vec3::UnitX(), &world);
  }
  return fmt::format(
      "C III-E hands on the rho that a step ends with, and at stiction its rule lowers it, from {:.1e} "
      "/kg to "
      "{:.1e} in step {}; W ({:.1e} /kg) is zero on null(J'), so that round-off there is divided by rho "
      "alone and an "
      "iteration leaves eps W/rho = {:.0e} of lambda in it, which the next step starts from",
      first, least, at, W, std::numeric_limits<double>::epsilon() * W / least);
}

}  // namespace

ClaimResult internal_forces(const ClaimContext& context) {
  constexpr double kGlobal = 1e-6;  // of m g h
  Figure figure{"Internal impulses of a cube at stiction", "t (s)", "|P lambda| / (m g h)", false, true, {}};
  std::string text, spectral;
  bool holds = true;
  for (const std::string& name : all_rigid_formulations()) {
    const bool is_spectral = name.ends_with("+admm_spectral");
    const bool is_global = name.ends_with("+admm") || is_spectral || name.ends_with("+staggered");
    // What pivots has no side in the claim.
    if (!is_per_contact(name) && !is_global) continue;
    const Stiction run = internal_at_stiction(context, name);
    text += fmt::format("{}{} {:.1e}", text.empty() ? "" : ", ", name, is_global ? run.largest : run.median);
    if (is_spectral) {
      const Stiction cold = internal_at_stiction(context, name, true);
      text += fmt::format(" ({:.1e} from zeros in every step)", cold.largest);
      // By where it passes the bound.
      const auto passed = std::find_if(run.internal.begin(), run.internal.end(),
                                       [](double internal) { return internal > kGlobal; });
      if (passed != run.internal.end())
        spectral += fmt::format("{}{} after {} steps", spectral.empty() ? "" : ", ", name,
                                passed - run.internal.begin());
    }
    holds &= is_global ? run.largest < kGlobal : run.median > 1e-3;
    Curve curve{figure_name(name), run.time, run.internal};
    constexpr double kFloor = 1e-18;  // a logarithm takes no zero
    for (double& y : curve.y) y = std::max(y, kFloor);
    figure.curves.push_back(std::move(curve));
  }
  context.save("C4", figure);
  return {fmt::format("of m g h, while equal shares of friction fit under all corners (F < mu m g/(1 + mu), "
                      "0.14 s; stiction ends at mu m g = 20 N/s x 0.196 s): {} (median of the steps for "
                      "per-contact solvers, largest for ADMM and staggered projections){}",
                      text,
                      spectral.empty() ? ""
                                       : fmt::format("; above 1e-6: {}. Why: {}", spectral,
                                                     why_warm_spectral_admm_jams())),
          holds};
}

}  // namespace stiction::claims
