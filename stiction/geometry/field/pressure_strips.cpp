// A capsule and one plane: strips across its axis, each in closed form.
//
// e is the direction of the axis along the plane, u the place along e, v across it. At the pressure p the sheet is where the
// plane, fall_B p below the surface, meets the capsule of radius r = R - fall_A p: at
//
//   v^2 = r^2 - eta^2 = a p^2 - 2 b p + c,   eta the distance of the axis from (u, 0) in the plane of symmetry,
//
// on the straight part (h + (u - u_end) tan t + fall_B p) cos t, t the tilt of the axis, around an end the root of
// (h + fall_B p)^2 + (u - u_end)^2. Both are quadratic in p: with the largest pressure p0 of the strip and p = p0 (1 - s^2),
//
//   v = s w(s),   w^2 = c - a p0^2 (1 - s^2),
//
// which is smooth in s, so that Gauss's nodes in s make the integrals across the strip exact for a parabola. Along the axis
// the straight part has Gauss's nodes in equal steps, the ends those of segments of discs (segment_rule.h). Where strips of the
// straight part and of an end meet is taken at p = 0; in a soft plane that tilts it moves with p, by less than
// fall_B p0 tan t. Nothing depends on a turn about the axis, and an upright capsule is a ball.
//
// The force on a half-space is along its normal: so is every point's. k = -dp/dh at a fixed place of the plane.

#include <algorithm>
#include <cmath>

#include "stiction/geometry/field/pressure_query.h"
#include "stiction/geometry/field/segment_rule.h"

namespace stiction {
namespace {

// Gauss-Legendre on [0, 1].
struct Node {
  double x, weight;
};
constexpr Node kTwo[] = {{0.21132486540518712, 0.5}, {0.78867513459481288, 0.5}};
constexpr Node kFour[] = {{0.069431844202973714, 0.17392742256872693},
                          {0.33000947820757187, 0.32607257743127307},
                          {0.66999052179242813, 0.32607257743127307},
                          {0.93056815579702629, 0.17392742256872693}};

// The lower of the ends is above the plane by this share of the radius at least: there the weight of strips begins, and it
// is 1 from the second one on.
constexpr double kDeep = 0.25, kShallow = 0.5;

struct Lying {
  double R = 0.0, fall_A = 0.0, fall_B = 0.0;  // m, m/Pa
  Vec3 up = Vec3::UnitZ(), e = Vec3::UnitX(), across = Vec3::UnitY();
  Vec3 first = Vec3::Zero();  // m, in Q, the first end, where u = 0
  double u[2] = {0.0, 0.0};   // m, of the ends
  double h[2] = {0.0, 0.0};   // m, of the ends above the surface of the plane
  double sine = 0.0, cosine = 1.0;
  bool round_is_A = false;

  // On the sheet, in the plane of symmetry.
  Vec3 at(double along, double p) const { return first + along * e - (h[0] + fall_B * p) * up; }
};

Lying lying_on(const PressureQuery& query, bool round_is_A, const FieldPiece& plane) {
  const PressureSide &round = round_is_A ? query.A : query.B, &flat = round_is_A ? query.B : query.A;
  Lying l;
  l.round_is_A = round_is_A;
  const Vec3& size = round.field->shape.size;
  const double slope = plane.slope.norm();
  l.R = size[0];
  l.fall_A = round.is_rigid ? 0.0 : 1.0 / round.field->kappa();
  l.fall_B = flat.is_rigid ? 0.0 : 1.0 / slope;
  l.up = plane.slope / slope;
  const Vec3 axis = round.X_QS.R.col(2);
  l.sine = axis.dot(l.up);
  const Vec3 along = axis - l.sine * l.up;
  l.cosine = along.norm();
  constexpr double kUpright = 1e-9;
  if (l.cosine > kUpright) {
    l.e = along / l.cosine;
    l.across = l.up.cross(l.e);
  } else {
    const PlaneFrame frame = plane_frame(l.up, 0.0);
    l.e = frame.t1;
    l.across = frame.t2;
  }
  l.first = round.X_QS.p - size[1] * axis;
  l.h[0] = l.up.dot(l.first) - plane.value / slope;
  l.h[1] = l.h[0] + 2.0 * size[1] * l.sine;
  l.u[1] = 2.0 * size[1] * l.cosine;
  return l;
}

// What the sheet covers at one pressure, along u: around the first end, straight, around the second end.
struct Parts {
  double from[3], to[3];
  double rim[2];  // m, radii of the discs of the ends
  bool is_empty(int part) const { return !(to[part] > from[part]); }
};

Parts parts_at(const Lying& l, double p) {
  Parts parts;
  const double r = l.R - l.fall_A * p, tangent = l.sine / l.cosine;
  double h[2];
  for (int k = 0; k < 2; ++k) {
    h[k] = l.h[k] + l.fall_B * p;
    parts.rim[k] = std::sqrt(std::max(0.0, r * r - h[k] * h[k]));
  }
  // Where the sheet of the straight part, if it were longer, ends.
  double least = -1e300, most = 1e300;
  const double ends_at = (r - h[0] * l.cosine) / l.sine;
  if (l.sine > 0.0) most = ends_at;
  if (l.sine < 0.0) least = ends_at;
  const double joint[2] = {h[0] * tangent, l.u[1] + h[1] * tangent};
  parts.from[0] = -parts.rim[0];
  parts.to[0] = std::min(joint[0], parts.rim[0]);
  parts.from[1] = std::max(joint[0], least);
  parts.to[1] = std::min(joint[1], most);
  parts.from[2] = std::max(joint[1], l.u[1] - parts.rim[1]);
  parts.to[2] = l.u[1] + parts.rim[1];
  return parts;
}

// v^2 = a p^2 - 2 b p + c across one place, and k = (k0 + k1 p)/(b - a p).
struct Across {
  double a, b, c, k0, k1;
  double square(double p) const { return (a * p - 2.0 * b) * p + c; }
  double stiffness(double p) const { return (k0 + k1 * p) / (b - a * p); }
  // The largest pressure, where v = 0.
  double most() const { return c / (b + std::sqrt(std::max(0.0, b * b - a * c))); }
};

Across across_at(const Lying& l, int part, double u) {
  if (part == 1) {
    const double fall = l.fall_B * l.cosine, eta = l.h[0] * l.cosine + u * l.sine;
    return {l.fall_A * l.fall_A - fall * fall, l.R * l.fall_A + eta * fall, (l.R - eta) * (l.R + eta),
            eta * l.cosine, fall * l.cosine};
  }
  const int end = part / 2;
  const double h = l.h[end], x = u - l.u[end];
  return {l.fall_A * l.fall_A - l.fall_B * l.fall_B, l.R * l.fall_A + h * l.fall_B,
          (l.R - h) * (l.R + h) - x * x, h, l.fall_B};
}

// Calls station(part, u, width, from, to) with places along the axis, how much of it they stand for, and the borders
// between them.
template <class Station>
void for_each_station(const Parts& parts, int steps, int in_ends, const Station& station) {
  for (int part = 0; part < 3; ++part) {
    if (parts.is_empty(part)) continue;
    const double from = parts.from[part], length = parts.to[part] - from;
    if (part == 1) {
      const double step = length / steps;
      for (int i = 0; i < steps; ++i)
        for (const Node& node : kTwo) {
          const double begin = from + step * (i + (&node == kTwo ? 0.0 : 0.5));
          station(part, from + step * (i + node.x), 0.5 * step, begin, begin + 0.5 * step);
        }
      continue;
    }
    // From the rim inwards.
    const SegmentRule rule = segment_rule(in_ends, length / (2.0 * parts.rim[part / 2]));
    const double rim = part == 0 ? from : from + length, inwards = part == 0 ? length : -length;
    double border = 0.0;
    for (int i = 0; i < rule.size; ++i) {
      const double next = i + 1 == rule.size ? 1.0 : border + rule.weight[i];
      const double a = rim + inwards * border, b = rim + inwards * next;
      station(part, rim + inwards * rule.y[i], rule.weight[i] * length, std::min(a, b), std::max(a, b));
      border = next;
    }
  }
}

// How finely.
struct Steps {
  int along, in_ends;
};
Steps steps_of(const PressureQuery& query, const PressureField& field) {
  if (query.options.is_fine) return {4, 5};
  const int rings = query.rings_of(field);
  return {rings, rings == 1 ? 2 : 3};
}

// Force along the plane's normal, N.
double force_of(const Lying& l) {
  double force = 0.0;
  for_each_station(parts_at(l, 0.0), 8, 5, [&](int part, double u, double width, double, double) {
    const Across q = across_at(l, part, u);
    if (!(q.c > 0.0)) return;
    const double most = q.most(), bend = q.a * most * most;
    for (const Node& node : kFour) {
      const double s = node.x, w2 = q.c - bend * (1.0 - s * s);
      // 2 v dp, with dp = 2 p0 s ds.
      force += width * node.weight * 4.0 * most * s * s * std::sqrt(std::max(0.0, w2));
    }
  });
  return force;
}

class StripWriter {
 public:
  StripWriter(const PressureQuery& query, const Lying& l, double weight, std::uint64_t first_feature,
              int plane, PressurePatch* patch)
      : l_(l), weight_(weight), first_feature_(first_feature), plane_(plane), patch_(patch) {
    normal_ = l.round_is_A ? Vec3(-l.up) : l.up;
    start_ = query.origin + l.at(0.0, 0.0);
    for (int k = 0; k < 2; ++k) longest_ = std::max(longest_, l.R - l.h[k]);
  }

  template <std::size_t kNodes>
  void press(int part, double u, double width, double from, double to, const Node (&nodes)[kNodes]) {
    const Across q = across_at(l_, part, u);
    begin();
    if (!(q.c > 0.0) || !(width > 0.0)) return;
    const double most = q.most(), bend = q.a * most * most;
    const double reach = std::max(most * (l_.fall_A + l_.fall_B), kLeastReach * longest_);
    // The integrals of p dv and of v dp are the same; where w^2 is not constant Gauss's sums of two nodes err in proportion
    // of 3 and -2, so that pressures that have this mean are exact to the next order.
    double v[kNodes], p[kNodes], dv[kNodes], of_dv = 0.0, of_dp = 0.0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      const double s = nodes[i].x, w = std::sqrt(std::max(0.0, q.c - bend * (1.0 - s * s)));
      v[i] = s * w;
      p[i] = most * (1.0 - s * s);
      dv[i] = w > 0.0 ? nodes[i].weight * (w + bend * s * s / w) : 0.0;
      of_dv += p[i] * dv[i];
      of_dp += nodes[i].weight * 2.0 * most * s * v[i];
    }
    if (!(of_dv > 0.0)) return;
    const double scale = 0.4 + 0.6 * of_dp / of_dv;
    for (std::size_t i = 0; i < kNodes; ++i) add_both(u, v[i], scale * p[i], width * dv[i], q, reach);
    finish(part, u, from, to, 0.0);
  }

  // What lies between the pressures low and 0.
  void foresee(int part, double u, double width, double from, double to, double low) {
    begin();
    const Across q = across_at(l_, part, u);
    const double outer = q.square(low);
    if (!(outer > 0.0) || !(width > 0.0)) return;
    const double high = std::min(0.0, q.most());
    if (!(high > low)) return;
    const double p = 0.5 * (low + high), inner = std::sqrt(std::max(0.0, q.square(high)));
    const double area = width * (std::sqrt(outer) - inner);
    if (!(area > 0.0)) return;
    add_both(u, std::sqrt(std::max(0.0, q.square(p))), p, area, q, 0.0);
    finish(part, u, from, to, low);
  }

 private:
  static constexpr double kLeastReach = 0.1;  // as of polygons (pressure_points.cpp)

  void begin() {
    ++strip_;
    side_ = 0;
    area_ = force_ = stiffness_ = 0.0;
  }

  void add_both(double u, double v, double p, double area, const Across& q, double reach) {
    const double gradient = q.stiffness(p);
    area *= weight_;
    if (!(area > 0.0) || !(gradient > 0.0)) return;
    double stiffness = area * gradient;
    if (p > 0.0 && reach > 0.0) stiffness = std::max(stiffness, area * p / reach);
    const Vec3 middle = at(u, p), out = v * l_.across;
    const int face = static_cast<int>(patch_->faces.size());
    const std::uint64_t feature = first_feature_ + static_cast<std::uint64_t>(strip_ * 16 + side_);
    side_ += 2;
    patch_->points.push_back({middle - out, normal_, area, p, gradient, stiffness, face, feature + 1});
    patch_->points.push_back({middle + out, normal_, area, p, gradient, stiffness, face, feature + 2});
    area_ += 2.0 * area;
    force_ += 2.0 * area * p;
    stiffness_ += 2.0 * area * gradient;
  }

  // One face for all points of the strip.
  void finish(int part, double u, double from, double to, double border) {
    if (!(area_ > 0.0)) return;
    PressureFace& face = patch_->faces.emplace_back();
    face.pressure = force_ / area_;
    face.gradient = stiffness_ / area_;
    face.area = area_;
    face.share = weight_;
    face.reach = std::abs(face.pressure) / face.gradient;
    face.normal = normal_;
    face.centroid = at(u, face.pressure);
    face.piece_A = face.piece_B = strip_;
    if (plane_ >= 0) (l_.round_is_A ? face.piece_B : face.piece_A) = plane_;
    face.begin = static_cast<int>(patch_->corners.size());
    face.end = face.begin + 4;
    // Counter-clockwise seen against n.
    const double turn = l_.round_is_A ? -1.0 : 1.0;
    const Vec3 begin = at(from, border), end = at(to, border);
    const Vec3 out_begin = turn * half_width(part, from, border) * l_.across,
               out_end = turn * half_width(part, to, border) * l_.across;
    for (const Vec3& corner :
         {Vec3(begin - out_begin), Vec3(end - out_end), Vec3(end + out_end), Vec3(begin + out_begin)})
      patch_->corners.push_back(corner);
  }
  // In W, on the sheet in the plane of symmetry.
  Vec3 at(double u, double p) const { return start_ + u * l_.e - l_.fall_B * p * l_.up; }
  double half_width(int part, double u, double p) const {
    return std::sqrt(std::max(0.0, across_at(l_, part, u).square(p)));
  }

  const Lying& l_;
  double weight_;
  std::uint64_t first_feature_;
  int plane_;
  PressurePatch* patch_;
  Vec3 normal_, start_;
  double longest_ = 0.0;
  int strip_ = -1, side_ = 0;
  double area_ = 0.0, force_ = 0.0, stiffness_ = 0.0;
};

double smooth_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

}  // namespace

bool has_strips(ShapeKind kind) { return kind == ShapeKind::capsule; }

double strip_weight(const PressureQuery& query, bool round_is_A, const FieldPieces& planes, std::size_t j) {
  constexpr double kBorder = 0.25;  // of the half width of the sheet, from its edge on
  const Lying l = lying_on(query, round_is_A, planes[j]);
  const double low = query.least_pressure, lowest = std::min(l.h[0], l.h[1]) + l.fall_B * low;
  double weight = smooth_step((lowest / l.R - kDeep) / (kShallow - kDeep));
  if (!(weight > 0.0) || planes.size() == 1) return weight;
  const Parts parts = parts_at(l, low);
  double from = 1e300, to = -1e300;
  for (int part = 0; part < 3; ++part) {
    if (parts.is_empty(part)) continue;
    from = std::min(from, parts.from[part]);
    to = std::max(to, parts.to[part]);
  }
  const double half = std::max(parts.rim[0], parts.rim[1]);
  if (!(half > 0.0) || !(to > from)) return 0.0;
  // The sheet lies in a disc of the radius `half` that moves along u.
  const double middle = 0.5 * (from + to);
  const double ends[] = {std::min(from + half, middle), std::max(to - half, middle)};
  const double lift = l.R - lowest + l.fall_A * -low;
  const double most = std::max(0.0, lift / (l.fall_A + l.fall_B) + low);  // Pa
  const bool is_rigid = round_is_A ? query.B.is_rigid : query.A.is_rigid;
  for (const double u : ends)
    if (l.at(u, low).norm() + half > query.reach()) return 0.0;
  for (std::size_t k = 0; k < planes.size(); ++k) {
    if (k == j) continue;
    const double apart = (planes[k].slope - planes[j].slope).norm();
    if (!(apart > 0.0)) continue;
    const double across = (planes[k].slope - planes[k].slope.dot(l.up) * l.up).norm();
    double least = 1e300;
    for (const double p : {low, most})
      for (const double u : ends)
        least = std::min(least, planes[k].value - planes[k].slope.dot(l.at(u, p)) - (is_rigid ? 0.0 : p));
    weight = std::min(weight, smooth_step((least - across * half) / apart / (kBorder * half)));
  }
  return weight;
}

void add_strips(const PressureQuery& query, bool round_is_A, const FieldPiece& plane, double weight,
                std::uint64_t first_feature, int id, PressurePatch* patch) {
  const Lying l = lying_on(query, round_is_A, plane);
  const Steps steps = steps_of(query, *(round_is_A ? query.A : query.B).field);
  if (!query.is_speculative) {
    StripWriter writer(query, l, weight, first_feature, id, patch);
    if (std::min(l.h[0], l.h[1]) < l.R)
      for_each_station(parts_at(l, 0.0), steps.along, steps.in_ends,
                       [&](int part, double u, double width, double from, double to) {
                         if (query.options.is_fine)
                           writer.press(part, u, width, from, to, kFour);
                         else
                           writer.press(part, u, width, from, to, kTwo);
                       });
  }
  const double low = query.least_pressure;
  if (!(low < 0.0) || !(std::min(l.h[0], l.h[1]) + l.fall_B * low < l.R - l.fall_A * low)) return;
  constexpr std::uint64_t kSpeculative = 1024;
  StripWriter writer(query, l, weight, first_feature + kSpeculative, id, patch);
  for_each_station(parts_at(l, low), 1, 2, [&](int part, double u, double width, double from, double to) {
    writer.foresee(part, u, width, from, to, low);
  });
}

double strip_energy(const PressureQuery& query, bool round_is_A, const FieldPiece& plane) {
  // The work of lifting: U = integral of the force over the height by which the capsule is lifted.
  Lying l = lying_on(query, round_is_A, plane);
  const double overlap = l.R - std::min(l.h[0], l.h[1]);
  if (!(overlap > 0.0)) return 0.0;
  constexpr int kParts = 8;
  const double h[2] = {l.h[0], l.h[1]};
  double energy = 0.0;
  for (int i = 0; i < kParts; ++i)
    for (const Node& node : kFour) {
      const double lift = overlap * (i + node.x) / kParts;
      for (int k = 0; k < 2; ++k) l.h[k] = h[k] + lift;
      energy += overlap / kParts * node.weight * force_of(l);
    }
  return energy;
}

}  // namespace stiction
