// Scenes from TOML files: a model, its start, its inputs and how it is simulated.

#include <filesystem>
#include <map>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/fields.h"
#include "python/bindings/paths.h"
#include "python/bindings/simulation/py_model.h"
#include "python/bindings/simulation/py_world.h"
#include "stiction/io/scene_file/scene_file.h"

namespace stiction::python {
namespace {

using namespace nb::literals;
using JointTable = std::map<std::string, std::vector<double>>;

// A scene, and its model as Python holds it.
struct PyScene {
  Scene scene;
  PyModel model;
};

PyScene share_scene(Scene scene, std::shared_ptr<const CompatibilityReport> report) {
  PyModel model = share(scene.model);
  if (report && !report->entries.empty()) model.report = std::move(report);
  return {std::move(scene), std::move(model)};
}

PyScene load_scene(const std::filesystem::path& file) {
  auto report = std::make_shared<CompatibilityReport>();
  Scene scene = load_scene_file(file, {}, report.get());
  return share_scene(std::move(scene), report);
}

PyScene parse_scene_text(const std::string& text) {
  auto report = std::make_shared<CompatibilityReport>();
  Scene scene = parse_scene(text, "scene.toml", {}, report.get());
  return share_scene(std::move(scene), report);
}

// Returned to Python, which owns it.
PyWorld* make_scene_world(const PyScene& self) {
  auto world = std::make_unique<PyWorld>(self.model, self.scene.options);
  start_scene(self.scene, &world->ready());
  return world.release();
}

JointTable table_of(const std::vector<JointValues>& list) {
  JointTable table;
  for (const JointValues& one : list) table[one.joint] = one.values;
  return table;
}

void set_joints(const PyScene& self, const JointTable& table, std::vector<JointValues>* list) {
  std::vector<JointValues> made;
  for (const auto& [joint, values] : table) {
    self.model->joint(joint);  // throws with the closest name
    made.push_back({joint, values});
  }
  *list = std::move(made);
}

// A member of the scene that is written where it is.
template <class M>
void bind_member(const char* name, M Scene::*member, const char* doc, nb::class_<PyScene>* c) {
  c->def_prop_rw(
      name, [member](PyScene& self) -> M& { return self.scene.*member; },
      [member](PyScene& self, const M& value) { self.scene.*member = value; },
      nb::rv_policy::reference_internal, nb::for_setter(nb::arg("value")), doc);
}

void bind_scene(nb::module_& m) {
  Fields<ScenePair>(m, "ScenePair",
                    "Numbers of two shapes in place of those that their materials give, in a Scene.")
      .field("shape1", &ScenePair::shape1, "Name of a shape.")
      .field("shape2", &ScenePair::shape2, "Name of another.")
      .field("friction", &ScenePair::friction, "mu; None: as the materials say.")
      .field("stiffness", &ScenePair::stiffness, "N/m; None: as the materials say.")
      .done();
  nb::class_<PyScene> c(m, "Scene",
                        "All that a scene file says: a model, its start, its inputs over time, and how it is "
                        "simulated (docs/scene_files.md).");
  c.def(
      "__init__",
      [](PyScene* self, const PyModel& model) {
        new (self) PyScene{scene_of_model(*model), model};
      },
      "model"_a, "A model alone, with its own step.");
  c.def_prop_ro(
      "model", [](const PyScene& self) { return self.model; }, "What is simulated.");
  bind_member("options", &Scene::options, "Step (s), formulation and noise of sensors.", &c);
  bind_member("time", &Scene::time, "To simulate, s.", &c);
  bind_member("threads", &Scene::threads, "As of set_thread_count().", &c);
  bind_member("keyframe", &Scene::keyframe, "At which it starts; empty: the model's own state.", &c);
  bind_member("settles", &Scene::settles, "Overlaps are removed before time begins (World.settle()).", &c);
  bind_member("pairs", &Scene::pairs, "Numbers of pairs of shapes; assign the whole list.", &c);
  bind_member("schedule", &Scene::schedule, "What acts over time, for World.apply().", &c);
  bind_member("record_every", &Scene::record_every, "Steps between states of a recording.", &c);
  c.def_prop_rw(
       "positions", [](const PyScene& self) { return table_of(self.scene.positions); },
       [](PyScene& self, const JointTable& table) { set_joints(self, table, &self.scene.positions); },
       nb::for_setter("value"_a), "Of joints at the start, by name, rad or m; assign the whole table.")
      .def_prop_rw(
          "velocities", [](const PyScene& self) { return table_of(self.scene.velocities); },
          [](PyScene& self, const JointTable& table) { set_joints(self, table, &self.scene.velocities); },
          nb::for_setter("value"_a), "Of joints at the start, by name, rad/s or m/s; assign the whole table.")
      .def("make_world", &make_scene_world, nb::rv_policy::take_ownership,
           "A world at the start of the scene.")
      .def("__repr__", [](const PyScene& self) {
        return format("Scene('{}', time={} s, h={} s)", self.model->name, self.scene.time,
                      self.scene.options.h);
      });
}

}  // namespace

void bind_scene_files(nb::module_& m) {
  bind_scene(m);
  m.def("load_scene", &load_scene, "file"_a,
        "A scene from a TOML file (docs/scene_files.md). Raises UserError with file, line and column.");
  m.def("parse_scene", &parse_scene_text, "text"_a,
        "A scene from the text of a TOML file; other files are looked for in the working folder.");
  m.def(
      "write_scene",
      [](const PyScene& scene, const std::string& model_file) {
        return write_scene(scene.scene, model_file);
      },
      "scene"_a, "model_file"_a = "",
      "The text of a scene, with its model in another file, or, where that is empty, as objects: raises "
      "UserError if objects cannot say it.");
  m.def(
      "save_scene",
      [](const PyScene& scene, const std::filesystem::path& file) -> std::optional<std::filesystem::path> {
        const std::filesystem::path beside = save_scene_file(scene.scene, file);
        return beside.empty() ? std::nullopt : std::optional(beside);
      },
      "scene"_a, "file"_a,
      "Writes a scene to a TOML file, and where objects cannot say its model, a JSON file beside it: its "
      "path, otherwise None. What is read back moves with the same bits.");
}

}  // namespace stiction::python
