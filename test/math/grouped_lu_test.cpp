#include "stiction/math/grouped_lu.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/math/matrix.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

constexpr double kDependent = 1e-13;

struct Rows {
  std::vector<int> begin, columns;
  std::vector<double> values;
};

// A matrix of groups: full blocks where groups are coupled.
struct Grouped {
  std::vector<int> groups;  // first row of each, and the number of rows
  MatX A;
  std::vector<std::pair<int, int>> coupled;

  int size() const { return static_cast<int>(A.rows()); }
  Rows rows() const {
    const int count = static_cast<int>(groups.size()) - 1;
    std::vector<std::vector<char>> is_coupled(count, std::vector<char>(count, 0));
    for (int g = 0; g < count; ++g) is_coupled[g][g] = 1;
    for (const auto& [a, b] : coupled) is_coupled[a][b] = is_coupled[b][a] = 1;
    Rows out;
    out.begin.push_back(0);
    for (int g = 0; g < count; ++g) {
      for (int i = groups[g]; i < groups[g + 1]; ++i) {
        for (int other = 0; other < count; ++other) {
          for (int j = groups[other]; is_coupled[g][other] && j < groups[other + 1]; ++j) {
            out.columns.push_back(j);
            out.values.push_back(A(i, j));
          }
        }
        out.begin.push_back(static_cast<int>(out.columns.size()));
      }
    }
    return out;
  }
};

// Groups of one to eight in a chain with some loops. Every third has no numbers in its own block: nothing of
// it can be eliminated before its neighbours, as with the impulses of a rigid contact.
Grouped random_groups(int count, unsigned seed) {
  Random random(seed);
  Grouped out;
  out.groups.push_back(0);
  for (int g = 0; g < count; ++g)
    out.groups.push_back(out.groups.back() + (g % 3 == 1 ? 1 : random.uniform_int(4, 8)));
  for (int g = 1; g < count; ++g) {
    out.coupled.push_back({g - 1, g});
    if (g > 5 && g % 4 == 0) out.coupled.push_back({g - 5, g});
  }
  out.A = MatX::Zero(out.groups.back(), out.groups.back());
  const auto fill = [&](int a, int b, double diagonal) {
    for (int i = out.groups[a]; i < out.groups[a + 1]; ++i)
      for (int j = out.groups[b]; j < out.groups[b + 1]; ++j)
        out.A(i, j) = random.uniform(-1.0, 1.0) + (i == j ? diagonal : 0.0);
  };
  for (int g = 0; g < count; ++g)
    if (g % 3 != 1) fill(g, g, 4.0);
  for (const auto& [a, b] : out.coupled) {
    if (a % 3 == 1 && b % 3 == 1) continue;
    fill(a, b, 0.0);
    fill(b, a, 0.0);
  }
  return out;
}

TEST(GroupedLu, SolvesSystemsWhoseGroupsHaveNoPivotsOfTheirOwn) {
  for (const int count : {1, 3, 10, 40}) {
    const Grouped grouped = random_groups(count, 1);
    const int n = grouped.size();
    const Rows rows = grouped.rows();
    GroupedLu lu;
    lu.analyse(grouped.groups, rows.begin, rows.columns);
    const VecX zeros = VecX::Zero(n), ones = VecX::Ones(n), expected = VecX::LinSpaced(n, -1.0, 2.0);
    EXPECT_EQ(lu.factorise(rows.values, zeros.data(), ones.data(), kDependent), n);
    const VecX b = grouped.A * expected;
    VecX x(n);
    lu.solve(b.data(), x.data());
    // Round-off times the condition, which is some hundreds here.
    EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-10) << count;
  }
}

TEST(GroupedLu, WeighsRowsAndAddsToTheDiagonal) {
  const Grouped grouped = random_groups(12, 2);
  const int n = grouped.size();
  const Rows rows = grouped.rows();
  GroupedLu lu;
  lu.analyse(grouped.groups, rows.begin, rows.columns);
  VecX of_unit = VecX::Zero(n), of_rows = VecX::LinSpaced(n, 1.0, 3.0);
  for (const int i : {0, 7, 20}) {
    of_unit[i] = 1.0;
    of_rows[i] = 0.0;
  }
  EXPECT_EQ(lu.factorise(rows.values, of_unit.data(), of_rows.data(), kDependent), n);
  MatX weighted = of_rows.asDiagonal() * grouped.A;
  weighted.diagonal() += of_unit;
  const VecX expected = VecX::LinSpaced(n, -1.0, 2.0), b = weighted * expected;
  VecX x(n);
  lu.solve(b.data(), x.data());
  EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(GroupedLu, LeavesOutRowsThatDependOnOthersAndStillSolvesTheRest) {
  Grouped grouped = random_groups(10, 3);
  const int n = grouped.size();
  // A row of the first group that is a multiple of another, and a row of zeros.
  grouped.A.row(1) = -2.0 * grouped.A.row(0);
  grouped.A.row(n - 1).setZero();
  const Rows rows = grouped.rows();
  GroupedLu lu;
  lu.analyse(grouped.groups, rows.begin, rows.columns);
  const VecX zeros = VecX::Zero(n), ones = VecX::Ones(n);
  EXPECT_EQ(lu.factorise(rows.values, zeros.data(), ones.data(), kDependent), n - 2);
  const VecX b = grouped.A * VecX::LinSpaced(n, 1.0, 2.0);
  VecX x(n);
  lu.solve(b.data(), x.data());
  EXPECT_LE((grouped.A * x - b).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(GroupedLu, AllocatesNothingTheSecondTime) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  const Grouped grouped = random_groups(20, 4);
  const int n = grouped.size();
  const Rows rows = grouped.rows();
  GroupedLu lu;
  lu.analyse(grouped.groups, rows.begin, rows.columns);
  const VecX zeros = VecX::Zero(n), ones = VecX::Ones(n);
  VecX x(n);
  lu.factorise(rows.values, zeros.data(), ones.data(), kDependent);
  lu.solve(ones.data(), x.data());
  const AllocationCounter counter;
  lu.factorise(rows.values, zeros.data(), ones.data(), kDependent);
  lu.solve(ones.data(), x.data());
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
