#include "stiction/simulation/collision/collision_model.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

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

// Whether the bounding boxes of two shapes, in one frame, touch: of each other's three axes none separates them.
bool boxes_touch(const CollisionItem& a, const CollisionItem& b) {
  const bool bounded_a = a.geometry.kind != ShapeKind::half_space;
  const bool bounded_b = b.geometry.kind != ShapeKind::half_space;
  if (!bounded_a && !bounded_b) return true;
  if (!bounded_a) return boxes_touch(b, a);
  constexpr double kTouching = 1e-3;  // of the smaller thickness
  const Vec3 centre = a.X_NS * a.geometry.box_centre;
  if (!bounded_b) {
    const Vec3 normal = b.X_NS.R.col(2);
    const double reach = (a.X_NS.R.transpose() * normal).cwiseAbs().dot(a.geometry.box_half);
    return normal.dot(centre - b.X_NS.p) - reach <= kTouching * a.geometry.thickness;
  }
  const double margin = kTouching * std::min(a.geometry.thickness, b.geometry.thickness);
  const Mat3 R = a.X_NS.R.transpose() * b.X_NS.R, size = R.cwiseAbs();
  const Vec3 between = b.X_NS * b.geometry.box_centre - centre;
  const Vec3 along_a =
      (a.X_NS.R.transpose() * between).cwiseAbs() - a.geometry.box_half - size * b.geometry.box_half;
  const Vec3 along_b = (b.X_NS.R.transpose() * between).cwiseAbs() - b.geometry.box_half -
                       size.transpose() * a.geometry.box_half;
  return std::max(along_a.maxCoeff(), along_b.maxCoeff()) <= margin;
}

// Those that are fixed to each other and touch, of which the neighbour is convex and thicker; of two as thick as each
// other the first counts as thicker.
std::vector<std::vector<int>> touching_neighbours(const std::vector<CollisionItem>& items) {
  std::vector<std::vector<int>> neighbours(items.size());
  std::map<std::pair<int, int>, std::vector<int>> frames;
  for (std::size_t i = 0; i < items.size(); ++i)
    frames[{items[i].node, items[i].kinematic}].push_back(static_cast<int>(i));
  for (auto& [frame, members] : frames) {
    // Along x of the frame, so that of many shapes only close ones are compared.
    const auto lowest = [&](int i) {
      const CollisionItem& item = items[static_cast<std::size_t>(i)];
      return item.geometry.kind == ShapeKind::half_space
                 ? -std::numeric_limits<double>::infinity()
                 : (item.X_NS * item.geometry.box_centre).x() - item.geometry.ball_radius;
    };
    std::sort(members.begin(), members.end(),
              [&](int i, int j) { return std::pair(lowest(i), i) < std::pair(lowest(j), j); });
    for (std::size_t first = 0; first < members.size(); ++first) {
      const int i = members[first];
      const CollisionItem& a = items[static_cast<std::size_t>(i)];
      const double end = a.geometry.kind == ShapeKind::half_space
                             ? std::numeric_limits<double>::infinity()
                             : lowest(i) + 2.0 * a.geometry.ball_radius + a.geometry.thickness;
      for (std::size_t second = first + 1; second < members.size(); ++second) {
        const int j = members[second];
        if (lowest(j) > end) break;
        const CollisionItem& b = items[static_cast<std::size_t>(j)];
        if (!boxes_touch(a, b)) continue;
        const bool a_is_thinner = std::pair(a.geometry.thickness, -i) < std::pair(b.geometry.thickness, -j);
        const int thin = a_is_thinner ? i : j, thick = a_is_thinner ? j : i;
        if (items[static_cast<std::size_t>(thick)].geometry.is_convex())
          neighbours[static_cast<std::size_t>(thin)].push_back(thick);
      }
    }
  }
  for (std::vector<int>& of_item : neighbours) std::sort(of_item.begin(), of_item.end());
  return neighbours;
}

}  // namespace

void set_pressure_fields(const Model& model, CollisionModel* collision) {
  collision->has_fields = false;
  for (CollisionItem& item : collision->items) {
    item.field.reset();
    collision->has_fields = collision->has_fields || model.shapes[item.shape].contact.pressure_modulus;
  }
  if (!collision->has_fields) return;
  for (CollisionItem& item : collision->items) {
    const PlacedShape& placed = model.shapes[item.shape];
    const ContactMaterial& material = placed.contact;
    const int facets = material.facets.value_or(kDefaultFacets);
    const FacetRings rings = facets == 7    ? FacetRings::one
                             : facets == 37 ? FacetRings::three
                                            : FacetRings::two;
    try {
      if (material.pressure_modulus)
        item.field = std::make_shared<const PressureField>(compliant_field(
            item.geometry, *material.pressure_modulus, material.pressure_depth.value_or(0.0), rings));
      else if (has_surface(item.geometry.kind))
        item.field = std::make_shared<const PressureField>(rigid_field(item.geometry, rings));
    } catch (const UserError& error) {
      throw_user_error(format("shape '{}': {}", placed.name, error.what()));
    }
  }
}

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
  set_pressure_fields(model, out.get());
  out->filter = pair_filter(model, out->shapes);
  out->neighbours = touching_neighbours(out->items);

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
