// The pressure field of a material through every file that has materials.

#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/file/problem_file.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/io/model_json.h"
#include "stiction/io/scene_file/scene_file.h"
#include "stiction/io/urdf/urdf.h"
#include "stiction/simulation/model/overrides.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/pressure_notes.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"
#include "test/constraint/pressure_laws.h"

namespace stiction {
namespace {

constexpr const char* kScene =
    "[material.a]\npressure_modulus = 2e6\npressure_depth = 0.04\nfacets = 37\ntorsional_friction = 0.01\n"
    "[[ground]]\n"
    "[[object]]\nname = 'ball'\nshape = 'sphere'\nradius = 0.1\ndensity = 500\nposition = [0, 0, 0.099]\n"
    "material = 'a'\n";

std::string error_of(const std::string& scene) {
  try {
    const Scene read = parse_scene(scene);
    read.model.tables();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

bool says(const std::vector<std::string>& notes, const std::string& part) {
  for (const std::string& note : notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

TEST(PressureMaterial, IsReadFromASceneFileAndKeptByTheModelFile) {
  const Scene scene = parse_scene(kScene);
  const Model again = model_from_json(model_to_json(scene.model));
  for (const Model* model : {&scene.model, &again}) {
    const ContactMaterial& material = model->shapes[std::size_t(model->shape("ball"))].contact;
    EXPECT_EQ(material.pressure_modulus, 2e6);
    EXPECT_EQ(material.pressure_depth, 0.04);
    EXPECT_EQ(material.facets, 37);
    EXPECT_TRUE(model->tables().collision->has_fields);
  }
}

TEST(PressureMaterial, OfASavedProblemHasTheForcesOfTheStep) {
  const Scene scene = parse_scene(kScene);
  for (const LawKind law : pressure_laws()) {
    SCOPED_TRACE(law_row(law).name);
    WorldOptions options = scene.options;
    options.formulation.contact.law = law;
    World world(scene.model, options);
    world.step();
    ASSERT_FALSE(world.record().collision.pressure_points.empty());
    const ContactOptions& contact = world.options().formulation.contact;
    SavedProblem saved = problem_from_json(
        problem_to_json(saved_problem(world.model(), world.record(), contact)), "problem.json");
    const auto before = saved.problem.law_parameters;
    std::vector<AlignedVector<double>> kept(before, before + kLawParameters);
    apply_law(contact, &saved);
    for (int i = 0; i < kLawParameters; ++i)
      for (std::size_t p = 0; p < saved.points.size(); ++p)
        EXPECT_NEAR(saved.problem.law_parameters[i][p], kept[std::size_t(i)][p],
                    1e-12 * std::abs(kept[std::size_t(i)][p]))
            << i << " " << p;
  }
}

TEST(PressureMaterial, BadNumbersNameTheirPlace) {
  EXPECT_NE(error_of("[material.a]\npressure_modulus = 0\n[[ground]]\n").find("pressure_modulus"),
            std::string::npos);
  EXPECT_NE(error_of("[material.a]\nfacets = 20\n[[ground]]\n").find("7, 19 or 37"), std::string::npos);
  const std::string ground = error_of(
      "[material.a]\npressure_modulus = 1e6\n[[ground]]\n[[assign]]\nshapes = 'ground'\nmaterial = 'a'\n");
  EXPECT_NE(ground.find("shape 'ground': a compliant half-space needs a pressure depth"), std::string::npos)
      << ground;
  const std::string round = error_of(
      "[material.a]\npressure_modulus = 1e6\n[[ground]]\n[[object]]\nname = 'pill'\nshape = "
      "'superellipsoid'\n"
      "radii = [0.1, 0.1, 0.1]\ndensity = 100\nmaterial = 'a'\n");
  EXPECT_NE(round.find("shape 'pill': a superellipsoid cannot have a pressure field"), std::string::npos)
      << round;
}

TEST(PressureMaterial, NotesNameThePairsAndWhatIsNotUsed) {
  const Scene scene = parse_scene(kScene);
  ContactOptions options;
  const std::vector<std::string> notes = pressure_notes(scene.model, options);
  EXPECT_TRUE(says(notes, "1 pair of shapes touches by pressure fields ('ground' and 'ball')"));
  EXPECT_TRUE(says(notes, "torsional friction of 1 shape"));
  EXPECT_FALSE(says(notes, "rest deeper"));
  options.law = LawKind::coulomb_ncp;
  EXPECT_TRUE(says(pressure_notes(scene.model, options), "takes no pressure fields"));
  // 20.5 N on 1e3 Pa: sqrt(F/(pi kappa R)) is more than 3 % of 4 cm.
  std::string soft = kScene;
  soft.replace(soft.find("2e6"), 3, "2e4");
  EXPECT_TRUE(says(pressure_notes(parse_scene(soft).model, {}), "rest deeper than 3 %"));
  EXPECT_TRUE(pressure_notes(parse_scene("[[ground]]\n").model, {}).empty());
}

TEST(PressureMaterial, IsReadFromCustomTextInMjcf) {
  const auto read = [](const std::string& data, const std::string& name = "stiction:pressure") {
    return parse_mjcf(
        "<mujoco><custom><text name='" + name + "' data='" + data +
            "'/></custom><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
            "<body pos='0 0 1'><freejoint/><geom name='finger1' size='0.1'/>"
            "<geom name='finger2' size='0.1' pos='1 0 0'/><geom name='palm' size='0.1' pos='2 0 0'/>"
            "</body></worldbody></mujoco>",
        "m.xml");
  };
  const Model model = read("finger* modulus=1e6 depth=0.01 facets=7");
  for (const PlacedShape& shape : model.shapes) {
    const bool is_finger = shape.name.rfind("finger", 0) == 0;
    EXPECT_EQ(shape.contact.pressure_modulus.has_value(), is_finger) << shape.name;
    if (!is_finger) continue;
    EXPECT_EQ(shape.contact.pressure_modulus, 1e6);
    EXPECT_EQ(shape.contact.pressure_depth, 0.01);
    EXPECT_EQ(shape.contact.facets, 7);
    EXPECT_FALSE(gives_friction(shape.contact));  // friction stays that of the file
  }
  EXPECT_TRUE(model.tables().collision->has_fields);
  EXPECT_TRUE(read("palm modulus=1e6", "stiction:pressure:palm").tables().collision->has_fields);
  EXPECT_FALSE(read("palm modulus=1e6", "note").tables().collision->has_fields);
  for (const char* bad : {"", "palm", "palm modulus=0", "palm modulus=1e6x", "palm modulus=1e6 facets=8",
                          "palm modulus=1e6 stiffness=3", "thumb modulus=1e6", "palm modulus"})
    EXPECT_THROW(read(bad), UserError) << bad;
}

TEST(PressureMaterial, FollowsDrakesTagsInUrdf) {
  const auto read = [](const std::string& tags, CompatibilityReport* report) {
    return parse_urdf(
        "<robot name='r'><link name='l'><collision name='c'><geometry><sphere radius='0.1'/></geometry>"
        "<drake:proximity_properties>" +
            tags + "</drake:proximity_properties></collision></link></robot>",
        "r.urdf", {}, report);
  };
  CompatibilityReport report;
  const Model soft = read(
      "<drake:compliant_hydroelastic/><drake:hydroelastic_modulus value='3e5'/>"
      "<drake:mesh_resolution_hint value='0.005'/><drake:hydroelastic_margin value='1e-4'/>",
      &report);
  EXPECT_EQ(soft.shapes.at(0).contact.pressure_modulus, 3e5);
  EXPECT_EQ(soft.shapes.at(0).contact.facets, 37);
  EXPECT_EQ(read("<drake:compliant_hydroelastic/>", &report).shapes.at(0).contact.pressure_modulus, 1e7);
  const Model coarse =
      read("<drake:compliant_hydroelastic/><drake:mesh_resolution_hint value='0.06'/>", &report);
  EXPECT_EQ(coarse.shapes.at(0).contact.facets, 7);
  for (const char* tags : {"<drake:rigid_hydroelastic/>", "<drake:hydroelastic_modulus value='3e5'/>",
                           "<drake:mu_static value='1'/>"})
    EXPECT_FALSE(read(tags, &report).shapes.at(0).contact.pressure_modulus.has_value()) << tags;
  EXPECT_THROW(read("<drake:compliant_hydroelastic/><drake:rigid_hydroelastic/>", &report), UserError);
  EXPECT_THROW(read("<drake:compliant_hydroelastic/><drake:hydroelastic_modulus value='0'/>", &report),
               UserError);
}

// A ball of 10 cm, 3 mm above a rigid box, both in their link's axes.
Model ball_above_box(const std::string& tags, CompatibilityReport* report = nullptr) {
  return parse_urdf(
      "<robot name='r'><link name='ground'><collision name='box'><geometry><box size='1 1 0.2'/></geometry>"
      "</collision></link>"
      "<joint name='free' type='floating'><parent link='ground'/><child link='ball'/><origin xyz='0 0 "
      "0.203'/></joint>"
      "<link name='ball'><inertial><mass value='1'/><inertia ixx='0.004' iyy='0.004' izz='0.004' ixy='0' "
      "ixz='0' "
      "iyz='0'/></inertial><collision name='ball'><geometry><sphere radius='0.1'/></geometry>"
      "<drake:proximity_properties>" +
          tags + "</drake:proximity_properties></collision></link></robot>",
      "r.urdf", {}, report);
}

TEST(PressureMaterial, ADrakeMarginFindsFacesThatDoNotPressYet) {
  const std::string compliant = "<drake:compliant_hydroelastic/>";
  const std::string margin = compliant + "<drake:hydroelastic_margin value='0.01'/>";
  EXPECT_EQ(ball_above_box(margin).tables().collision->margin(0, 1), 0.01);
  const auto after_a_step = [](const Model& model) {
    WorldOptions options;
    options.h = 1e-3;
    World world(model, options);
    world.step();
    return std::pair(world.record().collision.pressure_points, world.state().v);
  };
  const auto [near, v_near] = after_a_step(ball_above_box(margin));
  const auto [far, v_far] = after_a_step(ball_above_box(compliant));
  EXPECT_TRUE(far.empty());
  ASSERT_FALSE(near.empty());
  for (const PressurePoint& point : near) EXPECT_LT(point.pressure, 0.0);
  EXPECT_EQ(v_near, v_far);  // at 1 cm/s it does not close 3 mm in 1 ms
}

TEST(PressureMaterial, EveryTagOfDrakesIsHonouredOrReportedWithAReason) {
  const std::string compliant = "<drake:compliant_hydroelastic/>", rigid = "<drake:rigid_hydroelastic/>";
  const struct {
    std::string kind, tag, value;
    Compatibility status;
  } cases[] = {
      {compliant, "drake:hydroelastic_modulus", "1e6", Compatibility::honoured},
      {compliant, "drake:mesh_resolution_hint", "0.01", Compatibility::honoured},
      {compliant, "drake:hydroelastic_margin", "1e-4", Compatibility::honoured},
      {compliant, "drake:hunt_crossley_dissipation", "3", Compatibility::honoured},
      {compliant, "drake:relaxation_time", "0.1", Compatibility::honoured},
      {compliant, "drake:mu_static", "0.4", Compatibility::honoured},
      {compliant, "drake:mu_dynamic", "0.4", Compatibility::honoured},
      {compliant, "drake:point_contact_stiffness", "1e5", Compatibility::honoured},
      {rigid, "drake:hydroelastic_modulus", "1e6", Compatibility::ignored},
      {rigid, "drake:mesh_resolution_hint", "0.01", Compatibility::ignored},
      {rigid, "drake:hydroelastic_margin", "1e-4", Compatibility::ignored},
      {"", "drake:hydroelastic_modulus", "1e6", Compatibility::ignored},
      {"", "drake:mesh_resolution_hint", "0.01", Compatibility::ignored},
      {"", "drake:hydroelastic_margin", "1e-4", Compatibility::ignored},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.kind + c.tag);
    CompatibilityReport report;
    ball_above_box(c.kind + "<" + c.tag + " value='" + c.value + "'/>", &report);
    int found = 0;
    for (const CompatibilityEntry& entry : report.entries) {
      if (entry.element != c.tag) continue;
      ++found;
      EXPECT_EQ(name_of(entry.status), std::string(name_of(c.status)));
      EXPECT_EQ(entry.why.empty(), c.status == Compatibility::honoured);
      EXPECT_EQ(to_text(report).find(c.tag) != std::string::npos, c.status == Compatibility::ignored);
    }
    EXPECT_GE(found, 1);
  }
  EXPECT_THROW(ball_above_box(compliant + "<drake:hydroelastic_margin value='-1'/>"), UserError);
  EXPECT_THROW(ball_above_box(compliant + "<drake:slab_thickness value='1'/>"), UserError);
}

}  // namespace
}  // namespace stiction
