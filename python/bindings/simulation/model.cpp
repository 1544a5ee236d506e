// Models, their files and their reports.

#include <filesystem>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/paths.h"
#include "python/bindings/simulation/py_model.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/mjcf/export/export.h"
#include "stiction/io/mjcf/mujoco_order.h"
#include "stiction/io/model_file.h"
#include "stiction/io/model_json.h"
#include "stiction/io/scene_file/scene_file.h"
#include "stiction/simulation/contact/default_stiffness.h"

STICTION_WORDS(stiction::Compatibility, "'honoured', 'approximated', 'ignored'", "honoured", "approximated",
               "ignored")

namespace stiction::python {

PyModel share(Model model) { return {std::make_shared<const Model>(std::move(model)), nullptr}; }

int find_body(const Model& model, const NameOrIndex& which) {
  if (const std::string* name = std::get_if<std::string>(&which)) return model.body(*name);
  const int index = std::get<int>(which);
  STICTION_USER_CHECK(index >= 0 && index < static_cast<int>(model.forest.bodies.size()),
                      "model '{}' has {} bodies, so there is no body {}", model.name,
                      model.forest.bodies.size(), index);
  return index;
}

std::string name_in(const Model& model, std::string_view kind, const NameOrIndex& which) {
  if (const std::string* name = std::get_if<std::string>(&which)) return *name;
  const int index = std::get<int>(which);
  const auto pick = [&](std::size_t count, const auto& name_of) {
    STICTION_USER_CHECK(index >= 0 && static_cast<std::size_t>(index) < count,
                        "model '{}' has {} {}, so there is no {} {}", model.name, count,
                        kind == "body" ? "bodies" : std::string(kind) + "s", kind, index);
    return std::string(name_of(static_cast<std::size_t>(index)));
  };
  if (kind == "body")
    return pick(model.forest.bodies.size(), [&](auto i) { return model.forest.bodies[i].name; });
  if (kind == "joint")
    return pick(model.forest.joints.size(),
                [&](auto i) { return model.forest.joint(static_cast<int>(i)).name; });
  if (kind == "frame") return pick(model.frames.size(), [&](auto i) { return model.frames[i].name; });
  if (kind == "shape") return pick(model.shapes.size(), [&](auto i) { return model.shapes[i].name; });
  // An actuator without a name goes by its number everywhere.
  return pick(model.elements.actuators.size(), [&](auto i) {
    const std::string& name = model.elements.actuators[i].name;
    return name.empty() ? std::to_string(i) : name;
  });
}

std::string text_of(const NameOrIndex& which) {
  const int* index = std::get_if<int>(&which);
  return index ? std::to_string(*index) : std::get<std::string>(which);
}

namespace {

using namespace nb::literals;

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

std::vector<std::string> joint_names(const PyModel& self) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < self->forest.joints.size(); ++j)
    names.push_back(self->forest.joint(static_cast<int>(j)).name);
  return names;
}

// A slice of q or of v that belongs to a joint.
nb::slice range(int begin, int count) { return nb::slice(begin, begin + count, 1); }

PyModel load(const std::filesystem::path& file, bool floating_base,
             const std::vector<std::filesystem::path>& package_paths) {
  auto report = std::make_shared<CompatibilityReport>();
  const bool is_scene = lower_case_ending(file.filename().string()) == "toml";
  PyModel loaded = share(is_scene ? load_scene_file(file, {}, report.get()).model
                                  : load_model_file(file, {floating_base, package_paths}, report.get()));
  if (!report->entries.empty()) loaded.report = report;
  return loaded;
}

PyModel parse_text(const std::string& text, bool floating_base) {
  auto report = std::make_shared<CompatibilityReport>();
  PyModel loaded = share(parse_model(text, "model.xml", {floating_base, {}}, report.get()));
  loaded.report = report;
  return loaded;
}

void bind_report(nb::module_& m) {
  using E = CompatibilityEntry;
  nb::class_<E>(m, "CompatibilityEntry", "What became of one element or attribute of a model file.")
      .def_ro("element", &E::element, "Its tag.")
      .def_ro("attribute", &E::attribute, "Empty: the element itself.")
      .def_ro("file", &E::file, "Where it stands.")
      .def_ro("line", &E::line, "From 1.")
      .def_ro("status", &E::status, "honoured, approximated or ignored.")
      .def_ro("why", &E::why, "The reason where it is not honoured.");
  using R = CompatibilityReport;
  nb::class_<R>(m, "CompatibilityReport", "What became of every element and attribute of a model file.")
      .def_ro("entries", &R::entries, "In the order of the files.")
      .def("count", &R::count, "status"_a, "How many have a status.")
      .def(
          "to_text", [](const R& self, bool with_honoured) { return to_text(self, with_honoured); },
          "with_honoured"_a = false, "A table for people.")
      .def(
          "to_json", [](const R& self) { return to_json(self); },
          "A JSON array of objects with the keys element, attribute, file, line, status and why.")
      .def("__len__", [](const R& self) { return self.entries.size(); })
      .def("__repr__", [](const R& self) {
        return format("CompatibilityReport({} honoured, {} approximated, {} ignored)",
                      self.count(Compatibility::honoured), self.count(Compatibility::approximated),
                      self.count(Compatibility::ignored));
      });
}

// What is pickled: the model as JSON, and the entries of the report, if its file had one.
using EntryState = std::tuple<std::string, std::string, std::string, int, Compatibility, std::string>;
using ModelState = std::pair<std::string, std::optional<std::vector<EntryState>>>;

ModelState state_of(const PyModel& model) {
  ModelState state{model_to_json(*model), std::nullopt};
  if (model.report == nullptr) return state;
  state.second.emplace();
  for (const CompatibilityEntry& e : model.report->entries)
    state.second->emplace_back(e.element, e.attribute, e.file, e.line, e.status, e.why);
  return state;
}

PyModel model_of(const ModelState& state) {
  PyModel model = share(model_from_json(state.first));
  if (!state.second) return model;
  auto report = std::make_shared<CompatibilityReport>();
  for (const auto& [element, attribute, file, line, status, why] : *state.second)
    report->entries.push_back({element, attribute, file, line, status, why});
  model.report = report;
  return model;
}

void bind_names(nb::class_<PyModel>& c) {
  c.def_prop_ro(
       "body_names", [](const PyModel& self) { return names_of(self->forest.bodies); },
       "Names of the bodies; the first is the world.")
      .def_prop_ro("joint_names", &joint_names, "Names of the joints, in the order of q.")
      .def_prop_ro(
          "frame_names", [](const PyModel& self) { return names_of(self->frames); }, "Names of the frames.")
      .def_prop_ro(
          "shape_names", [](const PyModel& self) { return names_of(self->shapes); }, "Names of the shapes.")
      .def_prop_ro(
          "actuator_names", [](const PyModel& self) { return names_of(self->elements.actuators); },
          "Names of the actuators, in the order of the controls.")
      .def_prop_ro(
          "sensor_names", [](const PyModel& self) { return names_of(self->elements.sensors); },
          "Names of the sensors.")
      .def_prop_ro(
          "keyframe_names", [](const PyModel& self) { return names_of(self->elements.keyframes); },
          "Names of the keyframes.")
      .def_prop_ro(
          "tendon_names", [](const PyModel& self) { return names_of(self->elements.tendons); },
          "Names of the tendons.")
      .def(
          "body", [](const PyModel& self, const std::string& name) { return self->body(name); }, "name"_a,
          "Number of a body; raises UserError with the closest name.")
      .def(
          "joint", [](const PyModel& self, const std::string& name) { return self->joint(name); }, "name"_a,
          "Number of a joint; raises UserError with the closest name.")
      .def(
          "frame", [](const PyModel& self, const std::string& name) { return self->frame(name); }, "name"_a,
          "Number of a frame; raises UserError with the closest name.")
      .def(
          "shape", [](const PyModel& self, const std::string& name) { return self->shape(name); }, "name"_a,
          "Number of a shape; raises UserError with the closest name.")
      .def(
          "actuator", [](const PyModel& self, const std::string& name) { return self->actuator(name); },
          "name"_a, "Number of an actuator; raises UserError with the closest name.")
      .def(
          "q_slice",
          [](const PyModel& self, const NameOrIndex& joint) {
            const JointIndices& place =
                self->forest.joints[static_cast<std::size_t>(self->joint(name_in(*self, "joint", joint)))];
            return range(place.q_begin, place.num_q);
          },
          "joint"_a, nb::sig("def q_slice(self, joint: str | int) -> slice"),
          "Where the positions of a joint, by name or number, are in q.")
      .def(
          "v_slice",
          [](const PyModel& self, const NameOrIndex& joint) {
            const JointIndices& place =
                self->forest.joints[static_cast<std::size_t>(self->joint(name_in(*self, "joint", joint)))];
            return range(place.v_begin, place.num_v);
          },
          "joint"_a, nb::sig("def v_slice(self, joint: str | int) -> slice"),
          "Where the velocities of a joint, by name or number, are in v.");
}

void bind_parts(nb::class_<PyModel>& c) {
  c.def_prop_ro(
       "joints",
       [](const PyModel& self) {
         std::vector<Joint> joints;
         for (std::size_t j = 0; j < self->forest.joints.size(); ++j)
           joints.push_back(self->forest.joint(static_cast<int>(j)));
         return joints;
       },
       "The joints, in the order of q; copies.")
      .def_prop_ro(
          "actuators", [](const PyModel& self) { return self->elements.actuators; }, "The actuators; copies.")
      .def_prop_ro(
          "sensors", [](const PyModel& self) { return self->elements.sensors; }, "The sensors; copies.")
      .def_prop_ro(
          "tendons", [](const PyModel& self) { return self->elements.tendons; }, "The tendons; copies.")
      .def_prop_ro(
          "equalities", [](const PyModel& self) { return self->elements.equalities; },
          "Loop closures and couplings; copies.")
      .def_prop_ro(
          "keyframes", [](const PyModel& self) { return self->elements.keyframes; }, "The keyframes; copies.")
      .def(
          "inertia",
          [](const PyModel& self, const NameOrIndex& body) {
            return self->forest.bodies[static_cast<std::size_t>(find_body(*self, body))].inertia;
          },
          "body"_a, "Mass (kg), centre (m) and inertia (kg m^2) of a body, in its frame.")
      .def(
          "parent",
          [](const PyModel& self, const NameOrIndex& body) {
            const Body& b = self->forest.bodies[static_cast<std::size_t>(find_body(*self, body))];
            return self->forest.bodies[static_cast<std::size_t>(b.parent)].name;
          },
          "body"_a, "Name of the parent of a body.")
      .def(
          "frame_pose",
          [](const PyModel& self, const NameOrIndex& frame) {
            const Frame& f =
                self->frames[static_cast<std::size_t>(self->frame(name_in(*self, "frame", frame)))];
            return std::make_tuple(self->forest.bodies[static_cast<std::size_t>(f.body)].name, f.X_BF);
          },
          "frame"_a, "The body that a frame is on, and its pose there.")
      .def_prop_ro(
          "stiffness_notes",
          [](const PyModel& self) { return stiffness_notes(*self, self->elements.options.timestep); },
          "Sentences about shapes whose stiffness was raised for their load, or is low for it, at the "
          "model's "
          "step.");
}

void bind_mujoco_order(nb::class_<PyModel>& c) {
  c.def(
       "qpos_from_q", [](const PyModel& self, const VecX& q) { return MujocoOrder(*self).qpos(q); }, "q"_a,
       "Positions in MuJoCo's order and conventions: data.qpos for a q (rad or m).")
      .def(
          "qvel_from_v",
          [](const PyModel& self, const VecX& q, const VecX& v) { return MujocoOrder(*self).qvel(q, v); },
          "q"_a, "v"_a,
          "Velocities in MuJoCo's order and conventions: data.qvel for a v at q (rad/s or m/s).")
      .def(
          "q_from_qpos", [](const PyModel& self, const VecX& qpos) { return MujocoOrder(*self).q(qpos); },
          "qpos"_a, "Positions (rad or m) from those of MuJoCo, data.qpos.")
      .def(
          "v_from_qvel",
          [](const PyModel& self, const VecX& qpos, const VecX& qvel) {
            return MujocoOrder(*self).v(qpos, qvel);
          },
          "qpos"_a, "qvel"_a,
          "Velocities (rad/s or m/s) from those of MuJoCo, data.qvel, at its data.qpos: of a free body, ours "
          "are "
          "(angular, that of the centre of mass) in world axes.");
}

}  // namespace

void bind_model(nb::module_& m) {
  bind_report(m);
  nb::class_<PyModel> c(
      m, "Model",
      "Bodies, joints, frames, shapes and what goes with them. Never changes: worlds and threads "
      "share one. Can be pickled and copied.");
  c.def_prop_ro(
       "name", [](const PyModel& self) { return self->name; }, "Of the model.")
      .def_prop_ro(
          "num_q", [](const PyModel& self) { return self->num_q(); }, "Number of positions.")
      .def_prop_ro(
          "num_v", [](const PyModel& self) { return self->num_v(); }, "Number of velocities.")
      .def_prop_ro(
          "num_activations", [](const PyModel& self) { return self->num_activations(); },
          "Of the actuators that have one.")
      .def_prop_ro(
          "num_controls", [](const PyModel& self) { return self->elements.actuators.size(); },
          "Number of actuators.")
      .def_prop_ro(
          "num_trees", [](const PyModel& self) { return self->forest.trees.size(); },
          "Trees of the forest; a free body is one.")
      .def_prop_ro(
          "q0",
          [](nb::handle self) {
            const Model& model = *nb::cast<const PyModel&>(self);
            return read_only(model.q0.data(), {length(model.q0)}, self);
          },
          "Positions at the start, rad or m; a view.")
      .def_prop_ro(
          "v0",
          [](const PyModel& self) {
            return self->v0.size() > 0 ? self->v0 : VecX(VecX::Zero(self->num_v()));
          },
          "Velocities at the start, rad/s or m/s.")
      .def_prop_ro(
          "gravity", [](const PyModel& self) { return self->forest.gravity; }, "m/s^2.")
      .def_prop_ro(
          "timestep", [](const PyModel& self) { return self->elements.options.timestep; },
          "What its file asks for, s; 0.002 without a file.")
      .def_prop_ro(
          "report",
          [](const PyModel& self) {
            return self.report ? std::optional<CompatibilityReport>(*self.report) : std::nullopt;
          },
          "What became of the model's file; None: it came from none.")
      .def(
          "to_json", [](const PyModel& self) { return model_to_json(*self); },
          "The whole model as JSON, every number with all its bits.")
      .def_static(
          "from_json", [](const std::string& text) { return share(model_from_json(text)); }, "text"_a,
          "A model from to_json().")
      .def(
          "to_mjcf",
          [](const PyModel& self) {
            MjcfExportReport report;
            std::string text = write_mjcf(*self, &report);
            return std::make_tuple(text, report.notes.empty() ? std::string() : to_text(report));
          },
          "The model as MJCF, and a text about what MJCF cannot say.")
      .def("__repr__",
           [](const PyModel& self) {
             return format("Model('{}', {} bodies, {} positions, {} velocities, {} controls)", self->name,
                           self->forest.bodies.size() - 1, self->num_q(), self->num_v(),
                           self->elements.actuators.size());
           })
      .def("__copy__", [](const PyModel& self) { return self; })
      .def(
          "__deepcopy__", [](const PyModel& self, nb::handle) { return self; }, "memo"_a)
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](PyModel& self, const ModelState& state) { new (&self) PyModel(model_of(state)); })
      // Of pickles without a report, as they were once written.
      .def("__setstate__",
           [](PyModel& self, const std::string& text) { new (&self) PyModel(share(model_from_json(text))); });
  bind_names(c);
  bind_parts(c);
  bind_mujoco_order(c);
  m.def("load", &load, "file"_a, "floating_base"_a = false,
        "package_paths"_a = std::vector<std::filesystem::path>{},
        "A model from an MJCF, URDF or JSON file, or that of a scene file (TOML; load_scene() has the rest "
        "of it); "
        "Model.report says what of it acts. Raises UserError with "
        "file and "
        "line. floating_base, package_paths: of URDF files.");
  m.def("parse", &parse_text, "text"_a, "floating_base"_a = false,
        "A model from the text of an MJCF or URDF file.");
}

}  // namespace stiction::python
