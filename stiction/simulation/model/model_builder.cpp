#include "stiction/simulation/model/model_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

// The names of a map, in alphabetical order, for "did you mean".
template <class Map>
std::vector<std::string> names_in(const Map& map) {
  std::vector<std::string> names;
  for (const auto& entry : map) names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  return names;
}

template <class Map>
void check_new_name(const Map& taken, std::string_view kind, const std::string& name) {
  STICTION_USER_CHECK(!name.empty(), "a {} needs a name", kind);
  STICTION_USER_CHECK(taken.find(name) == taken.end(), "there is already a {} '{}'", kind, name);
}

void check_pose(const Pose& X, std::string_view owner) {
  constexpr double kNotARotation = 1e-6;  // entries of R'R - 1; rounded input passes
  STICTION_USER_CHECK(X.R.allFinite() && X.p.allFinite(), "{}: its pose is not finite", owner);
  STICTION_USER_CHECK(
      (X.R.transpose() * X.R - Mat3::Identity()).norm() < kNotARotation && X.R.determinant() > 0.0,
      "{}: the orientation of its pose is not a rotation", owner);
}

bool is_free(const Body& body) {
  return std::any_of(body.joints.begin(), body.joints.end(),
                     [](const Joint& joint) { return joint.type == JointType::free; });
}

// Changes the reference frame of a pose given as a free joint's seven numbers, quaternion first.
void change_frame(const Pose& X_WA, double* q) {
  const Vec4 turned =
      quaternion_product<double>(quaternion_from_rotation(X_WA.R), Vec4(q[0], q[1], q[2], q[3]));
  const Vec3 moved = X_WA * Vec3(q[4], q[5], q[6]);
  std::copy_n(turned.data(), 4, q);
  std::copy_n(moved.data(), 3, q + 4);
}

// Of one joint of a model whose world is moved to X_WA.
std::vector<double> moved_positions(JointType type, const JointIndices& from, const VecX& q,
                                    const Pose& X_WA) {
  std::vector<double> out(q.data() + from.q_begin, q.data() + from.q_begin + from.num_q);
  if (type == JointType::free) change_frame(X_WA, out.data());
  return out;
}

std::vector<double> moved_velocities(JointType type, const JointIndices& from, const VecX& v,
                                     const Pose& X_WA) {
  std::vector<double> out(v.data() + from.v_begin, v.data() + from.v_begin + from.num_v);
  if (type != JointType::free) return out;
  // Both halves (angular, linear) of a free joint's velocity are in world axes.
  for (const int half : {0, 3}) {
    const Vec3 turned = X_WA.R * Eigen::Map<const Vec3>(out.data() + half);
    std::copy(turned.data(), turned.data() + 3, out.data() + half);
  }
  return out;
}

void check_keyframes(const Model& model) {
  for (const Keyframe& key : model.elements.keyframes) {
    const auto check = [&](std::size_t given, std::size_t expected, const char* what) {
      STICTION_USER_CHECK(given == 0 || given == expected, "keyframe '{}': the model has {} {}, not {}",
                          key.name, expected, what, given);
    };
    check(std::size_t(key.q.size()), std::size_t(model.num_q()), "positions");
    check(std::size_t(key.v.size()), std::size_t(model.num_v()), "velocities");
    check(key.activations.size(), std::size_t(model.num_activations()), "activations");
    check(key.controls.size(), model.elements.actuators.size(), "actuators");
  }
}

}  // namespace

ModelBuilder::ModelBuilder(std::string name) : name_(std::move(name)) {
  Body world;
  world.name = "world";
  bodies_.push_back(world);
  body_names_["world"] = 0;
}

ModelBuilder& ModelBuilder::add_body(const std::string& name, const std::string& parent, const Pose& X_PB,
                                     const Inertia& inertia) {
  check_new_name(body_names_, "body", name);
  const std::string owner = format("body '{}'", name);
  check_pose(X_PB, owner);
  Body body;
  body.name = name;
  body.parent = body_index(parent, owner);
  body.X_PB = X_PB;
  body.inertia = inertia;
  body_names_[name] = int(bodies_.size());
  bodies_.push_back(std::move(body));
  return *this;
}

ModelBuilder& ModelBuilder::add_kinematic_body(const std::string& name, const Pose& X_WB,
                                               const Inertia& inertia) {
  add_body(name, "world", X_WB, inertia);
  bodies_.back().motion = BodyMotion::kinematic;
  return *this;
}

ModelBuilder& ModelBuilder::add_joint(const std::string& body, Joint joint) {
  if (joint.name.empty()) joint.name = body;
  const int index = body_index(body, format("joint '{}'", joint.name));
  STICTION_USER_CHECK(index != 0, "joint '{}': the world cannot have joints", joint.name);
  check_new_name(joint_names_, "joint", joint.name);
  std::vector<Joint>& joints = bodies_[index].joints;
  joint_names_[joint.name] = {index, int(joints.size())};
  joints.push_back(std::move(joint));
  return *this;
}

ModelBuilder& ModelBuilder::add_free_body(const std::string& name, const Pose& X_WB, const Inertia& inertia) {
  check_new_name(joint_names_, "joint", name);
  add_body(name, "world", X_WB, inertia);
  Joint joint;
  joint.type = JointType::free;
  return add_joint(name, joint);
}

ModelBuilder& ModelBuilder::add_frame(const std::string& name, const std::string& body, const Pose& X_BF) {
  check_new_name(frame_names_, "frame", name);
  const std::string owner = format("frame '{}'", name);
  check_pose(X_BF, owner);
  frames_.push_back({name, body_index(body, owner), X_BF});
  frame_names_[name] = int(frames_.size()) - 1;
  return *this;
}

ModelBuilder& ModelBuilder::add_shape(const std::string& name, const std::string& body, const Pose& X_BS,
                                      const Shape& shape, double rounding) {
  check_new_name(shape_names_, "shape", name);
  const std::string owner = format("shape '{}'", name);
  check_pose(X_BS, owner);
  const std::string defect = shape_defect(shape);
  STICTION_USER_CHECK(defect.empty(), "{}: the {} {}", owner, name_of(shape), defect);
  STICTION_USER_CHECK(std::isfinite(rounding) && rounding >= 0.0,
                      "{}: rounding {} m must be finite and not negative", owner, rounding);
  shapes_.push_back({name, body_index(body, owner), X_BS, shape, rounding, {}, Vec3::Zero()});
  shape_names_[name] = int(shapes_.size()) - 1;
  return *this;
}

ModelBuilder& ModelBuilder::add_solid(const std::string& name, const std::string& body, const Pose& X_BS,
                                      const Shape& shape, double density) {
  STICTION_USER_CHECK(std::isfinite(density) && density > 0.0,
                      "shape '{}': density {} kg/m^3 must be positive and finite", name, density);
  STICTION_USER_CHECK(std::isfinite(volume(shape)), "shape '{}': a {} has no mass", name, name_of(shape));
  add_shape(name, body, X_BS, shape);
  Inertia& inertia = bodies_[shapes_.back().body].inertia;
  inertia = inertia + solid_inertia(shape, density).in_frame(X_BS);
  return *this;
}

ModelBuilder& ModelBuilder::set_properties(const std::string& shape, const ShapeProperties& properties) {
  const int index = shape_index(shape, "properties");
  elements_.shapes.resize(shapes_.size());
  elements_.shapes[index] = properties;
  return *this;
}

ModelBuilder& ModelBuilder::set_material(const std::string& shape, const ContactMaterial& material) {
  const int index = shape_index(shape, "material");
  check_material(material, format("shape '{}'", shape).c_str());
  shapes_[index].contact = material;
  return *this;
}

ModelBuilder& ModelBuilder::set_surface_velocity(const std::string& shape, const Vec3& v_B) {
  const int index = shape_index(shape, "surface velocity");
  STICTION_USER_CHECK(v_B.allFinite(), "shape '{}': its surface velocity is not finite", shape);
  shapes_[index].surface_velocity = v_B;
  return *this;
}

ModelBuilder& ModelBuilder::exclude_contacts(const std::string& body1, const std::string& body2) {
  for (const std::string& body : {body1, body2}) body_index(body, "contacts to exclude");
  elements_.excludes.push_back({format("{}-{}", body1, body2), body1, body2});
  return *this;
}

ModelBuilder& ModelBuilder::add_collision_group(const CollisionGroup& group) {
  std::vector<CollisionGroup>& groups = elements_.collision_groups;
  const auto is_there = [&groups](const std::string& name) {
    return std::any_of(groups.begin(), groups.end(), [&](const CollisionGroup& g) { return g.name == name; });
  };
  const std::string asked_by = format("collision group '{}'", group.name);
  STICTION_USER_CHECK(!group.name.empty(), "a collision group has no name");
  STICTION_USER_CHECK(!is_there(group.name), "there is already a {}", asked_by);
  for (const std::string& body : group.bodies) body_index(body, asked_by);
  for (const std::string& shape : group.shapes) shape_index(shape, asked_by);
  for (const std::string& other : group.ignores)
    STICTION_USER_CHECK(other == group.name || is_there(other), "{}: there is no group '{}' to ignore",
                        asked_by, other);
  groups.push_back(group);
  return *this;
}

ModelBuilder& ModelBuilder::add_sensor(const Sensor& sensor) {
  for (const Sensor& other : elements_.sensors)
    STICTION_USER_CHECK(sensor.name.empty() || other.name != sensor.name, "there is already a sensor '{}'",
                        sensor.name);
  elements_.sensors.push_back(sensor);
  return *this;
}

ModelBuilder& ModelBuilder::add_contact_pair(const std::string& shape1, const std::string& shape2,
                                             double margin) {
  for (const std::string& shape : {shape1, shape2}) shape_index(shape, "pair");
  ContactPair pair;
  pair.name = format("{}-{}", shape1, shape2);
  pair.shape1 = shape1;
  pair.shape2 = shape2;
  pair.margin = margin;
  elements_.pairs.push_back(std::move(pair));
  return *this;
}

ModelBuilder& ModelBuilder::set_gravity(const Vec3& gravity) {
  gravity_ = gravity;
  return *this;
}

ModelBuilder& ModelBuilder::set_initial(const std::string& joint, const std::vector<double>& q) {
  const Joint& there = find_joint(joint, "initial position");
  const int expected = num_positions(there.type);
  STICTION_USER_CHECK(int(q.size()) == expected, "joint '{}': a {} joint has {} positions, not {}", joint,
                      name_of(there.type), expected, q.size());
  for (double value : q)
    STICTION_USER_CHECK(std::isfinite(value), "joint '{}': initial position is not finite", joint);
  std::vector<double> unit = q;
  if (has_quaternion(there.type)) {
    Eigen::Map<Vec4> quaternion(unit.data());
    STICTION_USER_CHECK(quaternion.norm() > 0.0, "joint '{}': the quaternion of its initial position is zero",
                        joint);
    quaternion.normalize();
  }
  initial_[joint] = std::move(unit);
  return *this;
}

ModelBuilder& ModelBuilder::set_initial_velocity(const std::string& joint, const std::vector<double>& v) {
  const Joint& there = find_joint(joint, "initial velocity");
  const int expected = num_velocities(there.type);
  STICTION_USER_CHECK(int(v.size()) == expected, "joint '{}': a {} joint has {} velocities, not {}", joint,
                      name_of(there.type), expected, v.size());
  for (double value : v)
    STICTION_USER_CHECK(std::isfinite(value), "joint '{}': initial velocity is not finite", joint);
  initial_velocity_[joint] = v;
  return *this;
}

ModelBuilder& ModelBuilder::attach(const Model& other, const std::string& parent, const Pose& X_PA,
                                   const std::string& prefix) {
  const std::string owner = format("model '{}'", other.name);
  check_pose(X_PA, owner);
  // The frame of the other model's world: body and pose in that body.
  Frame place = attachment(parent, owner);
  place.X_BF = place.X_BF * X_PA;
  const Pose X_WA = reference_pose(place.body) * place.X_BF;

  const std::size_t first_actuator = elements_.actuators.size(), first_mocap = elements_.mocap_bodies.size();
  const Body& world = other.forest.bodies[0];
  bodies_[place.body].inertia = bodies_[place.body].inertia + world.inertia.in_frame(place.X_BF);
  const int first = int(bodies_.size()) - 1;  // body i of the other model becomes body first + i
  for (int i = 1; i < int(other.forest.bodies.size()); ++i) add_copy_of_body(other, i, place, prefix);

  // Rods, ropes, bushings and loop closures between sites use an empty name for the world's frame.
  if (names_the_world_frame(other.elements))
    add_frame(prefix + "world", bodies_[place.body].name, place.X_BF);

  const auto new_body = [&](int body) { return bodies_[body == 0 ? place.body : first + body].name; };
  const auto new_pose = [&](int body, const Pose& X) { return body == 0 ? place.X_BF * X : X; };
  for (const Frame& frame : other.frames)
    add_frame(prefix + frame.name, new_body(frame.body), new_pose(frame.body, frame.X_BF));
  append(other.elements, {prefix, bodies_[place.body].name, place.X_BF, shapes_.size(), other.shapes.size()},
         &elements_);
  for (const PlacedShape& shape : other.shapes) {
    add_shape(prefix + shape.name, new_body(shape.body), new_pose(shape.body, shape.X_BS), shape.shape,
              shape.rounding);
    shapes_.back().contact = shape.contact;
    shapes_.back().surface_velocity =
        shape.body == 0 ? Vec3(place.X_BF.R * shape.surface_velocity) : shape.surface_velocity;
  }

  for (int j = 0; j < int(other.forest.joints.size()); ++j) {
    const JointIndices& from = other.forest.joints[j];
    const JointType type = other.forest.joint(j).type;
    set_initial(prefix + other.forest.joint(j).name, moved_positions(type, from, other.q0, X_WA));
    if (other.v0.size() == 0) continue;
    set_initial_velocity(prefix + other.forest.joint(j).name, moved_velocities(type, from, other.v0, X_WA));
  }
  attach_keyframes(other, X_WA, prefix, first_actuator, first_mocap);
  return *this;
}

void ModelBuilder::attach_keyframes(const Model& other, const Pose& X_WA, const std::string& prefix,
                                    std::size_t first_actuator, std::size_t first_mocap) {
  for (const Keyframe& key : other.elements.keyframes) {
    AttachedKey part{key, {}, {}, first_actuator, first_mocap};
    if (!key.name.empty()) part.key.name = prefix + key.name;
    for (int j = 0; j < int(other.forest.joints.size()); ++j) {
      const JointIndices& from = other.forest.joints[j];
      const JointType type = other.forest.joint(j).type;
      const std::string name = prefix + other.forest.joint(j).name;
      if (key.q.size() > 0) part.q[name] = moved_positions(type, from, key.q, X_WA);
      if (key.v.size() > 0) part.v[name] = moved_velocities(type, from, key.v, X_WA);
    }
    for (std::size_t i = 0; i + 3 <= key.mocap_positions.size(); i += 3) {
      const Vec3 p = X_WA * Eigen::Map<const Vec3>(key.mocap_positions.data() + i);
      std::copy(p.data(), p.data() + 3, part.key.mocap_positions.data() + i);
    }
    for (std::size_t i = 0; i + 4 <= key.mocap_quaternions.size(); i += 4) {
      const Vec4 turn = quaternion_from_rotation(X_WA.R);
      const Vec4 turned = quaternion_product<double>(turn, Vec4(key.mocap_quaternions.data() + i));
      std::copy(turned.data(), turned.data() + 4, part.key.mocap_quaternions.data() + i);
    }
    attached_keys_.push_back(std::move(part));
  }
}

// Everything that the other model does not have is as in the initial state.
Keyframe ModelBuilder::whole(const AttachedKey& part, const Model& model) const {
  Keyframe key = part.key;
  const auto is_taken = [&](const std::string& name) {
    const std::vector<Keyframe>& all = model.elements.keyframes;
    return std::any_of(all.begin(), all.end(), [&](const Keyframe& k) { return k.name == name; });
  };
  for (int i = 2; !key.name.empty() && is_taken(key.name); ++i) key.name = format("{}_{}", part.key.name, i);
  if (key.q.size() > 0) key.q = model.q0;
  if (key.v.size() > 0) key.v = model.v0;
  for (int j = 0; j < int(model.forest.joints.size()); ++j) {
    const std::string& name = model.forest.joint(j).name;
    const auto q = part.q.find(name), v = part.v.find(name);
    const JointIndices& to = model.forest.joints[j];
    if (q != part.q.end()) std::copy(q->second.begin(), q->second.end(), key.q.data() + to.q_begin);
    if (v != part.v.end()) std::copy(v->second.begin(), v->second.end(), key.v.data() + to.v_begin);
  }

  // Numbers in a list of all actuators, or of all bodies that are moved from outside.
  const auto placed = [](const std::vector<double>& numbers, std::size_t first, std::vector<double> all) {
    if (numbers.empty() || first + numbers.size() > all.size()) return std::vector<double>();
    std::copy(numbers.begin(), numbers.end(), all.begin() + std::ptrdiff_t(first));
    return all;
  };
  const std::vector<Actuator>& actuators = model.elements.actuators;
  const auto first_activation = std::count_if(
      actuators.begin(), actuators.begin() + std::ptrdiff_t(part.first_actuator), has_activation);
  key.controls = placed(key.controls, part.first_actuator, std::vector<double>(actuators.size(), 0.0));
  key.activations = placed(key.activations, std::size_t(first_activation),
                           std::vector<double>(std::size_t(model.num_activations()), 0.0));
  std::vector<double> places, turns;
  for (const std::string& name : model.elements.mocap_bodies) {
    const Pose& X = bodies_[std::size_t(body_index(name, "keyframe"))].X_PB;
    const Vec4 turn = quaternion_from_rotation(X.R);
    places.insert(places.end(), X.p.data(), X.p.data() + 3);
    turns.insert(turns.end(), turn.data(), turn.data() + 4);
  }
  key.mocap_positions = placed(key.mocap_positions, 3 * part.first_mocap, places);
  key.mocap_quaternions = placed(key.mocap_quaternions, 4 * part.first_mocap, turns);
  return key;
}

void ModelBuilder::add_copy_of_body(const Model& other, int index, const Frame& parent,
                                    const std::string& prefix) {
  Body copy = other.forest.bodies[index];
  const bool stays_on_world = is_free(copy) || copy.motion == BodyMotion::kinematic;
  if (stays_on_world) {
    // Its ancestors, if any, are static: the pose in the other model's world is a product of constants.
    for (int p = copy.parent; p != 0; p = other.forest.bodies[p].parent)
      copy.X_PB = other.forest.bodies[p].X_PB * copy.X_PB;
    copy.X_PB = reference_pose(parent.body) * parent.X_BF * copy.X_PB;
  } else if (copy.parent == 0) {
    copy.X_PB = parent.X_BF * copy.X_PB;
  }
  const std::string parent_name = stays_on_world     ? "world"
                                  : copy.parent == 0 ? bodies_[parent.body].name
                                                     : prefix + other.forest.bodies[copy.parent].name;
  add_body(prefix + copy.name, parent_name, copy.X_PB, copy.inertia);
  bodies_.back().motion = copy.motion;

  for (Joint joint : copy.joints) {
    joint.name = prefix + joint.name;
    if (joint.mimic) joint.mimic->joint = prefix + joint.mimic->joint;
    // The rest pose of a free body's spring, if given at all, is in world axes.
    const bool has_neutral = Eigen::Map<const Vec4>(joint.neutral.data()).norm() > 0.0;
    if (joint.type == JointType::free && has_neutral)
      change_frame(reference_pose(parent.body) * parent.X_BF, joint.neutral.data());
    add_joint(prefix + copy.name, std::move(joint));
  }
}

Model ModelBuilder::build() const {
  Model model;
  model.name = name_;
  for (const Body& body : bodies_) {
    for (const Joint& joint : body.joints) {
      if (joint.mimic)
        STICTION_USER_CHECK(joint_names_.count(joint.mimic->joint) == 1, "joint '{}' follows another: {}",
                            joint.name,
                            unknown_name_message("joint", joint.mimic->joint, names_in(joint_names_)));
    }
  }
  model.forest = make_forest(bodies_, gravity_);
  model.frames = frames_;
  model.shapes = shapes_;
  model.elements = elements_;
  if (!model.elements.shapes.empty()) model.elements.shapes.resize(shapes_.size());
  model.q0 = reference_positions(model.forest);
  for (int j = 0; j < int(model.forest.joints.size()); ++j) {
    const auto given = initial_.find(model.forest.joint(j).name);
    if (given == initial_.end()) continue;
    std::copy(given->second.begin(), given->second.end(), model.q0.data() + model.forest.joints[j].q_begin);
  }
  model.v0 = VecX::Zero(model.num_v());
  for (int j = 0; j < int(model.forest.joints.size()); ++j) {
    const auto given = initial_velocity_.find(model.forest.joint(j).name);
    if (given == initial_velocity_.end()) continue;
    std::copy(given->second.begin(), given->second.end(), model.v0.data() + model.forest.joints[j].v_begin);
  }
  for (const AttachedKey& part : attached_keys_) model.elements.keyframes.push_back(whole(part, model));
  check_keyframes(model);
  return model;
}

int ModelBuilder::body_index(const std::string& name, std::string_view asked_by) const {
  const auto found = body_names_.find(name);
  STICTION_USER_CHECK(found != body_names_.end(), "{}: {}", asked_by,
                      unknown_name_message("body", name, names_in(body_names_)));
  return found->second;
}

int ModelBuilder::shape_index(const std::string& name, std::string_view asked_by) const {
  const auto found = shape_names_.find(name);
  STICTION_USER_CHECK(found != shape_names_.end(), "{}: {}", asked_by,
                      unknown_name_message("shape", name, names_in(shape_names_)));
  return found->second;
}

Joint& ModelBuilder::find_joint(const std::string& name, std::string_view asked_by) {
  const auto found = joint_names_.find(name);
  STICTION_USER_CHECK(found != joint_names_.end(), "{}: {}", asked_by,
                      unknown_name_message("joint", name, names_in(joint_names_)));
  return bodies_[found->second.body].joints[found->second.index_in_body];
}

void ModelBuilder::check_frame(const std::string& name, std::string_view asked_by) const {
  STICTION_USER_CHECK(name.empty() || frame_names_.find(name) != frame_names_.end(), "{}: {}", asked_by,
                      unknown_name_message("frame", name, names_in(frame_names_)));
}

Frame ModelBuilder::attachment(const std::string& body_or_frame, std::string_view asked_by) const {
  const auto body = body_names_.find(body_or_frame);
  if (body != body_names_.end()) return {body_or_frame, body->second, Pose{}};
  const auto frame = frame_names_.find(body_or_frame);
  if (frame != frame_names_.end()) return frames_[frame->second];
  std::vector<std::string> names = names_in(body_names_);
  const std::vector<std::string> frame_names = names_in(frame_names_);
  names.insert(names.end(), frame_names.begin(), frame_names.end());
  throw_user_error(format("{}: {}", asked_by, unknown_name_message("body or frame", body_or_frame, names)));
}

Pose ModelBuilder::reference_pose(int body) const {
  Pose X_WB;
  for (int b = body; b != 0; b = bodies_[b].parent) X_WB = bodies_[b].X_PB * X_WB;
  return X_WB;
}

}  // namespace stiction
