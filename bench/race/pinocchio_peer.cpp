#include "bench/race/pinocchio_peer.h"

#include <cmath>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/multibody.hpp>

namespace stiction::race {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using pinocchio::Convention, pinocchio::SE3;

Vector3d vector3(const std::array<double, 3>& a) { return Vector3d(a[0], a[1], a[2]); }

// The pose of a frame at the anchor of a joint whose z axis is the joint's, in the axes of the body. The
// choice of link frames changes neither q, v nor tau, and Pinocchio is fastest for joints along a coordinate
// axis.
SE3 joint_frame(const PeerJoint& joint) {
  if (joint.kind == PeerJointKind::free) return SE3::Identity();
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), vector3(joint.axis));
  return SE3(turn.toRotationMatrix(), vector3(joint.anchor));
}

// How the joint moves from its zero to its reference position, in its own frame.
SE3 reference_motion(const PeerJoint& joint) {
  if (joint.kind == PeerJointKind::hinge)
    return SE3(Eigen::AngleAxisd(joint.reference, Vector3d::UnitZ()).toRotationMatrix(), Vector3d::Zero());
  if (joint.kind == PeerJointKind::slide)
    return SE3(Matrix3d::Identity(), joint.reference * Vector3d::UnitZ());
  return SE3::Identity();
}

pinocchio::JointModel joint_model(PeerJointKind kind) {
  if (kind == PeerJointKind::hinge) return pinocchio::JointModelRZ();
  if (kind == PeerJointKind::slide) return pinocchio::JointModelPZ();
  return pinocchio::JointModelFreeFlyer();
}

pinocchio::Model make_model(const PeerModel& model) {
  pinocchio::Model out;
  out.gravity.linear() = vector3(model.gravity);
  struct Link {
    pinocchio::JointIndex joint = 0;
    SE3 X_JB = SE3::Identity();  // the body in the frame of its last joint
  };
  std::vector<Link> links;
  for (const PeerBody& body : model.bodies) {
    const Link parent = body.parent < 0 ? Link{} : links[body.parent];
    const Matrix3d R_PB = Eigen::Map<const Matrix3d>(body.rotation.data()).transpose();
    Link link = parent;
    // A free joint's q is its pose in the world.
    SE3 X = body.joints.front().kind == PeerJointKind::free ? SE3::Identity()
                                                            : parent.X_JB * SE3(R_PB, vector3(body.place));
    for (const PeerJoint& joint : body.joints) {
      const SE3 X_BJ = joint_frame(joint);
      link.joint = out.addJoint(link.joint, joint_model(joint.kind),
                                X * X_BJ * reference_motion(joint).inverse(), joint.name);
      out.armature.segment(joint.v_begin, out.joints[link.joint].nv()).setConstant(joint.armature);
      X = X_BJ.inverse();
    }
    link.X_JB = X;
    const std::array<double, 6>& I = body.inertia;
    Matrix3d I_com;
    I_com << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    out.appendBodyToJoint(link.joint, pinocchio::Inertia(body.mass, vector3(body.com), I_com), link.X_JB);
    links.push_back(link);
  }
  return out;
}

std::vector<VectorXd> rows_of(const std::vector<double>& numbers, int count) {
  const Eigen::Index size = static_cast<Eigen::Index>(numbers.size()) / count;
  std::vector<VectorXd> rows;
  for (int i = 0; i < count; ++i) rows.push_back(Eigen::Map<const VectorXd>(numbers.data() + i * size, size));
  return rows;
}

std::vector<double> numbers_of(const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>& matrix) {
  return std::vector<double>(matrix.data(), matrix.data() + matrix.size());
}

}  // namespace

struct PinocchioPeer::Implementation {
  Implementation(const PeerModel& plain, const PeerStates& states)
      : model(make_model(plain)),
        data(model),
        q(rows_of(states.q, states.count)),
        v(rows_of(states.v, states.count)),
        vdot(rows_of(states.vdot, states.count)),
        tau(rows_of(states.tau, states.count)),
        x(VectorXd::Zero(model.nv)) {}

  // A contestant that does `work(state)` for every state.
  template <class Work>
  Contestant contestant(const char* name, Work work) {
    const int count = static_cast<int>(q.size());
    return {name,
            [count, work] {
              for (int i = 0; i < count; ++i) work(i);
            },
            count};
  }

  pinocchio::Model model;
  pinocchio::Data data;
  std::vector<VectorXd> q, v, vdot, tau;
  VectorXd x;
};

PinocchioPeer::PinocchioPeer(const PeerModel& model, const PeerStates& states)
    : self_(std::make_unique<Implementation>(model, states)) {}
PinocchioPeer::~PinocchioPeer() = default;

std::string PinocchioPeer::version() { return PINOCCHIO_VERSION; }

PeerAnswer PinocchioPeer::answer(int i) {
  const pinocchio::Model& model = self_->model;
  const VectorXd &q = self_->q[i], &v = self_->v[i], &vdot = self_->vdot[i], &tau = self_->tau[i];
  pinocchio::Data data(model);
  PeerAnswer answer;
  pinocchio::crba(model, data, q, Convention::WORLD);
  answer.M = numbers_of(MatrixXd(data.M.selfadjointView<Eigen::Upper>()));
  answer.bias = numbers_of(pinocchio::nonLinearEffects(model, data, q, v));
  answer.vdot = numbers_of(pinocchio::aba(model, data, q, v, tau, Convention::WORLD));
  pinocchio::computeRNEADerivatives(model, data, q, v, vdot);
  answer.tau_dq = numbers_of(data.dtau_dq);
  answer.tau_dv = numbers_of(data.dtau_dv);
  pinocchio::computeABADerivatives(model, data, q, v, tau);
  answer.vdot_dq = numbers_of(data.ddq_dq);
  answer.vdot_dv = numbers_of(data.ddq_dv);
  answer.vdot_dtau = numbers_of(data.Minv);
  return answer;
}

std::vector<Contestant> PinocchioPeer::dynamics_stages() {
  Implementation* s = self_.get();
  return {s->contestant("crba(world), Cholesky, nle",  // crba in world axes leaves the Jacobians
                        [s](int i) {
                          pinocchio::crba(s->model, s->data, s->q[i], Convention::WORLD);
                          pinocchio::cholesky::decompose(s->model, s->data);
                          pinocchio::nonLinearEffects(s->model, s->data, s->q[i], s->v[i]);
                        }),
          s->contestant("crba(local), Cholesky, nle, Jacobians", [s](int i) {
            pinocchio::crba(s->model, s->data, s->q[i], Convention::LOCAL);
            pinocchio::cholesky::decompose(s->model, s->data);
            pinocchio::nonLinearEffects(s->model, s->data, s->q[i], s->v[i]);
            pinocchio::computeJointJacobians(s->model, s->data, s->q[i]);
          })};
}

std::vector<Contestant> PinocchioPeer::forward_dynamics() {
  Implementation* s = self_.get();
  const auto by_articulated_bodies = [s](Convention convention) {
    return [s, convention](int i) {
      pinocchio::aba(s->model, s->data, s->q[i], s->v[i], s->tau[i], convention);
    };
  };
  return {s->contestant("aba(local)", by_articulated_bodies(Convention::LOCAL)),
          s->contestant("aba(world)", by_articulated_bodies(Convention::WORLD)),
          s->contestant("crba(world), Cholesky, nle, solve", [s](int i) {
            pinocchio::crba(s->model, s->data, s->q[i], Convention::WORLD);
            pinocchio::cholesky::decompose(s->model, s->data);
            s->x = s->tau[i] - pinocchio::nonLinearEffects(s->model, s->data, s->q[i], s->v[i]);
            pinocchio::cholesky::solve(s->model, s->data, s->x);
          })};
}

std::vector<Contestant> PinocchioPeer::inverse_dynamics_derivatives() {
  Implementation* s = self_.get();
  return {s->contestant("computeRNEADerivatives", [s](int i) {
    pinocchio::computeRNEADerivatives(s->model, s->data, s->q[i], s->v[i], s->vdot[i]);
  })};
}

std::vector<Contestant> PinocchioPeer::forward_dynamics_derivatives() {
  Implementation* s = self_.get();
  return {s->contestant("computeABADerivatives", [s](int i) {
    pinocchio::computeABADerivatives(s->model, s->data, s->q[i], s->v[i], s->tau[i]);
  })};
}

}  // namespace stiction::race
