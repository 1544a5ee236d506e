#include "stiction/math/spatial.h"

#include <cmath>

#include "stiction/math/eigenvalues.h"

namespace stiction {

Inertia Inertia::in_frame(const Pose& X_AB) const {
  return {mass, X_AB * com, X_AB.R * I_com * X_AB.R.transpose()};
}

// The inertia of a point mass m at r about the origin.
static Mat3 point_inertia(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

Inertia Inertia::operator+(const Inertia& other) const {
  const double total = mass + other.mass;
  if (total == 0.0) return {0.0, com, I_com + other.I_com};
  const Vec3 c = (mass * com + other.mass * other.com) / total;
  const Mat3 I =
      I_com + point_inertia(mass, com - c) + other.I_com + point_inertia(other.mass, other.com - c);
  return {total, c, I};
}

Mat6 Inertia::about_origin() const {
  Mat6 I;
  const Mat3 h = skew<double>(mass * com);
  I << I_com + point_inertia(mass, com), h, -h, mass * Mat3::Identity();
  return I;
}

std::string inertia_defect(const Inertia& inertia) {
  constexpr double kRoundedInput = 1e-6;  // relative to the largest moment
  if (!std::isfinite(inertia.mass) || !inertia.com.allFinite() || !inertia.I_com.allFinite())
    return "is not finite";
  if (inertia.mass < 0.0) return "has negative mass " + std::to_string(inertia.mass) + " kg";
  const Mat3& I = inertia.I_com;
  const double scale = I.cwiseAbs().maxCoeff();
  if ((I - I.transpose()).cwiseAbs().maxCoeff() > kRoundedInput * scale)
    return "has an inertia matrix that is not symmetric";
  const Vec3 moments = principal_moments(I);
  if (moments[0] < -kRoundedInput * scale) return "has a negative principal moment of inertia";
  if (moments[0] + moments[1] < (1.0 - kRoundedInput) * moments[2] - kRoundedInput * scale)
    return "has principal moments of inertia that violate the triangle inequality";
  return {};
}

Inertia point_mass(double mass, const Vec3& com) { return {mass, com, Mat3::Zero()}; }

static Inertia diagonal(double mass, double ixx, double iyy, double izz) {
  return {mass, Vec3::Zero(), Vec3(ixx, iyy, izz).asDiagonal()};
}

Inertia solid_sphere(double mass, double radius) {
  const double i = 0.4 * mass * radius * radius;
  return diagonal(mass, i, i, i);
}

Inertia solid_box(double mass, const Vec3& half_extents) {
  const Vec3 s = half_extents.cwiseProduct(half_extents) * (mass / 3.0);
  return diagonal(mass, s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
}

Inertia solid_cylinder(double mass, double radius, double length) {
  const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
  return diagonal(mass, across, across, 0.5 * mass * radius * radius);
}

Inertia solid_capsule(double mass, double radius, double length) {
  // Cylinder and two half-spheres share the mass by volume; a half-sphere's centre lies 3/8 r beyond its flat
  // face.
  const double r2 = radius * radius;
  const double cylinder_share = length / (length + 4.0 / 3.0 * radius);
  const double mc = mass * cylinder_share, ms = mass - mc;
  const double axial = 0.5 * mc * r2 + 0.4 * ms * r2;
  const double across = mc * (3.0 * r2 + length * length) / 12.0 +
                        ms * (0.4 * r2 + 0.25 * length * length + 0.375 * radius * length);
  return diagonal(mass, across, across, axial);
}

Inertia solid_ellipsoid(double mass, const Vec3& radii) {
  const Vec3 s = radii.cwiseProduct(radii) * (mass / 5.0);
  return diagonal(mass, s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
}

}  // namespace stiction
