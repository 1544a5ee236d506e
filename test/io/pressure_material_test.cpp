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

}  // namespace
}  // namespace stiction
