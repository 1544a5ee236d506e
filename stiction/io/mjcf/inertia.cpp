#include "stiction/io/mjcf/inertia.h"

#include <cmath>
#include <numbers>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/principal_axes.h"
#include "stiction/math/physical_inertia.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

Inertia centred(double mass, const Vec3& moments) {
  Inertia inertia;
  inertia.mass = mass;
  inertia.I_com = moments.asDiagonal();
  return inertia;
}

Inertia shell(const Sphere& s) {
  const double area = 4.0 * kPi * s.radius * s.radius;
  return centred(area, Vec3::Constant(2.0 / 3.0 * area * s.radius * s.radius));
}

// The tube of a cylinder or capsule, without its ends.
Inertia tube(double r, double length) {
  const double area = 2.0 * kPi * r * length;
  const double across = area * (r * r / 2.0 + length * length / 12.0);
  return centred(area, Vec3(across, across, area * r * r));
}

Inertia shell(const Cylinder& c) {
  const double r = c.radius, h = c.length / 2.0, lid = kPi * r * r;
  const double across = lid * (r * r / 4.0 + h * h);
  const Inertia lids = centred(2.0 * lid, 2.0 * Vec3(across, across, lid * r * r / 2.0));
  return tube(r, c.length) + lids;
}

Inertia shell(const Capsule& c) {
  // A half-sphere's centre is r/2 above its rim; about it the moment across is 5/12 m r^2.
  const double r = c.radius, h = c.length / 2.0, half = 2.0 * kPi * r * r;
  const double across = half * (5.0 / 12.0 * r * r + (h + r / 2.0) * (h + r / 2.0));
  const Inertia caps = centred(2.0 * half, 2.0 * Vec3(across, across, 2.0 / 3.0 * half * r * r));
  return tube(r, c.length) + caps;
}

Inertia shell(const Box& b) {
  Inertia sum;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Vec3 h = b.half_extents;
    const double area = 8.0 * h[j] * h[k];  // of both sides across axis i
    Vec3 moments;
    moments[i] = area * (h[j] * h[j] + h[k] * h[k]) / 3.0;
    moments[j] = area * (h[i] * h[i] + h[k] * h[k] / 3.0);
    moments[k] = area * (h[i] * h[i] + h[j] * h[j] / 3.0);
    sum = sum + centred(area, moments);
  }
  return sum;
}

Inertia shell(const Ellipsoid& e) {
  constexpr double kThomsen = 1.6075;
  const double a = e.radii[0], b = e.radii[1], c = e.radii[2];
  const double mean =
      (std::pow(a * b, kThomsen) + std::pow(b * c, kThomsen) + std::pow(c * a, kThomsen)) / 3.0;
  const double area = 4.0 * kPi * std::pow(mean, 1.0 / kThomsen);
  const double sum = a * b + b * c + c * a;
  const auto moment = [&](double x, double y) {
    return area * (sum * (x * x + y * y) + 2.0 * a * b * c * (x + y)) / (5.0 * sum);
  };
  return centred(area, Vec3(moment(b, c), moment(a, c), moment(a, b)));
}

}  // namespace

Inertia unit_shell_inertia(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return shell(*s);
  if (const auto* s = std::get_if<Box>(&shape)) return shell(*s);
  if (const auto* s = std::get_if<Cylinder>(&shape)) return shell(*s);
  if (const auto* s = std::get_if<Capsule>(&shape)) return shell(*s);
  const auto* s = std::get_if<Ellipsoid>(&shape);
  STICTION_ASSERT(s != nullptr);
  return shell(*s);
}

Inertia read_inertial(const MjcfElement& element) {
  element.source.honour();
  const MjcfValues values(element);
  if (!values.has("pos")) values.fail("attribute 'pos' is required");
  Inertia inertia;
  inertia.mass = values.numbers("mass", 1, 1)[0];
  if (inertia.mass < 0.0) values.fail("mass", format("a mass of {} kg is negative", inertia.mass));
  const Pose X = values.pose();
  inertia.com = X.p;
  if (values.has("fullinertia")) {
    if (values.has("diaginertia"))
      values.fail("diaginertia", "the inertia is given by 'fullinertia' already");
    if (values.has_orientation()) values.fail("fullinertia", "a full inertia has no orientation of its own");
    const std::vector<double> m = values.numbers("fullinertia", 6, 6);
    inertia.I_com << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
    if (mjcf_principal_axes(inertia.I_com).moments[2] <= 0.0 &&
        element.context->compiler.bound_inertia <= 0.0)
      values.fail("fullinertia", "is not positive definite");
  } else {
    if (!values.has("diaginertia")) values.fail("one of 'diaginertia' and 'fullinertia' is required");
    inertia.I_com = X.R * values.vec3("diaginertia", Vec3::Zero()).asDiagonal() * X.R.transpose();
  }
  return inertia;
}

Inertia bounded_inertia(const Inertia& inertia, const MjcfCompiler& compiler, const MjcfElement& body) {
  Inertia out = inertia;
  const bool is_bounded = compiler.bound_mass > 0.0 || compiler.bound_inertia > 0.0;
  const std::string defect = inertia_defect(out);
  if (is_bounded || (!defect.empty() && compiler.balance_inertia)) {
    MjcfPrincipalAxes axes = mjcf_principal_axes(out.I_com);
    out.mass = std::max(out.mass, compiler.bound_mass);
    axes.moments = axes.moments.cwiseMax(compiler.bound_inertia);
    const Vec3& m = axes.moments;
    if (compiler.balance_inertia && m[1] + m[2] < m[0]) axes.moments = Vec3::Constant(m.mean());
    out.I_com = axes.R * axes.moments.asDiagonal() * axes.R.transpose();
  }
  const std::string left = inertia_defect(out);
  if (!left.empty())
    body.source.fail(format(
        "the inertia of the body {}{}", left,
        violates_triangle_inequality(out) ? "; compiler/balanceinertia makes such moments their mean" : ""));
  return out;
}

}  // namespace stiction
