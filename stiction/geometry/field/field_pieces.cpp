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

// Angle from the middle up to which the surface of a unit ball is the nearest one to what is beyond a plane that cuts off
// `overlap`: that of the cap, and, as soon as the plane is beyond the centre, everywhere.
constexpr double kTurn = 0.25;  // of the radius, over which it goes around
double cap_angle(double overlap) {
  if (overlap <= 1.0) return std::acos(std::clamp(1.0 - overlap, 0.0, 1.0));
  return 0.5 * kPi * (1.0 + std::min(1.0, (overlap - 1.0) / kTurn));
}

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

// The same for a row of directions normal to z, in S, up to beta on both sides of the part of u0 normal to z.
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
  return R * sine > 0.0 ? cap_angle(std::max(0.0, overlap / (R * sine))) : kPi;
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

void keep_relevant(const Mat3& axes, const Vec3& half, FieldPieces* pieces) {
  const auto spread = [&](const FieldPiece& piece) {
    return half.dot((axes.transpose() * piece.slope).cwiseAbs());
  };
  double bound = 1e300;
  for (const FieldPiece& piece : *pieces) bound = std::min(bound, piece.value + spread(piece));
  std::erase_if(*pieces, [&](const FieldPiece& piece) { return piece.value - spread(piece) > bound; });
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

namespace {

// Planes of a round shape around u0 (in S): up to alpha in rings, up to beta in a row across its lateral surface,
// around `row`.
void append_planes(const PressureField& field, const Pose& X_QS, const Vec3& u0, const Vec3& row,
                   double alpha, double beta, const Vec3& e, int rings, FieldPieces* out) {
  const Vec3 size = field.shape.size + Vec3::Constant(field.shape.rounding);
  const double slope = field.is_rigid() ? 1.0 : field.kappa();
  int id = 0;
  const auto add = [&](const Vec3& direction, double offset) {
    out->push_back(moved_piece({slope * direction, slope * offset, id++}, X_QS));
  };
  switch (field.shape.kind) {
    case ShapeKind::sphere: {
      const double R = field.shape.size[0];
      for_each_in_rings(u0, alpha, rings, e, [&](const Vec3& u, double in) { add(u, R * (1.0 - in)); });
      break;
    }
    case ShapeKind::capsule: {
      const double R = field.shape.size[0], half = field.shape.size[1];
      // Of the rings those across the axis lie on the lateral surface too: where it is met they are pulled in by less
      // than the row is there, and leave it to the row. Never by as much: two equal planes would count twice.
      const double w = alpha / (rings + 0.5), in_row = std::pow(2.0 * beta / (4 * rings + 1), 2) / 24.0;
      const double is_met = std::min(1.0, beta / std::max(w, 1e-300));
      for_each_in_rings(u0, alpha, rings, e, [&](const Vec3& u, double in) {
        const double across = is_met * std::max(0.0, 1.0 - std::abs(u.z()) / w);
        add(u, R * (1.0 - in + across * (in - 0.5 * in_row)) + half * std::abs(u.z()));
      });
      if (beta > 0.0)
        for_each_in_row(row, beta, rings, [&](const Vec3& u, double in) { add(u, R * (1.0 - in)); });
      break;
    }
    case ShapeKind::cylinder: {
      const double R = size[0], half = size[1];
      add(Vec3::UnitZ(), half);
      add(-Vec3::UnitZ(), half);
      // Always: without a row the caps alone would bound nothing sideways.
      for_each_in_row(row, beta, rings, [&](const Vec3& u, double in) { add(u, R * (1.0 - in)); });
      break;
    }
    case ShapeKind::ellipsoid: {
      // A unit ball in the coordinates y = D^-1 x, in which planes stay planes.
      const double least = size.minCoeff();
      for_each_in_rings(size.cwiseProduct(u0).normalized(), alpha, rings, size.cwiseInverse().cwiseProduct(e),
                        [&](const Vec3& u, double in) {
                          const Vec3 G = least * u.cwiseQuotient(size);
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

// Angles of the rings and of the row that reach `overlap` beyond a plane normal to u0 (in S).
struct Angles {
  double alpha = 0.0, beta = 0.0;
};
Angles angles_of(const PressureField& field, const Vec3& u0, double overlap) {
  const double R = field.shape.size[0] + field.shape.rounding, sine = std::hypot(u0.x(), u0.y());
  switch (field.shape.kind) {
    case ShapeKind::sphere:
      return {cap_angle(overlap / R), 0.0};
    case ShapeKind::capsule:
      return {cap_angle(overlap / R), row_angle(R, sine, overlap - R * (1.0 - sine))};
    case ShapeKind::cylinder:
      return {0.0, row_angle(R, sine, overlap)};
    case ShapeKind::ellipsoid:
      return {cap_angle(overlap / reach_of(field, u0)), 0.0};
    case ShapeKind::superellipsoid:
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return {};
}

}  // namespace

double facet_angle(const PressureField& field, const Pose& X_QS, const Vec3& towards, double overlap) {
  if (!(overlap > 0.0)) return 0.0;
  const Angles angles = angles_of(field, X_QS.R.transpose() * towards, overlap);
  return std::max(angles.alpha, angles.beta);
}

void append_facets(const PressureField& field, const Pose& X_QS, const Vec3& towards, double overlap,
                   const Vec3& near, const Vec3& phase, int rings, FieldPieces* out) {
  if (!(overlap > 0.0)) return;
  const Vec3 u0 = X_QS.R.transpose() * towards, e = X_QS.R.transpose() * phase;
  const Angles angles = angles_of(field, u0, overlap);
  Vec3 row = u0;
  if (field.shape.kind == ShapeKind::cylinder) {
    // An end that touches flat has no direction across the axis. Where the row goes all around, it may begin anywhere.
    const double radius = field.shape.size[0] + field.shape.rounding, sine = std::hypot(u0.x(), u0.y());
    const double all_around = std::max(0.0, 1.0 - (1.0 + kTurn) * radius * sine / overlap);
    row += all_around / radius * (X_QS.inverse() * near);
  }
  append_planes(field, X_QS, u0, row, angles.alpha, angles.beta, e, rings, out);
}

double append_facets_around(const PressureField& field, const Pose& X_QS, const Vec3& target, double radius,
                            const Vec3& phase, double most, int rings, FieldPieces* out) {
  const Vec3 x = X_QS.inverse() * target, e = X_QS.R.transpose() * phase;
  Vec3 from = Vec3::Zero();
  double reach = radius;
  const Vec3 size = field.shape.size + Vec3::Constant(field.shape.rounding);
  if (field.shape.kind == ShapeKind::capsule) from.z() = std::clamp(x.z(), -size[1], size[1]);
  if (field.shape.kind == ShapeKind::cylinder) from.z() = x.z();
  Vec3 d = x - from;
  if (field.shape.kind == ShapeKind::ellipsoid) {
    d = d.cwiseQuotient(size);
    reach = radius / size.minCoeff();
  }
  const double distance = d.norm();
  const double angle = distance > reach ? std::asin(reach / distance) : kPi;
  if (!(angle <= most)) return angle;
  // Of an ellipsoid the normal of the direction d of the unit ball.
  const Vec3 towards = field.shape.kind == ShapeKind::ellipsoid ? Vec3(d.cwiseQuotient(size)) : d;
  const Vec3 u0 = towards.squaredNorm() > 0.0 ? Vec3(towards.normalized()) : Vec3(Vec3::UnitX());
  append_planes(field, X_QS, u0, u0, angle, angle, e, rings, out);
  return angle;
}

}  // namespace stiction
