#include "stiction/multibody/fluid_force.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSmallestMoment = 1e-15;  // kg m^2, of a box without extent along an axis

// Carlson's R_D(x, y, z) = 3/2 int_0^oo dt / sqrt((t + x) (t + y) (t + z)^3), by duplication (Carlson 1995):
// every round brings the arguments closer to their mean by a factor of four; a series gives the rest.
double carlson_rd(double x, double y, double z) {
  constexpr double kClose = 1e-3;  // of the arguments to their mean; the series errs by its sixth power
  double sum = 0.0, factor = 1.0, A = (x + y + 3.0 * z) / 5.0;
  while (std::max({std::abs(A - x), std::abs(A - y), std::abs(A - z)}) > kClose * A) {
    const double sx = std::sqrt(x), sy = std::sqrt(y), sz = std::sqrt(z);
    const double shift = sx * sy + sx * sz + sy * sz;
    sum += factor / (sz * (z + shift));
    factor /= 4.0;
    x = (x + shift) / 4.0;
    y = (y + shift) / 4.0;
    z = (z + shift) / 4.0;
    A = (A + shift) / 4.0;
  }
  const double X = (A - x) / A, Y = (A - y) / A, Z = -(X + Y) / 3.0;
  const double E2 = X * Y - 6.0 * Z * Z, E3 = (3.0 * X * Y - 8.0 * Z * Z) * Z,
               E4 = 3.0 * (X * Y - Z * Z) * Z * Z, E5 = X * Y * Z * Z * Z;
  const double series = 1.0 - 3.0 * E2 / 14.0 + E3 / 6.0 + 9.0 * E2 * E2 / 88.0 - 3.0 * E4 / 22.0 -
                        9.0 * E2 * E3 / 52.0 + 3.0 * E5 / 26.0;
  return 3.0 * sum + factor * series / (A * std::sqrt(A));
}

double fourth_power(double x) { return (x * x) * (x * x); }

}  // namespace

FluidBox make_fluid_box(double mass, const Vec3& moments) {
  FluidBox box;
  for (int i = 0; i < 3; ++i) {
    const double others = moments.sum() - 2.0 * moments[i];
    box.half_sizes[i] = std::sqrt(1.5 * std::max(kSmallestMoment, others) / mass);
  }
  box.mean_radius = box.half_sizes.mean();
  return box;
}

FluidEllipsoid make_fluid_ellipsoid(const Vec3& radii, const std::array<double, 5>& coefficients) {
  FluidEllipsoid e;
  e.radii = radii;
  e.coefficients = coefficients;
  const Vec3 r2 = radii.cwiseAbs2();
  const double product = radii.prod(), volume = 4.0 / 3.0 * kPi * product;
  const double longest = radii.maxCoeff(), middle = radii.sum() - longest - radii.minCoeff();
  const double largest = 8.0 / 15.0 * kPi * middle * fourth_power(longest);
  e.volume = volume;
  e.largest_area = kPi * longest * middle;
  e.mean_radius = radii.mean();
  Vec3 kappa;
  for (int i = 0; i < 3; ++i)
    kappa[i] = 2.0 / 3.0 * product * carlson_rd(r2[(i + 1) % 3], r2[(i + 2) % 3], r2[i]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    e.added_volume[i] = volume * kappa[i] / (2.0 - kappa[i]);
    const double swept = 8.0 / 15.0 * kPi * radii[i] * fourth_power(std::max(radii[j], radii[k]));
    e.sides[i] = r2[j] * r2[k];
    e.spin_drag[i] = coefficients[2] * swept + coefficients[1] * (largest - swept);
    const double across = r2[j] - r2[k];
    const double below = 2.0 * across + (r2[j] + r2[k]) * (kappa[j] - kappa[k]);
    e.added_moment[i] = below == 0.0 ? 0.0 : volume / 5.0 * across * across * (kappa[k] - kappa[j]) / below;
  }
  return e;
}

Vec6 fluid_force(const FluidBox& box, const Fluid& fluid, const Vec6& V) {
  const Vec3& r = box.half_sizes;
  const Vec3 w = V.head<3>(), v = V.tail<3>();
  const double rm = box.mean_radius;
  Vec3 g = -8.0 * kPi * rm * rm * rm * fluid.viscosity * w, f = -6.0 * kPi * rm * fluid.viscosity * v;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    f[i] -= 2.0 * fluid.density * r[j] * r[k] * std::abs(v[i]) * v[i];
    g[i] -= 0.5 * fluid.density * r[i] * (fourth_power(r[j]) + fourth_power(r[k])) * std::abs(w[i]) * w[i];
  }
  return stack<double>(g, f);
}

Vec6 fluid_force(const FluidEllipsoid& e, const Fluid& fluid, const Vec6& V) {
  const double blunt = e.coefficients[0], slender = e.coefficients[1];
  const double kutta = e.coefficients[3], magnus = e.coefficients[4];
  const double rho = fluid.density, beta = fluid.viscosity, rm = e.mean_radius;
  const Vec3 w = V.head<3>(), v = V.tail<3>();
  const double speed = v.norm();

  // Added mass, Magnus lift.
  const Vec3 momentum = rho * e.added_volume.cwiseProduct(v), spin = rho * e.added_moment.cwiseProduct(w);
  Vec3 f = (momentum - magnus * rho * e.volume * v).cross(w), g = momentum.cross(v) + spin.cross(w);

  // The area projected along v, the normal n = N/|N| of the cross-section with that projection, and Kutta
  // lift.
  const Vec3 N = e.sides.cwiseProduct(v);
  const double NN = N.squaredNorm(), Nv = N.dot(v);
  double area = 0.0;
  if (NN > 0.0) {
    area = kPi * std::sqrt(NN / Nv);
    // (N x v) x v = (N . v) v - |v|^2 N
    f += kutta * rho * area * Nv / (speed * NN) * (Nv * v - speed * speed * N);
  }

  // Drag.
  f -= (6.0 * kPi * rm * beta + rho * speed * (blunt * area + slender * (e.largest_area - area))) * v;
  g -= (8.0 * kPi * rm * rm * rm * beta + rho * e.spin_drag.cwiseProduct(w).norm()) * w;
  return stack<double>(g, f);
}

}  // namespace stiction
