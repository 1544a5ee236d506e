#include "stiction/simulation/collision/collision_record.h"

namespace stiction {
namespace {

std::vector<Extent> extents_of(const CollisionModel& model) {
  std::vector<Extent> extents;
  for (const CollisionItem& item : model.items)
    extents.push_back(item.geometry.kind == ShapeKind::half_space ? Extent::half_space
                      : item.is_static()                          ? Extent::still
                                                                  : Extent::moving);
  return extents;
}

}  // namespace

CollisionRecord::CollisionRecord(std::shared_ptr<const CollisionModel> the_model)
    : motions(the_model->items.size()),
      centres(the_model->items.size(), Vec3::Zero()),
      model(std::move(the_model)),
      broad_phase(model->filter, extents_of(*model)) {
  int num_nodes = 0;
  for (const CollisionItem& item : model->items) num_nodes = std::max(num_nodes, item.node + 1);
  stopped.resize(static_cast<std::size_t>(num_nodes));
  // Static shapes are where they are for good.
  for (int i = 0; i < static_cast<int>(model->items.size()); ++i) {
    const CollisionItem& item = model->items[i];
    if (!item.is_static()) continue;
    motions[i].X_WS = item.X_NS;
    if (item.geometry.kind == ShapeKind::half_space) {
      centres[i] = item.X_NS.p;
      const Vec3 normal = item.X_NS.R.col(2);
      broad_phase.set_half_space(i, normal, normal.dot(item.X_NS.p) + item.reach);
    } else {
      centres[i] = item.X_NS * item.geometry.box_centre;
      const Vec3 half = item.X_NS.R.cwiseAbs() * item.geometry.box_half + Vec3::Constant(item.reach);
      broad_phase.set_box(i, centres[i] - half, centres[i] + half);
    }
  }
  // Room for what a step may bring, so that the steps themselves seldom ask for more.
  constexpr std::size_t kPairsOfAnItem = 8, kPointsOfAnItem = 16;
  pairs.reserve(kPairsOfAnItem * model->items.size());
  last_pairs.reserve(pairs.capacity());
  memories.reserve(pairs.capacity());
  last_memories.reserve(pairs.capacity());
  points.reserve(kPointsOfAnItem * model->items.size());
}

void set_disabled(const DisabledContacts& disabled, const Model& model, CollisionRecord* record) {
  if (disabled == record->disabled) return;
  record->disabled = disabled;
  record->broad_phase.set_filter(pair_filter(model, record->model->shapes, disabled));
}

void clear_contacts(CollisionRecord* record) {
  record->pairs.clear();
  record->points.clear();
}

}  // namespace stiction
