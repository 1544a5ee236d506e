#include "stiction/simulation/collision/covered_points.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kThin = 0.125e-3;  // m, half the thickness of a sticker

Inertia box_inertia(double m, const Vec3& half) {
  Inertia inertia;
  inertia.mass = m;
  const Vec3 square = half.cwiseProduct(half);
  inertia.I_com = Mat3::Zero();
  inertia.I_com.diagonal() << square.y() + square.z(), square.z() + square.x(), square.x() + square.y();
  inertia.I_com *= m / 3.0;
  return inertia;
}

// A plate of 17.9 kg with a sticker of 0.25 mm on its top, on the floor, and a cube of 2 cm and 8 g that moves up
// and down on a rail of the world. It looks out of the plate by `above` (m).
ModelBuilder plate_and_slider(double above) {
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("plate", translation(0, 0, 0.05), box_inertia(17.9, {0.2, 0.2, 0.05}));
  builder.add_shape("plate", "plate", {}, Box{{0.2, 0.2, 0.05}});
  builder.add_shape("sticker", "plate", translation(0, 0, 0.05 + kThin), Box{{0.03, 0.03, kThin}});
  builder.add_body("slider", "world", translation(0, 0, 0.1 + above - 0.01));
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.axis = Vec3::UnitZ();
  builder.add_joint("slider", rail);
  builder.add_solid("slider", "slider", {}, Box{{0.01, 0.01, 0.01}}, 1000.0);
  return builder;
}

// The points of a pair of shapes in the first step.
ContactPoints points_of(World& world, const char* a, const char* b) {
  world.step();
  const int i = world.model().shape(a), j = world.model().shape(b);
  ContactPoints out;
  for (const ShapePair& pair : world.record().collision.pairs)
    if (pair.shape_A == std::min(i, j) && pair.shape_B == std::max(i, j))
      for (int k = pair.begin; k < pair.end; ++k) out.push_back(world.record().collision.points[k]);
  return out;
}

TEST(CoveredPoints, LeaveOutTheWayOutThroughTheBodyItself) {
  // Half a millimetre looks out: the nearest way out of the sticker is down, into the plate.
  World inside(plate_and_slider(0.5e-3).build());
  EXPECT_TRUE(points_of(inside, "sticker", "slider").empty());
  EXPECT_FALSE(points_of(inside, "plate", "slider").empty());
  // What lies on the sticker stays there.
  World on_top(plate_and_slider(0.02 + 2.0 * kThin - 1e-5).build());
  EXPECT_FALSE(points_of(on_top, "sticker", "slider").empty());
}

TEST(CoveredPoints, LeaveTheFloorBesideAWallAsItIs) {
  // A cube in a corner, 10 um in the floor and in the wall, which stands on the floor.
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_shape("wall", "world", translation(0.15, 0, 0.5), Box{{0.05, 1.0, 0.5}});
  const Vec3 half(0.05, 0.05, 0.05);
  builder.add_free_body("cube", translation(0.05 + 1e-5, 0, 0.05 - 1e-5), box_inertia(1.0, half));
  builder.add_shape("cube", "cube", {}, Box{{0.05, 0.05, 0.05}});
  World world(builder.build());
  double floor = 0.0, wall = 0.0;
  for (const ContactPoint& point : points_of(world, "floor", "cube")) floor += point.weight;
  World again(builder.build());
  for (const ContactPoint& point : points_of(again, "wall", "cube")) wall += point.weight;
  EXPECT_NEAR(floor, 1.0, 1e-12);
  EXPECT_NEAR(wall, 1.0, 1e-12);
}

TEST(CoveredPoints, CountNothingFromAShapeThatDoesNotTouchTheOther) {
  ModelBuilder builder = plate_and_slider(0.5e-3);
  Model model = builder.build();
  model.elements.shapes.resize(model.shapes.size());
  const int plate = model.shape("plate"), slider = model.shape("slider");
  model.elements.shapes[plate].contype = model.elements.shapes[plate].conaffinity = 2;
  model.elements.shapes[model.shape("floor")].conaffinity = 3;
  ASSERT_NE(plate, slider);
  World world(model);
  EXPECT_FALSE(points_of(world, "sticker", "slider").empty());
}

TEST(CoveredPoints, KeepThoseOfOneOfTwoShapesThatCoverEachOther) {
  // Two cubes side by side on a body, and a small one in their seam: one of them pushes it into the other.
  ModelBuilder builder;
  builder.add_shape("first", "world", translation(-0.1, 0, 0), Box{{0.1, 0.1, 0.1}});
  builder.add_shape("second", "world", translation(0.1, 0, 0), Box{{0.1, 0.1, 0.1}});
  builder.add_free_body("cube", {}, box_inertia(0.01, {0.01, 0.01, 0.01}));
  builder.add_shape("cube", "cube", {}, Box{{0.01, 0.01, 0.01}});
  World world(builder.build());
  EXPECT_FALSE(points_of(world, "first", "cube").empty());
  World again(builder.build());
  EXPECT_TRUE(points_of(again, "second", "cube").empty());
}

// Metres that the slider has risen after 0.2 s, lifted with 0.2 N (its weight: 0.08 N).
double rise(const char* law, bool has_sticker) {
  Model model = plate_and_slider(0.5e-3).build();
  WorldOptions options;
  set_formulation(law, &options.formulation.contact);
  World world(model, options);
  world.set_shape_collides("sticker", has_sticker);
  world.set_joint_force("rail", 0.2);
  world.simulate(0.2);
  return world.position("rail");
}

TEST(CoveredPoints, LetALiftRiseOutOfAPlateWithASticker) {
  // 0.02 m: it is out.
  for (const char* law : {"icf_lagged", "coulomb_ncp", "sap"}) {
    SCOPED_TRACE(law);
    EXPECT_GT(rise(law, false), 0.02);
    EXPECT_GT(rise(law, true), 0.02);
  }
}

}  // namespace
}  // namespace stiction
