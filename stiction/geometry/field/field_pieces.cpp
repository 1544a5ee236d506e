#include "stiction/geometry/field/field_pieces.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kPi = 3.14159265358979323846;

// R w^2 times this is how far the planes of 1, 2 and 3 rings are pulled in: at it the force of a shallow ball
// on a plane is exact. (Root of F(c) = pi/4, F the integral of the least of 1/2 + t^2/2 - t . s - c/(n + 1/2)^2
// over the plane of s where positive, t the places of the planes in units of alpha.)
constexpr double kPulledIn[] = {0.09688076, 0.08874264, 0.08724583};

// Angle from the middle up to which a unit ball reaches beyond a plane by `overlap`.
double cap_angle(double overlap) { return std::acos(std::clamp(1.0 - overlap, -1.0, 1.0)); }

// A unit vector normal to u, towards `phase` where that is not along u.
Vec3 normal_towards(const Vec3& u, const Vec3& phase) {
  Vec3 t = phase - phase.dot(u) * u;
  if (t.squaredNorm() < 1e-12 * phase.squaredNorm()) {
    int axis = 0;
    u.cwiseAbs().minCoeff(&axis);
    t = u.cross(Vec3::Unit(axis));
  }
  return t.normalized();
}

// Calls add(direction, pulled_in) for the middle and the rings around u0; pulled_in relative to the radius.
template <class Add>
void for_each_in_rings(const Vec3& u0, double alpha, int rings, const Vec3& phase, const Add& add) {
  const double w = alpha / (rings + 0.5), pulled_in = kPulledIn[rings - 1] * w * w;
  const Vec3 t1 = normal_towards(u0, phase), t2 = u0.cross(t1);
  add(u0, pulled_in);
  for (int ring = 1; ring <= rings; ++ring) {
    const double c = std::cos(ring * w), s = std::sin(ring * w);
    const int count = 6 * ring;
    for (int i = 0; i < count; ++i) {
      const double angle = 2.0 * kPi * i / count;
      add(c * u0 + s * (std::cos(angle) * t1 + std::sin(angle) * t2), pulled_in);
    }
  }
}

// The same for a row of directions normal to z, in S, up to beta on both sides of u0's part normal to z.
template <class Add>
void for_each_in_row(const Vec3& u0, double beta, int rings, const Add& add) {
  const int count = 4 * rings + 1;
  const double w = 2.0 * beta / count, across = std::hypot(u0.x(), u0.y());
  const double cx = across > 0.0 ? u0.x() / across : 1.0, cy = across > 0.0 ? u0.y() / across : 0.0;
  for (int i = 0; i < count; ++i) {
    const double angle = w * (i - (count - 1) / 2), c = std::cos(angle), s = std::sin(angle);
    add(Vec3(cx * c - cy * s, cx * s + cy * c, 0.0), w * w / 24.0);
  }
}

// Angle of a lateral surface of radius R that a plane with the direction u0 meets.
double row_angle(double R, double sine, double overlap) {
  const double q = R * sine > 0.0 ? 1.0 - overlap / (R * sine) : -1.0;
  return q >= 1.0 ? 0.0 : std::acos(std::max(q, -1.0));
}

}  // namespace

FieldPiece moved_piece(const FieldPiece& piece, const Pose& X_QS) {
  const Vec3 slope = X_QS.R * piece.slope;
  return {slope, piece.value + slope.dot(X_QS.p), piece.id};
}

void keep_relevant(double radius, FieldPieces* pieces) {
  double bound = 1e300;
  for (const FieldPiece& piece : *pieces) bound = std::min(bound, piece.value + radius * piece.slope.norm());
  std::erase_if(*pieces,
                [&](const FieldPiece& piece) { return piece.value - radius * piece.slope.norm() > bound; });
}

double reach_of(const PressureField& field, const Vec3& d) {
  const Vec3& size = field.shape.size;
  switch (field.shape.kind) {
    case ShapeKind::sphere:
      return size[0];
    case ShapeKind::capsule:
      return size[0] + size[1] * std::abs(d.z());
    case ShapeKind::cylinder:
      return (size[0] + field.shape.rounding) * std::hypot(d.x(), d.y()) +
             (size[1] + field.shape.rounding) * std::abs(d.z());
    case ShapeKind::ellipsoid:
      return (size + Vec3::Constant(field.shape.rounding)).cwiseProduct(d).norm();
    case ShapeKind::superellipsoid:
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return 0.0;
}

void append_facets(const PressureField& field, const Pose& X_QS, const Vec3& towards, double overlap,
                   const Vec3& phase, FieldPieces* out) {
  if (!(overlap > 0.0)) return;
  const Vec3 u0 = X_QS.R.transpose() * towards, e = X_QS.R.transpose() * phase;
  const Vec3 size = field.shape.size + Vec3::Constant(field.shape.rounding);
  const int rings = static_cast<int>(field.rings);
  const double slope = field.is_rigid() ? 1.0 : field.kappa();
  int id = 0;
  const auto add = [&](const Vec3& direction, double offset) {
    out->push_back(moved_piece({slope * direction, slope * offset, id++}, X_QS));
  };
  switch (field.shape.kind) {
    case ShapeKind::sphere: {
      const double R = field.shape.size[0];
      for_each_in_rings(u0, cap_angle(overlap / R), rings, e,
                        [&](const Vec3& u, double in) { add(u, R * (1.0 - in)); });
      break;
    }
    case ShapeKind::capsule: {
      const double R = field.shape.size[0], half = field.shape.size[1];
      for_each_in_rings(u0, cap_angle(overlap / R), rings, e,
                        [&](const Vec3& u, double in) { add(u, R * (1.0 - in) + half * std::abs(u.z())); });
      const double sine = std::hypot(u0.x(), u0.y());
      const double beta = row_angle(R, sine, overlap - R * (1.0 - sine));
      if (beta > 0.0)
        for_each_in_row(u0, beta, rings, [&](const Vec3& u, double in) { add(u, R * (1.0 - in)); });
      break;
    }
    case ShapeKind::cylinder: {
      const double R = size[0], half = size[1];
      add(Vec3::UnitZ(), half);
      add(-Vec3::UnitZ(), half);
      const double beta = row_angle(R, std::hypot(u0.x(), u0.y()), overlap);
      if (beta > 0.0)
        for_each_in_row(u0, beta, rings, [&](const Vec3& u, double in) { add(u, R * (1.0 - in)); });
      break;
    }
    case ShapeKind::ellipsoid: {
      // A unit ball in the coordinates y = D^-1 x, in which planes stay planes.
      const Vec3 D = size, scaled = D.cwiseProduct(u0);
      const double length = scaled.norm(), least = D.minCoeff();
      for_each_in_rings(scaled / length, cap_angle(overlap / length), rings, D.cwiseInverse().cwiseProduct(e),
                        [&](const Vec3& u, double in) {
                          const Vec3 G = least * u.cwiseQuotient(D);
                          const double per_metre = field.is_rigid() ? 1.0 / G.norm() : 1.0;
                          add(per_metre * G, per_metre * least * (1.0 - in));
                        });
      break;
    }
    case ShapeKind::superellipsoid:
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
}

}  // namespace stiction
