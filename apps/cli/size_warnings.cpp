#include "apps/cli/size_warnings.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "stiction/base/format.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction::cli {
namespace {

// From a mite to a lorry; what stands still may be a landscape.
constexpr double kLightest = 1e-9, kHeaviest = 1e5;                   // kg
constexpr double kShortest = 1e-5, kLongest = 100.0, kLargest = 1e4;  // m, the last of what stands still

double longest_edge(const Eigen::AlignedBox3d& box) { return box.isEmpty() ? 0.0 : box.sizes().maxCoeff(); }

// The longest edge of a shape's box, m; 0 of a half-space, which is endless by itself.
struct Extent {
  double operator()(const Sphere& s) const { return 2.0 * s.radius; }
  double operator()(const Box& s) const { return 2.0 * s.half_extents.maxCoeff(); }
  double operator()(const Cylinder& s) const { return std::max(2.0 * s.radius, s.length); }
  double operator()(const Capsule& s) const { return s.length + 2.0 * s.radius; }
  double operator()(const Ellipsoid& s) const { return 2.0 * s.radii.maxCoeff(); }
  double operator()(const Superellipsoid& s) const { return 2.0 * s.radii.maxCoeff(); }
  double operator()(const HalfSpace&) const { return 0.0; }
  double operator()(const SharedHull& s) const { return longest_edge(bounding_box(s->vertices)); }
  double operator()(const SharedMesh& s) const { return longest_edge(bounding_box(s->vertices)); }
  double operator()(const SharedHeightField& s) const { return longest_edge(bounding_box(*s)); }
};

// The farthest of all numbers beyond a bound, and how many there are.
struct Worst {
  int count = 0;
  double value = 0.0;
  std::string name;

  void add(double x, const std::string& of) {
    const bool is_worse = count == 0 || std::abs(std::log(x)) > std::abs(std::log(value));
    if (is_worse) value = x, name = of;
    ++count;
  }
};

std::string others(const Worst& worst) {
  return worst.count == 1 ? std::string() : format(", and {} more are as odd", worst.count - 1);
}

}  // namespace

std::vector<std::string> size_warnings(const Model& model) {
  Worst heavy, light, large, small;
  const Forest& forest = model.forest;
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    const Body& body = forest.bodies[b];
    if (body.inertia.mass > kHeaviest) heavy.add(body.inertia.mass, body.name);
    if (body.inertia.mass > 0.0 && body.inertia.mass < kLightest) light.add(body.inertia.mass, body.name);
  }
  for (const PlacedShape& shape : model.shapes) {
    const double extent = std::visit(Extent(), shape.shape);
    const bool moves = forest.places[static_cast<std::size_t>(shape.body)].node >= 0;
    if (extent > (moves ? kLongest : kLargest)) large.add(extent, shape.name);
    if (extent > 0.0 && extent < kShortest) small.add(extent, shape.name);
  }
  std::vector<std::string> out;
  if (heavy.count > 0)
    out.push_back(format("body '{}' weighs {:.3g} t{}: are lengths in millimetres?", heavy.name,
                         1e-3 * heavy.value, others(heavy)));
  if (large.count > 0)
    out.push_back(format("shape '{}' is {:.3g} m long{}: are lengths in millimetres?", large.name,
                         large.value, others(large)));
  if (light.count > 0)
    out.push_back(format("body '{}' weighs {:.3g} mg{}: are lengths in another unit than metres?", light.name,
                         1e6 * light.value, others(light)));
  if (small.count > 0)
    out.push_back(format("shape '{}' is {:.3g} um long{}: are lengths in another unit than metres?",
                         small.name, 1e6 * small.value, others(small)));
  return out;
}

}  // namespace stiction::cli
