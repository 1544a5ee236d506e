// Why the spatula of row S10 turns on for a moment after the grip has become firm.
//
// While the grip closes, the pitch w (rad/s) about the handle obeys I dw/dt = M - T, M the moment of the
// weight and of the normal forces, T that of friction. If all friction opposed the pitch, T would be
// T_max = sum mu n_i rho_i, rho_i the way of point i along its surface by a turn of one radian. In a loose
// phase T_max is a little less than M. Let T = T_max - M be what it is in excess under the firm grip, reached
// linearly in a time t_r. The spatula then turns on by
//
//   2/3 w t_s,   t_s = sqrt(2 I w t_r/T)                                     it stops before t_r
//   w t_r - T t_r^2/(6 I) + I w_r^2/(2 T),   w_r = w - T t_r/(2 I)           it stops later
//
// which is I w^2/(2 T) where the force rises at once (t_r = 0). That is the least that Coulomb's law allows.
// It is more because the friction of a point opposes all of its slip: the bubbles close around a round
// handle, so that a point at the height z over its middle slides around it at v z/R, v the speed of the
// bubble and R the radius of the handle. Of its friction about w rho/(v z/R) is left for the pitch as long as
// that is small. A bubble comes to rest in a few relaxation times.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/spatula.h"
#include "scenes/pressure_fields.h"

namespace stiction::claims {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kWindow = 0.2;  // s, watched from when the force is there
constexpr double kStill = 0.01;  // of the rate at the start
constexpr double kBound = 0.1;   // degrees, of the row

const double kFirm = scenes::grip_at(0.0), kLoose = scenes::grip_at(5.0);  // N

// About the axis of the pitch, through the middle of the handle, in the last step; under sap, whose numbers
// have mu.
struct PitchMoments {
  double friction = 0.0;  // N m, against the pitch
  double most = 0.0;      // N m, T_max
  double others = 0.0;    // N m, M, with the pitch
  double press = 0.0;     // N, of a bubble on the handle
};

Vec3 vec3(const double* p) { return Eigen::Map<const Vec3>(p); }

PitchMoments moments_in(const World& world, const Inertia& spatula) {
  const ContactRecord& contact = world.record().contact;
  const ContactProblem& problem = contact.problem;
  const Vec3 com = world.body_pose("spatula").R * spatula.com;  // from the middle of the handle
  PitchMoments out;
  out.others = com.cross(spatula.mass * world.model().forest.gravity).y();
  for (const Patch& patch : problem.patches) {
    const int tree = problem.bodies[patch.a].tree;
    const bool is_a = tree >= 0 && problem.trees[tree].is_free_body;  // the spatula; bubbles are on slides
    double across = 0.0;
    for (int p = patch.begin; p < patch.end; ++p) {
      const PointFrame& frame = problem.frames[p];
      // Arms are from the centre of mass of a free body.
      const Vec3 n = vec3(frame.n), way = Vec3::UnitY().cross(com + vec3(is_a ? frame.r_A : frame.r_B));
      const Vec3 force = (is_a ? -1.0 : 1.0) / problem.h * vec3(contact.solution.impulses.data() + 4 * p);
      const double normal = n.dot(force);
      out.friction -= (force - normal * n).dot(way);
      out.most += problem.parameters_at(p).x[kMu] * std::abs(normal) * (way - n.dot(way) * n).norm();
      out.others += normal * n.dot(way);
      across += force.y();
    }
    out.press += 0.5 * std::abs(across);
  }
  return out;
}

struct Closing {
  double rate = 0.0;          // degrees/s, at the start
  double slip = 0.0;          // degrees, from then on
  double until_firm = 0.0;    // s, until a bubble presses with 90 % of the firm grip
  double until_still = 0.0;   // s, until the rate is kStill of that at the start; 0: never
  double fastest = 0.0;       // m/s, of a bubble
  double share = 0.0;         // of T_max, what acts on the pitch until it is still
  double if_all_acted = 0.0;  // degrees, the slip if all of it did, by the same normal forces
  double excess = 0.0;        // N m, T at the end
  double moment = 0.0;        // kg m^2, I
  Curve pitch;                // degrees, from that at the start
};

Closing close(const ClaimContext& context, const State& start, const Grip& grip, double rise) {
  World world = gripper(grip);
  world.set_state(start);
  const Inertia spatula = world.model().forest.bodies[std::size_t(world.model().body("spatula"))].inertia;
  const double pitch = pitch_of(world), rate = world.body_velocity("spatula")[1];
  Closing out;
  out.rate = rate * kDegrees;
  const double arm = std::hypot(spatula.com.x(), spatula.com.z());
  out.moment = spatula.I_com(1, 1) + spatula.mass * arm * arm;
  double acted = 0.0, could = 0.0, if_all_acted = rate;  // N m, N m, sums of steps; rad/s
  const auto grip_now = [&] {
    // The force of the middle of the step.
    const double elapsed = world.time() + 0.5 * grip.h - start.time;
    set_grip(elapsed < rise ? kLoose + (kFirm - kLoose) * elapsed / rise : kFirm, &world);
  };
  grip_now();
  run_until(context, start.time + rise + kWindow, &world, [&](const StepReport&) {
    const double elapsed = world.time() - start.time;
    const PitchMoments now = moments_in(world, spatula);
    out.excess = now.most - now.others;
    if_all_acted = std::max(0.0, if_all_acted - grip.h * out.excess / out.moment);
    out.if_all_acted += grip.h * if_all_acted * kDegrees;
    if (out.until_firm == 0.0 && now.press >= 0.9 * kFirm) out.until_firm = elapsed;
    out.fastest = std::max(out.fastest, std::abs(world.velocity("left")));
    if (out.until_still == 0.0) {
      acted += now.friction;
      could += now.most;
      if (world.body_velocity("spatula")[1] < kStill * rate) out.until_still = elapsed;
    }
    out.slip = pitch_of(world) - pitch;
    out.pitch.add(elapsed, out.slip);
    grip_now();
  });
  out.share = could > 0.0 ? acted / could : 0.0;
  return out;
}

// Degrees; w in rad/s: the least that Coulomb's law allows, see above.
double least_slip(double w, double rise, double T, double I) {
  const double stops = std::sqrt(2.0 * I * w * rise / T);
  if (stops < rise) return 2.0 / 3.0 * w * stops * kDegrees;
  const double then = w - T * rise / (2.0 * I);
  return (w * rise - T * rise * rise / (6.0 * I) + I * then * then / (2.0 * T)) * kDegrees;
}

}  // namespace

std::string why_the_pitch_goes_on(const ClaimContext& context, const State& start, const std::string& name) {
  constexpr double kParts[] = {1.0, 2.0, 4.0, 10.0};        // of S's step
  constexpr double kRises[] = {0.0, 0.02, 0.05, 0.1, 0.2};  // s
  constexpr double kFinest = kGripStep / 10.0;
  Figure motion{"Pitch while the grip closes", "t (s)", "pitch (degrees)", false, false, {}};
  std::string by_step, by_step_and_damper;
  double at_h = 0.0, before = 0.0, finest = 0.0;
  Closing first;
  for (const double part : kParts) {
    Grip grip, damped_by_step;
    grip.h = damped_by_step.h = damped_by_step.relaxation_time = kGripStep / part;
    Closing run = close(context, start, grip, 0.0);
    before = finest;
    finest = run.slip;
    by_step += fmt::format("{}{:.3f} at h/{:g}", by_step.empty() ? "" : ", ", run.slip, part);
    if (part > 1.0)
      by_step_and_damper += fmt::format("{}{:.3f} at h/{:g}", by_step_and_damper.empty() ? "" : ", ",
                                        close(context, start, damped_by_step, 0.0).slip, part);
    run.pitch.name = fmt::format("h {:g} ms", 1e3 * grip.h);
    motion.curves.push_back(run.pitch);
    if (part == 1.0) {
      at_h = run.slip;
      first = std::move(run);
    }
  }
  Grip lagged;
  lagged.law = LawKind::icf_lagged;
  lagged.h = kFinest;
  Closing reference = close(context, start, lagged, 0.0);
  reference.pitch.name = fmt::format("lagged h {:g} ms", 1e3 * kFinest);
  reference.pitch.is_dashed = true;
  motion.curves.push_back(std::move(reference.pitch));

  Figure rises{"Slip of the pitch by the rise of the grip", "rise (s)", "slip (degrees)", false, false, {}};
  Curve measured{fmt::format("h {:g} ms", 1e3 * kFinest), {}, {}};
  Curve all{"if all friction acted", {}, {}}, least{"the same derived", {}, {}, true};
  std::string by_rise;
  Grip fine;
  fine.h = kFinest;
  for (const double rise : kRises) {
    const Closing run = close(context, start, fine, rise);
    measured.add(rise, run.slip);
    all.add(rise, run.if_all_acted);
    least.add(rise, least_slip(run.rate / kDegrees, rise, run.excess, run.moment));
    by_rise += fmt::format("{}{:g} ms {:.3f} ({:.3f}, {:.3f})", by_rise.empty() ? "" : ", ", 1e3 * rise,
                           run.slip, run.if_all_acted, least.y.back());
  }
  rises.curves = {measured, all, least};
  context.save(name + "_closing", motion);
  context.save(name + "_rise", rises);
  const std::string still = first.until_still > 0.0 ? fmt::format("{:.0f} ms", 1e3 * first.until_still)
                                                    : fmt::format("more than {:g} ms", 1e3 * kWindow);
  return fmt::format(
      "where it closes, at {:g} s, the pitch turns at {:.2f} degrees/s; a bubble presses with 90 % of {:g} N "
      "after {:.0f} ms, the pitch is still after {}. Friction could oppose it with {:.2f} N m more than what "
      "turns it: were all of it there at once, {:.3f} degrees would be left (I w^2/2T), and {:.3f} with the "
      "normal forces as they are. But the friction of a point opposes all of its slip, and the bubbles close "
      "around the round handle, at up to {:.2f} m/s: until the pitch is still {:.0f} % of it act on the "
      "pitch. From that state, with tau_d {:g} ms: {} degrees, {:.1f} % between the last two, {:.0f} % of "
      "that at h: {}; icf_lagged with the same springs and dampers, under which nothing lifts off as it "
      "slides, {:.3f} at h/10; sap with tau_d one step, as materials without one have it, {}. By the time in "
      "which the grip rises from {:g} to {:g} N, at h/10 (if all friction acted, and that derived): {}.",
      start.time, first.rate, kFirm, 1e3 * first.until_firm, still, first.excess,
      least_slip(first.rate / kDegrees, 0.0, first.excess, first.moment), first.if_all_acted, first.fastest,
      100.0 * first.share, 1e3 * kGripStep, by_step, 100.0 * std::abs(finest / before - 1.0),
      100.0 * finest / at_h,
      finest < kBound ? "what is above 0.1 is the step's" : "smaller steps miss 0.1 too", reference.slip,
      by_step_and_damper, kLoose, kFirm, by_rise);
}

}  // namespace stiction::claims
