#include "stiction/geometry/polytope/polygon.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace stiction {
namespace {

using Square = std::array<PolygonCorner, 4>;

// Sides labelled first, first + 1, ... from the lower left corner on.
Square rectangle(double x0, double y0, double x1, double y1, int first) {
  return {{{x0, y0, first}, {x1, y0, first + 1}, {x1, y1, first + 2}, {x0, y1, first + 3}}};
}

double area(const PolygonCorner* p, int count) {
  double twice = 0.0;
  for (int i = 0; i < count; ++i) twice += p[i].x * p[(i + 1) % count].y - p[(i + 1) % count].x * p[i].y;
  return 0.5 * twice;
}

TEST(Polygon, IntersectionOfTwoRectanglesIsTheRectangleBetween) {
  const Square a = rectangle(0, 0, 2, 1, 1), b = rectangle(1, -1, 3, 0.5, 5);
  std::array<PolygonCorner, 8> spare, out;
  const int count = intersect_polygons(a.data(), 4, b.data(), 4, spare.data(), out.data());
  ASSERT_EQ(count, 4);
  EXPECT_DOUBLE_EQ(area(out.data(), count), 0.5);
}

TEST(Polygon, SidesOfAnIntersectionKeepTheirLabels) {
  // The lower left corner of b lies in a: its sides there are b's left (8) and lower (5), then a's right (2)
  // and upper (3).
  const Square a = rectangle(0, 0, 2, 2, 1), b = rectangle(1, 1, 3, 3, 5);
  std::array<PolygonCorner, 8> spare, out;
  ASSERT_EQ(intersect_polygons(a.data(), 4, b.data(), 4, spare.data(), out.data()), 4);
  const auto side_from = [&out](double x, double y) {
    for (int i = 0; i < 4; ++i)
      if (out[i].x == x && out[i].y == y) return out[i].side;
    return 0;
  };
  EXPECT_EQ(side_from(1, 1), 5);
  EXPECT_EQ(side_from(2, 1), 2);
  EXPECT_EQ(side_from(2, 2), 3);
  EXPECT_EQ(side_from(1, 2), 8);
}

TEST(Polygon, PolygonsApartHaveNoIntersection) {
  const Square a = rectangle(0, 0, 1, 1, 1), b = rectangle(1.5, 0, 3, 1, 5);
  std::array<PolygonCorner, 8> spare, out;
  EXPECT_EQ(intersect_polygons(a.data(), 4, b.data(), 4, spare.data(), out.data()), 0);
}

TEST(Polygon, CornersOfARectangleWeighAQuarter) {
  const Square a = rectangle(0, 0, 5, 0.1, 1);
  std::array<double, 4> weights;
  EXPECT_DOUBLE_EQ(corner_weights(a.data(), 4, weights.data()), 10.2);
  for (double w : weights) EXPECT_DOUBLE_EQ(w, 0.25);
}

TEST(Polygon, ACornerCutOffSharesItsWeight) {
  // The corner (1, 1) of the unit square, cut at distance e: two corners whose weights sum to 1/4 to first
  // order.
  for (double e : {1e-3, 1e-6}) {
    const std::array<PolygonCorner, 5> p{{{0, 0, 0}, {1, 0, 0}, {1, 1 - e, 0}, {1 - e, 1, 0}, {0, 1, 0}}};
    std::array<double, 5> weights;
    corner_weights(p.data(), 5, weights.data());
    EXPECT_NEAR(weights[2] + weights[3], 0.25, e);
    EXPECT_NEAR(weights[0], 0.25, e);
  }
}

}  // namespace
}  // namespace stiction
