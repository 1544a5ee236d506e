#include "stiction/simulation/collision/collision_model.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

const ShapeProperties& properties_of(const Model& model, int shape) {
  static const ShapeProperties kDefaults;
  return model.elements.shapes.empty() ? kDefaults : model.elements.shapes[shape];
}

// The shapes that can collide: those with a bit of contype or conaffinity, and those named by a pair.
std::vector<int> colliding_shapes(const Model& model) {
  const std::vector<std::string>& flags = model.elements.options.disabled;
  for (const char* flag : {"contact", "constraint"})
    if (std::find(flags.begin(), flags.end(), flag) != flags.end()) return {};
  std::vector<bool> collides(model.shapes.size());
  for (std::size_t s = 0; s < collides.size(); ++s) {
    const ShapeProperties& properties = properties_of(model, static_cast<int>(s));
    collides[s] = properties.collides && (properties.contype != 0 || properties.conaffinity != 0);
  }
  for (const ContactPair& pair : model.elements.pairs)
    collides[model.shape(pair.shape1)] = collides[model.shape(pair.shape2)] = true;
  std::vector<int> shapes;
  for (std::size_t s = 0; s < collides.size(); ++s)
    if (collides[s]) shapes.push_back(static_cast<int>(s));
  return shapes;
}

// Prepares shapes for collision; those that share a mesh, a hull or a height field share the result.
class ShapeMaker {
 public:
  CollisionShape make(const PlacedShape& placed, bool only_shown) {
    const void* shared = shared_data(placed.shape);
    if (shared == nullptr) return fresh(placed, only_shown);
    const auto key = std::tuple(shared, placed.rounding, only_shown);
    const auto found = made_.find(key);
    return found != made_.end() ? found->second : made_.emplace(key, fresh(placed, only_shown)).first->second;
  }

 private:
  static const void* shared_data(const Shape& shape) {
    if (const auto* mesh = std::get_if<SharedMesh>(&shape)) return mesh->get();
    if (const auto* hull = std::get_if<SharedHull>(&shape)) return hull->get();
    if (const auto* field = std::get_if<SharedHeightField>(&shape)) return field->get();
    return nullptr;
  }

  static CollisionShape fresh(const PlacedShape& placed, bool only_shown) {
    try {
      // A display mesh that a pair names collides as its convex hull, as in MuJoCo.
      const auto* mesh = std::get_if<SharedMesh>(&placed.shape);
      if (mesh != nullptr && only_shown)
        return collision_shape(std::make_shared<const ConvexHull>(convex_hull((*mesh)->vertices)),
                               placed.rounding);
      return collision_shape(placed.shape, placed.rounding);
    } catch (const UserError& error) {
      throw_user_error(format("shape '{}' cannot collide: {}", placed.name, error.what()));
    }
  }

  std::map<std::tuple<const void*, double, bool>, CollisionShape> made_;
};

}  // namespace

double CollisionModel::margin(int i, int j) const {
  const IndexPair pair{std::min(i, j), std::max(i, j)};
  if (!listed.empty()) {
    const auto found = std::lower_bound(listed.begin(), listed.end(), pair,
                                        [](const ListedPair& a, const IndexPair& b) { return a.items < b; });
    if (found != listed.end() && found->items == pair) return found->margin;
  }
  return items[i].margin + items[j].margin;
}

std::shared_ptr<const CollisionModel> make_collision_model(const Model& model) {
  auto out = std::make_shared<CollisionModel>();
  out->gravity = model.forest.gravity.norm();
  out->shapes = colliding_shapes(model);
  ShapeMaker maker;
  for (const int s : out->shapes) {
    const PlacedShape& placed = model.shapes[s];
    const BodyPlace& place = model.forest.places[placed.body];
    const ShapeProperties& properties = properties_of(model, s);
    CollisionItem item;
    item.shape = s;
    item.body = placed.body;
    item.node = place.node;
    item.kinematic = place.kinematic;
    item.X_NS = place.X_NB * placed.X_BS;
    item.geometry = maker.make(placed, !properties.collides);
    item.margin = properties.margin + properties.gap;
    item.reach = item.margin;
    out->nodes.push_back(item.node);
    out->items.push_back(std::move(item));
  }
  out->filter = pair_filter(model, out->shapes);

  const auto item_of = [&](const std::string& name) {
    const auto found = std::lower_bound(out->shapes.begin(), out->shapes.end(), model.shape(name));
    return static_cast<int>(found - out->shapes.begin());
  };
  if (out->shapes.empty()) return out;
  for (const ContactPair& pair : model.elements.pairs) {
    const int i = item_of(pair.shape1), j = item_of(pair.shape2);
    const double margin = pair.margin + pair.gap;
    out->listed.push_back({{std::min(i, j), std::max(i, j)}, margin});
    for (const int item : {i, j}) out->items[item].reach = std::max(out->items[item].reach, margin);
  }
  std::sort(out->listed.begin(), out->listed.end(),
            [](const ListedPair& a, const ListedPair& b) { return a.items < b.items; });
  return out;
}

}  // namespace stiction
