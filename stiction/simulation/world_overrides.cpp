// Numbers of the model in one world alone: the world's own copy of the model is changed, and what depends on
// it is made again.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/simulation/model/overrides.h"
#include "stiction/simulation/world.h"

namespace stiction {

Model* World::own_model() {
  if (!owns_model_) {
    model_ = std::make_shared<Model>(*model_);
    owns_model_ = true;
  }
  // It was made as a model that can change.
  return const_cast<Model*>(model_.get());
}

void World::refresh(ModelChange change) {
  refresh_tables(*model_, change, pair_overrides_, &record_);
  sensors_.reset();
}

void World::set_mass(std::string_view body, double mass) {
  const std::vector<Vec3> before = centres_of_free_bodies(model_->forest);
  stiction::set_mass(body, mass, own_model());
  refresh_bodies(before);
}

void World::set_inertia(std::string_view body, const Inertia& inertia) {
  const std::vector<Vec3> before = centres_of_free_bodies(model_->forest);
  stiction::set_inertia(body, inertia, own_model());
  refresh_bodies(before);
}

void World::refresh_bodies(const std::vector<Vec3>& centres_before) {
  keep_motion(model_->forest, centres_before, state_.q, &state_.v);
  keep_motion(model_->forest, centres_before, next_.q, &next_.v);
  refresh(ModelChange::bodies);
}

void World::set_joint_damping(std::string_view joint, double damping) {
  stiction::set_joint_damping(joint, damping, own_model());
  refresh(ModelChange::joints);
}

void World::set_joint_armature(std::string_view joint, double armature) {
  stiction::set_joint_armature(joint, armature, own_model());
  refresh(ModelChange::joints);
}

void World::set_joint_stiffness(std::string_view joint, double stiffness) {
  stiction::set_joint_stiffness(joint, stiffness, own_model());
  refresh(ModelChange::joints);
}

void World::set_joint_friction(std::string_view joint, double force) {
  stiction::set_joint_friction(joint, force, own_model());
  refresh(ModelChange::joints);
}

void World::set_friction(std::string_view shape, double mu) {
  stiction::set_friction(shape, mu, own_model());
  refresh(ModelChange::surfaces);
}

void World::set_stiffness(std::string_view shape, double stiffness) {
  stiction::set_stiffness(shape, stiffness, own_model());
  refresh(ModelChange::surfaces);
}

void World::set_material(std::string_view shape, const ContactMaterial& material) {
  stiction::set_material(shape, material, own_model());
  refresh(ModelChange::surfaces);
}

PairOverride& World::pair_override(std::string_view shape1, std::string_view shape2) {
  const int i = model_->shape(shape1), j = model_->shape(shape2);
  const IndexPair pair{std::min(i, j), std::max(i, j)};
  for (PairOverride& given : pair_overrides_)
    if (given.shapes == pair) return given;
  pair_overrides_.push_back({pair, std::nullopt, std::nullopt});
  return pair_overrides_.back();
}

void World::set_pair_friction(std::string_view shape1, std::string_view shape2, double mu) {
  STICTION_USER_CHECK(std::isfinite(mu) && mu >= 0.0,
                      "the friction of '{}' and '{}' must be finite and not negative, not {}", shape1, shape2,
                      mu);
  pair_override(shape1, shape2).friction = mu;
  refresh(ModelChange::surfaces);
}

void World::set_pair_stiffness(std::string_view shape1, std::string_view shape2, double stiffness) {
  STICTION_USER_CHECK(std::isfinite(stiffness) && stiffness > 0.0,
                      "the stiffness of '{}' and '{}' must be positive and finite, not {}", shape1, shape2,
                      stiffness);
  pair_override(shape1, shape2).stiffness = stiffness;
  refresh(ModelChange::surfaces);
}

void World::set_gain(std::string_view actuator, double gain) {
  stiction::set_gain(actuator, gain, own_model());
  refresh(ModelChange::actuators);
}

void World::set_gain(std::string_view actuator, double kp, double kv) {
  stiction::set_gain(actuator, kp, kv, own_model());
  refresh(ModelChange::actuators);
}

void World::set_force_range(std::string_view actuator, double lower, double upper) {
  stiction::set_force_range(actuator, lower, upper, own_model());
  refresh(ModelChange::actuators);
}

void World::set_gravity(const Vec3& gravity) {
  stiction::set_gravity(gravity, own_model());
  refresh(ModelChange::gravity);
}

}  // namespace stiction
