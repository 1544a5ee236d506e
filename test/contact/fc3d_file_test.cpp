#include "test/contact/fc3d_file.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/shared_files.h"

namespace stiction {
namespace {

// W = 1, q = (-1, 1, 3) and mu = 0.1 at every contact.
TEST(Fc3dFile, PutsTheNormalRowLast) {
  const auto file = shared_file("data/fc3d/FC3D_Example1.json");
  if (!file) GTEST_SKIP() << missing_shared_file("data/fc3d/FC3D_Example1.json");
  const DualProblem problem = load_fc3d(*file);
  ASSERT_EQ(problem.num_blocks(), 3);
  EXPECT_EQ(problem.dense(), MatX::Identity(9, 9));
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(problem.blocks[c].friction, 0.1);
    EXPECT_EQ(Vec3(problem.r.segment<3>(3 * c)), Vec3(1.0, 3.0, -1.0));
  }
}

// W(normal 0, t2 of 1) = -2.10561955731642e-05 and its mirror image -2.2474917408592645e-05 in the file.
TEST(Fc3dFile, LeavesAnUnsymmetricMatrixAsItIs) {
  const auto file = shared_file("data/fc3d/Rover4396.json");
  if (!file) GTEST_SKIP() << missing_shared_file("data/fc3d/Rover4396.json");
  const MatX W = load_fc3d(*file).dense();
  EXPECT_EQ(W(2, 4), -2.10561955731642e-05);
  EXPECT_EQ(W(4, 2), -2.2474917408592645e-05);
}

}  // namespace
}  // namespace stiction
