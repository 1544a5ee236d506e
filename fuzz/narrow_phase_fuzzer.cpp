// Two convex shapes and two poses from any bytes: every answer of the pair table passes the check of the
// tests, and the time of impact of a straight motion is one at which they touch.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "stiction/base/check.h"
#include "stiction/geometry/query/time_of_impact.h"
#include "test/geometry/pair_samples.h"

namespace {

using namespace stiction;

// Far above round-off; needles and plates have normals that are known less well than those of balls.
constexpr double kTolerance = 1e-7;  // of the size
constexpr int kConvexKinds = static_cast<int>(ShapeKind::half_space) + 1;

// Reads numbers until the bytes are used up, then zeros.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  int below(int count) { return next() % count; }
  // In [-1, 1], coarse so that equal numbers are frequent.
  double coarse() { return (next() - 128) / 128.0; }

 private:
  int next() { return at_ < size_ ? data_[at_++] : 0; }
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

// Sizes 1 mm to 1 km, aspect ratios up to 1e4.
CollisionShape read_shape(Bytes* bytes) {
  const ShapeKind kind = ShapeKind(bytes->below(kConvexKinds));
  const double size = std::pow(10.0, bytes->below(7) - 3);
  Vec3 radii;
  for (int i = 0; i < 3; ++i) radii[i] = size * std::pow(10.0, 4.0 * -std::abs(bytes->coarse()));
  const double rounding = bytes->below(4) == 0 ? 0.1 * size : 0.0;
  Random random(static_cast<std::uint64_t>(bytes->below(256)));
  return sample_shape(kind, radii, rounding, &random);
}

Pose read_pose(Bytes* bytes, double reach) {
  Vec3 turn, p;
  for (int i = 0; i < 3; ++i) turn[i] = std::numbers::pi * bytes->coarse();
  for (int i = 0; i < 3; ++i) p[i] = reach * bytes->coarse();
  return {rotation_exp<double>(turn), p};
}

std::string defect_of_impact(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB, double reach) {
  // B comes towards A's origin.
  const ShapeMotion still{X_WA, Vec3::Zero(), Vec3::Zero()}, comes{X_WB, Vec3::Zero(), X_WA.p - X_WB.p};
  const TimeOfImpact impact = time_of_impact(A, still, B, comes, 1.0);
  if (!std::isfinite(impact.time) || impact.time < 0.0 || impact.time > 1.0) return "time of impact";
  if (impact.status != ImpactStatus::touches) return {};
  const Pose X{X_WB.R, X_WB.p + impact.time * comes.v};
  const double distance = signed_distance(A, X_WA, B, X).distance;
  // Where faces of a hull are not quite flat, its distance from other shapes jumps by as much.
  const double allowed = kTolerance * reach + 4.0 * (pair_check::flatness(A) + pair_check::flatness(B));
  return std::abs(distance) <= allowed ? "" : fmt::format("{} m apart at impact", distance);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const CollisionShape A = read_shape(&bytes), B = read_shape(&bytes);
  if (pair_entry(A.kind, B.kind).function == nullptr) return 0;
  const double reach = pair_check::extent(A) + pair_check::extent(B);
  const Pose X_WA = read_pose(&bytes, 0.0), X_WB = read_pose(&bytes, reach);
  Random random(1);
  pair_check::Limits limits;
  limits.directions = 2;
  limits.is_generic = false;
  limits.on_surface = limits.distance = limits.other_side = kTolerance;
  ContactPoints points;
  std::string wrong = pair_check::defect(A, X_WA, B, X_WB, 0.1 * reach, limits, &random, &points);
  if (wrong.empty()) wrong = defect_of_impact(A, X_WA, B, X_WB, reach);
  if (!wrong.empty())
    fmt::print(stderr, "{}\nA {}\nB {}\n", wrong, pair_check::text_of(A, X_WA), pair_check::text_of(B, X_WB));
  STICTION_ASSERT(wrong.empty());
  return 0;
}
