#include "stiction/geometry/shape/least_weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

constexpr double kRightAngle = 0.5 * std::numbers::pi;

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

// Psi/(pi/2) of every vertex. A vertex of the triangles inside a joined face is a corner of none: flat.
std::vector<double> roundness_of_vertices(const Polytope& P) {
  std::vector<double> angles(P.vertices.size(), 0.0);
  for (const PolytopeFace& face : P.faces) {
    const int count = face.end - face.begin;
    const auto vertex = [&](int i) { return P.corner_vertex[face.begin + i % count]; };
    for (int i = 0; i < count; ++i) {
      const Vec3& here = P.vertices[vertex(i + 1)];
      angles[vertex(i + 1)] += angle_between(P.vertices[vertex(i)] - here, P.vertices[vertex(i + 2)] - here);
    }
  }
  for (double& angle : angles) angle = angle > 0.0 ? std::clamp(4.0 - angle / kRightAngle, 0.0, 1.0) : 0.0;
  return angles;
}

}  // namespace

LeastWeights least_weights(const Polytope& P) {
  LeastWeights out;
  if (P.is_box) {  // without round-off
    out.of_vertex.assign(P.vertices.size(), 0.25);
    out.near_vertex.assign(P.vertices.size(), 0.5);
    out.of_edge.assign(P.edges.size(), 0.5);
    out.most = 0.5;
    return out;
  }
  for (const double roundness : roundness_of_vertices(P)) out.of_vertex.push_back(1.0 - 0.75 * roundness);
  out.near_vertex = out.of_vertex;
  for (const PolytopeEdge& edge : P.edges) {
    const double beta = angle_between(P.faces[edge.faces[0]].normal, P.faces[edge.faces[1]].normal);
    out.of_edge.push_back(1.0 - 0.5 * std::min(1.0, beta / kRightAngle));
    for (const int v : edge.vertices) out.near_vertex[v] = std::max(out.near_vertex[v], out.of_edge.back());
  }
  out.most = *std::max_element(out.near_vertex.begin(), out.near_vertex.end());
  return out;
}

}  // namespace stiction
