// Runs pressure patches over random and adversarial pairs of shapes and checks every answer.
//
//   stiction_field_soak [--queries N] [--seed S] [--report R] [--only K]
//
// Query K of a seed is always the same: `--only K` repeats it alone. Shapes and poses are those of
// stiction_collision_soak (test/geometry/pair_samples.h), and volumes of tetrahedra; moduli from 1e4 to 1e9 Pa. Checked:
//
//   all numbers are finite, normals are unit vectors, areas and stiffnesses not negative
//   of shallow overlaps no pressure is above the modulus of a compliant side, and no force above that times the area of
//   the smaller shape
//   the same query has the same bits, and without a margin the same force; of shallow overlaps B against A has minus it
//   points lie within their faces
//   going from face to face finds what trying every pair of pieces finds, and no piece that presses is left out
//   what is apart by more than the margin does not press (shapes with rounded edges excepted: their fields have sharp ones)
//   a step of 1e-7 of the size changes the force by no more than kBound kappa area times the step (shallow overlaps)
//
// Exit code 1 if anything fails, 3 if a query takes longer than kHang.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/time.h>

#include "stiction/geometry/field/pressure_query.h"
#include "test/geometry/pair_samples.h"
#include "test/geometry/tet_volumes.h"

namespace {

using namespace stiction;

constexpr unsigned kHang = 20;  // s
constexpr int kVariants = 6, kDecades = 5;
constexpr double kBound = 50.0;
constexpr double kStep = 1e-7;     // of the size
constexpr double kShallow = 0.1;   // of the smaller inscribed radius
constexpr double kSwapped = 1e-5;  // of the force; round shapes take their direction from a search

struct Fields {
  PressureField soft, hard;
  bool can_be_soft = false;
};

// A volume of tetrahedra that fits into the box of half extents `radii`: a box, an L, a ring of cubes, a torus.
CollisionShape sample_tets(int variant, const Vec3& radii) {
  TetVolume volume;
  switch (variant % 4) {
    case 0:
      volume = centred_box_volume(Vec3::Ones());
      break;
    case 1:
      volume = cubes_volume({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 1.0);
      break;
    case 2:
      volume = cubes_volume(
          {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}}, 1.0);
      break;
    case 3:
      volume = torus_volume(0.7, 0.3, 8, 6);
      break;
  }
  Eigen::AlignedBox3d box;
  for (const Vec3& v : volume.vertices) box.extend(v);
  for (Vec3& v : volume.vertices)
    v = (v - box.center()).cwiseQuotient(0.5 * box.sizes()).cwiseProduct(radii).eval();
  return collision_shape(shared_mesh_of(volume));
}

std::vector<Fields> make_pool(std::uint64_t seed) {
  std::vector<Fields> pool;
  Random random(seed);
  for (int k = 0; k < kNumShapeKinds; ++k) {
    const ShapeKind kind = ShapeKind(k);
    if (!has_surface(kind)) continue;
    for (int decade = 0; decade < kDecades; ++decade) {
      for (int variant = 0; variant < kVariants; ++variant) {
        const double size = std::pow(10.0, decade - 3);
        Vec3 radii =
            size * Vec3(random.uniform(0.3, 1.0), random.uniform(0.3, 1.0), random.uniform(0.3, 1.0));
        double rounding = 0.0;
        if (variant == 0) radii = Vec3::Constant(size);
        if (variant == 2) radii.head<2>() *= 1e-3;
        if (variant == 3) radii.z() *= 1e-3;
        if (variant == 4) rounding = 0.1 * size;
        if (variant == 5) radii.x() *= std::pow(10.0, random.uniform(-3.0, 0.0));
        const CollisionShape shape = sample_shape(kind, radii, rounding, &random);
        const FacetRings rings = FacetRings(1 + random.uniform_int(0, 2));
        Fields fields;
        fields.hard = rigid_field(shape, rings);
        fields.can_be_soft = can_be_compliant(kind);
        if (fields.can_be_soft) {
          const double modulus = std::pow(10.0, random.uniform(4.0, 9.0));
          fields.soft = compliant_field(shape, modulus, kind == ShapeKind::half_space ? size : 0.0, rings);
        }
        pool.push_back(std::move(fields));
      }
    }
  }
  for (int decade = 0; decade < kDecades; ++decade) {
    for (int variant = 0; variant < 2 * kVariants; ++variant) {
      const double size = std::pow(10.0, decade - 3);
      Vec3 radii = size * Vec3(random.uniform(0.3, 1.0), random.uniform(0.3, 1.0), random.uniform(0.3, 1.0));
      if (variant < 4) radii = Vec3::Constant(size);
      if (variant == 8) radii.z() *= 1e-3;
      if (variant == 9) radii.x() *= std::pow(10.0, random.uniform(-3.0, 0.0));
      const CollisionShape shape = sample_tets(variant, radii);
      const double modulus = std::pow(10.0, random.uniform(4.0, 9.0));
      pool.push_back({compliant_field(shape, modulus), rigid_field(shape), true});
    }
  }
  return pool;
}

struct Query {
  const PressureField *A = nullptr, *B = nullptr;
  PosePair poses;
  PressureOptions options;
  Trouble trouble = Trouble::none;
  double size = 0.0;  // m, of the smaller
};

Query make_query(const std::vector<Fields>& pool, std::uint64_t seed, std::uint64_t number) {
  std::uint64_t state = seed + 0x9e3779b97f4a7c15u * number;
  Random random(splitmix64(&state));
  Query q;
  const auto pick = [&] {
    const Fields& fields = pool[std::size_t(random.uniform_int(0, int(pool.size()) - 1))];
    return fields.can_be_soft && random.uniform_int(0, 3) > 0 ? &fields.soft : &fields.hard;
  };
  do {
    q.A = pick();
    q.B = pick();
  } while (!makes_pressure_patch(*q.A, *q.B));
  q.trouble =
      random.uniform_int(0, 1) == 0 ? Trouble::none : Trouble(random.uniform_int(0, kNumTroubles - 1));
  q.poses = troubled_poses(q.A->shape, q.B->shape, q.trouble, &random);
  q.size = 1e300;
  for (const PressureField* field : {q.A, q.B})
    if (field->shape.kind != ShapeKind::half_space) q.size = std::min(q.size, field->shape.ball_radius);
  q.options.margin = random.uniform_int(0, 1) == 0 ? 0.0 : std::pow(10.0, random.uniform(-4.0, 0.0)) * q.size;
  q.options.is_fine = random.uniform_int(0, 3) == 0;
  return q;
}

double area_of(double extent) { return 4.0 * std::numbers::pi * extent * extent; }
double area_of(const PressurePatch& patch) {
  double area = 0.0;
  for (const PressureFace& face : patch.faces) area += face.area;
  return area;
}

// No farther from the middle than the farthest corner; rings have no corners.
bool lies_in_its_face(const PressurePoint& point, const PressurePatch& patch) {
  const PressureFace& face = patch.faces[static_cast<std::size_t>(point.face)];
  if (face.begin == face.end) return true;
  double farthest = 0.0;
  for (int c = face.begin; c < face.end; ++c)
    farthest = std::max(farthest, (patch.corners[static_cast<std::size_t>(c)] - face.centroid).norm());
  return (point.p - face.centroid).norm() <= farthest * (1.0 + 1e-9) + 1e-12 * face.centroid.norm();
}

// Empty: right.
std::string check_query(const Query& q, PressureWorkspace* workspace, PressurePatch* patch,
                        PressurePatch* other, bool* presses) {
  find_pressure_patch(*q.A, q.poses.X_WA, *q.B, q.poses.X_WB, q.options, workspace, patch);
  double most = 1e300;
  for (const PressureField* field : {q.A, q.B})
    if (!field->is_rigid() && field->shape.kind != ShapeKind::half_space)
      most = std::min(most, field->modulus);
  *presses = false;
  double force = 0.0, largest = 0.0;
  for (const PressurePoint& point : patch->points) {
    if (!point.p.allFinite() || !point.normal.allFinite() || !std::isfinite(point.area + point.pressure) ||
        !std::isfinite(point.gradient + point.stiffness))
      return "a number is not finite";
    if (std::abs(point.normal.norm() - 1.0) > 1e-9) return "a normal is no unit vector";
    if (point.area < 0.0 || point.stiffness < 0.0) return "an area or a stiffness is negative";
    if (!lies_in_its_face(point, *patch)) return "a point lies outside of its face";
    largest = std::max(largest, point.pressure);
    if (point.pressure > 0.0) force += point.force();
    *presses = *presses || point.pressure > 0.0;
  }
  const Vec6 wrench = patch->wrench();
  find_pressure_patch(*q.A, q.poses.X_WA, *q.B, q.poses.X_WB, q.options, workspace, other);
  if (other->points.size() != patch->points.size() || other->wrench() != wrench)
    return "the same query has other bits";
  // Of places, to some digits of the coordinates: of pressures, and of forces.
  double stiffest = 0.0;
  for (const PressureField* field : {q.A, q.B})
    if (!field->is_rigid()) stiffest = std::max(stiffest, field->kappa());
  const double reach = q.size + (q.poses.X_WB.p - q.poses.X_WA.p).norm();
  const double round_off = 1e-12 * stiffest * reach * area_of(q.size);
  const double scale = 1e-9 * (force + wrench.head<3>().norm()) + (1.0 + reach) * round_off;
  FaceWalk& walk = workspace->buffers().walk;
  walk.tries_every_pair = true;
  find_pressure_patch(*q.A, q.poses.X_WA, *q.B, q.poses.X_WB, q.options, workspace, other);
  if (!((other->wrench() - wrench).norm() <= scale) ||
      std::abs(area_of(*other) - area_of(*patch)) > 1e-6 * area_of(*other) + 1e-9 * q.size * q.size)
    return fmt::format("going from face to face loses something: {:.3g} of {:.3g} N, {:.3g} of {:.3g} m^2",
                       (other->wrench() - wrench).norm(), force, area_of(*other) - area_of(*patch),
                       area_of(*other));
  walk.keeps_every_piece = true;
  find_pressure_patch(*q.A, q.poses.X_WA, *q.B, q.poses.X_WB, q.options, workspace, other);
  walk.tries_every_pair = walk.keeps_every_piece = false;
  if (!((other->wrench() - wrench).norm() <= scale))
    return fmt::format("a piece that presses was left out: {:.3g} of {:.3g} N",
                       (other->wrench() - wrench).norm(), force);
  PressureOptions without = q.options;
  without.margin = 0.0;
  find_pressure_patch(*q.A, q.poses.X_WA, *q.B, q.poses.X_WB, without, workspace, other);
  if (!((other->wrench() - wrench).norm() <= scale))
    return fmt::format("the margin changes the force: by {:.3g} of {:.3g} N",
                       (other->wrench() - wrench).norm(), force);
  const double softest =
      std::min(q.A->is_rigid() ? 1e300 : q.A->modulus, q.B->is_rigid() ? 1e300 : q.B->modulus);
  const double least = 1e-9 * softest * q.size * q.size;  // of forces that count
  const bool is_convex = q.A->shape.is_convex() && q.B->shape.is_convex();
  const double distance =
      is_convex ? signed_distance(q.A->shape, q.poses.X_WA, q.B->shape, q.poses.X_WB).distance : 0.0;
  const double inscribed =
      is_convex ? std::min(inscribed_radius(q.A->shape), inscribed_radius(q.B->shape)) : 0.0;
  // Two round shapes that reach deep into each other have no one direction.
  const bool is_shallow = !is_convex || -distance <= kShallow * inscribed;
  if (is_shallow) {
    if (is_convex && largest > most * (1.0 + 1e-6)) return "a pressure is above the modulus";
    if (most < 1e300 && force > most * area_of(q.size))
      return "the force is above the modulus times the area";
    find_pressure_patch(*q.B, q.poses.X_WB, *q.A, q.poses.X_WA, q.options, workspace, other);
    if ((other->wrench().tail<3>() + wrench.tail<3>()).norm() > kSwapped * force + least)
      return fmt::format(
          "the force on the other one is not the opposite: ({:.6g}, {:.6g}, {:.6g}) and ({:.6g}, {:.6g}, "
          "{:.6g}) N, {:.3g} and {:.3g} m^2",
          wrench[3], wrench[4], wrench[5], other->wrench()[3], other->wrench()[4], other->wrench()[5],
          area_of(*patch), area_of(*other));
  }
  if (!is_convex || !is_shallow) return {};
  // Apart, as the narrow phase sees it; edges of fields are not rounded.
  const bool is_rounded = q.A->shape.rounding > 0.0 || q.B->shape.rounding > 0.0;
  if (!is_rounded && distance > q.options.margin + 1e-9 * q.size && *presses) return "what is apart presses";
  // A small step.
  double softness = 0.0;
  for (const PressureField* field : {q.A, q.B})
    if (!field->is_rigid()) softness += 1.0 / field->kappa();
  const double step = kStep * q.size;
  Pose moved = q.poses.X_WB;
  moved.p += step * Vec3(0.48, -0.6, 0.64);
  find_pressure_patch(*q.A, q.poses.X_WA, *q.B, moved, q.options, workspace, other);
  const double change = (other->wrench().tail<3>() - wrench.tail<3>()).norm();
  const double allowed = kBound * step * area_of(q.size) / softness + least;
  if (change > allowed)
    return "the force jumps: " + std::to_string(change) + " N, allowed " + std::to_string(allowed) +
           " N of " + std::to_string(force) + " N";
  return {};
}

volatile std::uint64_t current_query = 0, current_seed = 0;
void hang(int) {
  std::fprintf(stderr, "\nhangs: --seed %llu --only %llu\n", (unsigned long long)current_seed,
               (unsigned long long)current_query);
  std::_Exit(3);
}

std::string pair_name(const Query& q) {
  return std::string(q.A->is_rigid() ? "rigid " : "") + name_of(q.A->shape.kind) + ", " +
         (q.B->is_rigid() ? "rigid " : "") + name_of(q.B->shape.kind);
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t queries = 1'000'000, seed = 1, only = 0, report = 20;
  bool has_only = false;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--queries") == 0) queries = value;
    if (std::strcmp(argv[i], "--seed") == 0) seed = value;
    if (std::strcmp(argv[i], "--report") == 0) report = value;
    if (std::strcmp(argv[i], "--only") == 0) only = value, has_only = true;
  }
  const std::vector<Fields> pool = make_pool(seed);
  PressureWorkspace workspace;
  PressurePatch patch, other;
  bool presses = false;
  if (has_only) {
    const Query q = make_query(pool, seed, only);
    const std::string wrong = check_query(q, &workspace, &patch, &other, &presses);
    std::printf("%s, %s, margin %.9g\n  A %s\n  B %s\n", pair_name(q).c_str(), name_of(q.trouble),
                q.options.margin, pair_check::text_of(q.A->shape, q.poses.X_WA).c_str(),
                pair_check::text_of(q.B->shape, q.poses.X_WB).c_str());
    for (const PressurePoint& p : patch.points)
      std::printf(
          "  point %.17g %.17g %.17g normal %.9g %.9g %.9g area %.9g pressure %.9g gradient %.9g stiffness "
          "%.9g\n",
          p.p.x(), p.p.y(), p.p.z(), p.normal.x(), p.normal.y(), p.normal.z(), p.area, p.pressure, p.gradient,
          p.stiffness);
    std::printf("%s\n", wrong.empty() ? "right" : wrong.c_str());
    return wrong.empty() ? 0 : 1;
  }
  std::signal(SIGVTALRM, hang);
  current_seed = seed;
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t failures = 0, pressed = 0;
  std::map<std::string, std::uint64_t> by_kind;
  for (std::uint64_t k = 0; k < queries; ++k) {
    current_query = k;
    if (k % 256 == 0) {
      const itimerval limit{{0, 0}, {kHang, 0}};  // processor time
      setitimer(ITIMER_VIRTUAL, &limit, nullptr);
    }
    const Query q = make_query(pool, seed, k);
    const std::string wrong = check_query(q, &workspace, &patch, &other, &presses);
    pressed += presses;
    if (wrong.empty()) continue;
    const std::string what = pair_name(q) + ": " + wrong;
    ++by_kind[what.substr(0, what.find(": ", what.find(": ") + 2))];
    if (failures++ < report)
      std::printf("--seed %llu --only %llu: %s (%s)\n", (unsigned long long)seed, (unsigned long long)k,
                  what.c_str(), name_of(q.trouble));
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%llu queries, %llu with pressure, %llu failures, %.0f s\n", (unsigned long long)queries,
              (unsigned long long)pressed, (unsigned long long)failures, seconds);
  for (const auto& [what, count] : by_kind)
    std::printf("  %s: %llu\n", what.c_str(), (unsigned long long)count);
  return failures == 0 ? 0 : 1;
}
