// A cube that slides on its four corners until friction stops it (C section IV-A, Figs. 9, 10): which way a
// friction pyramid bends its path, and what energy the relaxations of Coulomb's law lose or keep.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "bench/claims/rigid_scenes.h"
#include "stiction/math/rotation.h"

namespace stiction::claims {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kAngle = 20.0 / kDegrees;  // from the first axis of the pyramid
constexpr double kEnd = 0.5;                // s; it stops at v0 / (mu g) = 0.255 s
constexpr double kExact = 1e-10;            // of the free velocity

struct Slide {
  Curve path, height, energy;
  double along = 0.0, across = 0.0;        // m, where it stops, in the axes of the pyramid
  double distance = 0.0, deviation = 0.0;  // m, from the start; the most beside the straight line
  double lift = 0.0;                       // m, the most
  double lost_contact = 0.0;               // share of the steps before it stops in which nothing pushes
  double energy_error = 0.0;               // the most, of the energy at the start
  double turned = 0.0;                     // degrees, asin(mu |D_tn|/D_nn), the most of a corner
};

// inertia: of the cube, times that of a solid one.
Slide slide(const ClaimContext& context, const std::string& formulation, const Pyramid& pyramid,
            const std::string& name, double inertia = 1.0) {
  WorldOptions options = rigid_options(formulation, kRigidStep, kExact);
  options.formulation.dual.pyramid = pyramid;
  World world(cube_on_floor(inertia), options);
  const Mat3 axes = frame_with_z(Vec3::UnitZ());  // those of the dual problem's tangents
  const Vec3 ahead = std::cos(kAngle) * axes.col(0) + std::sin(kAngle) * axes.col(1);
  const Vec3 left = Vec3::UnitZ().cross(ahead);
  const Vec3 start = world.body_pose("cube").p;
  world.set_body_velocity("cube", stack<double>(Vec3::Zero(), kSpeed * ahead));
  const double energy = world.energies().kinetic, ground = world.energies().gravity;

  Slide out;
  out.path.name = out.height.name = out.energy.name = name;
  int steps = 0, without = 0;
  run_until(context, kEnd, &world, [&](const StepReport&) {
    const Vec3 way = world.body_pose("cube").p - start;
    const double now = world.energies().kinetic + world.energies().gravity - ground;
    const double speed = std::max(0.0, kSpeed - kBraking * world.time());
    out.path.add(way.dot(axes.col(0)), way.dot(axes.col(1)));
    out.height.add(world.time(), way.z());
    out.energy.add(world.time(), now);
    out.deviation = std::max(out.deviation, std::abs(way.dot(left)));
    out.lift = std::max(out.lift, way.z());
    out.energy_error = std::max(out.energy_error, std::abs(now - 0.5 * kCubeMass * speed * speed) / energy);
    if (world.time() < kSpeed / kBraking) {
      ++steps;
      without += touched_points(world.record()).empty();
    }
    const DualAnswer answer = dual_of(world);
    for (int b = 0; answer.problem && b < answer.problem->num_blocks(); ++b) {
      const double* D = answer.problem->diagonal_block(b);  // 3 x 3: (t1, t2, n)
      const double across = std::hypot(D[2], D[5]) * kCubeFriction / D[8];
      out.turned = std::max(out.turned, std::asin(std::min(1.0, across)) * kDegrees);
    }
  });
  const Vec3 way = world.body_pose("cube").p - start;
  out.along = way.dot(axes.col(0));
  out.across = way.dot(axes.col(1));
  out.distance = way.dot(ahead);
  out.lost_contact = static_cast<double>(without) / steps;
  return out;
}

// Friction lies at the vertex of the square nearest to the slip, (1, 1), until the slower of the two
// components stops; from then on it lies on the edge and the path follows the first axis. Each component is
// slowed by a = apothem mu g on its own, so that it ends at v_i^2 / (2 a).
struct PyramidPath {
  double along, across;  // m
};
PyramidPath predicted(const Pyramid& pyramid) {
  const double a = pyramid.apothem() * kBraking;
  return {std::pow(kSpeed * std::cos(kAngle), 2) / (2.0 * a),
          std::pow(kSpeed * std::sin(kAngle), 2) / (2.0 * a)};
}

}  // namespace

ClaimResult sliding_path(const ClaimContext& context) {
  Figure figure{
      "Path of a sliding cube", "along the first axis (m)", "along the second (m)", false, false, {}};
  const double said = kSpeed * kSpeed / (2.0 * kBraking);
  std::string text, others;
  bool holds = true;
  std::vector<Curve> literal_paths;
  for (const char* name :
       {"coulomb_ncp+pgs", "coulomb_ncp+pgs_plain", "coulomb_ncp+admm", "coulomb_ncp+admm_spectral",
        "coulomb_ncp+staggered", "convex_cone+admm", "convex_cone+admm_spectral", "raisim+bisection"}) {
    Slide run = slide(context, name, {}, figure_name(name));
    text += fmt::format("{}{} deviates {:.1e} m, stops at {:.4f} m ({:+.1f} %)", text.empty() ? "" : "; ",
                        name, run.deviation, run.distance, 100.0 * (run.distance / said - 1.0));
    holds &= run.deviation < 1e-6 && std::abs(run.distance / said - 1.0) <= 0.01;
    run.path.is_dashed = is_literal(name);
    (is_literal(name) ? literal_paths : figure.curves).push_back(std::move(run.path));
  }
  for (const bool is_inscribed : {false, true}) {
    Pyramid pyramid;
    pyramid.is_inscribed = is_inscribed;
    const char* label = is_inscribed ? "lcp inscribed" : "lcp circumscribed";
    const PyramidPath to = predicted(pyramid);
    const double direction = std::atan2(to.across, to.along) * kDegrees;
    // The solvers agree; the last one is drawn.
    double worst_direction = 0.0, worst_way = 0.0;
    Slide run;
    for (const char* name : {"pyramid_lcp+pgs_plain", "pyramid_lcp+pgs", "pyramid_lcp+staggered",
                             "pyramid_lcp+dantzig", "pyramid_lcp+lemke"}) {
      run = slide(context, name, pyramid, label);
      const double measured = std::atan2(run.across, run.along) * kDegrees;
      worst_direction = std::max(worst_direction, std::abs(measured / direction - 1.0));
      worst_way = std::max(worst_way, std::abs(run.along / to.along - 1.0));
    }
    others += fmt::format(
        "{}{} {:.4f} m along and {:.4f} m across ({:.4f} and {:.4f} predicted; five solvers, pgs_plain "
        "among them, direction off by {:.1f} % at most, way by {:.1f} %)",
        is_inscribed ? ", " : "", is_inscribed ? "inscribed" : "circumscribed", run.along, run.across,
        to.along, to.across, 100.0 * worst_direction, 100.0 * worst_way);
    holds &= worst_direction <= 0.05 && worst_way <= 0.05;
    figure.curves.push_back(run.path);
  }
  for (Curve& path : literal_paths) figure.curves.push_back(std::move(path));
  context.save("C1", figure);
  // D_tn falls with the inertia; mu |D_tn|/D_nn is the sine of the largest angle between -s_t and friction.
  constexpr double kStiff = 1e9;
  const Slide raisim = slide(context, "raisim+bisection", {}, "raisim"),
              straight = slide(context, "raisim+bisection", {}, "raisim", kStiff);
  return {
      fmt::format(
          "straight on is {:.4f} m; {}. Why RaiSim is beside it: its slip is along -(lambda_t/|lambda_t| + "
          "mu "
          "D_tn/D_nn) (C eq. 24), so that friction is opposed to the slip only where D_tn = 0; at the "
          "corners "
          "of the cube it is turned by up to asin(mu |D_tn|/D_nn) = {:.1f} degrees, another way at each, and "
          "how the four share the load, which nothing determines, turns the cube. A cube of {:.0e} times the "
          "inertia, whose D_tn is as good as zero ({:.0e} degrees), deviates {:.1e} m. Pyramids stop each "
          "component on its own, in the direction tan^2(20 degrees), {:.2f} degrees: {}",
          said, text, raisim.turned, kStiff, straight.turned, straight.deviation,
          std::atan(std::pow(std::tan(kAngle), 2)) * kDegrees, others),
      holds};
}

ClaimResult sliding_energy(const ClaimContext& context) {
  Figure energy{"Energy of a sliding cube", "t (s)", "energy (J)", false, false, {}};
  Figure height{"Height of a sliding cube", "t (s)", "lift (m)", false, false, {}};
  // A cone of forces may push at mu |slip|: in its first step the cube takes off at mu v.
  const double v = kSpeed / (1.0 + kCubeFriction * kCubeFriction), jump = kCubeFriction * v;
  const double said = jump * jump / (2.0 * kGravity);
  // Every run of a law counts: the least error of CCP against the largest of the others.
  double ncp = 0.0, raisim = 0.0, ccp = std::numeric_limits<double>::infinity();
  bool lifts_off = true;
  std::string errors, lifts;
  for (const char* name : {"coulomb_ncp+pgs", "coulomb_ncp+pgs_plain", "raisim+bisection", "convex_cone+admm",
                           "convex_cone+admm_spectral"}) {
    Slide run = slide(context, name, {}, figure_name(name));
    const std::string_view law(name);
    errors += fmt::format("{}{} {:.2e}", errors.empty() ? "" : ", ", name, run.energy_error);
    lifts += fmt::format("{}{} {:.1e} m", lifts.empty() ? "" : ", ", name, run.lift);
    if (law.starts_with("convex_cone")) {
      lifts += fmt::format(" (in the air in {:.0f} % of the steps)", 100.0 * run.lost_contact);
      lifts_off &= run.lift > 0.5 * said;
      ccp = std::min(ccp, run.energy_error);
    } else {
      double& largest = law.starts_with("coulomb_ncp") ? ncp : raisim;
      largest = std::max(largest, run.energy_error);
    }
    run.energy.is_dashed = run.height.is_dashed = is_literal(name);
    energy.curves.push_back(std::move(run.energy));
    height.curves.push_back(std::move(run.height));
  }
  Curve exact{"exact", {}, {}, true};
  for (const double t : energy.curves.front().x)
    exact.add(t, 0.5 * kCubeMass * std::pow(std::max(0.0, kSpeed - kBraking * t), 2));
  energy.curves.push_back(std::move(exact));
  context.save("C2", energy);
  context.save("C2_height", height);
  return {fmt::format("largest error, of the energy at the start: {}; lift: {}, predicted for CCP {:.1e} m "
                      "(the first step leaves mu v, v = v0/(1 + mu^2))",
                      errors, lifts, said),
          ncp <= 0.01 && ccp > raisim && raisim > ncp && lifts_off};
}

}  // namespace stiction::claims
