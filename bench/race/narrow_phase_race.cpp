#include "bench/race/narrow_phase_race.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/race/coal_broad_phase.h"
#include "bench/race/narrow_phase_peers.h"
#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/base/timer.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"

namespace stiction::race {

namespace {

constexpr double kGoal = 1.5, kBoxGoal = 2.0;
constexpr int kPoses = 64;
constexpr double kPi = std::numbers::pi;

// How the poses of a row come about.
enum class Kind { touching, separated, stacked, turned, edges, on_floor };

struct Pair {
  std::string name;
  Shape a, b;
  Kind kind;
  double goal = kGoal;
  int coal_contacts = 1;
};

Vec3 direction(Random* random) {
  const auto u = random->unit_vector<3>();
  return {u[0], u[1], u[2]};
}

Mat3 rotation(Random* random) {
  const auto q = random->unit_vector<4>();
  return rotation_from_quaternion<double>(Vec4(q[0], q[1], q[2], q[3]));
}

SharedHull random_hull(int vertices, Random* random) {
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) points.push_back(direction(random).cwiseProduct(Vec3(0.1, 0.12, 0.08)));
  return std::make_shared<ConvexHull>(convex_hull(points));
}

// A ring of triangles, which no hull can stand for.
SharedMesh torus() {
  auto mesh = std::make_shared<TriangleMesh>();
  constexpr int kAround = 48, kAcross = 24;
  for (int i = 0; i < kAround; ++i)
    for (int j = 0; j < kAcross; ++j) {
      const double u = 2.0 * kPi * i / kAround, v = 2.0 * kPi * j / kAcross, r = 0.3 + 0.1 * std::cos(v);
      mesh->vertices.emplace_back(r * std::cos(u), r * std::sin(u), 0.1 * std::sin(v));
    }
  const auto at = [](int i, int j) { return i % kAround * kAcross + j % kAcross; };
  for (int i = 0; i < kAround; ++i)
    for (int j = 0; j < kAcross; ++j) {
      mesh->triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh->triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

// A floor of 2 x 2 m in squares of 10 cm.
SharedMesh floor_mesh() {
  auto mesh = std::make_shared<TriangleMesh>();
  constexpr int kSide = 21;
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) mesh->vertices.emplace_back(0.1 * c - 1.0, 0.1 * r - 1.0, 0.0);
  for (int r = 0; r + 1 < kSide; ++r)
    for (int c = 0; c + 1 < kSide; ++c) {
      const int i = r * kSide + c;
      mesh->triangles.push_back({i, i + 1, i + kSide + 1});
      mesh->triangles.push_back({i, i + kSide + 1, i + kSide});
    }
  return mesh;
}

// Terrain of 2 x 2 m in cells of 5 cm; flat, or with hills of 5 cm.
SharedHeightField terrain(double hills, Random* random) {
  auto field = std::make_shared<HeightField>();
  field->rows = field->cols = 41;
  field->size = {1.0, 1.0, 0.1, 1.0};
  const double phase = random->uniform(0.0, kPi);
  for (int r = 0; r < field->rows; ++r)
    for (int c = 0; c < field->cols; ++c)
      field->heights.push_back(0.5 * hills * (1.0 + std::sin(0.4 * c + phase) * std::cos(0.3 * r)));
  // MuJoCo stretches heights to the whole elevation: one point at the rim has it, and one is at zero.
  field->heights.front() = 0.1;
  field->heights.back() = 0.0;
  return field;
}

std::vector<Pair> pairs() {
  Random random(5);
  const Box cube{Vec3(0.1, 0.1, 0.1)}, brick{Vec3(0.1, 0.12, 0.08)};
  const Cylinder cylinder{0.08, 0.2};
  const Ellipsoid ellipsoid{Vec3(0.1, 0.07, 0.12)};
  const SharedHull small = random_hull(32, &random), large = random_hull(256, &random);
  return {
      {"sphere-sphere", Sphere{0.1}, Sphere{0.12}, Kind::touching},
      {"capsule-capsule", Capsule{0.05, 0.2}, Capsule{0.06, 0.15}, Kind::touching},
      {"sphere-box", Sphere{0.1}, brick, Kind::touching},
      {"box-box stacked", cube, cube, Kind::stacked, kBoxGoal},
      {"box-box turned", cube, cube, Kind::turned, kBoxGoal},
      {"box-box edge-edge", cube, brick, Kind::edges, kBoxGoal},
      {"box-box random", brick, cube, Kind::touching, kBoxGoal},
      {"box-box separated", brick, cube, Kind::separated, kBoxGoal},
      {"box-hull 32", brick, small, Kind::touching},
      {"box-hull 256", brick, large, Kind::touching},
      {"hull-hull 32", small, small, Kind::touching},
      {"hull-hull 256", large, large, Kind::touching},
      {"hull-hull 256 separated", large, large, Kind::separated},
      {"cylinder-cylinder", cylinder, cylinder, Kind::touching},
      {"cylinder-cylinder stacked", cylinder, cylinder, Kind::stacked},
      {"ellipsoid-ellipsoid", ellipsoid, ellipsoid, Kind::touching},
      {"ellipsoid-ellipsoid separated", ellipsoid, ellipsoid, Kind::separated},
      {"ellipsoid-box separated", ellipsoid, brick, Kind::separated},
      {"mesh-box floor", brick, floor_mesh(), Kind::on_floor, kGoal, 32},
      {"mesh-box torus", brick, torus(), Kind::touching, kGoal, 32},
      {"height field-box flat", terrain(0.0, &random), brick, Kind::on_floor, kGoal, 32},
      {"height field-box hills", terrain(0.05, &random), brick, Kind::on_floor, kGoal, 32},
  };
}

struct Poses {
  std::vector<Pose> a, b;
};

// Moves B towards A's origin until the two are `gap` apart: the distance is a convex function of the way, so
// that Newton's method comes from outside.
void adjust(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, double gap, Pose* X_WB) {
  const Vec3 away = (X_WB->p - X_WA.p).normalized();
  for (int i = 0; i < 20; ++i) {
    const ContactPoint nearest = signed_distance(A, X_WA, B, *X_WB);
    const double rate = nearest.normal.dot(away);
    if (std::abs(gap - nearest.distance) < 1e-9 || rate < 1e-3) break;
    X_WB->p += (gap - nearest.distance) / rate * away;
  }
}

Poses make_poses(const Pair& pair, const CollisionShape& A, const CollisionShape& B) {
  Random random(7);
  Poses out;
  const bool floor_is_a = A.kind == ShapeKind::height_field;
  for (int i = 0; i < kPoses; ++i) {
    Pose a, b;
    const double overlap = random.uniform(1e-4, 2e-3), tilt = 1e-3;
    const double gap = pair.kind == Kind::separated ? random.uniform(1e-3, 5e-2) : -overlap;
    switch (pair.kind) {
      case Kind::touching:
      case Kind::separated:
        a = {rotation(&random), 0.3 * direction(&random)};
        b = {rotation(&random), a.p + 0.6 * direction(&random)};
        adjust(A, a, B, gap, &b);
        break;
      case Kind::stacked:
      case Kind::turned: {
        const double yaw = pair.kind == Kind::turned ? random.uniform(0.6, 0.9) : random.uniform(-0.05, 0.05);
        a = {rotation(&random), 0.3 * direction(&random)};
        const Vec3 shift(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 0.2 - overlap);
        b = a *
            Pose{rotation_from_roll_pitch_yaw(random.uniform(-tilt, tilt), random.uniform(-tilt, tilt), yaw),
                 shift};
        break;
      }
      case Kind::edges: {
        const Pose under{rotation_from_roll_pitch_yaw(0.25 * kPi + random.uniform(-0.2, 0.2), 0.0, 0.0),
                         Vec3::Zero()};
        const Pose above{rotation_from_roll_pitch_yaw(0.0, 0.25 * kPi + random.uniform(-0.2, 0.2),
                                                      random.uniform(-0.2, 0.2)),
                         Vec3(0.0, 0.0, 0.4)};
        const Pose common{rotation(&random), 0.3 * direction(&random)};
        a = common * under;
        b = common * above;
        adjust(A, a, B, -overlap, &b);
        break;
      }
      case Kind::on_floor: {
        Pose& box = floor_is_a ? b : a;
        box = {rotation_from_roll_pitch_yaw(random.uniform(-tilt, tilt), random.uniform(-tilt, tilt),
                                            random.uniform(-kPi, kPi)),
               Vec3(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0.4)};
        // Down until it stands in the ground.
        double least = 0.4;
        for (int k = 0; k < 20 && std::abs(least + overlap) > 1e-6; ++k) {
          least = signed_distance(A, a, B, b).distance;
          box.p.z() -= least + overlap;
        }
        break;
      }
    }
    out.a.push_back(a);
    out.b.push_back(b);
  }
  return out;
}

PlainShape plain(const CollisionShape& shape) {
  PlainShape out;
  std::copy_n(shape.size.data(), 3, out.size.begin());
  const auto vertices_of = [&out](const std::vector<Vec3>& vertices) {
    for (const Vec3& v : vertices) out.vertices.push_back({v.x(), v.y(), v.z()});
  };
  switch (shape.kind) {
    case ShapeKind::sphere:
      out.kind = PlainShape::Kind::sphere;
      break;
    case ShapeKind::capsule:
      out.kind = PlainShape::Kind::capsule;
      break;
    case ShapeKind::ellipsoid:
      out.kind = PlainShape::Kind::ellipsoid;
      break;
    case ShapeKind::cylinder:
      out.kind = PlainShape::Kind::cylinder;
      break;
    case ShapeKind::box:
      out.kind = PlainShape::Kind::box;
      break;
    case ShapeKind::hull:
      out.kind = PlainShape::Kind::hull;
      vertices_of(shape.hull->vertices);
      out.triangles = shape.hull->triangles;
      break;
    case ShapeKind::mesh:
      out.kind = PlainShape::Kind::mesh;
      vertices_of(shape.mesh->mesh.vertices);
      out.triangles = shape.mesh->mesh.triangles;
      break;
    default:
      out.kind = PlainShape::Kind::height_field;
      out.size = {shape.field->size.radius_x, shape.field->size.radius_y, shape.field->size.elevation};
      out.rows = shape.field->rows;
      out.cols = shape.field->cols;
      out.heights = shape.field->heights;
  }
  return out;
}

std::vector<PlainPose> plain(const std::vector<Pose>& poses) {
  std::vector<PlainPose> out(poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    for (int k = 0; k < 9; ++k) out[i].R[k] = poses[i].R(k / 3, k % 3);
    std::copy_n(poses[i].p.data(), 3, out[i].p.begin());
  }
  return out;
}

// Our side: every pose once.
class OurNarrowPhase {
 public:
  explicit OurNarrowPhase(const Pair& pair)
      : A(collision_shape(pair.a)), B(collision_shape(pair.b)), poses(make_poses(pair, A, B)) {}

  PeerContacts collide(int pose) {
    points_.clear();
    stiction::collide(A, poses.a[pose], B, poses.b[pose], options_, nullptr, &points_);
    PeerContacts out;
    out.count = static_cast<int>(points_.size());
    for (const ContactPoint& point : points_) out.deepest = std::min(out.deepest, point.distance);
    return out;
  }

  CollisionShape A, B;
  Poses poses;

 private:
  CollideOptions options_;
  ContactPoints points_;
};

template <class Collide>
int count_all(const Collide& collide) {
  int count = 0;
  for (int pose = 0; pose < kPoses; ++pose) count += collide(pose).count;
  return count;
}

// Mean number of points, and the largest difference of the depths.
template <class Collide>
std::string describe(OurNarrowPhase* ours, const Collide& theirs) {
  int our_points = 0, their_points = 0;
  double worst = 0.0;
  for (int pose = 0; pose < kPoses; ++pose) {
    const PeerContacts a = ours->collide(pose), b = theirs(pose);
    our_points += a.count;
    their_points += b.count;
    worst = std::max(worst, std::abs(a.deepest - b.deepest));
  }
  return fmt::format("points {:.1f} against {:.1f}, depths differ by {:.0e} m", 1.0 * our_points / kPoses,
                     1.0 * their_points / kPoses, worst);
}

void race_pair(const Pair& pair, std::vector<RaceRow>* rows) {
  OurNarrowPhase ours(pair);
  const PlainShape a = plain(ours.A), b = plain(ours.B);
  const std::vector<PlainPose> X_WA = plain(ours.poses.a), X_WB = plain(ours.poses.b);
  CoalNarrowPhase coal(a, b, X_WA, X_WB, pair.coal_contacts);
  // Where a patch is one point anyway collide() is enough.
  const bool has_patch = (b.kind == PlainShape::Kind::box || b.kind == PlainShape::Kind::hull ||
                          b.kind == PlainShape::Kind::cylinder) &&
                         (a.kind == PlainShape::Kind::box || a.kind == PlainShape::Kind::hull ||
                          a.kind == PlainShape::Kind::cylinder);
  const auto ask_coal = [&](int pose) {
    return has_patch ? coal.collide_with_patch(pose) : coal.collide(pose);
  };
  int sum = 0;
  std::vector<Contestant> contestants = {
      {"ours", [&] { sum += count_all([&](int pose) { return ours.collide(pose); }); }, kPoses},
      {"coal", [&] { sum += count_all(ask_coal); }, kPoses},
      {"coal alone", [&] { sum += count_all([&](int pose) { return coal.collide(pose); }); }, kPoses},
  };
  // To MuJoCo a mesh is its hull, which is another shape.
  std::unique_ptr<MujocoNarrowPhase> mujoco;
  const auto ask_mujoco = [&](int pose) { return mujoco->collide(pose); };
  if (b.kind != PlainShape::Kind::mesh) {
    mujoco = std::make_unique<MujocoNarrowPhase>(a, b, X_WA, X_WB);
    contestants.push_back({"mujoco", [&] { sum += count_all(ask_mujoco); }, kPoses});
  }
  const std::vector<Times> seconds = times_in_turns(contestants);
  STICTION_USER_CHECK(sum >= 0, "no side counts less than nothing");
  if (mujoco)
    rows->push_back({"narrow_phase", pair.name, "mujoco", mj_versionString(), seconds[0], seconds[3],
                     pair.goal, describe(&ours, ask_mujoco)});
  std::string note = describe(&ours, ask_coal);
  if (has_patch) note += fmt::format("; collide() without the patch {:.0f} ns", 1e9 * seconds[2].median);
  rows->push_back({"narrow_phase", pair.name, "coal", CoalBroadPhase::version(), seconds[0], seconds[1],
                   pair.goal, note});
}

}  // namespace

std::vector<RaceRow> race_narrow_phase() {
  std::vector<RaceRow> rows;
  for (const Pair& pair : pairs()) race_pair(pair, &rows);
  return rows;
}

void profile_narrow_phase(const std::string& scene, double seconds) {
  for (const Pair& pair : pairs()) {
    if (pair.name != scene) continue;
    OurNarrowPhase ours(pair);
    int sum = 0;
    for (const Stopwatch watch; watch.seconds() < seconds;)
      sum += count_all([&](int pose) { return ours.collide(pose); });
    STICTION_USER_CHECK(sum >= 0, "no side counts less than nothing");
    return;
  }
  STICTION_USER_CHECK(false, "no pair is named {}", scene);
}

}  // namespace stiction::race
