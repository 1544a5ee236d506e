#include "stiction/simulation/model/overrides.h"

#include <cmath>
#include <limits>
#include <utility>

#include "stiction/base/check.h"

namespace stiction {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Drops the tables that were compiled before a change.
void drop_tables(Model* model) { model->compiled.set(nullptr); }

void check_not_negative(const char* what, std::string_view owner, double value) {
  STICTION_USER_CHECK(std::isfinite(value) && value >= 0.0,
                      "{} of '{}' must be finite and not negative, not {}", what, owner, value);
}

void check_positive(const char* what, std::string_view owner, double value) {
  STICTION_USER_CHECK(std::isfinite(value) && value > 0.0, "{} of '{}' must be positive and finite, not {}",
                      what, owner, value);
}

// Builds the forest again from changed bodies; velocities that the model stores keep their meaning.
void replace_bodies(std::vector<Body> bodies, Model* model) {
  Forest forest = make_forest(std::move(bodies), model->forest.gravity);
  const std::vector<Vec3> before = centres_of_free_bodies(model->forest);
  model->forest = std::move(forest);
  keep_motion(model->forest, before, model->q0, &model->v0);
  for (Keyframe& key : model->elements.keyframes)
    keep_motion(model->forest, before, key.q.size() > 0 ? key.q : model->q0, &key.v);
}

void set_of_joint(std::string_view joint, PerDof Joint::*number, const char* what, double value,
                  Model* model) {
  drop_tables(model);
  const JointIndices& place = model->forest.joints[model->joint(joint)];
  check_not_negative(what, joint, value);
  std::vector<Body> bodies = model->forest.bodies;
  bodies[place.body].joints[place.index_in_body].*number = per_dof(value);
  replace_bodies(std::move(bodies), model);
}

// Whether the contact properties of a shape come from MuJoCo's rules alone.
bool is_by_mujoco_rules(const Model& model, int shape) {
  return model.elements.mujoco_contact && !gives_friction(model.shapes[shape].contact);
}

// Sets one number of a surface that is not negative.
void set_of_surface(std::string_view shape, std::optional<double> ContactMaterial::*number, const char* what,
                    double value, Model* model) {
  drop_tables(model);
  const int index = model->shape(shape);
  check_not_negative(what, shape, value);
  model->shapes[index].contact.*number = value;
}

// Sets the sizes of a shape; false: it has none, or another number of them.
class SetSize {
 public:
  explicit SetSize(std::span<const double> size) : size_(size) {}
  bool operator()(Sphere& s) const { return set({&s.radius}); }
  bool operator()(Box& b) const { return set(b.half_extents); }
  bool operator()(Cylinder& c) const { return set({&c.radius, &c.length}); }
  bool operator()(Capsule& c) const { return set({&c.radius, &c.length}); }
  bool operator()(Ellipsoid& e) const { return set(e.radii); }
  bool operator()(Superellipsoid& e) const { return set(e.radii); }
  template <class Other>
  bool operator()(Other&) const {
    return false;
  }

 private:
  bool set(std::initializer_list<double*> members) const {
    if (members.size() != size_.size()) return false;
    std::size_t i = 0;
    for (double* member : members) *member = size_[i++];
    return true;
  }
  bool set(Vec3& member) const { return set({&member[0], &member[1], &member[2]}); }

  std::span<const double> size_;
};

// An actuator whose gain is one number.
Actuator& with_gain(std::string_view name, Model* model) {
  Actuator& actuator = model->elements.actuators[model->actuator(name)];
  STICTION_USER_CHECK(actuator.gain == "fixed", "actuator '{}' has a gain of the kind '{}', not one number",
                      name, actuator.gain);
  return actuator;
}

bool is_position_servo(const Actuator& actuator) {
  const double gain = actuator.gain_parameters[0];
  return actuator.bias == "affine" && gain != 0.0 && actuator.bias_parameters[1] == -gain;
}

bool is_velocity_servo(const Actuator& actuator) {
  const double gain = actuator.gain_parameters[0];
  return actuator.bias == "affine" && gain != 0.0 && actuator.bias_parameters[1] == 0.0 &&
         actuator.bias_parameters[2] == -gain;
}

}  // namespace

bool gives_friction(const ContactMaterial& material) {
  ContactMaterial rest = material;
  for (auto* number : {&rest.stiffness, &rest.dissipation, &rest.relaxation_time, &rest.restitution,
                       &rest.pressure_modulus, &rest.pressure_depth})
    number->reset();
  rest.facets.reset();
  return !(rest == ContactMaterial());
}

void set_mass(std::string_view body, double mass, Model* model) {
  drop_tables(model);
  const int index = model->body(body);
  check_positive("the mass", body, mass);
  Inertia inertia = model->forest.bodies[index].inertia;
  STICTION_USER_CHECK(inertia.mass > 0.0, "body '{}' has no mass that could be scaled; set its inertia",
                      body);
  inertia.I_com *= mass / inertia.mass;
  inertia.mass = mass;
  set_inertia(body, inertia, model);
}

void set_inertia(std::string_view body, const Inertia& inertia, Model* model) {
  drop_tables(model);
  const int index = model->body(body);
  STICTION_USER_CHECK(index > 0, "body '{}' is the world: it has no mass", body);
  std::vector<Body> bodies = model->forest.bodies;
  bodies[index].inertia = inertia;
  replace_bodies(std::move(bodies), model);
}

void set_centre_of_mass(std::string_view body, const Vec3& com, Model* model) {
  drop_tables(model);
  STICTION_USER_CHECK(com.allFinite(), "the centre of mass of '{}' is not finite", body);
  Inertia inertia = model->forest.bodies[model->body(body)].inertia;
  inertia.com = com;
  set_inertia(body, inertia, model);
}

void set_joint_damping(std::string_view joint, double damping, Model* model) {
  drop_tables(model);
  set_of_joint(joint, &Joint::damping, "the damping", damping, model);
}

void set_joint_armature(std::string_view joint, double armature, Model* model) {
  drop_tables(model);
  set_of_joint(joint, &Joint::armature, "the armature", armature, model);
}

void set_joint_stiffness(std::string_view joint, double stiffness, Model* model) {
  drop_tables(model);
  set_of_joint(joint, &Joint::stiffness, "the stiffness", stiffness, model);
}

void set_joint_friction(std::string_view joint, double force, Model* model) {
  drop_tables(model);
  set_of_joint(joint, &Joint::friction_loss, "the dry friction", force, model);
}

void set_friction(std::string_view shape, double mu, Model* model) {
  drop_tables(model);
  const int index = model->shape(shape);
  check_not_negative("the friction", shape, mu);
  if (!is_by_mujoco_rules(*model, index)) {
    model->shapes[index].contact.static_friction = mu;
    model->shapes[index].contact.dynamic_friction.reset();
    return;
  }
  std::vector<ShapeProperties>& all = model->elements.shapes;
  if (all.empty()) all.resize(model->shapes.size());
  all[index].friction[0] = mu;
  if (all[index].condim == 1 && mu > 0.0) all[index].condim = 3;
}

void set_stiffness(std::string_view shape, double stiffness, Model* model) {
  drop_tables(model);
  const int index = model->shape(shape);
  check_positive("the stiffness", shape, stiffness);
  model->shapes[index].contact.stiffness = stiffness;
}

void set_dissipation(std::string_view shape, double dissipation, Model* model) {
  set_of_surface(shape, &ContactMaterial::dissipation, "the dissipation", dissipation, model);
}

void set_relaxation_time(std::string_view shape, double time, Model* model) {
  set_of_surface(shape, &ContactMaterial::relaxation_time, "the relaxation time", time, model);
}

void set_restitution(std::string_view shape, double restitution, Model* model) {
  set_of_surface(shape, &ContactMaterial::restitution, "the restitution", restitution, model);
}

void set_material(std::string_view shape, const ContactMaterial& material, Model* model) {
  drop_tables(model);
  const int index = model->shape(shape);
  check_material(material, format("shape '{}'", shape).c_str());
  model->shapes[index].contact = material;
}

void set_size(std::string_view shape, std::span<const double> size, Model* model) {
  drop_tables(model);
  const int index = model->shape(shape);
  Shape changed = model->shapes[index].shape;
  const auto count = size.size();
  STICTION_USER_CHECK(std::visit(SetSize(size), changed),
                      "shape '{}' is a {}: it does not have a size of {} {}", shape, name_of(changed), count,
                      count == 1 ? "number" : "numbers");
  const std::string defect = shape_defect(changed);
  STICTION_USER_CHECK(defect.empty(), "shape '{}': the {} {}", shape, name_of(changed), defect);
  model->shapes[index].shape = changed;
}

void set_gain(std::string_view actuator, double gain, Model* model) {
  drop_tables(model);
  Actuator& a = with_gain(actuator, model);
  check_positive("the gain", actuator, gain);
  if (is_position_servo(a)) {
    a.bias_parameters[1] = -gain;
  } else if (is_velocity_servo(a)) {
    a.bias_parameters[2] = -gain;
  }
  a.gain_parameters[0] = gain;
}

void set_gain(std::string_view actuator, double kp, double kv, Model* model) {
  drop_tables(model);
  Actuator& a = with_gain(actuator, model);
  STICTION_USER_CHECK(is_position_servo(a), "actuator '{}' is not a position servo: it has one gain",
                      actuator);
  check_positive("kp", actuator, kp);
  check_not_negative("kv", actuator, kv);
  a.gain_parameters[0] = kp;
  a.bias_parameters[1] = -kp;
  a.bias_parameters[2] = -kv;
}

void set_force_range(std::string_view actuator, double lower, double upper, Model* model) {
  drop_tables(model);
  Actuator& a = model->elements.actuators[model->actuator(actuator)];
  STICTION_USER_CHECK(lower <= upper && lower < kInfinite && upper > -kInfinite,
                      "the force range of '{}' cannot be [{}, {}]", actuator, lower, upper);
  a.force = {lower > -kInfinite || upper < kInfinite, lower, upper};
}

void set_actuator_active(std::string_view actuator, bool active, Model* model) {
  drop_tables(model);
  model->elements.actuators[model->actuator(actuator)].active = active;
}

void set_gravity(const Vec3& gravity, Model* model) {
  drop_tables(model);
  STICTION_USER_CHECK(gravity.allFinite(), "gravity must be finite, not ({}, {}, {})", gravity.x(),
                      gravity.y(), gravity.z());
  model->forest.gravity = gravity;
}

std::vector<Vec3> centres_of_free_bodies(const Forest& forest) {
  std::vector<Vec3> centres(forest.nodes.size(), Vec3::Zero());
  for (std::size_t n = 0; n < centres.size(); ++n) {
    if (forest.nodes[n].kind == NodeKind::free) centres[n] = Eigen::Map<const Vec3>(forest.constants[n].p);
  }
  return centres;
}

void keep_motion(const Forest& forest, const std::vector<Vec3>& centres_before, const VecX& q, VecX* v) {
  if (v->size() == 0) return;
  const std::vector<Vec3> centres = centres_of_free_bodies(forest);
  for (std::size_t n = 0; n < centres.size(); ++n) {
    if (centres[n] == centres_before[n]) continue;
    const Node& node = forest.nodes[n];
    const Mat3 R = rotation_from_quaternion(Vec4(q.segment<4>(node.q_begin)));
    const Vec3 w = v->segment<3>(node.v_begin);
    v->segment<3>(node.v_begin + 3) += w.cross(R * (centres[n] - centres_before[n]));
  }
}

}  // namespace stiction
