// A gripper with soft bubbles that lets a spatula slip and holds it again (S section VI-D, Figs. 16 and 17).
//
// S gives neither shapes nor masses nor moduli; those of scenes/pressure_fields.h are the public ones of the same gripper
// and spatula. Their moments of inertia of the spatula, 0.04 to 0.21 kg m^2 for 68 g, are hundreds of times those of such a
// body; with them it slips by degrees in a loose phase, with its own it swings down like a pendulum. Both are run.
//
// S regularises every contact by R_t = sigma w, so that its 160 contacts together are 160 times as stiff against slip as
// one. Ours share one R_t = sigma w (constraint/contact_rows.h): sigma is that of S over 160.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "bench/claims/conic.h"
#include "scenes/pressure_fields.h"
#include "stiction/simulation/formulation.h"

namespace stiction::claims {
namespace {

constexpr double kStep = 5e-3, kPeriod = 6.0;  // s
constexpr int kPeriods = 3;            // in the first firm phase the open gripper closes: it is not counted
constexpr double kStopping = 0.1;      // s, in which a firm grip has stopped what slipped
constexpr double kContacts = 160.0;    // of S when it sticks
constexpr double kPublicMoment = 0.1;  // kg m^2, about the two axes across the spatula

struct GripRun {
  double largest_firm = 0.0, least_loose = 1e300;  // degrees, changes of the pitch in a phase
  double after_stop = 0.0;                         // largest in a firm phase after its first 0.1 s
  double closing = 0.0;                // the same while the gripper closes and holds for the first time
  double iterations = 0.0, e_m = 0.0;  // mean of all steps, largest
  double firm_points = 0.0, loose_points = 0.0;  // means; those that push
  double points = 0.0;                           // mean of all steps, with those that may push
  Curve pitch;
};

// conic: gets the problem of every 25th step; may be null.
GripRun run(const ClaimContext& context, bool has_public_moments, ConicSeries* conic) {
  WorldOptions options = with_law(LawKind::sap, kStep);
  options.formulation.contact.sigma /= kContacts;
  World world(scenes::bubble_gripper(), options);
  if (has_public_moments) {
    Inertia inertia = world.model().forest.bodies[std::size_t(world.model().body("spatula"))].inertia;
    inertia.I_com = Vec3(0.04, kPublicMoment, kPublicMoment).asDiagonal();
    world.set_inertia("spatula", inertia);
  }
  const auto pitch = [&] {
    const Mat3 R = world.body_pose("spatula").R;
    return std::atan2(-R(2, 0), R(0, 0)) * 180.0 / std::numbers::pi;
  };
  GripRun out;
  out.pitch.name = has_public_moments ? "public moments of inertia" : "those of a rod";
  const auto grip = [&] {
    const double f = scenes::grip_at(world.time());
    world.set_control("left", f);
    world.set_control("right", -f);
    return f;
  };
  double before = pitch(), force = grip(), begin = 0.0, stopped = before;
  int step = 0, firm_steps = 0, loose_steps = 0;
  bool is_open = true;
  run_until(context, kPeriods * kPeriod - 0.5 * kStep, &world, [&](const StepReport& report) {
    const StepRecord& record = world.record();
    out.iterations += report.contact.iterations;
    out.e_m = std::max(out.e_m, report.contact.residual);
    out.points += static_cast<double>(record.collision.pressure_points.size());
    const bool is_firm = force > 2.0;
    (is_firm ? out.firm_points : out.loose_points) += static_cast<double>(touched_points(record).size());
    ++(is_firm ? firm_steps : loose_steps);
    if (conic != nullptr && step % 25 == 0 && !record.contact.problem.islands.empty()) conic->add(record);
    if (step++ % 10 == 0) out.pitch.add(world.time(), pitch());
    if (world.time() < begin + kStopping) stopped = pitch();
    const double next = grip();
    if (next == force && world.time() < kPeriods * kPeriod - kStep) return;
    const double now = pitch(), change = std::abs(now - before);
    const bool closes = std::exchange(is_open, false);
    if (closes)
      out.closing = change;
    else if (is_firm)
      out.largest_firm = std::max(out.largest_firm, change);
    else
      out.least_loose = std::min(out.least_loose, change);
    if (is_firm && !closes) out.after_stop = std::max(out.after_stop, std::abs(now - stopped));
    before = stopped = now;
    begin = world.time();
    force = next;
  });
  out.iterations /= step;
  out.points /= step;
  out.firm_points /= std::max(1, firm_steps);
  out.loose_points /= std::max(1, loose_steps);
  return out;
}

}  // namespace

ClaimResult spatula_in_bubbles(const ClaimContext& context) {
  const std::string why_not = why_no_conic_solver();
  NewtonOptions newton;
  newton.relative_tolerance = 1e-3;  // of the paper
  ConicSeries conic(newton);
  const GripRun slow = run(context, true, why_not.empty() ? &conic : nullptr),
                own = run(context, false, nullptr);
  std::string speed = "Clarabel: " + why_not;
  if (why_not.empty() && conic.solve()) {
    const ConicSums& sums = conic.sums();
    speed = fmt::format("warm {:.0f}x and cold {:.0f}x as fast as Clarabel at our e_m (S: 92x as Gurobi)",
                        sums.their_warm / sums.warm, sums.their_cold / sums.cold);
  }
  context.save(
      "S10",
      Figure{"Pitch of the spatula", "t (s)", "pitch (degrees)", false, false, {slow.pitch, own.pitch}});
  const bool holds =
      slow.largest_firm < 0.1 && slow.least_loose > 1.0 && slow.iterations < 2.0 && slow.e_m < 1e-3;
  return {
      fmt::format(
          "at most {:.3f} degrees in a firm phase ({:.3f} after its first 0.1 s), at least {:.2f} in a loose "
          "one ({:.3f} while the open "
          "gripper closes at first); {:.0f} points push in loose phases and {:.0f} in firm ones (S: 60 and "
          "160 contacts) of {:.0f} that patches have; "
          "{:.2f} iterations a "
          "step, e_m at most {:.1e}; {}. With the moments of a rod of 0.3 m: {:.3f} and {:.2f} "
          "degrees, {:.2f} "
          "iterations",
          slow.largest_firm, slow.after_stop, slow.least_loose, slow.closing, slow.loose_points,
          slow.firm_points, slow.points, slow.iterations, slow.e_m, speed, own.largest_firm, own.least_loose,
          own.iterations),
      holds};
}

}  // namespace stiction::claims
