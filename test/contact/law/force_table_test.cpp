#include "stiction/contact/law/force_table.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/contact/law/compliant_laws.h"

namespace stiction {
namespace {

constexpr double kStep = 2e-3;

// Rising points with widths and steps of different size.
std::vector<ForcePoint> random_points(Random* random) {
  std::vector<ForcePoint> points = {{0.0, 0.0}};
  const int count = 2 + static_cast<int>(random->uniform(0.0, 10.0));
  for (int i = 0; i < count; ++i)
    points.push_back(
        {points.back()[0] + random->uniform(1e-4, 5e-3), points.back()[1] + random->uniform(0.1, 200.0)});
  return points;
}

LawParameters<double> table_point(double overlap, double scale, double d) {
  return IcfParameters<double>{overlap, -scale, d, 0.0, 0.3, 1e-3}.stored();
}

TEST(ForceTable, PassesThroughItsPointsAndRisesBetweenThem) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<ForcePoint> points = random_points(&random);
    const ForceTable table = make_force_table(points);
    for (const auto& [x, f] : points) EXPECT_NEAR(table.force(x), f, 1e-12 * points.back()[1]);
    double last = 0.0;
    for (int i = 1; i <= 300; ++i) {
      const double f = table.force(1.2 * points.back()[0] * i / 300);
      EXPECT_GE(f, last - 1e-13 * points.back()[1]);  // round-off
      last = f;
    }
  }
}

TEST(ForceTable, HasNoKinksAtItsPoints) {
  Random random(5);
  const double step = 1e-9;  // m; slopes are of some 1e5 N/m, and change over 1e-4 m
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<ForcePoint> points = random_points(&random);
    const ForceTable table = make_force_table(points);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const double x = points[i][0], right = table.force(x + step) - table.force(x),
                   left = table.force(x) - table.force(x - step);
      EXPECT_NEAR(right / step, left / step, 2e-4 * (points.back()[1] / 1e-4));
    }
  }
}

TEST(ForceTable, FindsTheOverlapOfAForce) {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<ForcePoint> points = random_points(&random);
    const ForceTable table = make_force_table(points);
    const double f = random.uniform(0.0, 1.5 * points.back()[1]);
    EXPECT_NEAR(table.force(table.overlap(f)), f, 1e-9 * points.back()[1]);
  }
}

// Pieces whose inverse is known, f1 (x/w)^3 and f1 (1 - (1 - x/w)^3): their slopes vanish at one end.
TEST(ForceTable, OverlapsOfCubesAreCubeRoots) {
  const double w = 0.02, f1 = 300.0;
  const ForceTable rises({{0.0, 0.0, 0.0}, {w, f1, 3.0 * f1 / w}});
  const ForceTable levels({{0.0, 0.0, 3.0 * f1 / w}, {w, f1, 0.0}});
  for (const double share : {1e-12, 1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999}) {
    const double x = w * std::cbrt(share);
    EXPECT_NEAR(rises.overlap(share * f1), x, 4e-15 * x) << share;
    EXPECT_NEAR(levels.overlap(share * f1), w * (1.0 - std::cbrt(1.0 - share)), 1e-12 * w) << share;
  }
  EXPECT_EQ(rises.overlap(0.0), 0.0);
  EXPECT_EQ(rises.overlap(f1), w);
}

// Beginnings of pieces as near as round-off and as far as a decade each.
TEST(ForceTable, FindsThePieceOfEveryOverlap) {
  Random random(11);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<ForceKnot> knots = {{0.0, 0.0, 1.0}};
    const int count = 1 + 7 * trial;
    const double graded = trial % 3;
    for (int i = 1; i < count; ++i) {
      const double width = std::pow(10.0, -graded * random.uniform(0.0, 6.0)) * 1e-3;
      knots.push_back({knots.back().x + width, knots.back().f + width, 1.0});
    }
    const ForceTable table(knots);
    const auto expect_piece = [&](double x) {
      std::size_t i = 0;
      while (i + 1 < knots.size() && knots[i + 1].x <= x) ++i;
      EXPECT_EQ(table.piece_at(x).x, knots[i].x) << x;
    };
    for (const ForceKnot& knot : knots)
      for (const double x : {knot.x, std::nextafter(knot.x, 0.0), std::nextafter(knot.x, 1e3)})
        expect_piece(x);
    for (int i = 0; i < 1000; ++i) expect_piece(1.2 * knots.back().x * random.uniform(0.0, 1.0));
    for (const double x : {1e30, std::numeric_limits<double>::infinity()}) expect_piece(x);
  }
}

TEST(ForceTable, OfALineIsTheLinearLaw) {
  const double k = 4e4, d = 3.0;
  const std::vector<ForceTable> tables = {
      make_force_table(std::vector<ForcePoint>{{0, 0}, {1e-3, 40}, {3e-3, 120}})};
  for (const LawKind law : {LawKind::icf_lagged, LawKind::icf_similar}) {
    for (const double overlap : {1e-3, 4e-3, -1e-3}) {
      const double j0 = kStep * k * overlap, s = kStep * kStep * k;
      const LawParameters<double> linear =
          IcfParameters<double>{j0, s, d, linear_break_velocity(j0, s, d), 0.3, 1e-3}.stored();
      for (const double vn : {-1.0, -0.1, 0.0, 0.2, 1.0}) {
        const auto a =
            law_value(law, Elasticity::table, {kStep, tables.data()}, table_point(overlap, 1.0, d), vn, 0.04);
        const auto b = law_value(law, Elasticity::linear, {kStep}, linear, vn, 0.04);
        EXPECT_NEAR(a.gn, b.gn, 1e-13 * (1.0 + std::abs(b.gn)));
        EXPECT_NEAR(a.c, b.c, 1e-12 * (1.0 + b.c));
        // Costs differ by a constant of the point.
        const auto a0 = law_value(law, Elasticity::table, {kStep, tables.data()},
                                  table_point(overlap, 1.0, d), 0.0, 0.04);
        const auto b0 = law_value(law, Elasticity::linear, {kStep}, linear, 0.0, 0.04);
        EXPECT_NEAR(a.cost - a0.cost, b.cost - b0.cost, 1e-12 * (1.0 + std::abs(b.cost)));
      }
    }
  }
}

// A dense table of Hertz's force is Hertz's law: forces to the error of a cubic, some (dx)^2/x of the force
// near the start, where its curvature has no bound.
TEST(ForceTable, OfHertzsForceIsHertzsLaw) {
  const double k = 1e7, d = 2.0;
  std::vector<ForcePoint> points;
  for (int i = 0; i <= 400; ++i) points.push_back({1e-5 * i, k * std::pow(1e-5 * i, 1.5)});
  const std::vector<ForceTable> tables = {make_force_table(points)};
  for (const double overlap : {5e-4, 2e-3}) {
    const LawParameters<double> hertz =
        IcfParameters<double>{overlap, kStep * k, d, std::min(overlap / kStep, 1.0 / d), 0.3, 1e-3}.stored();
    for (const double vn : {-0.5, -0.1, 0.0, 0.1}) {
      const auto a = law_value(LawKind::icf_lagged, Elasticity::table, {kStep, tables.data()},
                               table_point(overlap, 1.0, d), vn, 0.01);
      const auto b = law_value(LawKind::icf_lagged, Elasticity::hertz, {kStep}, hertz, vn, 0.01);
      EXPECT_NEAR(a.gn, b.gn, 1e-4 * b.gn);
      EXPECT_NEAR(a.cost, b.cost, 1e-4 * std::abs(b.cost));
    }
  }
}

// gamma = -dl/dv and G = -dgamma/dv, by dual numbers, on both sides of every bend.
TEST(ForceTable, ImpulseIsTheGradientOfTheCostAndItsSlopeTheHessian) {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<ForceTable> tables = {make_force_table(random_points(&random)),
                                            make_force_table(random_points(&random))};
    const double overlap = random.uniform(-5e-3, 0.03), d = random.uniform(0.0, 20.0);
    const double scale = random.uniform(0.1, 2.0), vn = random.uniform(-1.0, 1.0);
    const int index = trial % 2;
    IcfParameters<Dual> p = {Dual(overlap), Dual(-scale), Dual(d), Dual(index), Dual(0.2), Dual(1e-3)};
    for (const LawKind law : {LawKind::icf_lagged, LawKind::icf_similar}) {
      const auto value = law_value<Dual>(law, Elasticity::table, {kStep, tables.data()}, p.stored(),
                                         Dual(vn, 1.0), Dual(1e-4));
      EXPECT_NEAR(value.gn.value, -value.cost.derivative, 1e-10 * (1.0 + value.gn.value));
      EXPECT_NEAR(value.c.value, -value.gn.derivative, 1e-8 * (1.0 + value.c.value));
    }
  }
}

TEST(ForceTable, FourPointsAtOnceAreFourPoints) {
  Random random(13);
  const std::vector<ForceTable> tables = {make_force_table(random_points(&random)),
                                          make_force_table(random_points(&random))};
  for (int trial = 0; trial < 200; ++trial) {
    LawParameters<simd::Pack> all;
    LawParameters<double> one[4];
    simd::Pack vn, vt2;
    for (int l = 0; l < 4; ++l) {
      // The last one has no table.
      one[l] = l < 3 ? IcfParameters<double>{random.uniform(-1e-3, 0.02),
                                             -random.uniform(0.1, 2.0),
                                             5.0,
                                             static_cast<double>(l % 2),
                                             0.1,
                                             1e-3}
                           .stored()
                     : IcfParameters<double>{0.1, 0.4, 2.0, linear_break_velocity(0.1, 0.4, 2.0), 0.1, 1e-3}
                           .stored();
      vn[l] = random.uniform(-0.5, 0.5);
      vt2[l] = random.uniform(0.0, 0.1);
      for (int k = 0; k < kLawParameters; ++k) all.x[k][l] = one[l].x[k];
    }
    const LawStep step{kStep, tables.data()};
    const auto four = law_value(LawKind::icf_lagged, Elasticity::table, step, all, vn, vt2);
    for (int l = 0; l < 4; ++l) {
      const double v = vn[l], t = vt2[l];
      const auto alone = law_value(LawKind::icf_lagged, Elasticity::table, step, one[l], v, t);
      EXPECT_NEAR(four.gn[l], alone.gn, 1e-14 * (1.0 + alone.gn));
      EXPECT_NEAR(four.cost[l], alone.cost, 1e-14 * (1.0 + std::abs(alone.cost)));
      EXPECT_NEAR(four.c[l], alone.c, 1e-13 * (1.0 + alone.c));
    }
  }
}

TEST(ForceTable, OfTwoSpringsInSeriesIsTheSpringOfBoth) {
  const std::vector<ForcePoint> a = {{0, 0}, {1e-3, 100}}, b = {{0, 0}, {3e-3, 60}};
  const ForceTable both = make_force_table(tables_in_series(a, b));
  for (const double f : {10.0, 60.0, 80.0, 100.0}) EXPECT_NEAR(both.overlap(f), f / 1e5 + f / 2e4, 1e-12);
}

TEST(ForceTable, RefusesPointsThatDoNotRise) {
  const auto refuses = [](const std::vector<ForcePoint>& points) {
    EXPECT_THROW(check_force_points(points, "material 'rubber'"), UserError);
  };
  refuses({});
  refuses({{0, 0}});
  refuses({{1e-3, 0}, {2e-3, 1}});
  refuses({{0, 1}, {1e-3, 2}});
  refuses({{0, 0}, {1e-3, 2}, {1e-3, 3}});
  refuses({{0, 0}, {1e-3, 2}, {2e-3, 2}});
  refuses({{0, 0}, {1e-3, std::nan("")}});
  EXPECT_NO_THROW(
      check_force_points(std::vector<ForcePoint>{{0, 0}, {1e-3, 2}, {2e-3, 5}}, "material 'rubber'"));
}

}  // namespace
}  // namespace stiction
