#include "stiction/simulation/collision/collision_record.h"

#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

constexpr std::size_t kPairsOfAnItem = 8, kPointsOfAnItem = 16, kPressurePointsOfAnItem = 128;

std::vector<Extent> extents_of(const CollisionModel& model) {
  std::vector<Extent> extents;
  for (const CollisionItem& item : model.items)
    extents.push_back(item.geometry.kind == ShapeKind::half_space ? Extent::half_space
                      : item.is_static()                          ? Extent::still
                                                                  : Extent::moving);
  return extents;
}

}  // namespace

CollisionRecord::CollisionRecord(const CollisionModel& model)
    : motions(model.items.size()), centres(model.items.size(), Vec3::Zero()) {
  // Static shapes never move.
  for (std::size_t i = 0; i < model.items.size(); ++i) {
    const CollisionItem& item = model.items[i];
    if (!item.is_static()) continue;
    motions[i].X_WS = item.X_NS;
    const bool is_half_space = item.geometry.kind == ShapeKind::half_space;
    centres[i] = is_half_space ? item.X_NS.p : item.X_NS * item.geometry.box_centre;
  }
  // Reserve memory, so that steps seldom allocate.
  pairs.reserve(kPairsOfAnItem * model.items.size());
  points.reserve(kPointsOfAnItem * model.items.size());
  if (model.has_fields) pressure_points.reserve(kPressurePointsOfAnItem * model.items.size());
}

CollisionWorkspace::CollisionWorkspace(const CollisionModel& model)
    : broad_phase(model.filter, extents_of(model)) {
  int num_nodes = 0;
  for (const CollisionItem& item : model.items) num_nodes = std::max(num_nodes, item.node + 1);
  stopped.resize(static_cast<std::size_t>(num_nodes));
  for (int i = 0; i < static_cast<int>(model.items.size()); ++i) {
    const CollisionItem& item = model.items[i];
    if (!item.is_static()) continue;
    if (item.geometry.kind == ShapeKind::half_space) {
      const Vec3 normal = item.X_NS.R.col(2);
      broad_phase.set_half_space(i, normal, normal.dot(item.X_NS.p) + item.reach);
    } else {
      const Vec3 centre = item.X_NS * item.geometry.box_centre;
      const Vec3 half = item.X_NS.R.cwiseAbs() * item.geometry.box_half + Vec3::Constant(item.reach);
      broad_phase.set_box(i, centre - half, centre + half);
    }
  }
  const std::size_t pairs = kPairsOfAnItem * model.items.size();
  last_pairs.reserve(pairs);
  memories.reserve(pairs);
  last_memories.reserve(pairs);
  if (model.has_fields) patches.resize(1);
}

void set_disabled(const DisabledContacts& disabled, const Model& model, CollisionWorkspace* work) {
  if (disabled == work->disabled) return;
  work->disabled = disabled;
  work->broad_phase.set_filter(pair_filter(model, model.tables().collision->shapes, disabled));
}

void clear_contacts(CollisionRecord* record) {
  record->pairs.clear();
  record->points.clear();
  record->pressure_points.clear();
}

}  // namespace stiction
