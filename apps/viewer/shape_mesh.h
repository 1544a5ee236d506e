#pragma once
// Shapes as triangles with normals, for drawing without a browser (world_picture.h).

#include <array>
#include <map>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include "stiction/geometry/shape/shape.h"

namespace stiction::viewer {

// Points with a normal each; an edge has its points twice, with the normals of both sides.
struct ShapeMesh {
  std::vector<Eigen::Vector3f> points, normals;  // m, unit
  std::vector<std::array<int, 3>> triangles;     // counter-clockwise seen from outside
  bool is_closed = false;                        // what shows its back is hidden
};

// `rounding` (m): the shape is drawn as swept by a ball of this radius, with corners as they are. Half-spaces have
// no triangles.
ShapeMesh shape_mesh(const Shape& shape, double rounding);

// Triangles that meet at less than this angle are shaded as one surface (rad).
inline constexpr double kCrease = 0.6;

// Meshes of hulls, surfaces and terrains are made once. Those that were not asked for lately are forgotten.
class ShapeMeshes {
 public:
  std::shared_ptr<const ShapeMesh> of(const Shape& shape, double rounding);

 private:
  struct Entry {
    std::shared_ptr<const void> source;  // keeps its address
    std::shared_ptr<const ShapeMesh> mesh;
    long used = 0;
  };
  std::map<const void*, Entry> entries_;
  long clock_ = 0;
};

}  // namespace stiction::viewer
