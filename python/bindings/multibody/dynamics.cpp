// Dynamics of a model as functions of q, v and forces.

#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/simulation/py_model.h"
#include "stiction/base/check.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/forward_dynamics.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/multibody/positions.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

// A model with the work space of its recursions.
class Dynamics {
 public:
  explicit Dynamics(const PyModel& model)
      : model_(model), kinematics_(forest()), mass_(forest()), forces_(forest()), bodies_(forest()) {}

  const Forest& forest() const { return model_->forest; }
  const PyModel& model() const { return model_; }

  const Kinematics& at(const VecX& q) {
    check(q, forest().num_q, "positions");
    VecX unit = q;
    STICTION_USER_CHECK(normalise_quaternions(forest(), unit.data()),
                        "positions of model '{}' have a quaternion of length zero", model_->name);
    for (std::size_t b = 0; b < forest().kinematic_bodies.size(); ++b)
      kinematics_.prescribed[b].X_WB =
          forest().bodies[static_cast<std::size_t>(forest().kinematic_bodies[b])].X_PB;
    compute_positions(forest(), unit.data(), &kinematics_);
    return kinematics_;
  }
  const Kinematics& at(const VecX& q, const VecX& v) {
    at(q);
    check(v, forest().num_v, "velocities");
    compute_velocities(forest(), v.data(), &kinematics_);
    return kinematics_;
  }
  void check(const VecX& x, int size, const char* what) const {
    STICTION_USER_CHECK(x.size() == size, "model '{}' has {} {}, not {}", model_->name, size, what, x.size());
    STICTION_USER_CHECK(x.allFinite(), "{} of model '{}' must be finite", what, model_->name);
  }
  VecX zeros() const { return VecX::Zero(forest().num_v); }

  MatX mass_matrix(const VecX& q) {
    compute_mass_matrix(forest(), at(q), &mass_);
    MatX M = MatX::Zero(forest().num_v, forest().num_v);
    for (std::size_t t = 0; t < forest().trees.size(); ++t) {
      const Tree& tree = forest().trees[t];
      M.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) =
          dense_mass_matrix(forest(), mass_, static_cast<int>(t));
    }
    return M;
  }
  VecX bias(const VecX& q, const VecX& v) {
    VecX out = zeros();
    compute_bias(forest(), at(q, v), &forces_, out.data());
    return out;
  }
  VecX inverse(const VecX& q, const VecX& v, const VecX& vdot) {
    check(vdot, forest().num_v, "accelerations");
    VecX tau = zeros();
    inverse_dynamics(forest(), at(q, v), vdot.data(), &forces_, tau.data());
    return tau;
  }
  VecX forward(const VecX& q, const VecX& v, const VecX& tau) {
    check(tau, forest().num_v, "forces");
    VecX vdot = zeros();
    const int dof = forward_dynamics(forest(), at(q, v), tau.data(), &forces_, &bodies_, vdot.data());
    STICTION_USER_CHECK(dof < 0, "the mass matrix of model '{}' is not positive at velocity {}", model_->name,
                        dof);
    return vdot;
  }
  std::tuple<MatX, MatX> inverse_derivatives(const VecX& q, const VecX& v, const VecX& vdot) {
    check(vdot, forest().num_v, "accelerations");
    if (!inverse_) inverse_.emplace(forest());
    inverse_dynamics_derivatives(forest(), at(q, v), vdot.data(), &*inverse_);
    return {dense(inverse_->dq), dense(inverse_->dv)};
  }
  std::tuple<MatX, MatX, MatX> forward_derivatives(const VecX& q, const VecX& v, const VecX& tau) {
    const VecX vdot = forward(q, v, tau);
    inverse_derivatives(q, v, vdot);
    compute_mass_matrix(forest(), kinematics_, &mass_);
    factorise(forest(), nullptr, &mass_);
    if (!forward_) forward_.emplace(forest());
    forward_dynamics_derivatives(forest(), *inverse_, mass_, &*forward_);
    return {dense(forward_->dq), dense(forward_->dv), dense(forward_->dtau)};
  }
  MatX jacobian(const VecX& q, const NameOrIndex& body, const std::optional<Vec3>& p_W) {
    const int b = find_body(*model_, body);
    at(q);
    TreeJacobian J;
    if (p_W)
      point_jacobian(forest(), kinematics_, b, *p_W, &J);
    else
      body_jacobian(forest(), kinematics_, b, &J);
    MatX out = MatX::Zero(6, forest().num_v);
    const int node = forest().places[static_cast<std::size_t>(b)].node;
    if (node >= 0) {
      const Tree& tree =
          forest().trees[static_cast<std::size_t>(forest().nodes[static_cast<std::size_t>(node)].tree)];
      out.middleCols(tree.v_begin, tree.num_v()) = J;
    }
    return out;
  }

 private:
  MatX dense(const TreeBlocks& blocks) const {
    MatX out = MatX::Zero(forest().num_v, forest().num_v);
    for (std::size_t t = 0; t < forest().trees.size(); ++t) {
      const Tree& tree = forest().trees[t];
      out.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) =
          blocks.block(forest(), static_cast<int>(t));
    }
    return out;
  }

  PyModel model_;
  Kinematics kinematics_;
  MassMatrix mass_;
  NodeForces forces_;
  ArticulatedBodies bodies_;
  std::optional<InverseDynamicsDerivatives> inverse_;
  std::optional<ForwardDynamicsDerivatives> forward_;
};

void bind_forces(nb::class_<Dynamics>& c) {
  c.def("mass_matrix", &Dynamics::mass_matrix, "q"_a, "M(q), (num_v, num_v); kg m^2, kg m, kg.")
      .def("bias", &Dynamics::bias, "q"_a, "v"_a,
           "Coriolis, centrifugal, gyroscopic forces and gravity: M vdot + bias = tau; N m or N.")
      .def("inverse_dynamics", &Dynamics::inverse, "q"_a, "v"_a, "vdot"_a, "tau = M vdot + bias; N m or N.")
      .def("forward_dynamics", &Dynamics::forward, "q"_a, "v"_a, "tau"_a,
           "vdot under tau (N m or N), without springs, dampers, actuators and contact; rad/s^2 or m/s^2.")
      .def("inverse_dynamics_derivatives", &Dynamics::inverse_derivatives, "q"_a, "v"_a, "vdot"_a,
           "(d tau/d q, d tau/d v), each (num_v, num_v); those in q are along velocities.")
      .def("forward_dynamics_derivatives", &Dynamics::forward_derivatives, "q"_a, "v"_a, "tau"_a,
           "(d vdot/d q, d vdot/d v, d vdot/d tau), each (num_v, num_v); those in q are along velocities.")
      .def(
          "spring_forces",
          [](Dynamics& self, const VecX& q) {
            self.check(q, self.forest().num_q, "positions");
            VecX tau = self.zeros();
            add_spring_forces(self.forest(), q.data(), tau.data());
            return tau;
          },
          "q"_a, "Of springs on joints, N m or N.");
}

void bind_kinematics(nb::class_<Dynamics>& c) {
  c.def(
       "body_pose",
       [](Dynamics& self, const VecX& q, const NameOrIndex& body) {
         return body_pose(self.forest(), self.at(q), find_body(*self.model(), body));
       },
       "q"_a, "body"_a, "In the world, m.")
      .def(
          "body_velocity",
          [](Dynamics& self, const VecX& q, const VecX& v, const NameOrIndex& body) {
            return body_velocity(self.forest(), self.at(q, v), find_body(*self.model(), body));
          },
          "q"_a, "v"_a, "body"_a, "(angular rad/s, that of the body's origin m/s) in W.")
      .def("jacobian", &Dynamics::jacobian, "q"_a, "body"_a, "p_W"_a = nb::none(),
           "(6, num_v): V = J v, V = (angular, velocity of the body's point that is now at p_W; None: its "
           "origin).")
      .def(
          "totals",
          [](Dynamics& self, const VecX& q, const VecX& v) { return totals(self.forest(), self.at(q, v)); },
          "q"_a, "v"_a, "Mass, centre of mass and momenta of everything that moves.")
      .def(
          "kinetic_energy",
          [](Dynamics& self, const VecX& q, const VecX& v) {
            return kinetic_energy(self.forest(), self.at(q, v)) + rotor_energy(self.forest(), v.data());
          },
          "q"_a, "v"_a, "Of bodies and rotors, J.")
      .def(
          "gravity_energy",
          [](Dynamics& self, const VecX& q) { return gravity_energy(self.forest(), self.at(q)); }, "q"_a,
          "-sum m g . c, J.")
      .def(
          "integrate_positions",
          [](Dynamics& self, const VecX& q, const VecX& v, double h) {
            self.check(q, self.forest().num_q, "positions");
            self.check(v, self.forest().num_v, "velocities");
            VecX out(q.size());
            integrate_positions(self.forest(), q.data(), v.data(), h, out.data());
            return out;
          },
          "q"_a, "v"_a, "h"_a = 1.0, "q moved along v for h (s).")
      .def(
          "position_difference",
          [](Dynamics& self, const VecX& q0, const VecX& q1, double h) {
            self.check(q0, self.forest().num_q, "positions");
            self.check(q1, self.forest().num_q, "positions");
            STICTION_USER_CHECK(std::isfinite(h) && h > 0.0, "the time must be positive, not {} s", h);
            VecX v = self.zeros();
            position_difference(self.forest(), q0.data(), q1.data(), h, v.data());
            return v;
          },
          "q0"_a, "q1"_a, "h"_a = 1.0, "The velocity that takes q0 to q1 in h (s).");
}

}  // namespace

void bind_dynamics(nb::module_& m) {
  nb::class_<Totals>(m, "Totals", "Of everything that moves.")
      .def_ro("mass", &Totals::mass, "kg.")
      .def_prop_ro(
          "com", [](const Totals& self) { return self.com; }, "Centre of mass, in W, m.")
      .def_prop_ro(
          "momentum", [](const Totals& self) { return self.momentum; }, "kg m/s.")
      .def_prop_ro(
          "angular_momentum", [](const Totals& self) { return self.angular_momentum; },
          "About the world's origin, kg m^2/s.");
  nb::class_<Dynamics> c(
      m, "Dynamics",
      "Dynamics of a model as functions of positions, velocities and forces (docs/dynamics.md); "
      "holds the work space. Kinematic bodies stand where the model put them.");
  c.def(nb::init<const PyModel&>(), "model"_a, "Of a model.").def("__repr__", [](const Dynamics& self) {
    return format("Dynamics('{}', {} velocities)", self.model()->name, self.model()->num_v());
  });
  bind_forces(c);
  bind_kinematics(c);
}

}  // namespace stiction::python
