#include "bench/race/coal_broad_phase.h"

#include <vector>

#include <coal/broadphase/broadphase_SaP.h>
#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/config.hh>
#include <coal/shape/geometric_shapes.h>

namespace stiction::race {

namespace {

// Counts what the broad phase finds and lets it go on.
struct Counter : coal::CollisionCallBackBase {
  int count = 0;
  bool collide(coal::CollisionObject*, coal::CollisionObject*) override {
    ++count;
    return false;
  }
};

}  // namespace

struct CoalBroadPhase::Implementation {
  std::vector<std::unique_ptr<coal::CollisionObject>> objects;
  std::unique_ptr<coal::BroadPhaseCollisionManager> manager;
  bool is_ready = false;
};

CoalBroadPhase::CoalBroadPhase(Method method, int num_boxes, double half)
    : self_(std::make_unique<Implementation>()) {
  const auto cube = std::make_shared<coal::Box>(2.0 * half, 2.0 * half, 2.0 * half);
  if (method == Method::dynamic_tree)
    self_->manager = std::make_unique<coal::DynamicAABBTreeCollisionManager>();
  else
    self_->manager = std::make_unique<coal::SaPCollisionManager>();
  for (int i = 0; i < num_boxes; ++i) self_->objects.push_back(std::make_unique<coal::CollisionObject>(cube));
}

CoalBroadPhase::~CoalBroadPhase() = default;

std::string CoalBroadPhase::version() { return COAL_VERSION; }

void CoalBroadPhase::move(const double* positions) {
  for (size_t i = 0; i < self_->objects.size(); ++i) {
    coal::CollisionObject& object = *self_->objects[i];
    object.setTranslation(coal::Vec3s(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
    object.computeAABB();
  }
  if (!self_->is_ready) {
    std::vector<coal::CollisionObject*> all;
    for (const auto& object : self_->objects) all.push_back(object.get());
    self_->manager->registerObjects(all);
    self_->manager->setup();
    self_->is_ready = true;
    return;
  }
  self_->manager->update();
}

int CoalBroadPhase::count_pairs() {
  Counter counter;
  counter.init();
  self_->manager->collide(&counter);
  return counter.count;
}

}  // namespace stiction::race
