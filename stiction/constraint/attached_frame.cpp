#include "stiction/constraint/attached_frame.h"

namespace stiction {
namespace {

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }

}  // namespace

AttachedFrame place_on(const Forest& forest, int body, const Pose& X_BP) {
  const BodyPlace& place = forest.places[body];
  return {place.node, place.kinematic, place.node >= 0 ? forest.nodes[place.node].tree : -1,
          place.X_NB * X_BP, body};
}

Pose pose_of(const Kinematics& k, const AttachedFrame& place) {
  if (place.kinematic >= 0) return k.prescribed[place.kinematic].X_WB * place.X_NP;
  if (place.node < 0) return place.X_NP;
  const NodeMotion& node = k.nodes[place.node];
  Mat3 R;
  R << vec3(node.R), vec3(node.R + 4), vec3(node.R + 8);
  return Pose{R, vec3(k.origins.data() + 4 * place.tree) + vec3(node.p)} * place.X_NP;
}

Vec3 point_of(const Kinematics& k, const AttachedFrame& place) {
  if (place.kinematic >= 0) return k.prescribed[place.kinematic].X_WB * place.X_NP.p;
  if (place.node < 0) return place.X_NP.p;
  const NodeMotion& node = k.nodes[place.node];
  const Vec3& p = place.X_NP.p;
  return vec3(k.origins.data() + 4 * place.tree) + vec3(node.p) + p[0] * vec3(node.R) +
         p[1] * vec3(node.R + 4) + p[2] * vec3(node.R + 8);
}

}  // namespace stiction
