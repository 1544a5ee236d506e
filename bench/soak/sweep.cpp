#include "bench/soak/sweep.h"

#include <algorithm>
#include <cmath>

#include "scenes/catalog.h"
#include "stiction/base/format.h"
#include "stiction/contact/catalog.h"

namespace stiction {
namespace {

constexpr const char* kScenes[] = {
    "clutter",        "clutter_160", "box_stack",         "brick_wall",   "card_house",      "arch",
    "dominoes",       "slope",       "sliding_block",     "push",         "conveyor",        "falling_sphere",
    "sliding_rod",    "bowling",     "three_point_plate", "dragged_box",  "spring_cylinder", "rolling_sphere",
    "newtons_cradle", "rattleback",  "lawn_ball",         "spinning_top",
};
constexpr double kDefaultStep = 2e-3;  // s

struct Sweep {
  const char* parameter;
  std::vector<double> values;
};

const std::vector<Sweep>& sweeps() {
  static const std::vector<Sweep> list = {
      {"stiffness", {1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12}},
      {"mass_ratio", {1e1, 1e2, 1e3, 1e4, 1e5, 1e6}},
      {"step", {1e-5, 1e-4, 1e-3, 5e-3, 1e-2, 2e-2, 5e-2}},
      {"friction", {0.0, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0}},
  };
  return list;
}

SoakRun run_of(const SoakPlan& plan, const char* scene, LawKind law, const char* parameter, double value) {
  SoakRun run;
  run.scene = scene;
  run.law = law;
  run.parameter = parameter;
  run.value = value;
  run.h = run.parameter == "step" ? value : kDefaultStep;
  const double share = law == kLawRows[0].kind ? 1.0 : plan.other_share;
  const double steps = std::min(plan.seconds / run.h, double(plan.largest_steps));
  run.steps = std::max(std::lround(share * steps), 1L);
  return run;
}

}  // namespace

std::string name_of(const SoakRun& run) {
  const std::string name = format("{}/{}/{}", run.scene, name_of(run.law), run.parameter);
  return run.parameter == "default" ? name : format("{} {:g}", name, run.value);
}

std::vector<SoakRun> soak_runs(const SoakPlan& plan, const std::string& only) {
  std::vector<SoakRun> runs;
  for (const LawRow& row : kLawRows) {
    if (row.family != LawFamily::compliant) continue;
    const LawKind law = row.kind;
    for (const char* scene : kScenes) {
      runs.push_back(run_of(plan, scene, law, "default", 0.0));
      for (const Sweep& sweep : sweeps()) {
        for (const double value : sweep.values)
          runs.push_back(run_of(plan, scene, law, sweep.parameter, value));
      }
    }
  }
  runs.erase(std::remove_if(runs.begin(), runs.end(),
                            [&](const SoakRun& run) { return name_of(run).find(only) == std::string::npos; }),
             runs.end());
  return runs;
}

Model soak_model(const SoakRun& run) {
  Model model = make_scene(run.scene);
  if (run.parameter == "stiffness") {
    // Two equal springs in series.
    for (PlacedShape& shape : model.shapes) shape.contact.stiffness = 2.0 * run.value;
  } else if (run.parameter == "friction") {
    for (PlacedShape& shape : model.shapes) {
      shape.contact.static_friction = run.value;
      shape.contact.dynamic_friction.reset();
    }
  } else if (run.parameter == "mass_ratio") {
    // Every second body that has mass, beginning with the second; the only one, if there is one.
    std::vector<Body> bodies = model.forest.bodies;
    std::vector<Body*> heavy;
    for (Body& body : bodies) {
      if (body.inertia.mass > 0.0) heavy.push_back(&body);
    }
    for (std::size_t i = heavy.size() > 1 ? 1 : 0; i < heavy.size(); i += 2) {
      heavy[i]->inertia.mass *= run.value;
      heavy[i]->inertia.I_com *= run.value;
    }
    model.forest = make_forest(std::move(bodies), model.forest.gravity);
  }
  return model;
}

}  // namespace stiction
