// Parameters of the model in one world alone: the world's own copy of the model is changed, and new tables
// are compiled for it.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/simulation/model/overrides.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"

namespace stiction {

void World::change_model(ModelChange change, const std::function<void(Model*)>& edit) {
  Model* model = own_model();
  const std::shared_ptr<const ModelTables> before = model->compiled.shared(*model);
  try {
    edit(model);
  } catch (...) {
    model->compiled.set(before);
    throw;
  }
  model->compiled.set(updated_tables(*before, *model, change));
  sensors_.reset();
  energy_audit_.reset();
}

Model* World::own_model() {
  if (!own_model_) {
    own_model_ = std::make_shared<Model>(*model_);
    own_model_->compiled.set(model_->compiled.shared(*model_));
    model_ = own_model_;
  }
  return own_model_.get();
}

// Changes masses; bodies keep their motion.
void World::change_bodies(const std::function<void(Model*)>& edit) {
  const std::vector<Vec3> before = centres_of_free_bodies(model_->forest);
  change_model(ModelChange::bodies, edit);
  keep_motion(model_->forest, before, state_.q, &state_.v);
  keep_motion(model_->forest, before, next_.q, &next_.v);
}

void World::set_mass(std::string_view body, double mass) {
  change_bodies([&](Model* model) { stiction::set_mass(body, mass, model); });
}

void World::set_inertia(std::string_view body, const Inertia& inertia) {
  change_bodies([&](Model* model) { stiction::set_inertia(body, inertia, model); });
}

void World::set_joint_damping(std::string_view joint, double damping) {
  change_model(ModelChange::joints,
               [&](Model* model) { stiction::set_joint_damping(joint, damping, model); });
}

void World::set_joint_armature(std::string_view joint, double armature) {
  change_model(ModelChange::joints,
               [&](Model* model) { stiction::set_joint_armature(joint, armature, model); });
}

void World::set_joint_stiffness(std::string_view joint, double stiffness) {
  change_model(ModelChange::joints,
               [&](Model* model) { stiction::set_joint_stiffness(joint, stiffness, model); });
}

void World::set_joint_friction(std::string_view joint, double force) {
  change_model(ModelChange::joints, [&](Model* model) { stiction::set_joint_friction(joint, force, model); });
}

void World::set_friction(std::string_view shape, double mu) {
  change_model(ModelChange::surfaces, [&](Model* model) { stiction::set_friction(shape, mu, model); });
}

void World::set_stiffness(std::string_view shape, double stiffness) {
  change_model(ModelChange::surfaces,
               [&](Model* model) { stiction::set_stiffness(shape, stiffness, model); });
}

void World::set_material(std::string_view shape, const ContactMaterial& material) {
  change_model(ModelChange::surfaces, [&](Model* model) { stiction::set_material(shape, material, model); });
}

void World::set_pair(std::string_view shape1, std::string_view shape2,
                     std::optional<double> PairOverride::*number, double value) {
  const int i = model_->shape(shape1), j = model_->shape(shape2);
  const std::pair<int, int> shapes{std::min(i, j), std::max(i, j)};
  change_model(ModelChange::surfaces, [&](Model* model) {
    std::vector<PairOverride>& all = model->pair_overrides;
    auto found =
        std::find_if(all.begin(), all.end(), [&](const PairOverride& p) { return p.shapes == shapes; });
    if (found == all.end()) found = all.insert(all.end(), {shapes, std::nullopt, std::nullopt});
    (*found).*number = value;
  });
}

void World::set_pair_friction(std::string_view shape1, std::string_view shape2, double mu) {
  STICTION_USER_CHECK(std::isfinite(mu) && mu >= 0.0,
                      "the friction of '{}' and '{}' must be finite and not negative, not {}", shape1, shape2,
                      mu);
  set_pair(shape1, shape2, &PairOverride::friction, mu);
}

void World::set_pair_stiffness(std::string_view shape1, std::string_view shape2, double stiffness) {
  STICTION_USER_CHECK(std::isfinite(stiffness) && stiffness > 0.0,
                      "the stiffness of '{}' and '{}' must be positive and finite, not {}", shape1, shape2,
                      stiffness);
  set_pair(shape1, shape2, &PairOverride::stiffness, stiffness);
}

void World::set_gain(std::string_view actuator, double gain) {
  change_model(ModelChange::actuators, [&](Model* model) { stiction::set_gain(actuator, gain, model); });
}

void World::set_gain(std::string_view actuator, double kp, double kv) {
  change_model(ModelChange::actuators, [&](Model* model) { stiction::set_gain(actuator, kp, kv, model); });
}

void World::set_force_range(std::string_view actuator, double lower, double upper) {
  change_model(ModelChange::actuators,
               [&](Model* model) { stiction::set_force_range(actuator, lower, upper, model); });
}

void World::set_gravity(const Vec3& gravity) {
  change_model(ModelChange::gravity, [&](Model* model) { stiction::set_gravity(gravity, model); });
}

}  // namespace stiction
