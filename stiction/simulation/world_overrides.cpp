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

void World::set_centre_of_mass(std::string_view body, const Vec3& com) {
  change_bodies([&](Model* model) { stiction::set_centre_of_mass(body, com, model); });
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

void World::set_dissipation(std::string_view shape, double dissipation) {
  change_model(ModelChange::surfaces,
               [&](Model* model) { stiction::set_dissipation(shape, dissipation, model); });
}

void World::set_relaxation_time(std::string_view shape, double time) {
  change_model(ModelChange::surfaces,
               [&](Model* model) { stiction::set_relaxation_time(shape, time, model); });
}

void World::set_restitution(std::string_view shape, double restitution) {
  change_model(ModelChange::surfaces,
               [&](Model* model) { stiction::set_restitution(shape, restitution, model); });
}

void World::set_size(std::string_view shape, std::span<const double> size) {
  change_model(ModelChange::shapes, [&](Model* model) { stiction::set_size(shape, size, model); });
  // Its search structures have the old size.
  workspace_ = StepWorkspace(*model_);
  has_stepped_ = false;
}

void World::set_material(std::string_view shape, const ContactMaterial& material) {
  change_model(ModelChange::surfaces, [&](Model* model) { stiction::set_material(shape, material, model); });
}

void World::set_pair(std::string_view shape1, std::string_view shape2, const PairNumber& number,
                     double value) {
  const bool is_allowed = number.number == &PairOverride::stiffness ? value > 0.0 : value >= 0.0;
  STICTION_USER_CHECK(std::isfinite(value) && is_allowed,
                      "the {} of '{}' and '{}' must be finite and {}, not {}", number.name, shape1, shape2,
                      number.number == &PairOverride::stiffness ? "positive" : "not negative", value);
  const int i = model_->shape(shape1), j = model_->shape(shape2);
  const std::pair<int, int> shapes{std::min(i, j), std::max(i, j)};
  change_model(ModelChange::surfaces, [&](Model* model) {
    std::vector<PairOverride>& all = model->pair_overrides;
    auto found =
        std::find_if(all.begin(), all.end(), [&](const PairOverride& p) { return p.shapes == shapes; });
    if (found == all.end()) {
      found = all.emplace(all.end());
      found->shapes = shapes;
    }
    (*found).*number.number = value;
  });
}

namespace {

const PairNumber& pair_number(std::optional<double> PairOverride::*member) {
  return *std::find_if(std::begin(kPairNumbers), std::end(kPairNumbers),
                       [&](const PairNumber& row) { return row.number == member; });
}

}  // namespace

void World::set_pair_friction(std::string_view shape1, std::string_view shape2, double mu) {
  set_pair(shape1, shape2, pair_number(&PairOverride::friction), mu);
}

void World::set_pair_stiffness(std::string_view shape1, std::string_view shape2, double stiffness) {
  set_pair(shape1, shape2, pair_number(&PairOverride::stiffness), stiffness);
}

void World::set_pair_dissipation(std::string_view shape1, std::string_view shape2, double dissipation) {
  set_pair(shape1, shape2, pair_number(&PairOverride::dissipation), dissipation);
}

void World::set_pair_relaxation_time(std::string_view shape1, std::string_view shape2, double time) {
  set_pair(shape1, shape2, pair_number(&PairOverride::relaxation_time), time);
}

void World::set_pair_restitution(std::string_view shape1, std::string_view shape2, double restitution) {
  set_pair(shape1, shape2, pair_number(&PairOverride::restitution), restitution);
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

void World::set_actuator_active(std::string_view actuator, bool active) {
  change_model(ModelChange::actuators,
               [&](Model* model) { stiction::set_actuator_active(actuator, active, model); });
}

bool World::is_actuator_active(std::string_view actuator) const {
  return model_->elements.actuators[static_cast<std::size_t>(model_->actuator(actuator))].active;
}

void World::set_gravity(const Vec3& gravity) {
  change_model(ModelChange::gravity, [&](Model* model) { stiction::set_gravity(gravity, model); });
}

}  // namespace stiction
