#include "stiction/simulation/collision/collision.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/parallel.h"
#include "stiction/simulation/collision/covered_points.h"
#include "stiction/simulation/collision/pressure_pairs.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

constexpr double kSmallestMargin = 1e-4;  // m

// The margin of bodies at rest: two bodies that fall towards each other gain 2 g h of relative speed in a
// step.
double margin_at_rest(const CollisionModel& model, double h) {
  return std::max(kSmallestMargin, 2.0 * model.gravity * h * h);
}

Eigen::Map<const Vec3> vec3(const double* p) { return Eigen::Map<const Vec3>(p); }

// Pose and velocity of a shape that moves.
void compute_motion(const Model& model, const Kinematics& kinematics, const CollisionItem& item,
                    ShapeMotion* motion, Vec3* centre) {
  const bool is_bounded = item.geometry.kind != ShapeKind::half_space;
  if (item.node >= 0) {
    const NodeMotion& node = kinematics.nodes[item.node];
    const Vec3 O = vec3(kinematics.origins.data() + 4 * model.forest.nodes[item.node].tree);
    const Eigen::Map<const Mat3, 0, Eigen::OuterStride<4>> R_WN(node.R);
    motion->X_WS.R.noalias() = R_WN * item.X_NS.R;
    const Vec3 from_O = vec3(node.p) + R_WN * item.X_NS.p;
    motion->X_WS.p = O + from_O;
    Vec3 arm = from_O;
    if (is_bounded) arm += motion->X_WS.R * item.geometry.box_centre;
    *centre = O + arm;
    motion->w = vec3(node.w);
    motion->v = vec3(node.v) + motion->w.cross(arm);
  } else {
    const PrescribedMotion& prescribed = kinematics.prescribed[item.kinematic];
    motion->X_WS = prescribed.X_WB * item.X_NS;
    *centre = is_bounded ? motion->X_WS * item.geometry.box_centre : motion->X_WS.p;
    motion->w = prescribed.V.head<3>();
    motion->v = prescribed.V.tail<3>() + motion->w.cross(*centre - prescribed.X_WB.p);
  }
}

// The largest speed of any point of a shape.
double largest_speed(const CollisionItem& item, const ShapeMotion& motion) {
  return motion.v.norm() + motion.w.norm() * item.geometry.ball_radius;
}

// The box or plane that encloses a shape during the step.
void set_extent(const CollisionItem& item, int index, const ShapeMotion& motion, const Vec3& centre,
                double margin, double h, BroadPhase* broad_phase) {
  const double widening = margin + item.reach;
  if (item.geometry.kind == ShapeKind::half_space) {
    // A half-space that rotates reaches everything far away.
    const Vec3 normal = motion.X_WS.R.col(2);
    const double rise =
        motion.w.isZero() ? std::max(0.0, h * normal.dot(motion.v)) : std::numeric_limits<double>::infinity();
    broad_phase->set_half_space(index, normal, normal.dot(motion.X_WS.p) + rise + widening);
    return;
  }
  const double turning = h * motion.w.norm() * item.geometry.ball_radius;
  const Vec3 half = motion.X_WS.R.cwiseAbs() * item.geometry.box_half + Vec3::Constant(turning + widening);
  const Vec3 travel = h * motion.v;
  broad_phase->set_box(index, centre - half + travel.cwiseMin(0.0), centre + half + travel.cwiseMax(0.0));
}

// Keeps the memories of pairs that existed in the last step.
void carry_memories(std::span<const IndexPair> found, CollisionWorkspace* c) {
  std::swap(c->memories, c->last_memories);
  c->memories.assign(found.size(), PairMemory{});
  std::size_t old = 0;
  for (std::size_t p = 0; p < found.size(); ++p) {
    while (old < c->last_pairs.size() && c->last_pairs[old] < found[p]) ++old;
    if (old < c->last_pairs.size() && c->last_pairs[old] == found[p]) c->memories[p] = c->last_memories[old];
  }
  c->last_pairs.assign(found.begin(), found.end());
}

// The inputs of colliding a pair: the shapes, their motions, the step h.
struct CollideContext {
  const CollisionModel& model;
  const CollisionRecord& motion;
  const SlidingGap& gap;
  double h;
  bool takes_fields;
};

// Where the points of pairs go.
struct PairOutput {
  ContactPoints* points;
  std::vector<PressurePoint>* pressure_points;  // null without fields, like the next one
  PatchWork* work;
};

// Bounds the relative speed of points that can touch.
[[gnu::always_inline]] inline double largest_relative_speed(const CollisionModel& model,
                                                            const CollisionRecord& c, const ShapePair& pair) {
  const CollisionShape &A = model.items[pair.item_A].geometry, &B = model.items[pair.item_B].geometry;
  const bool around_B =
      A.kind == ShapeKind::half_space || (B.kind != ShapeKind::half_space && B.ball_radius <= A.ball_radius);
  const ShapeMotion &a = c.motions[pair.item_A], &b = c.motions[pair.item_B];
  const Vec3 between = c.centres[pair.item_B] - c.centres[pair.item_A];
  const Vec3 v = around_B ? Vec3(b.v - a.v - a.w.cross(between)) : Vec3(b.v - b.w.cross(between) - a.v);
  return v.norm() + (b.w - a.w).norm() * (around_B ? B.ball_radius : A.ball_radius);
}

bool has_costly_pairs(ShapeKind kind) {
  return kind == ShapeKind::ellipsoid || kind == ShapeKind::superellipsoid || kind == ShapeKind::cylinder ||
         kind >= ShapeKind::hull;
}

// Whether a face of one of the two bounding boxes, in the axes of their shapes, separates them by more than
// `margin`.
bool boxes_are_apart(const CollisionShape& A, const Mat3& R_WA, const CollisionShape& B, const Mat3& R_WB,
                     const Vec3& from_A_to_B, double margin) {
  const Mat3 R_AB = (R_WA.transpose() * R_WB).cwiseAbs();
  const Vec3 along_A = (R_WA.transpose() * from_A_to_B).cwiseAbs() - A.box_half - R_AB * B.box_half;
  if (along_A.maxCoeff() > margin) return true;
  const Vec3 along_B =
      (R_WB.transpose() * from_A_to_B).cwiseAbs() - B.box_half - R_AB.transpose() * A.box_half;
  return along_B.maxCoeff() > margin;
}

// For pairs that may pass through each other: keeps or replaces points by the impact within the step.
void decide_by_impact(const CollisionShape& A, const ShapeMotion& motion_A, const CollisionShape& B,
                      const ShapeMotion& motion_B, double h, ShapePair* pair, ContactPoints* points) {
  // Points whose normal is within 26 degrees of that at impact hold the shapes apart as well as the impact
  // point would.
  constexpr double kCloseNormals = 0.9;
  const auto begin = points->begin() + pair->begin;
  if (std::any_of(begin, points->end(), [](const ContactPoint& point) { return point.distance <= 0.0; }))
    return;
  const TimeOfImpact impact = time_of_impact(A, motion_A, B, motion_B, h);
  if (impact.status == ImpactStatus::none) {
    points->erase(begin, points->end());
    return;
  }
  pair->time_of_impact = impact.time;
  const Vec3& normal = impact.at_impact.normal;
  points->erase(
      std::remove_if(begin, points->end(),
                     [&](const ContactPoint& point) { return point.normal.dot(normal) < kCloseNormals; }),
      points->end());
  if (std::ssize(*points) == pair->begin) {
    points->push_back(impact.speculative);
    points->back().weight = 1.0;
  }
}

// least_speed: m/s, lower bound of the relative speed, for when one of the two is stopped. In line, because
// most pairs near each other are told apart in less time than a call takes.
[[gnu::always_inline]] inline void collide_pair(const CollideContext& in, double least_speed, ShapePair* pair,
                                                PairMemory* memory, const PairOutput& out) {
  constexpr double kVisible = 0.02;  // fraction of their size
  ContactPoints* points = out.points;
  pair->has_patch = in.takes_fields && in.model.makes_patch(pair->item_A, pair->item_B);
  pair->begin = pair->end = static_cast<int>(pair->has_patch ? out.pressure_points->size() : points->size());
  pair->time_of_impact = std::numeric_limits<double>::infinity();
  const CollisionRecord& c = in.motion;
  const double h = in.h;
  const CollisionShape &A = in.model.items[pair->item_A].geometry, &B = in.model.items[pair->item_B].geometry;
  if (pair_entry(A.kind, B.kind).function == nullptr) return;
  const ShapeMotion &a = c.motions[pair->item_A], &b = c.motions[pair->item_B];
  const double relative_speed = largest_relative_speed(in.model, c, *pair), travel = h * relative_speed;
  const double speed = std::max(relative_speed, least_speed);
  pair->is_fast = travel > kVisible * smaller_size(A, B);
  pair->rechecked = least_speed > 0.0;
  pair->margin = std::max(kSmallestMargin, 2.0 * in.model.gravity * h * h + h * speed) +
                 in.gap.per_speed * (speed + in.gap.added_speed) +
                 in.model.margin(pair->item_A, pair->item_B) + in.gap.barrier_distance;
  if (in.gap.per_spin > 0.0) pair->margin += in.gap.per_spin * (b.w - a.w).norm();
  if (A.kind != ShapeKind::half_space && B.kind != ShapeKind::half_space) {
    const Vec3 between = c.centres[pair->item_B] - c.centres[pair->item_A];
    const double reach = A.ball_radius + B.ball_radius + pair->margin;
    if (!(between.squaredNorm() <= reach * reach)) return;
    if ((has_costly_pairs(A.kind) || has_costly_pairs(B.kind) || pair->has_patch) &&
        boxes_are_apart(A, a.X_WS.R, B, b.X_WS.R, between, pair->margin))
      return;
  }

  if (pair->has_patch) return collide_fields(in.model, c, travel, h, out.work, out.pressure_points, pair);
  CollideOptions options;
  options.margin = pair->margin;
  collide(A, a.X_WS, B, b.X_WS, options, memory, points);
  const bool may_pass = travel > std::min(A.thickness, B.thickness) && A.kind != ShapeKind::half_space &&
                        B.kind != ShapeKind::half_space;
  if (may_pass) decide_by_impact(A, a, B, b, h, pair, points);
  pair->end = static_cast<int>(points->size());
}

// Collides pairs in chunks, each with its own list of points; the lists are joined in order.
void collide_in_chunks(const CollideContext& in, CollisionRecord* c, CollisionWorkspace* work) {
  const int kChunk = in.takes_fields ? 2 : 16;  // pairs, some 10 us of work
  const int num_pairs = static_cast<int>(c->pairs.size()), num_chunks = (num_pairs + kChunk - 1) / kChunk;
  if (static_cast<int>(work->chunks.size()) < num_chunks) work->chunks.resize(num_chunks);
  if (in.takes_fields && static_cast<int>(work->patches.size()) < num_chunks)
    work->patches.resize(num_chunks);
  parallel_for(num_chunks, 1, [&](int chunk) {
    work->chunks[chunk].clear();
    PatchWork* patches = in.takes_fields ? &work->patches[chunk] : nullptr;
    if (patches != nullptr) patches->points.clear();
    const PairOutput out = {&work->chunks[chunk], patches == nullptr ? nullptr : &patches->points, patches};
    for (int p = chunk * kChunk; p < std::min(num_pairs, (chunk + 1) * kChunk); ++p)
      collide_pair(in, 0.0, &c->pairs[p], &work->memories[p], out);
  });
  for (int chunk = 0; chunk < num_chunks; ++chunk) {
    const int before = static_cast<int>(c->points.size());
    const int pressure_before = static_cast<int>(c->pressure_points.size());
    for (int p = chunk * kChunk; p < std::min(num_pairs, (chunk + 1) * kChunk); ++p) {
      c->pairs[p].begin += c->pairs[p].has_patch ? pressure_before : before;
      c->pairs[p].end += c->pairs[p].has_patch ? pressure_before : before;
    }
    c->points.insert(c->points.end(), work->chunks[chunk].begin(), work->chunks[chunk].end());
    if (!in.takes_fields) continue;
    const std::vector<PressurePoint>& found = work->patches[chunk].points;
    c->pressure_points.insert(c->pressure_points.end(), found.begin(), found.end());
  }
}

// Velocity of a shape at p.
Vec3 velocity_at(const CollisionRecord& c, int item, const Vec3& p) {
  const ShapeMotion& motion = c.motions[item];
  return motion.v + motion.w.cross(p - c.centres[item]);
}

// Bodies that fall side by side do not approach each other until one of them is stopped by an impact; then
// the next one runs into it within the same step. So bodies with an impact in this step count as stopped,
// their neighbours are collided again with the margin for that case, and those with an impact then count as
// stopped too.
void propagate_impacts(const CollideContext& in, const PairOutput& out, CollisionRecord* c,
                       CollisionWorkspace* work) {
  const double h = in.h;
  const auto node_of = [&](int item) { return in.model.nodes[item]; };
  const auto stop = [&](int item) {
    const int node = node_of(item);
    if (node < 0 || work->stopped[node]) return false;
    work->stopped[node] = 1;
    return true;
  };
  bool any = false;
  for (const ShapePair& pair : c->pairs) {
    if (!pair.is_fast) continue;
    for (int k = pair.begin; k < pair.end; ++k) {
      const ContactPoint point = c->contact(pair, k);
      const double rate =
          point.normal.dot(velocity_at(*c, pair.item_B, point.p_A) - velocity_at(*c, pair.item_A, point.p_A));
      if (point.distance + h * rate >= 0.0 || rate >= 0.0) continue;
      if (!any) work->stopped.assign(work->stopped.size(), 0);
      any = true;
      stop(pair.item_A);
      stop(pair.item_B);
      break;
    }
  }
  const auto is_stopped = [&](int item) { return node_of(item) >= 0 && work->stopped[node_of(item)] != 0; };
  for (bool goes_on = any; goes_on;) {
    goes_on = false;
    for (std::size_t p = 0; p < c->pairs.size(); ++p) {
      ShapePair& pair = c->pairs[p];
      const bool stops_A = is_stopped(pair.item_A), stops_B = is_stopped(pair.item_B);
      if (stops_A == stops_B) continue;
      // The one that still moves.
      const int other = stops_A ? pair.item_B : pair.item_A;
      const CollisionItem& item = in.model.items[other];
      if (item.node < 0) continue;
      if (pair.begin == pair.end && !pair.rechecked) {
        const double speed = largest_speed(item, c->motions[other]);
        if (speed <= largest_relative_speed(in.model, *c, pair)) continue;
        collide_pair(in, speed, &pair, &work->memories[p], out);
      }
      for (int k = pair.begin; k < pair.end; ++k) {
        const ContactPoint point = c->contact(pair, k);
        const double closing = (stops_A ? -1.0 : 1.0) * point.normal.dot(velocity_at(*c, other, point.p_A));
        if (point.distance < h * closing && stop(other)) {
          goes_on = true;
          break;
        }
      }
    }
  }
}

}  // namespace

void find_pairs(const Model& model, const Kinematics& kinematics, double h, const SlidingGap& sliding,
                CollisionRecord* c, CollisionWorkspace* work) {
  const CollisionModel& shapes = *model.tables().collision;
  const double margin = margin_at_rest(shapes, h) + sliding.barrier_distance;
  for (int i = 0; i < static_cast<int>(shapes.items.size()); ++i) {
    const CollisionItem& item = shapes.items[i];
    if (item.is_static()) continue;
    compute_motion(model, kinematics, item, &c->motions[i], &c->centres[i]);
    double gap = sliding.per_speed > 0.0
                     ? sliding.per_speed * (largest_speed(item, c->motions[i]) + sliding.added_speed)
                     : 0.0;
    if (sliding.per_spin > 0.0) gap += sliding.per_spin * c->motions[i].w.norm();
    set_extent(item, i, c->motions[i], c->centres[i], margin + gap, h, &work->broad_phase);
  }
  const std::span<const IndexPair> found = work->broad_phase.find_pairs();
  if (!std::equal(found.begin(), found.end(), work->last_pairs.begin(), work->last_pairs.end()))
    carry_memories(found, work);
  const auto is_of = [](const ShapePair& pair, const IndexPair& items) {
    return pair.item_A == items.first && pair.item_B == items.second;
  };
  if (std::equal(c->pairs.begin(), c->pairs.end(), found.begin(), found.end(), is_of)) return;
  c->pairs.clear();
  for (const IndexPair& pair : found) {
    const CollisionItem &A = shapes.items[pair.first], &B = shapes.items[pair.second];
    ShapePair out;
    out.shape_A = A.shape;
    out.shape_B = B.shape;
    out.body_A = A.body;
    out.body_B = B.body;
    out.item_A = pair.first;
    out.item_B = pair.second;
    c->pairs.push_back(out);
  }
}

void find_contacts(const Model& model, double h, const SlidingGap& gap, CollisionRecord* c,
                   CollisionWorkspace* work) {
  const CollisionModel& shapes = *model.tables().collision;
  const CollideContext in = {shapes, *c, gap, h, gap.takes_fields && shapes.has_fields};
  if (in.takes_fields && work->patches.empty()) work->patches.resize(1);
  const PairOutput out = {&c->points, &c->pressure_points, in.takes_fields ? work->patches.data() : nullptr};
  c->points.clear();
  c->pressure_points.clear();
  if (thread_count() > 1) {
    collide_in_chunks(in, c, work);
  } else {
    for (std::size_t p = 0; p < c->pairs.size(); ++p)
      collide_pair(in, 0.0, &c->pairs[p], &work->memories[p], out);
  }
  propagate_impacts(in, {&c->points, &c->pressure_points, in.takes_fields ? work->patches.data() : nullptr},
                    c, work);
  leave_out_covered(in.model, c, work);
}

std::vector<RestOverlap> overlaps_at_rest(const Model& model, double depth) {
  constexpr double kNoStep = 0.0;
  const CollisionModel& shapes = *model.tables().collision;
  CollisionRecord c(shapes);
  CollisionWorkspace work(shapes);
  Kinematics kinematics(model.forest);
  compute_positions(model.forest, model.q0.data(), &kinematics);
  const VecX at_rest = VecX::Zero(model.num_v());
  compute_velocities(model.forest, at_rest.data(), &kinematics);
  find_pairs(model, kinematics, kNoStep, {}, &c, &work);
  find_contacts(model, kNoStep, {}, &c, &work);
  std::vector<RestOverlap> overlaps;
  for (const ShapePair& pair : c.pairs) {
    double deepest = 0.0;
    for (int k = pair.begin; k < pair.end; ++k) deepest = std::max(deepest, -c.points[k].distance);
    if (deepest > depth) overlaps.push_back({pair.shape_A, pair.shape_B, deepest});
  }
  return overlaps;
}

}  // namespace stiction
