#pragma once
// What collision detection needs of a model, made once and shared by all worlds of it: the shapes that can
// touch, made ready, where they are on the nodes that move them, and which of them may meet.

#include <memory>
#include <vector>

#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/simulation/collision/collision_filter.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// A shape that can touch.
struct CollisionItem {
  int shape = 0;  // in Model::shapes
  int body = 0;
  int node = -1, kinematic = -1;  // what moves it, as in BodyPlace; both -1: it is static
  Pose X_NS;                      // in the frame of that
  CollisionShape geometry;
  double margin = 0.0;  // m, MJCF's margin + gap of the shape
  double reach = 0.0;   // m, the largest margin that the shape alone brings to one of its pairs

  bool is_static() const { return node < 0 && kinematic < 0; }
};

// A pair that the model lists by name, with its own margin.
struct ListedPair {
  IndexPair items;
  double margin = 0.0;  // m, margin + gap
};

struct CollisionModel {
  std::vector<CollisionItem> items;  // in the order of Model::shapes
  std::vector<int> shapes;           // CollisionItem::shape of all of them
  std::vector<int> nodes;            // and CollisionItem::node: what is read often lies close together
  std::vector<ListedPair> listed;    // sorted
  PairFilter filter;
  double gravity = 0.0;  // m/s^2

  // m, what the model adds to the margin of a pair.
  double margin(int i, int j) const;
};

// Shapes for display only are left out, and all of them if the model switches contacts off. Meshes collide as
// they are; loaders give the hulls of those that collide as such. Throws UserError, naming the shape, for one
// that cannot collide.
std::shared_ptr<const CollisionModel> make_collision_model(const Model& model);

}  // namespace stiction
