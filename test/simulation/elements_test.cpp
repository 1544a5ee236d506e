#include "stiction/simulation/elements.h"

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
