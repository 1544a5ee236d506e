#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "stiction/geometry/field/pressure_query.h"

namespace stiction {
namespace {

// Shares of a polygon in the second moment of the patch between which its points move out of its centroid.
constexpr double kOnePoint = 0.0025, kAllPoints = 0.01;
// A polygon's own length of overlap counts down to this share of the longest.
constexpr double kLeastReach = 0.1;

std::uint64_t feature_of(const PressureFace& face, int corner) {
  return static_cast<std::uint64_t>(face.piece_A + 1) << 40 |
         static_cast<std::uint64_t>(face.piece_B + 1) << 16 |
         static_cast<std::uint64_t>(corner & 0x7fff) << 1 | (face.pressure > 0.0 ? 1u : 0u);
}

// The symmetric square root of a positive semidefinite matrix.
Eigen::Matrix2d root_of(const Eigen::Matrix2d& A) {
  const double root = std::sqrt(std::max(0.0, A.determinant())), scale = std::sqrt(A.trace() + 2.0 * root);
  if (!(scale > 0.0)) return Eigen::Matrix2d::Zero();
  return (A + root * Eigen::Matrix2d::Identity()) / scale;
}

class PointWriter {
 public:
  PointWriter(const PressureQuery& query, double longest, PressureWorkspace::Buffers* buffers,
              PressurePatch* patch)
      : is_fine_(query.options.is_fine),
        longest_(longest),
        patch_(patch),
        corners_(buffers->corners),
        part_(buffers->part),
        weights_(buffers->weights),
        quarter_(buffers->quarter) {}

  // Of face f, whose points move out by `spread` of the way.
  void write(int f, double spread) {
    const PressureFace& face = patch_->faces[f];
    count_ = 0;
    if (spread == 0.0) {
      add(f, face.centroid, face.area);
      return;
    }
    const int n = face.end - face.begin;
    corners_.assign(patch_->corners.begin() + face.begin, patch_->corners.begin() + face.end);
    // Areas of corners are of the whole polygon; a face that fades out has less.
    double whole = 0.0;
    for (int i = 0; i < n; ++i) whole += fan(face.centroid, corners_[i], corners_[(i + 1) % n]);
    const double fading = whole > 0.0 ? face.area / whole : 0.0;
    if (!is_fine_) {
      spread_out(f, corners_, face.centroid, spread, fading);
      return;
    }
    const PlaneFrame frame = plane_frame(face.normal, 0.0);
    for (int k = 0; k < 4; ++k) {
      // The polygon in the plane's coordinates about the centroid, cut to one quarter.
      quarter_.clear();
      for (const Vec3& c : corners_)
        quarter_.add(frame.t1.dot(c - face.centroid), frame.t2.dot(c - face.centroid));
      if (!quarter_.cut(0.0, k & 1 ? 1.0 : -1.0, 0.0) || !quarter_.cut(0.0, 0.0, k & 2 ? 1.0 : -1.0))
        continue;
      const PolygonMoments m = quarter_.moments();
      if (!(m.area > 0.0)) continue;
      part_.clear();
      for (std::size_t i = 0; i < quarter_.size(); ++i)
        part_.push_back(face.centroid + spread * (quarter_.u(i) * frame.t1 + quarter_.v(i) * frame.t2));
      const Vec3 centre = face.centroid + spread * (m.u * frame.t1 + m.v * frame.t2);
      spread_out(f, part_, centre, 1.0, fading / (spread * spread));
    }
  }

 private:
  double fan(const Vec3& c, const Vec3& a, const Vec3& b) const { return 0.5 * (a - c).cross(b - c).norm(); }

  void spread_out(int f, const std::vector<Vec3>& corners, const Vec3& centre, double spread, double fading) {
    const std::size_t n = corners.size();
    weights_.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double area = fan(centre, corners[i], corners[(i + 1) % n]);
      weights_[i] += 0.5 * area;
      weights_[(i + 1) % n] += 0.5 * area;
    }
    // Drawn in by the matrix S that makes the second moment of the points that of the polygon,
    //   S W S' = M,   S = L (L^-1 M L^-T)^(1/2) L^-1,   W = L L',
    // W of the corners with their weights. It is the same in any coordinates, stretched ones too, so that a sliver has
    // all its digits where one axis points along it. For triangles and parallelograms S is a number.
    const Vec3& normal = patch_->faces[f].normal;
    Vec3 along = Vec3::Zero();
    for (const Vec3& corner : corners)
      if ((corner - centre).squaredNorm() > along.squaredNorm()) along = corner - centre;
    const Vec3 t1 = (along - along.dot(normal) * normal).normalized(), t2 = normal.cross(t1);
    Eigen::Matrix2d W = Eigen::Matrix2d::Zero(), M = Eigen::Matrix2d::Zero();
    const auto in_plane = [&](const Vec3& x) {
      return Eigen::Vector2d(t1.dot(x - centre), t2.dot(x - centre));
    };
    for (std::size_t i = 0; i < n; ++i) {
      const Eigen::Vector2d p = in_plane(corners[i]), q = in_plane(corners[(i + 1) % n]);
      W += weights_[i] * p * p.transpose();
      const double share = fan(centre, corners[i], corners[(i + 1) % n]) / 12.0;
      M +=
          share * (2.0 * p * p.transpose() + 2.0 * q * q.transpose() + p * q.transpose() + q * p.transpose());
    }
    // Narrower than this share of its length a sliver is round-off, and a number does.
    constexpr double kNarrow = 1e-9;
    const double a = std::sqrt(W(0, 0)), b = a > 0.0 ? W(0, 1) / a : 0.0, square = W(1, 1) - b * b;
    Eigen::Matrix2d S = Eigen::Matrix2d::Identity() * (a > 0.0 ? std::sqrt(M(0, 0)) / a : 0.0);
    if (square > kNarrow * kNarrow * W(0, 0)) {
      const double c = std::sqrt(square);
      Eigen::Matrix2d L, inverse;
      L << a, 0.0, b, c;
      inverse << 1.0 / a, 0.0, -b / (a * c), 1.0 / c;
      S = L * root_of(inverse * M * inverse.transpose()) * inverse;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Eigen::Vector2d r = spread * (S * in_plane(corners[i]));
      add(f, centre + r[0] * t1 + r[1] * t2, fading * weights_[i]);
    }
  }

  void add(int f, const Vec3& x, double area) {
    const PressureFace& face = patch_->faces[f];
    PressurePoint point;
    point.p = x;
    point.normal = face.normal;
    point.area = area;
    point.pressure = face.pressure + face.pressure_slope.dot(x - face.centroid);
    point.gradient = face.gradient;
    const double reach = std::max(face.reach, kLeastReach * longest_);
    point.stiffness = area * face.gradient;
    if (point.pressure > 0.0 && reach > 0.0)
      point.stiffness = std::max(point.stiffness, area * point.pressure / reach);
    point.face = f;
    point.feature = feature_of(face, count_++);
    patch_->points.push_back(point);
  }

  bool is_fine_;
  double longest_;
  PressurePatch* patch_;
  int count_ = 0;
  std::vector<Vec3>&corners_, &part_;
  std::vector<double>& weights_;
  PlanePolygon& quarter_;
};

}  // namespace

void add_points(const PressureQuery& query, std::size_t first, PressureWorkspace::Buffers* buffers,
                PressurePatch* patch) {
  // Second moment of the pressed part of the patch about its centroid.
  double area = 0.0, longest = 0.0;
  Vec3 centre = Vec3::Zero();
  for (std::size_t f = first; f < patch->faces.size(); ++f) {
    const PressureFace& face = patch->faces[f];
    if (!(face.pressure > 0.0)) continue;
    area += face.area;
    centre += face.area * face.centroid;
    longest = std::max(longest, face.reach);
  }
  if (area > 0.0) centre /= area;
  double moment = 0.0;
  for (std::size_t f = first; f < patch->faces.size(); ++f) {
    const PressureFace& face = patch->faces[f];
    if (face.pressure > 0.0) moment += face.trace + face.area * (face.centroid - centre).squaredNorm();
  }

  PointWriter writer(query, longest, buffers, patch);
  for (std::size_t f = first; f < patch->faces.size(); ++f) {
    const PressureFace& face = patch->faces[f];
    double spread = 0.0;
    if (face.pressure > 0.0 && moment > 0.0)
      spread = query.options.is_fine
                   ? 1.0
                   : std::clamp((face.trace / moment - kOnePoint) / (kAllPoints - kOnePoint), 0.0, 1.0);
    writer.write(static_cast<int>(f), spread);
  }
}

}  // namespace stiction
