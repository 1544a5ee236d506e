#include "bench/race/field_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/geometry/field/tet_mesh.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "stiction/geometry/shape/tet_volume.h"

namespace stiction::race {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The depth of a point in a shape, m, negative outside: concave, so that it is positive on one interval of a line.
struct DepthAt {
  Vec3 x;
  double operator()(const Sphere& s) const { return s.radius - x.norm(); }
  double operator()(const Box& s) const { return (s.half_extents - x.cwiseAbs()).minCoeff(); }
  double operator()(const HalfSpace&) const { return -x.z(); }
  double operator()(const Capsule& s) const {
    const double past = std::max(0.0, std::abs(x.z()) - 0.5 * s.length);
    return s.radius - Vec3(x.x(), x.y(), past).norm();
  }
  double operator()(const Cylinder& s) const {
    return std::min(s.radius - x.head<2>().norm(), 0.5 * s.length - std::abs(x.z()));
  }
  double operator()(const Ellipsoid& s) const {
    return (1.0 - x.cwiseQuotient(s.radii).norm()) * s.radii.minCoeff();
  }
  template <class Other>
  double operator()(const Other&) const {
    STICTION_ASSERT(false);
    return 0.0;
  }
};

// The depth where the pressure is E, if the material does not say, and half the box around the shape, m.
struct Extent {
  double depth;
  Vec3 half;
};
struct ExtentOf {
  Extent operator()(const Sphere& s) const { return {s.radius, Vec3::Constant(s.radius)}; }
  Extent operator()(const Box& s) const { return {s.half_extents.minCoeff(), s.half_extents}; }
  Extent operator()(const HalfSpace&) const { return {0.0, Vec3::Constant(1e3)}; }
  Extent operator()(const Capsule& s) const {
    return {s.radius, Vec3(s.radius, s.radius, 0.5 * s.length + s.radius)};
  }
  Extent operator()(const Cylinder& s) const {
    return {std::min(s.radius, 0.5 * s.length), Vec3(s.radius, s.radius, 0.5 * s.length)};
  }
  Extent operator()(const Ellipsoid& s) const { return {s.radii.minCoeff(), s.radii}; }
  template <class Other>
  Extent operator()(const Other&) const {
    STICTION_ASSERT(false);
    return {};
  }
};

// A shape in the frame of the lines.
class Placed {
 public:
  Placed(const FieldShape& field, const Pose& X_LS) : shape_(&field.shape), X_SL_(X_LS.inverse()) {
    const Extent extent = std::visit(ExtentOf{}, field.shape);
    if (field.modulus > 0.0) kappa_ = field.modulus / (field.depth > 0.0 ? field.depth : extent.depth);
    const Vec3 half = X_LS.R.cwiseAbs() * extent.half;
    lower_ = X_LS.p - half;
    upper_ = X_LS.p + half;
  }
  double depth(const Vec3& x) const { return std::visit(DepthAt{X_SL_ * x}, *shape_); }
  double pressure(const Vec3& x) const {  // Pa
    const double d = depth(x);
    return kappa_ > 0.0 ? kappa_ * d : d > 0.0 ? kInfinity : -kInfinity;
  }
  const Vec3& lower() const { return lower_; }
  const Vec3& upper() const { return upper_; }

 private:
  const Shape* shape_;
  Pose X_SL_;
  double kappa_ = 0.0;  // Pa/m
  Vec3 lower_, upper_;  // m
};

// x in [lower, upper] where f changes its sign.
template <class F>
double root(const F& f, double lower, double upper) {
  const bool is_positive = f(lower) > 0.0;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (lower + upper);
    ((f(middle) > 0.0) == is_positive ? lower : upper) = middle;
  }
  return 0.5 * (lower + upper);
}

// The overlap of two shapes seen along z: lines from places (x, y).
class Overlap {
 public:
  Overlap(const Placed& C, const Placed& O) : C_(C), O_(O) {
    lower_ = C.lower().cwiseMax(O.lower());
    upper_ = C.upper().cwiseMin(O.upper());
  }

  bool is_empty() const { return (lower_.array() >= upper_.array()).any(); }

  // Draws the rectangle of the lines in around those that hit; false if none does.
  bool zoom() {
    constexpr int kLines = 96, kMost = 8;
    for (int pass = 0; pass < kMost; ++pass) {
      const Vec3 cell = (upper_ - lower_) / kLines;
      Vec3 least = Vec3::Constant(kInfinity), most = -least;
      for (int i = 0; i < kLines; ++i)
        for (int j = 0; j < kLines; ++j) {
          const double x = lower_.x() + (i + 0.5) * cell.x(), y = lower_.y() + (j + 0.5) * cell.y();
          if (!interval(x, y)) continue;
          least = least.cwiseMin(Vec3(x, y, 0.0));
          most = most.cwiseMax(Vec3(x, y, 0.0));
        }
      if (least.x() > most.x()) return false;
      const double area = (upper_ - lower_).head<2>().prod();
      lower_.head<2>() = lower_.head<2>().cwiseMax((least - cell).head<2>());
      upper_.head<2>() = upper_.head<2>().cwiseMin((most + cell).head<2>());
      if ((upper_ - lower_).head<2>().prod() > 0.8 * area) break;
    }
    return true;
  }

  // On C.
  Vec3 force() const {
    constexpr int kLines = 20'000;
    // Roberts' sequence: multiples of the powers of the root of t^3 = t + 1.
    constexpr double kGolden = 1.32471795724474602596;
    Vec3 sum = Vec3::Zero();
    double a = 0.5, b = 0.5;
    for (int i = 0; i < kLines; ++i) {
      a = std::fmod(a + 1.0 / kGolden, 1.0);
      b = std::fmod(b + 1.0 / (kGolden * kGolden), 1.0);
      add_line(lower_.x() + a * (upper_.x() - lower_.x()), lower_.y() + b * (upper_.y() - lower_.y()), &sum);
    }
    return sum * (upper_ - lower_).head<2>().prod() / kLines;
  }

 private:
  using Interval = std::pair<double, double>;

  // Where the line is in both.
  std::optional<Interval> interval(double x, double y) const {
    const auto common = [&](double z) { return std::min(C_.depth(Vec3(x, y, z)), O_.depth(Vec3(x, y, z))); };
    // The largest common depth, by the golden section.
    constexpr double kRatio = 0.61803398874989485;
    double a = lower_.z(), b = upper_.z(), p = b - kRatio * (b - a), q = a + kRatio * (b - a);
    double at_p = common(p), at_q = common(q);
    for (int i = 0; i < 45 && at_p <= 0.0 && at_q <= 0.0; ++i) {
      if (at_p > at_q) {
        b = q;
        q = p;
        at_q = at_p;
        p = b - kRatio * (b - a);
        at_p = common(p);
      } else {
        a = p;
        p = q;
        at_p = at_q;
        q = a + kRatio * (b - a);
        at_q = common(q);
      }
    }
    if (at_p <= 0.0 && at_q <= 0.0) return std::nullopt;
    const double inside = at_p > 0.0 ? p : q;
    const double begin = common(lower_.z()) > 0.0 ? lower_.z() : root(common, lower_.z(), inside);
    const double end = common(upper_.z()) > 0.0 ? upper_.z() : root(common, inside, upper_.z());
    return Interval{begin, end};
  }

  void add_line(double x, double y, Vec3* sum) const {
    const auto found = interval(x, y);
    if (!found) return;
    const double begin = found->first, end = found->second;
    const auto excess = [&](double z) { return O_.pressure(Vec3(x, y, z)) - C_.pressure(Vec3(x, y, z)); };
    // From one change of its sign to the next.
    constexpr int kParts = 24;
    const auto place = [&](int i) { return begin + (end - begin) * (i + 0.5) / kParts; };
    double from = begin, before = excess(place(0));
    for (int i = 1; i < kParts; ++i) {
      const double now = excess(place(i));
      if ((now > 0.0) == (before > 0.0)) continue;
      const double change = root(excess, place(i - 1), place(i));
      if (before > 0.0) add_part(x, y, from, change, sum);
      from = change;
      before = now;
    }
    if (before > 0.0) add_part(x, y, from, end, sum);
  }

  // The integral of grad pC along a part of a line: exact along it, by some places across it.
  void add_part(double x, double y, double begin, double end, Vec3* sum) const {
    const auto p = [&](double u, double v, double z) { return C_.pressure(Vec3(u, v, z)); };
    constexpr int kPlaces = 6;
    constexpr double kDifference = 1e-7;  // m
    const double length = (end - begin) / kPlaces;
    for (int i = 0; i < kPlaces; ++i) {
      const double z = begin + (i + 0.5) * length;
      sum->x() += length * (p(x + kDifference, y, z) - p(x - kDifference, y, z)) / (2.0 * kDifference);
      sum->y() += length * (p(x, y + kDifference, z) - p(x, y - kDifference, z)) / (2.0 * kDifference);
    }
    sum->z() += p(x, y, end) - p(x, y, begin);
  }

  const Placed& C_;
  const Placed& O_;
  Vec3 lower_, upper_;  // m
};

// A frame with z along a direction.
Mat3 frame_along(const Vec3& e) {
  Mat3 R;
  R.col(2) = e.normalized();
  Vec3::Index least = 0;
  R.col(2).cwiseAbs().minCoeff(&least);
  R.col(0) = R.col(2).cross(Vec3::Unit(least)).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Vec3 force_by_lines(const FieldShape& A, const Pose& X_WA, const FieldShape& B, const Pose& X_WB,
                    const Vec3& along) {
  const Pose X_LW = Pose{frame_along(along), 0.5 * (X_WA.p + X_WB.p)}.inverse();
  const Placed in_A(A, X_LW * X_WA), in_B(B, X_LW * X_WB);
  const bool is_A = A.modulus > 0.0;
  Overlap overlap(is_A ? in_A : in_B, is_A ? in_B : in_A);
  if (overlap.is_empty() || !overlap.zoom()) return Vec3::Zero();
  const Vec3 force = X_LW.R.transpose() * overlap.force();
  return is_A ? Vec3(-force) : force;
}

// The pressure at points of a volume of tetrahedra, linear in each.
class TetPressure {
 public:
  TetPressure(const FieldShape& field, const TriangleMesh& mesh)
      : tets_(tets_of(mesh_tree(mesh))),
        kappa_(field.modulus / (field.depth > 0.0 ? field.depth : tets_->depth)) {}

  double operator()(const Vec3& x) const {  // Pa, 0 outside
    found_.clear();
    tets_->boxes.overlap(x, x, &found_);
    for (const int i : found_) {
      const TetCell& cell = tets_->cells[static_cast<std::size_t>(i)];
      const double depth = cell.pressure.value - cell.pressure.slope.dot(x);
      // A side without a neighbour is where the depth is 0.
      const bool is_in = depth > 0.0 && std::all_of(cell.sides.begin(), cell.sides.begin() + cell.num_sides,
                                                    [&](const FieldPiece& side) {
                                                      return side.value - side.slope.dot(x) >= -1e-12;
                                                    });
      if (is_in) return kappa_ * depth;
    }
    return 0.0;
  }

  Eigen::AlignedBox3d bounds() const {
    Eigen::AlignedBox3d box;
    for (const TetCell& cell : tets_->cells) {
      box.extend(cell.box_centre - cell.box_half);
      box.extend(cell.box_centre + cell.box_half);
    }
    return box;
  }

 private:
  std::shared_ptr<const TetMesh> tets_;
  double kappa_;
  mutable std::vector<int> found_;
};

// On the rigid mesh.
Vec3 force_by_triangles(const FieldShape& soft, const Pose& X_WS, const TriangleMesh& rigid,
                        const Pose& X_WR) {
  constexpr int kParts = 96;  // of the edges of a triangle
  const auto* volume = std::get_if<SharedMesh>(&soft.shape);
  STICTION_ASSERT(volume != nullptr && (*volume)->tets != nullptr);
  const TetPressure pressure(soft, **volume);
  const Eigen::AlignedBox3d bounds = pressure.bounds();
  const Pose X_SR = X_WS.inverse() * X_WR;
  Vec3 force = Vec3::Zero();
  for (const Triangle& triangle : rigid.triangles) {
    Vec3 corner[3];
    Eigen::AlignedBox3d box;
    for (int k = 0; k < 3; ++k) {
      corner[k] = X_SR * rigid.vertices[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])];
      box.extend(corner[k]);
    }
    if (!bounds.intersects(box)) continue;
    const Vec3 u = (corner[1] - corner[0]) / kParts, v = (corner[2] - corner[0]) / kParts;
    double sum = 0.0;  // Pa, in the middle of every small triangle
    for (int i = 0; i < kParts; ++i)
      for (int j = 0; i + j < kParts; ++j) {
        sum += pressure(corner[0] + (i + 1.0 / 3.0) * u + (j + 1.0 / 3.0) * v);
        if (i + j + 1 < kParts) sum += pressure(corner[0] + (i + 2.0 / 3.0) * u + (j + 2.0 / 3.0) * v);
      }
    force -= 0.5 * sum * u.cross(v);  // against the normal, which looks out of the rigid one
  }
  return X_WS.R * force;
}

}  // namespace

Vec3 reference_force(const FieldShape& A, const Pose& X_WA, const FieldShape& B, const Pose& X_WB,
                     const Vec3& along) {
  if (A.modulus == 0.0 && B.modulus == 0.0) return Vec3::Zero();
  const auto* mesh_A = std::get_if<SharedMesh>(&A.shape);
  const auto* mesh_B = std::get_if<SharedMesh>(&B.shape);
  if (mesh_A == nullptr && mesh_B == nullptr) return force_by_lines(A, X_WA, B, X_WB, along);
  STICTION_ASSERT(mesh_A != nullptr && mesh_B != nullptr && (A.modulus == 0.0 || B.modulus == 0.0));
  if (A.modulus > 0.0) return force_by_triangles(A, X_WA, **mesh_B, X_WB);
  return -force_by_triangles(B, X_WB, **mesh_A, X_WA);
}

}  // namespace stiction::race
