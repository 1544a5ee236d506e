#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/contact/catalog.h"
#include "stiction/io/model_json.h"
#include "stiction/io/scene_file/object_writer.h"
#include "stiction/io/scene_file/scene_file.h"
#include "stiction/io/scene_file/toml_text.h"
#include "stiction/simulation/formulation.h"

namespace stiction {
namespace {

std::string simulation_text(const Scene& scene, bool with_gravity) {
  TomlSection section("[simulation]");
  section.add("time", scene.time);
  section.add("step", scene.options.h);
  section.add_text("scheme", scene.options.formulation.scheme->name());
  if (scene.threads != 1) section.add("threads", scene.threads);
  if (scene.options.sensor_noise) {
    section.add("seed", static_cast<double>(*scene.options.sensor_noise));
  }
  if (with_gravity) section.add("gravity", toml_list(scene.model.forest.gravity));
  return section.text();
}

std::string contact_text(const Formulation& f) {
  const Formulation standard;
  const ContactOptions &contact = f.contact, &usual = standard.contact;
  TomlSection section("[contact]");
  section.add_text("formulation", formulation_name(contact));
  const bool has_forces = !is_rigid(contact.law) && contact.law != LawKind::sap;
  if (has_forces) {
    section.add_text("elasticity", name_of(contact.elasticity));
    section.add_text("dissipation", name_of(contact.dissipation));
  }
  section.add_unless("stiction_tolerance", contact.v_s, usual.v_s);
  section.add_unless("sigma", contact.sigma, usual.sigma);
  section.add_unless("beta", contact.beta, usual.beta);
  section.add_unless("stiffness_step", f.stiffness_step, standard.stiffness_step);
  Formulation same_law;
  same_law.contact = contact;
  section.add_unless("tolerance", tolerance_of(f), tolerance_of(same_law));
  section.add_unless("absolute_tolerance", f.dual.absolute_tolerance, standard.dual.absolute_tolerance);
  section.add_unless("max_iterations", max_iterations_of(f), max_iterations_of(same_law));
  section.add_unless("facets", f.dual.pyramid.facets, standard.dual.pyramid.facets);
  if (f.dual.minimum_norm) section.add("minimum_norm", "true");
  if (f.dual.pyramid.is_inscribed) section.add("inscribed", "true");
  section.add_unless("penetration_recovery", contact.rigid.penetration_recovery,
                     usual.rigid.penetration_recovery);
  section.add_unless("fastest_recovery", contact.rigid.fastest_recovery, usual.rigid.fastest_recovery);
  section.add_unless("restitution_speed", contact.rigid.restitution_speed, usual.rigid.restitution_speed);
  section.add_unless("normal_compliance", contact.rigid.normal_compliance, usual.rigid.normal_compliance);
  section.add_unless("tangential_compliance", contact.rigid.tangential_compliance,
                     usual.rigid.tangential_compliance);
  section.add_unless("impedance", contact.rigid.impedance, usual.rigid.impedance);
  return section.text();
}

void add_signal(const Signal& signal, TomlSection* section) {
  if (signal.kind == Signal::Kind::constant) section->add("value", signal.value);
  if (signal.kind == Signal::Kind::table) {
    std::string rows = "[";
    for (std::size_t i = 0; i < signal.times.size(); ++i)
      rows += format("{}[{}, {}]", i > 0 ? ", " : "", toml_number(signal.times[i]),
                     toml_number(signal.values[i]));
    section->add("table", rows + "]");
    if (signal.holds) section->add("hold", "true");
  }
  if (signal.kind == Signal::Kind::sine) {
    const Sine& s = signal.sine;
    section->add("sine", format("{{ amplitude = {}, period = {}, phase = {}, offset = {}, half = {} }}",
                                toml_number(s.amplitude), toml_number(s.period), toml_number(s.phase),
                                toml_number(s.offset), s.half));
  }
  if (std::isfinite(signal.begin)) section->add("from", signal.begin);
  if (std::isfinite(signal.end)) section->add("until", signal.end);
}

std::string inputs_text(const Scene& scene) {
  std::string text;
  for (const ControlInput& control : scene.schedule.controls) {
    TomlSection section("[[setpoint]]");
    const std::string& name = scene.model.elements.actuators[std::size_t(control.actuator)].name;
    STICTION_USER_CHECK(!name.empty(), "actuator {} has a set-point and no name", control.actuator);
    section.add_text("actuator", name);
    add_signal(control.signal, &section);
    text += section.text();
  }
  for (const WrenchInput& wrench : scene.schedule.wrenches) {
    TomlSection section("[[disturbance]]");
    section.add_text("body", scene.model.forest.bodies[std::size_t(wrench.body)].name);
    section.add("point", toml_list(wrench.p_B));
    section.add("force", toml_list(Vec3(wrench.wrench.tail<3>())));
    section.add("moment", toml_list(Vec3(wrench.wrench.head<3>())));
    add_signal(wrench.factor, &section);
    text += section.text();
  }
  return text;
}

std::string pairs_text(const Scene& scene) {
  std::string text;
  for (const ScenePair& pair : scene.pairs) {
    TomlSection section("[[pair]]");
    section.add("shapes", format("[{}, {}]", toml_text(pair.shape1), toml_text(pair.shape2)));
    if (pair.friction) section.add("friction", *pair.friction);
    if (pair.stiffness) section.add("stiffness", *pair.stiffness);
    text += section.text();
  }
  return text;
}

std::string start_text(const Scene& scene) {
  TomlSection start("[start]");
  if (!scene.keyframe.empty()) start.add_text("keyframe", scene.keyframe);
  std::string text = start.text();
  const auto add = [&](const char* header, const std::vector<JointValues>& list) {
    TomlSection section(header);
    for (const JointValues& given : list)
      section.add(toml_text(given.joint), toml_list(given.values.data(), given.values.size()));
    text += section.text();
  };
  add("[start.positions]", scene.positions);
  add("[start.velocities]", scene.velocities);
  return text;
}

std::string record_text(const Scene& scene) {
  TomlSection section("[record]");
  std::string names;
  for (const int i : scene.recorded_sensors)
    names += (names.empty() ? "" : ", ") + toml_text(scene.model.elements.sensors[std::size_t(i)].name);
  if (!names.empty()) section.add("sensors", "[" + names + "]");
  if (scene.record_every != 1) section.add("every", scene.record_every);
  return section.text();
}

}  // namespace

std::string write_scene(const Scene& scene, const std::string& model_file) {
  const bool as_objects = model_file.empty();
  std::string text = "name = " + toml_text(scene.model.name) + "\n";
  text += simulation_text(scene, as_objects) + contact_text(scene.options.formulation);
  if (as_objects) {
    text += objects_text(scene.model);
  } else {
    TomlSection section("[[model]]");
    section.add_text("file", model_file);
    text += section.text();
  }
  text += pairs_text(scene) + inputs_text(scene) + start_text(scene) + record_text(scene);
  if (as_objects)
    STICTION_USER_CHECK(model_to_json(parse_scene(text).model) == model_to_json(scene.model),
                        "model '{}' is not made of objects alone", scene.model.name);
  return text;
}

std::filesystem::path save_scene_file(const Scene& scene, const std::filesystem::path& file) {
  std::filesystem::path model_file;
  std::string text;
  try {
    text = write_scene(scene, "");
  } catch (const UserError&) {
    model_file = file.parent_path() / (file.stem().string() + ".model.json");
    text = write_scene(scene, model_file.filename().string());
    save_model_json(scene.model, model_file);
  }
  write_file_bytes(file, text);
  return model_file;
}

}  // namespace stiction
