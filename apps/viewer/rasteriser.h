#pragma once
// Triangles to pixels, in memory, on the processor: what lies nearest at every sample of a picture, lit by a sun
// with shadows and by the sky.
//
// Samples are four to a pixel. Each has the inverse of its depth, which is linear on the screen, the normal of the
// surface, and the number of the shape. Light is computed afterwards, once for a pixel whose samples are of one
// shape, otherwise once for each sample:
//
//   colour = albedo (ambient(n) + sun (n . s) lit) + highlight
//
// with n the normal, s the direction to the sun, and `lit` from the distances of the nearest surfaces to the sun
// (L. Williams, "Casting curved shadows on curved surfaces", 1978), mean of nine neighbours. Surfaces that light
// goes through are drawn last, over the others.

#include <cstdint>
#include <functional>
#include <vector>

#include <Eigen/Core>

#include "apps/viewer/picture.h"
#include "apps/viewer/shape_mesh.h"

namespace stiction::viewer {

using Vec3f = Eigen::Vector3f;

// Parts of light as they add up, not as a screen shows them.
Vec3f linear_colour(const Vec3f& srgb);

struct DrawnShape {
  const ShapeMesh* mesh = nullptr;
  Eigen::Matrix3f R = Eigen::Matrix3f::Identity();
  Vec3f p = Vec3f::Zero();  // m, in W
  Vec3f albedo = Vec3f::Constant(0.5f);
  float alpha = 1.0f;
};

// A half-space, drawn as ground with a grid that fades into the horizon.
struct DrawnGround {
  Eigen::Matrix3f R = Eigen::Matrix3f::Identity();  // z: its normal
  Vec3f p = Vec3f::Zero();
  Vec3f albedo = Vec3f::Constant(0.7f);
  bool is_bare_grid = false;  // lines alone
};

// Polygons in colours of their own, without light, over everything: between bodies they could not be seen.
struct DrawnPolygons {
  std::vector<std::uint32_t> counts;    // corners of each
  std::vector<Vec3f> corners, colours;  // m, in W; parts of light, of each corner
  float alpha = 0.85f;
};

struct DrawnScene {
  std::vector<DrawnShape> shapes;
  std::vector<DrawnGround> grounds;
  DrawnPolygons polygons;
  Vec3f centre = Vec3f::Zero();  // m, of what is shown
  float radius = 1.0f;           // m, of a ball around it
};

struct DrawingCamera {
  Vec3f eye = Vec3f(3.0f, -3.0f, 2.0f), target = Vec3f::Zero();  // m
  float field_of_view = 42.0f;                                   // degrees, vertical
  float nearest = 1e-2f;                                         // m
};

// The same picture, bit for bit, on any number of threads.
Picture draw(const DrawnScene& scene, const DrawingCamera& camera, const PictureSize& size);

}  // namespace stiction::viewer
