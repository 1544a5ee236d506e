// The barriers of a material through every file that has materials.

#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/file/problem_file.h"
#include "stiction/contact/residual.h"
#include "stiction/io/model_json.h"
#include "stiction/io/scene_file/scene_file.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr const char* kScene =
    "[contact]\nelasticity = 'ipc_barrier'\n"
    "[material.a]\nbarrier_stiffness = 3e5\nbarrier_energy = 2e-3\nbarrier_distance = 4e-4\n"
    "[[ground]]\n"
    "[[object]]\nname = 'ball'\nshape = 'sphere'\nradius = 0.1\ndensity = 500\nposition = [0, 0, 0.1003]\n"
    "material = 'a'\n";

TEST(BarrierMaterial, IsReadFromASceneFileAndKeptByTheModelFile) {
  const Scene scene = parse_scene(kScene);
  EXPECT_EQ(scene.options.formulation.contact.elasticity, Elasticity::ipc_barrier);
  const Model again = model_from_json(model_to_json(scene.model));
  for (const Model* model : {&scene.model, &again}) {
    const ContactMaterial& material = model->shapes[std::size_t(model->shape("ball"))].contact;
    EXPECT_EQ(material.barrier_stiffness, 3e5);
    EXPECT_EQ(material.barrier_energy, 2e-3);
    EXPECT_EQ(material.barrier_distance, 4e-4);
  }
}

TEST(BarrierMaterial, OfASavedProblemHasTheForceOfTheStep) {
  const Scene scene = parse_scene(kScene);
  World world(scene.model, scene.options);
  world.step();
  const ContactOptions& options = world.options().formulation.contact;
  SavedProblem saved = problem_from_json(
      problem_to_json(saved_problem(world.model(), world.record(), options)), "problem.json");
  const AlignedVector<double> before = saved.problem.law_parameters[0];
  const std::vector<double> kappa(saved.problem.law_parameters[1].begin(),
                                  saved.problem.law_parameters[1].end());
  apply_law(options, &saved);
  EXPECT_EQ(kappa[0], 3e5);
  EXPECT_EQ(saved.problem.law_parameters[1][0], kappa[0]);
  EXPECT_EQ(saved.problem.law_parameters[0][0], before[0]);
  EXPECT_EQ(saved.points[0].barrier_distance, 4e-4);
}

TEST(BarrierMaterial, RefusesADistanceOfZero) {
  EXPECT_THROW(parse_scene("[material.a]\nbarrier_distance = 0\n[[ground]]\n"), UserError);
}

TEST(BarrierMaterial, DoesNotGoWithKelvinVoigt) {
  try {
    parse_scene("[contact]\nelasticity = 'log_barrier'\ndissipation = 'kelvin_voigt'\n[[ground]]\n");
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("log_barrier elasticity goes with"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace stiction
