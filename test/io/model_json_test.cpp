#include "stiction/io/model_json.h"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/simulation/model/model_builder.h"
#include "test/base/caught_warnings.h"

namespace stiction {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * std::size_t(a.size())) == 0;
}

// A tetrahedron with corners that are not binary fractions.
TriangleMesh tetrahedron() {
  TriangleMesh mesh;
  mesh.vertices = {Vec3(0.1, 0, 0), Vec3(1.0 / 3.0, 0, 0), Vec3(0, 0.7, 0), Vec3(0, 0, 0.9)};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  return mesh;
}

Model model_with_shared_shapes() {
  const TriangleMesh surface = tetrahedron();
  const auto mesh = std::make_shared<const TriangleMesh>(surface);
  const auto hull = std::make_shared<const ConvexHull>(convex_hull(surface.vertices));
  const auto field =
      std::make_shared<const HeightField>(height_field(2, 3, {0, 1, 2, 0.3, 0.4, 0.5}, {1.0, 2.0, 0.7, 0.1}));
  ModelBuilder builder("shapes");
  builder.add_free_body("block", translation(0, 0, 1), solid_box(1.0, Vec3(0.1, 0.2, 0.3)));
  builder.add_shape("mesh", "block", {}, mesh);
  builder.add_shape("again", "block", translation(1, 0, 0), mesh);
  builder.add_shape("hull", "block", {}, hull);
  builder.add_shape("terrain", "world", {}, field);
  builder.add_shape("floor", "world", {}, HalfSpace{});
  return builder.build();
}

std::string complaint_about(const nlohmann::ordered_json& json) {
  try {
    model_from_json(json.dump(), "robot.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

nlohmann::ordered_json arm_json() { return nlohmann::ordered_json::parse(model_to_json(make_scene("arm"))); }

TEST(ModelJson, EverySceneComesBackWithTheSameBits) {
  for (const SceneEntry& entry : scene_catalog()) {
    SCOPED_TRACE(entry.name);
    const Model model = entry.make(), back = model_from_json(model_to_json(model));
    EXPECT_EQ(model_to_json(back), model_to_json(model));
    EXPECT_TRUE(same_bits(back.q0, model.q0));
    ASSERT_EQ(back.forest.constants.size(), model.forest.constants.size());
    for (std::size_t n = 0; n < model.forest.constants.size(); ++n) {
      const NodeConstants &a = model.forest.constants[n], &b = back.forest.constants[n];
      EXPECT_EQ(std::memcmp(a.R, b.R, sizeof(a.R)), 0);
      EXPECT_EQ(std::memcmp(a.p, b.p, sizeof(a.p)), 0);
      EXPECT_EQ(std::memcmp(a.pseudo_inertia, b.pseudo_inertia, sizeof(a.pseudo_inertia)), 0);
      EXPECT_TRUE(same_bits(a.slide, b.slide) && same_bits(a.reference, b.reference));
    }
    for (std::size_t d = 0; d < model.forest.dofs.size(); ++d)
      EXPECT_TRUE(same_bits(model.forest.dofs[d].armature, back.forest.dofs[d].armature));
  }
}

TEST(ModelJson, SharedMeshesAreWrittenOnceAndComeBackShared) {
  const Model model = model_with_shared_shapes(), back = model_from_json(model_to_json(model));
  EXPECT_EQ(model_to_json(back), model_to_json(model));
  const auto json = nlohmann::json::parse(model_to_json(model));
  EXPECT_EQ(json["meshes"].size(), 1u);
  EXPECT_EQ(std::get<SharedMesh>(back.shapes[0].shape), std::get<SharedMesh>(back.shapes[1].shape));
  EXPECT_EQ(std::get<SharedMesh>(back.shapes[0].shape)->vertices, tetrahedron().vertices);
  const SharedHull &hull = std::get<SharedHull>(model.shapes[2].shape),
                   &hull_back = std::get<SharedHull>(back.shapes[2].shape);
  EXPECT_EQ(hull_back->vertices, hull->vertices);
  EXPECT_EQ(hull_back->neighbours, hull->neighbours);
}

TEST(ModelJson, AShapeByItselfComesBackWithWhatItHolds) {
  for (const PlacedShape& placed : model_with_shared_shapes().shapes) {
    SCOPED_TRACE(placed.name);
    const Shape back = shape_from_json(shape_to_json(placed.shape));
    EXPECT_EQ(back.index(), placed.shape.index());
    ModelBuilder one, other;
    one.add_shape("it", "world", {}, placed.shape);
    other.add_shape("it", "world", {}, back);
    EXPECT_EQ(model_to_json(other.build()), model_to_json(one.build()));
  }
}

TEST(ModelJson, AShapeOfAnotherFormatOrVersionIsRefused) {
  auto json = nlohmann::ordered_json::parse(shape_to_json(Sphere{0.1}));
  const auto complaint = [&json]() -> std::string {
    try {
      shape_from_json(json.dump(), "ball.json");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  json["version"] = 3;
  EXPECT_NE(complaint().find("ball.json: this is version 3 of stiction shapes"), std::string::npos)
      << complaint();
  json["version"] = 2;
  json["shape"]["radius"] = -1.0;
  EXPECT_NE(complaint().find("radius"), std::string::npos) << complaint();
  json["shape"] = {{"type", "hull"}, {"hull", 0}};
  EXPECT_NE(complaint().find("there is no number 0"), std::string::npos) << complaint();
  json["format"] = "stiction_model";
  EXPECT_NE(complaint().find("not the format of a shape"), std::string::npos) << complaint();
}

TEST(ModelJson, TheRoundingOfAShapeComesBack) {
  ModelBuilder builder;
  builder.add_shape("stone", "world", {}, Box{{0.3, 0.2, 0.1}}, 0.015);
  EXPECT_EQ(model_from_json(model_to_json(builder.build())).shapes[0].rounding, 0.015);
}

TEST(ModelJson, CollisionGroupsComeBack) {
  Model model = make_scene("arm");
  model.elements.collision_groups = {
      {.name = "all", .bodies = {"a", "b"}, .shapes = {"c"}, .ignores = {"all"}, .collides = false}};
  const Model back = model_from_json(model_to_json(model));
  ASSERT_EQ(back.elements.collision_groups.size(), 1u);
  const CollisionGroup& group = back.elements.collision_groups[0];
  EXPECT_EQ(group.name, "all");
  EXPECT_EQ(group.bodies, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(group.shapes, (std::vector<std::string>{"c"}));
  EXPECT_EQ(group.ignores, (std::vector<std::string>{"all"}));
  EXPECT_FALSE(group.collides);
}

TEST(ModelJson, NumbersThatJsonDoesNotHaveAreWords) {
  Model model = make_scene("arm");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  model.elements.numbers.push_back({"odd", {kInfinity, -kInfinity, -0.0, 5e-324, 0.1}});
  const Model back = model_from_json(model_to_json(model));
  ASSERT_EQ(back.elements.numbers.size(), 1u);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_TRUE(same_bits(back.elements.numbers[0].data[i], model.elements.numbers[0].data[i])) << i;
}

TEST(ModelJson, ElementsComeBack) {
  Model model = make_scene("arm");
  Actuator actuator;
  actuator.name = "motor";
  actuator.transmission = TransmissionKind::body;
  actuator.target = "flange";
  actuator.control = {true, -0.3, 0.7};
  model.elements.actuators.push_back(actuator);
  Equality equality;
  equality.kind = EqualityKind::weld;
  equality.object1 = "wrist";
  equality.relative_quaternion = Vec4(0.5, -0.5, 0.5, 0.5);
  model.elements.equalities.push_back(equality);
  Keyframe key;
  key.q = VecX::Constant(model.num_q(), 0.1);
  model.elements.keyframes.push_back(key);
  const Model back = model_from_json(model_to_json(model));
  EXPECT_EQ(back.elements.actuators[0].transmission, TransmissionKind::body);
  EXPECT_EQ(back.elements.actuators[0].control.upper, 0.7);
  EXPECT_EQ(back.elements.equalities[0].kind, EqualityKind::weld);
  EXPECT_EQ(back.elements.equalities[0].relative_quaternion, Vec4(0.5, -0.5, 0.5, 0.5));
  EXPECT_EQ(back.elements.keyframes[0].q, key.q);
}

TEST(ModelJson, WhatElementsNameMustBeThere) {
  const auto complaint = [](const Model& model) {
    return complaint_about(nlohmann::ordered_json::parse(model_to_json(model)));
  };
  Model model = make_scene("arm");
  Tendon tendon;
  tendon.name = "cable";
  tendon.is_spatial = true;
  tendon.wraps.resize(2);
  for (TendonWrap& wrap : tendon.wraps) wrap.name = "nowhere";
  model.elements.tendons.push_back(tendon);
  EXPECT_NE(complaint(model).find("robot.json: elements: model 'arm': there is no frame 'nowhere'"),
            std::string::npos);

  model = make_scene("arm");
  Actuator actuator;
  actuator.name = "motor";
  actuator.target = "elbow";
  model.elements.actuators.push_back(actuator);
  EXPECT_NE(complaint(model).find("'elbow'"), std::string::npos);

  model = make_scene("arm");
  Equality equality;
  equality.object1 = "table";
  model.elements.equalities.push_back(equality);
  EXPECT_NE(complaint(model).find("'table'"), std::string::npos);
}

TEST(ModelJson, RodsRopesSlotsAndBushingsComeBack) {
  ModelBuilder builder;
  builder.add_free_body("ball", translation(0, 0, 1), solid_sphere(1.0, 0.1));
  builder.add_frame("centre", "ball", {});
  builder.add_constraint(DistanceConstraint{"rope", "centre", "", 0.1, 1.0 / 3.0, 7e4, 3.0, false});
  SlotConstraint slot{"slot", "", "centre"};
  slot.upper = 1.0 / 7.0;
  slot.damping = 2.0;
  builder.add_constraint(slot);
  Bushing bushing;
  bushing.name = "bushing";
  bushing.frame2 = "centre";
  bushing.stiffness = Vec3(0.1, 0.2, 1.0 / 3.0);
  bushing.turn_damping = Vec3(4, 5, 6);
  builder.add_constraint(bushing);
  const Model model = builder.build(), back = model_from_json(model_to_json(model));
  EXPECT_EQ(model_to_json(back), model_to_json(model));
  const DistanceConstraint& rope = back.elements.distances.at(0);
  EXPECT_EQ(rope.name, "rope");
  EXPECT_EQ(rope.frame1, "centre");
  EXPECT_EQ(rope.upper, 1.0 / 3.0);
  EXPECT_EQ(rope.stiffness, 7e4);
  EXPECT_FALSE(rope.active);
  EXPECT_EQ(back.elements.slots.at(0).lower, slot.lower);
  EXPECT_EQ(back.elements.slots[0].upper, slot.upper);
  EXPECT_EQ(back.elements.slots[0].frame2, "centre");
  EXPECT_EQ(back.elements.slots[0].damping, 2.0);
  EXPECT_EQ(back.elements.bushings.at(0).stiffness, bushing.stiffness);
  EXPECT_EQ(back.elements.bushings[0].turn_damping, bushing.turn_damping);
}

TEST(ModelJson, MistakesAreNamedWithTheirPlace) {
  auto json = arm_json();
  json["bodies"][3]["joints"][0]["axis"] = {1, 0};
  EXPECT_EQ(complaint_about(json), "robot.json: bodies[3].joints[0].axis: has 2 elements, not 3");

  json = arm_json();
  json["bodies"][1]["mass"] = 1.0;
  EXPECT_EQ(complaint_about(json), "robot.json: bodies[1]: 'mass' is not known");

  json = arm_json();
  json["bodies"][1]["inertia"].erase("com");
  EXPECT_EQ(complaint_about(json), "robot.json: bodies[1].inertia: 'com' is missing");

  json = arm_json();
  json["bodies"][1]["motion"] = "quick";
  EXPECT_NE(complaint_about(json).find("robot.json: bodies[1].motion: \"quick\" is not one of"),
            std::string::npos);

  json = arm_json();
  json["version"] = 99;
  EXPECT_NE(complaint_about(json).find("version 99"), std::string::npos);
}

TEST(ModelJson, IndicesOutOfRangeAndPosesThatAreNoneAreRefused) {
  auto json = nlohmann::ordered_json::parse(model_to_json(model_with_shared_shapes()));
  auto broken = json;
  broken["shapes"][0]["body"] = 7;
  EXPECT_NE(complaint_about(broken).find("there is no body 7"), std::string::npos);
  broken = json;
  broken["shapes"][0]["shape"]["mesh"] = 3;
  EXPECT_NE(complaint_about(broken).find("there is no number 3"), std::string::npos);
  broken = json;
  broken["hulls"][0]["neighbours"][0] = -1;
  EXPECT_NE(complaint_about(broken).find("neighbours"), std::string::npos);
  broken = json;
  broken["meshes"][0]["triangles"][0][0] = 1000;
  EXPECT_NE(complaint_about(broken), "");
  broken = json;
  broken["shapes"][0]["X_BS"]["R"][0][0] = 2.0;
  EXPECT_NE(complaint_about(broken).find("a rotation"), std::string::npos);
  broken = json;
  broken["bodies"][1]["parent"] = 12;
  EXPECT_NE(complaint_about(broken).find("its parent must come before it"), std::string::npos);
}

TEST(ModelJson, AShapeThatCannotHaveThePressureFieldItAsksForIsRefusedByItsName) {
  ModelBuilder builder("pebble");
  builder.add_free_body("pebble", {}, solid_sphere(1.0, 0.1));
  builder.add_shape("egg", "pebble", {}, Superellipsoid{Vec3(0.1, 0.1, 0.2), 0.5, 0.5});
  ContactMaterial soft;
  soft.pressure_modulus = 1e6;
  builder.set_material("egg", soft);
  const std::string complaint =
      complaint_about(nlohmann::ordered_json::parse(model_to_json(builder.build())));
  EXPECT_NE(complaint.find("robot.json"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("'egg'"), std::string::npos) << complaint;
}

TEST(ModelJson, TextThatIsNoJsonIsRefused) {
  for (const char* text : {"", "{", "[]", "null", "{\"format\": 3}"})
    EXPECT_THROW(model_from_json(text), UserError) << text;
}

TEST(ModelJson, KeepsMaterialsBeltsAndInitialVelocities) {
  ModelBuilder builder("belt");
  builder.add_free_body("block", translation(0, 0, 1), solid_box(1.0, Vec3(0.1, 0.2, 0.3)));
  builder.add_shape("block", "block", {}, Box{Vec3(0.1, 0.2, 0.3)});
  ContactMaterial material;
  material.stiffness = 1e5 / 3.0;
  material.torsional_friction = 0.02;
  material.rolling_friction = 1e-3;
  material.static_friction = 0.7;
  builder.set_material("block", material);
  builder.set_surface_velocity("block", Vec3(0.1, 0, 0));
  builder.set_initial_velocity("block", {0, 0, 0, 1.0 / 3.0, 0, 0});
  Model model = builder.build();
  model.elements.mujoco_contact = true;
  const Model back = model_from_json(model_to_json(model), "belt.json");
  EXPECT_EQ(back.shapes[0].contact, material);
  EXPECT_EQ(back.shapes[0].surface_velocity, Vec3(0.1, 0, 0));
  EXPECT_TRUE(same_bits(back.v0, model.v0));
  EXPECT_TRUE(back.elements.mujoco_contact);
}

// A box of wood, as version 1 wrote it.
nlohmann::ordered_json first_version() {
  ModelBuilder builder("wood");
  ContactMaterial wood;
  wood.anisotropy_ratio = 0.4;
  wood.friction_direction = Vec3(0, 1, 0);
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", wood);
  auto json = nlohmann::ordered_json::parse(model_to_json(builder.build()));
  json["version"] = 1;
  auto& contact = json["shapes"][0]["contact"];
  contact["cross_friction"] = contact["anisotropy_ratio"];
  contact["grain"] = contact["friction_direction"];
  contact.erase("anisotropy_ratio");
  contact.erase("friction_direction");
  return json;
}

TEST(ModelJson, TheFirstVersionIsReadAndItsOldNamesAreNoted) {
  const CaughtWarnings caught;
  const Model model = model_from_json(first_version().dump(), "wood.json");
  EXPECT_EQ(model.shapes[0].contact.anisotropy_ratio, 0.4);
  EXPECT_EQ(model.shapes[0].contact.friction_direction, Vec3(0, 1, 0));
  EXPECT_EQ(caught.lines, (std::vector<std::string>{"wood.json: shapes[0].contact: 'cross_friction' is now "
                                                    "called 'anisotropy_ratio'; the old name is still read",
                                                    "wood.json: shapes[0].contact: 'grain' is now called "
                                                    "'friction_direction'; the old name is still read"}));
}

TEST(ModelJson, WritesNewNamesAndReadsThemWithoutANote) {
  const CaughtWarnings caught;
  const std::string text = model_to_json(model_from_json(first_version().dump(), "wood.json"));
  EXPECT_EQ(text.find("grain"), std::string::npos);
  EXPECT_EQ(text.find("cross_friction"), std::string::npos);
  const std::size_t noted = caught.lines.size();
  EXPECT_EQ(model_to_json(model_from_json(text, "new.json")), text);
  EXPECT_EQ(caught.lines.size(), noted);
}

TEST(ModelJson, AnOldNameBesideTheNewOneIsRefusedByBothNames) {
  const CaughtWarnings caught;
  for (const auto& [old_key, key] :
       {std::pair("cross_friction", "anisotropy_ratio"), std::pair("grain", "friction_direction")}) {
    auto json = first_version();
    json["shapes"][0]["contact"][key] = json["shapes"][0]["contact"][old_key];
    EXPECT_EQ(
        complaint_about(json),
        format("robot.json: shapes[0].contact: '{}' is the old name of '{}': only one of them may be given",
               old_key, key));
  }
}

TEST(ModelJson, OtherVersionsAndNoneAreRefusedByName) {
  auto json = arm_json();
  json["version"] = 3;
  EXPECT_NE(complaint_about(json).find(
                "robot.json: this is version 3 of stiction models, which this version does not read"),
            std::string::npos);
  json["version"] = 0;
  EXPECT_NE(complaint_about(json).find("robot.json: this is version 0 of stiction models"),
            std::string::npos);
  json.erase("version");
  EXPECT_NE(complaint_about(json).find("'version' is missing"), std::string::npos);
}

}  // namespace
}  // namespace stiction
