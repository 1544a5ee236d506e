// A gripper with soft bubbles that lets a spatula slip and holds it again (S section VI-D, Figs. 16 and 17).
//
// S gives neither shapes nor masses nor moduli; those of scenes/pressure_fields.h are the public ones of the
// same gripper and spatula. Their moments of inertia of the spatula, 0.04 to 0.21 kg m^2 for 68 g, are
// hundreds of times those of such a body; with them it slips by one to some degrees in every loose phase.
// With its own, those of a rod, it turns down by some 80 degrees in the first loose phase alone, until it
// hangs almost straight below the grip, and by about a degree in each of the later ones. Both are run.
//
// S regularises every contact by R_t = sigma w, so that its 160 contacts together are 160 times as stiff
// against slip as one. Ours share one R_t = sigma w (constraint/contact_rows.h): sigma is that of S over 160.

#include "bench/claims/spatula.h"

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

constexpr double kPeriod = 6.0;        // s
constexpr int kPeriods = 3;            // in the first firm phase the open gripper closes: it is not counted
constexpr double kStopping = 0.1;      // s, in which a firm grip has stopped what slipped
constexpr double kSample = 0.05;       // s, of the figure
constexpr double kContacts = 160.0;    // of S when it sticks
constexpr double kPublicMoment = 0.1;  // kg m^2, about the two axes across the spatula

struct GripRun {
  double largest_firm = 0.0;  // degrees, change of the pitch in a firm phase
  State start;                // when that phase begins
  double rate = 0.0;          // degrees/s, of the pitch then
  double after_stop = 0.0;    // degrees, largest change in a firm phase after its first 0.1 s
  double closing = 0.0;       // degrees, change while the gripper closes and holds for the first time
  std::vector<double> loose;  // degrees, changes in the loose phases

  double iterations = 0.0, e_m = 0.0;            // mean of all steps, largest
  double firm_points = 0.0, loose_points = 0.0;  // means; those that push
  double points = 0.0;                           // mean of all steps, with those that may push
  Curve pitch;

  double least_loose() const { return loose.empty() ? 0.0 : *std::min_element(loose.begin(), loose.end()); }
};

// conic: gets the problem of every 25th step; may be null.
GripRun run(const ClaimContext& context, const Grip& grip, ConicSeries* conic) {
  World world = gripper(grip);
  GripRun out;
  out.pitch.name = grip.has_public_moments ? "public moments of inertia" : "those of a rod";
  const auto grip_now = [&] {
    const double force = scenes::grip_at(world.time());
    set_grip(force, &world);
    return force;
  };
  const auto rate = [&] { return world.body_velocity("spatula")[1] * 180.0 / std::numbers::pi; };
  // Of the present phase: its force, and what it began with.
  double force = grip_now(), began = 0.0, before = pitch_of(world), stopped = before, rate_before = 0.0;
  State start = world.state();
  const auto sample = static_cast<int>(std::lround(kSample / grip.h));
  int step = 0, firm_steps = 0, loose_steps = 0;
  bool is_open = true;
  run_until(context, kPeriods * kPeriod, &world, [&](const StepReport& report) {
    const StepRecord& record = world.record();
    out.iterations += report.contact.iterations;
    out.e_m = std::max(out.e_m, report.contact.residual);
    out.points += static_cast<double>(record.collision.pressure_points.size());
    const bool is_firm = force > 2.0;
    (is_firm ? out.firm_points : out.loose_points) += static_cast<double>(touched_points(record).size());
    ++(is_firm ? firm_steps : loose_steps);
    if (conic != nullptr && step % 25 == 0 && !record.contact.problem.islands.empty()) conic->add(record);
    if (step++ % sample == 0) out.pitch.add(world.time(), pitch_of(world));
    if (world.time() < began + kStopping) stopped = pitch_of(world);
    const double next = grip_now();
    if (next == force) return;
    const double now = pitch_of(world), change = std::abs(now - before);
    const bool closes = std::exchange(is_open, false);
    if (closes) {
      out.closing = change;
    } else if (is_firm) {
      out.after_stop = std::max(out.after_stop, std::abs(now - stopped));
      if (change > out.largest_firm) {
        out.largest_firm = change;
        out.rate = rate_before;
        out.start = start;
      }
    } else {
      out.loose.push_back(change);
    }
    force = next;
    began = world.time();
    before = stopped = now;
    rate_before = rate();
    start = world.state();
  });
  out.iterations /= step;
  out.points /= step;
  out.firm_points /= std::max(1, firm_steps);
  out.loose_points /= std::max(1, loose_steps);
  return out;
}

std::string list_of(const std::vector<double>& degrees) {
  std::string text;
  for (const double change : degrees) text += fmt::format("{}{:.2f}", text.empty() ? "" : ", ", change);
  return text;
}

// The same experiment at smaller steps.
std::string at_smaller_steps(const ClaimContext& context) {
  std::string text;
  for (const double part : {2.0, 4.0, 10.0}) {
    Grip grip;
    grip.h = kGripStep / part;
    const GripRun finer = run(context, grip, nullptr);
    text += fmt::format("{}{:.3f} at h/{:g} ({:.3f} after 0.1 s; loose {}; it closes at {:.2f} degrees/s)",
                        text.empty() ? "" : ", ", finer.largest_firm, part, finer.after_stop,
                        list_of(finer.loose), finer.rate);
  }
  return text;
}

}  // namespace

World gripper(const Grip& grip) {
  WorldOptions options = with_law(grip.law, grip.h);
  options.formulation.contact.sigma /= kContacts;
  options.formulation.contact.dissipation = Dissipation::kelvin_voigt;  // of laws that have a choice
  World world(scenes::bubble_gripper(), options);
  for (const char* bubble : {"left_bubble", "right_bubble"})
    world.set_pair_relaxation_time(bubble, "handle", grip.relaxation_time);
  if (grip.has_public_moments) {
    Inertia inertia = world.model().forest.bodies[std::size_t(world.model().body("spatula"))].inertia;
    inertia.I_com = Vec3(0.04, kPublicMoment, kPublicMoment).asDiagonal();
    world.set_inertia("spatula", inertia);
  }
  return world;
}

void set_grip(double force, World* world) {
  world->set_control("left", force);
  world->set_control("right", -force);
}

double pitch_of(const World& world) {
  const Mat3 R = world.body_pose("spatula").R;
  return std::atan2(-R(2, 0), R(0, 0)) * 180.0 / std::numbers::pi;
}

ClaimResult spatula_in_bubbles(const ClaimContext& context) {
  const std::string why_not = why_no_conic_solver();
  NewtonOptions newton;
  newton.relative_tolerance = 1e-3;  // of the paper
  ConicSeries conic(newton);
  Grip rod;
  rod.has_public_moments = false;
  const GripRun slow = run(context, {}, why_not.empty() ? &conic : nullptr), own = run(context, rod, nullptr);
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
      slow.largest_firm < 0.1 && slow.least_loose() > 1.0 && slow.iterations < 2.0 && slow.e_m < 1e-3;
  const std::string why = why_the_pitch_goes_on(context, slow.start, "S10");
  return {
      fmt::format(
          "pitch by {} degrees in the loose phases, by {:.3f} at most in a firm one ({:.3f} after its first "
          "0.1 s; {:.3f} while the open gripper closes at first); {:.0f} points push in loose phases and "
          "{:.0f} in firm ones (S: 60 and 160 contacts) of {:.0f} that patches have; {:.2f} iterations a "
          "step, e_m at most {:.1e}; {}. With the moments of a rod of 0.3 m {} degrees in the loose phases, "
          "the first of which it ends hanging almost straight below the grip, {:.3f} at most in a firm one, "
          "{:.2f} iterations. Why {:.3f}: {} In the whole experiment, tau_d {:g} ms: {}",
          list_of(slow.loose), slow.largest_firm, slow.after_stop, slow.closing, slow.loose_points,
          slow.firm_points, slow.points, slow.iterations, slow.e_m, speed, list_of(own.loose),
          own.largest_firm, own.iterations, slow.largest_firm, why, 1e3 * kGripStep,
          at_smaller_steps(context)),
      holds};
}

}  // namespace stiction::claims
