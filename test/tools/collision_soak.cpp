// Runs the pair table over random and adversarial pairs of shapes and checks every answer.
//
//   stiction_collision_soak [--queries N] [--seed S] [--report R] [--only K]
//
// Query K of a seed is always the same: `--only K` repeats it alone and prints the shapes and poses. The
// first R failures are printed. All kinds of shapes, sizes from 1 mm to 1 km, aspect ratios up to 1e4, one
// query in four 10 km from the origin (test/geometry/pair_samples.h); the checks are in
// test/geometry/pair_check.h. Exit code 1 if anything fails, 3 if a query takes longer than kHang.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include "test/geometry/pair_samples.h"

namespace {

using namespace stiction;

constexpr double kTolerance = 1e-9;  // of the size
constexpr unsigned kHang = 20;       // s
constexpr int kVariants = 6;         // shapes of a kind and a decade of sizes
constexpr int kDecades = 7;          // 1e-3 .. 1e3 m

struct Pool {
  std::vector<CollisionShape> shapes;
  const CollisionShape& at(int kind, int decade, int variant) const {
    return shapes[std::size_t((kind * kDecades + decade) * kVariants + variant)];
  }
};

// Variants: plain, uneven, needle, plate, rounded, needle with another ratio.
Pool make_pool(std::uint64_t seed) {
  Pool pool;
  Random random(seed);
  for (int kind = 0; kind < kNumShapeKinds; ++kind) {
    for (int decade = 0; decade < kDecades; ++decade) {
      for (int variant = 0; variant < kVariants; ++variant) {
        const double size = std::pow(10.0, decade - 3);
        Vec3 radii =
            size * Vec3(random.uniform(0.3, 1.0), random.uniform(0.3, 1.0), random.uniform(0.3, 1.0));
        double rounding = 0.0;
        if (variant == 0) radii = Vec3::Constant(size);
        if (variant == 2) radii.head<2>() *= 1e-4;
        if (variant == 3) radii.z() *= 1e-4;
        if (variant == 4) rounding = 0.1 * size;
        if (variant == 5) radii.x() *= std::pow(10.0, random.uniform(-4.0, 0.0));
        pool.shapes.push_back(sample_shape(ShapeKind(kind), radii, rounding, &random));
      }
    }
  }
  return pool;
}

struct Query {
  const CollisionShape *A = nullptr, *B = nullptr;
  PosePair poses;
  double margin = 0.0;
  Trouble trouble = Trouble::none;
  bool is_far_away = false;
  Random random{0};
};

Query make_query(const Pool& pool, std::uint64_t seed, std::uint64_t number) {
  std::uint64_t state = seed + 0x9e3779b97f4a7c15u * number;
  Query q;
  q.random = Random(splitmix64(&state));
  Random& random = q.random;
  do {
    const int decade = random.uniform_int(0, kDecades - 1);
    const int other = random.uniform_int(0, 1) == 0 ? decade : random.uniform_int(0, kDecades - 1);
    q.A = &pool.at(random.uniform_int(0, kNumShapeKinds - 1), decade, random.uniform_int(0, kVariants - 1));
    q.B = &pool.at(random.uniform_int(0, kNumShapeKinds - 1), other, random.uniform_int(0, kVariants - 1));
  } while (pair_entry(q.A->kind, q.B->kind).function == nullptr);
  // Half of the queries are ordinary, the others of all sorts.
  q.trouble =
      random.uniform_int(0, 1) == 0 ? Trouble::none : Trouble(random.uniform_int(0, kNumTroubles - 1));
  q.poses = troubled_poses(*q.A, *q.B, q.trouble, &random);
  q.margin = random.uniform_int(0, 1) == 0
                 ? 0.0
                 : 0.1 * std::min(pair_check::extent(*q.A) + pair_check::extent(*q.B), 1.0);
  q.is_far_away = random.uniform_int(0, 3) == 0;
  if (q.is_far_away) {
    const Pose away{sample_rotation(&random), 1e4 * sample_direction(&random)};
    q.poses.X_WA = away * q.poses.X_WA;
    q.poses.X_WB = away * q.poses.X_WB;
  }
  return q;
}

std::string check_query(Query* q, ContactPoints* points) {
  pair_check::Limits limits;
  limits.directions = 4;
  limits.on_surface = limits.distance = limits.other_side = kTolerance;
  limits.is_generic = q->trouble == Trouble::none && !q->is_far_away;
  return pair_check::defect(*q->A, q->poses.X_WA, *q->B, q->poses.X_WB, q->margin, limits, &q->random,
                            points);
}

// What the handler of the alarm prints.
volatile std::uint64_t current_query = 0, current_seed = 0;
void hang(int) {
  std::fprintf(stderr, "\nhangs: --seed %llu --only %llu\n", (unsigned long long)current_seed,
               (unsigned long long)current_query);
  std::_Exit(3);
}

void print_query(const Query& q) {
  std::printf("  A %s\n  B %s\n  margin %.17g, %s\n", pair_check::text_of(*q.A, q.poses.X_WA).c_str(),
              pair_check::text_of(*q.B, q.poses.X_WB).c_str(), q.margin, name_of(q.trouble));
}

int run_one(const Pool& pool, std::uint64_t seed, std::uint64_t number) {
  Query q = make_query(pool, seed, number);
  print_query(q);
  ContactPoints points;
  const std::string wrong = check_query(&q, &points);
  points.clear();
  CollideOptions options;
  options.margin = q.margin;
  collide(*q.A, q.poses.X_WA, *q.B, q.poses.X_WB, options, nullptr, &points);
  for (const ContactPoint& p : points)
    std::printf(
        "  point %.17g %.17g %.17g normal %.17g %.17g %.17g distance %.17g weight %.6g feature %llx\n",
        p.p_A.x(), p.p_A.y(), p.p_A.z(), p.normal.x(), p.normal.y(), p.normal.z(), p.distance, p.weight,
        (unsigned long long)p.feature);
  std::printf("%s\n", wrong.empty() ? "right" : wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t queries = 10'000'000, seed = 1, only = 0, report = 20;
  bool has_only = false;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--queries") == 0) queries = value;
    if (std::strcmp(argv[i], "--seed") == 0) seed = value;
    if (std::strcmp(argv[i], "--report") == 0) report = value;
    if (std::strcmp(argv[i], "--only") == 0) only = value, has_only = true;
  }
  const Pool pool = make_pool(seed);
  if (has_only) return run_one(pool, seed, only);

  std::signal(SIGALRM, hang);
  current_seed = seed;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  ContactPoints points;
  std::uint64_t failures = 0, touching = 0;
  std::map<std::string, std::uint64_t> failures_by_pair;
  double last_report = 0.0;
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  for (std::uint64_t k = 0; k < queries; ++k) {
    current_query = k;
    if (k % 256 == 0) {
      alarm(kHang);
      const double now = seconds();
      if (now - last_report > (is_terminal ? 1.0 : 30.0)) {
        last_report = now;
        std::printf("%s%llu of %llu queries, %llu failures, %.0f s left%s", is_terminal ? "\r" : "",
                    (unsigned long long)k, (unsigned long long)queries, (unsigned long long)failures,
                    now / double(k) * double(queries - k), is_terminal ? "   " : "\n");
        std::fflush(stdout);
      }
    }
    Query q = make_query(pool, seed, k);
    const std::string wrong = check_query(&q, &points);
    touching += points.empty() ? 0 : 1;
    if (wrong.empty()) continue;
    const std::string pair = std::string(name_of(q.A->kind)) + ", " + name_of(q.B->kind);
    ++failures_by_pair[pair];
    if (failures++ < report)
      std::printf("%s--seed %llu --only %llu: %s%s, %s: %s\n", is_terminal ? "\n" : "",
                  (unsigned long long)seed, (unsigned long long)k, pair.c_str(),
                  q.A->rounding + q.B->rounding > 0.0 ? " (rounded)" : "", name_of(q.trouble), wrong.c_str());
  }
  std::printf("%s%llu queries, %llu with points, %llu failures, %.0f s\n", is_terminal ? "\n" : "",
              (unsigned long long)queries, (unsigned long long)touching, (unsigned long long)failures,
              seconds());
  for (const auto& [pair, count] : failures_by_pair)
    std::printf("  %s: %llu\n", pair.c_str(), (unsigned long long)count);
  return failures == 0 ? 0 : 1;
}
