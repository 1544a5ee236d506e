#pragma once
// What collision detection needs of a model, made once and shared by all its worlds: the shapes that can
// collide, prepared for the narrow phase, their poses on the nodes they move with, and which pairs may
// collide.

#include <memory>
#include <vector>

#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/simulation/collision/collision_filter.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// A shape that can collide.
struct CollisionItem {
  int shape = 0;  // in Model::shapes
  int body = 0;
  int node = -1, kinematic = -1;  // what it moves with, as in BodyPlace; both -1: static
  Pose X_NS;                      // pose in that frame
  CollisionShape geometry;
  double margin = 0.0;  // m, MJCF's margin + gap of the shape
  double reach = 0.0;   // m, largest margin that the shape alone adds to one of its pairs
  // Its pressure field, rigid unless its material has a pressure modulus. Null: no shape of the model has a
  // modulus, or this shape has no surface for pressure fields.
  std::shared_ptr<const PressureField> field;

  bool is_static() const { return node < 0 && kinematic < 0; }
};

// A pair that the model lists by name, with its own margin.
struct ListedPair {
  IndexPair items;
  double margin = 0.0;  // m, margin + gap
};

struct CollisionModel {
  std::vector<CollisionItem> items;  // in the order of Model::shapes
  std::vector<int> shapes;           // CollisionItem::shape of all items
  std::vector<int> nodes;  // CollisionItem::node of all items, stored together because it is read often
  std::vector<ListedPair> listed;  // sorted
  // Of every item: thicker convex items that are fixed to it and overlap or touch it (covered_points.h).
  std::vector<std::vector<int>> neighbours;
  PairFilter filter;
  double gravity = 0.0;     // m/s^2
  bool has_fields = false;  // some item is compliant

  // Whether two items touch by their pressure fields, under laws that take them.
  bool makes_patch(int i, int j) const {
    const PressureField *A = items[i].field.get(), *B = items[j].field.get();
    return A != nullptr && B != nullptr && makes_pressure_patch(*A, *B);
  }
  // m, what the model adds to the margin of a pair.
  double margin(int i, int j) const;
};

// Shapes for display only are left out, and all shapes if the model disables contacts. Meshes collide as they
// are; loaders replace those that shall collide as convex hulls. Throws UserError, which names the shape, if
// a shape cannot collide.
std::shared_ptr<const CollisionModel> make_collision_model(const Model& model);

// The pressure fields of all items from the materials of their shapes. Throws UserError, which names the shape, if one
// with a modulus cannot be compliant.
void set_pressure_fields(const Model& model, CollisionModel* collision);

}  // namespace stiction
