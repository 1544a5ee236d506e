// Poses, rotations and inertias.

#include "stiction/math/spatial.h"

#include <cmath>

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "stiction/base/check.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

// Rounded input passes, and becomes a rotation to round-off.
constexpr double kNotARotation = 1e-3;

Mat3 checked_rotation(const Mat3& R) {
  STICTION_USER_CHECK(R.allFinite(), "the rotation of a pose is not finite");
  STICTION_USER_CHECK((R.transpose() * R - Mat3::Identity()).norm() < kNotARotation && R.determinant() > 0.0,
                      "R is not a rotation matrix: R' R differs from 1 by {}, its determinant is {}",
                      (R.transpose() * R - Mat3::Identity()).norm(), R.determinant());
  return orthonormalised(R);
}

Vec4 checked_quaternion(const Vec4& q) {
  STICTION_USER_CHECK(q.allFinite() && q.norm() > 1e-12, "a quaternion must be finite and not zero");
  return q.normalized();
}

Pose make_pose(const Vec3& p, const std::optional<Vec4>& quaternion, const std::optional<Mat3>& R) {
  STICTION_USER_CHECK(p.allFinite(), "the place of a pose is not finite");
  STICTION_USER_CHECK(!quaternion || !R, "give a quaternion or R, not both");
  Pose pose = translation(p);
  if (quaternion) pose.R = rotation_from_quaternion(checked_quaternion(*quaternion));
  if (R) pose.R = checked_rotation(*R);
  return pose;
}

std::string text_of(const Pose& X) {
  const Vec4 q = quaternion_from_rotation(X.R);
  return format("Pose(p=[{}, {}, {}], quaternion=[{}, {}, {}, {}])", X.p[0], X.p[1], X.p[2], q[0], q[1], q[2],
                q[3]);
}

void bind_pose(nb::module_& m) {
  nb::class_<Pose>(
      m, "Pose",
      "X_AB, the pose of a frame B in a frame A: p_A = R p_B + p. `X @ Y` composes poses, `X @ point` "
      "takes a point (m) from B to A. Never changes.")
      .def(
          "__init__",
          [](Pose* self, const Vec3& p, const std::optional<Vec4>& quaternion, const std::optional<Mat3>& R) {
            new (self) Pose(make_pose(p, quaternion, R));
          },
          "p"_a = zeros(3), "quaternion"_a = nb::none(), "R"_a = nb::none(),
          "p in m; the rotation as a quaternion (w, x, y, z) of any length, or as a matrix R.")
      .def_prop_ro(
          "p", [](const Pose& self) { return self.p; }, "Origin of B in A, m.")
      .def_prop_ro(
          "R", [](const Pose& self) { return self.R; }, "Axes of B in A as the columns of a matrix.")
      .def_prop_ro(
          "quaternion", [](const Pose& self) { return quaternion_from_rotation(self.R); },
          "Unit quaternion (w, x, y, z) of the rotation, w >= 0.")
      .def(
          "inverse", [](const Pose& self) { return self.inverse(); }, "X_BA.")
      .def(
          "__matmul__", [](const Pose& self, const Pose& other) { return self * other; }, nb::is_operator())
      .def(
          "__matmul__", [](const Pose& self, const Vec3& point) { return Vec3(self * point); },
          nb::is_operator())
      .def(
          "__eq__", [](const Pose& a, const Pose& b) { return a.R == b.R && a.p == b.p; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__repr__", text_of)
      .def("__copy__", [](const Pose& self) { return self; })
      .def(
          "__deepcopy__", [](const Pose& self, nb::handle) { return self; }, "memo"_a)
      .def(
          "__getstate__", [](const Pose& self) { return nb::make_tuple(self.p, self.R); },
          nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](Pose& self, const nb::tuple& numbers) {
            const Pose read{nb::cast<Mat3>(numbers[1]), nb::cast<Vec3>(numbers[0])};
            checked_rotation(read.R);
            new (&self) Pose(read);
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"));
  m.def(
      "translation", [](const Vec3& p) { return make_pose(p, {}, {}); }, "p"_a,
      "The pose that moves by p (m) and does not turn.");
  m.def(
      "translation", [](double x, double y, double z) { return make_pose(Vec3(x, y, z), {}, {}); }, "x"_a,
      "y"_a, "z"_a, "The pose that moves by x, y, z (m) and does not turn.");
}

void bind_rotations(nb::module_& m) {
  m.def(
      "rotation_about",
      [](const Vec3& axis, double angle) {
        STICTION_USER_CHECK(axis.allFinite() && axis.norm() > 1e-12 && std::isfinite(angle),
                            "an axis must be finite and not zero, and the angle finite");
        return Mat3(rotation_about<double>(axis.normalized(), angle));
      },
      "axis"_a, "angle"_a, "The rotation matrix about an axis by an angle (rad).");
  m.def(
      "rotation_from_quaternion",
      [](const Vec4& q) { return Mat3(rotation_from_quaternion(checked_quaternion(q))); }, "quaternion"_a,
      "The rotation matrix of a quaternion (w, x, y, z) of any length except zero.");
  m.def(
      "quaternion_from_rotation", [](const Mat3& R) { return quaternion_from_rotation(checked_rotation(R)); },
      "R"_a, "The unit quaternion (w, x, y, z), w >= 0, of a rotation matrix.");
  m.def("rotation_from_roll_pitch_yaw", &rotation_from_roll_pitch_yaw, "roll"_a, "pitch"_a, "yaw"_a,
        "R_z(yaw) R_y(pitch) R_x(roll), the fixed-axis angles of URDF (rad).");
  m.def(
      "rotation_exp",
      [](const Vec3& r) {
        STICTION_USER_CHECK(r.allFinite(), "a rotation vector must be finite");
        return Mat3(rotation_exp<double>(r));
      },
      "rotation_vector"_a, "The rotation matrix of a rotation vector (rad).");
  m.def(
      "rotation_log", [](const Mat3& R) { return rotation_log(checked_rotation(R)); }, "R"_a,
      "The shortest rotation vector (rad) of a rotation matrix.");
}

void bind_inertia(nb::module_& m) {
  nb::class_<Inertia>(m, "Inertia",
                      "Mass, centre of mass and inertia of a rigid body in the axes of a frame B.")
      .def(
          "__init__",
          [](Inertia* self, double mass, const Vec3& com, const Mat3& I_com) {
            const Inertia made{mass, com, I_com};
            const std::string defect = inertia_defect(made);
            STICTION_USER_CHECK(defect.empty(), "{}", defect);
            new (self) Inertia(made);
          },
          "mass"_a = 0.0, "com"_a = zeros(3), "I_com"_a = nb::make_tuple(zeros(3), zeros(3), zeros(3)),
          "Mass (kg), centre of mass from B's origin (m), inertia about it in B's axes (kg m^2). Raises "
          "UserError for what no matter can have.")
      .def_ro("mass", &Inertia::mass, "kg.")
      .def_prop_ro(
          "com", [](const Inertia& self) { return self.com; }, "Centre of mass from B's origin, m.")
      .def_prop_ro(
          "I_com", [](const Inertia& self) { return self.I_com; },
          "Inertia about the centre of mass, in B's axes, kg m^2.")
      .def("in_frame", &Inertia::in_frame, "X_AB"_a, "The same body described in frame A.")
      .def("about_origin", &Inertia::about_origin,
           "The 6 x 6 inertia about B's origin: momentum (angular, linear) = I V; kg m^2, kg m, kg.")
      .def(nb::self + nb::self, "Two bodies in the same frame, welded.")
      .def("__repr__",
           [](const Inertia& self) {
             return format("Inertia(mass={}, com=[{}, {}, {}])", self.mass, self.com[0], self.com[1],
                           self.com[2]);
           })
      .def(
          "__getstate__", [](const Inertia& self) { return nb::make_tuple(self.mass, self.com, self.I_com); },
          nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](Inertia& self, const nb::tuple& numbers) {
            new (&self)
                Inertia{nb::cast<double>(numbers[0]), nb::cast<Vec3>(numbers[1]), nb::cast<Mat3>(numbers[2])};
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"));
  m.def("point_mass", &point_mass, "mass"_a, "com"_a = zeros(3), "All mass (kg) in one place (m).");
  m.def("solid_sphere", &solid_sphere, "mass"_a, "radius"_a, "A ball of a mass (kg) and a radius (m).");
  m.def("solid_box", &solid_box, "mass"_a, "half_extents"_a, "A box of a mass (kg) and half its edges (m).");
  m.def("solid_cylinder", &solid_cylinder, "mass"_a, "radius"_a, "length"_a, "Axis along z; kg, m.");
  m.def("solid_capsule", &solid_capsule, "mass"_a, "radius"_a, "length"_a,
        "Axis along z, the length without the caps; kg, m.");
  m.def("solid_ellipsoid", &solid_ellipsoid, "mass"_a, "radii"_a, "An ellipsoid; kg, m.");
}

}  // namespace

void bind_spatial(nb::module_& m) {
  bind_pose(m);
  bind_rotations(m);
  bind_inertia(m);
}

}  // namespace stiction::python
