#include "stiction/simulation/transmission.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/geometry/tendon_wrap.h"
#include "stiction/multibody/inverse_dynamics.h"

namespace stiction {

namespace {

constexpr double kTiny = 1e-15;  // m

BodyPoint frame_place(const Model& model, const std::string& name) {
  const Frame& frame = model.frames[model.frame(name)];
  return {frame.body, frame.X_BF};
}

Pose pose_of(const Model& model, const Kinematics& k, const BodyPoint& place) {
  return body_pose(model.forest, k, place.body) * place.X_BP;
}

// moment += wrench' J of the body's point at p_W.
void add_moment(const Model& model, const Kinematics& k, int body, const Vec3& p_W, const Vec3& torque,
                const Vec3& force, VecX* moment) {
  add_wrench(model.forest, k, body, p_W, stack<double>(torque, force), moment->data());
}

// A straight part of a spatial tendon; returns its length.
double add_straight(const Model& model, const Kinematics& k, const Vec3& from, int from_body, const Vec3& to,
                    int to_body, double divisor, VecX* moment) {
  const Vec3 step = to - from;
  const double length = step.norm();
  if (from_body != to_body) {
    // Two places on one point: any direction, as MJCF takes x.
    const Vec3 pull = (length > kTiny ? Vec3(step / length) : Vec3::UnitX()) / divisor;
    add_moment(model, k, to_body, to, Vec3::Zero(), pull, moment);
    add_moment(model, k, from_body, from, Vec3::Zero(), -pull, moment);
  }
  return length / divisor;
}

ResolvedWrap resolve(const Model& model, const Tendon& tendon, const TendonWrap& wrap) {
  ResolvedWrap out;
  out.kind = wrap.kind;
  out.coefficient = wrap.coefficient;
  switch (wrap.kind) {
    case WrapKind::joint:
      out.joint = model.joint(wrap.name);
      STICTION_USER_CHECK(model.forest.joints[out.joint].num_v == 1,
                          "tendon '{}': joint '{}' has {} velocities, a fixed tendon needs one", tendon.name,
                          wrap.name, model.forest.joints[out.joint].num_v);
      break;
    case WrapKind::site:
      out.place = frame_place(model, wrap.name);
      break;
    case WrapKind::shape: {
      const PlacedShape& placed = model.shapes[model.shape(wrap.name)];
      out.place = {placed.body, placed.X_BS};
      const Sphere* sphere = std::get_if<Sphere>(&placed.shape);
      const Cylinder* cylinder = std::get_if<Cylinder>(&placed.shape);
      STICTION_USER_CHECK(sphere || cylinder,
                          "tendon '{}' cannot wrap around '{}', which is neither sphere nor cylinder",
                          tendon.name, wrap.name);
      out.is_cylinder = cylinder != nullptr;
      out.radius = sphere ? sphere->radius : cylinder->radius;
      out.has_side = !wrap.side_site.empty();
      if (out.has_side) out.side = frame_place(model, wrap.side_site);
      break;
    }
    case WrapKind::pulley:
      STICTION_USER_CHECK(wrap.coefficient > 0.0, "tendon '{}': the divisor of a pulley must be positive",
                          tendon.name);
      break;
  }
  return out;
}

// Zero where a velocity moves both bodies: it does not change what lies between them.
void drop_common_ancestors(const Model& model, int body1, int body2, VecX* moment) {
  const Forest& forest = model.forest;
  std::vector<bool> above(forest.nodes.size(), false);
  for (int n = forest.places[body1].node; n >= 0; n = forest.nodes[n].parent) above[n] = true;
  for (int n = forest.places[body2].node; n >= 0; n = forest.nodes[n].parent) {
    if (!above[n]) continue;
    moment->segment(forest.nodes[n].v_begin, forest.nodes[n].num_v).setZero();
  }
}

Vec3 axis_of(const std::array<double, 6>& gear, int first) {
  return Vec3(gear[first], gear[first + 1], gear[first + 2]);
}

// The pin of the slider, along the z of its site, that a rod of fixed length holds to the crank's pin.
double slider_crank(const Model& model, const Kinematics& k, const BodyPoint& crank, const BodyPoint& slider,
                    double rod, double gear, VecX* moment) {
  const Pose X_crank = pose_of(model, k, crank), X_slider = pose_of(model, k, slider);
  const Vec3 axis = X_slider.R.col(2), between = X_crank.p - X_slider.p;
  const double along = axis.dot(between), rest = along * along + rod * rod - between.squaredNorm();
  Vec3 by_axis = between, by_between = axis;
  double root = 0.0;
  if (rest > 0.0) {
    root = std::sqrt(rest);
    by_axis = between * (1.0 - along / root);
    by_between = axis * (1.0 - along / root) + between / root;
  }
  add_moment(model, k, crank.body, X_crank.p, Vec3::Zero(), gear * by_between, moment);
  add_moment(model, k, slider.body, X_slider.p, gear * axis.cross(by_axis), -gear * by_between, moment);
  return gear * (along - root);
}

}  // namespace

Transmissions::Transmissions(const Model& model) {
  for (const Tendon& tendon : model.elements.tendons) {
    tendons_.emplace_back();
    for (const TendonWrap& wrap : tendon.wraps) tendons_.back().push_back(resolve(model, tendon, wrap));
  }
  for (const Actuator& actuator : model.elements.actuators) {
    ResolvedActuator out;
    out.kind = actuator.transmission;
    switch (actuator.transmission) {
      case TransmissionKind::joint:
      case TransmissionKind::joint_in_parent:
        out.joint = model.joint(actuator.target);
        break;
      case TransmissionKind::tendon: {
        const auto& all = model.elements.tendons;
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const Tendon& t) { return t.name == actuator.target; });
        STICTION_USER_CHECK(found != all.end(), "actuator '{}': there is no tendon '{}'", actuator.name,
                            actuator.target);
        out.tendon = static_cast<int>(found - all.begin());
        break;
      }
      case TransmissionKind::site:
      case TransmissionKind::slider_crank: {
        out.site = frame_place(model, actuator.target);
        const std::string& other =
            actuator.transmission == TransmissionKind::site ? actuator.reference_site : actuator.slider_site;
        out.has_reference = !other.empty();
        if (out.has_reference) out.reference = frame_place(model, other);
        STICTION_USER_CHECK(out.has_reference || actuator.transmission == TransmissionKind::site,
                            "actuator '{}': a slider-crank needs a slider site", actuator.name);
        break;
      }
      case TransmissionKind::body:
        model.body(actuator.target);
        break;
    }
    actuators_.push_back(out);
  }
}

double Transmissions::tendon(const Model& model, const Kinematics& k, const double* q, int index,
                             VecX* moment) const {
  moment->setZero(model.num_v());
  const std::vector<ResolvedWrap>& wraps = tendons_[index];
  double length = 0.0, divisor = 1.0;
  for (size_t i = 0; i < wraps.size(); ++i) {
    const ResolvedWrap& wrap = wraps[i];
    if (wrap.kind == WrapKind::joint) {
      const JointPlace& joint = model.forest.joints[wrap.joint];
      length += wrap.coefficient * q[joint.q_begin];
      (*moment)[joint.v_begin] += wrap.coefficient;
    } else if (wrap.kind == WrapKind::pulley) {
      divisor = wrap.coefficient;
    }
    if (wrap.kind != WrapKind::site || i + 1 == wraps.size() || wraps[i + 1].kind == WrapKind::pulley)
      continue;

    // From this site to the next, around the shape between them if there is one and it is in the way.
    const bool has_shape = wraps[i + 1].kind == WrapKind::shape;
    const ResolvedWrap& next = wraps[has_shape ? i + 2 : i + 1];
    const Vec3 from = pose_of(model, k, wrap.place).p, to = pose_of(model, k, next.place).p;
    std::optional<TendonWrapPath> path;
    if (has_shape) {
      const ResolvedWrap& shape = wraps[i + 1];
      std::optional<Vec3> side;
      if (shape.has_side) side = pose_of(model, k, shape.side).p;
      path = wrap_tendon(from, to, pose_of(model, k, shape.place), shape.radius, shape.is_cylinder, side);
      ++i;
    }
    if (!path) {
      length += add_straight(model, k, from, wrap.place.body, to, next.place.body, divisor, moment);
      continue;
    }
    const int body = wraps[i].place.body;
    length += add_straight(model, k, from, wrap.place.body, path->points[0], body, divisor, moment);
    length += path->length / divisor;
    length += add_straight(model, k, path->points[1], body, to, next.place.body, divisor, moment);
  }
  return length;
}

double Transmissions::actuator(const Model& model, const Kinematics& k, const double* q, int index,
                               VecX* moment) const {
  const ResolvedActuator& a = actuators_[index];
  const Actuator& element = model.elements.actuators[index];
  const std::array<double, 6>& gear = element.gear;
  moment->setZero(model.num_v());
  switch (a.kind) {
    case TransmissionKind::joint:
    case TransmissionKind::joint_in_parent: {
      const JointPlace& place = model.forest.joints[a.joint];
      const Joint& joint = model.forest.joint(a.joint);
      const double* qj = q + place.q_begin;
      const bool in_parent = a.kind == TransmissionKind::joint_in_parent;
      if (joint.type == JointType::ball) {
        const Vec4 turn(qj[0], qj[1], qj[2], qj[3]);
        Vec3 axis = axis_of(gear, 0);
        const double length = axis.dot(quaternion_log(turn));
        if (in_parent) axis = rotation_from_quaternion(turn).transpose() * axis;
        moment->segment<3>(place.v_begin) = axis;
        return length;
      }
      if (joint.type == JointType::free) {
        const Pose X = body_pose(model.forest, k, place.body);
        const Vec3 axis = axis_of(gear, 3);
        add_moment(model, k, place.body, X.p, in_parent ? axis : Vec3(X.R * axis), axis_of(gear, 0), moment);
        return 0.0;
      }
      (*moment)[place.v_begin] = gear[0];
      return gear[0] * qj[0];
    }
    case TransmissionKind::tendon: {
      const double length = tendon(model, k, q, a.tendon, moment);
      *moment *= gear[0];
      return gear[0] * length;
    }
    case TransmissionKind::site: {
      const Pose X = pose_of(model, k, a.site);
      if (!a.has_reference) {
        add_moment(model, k, a.site.body, X.p, X.R * axis_of(gear, 3), X.R * axis_of(gear, 0), moment);
        return 0.0;
      }
      // Place and turn in the reference site's frame; what moves both sites alike changes neither.
      const Pose X_ref = pose_of(model, k, a.reference);
      const Vec3 force = X_ref.R * axis_of(gear, 0), torque = X_ref.R * axis_of(gear, 3);
      add_moment(model, k, a.site.body, X.p, torque, force, moment);
      add_moment(model, k, a.reference.body, X_ref.p, -torque, -force, moment);
      drop_common_ancestors(model, a.site.body, a.reference.body, moment);
      return force.dot(X.p - X_ref.p) + axis_of(gear, 3).dot(rotation_log(X_ref.R.transpose() * X.R));
    }
    case TransmissionKind::slider_crank:
      return slider_crank(model, k, a.site, a.reference, element.crank_length, gear[0], moment);
    case TransmissionKind::body:
      return 0.0;
  }
  return 0.0;
}

}  // namespace stiction
