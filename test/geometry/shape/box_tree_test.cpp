#include "stiction/geometry/shape/box_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

std::vector<Eigen::AlignedBox3d> random_boxes(int count, Random* random) {
  std::vector<Eigen::AlignedBox3d> boxes;
  for (int i = 0; i < count; ++i) {
    const Vec3 centre(random->uniform(-1, 1), random->uniform(-1, 1), random->uniform(-1, 1));
    const Vec3 half(random->uniform(0, 0.1), random->uniform(0, 0.1), random->uniform(0, 0.1));
    boxes.emplace_back(Vec3(centre - half), Vec3(centre + half));
  }
  return boxes;
}

TEST(BoxTree, FindsTheBoxesThatComparingAllFinds) {
  Random random(1);
  for (const int count : {1, 7, 8, 9, 100, 1000}) {
    const auto boxes = random_boxes(count, &random);
    const BoxTree tree(boxes);
    for (const Eigen::AlignedBox3d& query : random_boxes(200, &random)) {
      std::vector<int> found, expected;
      tree.overlap(query.min(), query.max(), &found);
      for (int i = 0; i < count; ++i)
        if (boxes[i].intersects(query)) expected.push_back(i);
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected);  // boxes that miss by less than single precision do not occur here
    }
  }
}

TEST(BoxTree, OfNothingFindsNothing) {
  std::vector<int> found;
  BoxTree().overlap(Vec3::Constant(-1e30), Vec3::Constant(1e30), &found);
  EXPECT_TRUE(found.empty());
}

// Unused places of a node, of which there are seven here, are boxes that contain nothing.
TEST(BoxTree, MeetsEveryBoxOnceWhereTheQueryIsInfinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Random random(4);
  for (const int count : {1, 9, 100}) {
    const BoxTree tree(random_boxes(count, &random));
    for (const double reach : {1e39, std::numeric_limits<double>::max(), kInfinity}) {
      std::vector<int> found, all(count);
      tree.overlap(Vec3::Constant(-reach), Vec3::Constant(reach), &found);
      std::sort(found.begin(), found.end());
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(found, all) << reach;
    }
  }
}

TEST(BoxTree, KeepsBoxesThatTouchTheQueryInOnePoint) {
  const std::vector<Eigen::AlignedBox3d> boxes{{Vec3(0.1, 0.1, 0.1), Vec3(0.3, 0.3, 0.3)}};
  std::vector<int> found;
  BoxTree(boxes).overlap(Vec3::Constant(0.3), Vec3::Constant(1.0), &found);
  EXPECT_EQ(found, std::vector<int>{0});
}

TEST(BoxTree, GivesTheSameOrderEveryTime) {
  Random random(2);
  const auto boxes = random_boxes(500, &random);
  std::vector<int> first, second;
  BoxTree(boxes).overlap(Vec3::Constant(-0.5), Vec3::Constant(0.5), &first);
  BoxTree(boxes).overlap(Vec3::Constant(-0.5), Vec3::Constant(0.5), &second);
  EXPECT_EQ(first, second);
}

TEST(BoxTree, CastsARayToTheNearestBox) {
  Random random(3);
  const auto boxes = random_boxes(300, &random);
  const BoxTree tree(boxes);
  const auto entry = [&boxes](int i, const Ray& ray) {
    double t0 = 0.0, t1 = 1e300;
    for (int k = 0; k < 3; ++k) {
      const double a = (boxes[i].min()[k] - ray.origin[k]) / ray.direction[k];
      const double b = (boxes[i].max()[k] - ray.origin[k]) / ray.direction[k];
      t0 = std::max(t0, std::min(a, b)), t1 = std::min(t1, std::max(a, b));
    }
    return t0 <= t1 ? t0 : 1e300;
  };
  for (int k = 0; k < 500; ++k) {
    const auto d = random.unit_vector<3>();
    const Ray ray{Vec3(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)),
                  Vec3(d[0], d[1], d[2])};
    double expected = 1e300;
    for (int i = 0; i < 300; ++i) expected = std::min(expected, entry(i, ray));
    EXPECT_EQ(tree.cast(ray, [&](int i, double nearest) { return std::min(nearest, entry(i, ray)); }),
              expected);
  }
}

}  // namespace
}  // namespace stiction
