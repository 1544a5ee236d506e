#include "stiction/geometry/shape/shape.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/geometry/shape/shape_list.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

double volume_of(const Sphere& s) { return 4.0 / 3.0 * kPi * s.radius * s.radius * s.radius; }
double volume_of(const Box& s) { return 8.0 * s.half_extents.prod(); }
double volume_of(const Cylinder& s) { return kPi * s.radius * s.radius * s.length; }
double volume_of(const Capsule& s) { return kPi * s.radius * s.radius * (s.length + 4.0 / 3.0 * s.radius); }
double volume_of(const Ellipsoid& s) { return 4.0 / 3.0 * kPi * s.radii.prod(); }
double volume_of(const HalfSpace&) { return std::numeric_limits<double>::infinity(); }
double volume_of(const SharedHull& s) { return signed_volume(surface_mesh(*s)); }
double volume_of(const SharedMesh& s) { return signed_volume(*s); }
double volume_of(const SharedHeightField& s) { return volume(*s); }
double volume_of(const Superellipsoid& s) {
  return 2.0 * s.radii.prod() * s.e1 * s.e2 * std::beta(0.5 * s.e1 + 1.0, s.e1) *
         std::beta(0.5 * s.e2, 0.5 * s.e2);
}

Inertia inertia_of(const Sphere& s, double density) { return solid_sphere(density * volume_of(s), s.radius); }
Inertia inertia_of(const Box& s, double density) { return solid_box(density * volume_of(s), s.half_extents); }
Inertia inertia_of(const Cylinder& s, double density) {
  return solid_cylinder(density * volume_of(s), s.radius, s.length);
}
Inertia inertia_of(const Capsule& s, double density) {
  return solid_capsule(density * volume_of(s), s.radius, s.length);
}
Inertia inertia_of(const Ellipsoid& s, double density) {
  return solid_ellipsoid(density * volume_of(s), s.radii);
}
Inertia inertia_of(const HalfSpace&, double) { throw_user_error("a half-space has no mass properties"); }
Inertia inertia_of(const SharedHull& s, double density) { return hull_inertia(*s, density); }
Inertia inertia_of(const SharedMesh& s, double density) {
  return mesh_inertia(*s, MeshInertia::exact, density);
}
Inertia inertia_of(const SharedHeightField&, double) {
  throw_user_error("a height field has no mass properties");
}

// The second moments of a superellipsoid (A. Jaklic, F. Solina, "Moments of superellipsoids and their
// application to range image registration", IEEE TSMC-B 33(4), 2003).
Inertia inertia_of(const Superellipsoid& s, double density) {
  const double scale = density * s.radii.prod() * s.e1 * s.e2;
  const double across = 0.5 * std::beta(1.5 * s.e2, 0.5 * s.e2) * std::beta(0.5 * s.e1, 2.0 * s.e1 + 1.0);
  const double along = 2.0 * std::beta(0.5 * s.e2, 0.5 * s.e2 + 1.0) * std::beta(1.5 * s.e1, s.e1 + 1.0);
  const Vec3 second = scale * s.radii.cwiseAbs2().cwiseProduct(Vec3(across, across, along));
  Inertia inertia;
  inertia.mass = density * volume_of(s);
  inertia.I_com = (Vec3::Constant(second.sum()) - second).asDiagonal();
  return inertia;
}

using NamedSize = std::pair<const char*, double>;

std::string defect_of_sizes(std::initializer_list<NamedSize> sizes) {
  for (const NamedSize& size : sizes) {
    if (!(std::isfinite(size.second) && size.second > 0.0))
      return format("has {} {} m, which must be positive and finite", size.first, size.second);
  }
  return {};
}

std::string defect_of_sizes(const char* what, const Vec3& sizes) {
  return defect_of_sizes({{what, sizes.x()}, {what, sizes.y()}, {what, sizes.z()}});
}

std::string defect_of(const Sphere& s) { return defect_of_sizes({{"radius", s.radius}}); }
std::string defect_of(const Box& s) { return defect_of_sizes("half extent", s.half_extents); }
std::string defect_of(const Cylinder& s) {
  return defect_of_sizes({{"radius", s.radius}, {"length", s.length}});
}
std::string defect_of(const Capsule& s) {
  return defect_of_sizes({{"radius", s.radius}, {"length", s.length}});
}
std::string defect_of(const Ellipsoid& s) { return defect_of_sizes("radius", s.radii); }
std::string defect_of(const HalfSpace&) { return {}; }
std::string defect_of(const SharedHull& s) { return s ? mesh_defect(surface_mesh(*s)) : "is missing"; }
std::string defect_of(const SharedMesh& s) { return s ? mesh_defect(*s) : "is missing"; }
std::string defect_of(const SharedHeightField& s) { return s ? height_field_defect(*s) : "is missing"; }

std::string defect_of(const Superellipsoid& s) {
  for (const double e : {s.e1, s.e2}) {
    if (!(e >= kMinExponent && e <= 1.0))
      return format("has exponent {}, which must lie between {} and 1", e, kMinExponent);
  }
  return defect_of_sizes("radius", s.radii);
}

}  // namespace

const char* name_of(const Shape& shape) { return row_of(shape).word; }

double volume(const Shape& shape) {
  return std::visit([](const auto& s) { return volume_of(s); }, shape);
}

Inertia solid_inertia(const Shape& shape, double density) {
  return std::visit([density](const auto& s) { return inertia_of(s, density); }, shape);
}

std::string shape_defect(const Shape& shape) {
  return std::visit([](const auto& s) { return defect_of(s); }, shape);
}

}  // namespace stiction
