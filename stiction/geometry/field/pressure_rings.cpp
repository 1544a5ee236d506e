#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/field/pressure_query.h"

namespace stiction {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kSectors = 6;

// Of an angle in halves of a sector, 30 degrees.
double cosine_of(int angle) {
  constexpr double kRoot = 0.86602540378443865;
  constexpr double kCosines[2 * kSectors] = {1.0,  kRoot,  0.5,  0.0, -0.5, -kRoot,
                                             -1.0, -kRoot, -0.5, 0.0, 0.5,  kRoot};
  return kCosines[(angle + 2 * kSectors) % (2 * kSectors)];
}

// Gauss-Legendre on [0, 1].
struct Node {
  double x, weight;
};
constexpr Node kOne[] = {{0.5, 1.0}};
constexpr Node kTwo[] = {{0.21132486540518712, 0.5}, {0.78867513459481288, 0.5}};
constexpr Node kFour[] = {{0.069431844202973714, 0.17392742256872693},
                          {0.33000947820757187, 0.32607257743127307},
                          {0.66999052179242813, 0.32607257743127307},
                          {0.93056815579702629, 0.17392742256872693}};

// Ball A and shape B, a ball or a half-space, along the axis from A into B. At the
// pressure p the sheet is the circle of radius s at z along the axis from the ball's centre, with
//   r = R (1 - p/E)                                               distance from the ball's centre
//   z = (d^2 + r^2 - r_B^2)/(2 d), or D + p/kappa_B for a plane   s^2 = r^2 - z^2
//
// An ellipsoid and a plane are a ball and a plane in the coordinates y with x = centre + M y, in which the level surfaces of
// the ellipsoid are spheres and planes stay planes: there everything above holds. Vectors of area and slopes are carried over
// by the inverse of M.
struct Revolution {
  double R = 0.0, fall = 0.0;      // m; -dr/dp, m/Pa: 0 for a rigid ball
  double R_B = 0.0, fall_B = 0.0;  // of B; a plane: R_B unused, fall_B = 1/kappa_B
  bool is_plane = false;
  double d = 0.0;           // m, to the centre or plane of B
  double most = 0.0;        // Pa, on the axis
  Vec3 centre, axis;        // in Q
  bool is_swapped = false;  // the ball is B
  // Of an ellipsoid.
  bool is_stretched = false;
  Mat3 M = Mat3::Identity(), turned_inverse = Mat3::Identity();  // M' ^-1
  double det = 1.0;

  Vec3 place(const Vec3& y) const { return is_stretched ? Vec3(centre + M * y) : Vec3(centre + y); }
  Vec3 slope(const Vec3& y) const { return is_stretched ? Vec3(turned_inverse * y) : y; }
};

Revolution revolution_of(const PressureQuery& query) {
  Revolution rev;
  rev.is_swapped = query.A.field->shape.kind != ShapeKind::sphere;
  const PressureSide &ball = rev.is_swapped ? query.B : query.A, &other = rev.is_swapped ? query.A : query.B;
  rev.R = ball.field->shape.size[0];
  rev.fall = ball.is_rigid ? 0.0 : 1.0 / ball.field->kappa();
  rev.centre = ball.X_QS.p;
  rev.fall_B = other.is_rigid ? 0.0 : 1.0 / other.field->kappa();
  rev.is_plane = other.field->shape.kind == ShapeKind::half_space;
  if (rev.is_plane) {
    rev.axis = -other.X_QS.R.col(2);
    rev.d = rev.axis.dot(other.X_QS.p - rev.centre);
    rev.most = (rev.R - rev.d) / (rev.fall + rev.fall_B);
  } else {
    rev.R_B = other.field->shape.size[0];
    const Vec3 between = other.X_QS.p - rev.centre;
    rev.d = between.norm();
    rev.axis = rev.d > 0.0 ? Vec3(between / rev.d) : Vec3(Vec3::UnitZ());
    rev.most = (rev.R + rev.R_B - rev.d) / (rev.fall + rev.fall_B);
  }
  // No deeper than the middle of either.
  if (rev.fall > 0.0) rev.most = std::min(rev.most, rev.R / rev.fall);
  if (rev.fall_B > 0.0 && !rev.is_plane) rev.most = std::min(rev.most, rev.R_B / rev.fall_B);
  return rev;
}

// Of a ball or an ellipsoid and one plane of the other shape, a piece in Q.
Revolution revolution_about(const PressureQuery& query, bool round_is_A, const FieldPiece& plane) {
  const PressureSide &round = round_is_A ? query.A : query.B, &other = round_is_A ? query.B : query.A;
  const CollisionShape& shape = round.field->shape;
  Revolution rev;
  rev.is_swapped = !round_is_A;
  rev.is_plane = true;
  rev.R = shape.size[0];
  rev.fall = round.is_rigid ? 0.0 : 1.0 / round.field->kappa();
  rev.centre = round.X_QS.p;
  Vec3 n = plane.slope;
  if (shape.kind == ShapeKind::ellipsoid) {
    const Vec3 size = shape.size + Vec3::Constant(shape.rounding);
    rev.is_stretched = true;
    rev.R = size.minCoeff();
    const Mat3& R = round.X_QS.R;
    const Vec3 ratio = size / rev.R;
    rev.M = R * ratio.asDiagonal() * R.transpose();
    rev.turned_inverse = R * ratio.cwiseInverse().asDiagonal() * R.transpose();
    rev.det = ratio.prod();
    n = rev.M * n;
  }
  const double slope = n.norm();
  rev.fall_B = other.is_rigid ? 0.0 : 1.0 / slope;
  rev.axis = -n / slope;
  rev.d = -(plane.value - plane.slope.dot(rev.centre)) / slope;
  rev.most = (rev.R - rev.d) / (rev.fall + rev.fall_B);
  if (rev.fall > 0.0) rev.most = std::min(rev.most, rev.R / rev.fall);
  return rev;
}

struct Circle {
  double s = 0.0, z = 0.0;             // m
  double s2_rate = 0.0, z_rate = 0.0;  // d(s^2)/dp, dz/dp
  bool exists = false;
};

Circle circle_at(const Revolution& rev, double p) {
  const double r = rev.R - rev.fall * p, r_rate = -rev.fall;
  Circle c;
  if (rev.is_plane) {
    c.z = rev.d + rev.fall_B * p;
    c.z_rate = rev.fall_B;
  } else {
    if (!(rev.d > 0.0)) return c;
    const double r_B = rev.R_B - rev.fall_B * p;
    c.z = (rev.d * rev.d + r * r - r_B * r_B) / (2.0 * rev.d);
    c.z_rate = (r * r_rate + r_B * rev.fall_B) / rev.d;
  }
  const double s2 = r * r - c.z * c.z;
  c.s2_rate = 2.0 * (r * r_rate - c.z * c.z_rate);
  c.exists = s2 >= 0.0;
  c.s = std::sqrt(std::max(0.0, s2));
  return c;
}

// Which share of rings counts, and what they are called.
struct RingPlace {
  double weight = 1.0;
  int plane = -1;  // the piece of the other shape; -1: it has one only
  std::uint64_t first_feature = 0;
};

// Sectors of a ring between two pressures.
void add_ring(const PressureQuery& query, const Revolution& rev, double p, double share, double span,
              int ring, double outer, double inner, const Vec3& t1, const Vec3& t2, const RingPlace& place,
              PressurePatch* patch) {
  const Circle c = circle_at(rev, p);
  if (!c.exists) return;
  const double in_ball =
      place.weight * share * span * kPi / kSectors * std::hypot(c.s2_rate, 2.0 * c.s * c.z_rate);
  if (!(in_ball > 0.0)) return;
  const Circle rim = circle_at(rev, outer), top = circle_at(rev, inner);
  const double ball_slope = rev.fall > 0.0 ? 1.0 / rev.fall : 0.0;
  const double other_slope = rev.fall_B > 0.0 ? 1.0 / rev.fall_B : 0.0;
  for (int i = 0; i < kSectors; ++i) {
    const int angle = 2 * i + ring % 2;  // in halves of a sector
    const auto radial = [&](int at) -> Vec3 { return cosine_of(at) * t1 + cosine_of(at - 3) * t2; };
    const Vec3 out = radial(angle), x = c.z * rev.axis + c.s * out;  // from the ball's centre
    // Outward unit normals of the level surfaces of A and of B.
    const Vec3 of_ball = x.normalized();
    const Vec3 of_other = rev.is_plane ? Vec3(-rev.axis) : Vec3((x - rev.d * rev.axis).normalized());
    Vec3 normal;  // from A into B
    if (rev.fall == 0.0)
      normal = of_ball;
    else if (rev.fall_B == 0.0)
      normal = -of_other;
    else
      normal = (ball_slope * of_ball - other_slope * of_other).normalized();
    double area = in_ball;
    if (rev.is_stretched) {
      const Vec3 carried = rev.slope(normal);
      const double length = carried.norm();
      area *= rev.det * length;
      normal = carried / length;
    }
    const double g_ball = ball_slope * rev.slope(of_ball).dot(normal),
                 g_other = -other_slope * rev.slope(of_other).dot(normal);
    double gradient = std::max(0.0, g_ball) + std::max(0.0, g_other);
    if (rev.fall > 0.0 && rev.fall_B > 0.0)
      gradient = gradient > 0.0 ? std::max(0.0, g_ball) * std::max(0.0, g_other) / gradient : 0.0;

    PressureFace face;
    face.centroid = query.origin + rev.place(x);
    face.normal = rev.is_swapped ? Vec3(-normal) : normal;
    face.area = area;
    face.pressure = p;
    face.gradient = gradient;
    face.reach = gradient > 0.0 ? std::abs(p) / gradient : 0.0;
    face.share = place.weight;
    face.piece_A = face.piece_B = ring * kSectors + i;
    if (place.plane >= 0) (rev.is_swapped ? face.piece_A : face.piece_B) = place.plane;
    face.begin = static_cast<int>(patch->corners.size());
    const auto corner = [&](const Circle& at, int turn) {
      patch->corners.push_back(query.origin + rev.place(at.z * rev.axis + at.s * radial(angle + turn)));
    };
    const int half = rev.is_swapped ? -1 : 1;
    corner(rim, -half);
    corner(rim, half);
    corner(top, half);
    corner(top, -half);
    face.end = static_cast<int>(patch->corners.size());
    patch->points.push_back({face.centroid, face.normal, area, p, gradient, area * gradient,
                             static_cast<int>(patch->faces.size()),
                             place.first_feature + static_cast<std::uint64_t>(ring * kSectors + i) + 1});
    patch->faces.push_back(face);
  }
}

void add_all_rings(const PressureQuery& query, const Revolution& rev, const RingPlace& place,
                   PressurePatch* patch) {
  const PlaneFrame frame = plane_frame(rev.axis, 0.0);
  const auto add = [&](double from, double to, const auto& nodes, int first_ring) {
    if (!(to > from)) return;
    // Borders of the rings at equal shares of the pressure, for drawing.
    const int n = static_cast<int>(std::size(nodes));
    double border = from;
    for (int i = 0; i < n; ++i) {
      const double next = i + 1 == n ? to : border + nodes[i].weight * (to - from);
      add_ring(query, rev, from + nodes[i].x * (to - from), nodes[i].weight, to - from, first_ring + i,
               border, next, frame.t1, frame.t2, place, patch);
      border = next;
    }
  };
  if (query.is_speculative) {
    // What presses has been added already.
  } else if (query.options.is_fine) {
    add(0.0, rev.most, kFour, 0);
  } else {
    add(0.0, rev.most, kTwo, 0);
  }
  if (query.least_pressure < 0.0)
    add(query.least_pressure, std::min(0.0, rev.most), kOne, static_cast<int>(std::size(kFour)));
}

double energy_of(const Revolution& rev) {
  // U = integral over p of the volume in which both pressures are larger: the lens of two balls, or a cap.
  const auto volume = [&](double p) {
    const double r = rev.R - rev.fall * p, ball = 4.0 / 3.0 * kPi * r * r * r;
    if (rev.is_plane) {
      const double height = r - (rev.d + rev.fall_B * p);
      if (height >= 2.0 * r) return ball;
      return height > 0.0 ? kPi / 3.0 * height * height * (3.0 * r - height) : 0.0;
    }
    const double r_B = rev.R_B - rev.fall_B * p, d = rev.d, sum = r + r_B - d;
    if (d + r <= r_B) return ball;
    if (d + r_B <= r) return 4.0 / 3.0 * kPi * r_B * r_B * r_B;
    return sum > 0.0
               ? kPi * sum * sum * (d * d + 2.0 * d * (r + r_B) - 3.0 * (r - r_B) * (r - r_B)) / (12.0 * d)
               : 0.0;
  };
  // The volume is of degree four in p as long as neither swallows the other: exact then.
  constexpr int kParts = 8;
  double energy = 0.0;
  for (int i = 0; i < kParts; ++i)
    for (const Node& node : kFour)
      energy += node.weight * rev.most / kParts * volume(rev.most * (i + node.x) / kParts);
  return rev.det * std::max(0.0, energy);
}

}  // namespace

bool has_rings(const PressureField& A, const PressureField& B) {
  const ShapeKind a = A.shape.kind, b = B.shape.kind;
  if (a == ShapeKind::sphere) return b == ShapeKind::sphere || b == ShapeKind::half_space;
  return a == ShapeKind::half_space && b == ShapeKind::sphere;
}

void add_rings(const PressureQuery& query, PressurePatch* patch) {
  add_all_rings(query, revolution_of(query), {}, patch);
}

double ring_energy(const PressureQuery& query) { return energy_of(revolution_of(query)); }

bool has_plane_rings(ShapeKind kind) { return kind == ShapeKind::sphere || kind == ShapeKind::ellipsoid; }

double ring_weight(const PressureQuery& query, bool round_is_A, const FieldPieces& planes, std::size_t j) {
  constexpr double kBorder = 0.25;  // of the radius of the sheet, from its edge on
  const Revolution rev = revolution_about(query, round_is_A, planes[j]);
  const bool is_rigid = round_is_A ? query.B.is_rigid : query.A.is_rigid;
  if (!(rev.most > query.least_pressure)) return 1.0;
  // Circles of the sheet from its edge to the axis: their radii fall, and everything else is linear in p.
  const Circle edge = circle_at(rev, query.least_pressure);
  if (!edge.exists || !(edge.s > 0.0)) return 0.0;
  const double longest = rev.is_stretched ? rev.M.norm() : 1.0;
  // A sheet outside of the ball of the query is none: planes that are the least there have been left out.
  for (const double p : {query.least_pressure, rev.most})
    if (rev.place((rev.d + rev.fall_B * p) * rev.axis).norm() + longest * edge.s > query.reach()) return 0.0;
  double weight = 1.0;
  if (rev.is_stretched) {
    // Facets have what is in the plane with its middle.
    constexpr double kDeep = 0.25;
    const double t = std::clamp((rev.d + rev.fall_B * query.least_pressure) / (kDeep * rev.R), 0.0, 1.0);
    weight = t * t * (3.0 - 2.0 * t);
  }
  for (std::size_t k = 0; k < planes.size(); ++k) {
    if (k == j) continue;
    const double apart = (planes[k].slope - planes[j].slope).norm();
    if (!(apart > 0.0)) continue;
    const Vec3 slope = rev.is_stretched ? Vec3(rev.M * planes[k].slope) : planes[k].slope;
    const double along = slope.dot(rev.axis);
    const double across = (slope - along * rev.axis).norm();
    double least = 1e300;
    for (const double p : {query.least_pressure, rev.most}) {
      const Vec3 x = rev.place((rev.d + rev.fall_B * p) * rev.axis);
      least = std::min(least, planes[k].value - planes[k].slope.dot(x) - (is_rigid ? 0.0 : p));
    }
    const double clearance = (least - across * edge.s) / apart;
    const double t = std::clamp(clearance / (kBorder * edge.s), 0.0, 1.0);
    weight = std::min(weight, t * t * (3.0 - 2.0 * t));
  }
  return weight;
}

void add_plane_rings(const PressureQuery& query, bool round_is_A, const FieldPiece& plane, double weight,
                     std::uint64_t first_feature, int id, PressurePatch* patch) {
  add_all_rings(query, revolution_about(query, round_is_A, plane), {weight, id, first_feature}, patch);
}

double plane_ring_energy(const PressureQuery& query, bool round_is_A, const FieldPiece& plane) {
  const Revolution rev = revolution_about(query, round_is_A, plane);
  return rev.most > 0.0 ? energy_of(rev) : 0.0;
}

}  // namespace stiction
