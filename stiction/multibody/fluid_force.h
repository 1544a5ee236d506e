#pragma once
// Forces of a fluid on a body that moves through it; the fluid has no state of its own (MJCF's fluid forces).
//
// Box (the one with the body's inertia), half-sizes r, by axis i with j, k the other two:
//   f_i = -2 rho r_j r_k |v_i| v_i - 6 pi r_m beta v_i,              r_m = (r_x + r_y + r_z) / 3
//   g_i = -rho/2 r_i (r_j^4 + r_k^4) |w_i| w_i - 8 pi r_m^3 beta w_i
//
// Ellipsoid with semi-axes r (Andersen, Pesavento, Wang 2005, in three dimensions):
//   f = (m o v) x w  +  C_M rho V w x v  +  C_K rho A (n . v^) (n x v) x v
//       - (6 pi r_m beta + rho |v| (C_blunt A + C_slender (A_max - A))) v
//   g = (m o v) x v + (I o w) x w
//       - (8 pi r_m^3 beta + rho |(C_angular I_D + C_slender (I_max - I_D)) o w|) w
//
//   added mass m, moments I    of potential flow (Lamb 1932, chapter 5; Tuckerman 1925):
//       kappa_i = r_x r_y r_z int_0^oo dl / sqrt((r_i^2 + l)^3 (r_j^2 + l) (r_k^2 + l))
//       m_i = rho V kappa_i / (2 - kappa_i)
//       I_i = rho V/5 (r_j^2 - r_k^2)^2 (kappa_k - kappa_j)
//             / (2 (r_j^2 - r_k^2) + (r_j^2 + r_k^2) (kappa_j - kappa_k))
//   A      area of the ellipsoid's projection along v;  A_max = pi r_max r_mid
//   n      unit normal of the cross-section with that projection, along (r_j^2 r_k^2 v_i)
//   I_D,i = 8 pi/15 r_i max(r_j, r_k)^4;  I_max their largest
//
// rho density, beta viscosity, V volume, v^ = v/|v|, o by component; all in the axes of box or ellipsoid,
// forces at its centre. The part of the added mass that multiplies accelerations is left out, as MJCF does.

#include <array>

#include "stiction/math/spatial.h"

namespace stiction {

struct Fluid {
  double density = 0.0;      // kg/m^3
  double viscosity = 0.0;    // Pa s
  Vec3 wind = Vec3::Zero();  // m/s, in W
};

struct FluidBox {
  Vec3 half_sizes = Vec3::Zero();  // m
  double mean_radius = 0.0;        // m
};

struct FluidEllipsoid {
  Vec3 radii = Vec3::Zero();  // m
  // Drag: blunt, slender, angular; lift: Kutta, Magnus.
  std::array<double, 5> coefficients = {0.5, 0.25, 1.5, 1.0, 1.0};
  Vec3 added_volume = Vec3::Zero();  // m^3, added mass per density
  Vec3 added_moment = Vec3::Zero();  // m^5, likewise
  // Of the radii alone.
  Vec3 sides = Vec3::Zero();      // m^4, r_j^2 r_k^2
  Vec3 spin_drag = Vec3::Zero();  // m^5, C_angular I_D + C_slender (I_max - I_D)
  double volume = 0.0, largest_area = 0.0, mean_radius = 0.0;
};

// The box with a mass and principal moments.
FluidBox make_fluid_box(double mass, const Vec3& moments);
FluidEllipsoid make_fluid_ellipsoid(const Vec3& radii, const std::array<double, 5>& coefficients);

// (moment, force) for the velocity (angular, linear) relative to the fluid.
Vec6 fluid_force(const FluidBox& box, const Fluid& fluid, const Vec6& V);
Vec6 fluid_force(const FluidEllipsoid& ellipsoid, const Fluid& fluid, const Vec6& V);

}  // namespace stiction
