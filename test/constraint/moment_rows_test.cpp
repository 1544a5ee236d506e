#include "stiction/constraint/moment_rows.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

MomentRows two_rows() {
  MomentRows rows;
  rows.append({1, 4});
  rows.append({});
  rows.append({0, 2, 4});
  rows.values = {2.0, -1.0, 3.0, 0.5, 1.0};
  return rows;
}

TEST(MomentRows, AreTheRowsOfAMatrix) {
  const MomentRows rows = two_rows();
  MatX dense(3, 5);
  dense << 0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 3, 0, 0.5, 0, 1;
  const VecX v = VecX::LinSpaced(5, -1.0, 3.0);
  for (int i = 0; i < rows.num_rows(); ++i) {
    EXPECT_EQ(rows.dense(i, 5), VecX(dense.row(i).transpose()));
    EXPECT_DOUBLE_EQ(rows.dot(i, v.data()), dense.row(i).dot(v));
  }
}

TEST(MomentRows, AddTheirTransposeTimesAForce) {
  VecX tau = VecX::Ones(5);
  two_rows().add(2, 2.0, tau.data());
  EXPECT_EQ(tau, VecX(Eigen::Map<const VecX>(std::array<double, 5>{7, 1, 2, 1, 3}.data(), 5)));
}

TEST(MomentRows, KnowThePlaceOfAColumn) {
  const MomentRows rows = two_rows();
  EXPECT_EQ(rows.place(0, 4), 1);
  EXPECT_EQ(rows.place(2, 2), 3);
}

}  // namespace
}  // namespace stiction
