#include "stiction/simulation/model_tables.h"

#include <algorithm>

#include "stiction/simulation/contact/mujoco_points.h"
#include "stiction/simulation/contact/tree_branches.h"

namespace stiction {
namespace {

// Updates the frames of the shapes on their nodes, which a change of masses may move, and the gravity.
std::shared_ptr<const CollisionModel> replaced(const CollisionModel& collision, const Model& model) {
  auto out = std::make_shared<CollisionModel>(collision);
  out->gravity = model.forest.gravity.norm();
  for (CollisionItem& item : out->items)
    item.X_NS = model.forest.places[item.body].X_NB * model.shapes[item.shape].X_BS;
  return out;
}

// Updates the pressure fields, which come from the materials.
std::shared_ptr<const CollisionModel> with_fields(const std::shared_ptr<const CollisionModel>& before,
                                                  const Model& model) {
  const bool has_modulus =
      std::any_of(model.shapes.begin(), model.shapes.end(),
                  [](const PlacedShape& shape) { return shape.contact.pressure_modulus.has_value(); });
  if (!has_modulus && !before->has_fields) return before;
  auto out = std::make_shared<CollisionModel>(*before);
  set_pressure_fields(model, out.get());
  return out;
}

}  // namespace

ModelTables::ModelTables(const Model& model)
    : collision(make_collision_model(model)),
      contact(make_contact_model(model, *collision)),
      actuation(std::make_shared<const ActuationModel>(model)),
      stiffness(make_default_stiffness(model, *collision, *actuation)),
      body_forces(std::make_shared<const BodyForcesModel>(model)),
      constraints(std::make_shared<const ConstraintModel>(model, *actuation)) {
  for (const Tree& tree : model.forest.trees) {
    ProblemTree out;
    out.num_v = tree.num_v();
    out.is_free_body = tree.is_free_body;
    out.branch_begin = static_cast<int>(branches.size());
    add_branches(model.forest, tree, &branches);
    out.branch_end = static_cast<int>(branches.size());
    trees.push_back(out);
  }
  for (const PlacedShape& shape : model.shapes)
    has_surface_velocities = has_surface_velocities || !shape.surface_velocity.isZero();
}

std::shared_ptr<const ModelTables> updated_tables(const ModelTables& before, const Model& changed,
                                                  ModelChange change) {
  if (change == ModelChange::shapes) return std::make_shared<const ModelTables>(changed);
  auto tables = std::make_shared<ModelTables>(before);
  const bool weighs = change == ModelChange::bodies || change == ModelChange::gravity;
  if (weighs) {
    tables->collision = replaced(*before.collision, changed);
    tables->body_forces = std::make_shared<const BodyForcesModel>(changed);
  }
  if (change == ModelChange::surfaces) tables->collision = with_fields(before.collision, changed);
  if (weighs || change == ModelChange::surfaces)
    tables->contact = make_contact_model(changed, *tables->collision);
  const bool drives =
      change == ModelChange::bodies || change == ModelChange::joints || change == ModelChange::actuators;
  if (drives) {
    tables->actuation = std::make_shared<const ActuationModel>(changed);
    tables->constraints = std::make_shared<const ConstraintModel>(changed, *tables->actuation);
  }
  if (weighs || drives)
    tables->stiffness = make_default_stiffness(changed, *tables->collision, *tables->actuation);
  return tables;
}

PairMaterial ModelTables::pair(int i, int j, double h) const {
  PairMaterial material = contact->pair(i, j);
  if (material.table >= 0) {
    const double points = mujoco_points(*collision, material, i, j);
    if (points > 1.0) set_for_points(contact->soft, points, i, j, &material);
  }
  if (!material.stiffness_is_given) set_stiffness(stiffness->of(i, j, h), &material);
  return material;
}

CompiledTables::CompiledTables(CompiledTables&& other) noexcept {
  set(other.tables_);
  other.set(nullptr);
}

// Tables belong to one model: a copied model compiles its own.
CompiledTables& CompiledTables::operator=(const CompiledTables& other) {
  if (this != &other) set(nullptr);
  return *this;
}

CompiledTables& CompiledTables::operator=(CompiledTables&& other) noexcept {
  if (this == &other) return *this;
  set(other.tables_);
  other.set(nullptr);
  return *this;
}

const ModelTables& CompiledTables::of(const Model& model) const {
  if (const ModelTables* ready = ready_.load(std::memory_order_acquire)) return *ready;
  return *shared(model);
}

std::shared_ptr<const ModelTables> CompiledTables::shared(const Model& model) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!tables_) {
    tables_ = std::make_shared<const ModelTables>(model);
    ready_.store(tables_.get(), std::memory_order_release);
  }
  return tables_;
}

void CompiledTables::set(std::shared_ptr<const ModelTables> tables) {
  tables_ = std::move(tables);
  ready_.store(tables_.get(), std::memory_order_release);
}

}  // namespace stiction
