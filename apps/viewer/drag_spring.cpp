#include "apps/viewer/drag_spring.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/math/rotation.h"

namespace stiction::viewer {
namespace {

constexpr double kFrequency = 15.0;  // rad/s

// Of all bodies fixed to the body, in the body's frame.
Inertia welded_inertia(const Forest& forest, int body) {
  const BodyPlace& place = forest.places[static_cast<std::size_t>(body)];
  const Pose X_BN = place.X_NB.inverse();
  Inertia sum;
  for (std::size_t b = 0; b < forest.bodies.size(); ++b)
    if (forest.places[b].node == place.node && forest.bodies[b].inertia.mass > 0.0)
      sum = sum + forest.bodies[b].inertia.in_frame(X_BN * forest.places[b].X_NB);
  return sum;
}

double tree_mass(const Forest& forest, int tree) {
  double mass = 0.0;
  for (std::size_t b = 0; b < forest.bodies.size(); ++b) {
    const int node = forest.places[b].node;
    if (node >= 0 && forest.nodes[static_cast<std::size_t>(node)].tree == tree)
      mass += forest.bodies[b].inertia.mass;
  }
  return mass;
}

}  // namespace

void check_drag(const Model& model, const DragSpring& drag) {
  const int bodies = static_cast<int>(model.forest.bodies.size());
  STICTION_USER_CHECK(drag.body >= 0 && drag.body < bodies, "there is no body {} to drag, only {}", drag.body,
                      bodies);
  const std::string& name = model.forest.bodies[static_cast<std::size_t>(drag.body)].name;
  STICTION_USER_CHECK(model.forest.places[static_cast<std::size_t>(drag.body)].node >= 0,
                      "body '{}' does not move by itself: it cannot be dragged", name);
  STICTION_USER_CHECK(drag.p_B.allFinite() && drag.to_W.allFinite(),
                      "body '{}' cannot be dragged to a place that is not finite", name);
}

BodyWrench drag_wrench(const World& world, const DragSpring& drag, double h) {
  const Forest& forest = world.model().forest;
  const std::string& name = forest.bodies[static_cast<std::size_t>(drag.body)].name;
  const Pose X_WB = world.body_pose(name);
  const Vec6 V_WB = world.body_velocity(name);
  const Vec3 w = V_WB.head<3>(), arm = X_WB.R * drag.p_B, p_W = X_WB.p + arm;
  const Vec3 v = V_WB.tail<3>() + w.cross(arm);
  const BodyPlace& place = forest.places[static_cast<std::size_t>(drag.body)];
  const double all = tree_mass(forest, forest.nodes[static_cast<std::size_t>(place.node)].tree);
  const Inertia own = welded_inertia(forest, drag.body);
  // A massless link uses the mass of the whole tree.
  double point_mass = all;
  Mat3 I = Mat3::Zero();
  if (own.mass > 0.0) {
    I = own.I_com;
    const Mat3 r = skew<double>(drag.p_B - own.com);
    const double least = 1e-9 * own.mass * std::max(1e-6, (drag.p_B - own.com).squaredNorm());
    const Mat3 inverse = (I + least * Mat3::Identity()).inverse();
    const Mat3 mobility = Mat3::Identity() / own.mass - r * inverse * r;
    point_mass = 1.0 / mobility.norm();
  }
  const double k = std::min(all * kFrequency * kFrequency, point_mass / (25.0 * h * h));
  const double d = std::min(2.0 * std::sqrt(k * all), 0.5 * point_mass / h);
  BodyWrench out;
  out.body = drag.body;
  out.p_W = p_W;
  out.wrench.tail<3>() = k * (drag.to_W - p_W) - d * v;
  out.wrench.head<3>() = -0.5 * std::min(kFrequency, 0.2 / h) * (X_WB.R * I * X_WB.R.transpose() * w);
  return out;
}

}  // namespace stiction::viewer
