#include "stiction/simulation/model/elements.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Elements, WhatHangsOnTheWorldMovesToTheBodyThatTakesItsPlace) {
  Elements other, elements;
  Camera camera;
  camera.name = "eye";
  camera.body = "world";
  camera.X_BC = translation(0, 0, 1);
  other.cameras = {camera};
  append(other, {"left/", "table", translation(1, 0, 0)}, &elements);
  EXPECT_EQ(elements.cameras.at(0).name, "left/eye");
  EXPECT_EQ(elements.cameras[0].body, "table");
  EXPECT_EQ(elements.cameras[0].X_BC.p, Vec3(1, 0, 1));
}

TEST(Elements, PropertiesStayBesideTheirShapes) {
  // Two shapes without properties, then one that has them.
  Elements other, elements;
  ShapeProperties slippery;
  slippery.condim = 1;
  other.shapes = {slippery};
  append(other, {"left/", "table", {}, 2, 1}, &elements);
  ASSERT_EQ(elements.shapes.size(), 3u);
  EXPECT_EQ(elements.shapes[1].condim, ShapeProperties().condim);
  EXPECT_EQ(elements.shapes[2].condim, 1);
}

TEST(Elements, NamesThatAreEmptyStayEmpty) {
  Elements other, elements;
  Equality equality;
  equality.kind = EqualityKind::joint;
  equality.object1 = "finger";
  other.equalities = {equality};
  append(other, {"left/", "table", {}}, &elements);
  EXPECT_EQ(elements.equalities.at(0).object1, "left/finger");
  EXPECT_EQ(elements.equalities[0].object2, "");
}

TEST(Elements, RodsSlotsAndBushingsAreRenamedAndTheWorldsFrameGetsAName) {
  Elements other, elements;
  other.distances = {{"rope", "hook", "", 0.0, 1.0}};
  other.slots = {{"groove", "", "pin"}};
  Bushing bushing;
  bushing.name = "mount";
  bushing.frame2 = "engine";
  other.bushings = {bushing};
  EXPECT_TRUE(names_the_world_frame(other));
  append(other, {"left/", "table", {}}, &elements);
  EXPECT_EQ(elements.distances.at(0).name, "left/rope");
  EXPECT_EQ(elements.distances[0].frame1, "left/hook");
  EXPECT_EQ(elements.distances[0].frame2, "left/world");
  EXPECT_EQ(elements.slots.at(0).name, "left/groove");
  EXPECT_EQ(elements.slots[0].frame1, "left/world");
  EXPECT_EQ(elements.slots[0].frame2, "left/pin");
  EXPECT_EQ(elements.bushings.at(0).frame1, "left/world");
  EXPECT_EQ(elements.bushings[0].frame2, "left/engine");
}

TEST(Elements, AWeldToTheWorldBecomesOneToTheBodyInItsPlace) {
  // The lamp stands at (2, 0, 0) in the other world, which lies at (1, 0, 0) in the table.
  Elements other, elements;
  Equality weld;
  weld.kind = EqualityKind::weld;
  weld.object1 = "lamp";
  weld.anchor = Vec3(2, 0, 0);
  weld.relative_quaternion = Vec4(1, 0, 0, 0);
  weld.relative_position = Vec3(-2, 0, 0);
  other.equalities = {weld};
  append(other, {"left/", "table", translation(1, 0, 0)}, &elements);
  const Equality& moved = elements.equalities.at(0);
  EXPECT_EQ(moved.object1, "left/lamp");
  EXPECT_EQ(moved.object2, "table");
  EXPECT_EQ(moved.anchor, Vec3(3, 0, 0));
  EXPECT_EQ(moved.relative_position, Vec3(-3, 0, 0));
}

TEST(Elements, OptionsAndKeyframesDoNotComeAlong) {
  Elements other, elements;
  other.options.timestep = 1.0;
  other.keyframes.resize(1);
  append(other, {"left/", "table", {}}, &elements);
  EXPECT_EQ(elements.options.timestep, SimulationOptions().timestep);
  EXPECT_TRUE(elements.keyframes.empty());
}

}  // namespace
}  // namespace stiction
