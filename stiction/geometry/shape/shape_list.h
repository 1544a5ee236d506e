#pragma once
// The one list of shapes: a row for every alternative of the variant Shape.
//
// What differs from shape to shape is found in two ways, both of which the compiler checks: by std::visit
// with one overload per type (models, files, drawing), or by a switch over ShapeKind without a default, which
// -Wswitch makes an error where a kind is missing (collision detection).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stiction/geometry/shape/shape.h"

namespace stiction {

// In the order of the rows and columns of the pair table (stiction/geometry/narrow_phase.cpp).
enum class ShapeKind : std::uint8_t {
  sphere,
  capsule,
  ellipsoid,
  superellipsoid,
  cylinder,
  box,
  hull,
  half_space,
  mesh,
  height_field,
};
inline constexpr int kNumShapeKinds = static_cast<int>(std::variant_size_v<Shape>);

// The index of a type in the variant.
template <class T, std::size_t i = 0>
constexpr std::size_t index_in_shape() {
  if constexpr (std::is_same_v<T, std::variant_alternative_t<i, Shape>>)
    return i;
  else
    return index_in_shape<T, i + 1>();
}

struct ShapeRow {
  ShapeKind kind;
  std::size_t index;    // in the variant Shape
  const char* key;      // in files, in recordings and in the viewer
  const char* word;     // in messages
  bool is_convex;       // has a support function or is a half-space; meshes and height fields are surfaces
  bool can_be_rounded;  // PlacedShape::rounding may be positive
};

// clang-format off
inline constexpr std::array<ShapeRow, kNumShapeKinds> kShapes = {{
    {ShapeKind::sphere,         index_in_shape<Sphere>(),            "sphere",         "sphere",         true,  true},
    {ShapeKind::capsule,        index_in_shape<Capsule>(),           "capsule",        "capsule",        true,  true},
    {ShapeKind::ellipsoid,      index_in_shape<Ellipsoid>(),         "ellipsoid",      "ellipsoid",      true,  true},
    {ShapeKind::superellipsoid, index_in_shape<Superellipsoid>(),    "superellipsoid", "superellipsoid", true,  true},
    {ShapeKind::cylinder,       index_in_shape<Cylinder>(),          "cylinder",       "cylinder",       true,  true},
    {ShapeKind::box,            index_in_shape<Box>(),               "box",            "box",            true,  true},
    {ShapeKind::hull,           index_in_shape<SharedHull>(),        "hull",           "hull",           true,  true},
    {ShapeKind::half_space,     index_in_shape<HalfSpace>(),         "half_space",     "half-space",     true,  false},
    {ShapeKind::mesh,           index_in_shape<SharedMesh>(),        "mesh",           "mesh",           false, false},
    {ShapeKind::height_field,   index_in_shape<SharedHeightField>(), "height_field",   "height field",   false, false},
}};
// clang-format on

constexpr const ShapeRow& row_of(ShapeKind kind) { return kShapes[static_cast<std::size_t>(kind)]; }

// The word in messages.
constexpr const char* name_of(ShapeKind kind) { return row_of(kind).word; }

// The row with this index in the variant; a shape without a row does not compile (the check below).
constexpr const ShapeRow& row_at(std::size_t index) {
  std::size_t i = 0;
  while (kShapes[i].index != index) ++i;
  return kShapes[i];
}
inline const ShapeRow& row_of(const Shape& shape) { return row_at(shape.index()); }

// The row with this key; null if there is none.
constexpr const ShapeRow* row_with_key(std::string_view key) {
  for (const ShapeRow& row : kShapes)
    if (row.key == key) return &row;
  return nullptr;
}

// Every kind has its row, in order, and every type of the variant has one.
constexpr bool shape_list_is_complete() {
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    if (static_cast<std::size_t>(kShapes[i].kind) != i || kShapes[i].key == nullptr) return false;
    bool is_found = false;
    for (const ShapeRow& row : kShapes) is_found = is_found || row.index == i;
    if (!is_found) return false;
  }
  return true;
}
static_assert(shape_list_is_complete());

}  // namespace stiction
