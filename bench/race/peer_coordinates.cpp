#include "bench/race/peer_coordinates.h"

#include <algorithm>
#include <functional>
#include <map>

#include "stiction/base/check.h"

namespace stiction::race {

namespace {

std::array<double, 3> numbers(const Vec3& a) { return {a[0], a[1], a[2]}; }

PeerJoint peer_joint(const Joint& joint, const JointIndices& place) {
  PeerJoint out;
  out.name = joint.name;
  switch (joint.type) {
    case JointType::revolute:
    case JointType::continuous:
      out.kind = PeerJointKind::hinge;
      break;
    case JointType::prismatic:
      out.kind = PeerJointKind::slide;
      break;
    case JointType::free:
      out.kind = PeerJointKind::free;
      break;
    default:
      throw_user_error(format("the race has no '{}' joints: joint '{}'", name_of(joint.type), joint.name));
  }
  out.axis = numbers(joint.axis);
  out.anchor = numbers(joint.p_BJ);
  out.reference = joint.reference;
  out.armature = joint.armature[0];
  out.q_begin = place.q_begin;
  out.v_begin = place.v_begin;
  return out;
}

// The frame of a node's body, the last one of its joints, in the node.
Pose body_in_node(const Forest& forest, int node) {
  return forest.places[forest.joints[forest.nodes[node].joint].body].X_NB;
}

void set_inertia(const Inertia& inertia, PeerBody* body) {
  const Mat3& I = inertia.I_com;
  body->mass = inertia.mass;
  body->com = numbers(inertia.com);
  body->inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
}

// T with R replaced by R W for every free joint, W given by the joint, and L only where it turns or W is the
// identity.
MatX map_with(const PeerModel& model, PeerKind kind, const VecX& q, bool is_rate,
              const std::function<Mat3(const PeerJoint&)>& W) {
  MatX T = MatX::Zero(model.num_v, model.num_v);
  for (const PeerBody& body : model.bodies) {
    for (const PeerJoint& joint : body.joints) {
      const int i = joint.v_begin;
      if (joint.kind != PeerJointKind::free) {
        T(i, i) = is_rate ? 0.0 : 1.0;
        continue;
      }
      const Mat3 R = rotation_from_quaternion<double>(q.segment<4>(joint.q_begin)) * W(joint);
      Mat3 L = R;
      if (kind == PeerKind::mujoco) L = is_rate ? Mat3(Mat3::Zero()) : Mat3(Mat3::Identity());
      T.block<3, 3>(i, i + 3) = R;
      T.block<3, 3>(i + 3, i) = L;
      T.block<3, 3>(i + 3, i + 3) = -R * skew<double>(Vec3(body.com[0], body.com[1], body.com[2]));
    }
  }
  return T;
}

// [angular part of u] of a free joint.
Mat3 turn_of(const VecX& u, const PeerJoint& joint) { return skew<double>(u.segment<3>(joint.v_begin + 3)); }

}  // namespace

PeerModel make_peer_model(const Forest& forest) {
  STICTION_USER_CHECK(forest.kinematic_bodies.empty(), "the race has no kinematic bodies");
  // The joints of each moving body; `forest.joints` is in the order of the velocities.
  std::vector<int> moving;
  std::map<int, PeerBody> bodies;
  for (const JointIndices& place : forest.joints) {
    if (place.num_v == 0) continue;
    const Body& body = forest.bodies[place.body];
    if (bodies.find(place.body) == bodies.end()) moving.push_back(place.body);
    bodies[place.body].joints.push_back(peer_joint(body.joints[place.index_in_body], place));
  }

  PeerModel model;
  std::map<int, int> index_of_node;  // last node of a body -> its place in the list
  for (const int b : moving) {
    PeerBody& out = bodies[b];
    out.name = forest.bodies[b].name;

    // Its pose in the moving body that its parent is fixed to, or in the world.
    const BodyPlace& parent = forest.places[forest.bodies[b].parent];
    Pose X = parent.X_NB * forest.bodies[b].X_PB;
    if (parent.node >= 0) {
      X = body_in_node(forest, parent.node).inverse() * X;
      out.parent = index_of_node.at(parent.node);
    }
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) out.rotation[3 * r + c] = X.R(r, c);
    out.place = numbers(X.p);

    // Its mass and that of all bodies fixed to it.
    const int node = forest.places[b].node;
    Inertia inertia;
    for (size_t other = 1; other < forest.bodies.size(); ++other)
      if (forest.places[other].node == node)
        inertia = inertia + forest.bodies[other].inertia.in_frame(forest.places[b].X_NB.inverse() *
                                                                  forest.places[other].X_NB);
    set_inertia(inertia, &out);

    index_of_node[node] = static_cast<int>(model.bodies.size());
    model.bodies.push_back(out);
  }
  model.gravity = numbers(forest.gravity);
  model.num_q = forest.num_q;
  model.num_v = forest.num_v;
  return model;
}

VecX peer_positions(const PeerModel& model, PeerKind kind, const VecX& q) {
  VecX out = q;
  for (const PeerBody& body : model.bodies) {
    for (const PeerJoint& joint : body.joints) {
      if (joint.kind != PeerJointKind::free) continue;
      const Vec4 quaternion = q.segment<4>(joint.q_begin);
      out.segment<3>(joint.q_begin) = q.segment<3>(joint.q_begin + 4);
      out.segment<4>(joint.q_begin + 3) = quaternion;
      if (kind == PeerKind::pinocchio)
        out.segment<4>(joint.q_begin + 3) << quaternion[1], quaternion[2], quaternion[3], quaternion[0];
    }
  }
  return out;
}

MatX velocity_map(const PeerModel& model, PeerKind kind, const VecX& q) {
  return map_with(model, kind, q, false, [](const PeerJoint&) { return Mat3(Mat3::Identity()); });
}

MatX velocity_map_rate(const PeerModel& model, PeerKind kind, const VecX& q, const VecX& u) {
  return map_with(model, kind, q, true, [&u](const PeerJoint& joint) { return turn_of(u, joint); });
}

MatX velocity_map_rate_change(const PeerModel& model, PeerKind kind, const VecX& q, const VecX& u,
                              const VecX& dx, const VecX& du) {
  return map_with(model, kind, q, true, [&](const PeerJoint& joint) {
    return Mat3(turn_of(dx, joint) * turn_of(u, joint) + turn_of(du, joint));
  });
}

}  // namespace stiction::race
