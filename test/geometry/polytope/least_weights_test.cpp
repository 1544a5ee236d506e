// explore
#include <cmath>
#include <map>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include "test/geometry/pair_check.h"
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {

struct Tally { int n = 0, low = 0, very = 0, high = 0; double worst_low = 0, least = 2, most = 0; };

double least_by_feature(const CollisionShape& A, const CollisionShape& B, std::uint64_t feature, int* what) {
  const auto kind = [](std::uint64_t f) { return int(f >> 30 & 3); };
  const auto index = [](std::uint64_t f) { return int(f & 0x1fffffff); };
  const std::uint64_t a = feature >> 32, b = feature & 0xffffffff;
  const LeastWeights &of_a = A.polytope->least, &of_b = B.polytope->least;
  if (kind(a) == 1 && kind(b) == 3) { *what = 0; return index(a) < int(of_a.of_vertex.size()) ? of_a.of_vertex[index(a)] : 0; }
  if (kind(a) == 3 && kind(b) == 1) { *what = 1; return index(b) < int(of_b.of_vertex.size()) ? of_b.of_vertex[index(b)] : 0; }
  if (kind(a) == 2 && kind(b) == 2) { *what = 2; return index(a) < int(of_a.of_edge.size()) && index(b) < int(of_b.of_edge.size()) ? std::min(of_a.of_edge[index(a)], of_b.of_edge[index(b)]) : 0; }
  *what = 3;
  return 0.0;
}

TEST(Explore, Sums) {
  Random random(17);
  std::map<std::string, Tally> tallies;
  const int sizes[] = {0, 8, 20, 100, 500, 2000};
  std::vector<CollisionShape> shapes;
  for (int n : sizes)
    for (int k = 0; k < (n == 0 ? 2 : 3); ++k)
      shapes.push_back(n == 0 ? box_shape(0.5, 0.3 + 0.1 * k, 0.1) : round_hull(n, k == 0 ? Vec3(0.5, 0.5, 0.5) : k == 1 ? Vec3(0.5, 0.3, 0.1): Vec3(0.1,0.05,0.1), n + k));
  for (int i = 0; i < 100000; ++i) {
    const CollisionShape& A = shapes[std::size_t(random.uniform() * double(shapes.size()))];
    const CollisionShape& B = shapes[std::size_t(random.uniform() * double(shapes.size()))];
    const Pose X_A{random_rotation(&random), Vec3::Zero()};
    Pose X_B{random_rotation(&random), Vec3::Zero()};
    const Vec3 d = random_direction(&random);
    X_B.p = 2 * d;
    // to touch along d: bisect
    double lo = 0, hi = 2;
    for (int k = 0; k < 40; ++k) {
      const double m = 0.5 * (lo + hi);
      X_B.p = m * d;
      (signed_distance(A, X_A, B, X_B).distance > 0 ? hi : lo) = m;
    }
    const double depth = std::exp(std::log(1e-6) + random.uniform() * std::log(1e4 * 2));
    X_B.p = (hi - depth) * d;
    ContactPoints points;
    CollideOptions options;
    options.margin = i % 2 ? 1e-3 : 1e-5;
    collide(A, X_A, B, X_B, options, nullptr, &points);
    if (points.empty()) continue;
    double sum = 0;
    const ContactPoint* deepest = &points[0];
    for (auto& p : points) { sum += p.weight; if (p.distance < deepest->distance) deepest = &p; }
    if (!(deepest->distance < 0)) continue;
    int what = 0;
    const double T = least_by_feature(A, B, deepest->feature, &what);
    if (what == 3) {}
    const bool boxes = A.polytope->is_box && B.polytope->is_box;
    Tally& t = tallies[fmt::format("{} {} depth>{:.0e}", boxes ? "boxes" : "hulls", what, std::pow(10.0, std::floor(std::log10(-deepest->distance))))];
    ++t.n;
    static int shown = 0;
    if (sum < T - 0.3 && shown++ < 12) {
      fmt::print("#{} nA {} nB {} what {} T {} sum {} margin {}\n", i, A.polytope->vertices.size(), B.polytope->vertices.size(), what, T, sum, options.margin);
      for (auto& p : points) { int w; const double Ti = least_by_feature(A, B, p.feature, &w); fmt::print("   d {:.3e} w {:.5f} T {:.3f} what {} n {:.6f} {:.6f} {:.6f}\n", p.distance, p.weight, Ti, w, p.normal.x(), p.normal.y(), p.normal.z()); }
    }
    if (sum < T - 1e-9) { ++t.low; if (sum < T - 0.05) ++t.very; t.worst_low = std::max(t.worst_low, T - sum); }
    if (sum > 1 + 1e-9) ++t.high;
    t.least = std::min(t.least, sum); t.most = std::max(t.most, sum);
  }
  for (auto& [name, t] : tallies) fmt::print("{:30s} n {:6d} low {:5d} ({:4d}) worst {:.3f} high {:5d} sums {:.4f} .. {:.6f}\n", name, t.n, t.low, t.very, t.worst_low, t.high, t.least, t.most);
}
}
}
