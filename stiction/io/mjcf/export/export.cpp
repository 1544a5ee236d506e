#include "stiction/io/mjcf/export/export.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/mjcf/export/parts.h"

namespace stiction {
namespace {

void write_options(const Model& model, MjcfNode* option) {
  const SimulationOptions usual, &options = model.elements.options;
  option->set("gravity", model.forest.gravity);
  option->set_unless("timestep", options.timestep, usual.timestep);
  option->set_unless("integrator", options.integrator, usual.integrator);
  option->set_unless("cone", options.cone, usual.cone);
  option->set_unless("solver", options.solver, usual.solver);
  option->set_unless("iterations", options.iterations, usual.iterations);
  option->set_unless("tolerance", options.tolerance, usual.tolerance);
  option->set_unless("impratio", options.impratio, usual.impratio);
  option->set_unless("density", options.density, usual.density);
  option->set_unless("viscosity", options.viscosity, usual.viscosity);
  option->set_unless("wind", options.wind, usual.wind);
  option->set_unless("magnetic", options.magnetic, usual.magnetic);
  const std::vector<double> groups(options.disabled_actuator_groups.begin(),
                                   options.disabled_actuator_groups.end());
  if (!groups.empty()) option->set("actuatorgroupdisable", std::span<const double>(groups));
  if (options.disabled.empty() && options.enabled.empty()) return;
  MjcfNode& flag = option->add("flag");
  for (const std::string& name : options.disabled) flag.set(name.c_str(), "disable");
  for (const std::string& name : options.enabled) flag.set(name.c_str(), "enable");
}

std::string written(MjcfExport* out) {
  const Model& model = out->model;
  MjcfNode root{"mujoco", {}, {}};
  root.set("model", model.name);
  root.add("compiler")
      .set("angle", "radian")
      .set("autolimits", false)
      .set("inertiafromgeom", false)
      .set("balanceinertia", false);
  write_options(model, &root.add("option"));
  const auto has_pid = [](const Actuator& actuator) { return actuator.pid.is_used; };
  const std::vector<Actuator>& actuators = model.elements.actuators;
  if (std::any_of(actuators.begin(), actuators.end(), has_pid))
    root.add("extension").add("plugin").set("plugin", "mujoco.pid");

  // In the order of the file; joints that are coupled add to the equalities while bodies are written.
  MjcfNode& asset = root.add("asset");
  MjcfNode& worldbody = root.add("worldbody");
  MjcfNode& contact = root.add("contact");
  MjcfNode& tendon = root.add("tendon");
  MjcfNode& equality = root.add("equality");
  MjcfNode& actuator = root.add("actuator");
  MjcfNode& sensor = root.add("sensor");
  MjcfNode& custom = root.add("custom");
  MjcfNode& keyframe = root.add("keyframe");
  write_assets(out, &asset);
  write_bodies(out, &worldbody, &asset, &equality);
  write_contact(out, &contact);
  write_tendons(out, &tendon);
  write_equalities(out, &equality);
  write_actuators(out, &actuator);
  write_sensors(out, &sensor);
  write_custom(out, &custom);
  write_keyframes(out, &keyframe);
  root.children.remove_if([](const MjcfNode& section) {
    return section.children.empty() && section.attributes.empty() && section.tag != "worldbody";
  });
  return to_text(root);
}

}  // namespace

std::string write_mjcf(const Model& model, MjcfExportReport* report) {
  MjcfExport out(model, report);
  return written(&out);
}

void save_mjcf(const Model& model, const std::filesystem::path& file, const MjcfExportOptions& options,
               MjcfExportReport* report) {
  MjcfExport out(model, report);
  if (options.mesh_files) out.mesh_folder = file.stem().string() + "_meshes";
  write_file_bytes(file, written(&out));
  if (out.mesh_files.empty()) return;
  const std::filesystem::path folder = file.parent_path() / out.mesh_folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  STICTION_USER_CHECK(!error, "cannot make the folder '{}': {}", folder.string(), error.message());
  for (const auto& mesh : out.mesh_files) write_file_bytes(folder / mesh.first, mesh.second);
}

}  // namespace stiction
