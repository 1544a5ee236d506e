// Errors of explicit geometry (G section 8: "a baseline for understanding and quantifying the errors incurred when
// using a geometrically explicit method"): contact points and normals of the start of the step against those of its
// end, over the step size. Both sides solve Coulomb's law between rigid bodies, to round-off, and take the motion
// without contact from semi_implicit_euler, so that the geometry is the only difference:
//
//   explicit   coulomb_ncp+semismooth_newton
//   implicit   geometric_ncp
//
// Errors: of the gap, the largest distance between surfaces in contact at the end of a step (zero is right), and of
// the place, the largest distance of the body's centre from two runs with geometric_ncp at much smaller steps,
// extrapolated at their first order.
//
// What to expect: a point that moves by h v along surfaces of relative curvature kappa leaves the tangent plane by
// kappa (h v)^2/2, which the explicit constraint does not see. The next step takes it back, so that the gap stays of
// that size, and falls with h^2; the implicit gap is zero at any h. The places are of first order, as implicit Euler is,
// unless errors cancel.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/geometric.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::claims {
namespace {

constexpr double kSteps[] = {0.02, 0.01, 0.005, 0.0025};  // s
constexpr double kReference = 0.0025 / 16.0;              // s
constexpr const char *kExplicit = "coulomb_ncp+semismooth_newton", *kImplicit = "geometric_ncp";

// An ellipsoid that rolls end over end without slipping, fast enough to pass over its long axis.
Model rolling_ellipsoid() {
  constexpr double kSpin = 9.0;      // rad/s
  const Vec3 radii(0.15, 0.1, 0.1);  // m
  ModelBuilder builder("rolling_ellipsoid");
  ContactMaterial rough;
  rough.static_friction = 1.0;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", rough);
  builder.add_free_body("body", translation(0.0, 0.0, radii.z()), solid_ellipsoid(1.0, radii));
  builder.add_shape("body", "body", {}, Ellipsoid{radii});
  builder.set_material("body", rough);
  builder.set_initial_velocity("body", {0.0, kSpin, 0.0, kSpin * radii.z(), 0.0, 0.0});
  return builder.build();
}

struct Scene {
  const char* name;
  Model (*make)();
  const char* body;  // touches every shape of the world throughout
  double end;        // s
};
const Scene kScenes[] = {{"sphere on spheres", scenes::sphere_on_two_spheres, "sphere", 2.0},
                         {"rolling ellipsoid", rolling_ellipsoid, "body", 0.8}};

struct Motion {
  std::vector<Vec3> places;  // every kSteps[0]
  double gap = 0.0;          // m
};

double largest_gap(const World& world, const char* body) {
  const Model& model = world.model();
  const int moving = model.body(body);
  double largest = 0.0;
  for (const PlacedShape& a : model.shapes) {
    if (a.body != moving) continue;
    const CollisionShape A = collision_shape(a.shape);
    for (const PlacedShape& b : model.shapes) {
      if (b.body == moving) continue;
      const double gap =
          signed_distance(A, world.body_pose(body) * a.X_BS, collision_shape(b.shape), b.X_BS).distance;
      largest = std::max(largest, std::abs(gap));
    }
  }
  return largest;
}

Motion run(const ClaimContext& context, const Scene& scene, const char* formulation, double h) {
  WorldOptions options;
  options.h = h;
  set_formulation(formulation, &options.formulation.contact);
  options.formulation.dual.tolerance = 1e-13;
  World world(scene.make(), options);
  Motion motion;
  double next = kSteps[0];
  run_until(context, scene.end, &world, [&](const StepReport&) {
    motion.gap = std::max(motion.gap, largest_gap(world, scene.body));
    if (world.time() < next - 0.5 * h) return;
    next += kSteps[0];
    motion.places.push_back(world.body_pose(scene.body).p);
  });
  return motion;
}

}  // namespace

std::string explicit_geometry(const ClaimContext& context) {
  Figure gaps{"Largest gap of what touches, at the end of a step", "h (s)", "m", true, true, {}};
  Figure places{"Error of place, largest over the motion", "h (s)", "m", true, true, {}};
  std::string text;
  for (const Scene& scene : kScenes) {
    Motion exact = run(context, scene, kImplicit, kReference);
    const Motion twice = run(context, scene, kImplicit, 2.0 * kReference);
    for (std::size_t i = 0; i < exact.places.size(); ++i)
      exact.places[i] += exact.places[i] - twice.places[i];
    std::string numbers[2];
    double slope_of_gap = 0.0;
    for (const bool is_explicit : {true, false}) {
      const std::string name = fmt::format("{}, {}", scene.name, is_explicit ? "explicit" : "implicit");
      Curve gap{name, {}, {}, !is_explicit}, place{name, {}, {}, !is_explicit};
      for (const double h : kSteps) {
        const Motion motion = run(context, scene, is_explicit ? kExplicit : kImplicit, h);
        double error = 0.0;
        for (std::size_t i = 0; i < std::min(motion.places.size(), exact.places.size()); ++i)
          error = std::max(error, (motion.places[i] - exact.places[i]).norm());
        gap.add(h, motion.gap);
        place.add(h, error);
      }
      if (is_explicit) slope_of_gap = log_slope(gap.x, gap.y);
      numbers[is_explicit ? 0 : 1] =
          fmt::format("gap {:.1e} .. {:.1e} m, place {:.1e} .. {:.1e} m", gap.y.front(), gap.y.back(),
                      place.y.front(), place.y.back());
      gaps.curves.push_back(gap);
      places.curves.push_back(place);
    }
    text += fmt::format("{}{}: explicit {} (gap falls with h^{:.2f}), implicit {}", text.empty() ? "" : "; ",
                        scene.name, numbers[0], slope_of_gap, numbers[1]);
  }
  context.save("G2_explicit_gap", gaps);
  context.save("G2_explicit_place", places);
  return fmt::format("Errors of explicit geometry (G 8), h {} .. {} s: {}", kSteps[0],
                     kSteps[std::size(kSteps) - 1], text);
}

}  // namespace stiction::claims
