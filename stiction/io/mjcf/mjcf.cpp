#include "stiction/io/mjcf/mjcf.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/expand.h"
#include "stiction/io/mjcf/pressure_text.h"
#include "stiction/io/mjcf/reference.h"
#include "stiction/io/mjcf/sections.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction {
namespace {

using Joints = std::unordered_map<std::string, Joint*>;

Joints joints_by_name(MjcfScene* scene) {
  Joints joints;
  for (MjcfBody& body : scene->bodies)
    for (Joint& joint : body.body.joints) joints[joint.name] = &joint;
  return joints;
}

// Rotors behind hinges and slides turn gear times as fast.
void add_rotors(MjcfScene* scene) {
  const Joints joints = joints_by_name(scene);
  for (const Actuator& actuator : scene->elements.actuators) {
    if (actuator.transmission != TransmissionKind::joint) continue;
    Joint& joint = *joints.at(actuator.target);
    if (joint.type != JointType::revolute && joint.type != JointType::prismatic) continue;
    const double gear2 = actuator.gear[0] * actuator.gear[0];
    joint.armature[0] += gear2 * actuator.armature;
    joint.damping[0] += gear2 * actuator.damping;
  }
}

void scale_total_mass(double wanted, MjcfScene* scene) {
  if (wanted <= 0.0) return;
  double total = 0.0;
  for (const MjcfBody& body : scene->bodies) total += body.body.inertia.mass;
  for (MjcfBody& body : scene->bodies) {
    body.body.inertia.mass *= wanted / total;
    body.body.inertia.I_com *= wanted / total;
  }
}

void apply_flags(const SimulationOptions& options, MjcfScene* scene, Vec3* gravity) {
  const auto is_off = [&](const char* flag) {
    return std::find(options.disabled.begin(), options.disabled.end(), flag) != options.disabled.end();
  };
  if (is_off("gravity")) *gravity = Vec3::Zero();
  for (MjcfBody& body : scene->bodies) {
    for (Joint& joint : body.body.joints) {
      if (is_off("spring")) joint.stiffness = per_dof(0.0);
      if (is_off("damper")) joint.damping = per_dof(0.0);
    }
  }
}

Model build(const std::string& name, const MjcfScene& scene, const Vec3& gravity) {
  ModelBuilder builder(name);
  builder.set_gravity(gravity);
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i].body;
    if (scene.bodies[i].is_mocap)
      builder.add_kinematic_body(body.name, body.X_PB, body.inertia);
    else
      builder.add_body(body.name, scene.bodies[std::size_t(body.parent)].body.name, body.X_PB, body.inertia);
    for (const Joint& joint : body.joints) builder.add_joint(body.name, joint);
  }
  const auto body_name = [&](int body) { return scene.bodies[std::size_t(body)].body.name; };
  for (const Frame& frame : scene.frames) builder.add_frame(frame.name, body_name(frame.body), frame.X_BF);
  for (const PlacedShape& shape : scene.shapes)
    builder.add_shape(shape.name, body_name(shape.body), shape.X_BS, shape.shape);
  Model model = builder.build();
  model.elements = scene.elements;
  return model;
}

MjcfReferences references_of(const MjcfScene& scene) {
  MjcfReferences references;
  for (const MjcfBody& body : scene.bodies) {
    references.add("body", body.body.name);
    for (const Joint& joint : body.body.joints) references.add("joint", joint.name);
  }
  for (const std::string& geom : scene.geom_names) references.add("geom", geom);
  for (const Frame& frame : scene.frames) references.add("site", frame.name);
  return references;
}

// Whether an element refers to one of the bodies that a flexcomp stands for, called NAME_0, NAME_0_1, ...
bool is_about_deformable(const MjcfElement& element, const MjcfScene& scene) {
  if (scene.deformables.empty()) return false;
  bool found = false;
  MjcfElement copy = element;
  for_each_reference(&copy, [&](const std::string&, MjcfAttribute* attribute) {
    for (const std::string& name : scene.deformables)
      found = found || attribute->value().rfind(name + "_", 0) == 0;
  });
  if (found) element.source.ignore_all("refers to a deformable body, and these are not simulated");
  return found;
}

// Calls `read` for the elements in all sections with this tag.
template <class Read>
void for_each(const MjcfElement& root, const char* tag, const Read& read) {
  for (const MjcfElement& section : root.children) {
    if (section.tag != tag) continue;
    section.source.honour();
    for (const MjcfElement& element : section.children) read(element);
  }
}

// Materials name textures, and cameras and lights bodies, that are there.
void check_display(const MjcfElement& element, const MjcfReferences& references, const MjcfScene& scene) {
  const std::vector<Texture>& textures = scene.elements.textures;
  for (const MjcfElement& child : element.children) {
    const bool has_texture = child.tag == "material" || child.tag == "layer";
    if (has_texture && child.find("texture") != nullptr) {
      const std::string name = child.context->prefix + child.value("texture");
      if (std::none_of(textures.begin(), textures.end(), [&](const Texture& t) { return t.name == name; }))
        child.source.fail("texture", format("there is no texture '{}'", child.value("texture")));
    }
    if ((child.tag == "camera" || child.tag == "light") && !is_about_deformable(child, scene)) {
      const MjcfValues values(child);
      references.find(values, "target", "body");
      child.source.ignore_all(kForDisplayOnly);
    }
    check_display(child, references, scene);
  }
}

// Bodies and what is attached to them are checked where they are read.
void refuse_repeated_names(const MjcfElement& root) {
  MjcfNames names;
  for (const MjcfElement& section : root.children) {
    const std::string& tag = section.tag;
    if (tag == "worldbody" || tag == "asset" || tag == "default" || tag == "extension") continue;
    for (const MjcfElement& element : section.children) {
      if (element.find("name") == nullptr) continue;
      const std::string kind = tag == "custom" ? element.tag : kind_of(element, tag);
      const std::string name = element.value("name");
      if (!name.empty() && !names.insert({kind, name}).second)
        element.source.fail("name", format("the name '{}' of another {} is given again", name, kind));
    }
  }
}

// The message of an error that arises when the whole model is put together, with the line of the body that it
// names.
std::string with_place(const std::string& message, const std::filesystem::path& file,
                       const MjcfScene& scene) {
  // Errors with a place begin with the name of a file already.
  if (message.find(": element <") != std::string::npos) return message;
  for (const MjcfBody& body : scene.bodies)
    if (body.source && message.find(format("body '{}'", body.body.name)) != std::string::npos)
      return format("{}:{}: {}", body.source->file(), body.source->place().line, message);
  return format("{}:1: {}", file.string(), message);
}

// The fluid acts on the box with the body's inertia, whose axes are those that the file gives.
void keep_inertial_axes(const MjcfScene& scene, Elements* elements) {
  for (const MjcfBody& body : scene.bodies) {
    const auto is_kept = [&](const InertialAxes& axes) { return axes.body == body.body.name; };
    const std::vector<InertialAxes>& kept = elements->inertial_axes;
    if (body.body.inertia.mass > 0.0 && std::none_of(kept.begin(), kept.end(), is_kept))
      elements->inertial_axes.push_back({body.body.name, body.R_BI});
  }
}

void read_tree(const MjcfElement& root, const MjcfOptions& options, MjcfScene* scene, Vec3* gravity) {
  Elements* elements = &scene->elements;
  elements->mujoco_contact = true;
  MjcfAssets assets;
  for_each(root, "asset", [&](const MjcfElement& e) { assets.add(e, options, elements); });
  std::vector<const MjcfElement*> worlds;
  for (const MjcfElement& section : root.children)
    if (section.tag == "worldbody") worlds.push_back(&section);
  assets.read_ahead(worlds);
  MjcfBodyReader(&assets, options, scene).read(worlds);
  assets.make_hulls();
  assets.report_unused();

  refuse_repeated_names(root);
  MjcfReferences references = references_of(*scene);
  for (const MjcfElement& section : root.children)
    if (section.tag == "worldbody" || section.tag == "asset") check_display(section, references, *scene);
  for (const MjcfElement& section : root.children)
    if (section.tag == "option") read_option(section, &elements->options, gravity);
  for_each(root, "contact", [&](const MjcfElement& e) {
    if (!is_about_deformable(e, *scene)) read_contact(e, references, elements);
  });
  for_each(root, "tendon", [&](const MjcfElement& e) { read_tendon(e, &references, elements); });
  for_each(root, "equality", [&](const MjcfElement& e) {
    if (!is_about_deformable(e, *scene)) read_equality(e, references, *scene, elements);
  });
  std::vector<const MjcfElement*> extensions;
  for (const MjcfElement& section : root.children)
    if (section.tag == "extension") extensions.push_back(&section);
  for_each(root, "actuator", [&](const MjcfElement& e) {
    if (is_about_deformable(e, *scene)) {
      scene->leaves_out_actuators = true;
      return;
    }
    if (e.attachment >= 0) scene->attached_actuators.insert({e.attachment, elements->actuators.size()});
    read_actuator(e, &references, *scene, extensions, elements);
  });
  for_each(root, "sensor", [&](const MjcfElement& e) {
    if (!is_about_deformable(e, *scene)) read_sensor(e, references, *scene, elements);
  });
  for_each(root, "custom", [&](const MjcfElement& e) {
    if (!is_about_deformable(e, *scene)) read_custom(e, references, elements);
  });
  if (elements->options.density > 0.0) keep_inertial_axes(*scene, elements);

  struct Unused {
    const char* tag;
    const char* why;
  };
  for (const Unused& unused :
       {Unused{"size", "about MuJoCo's memory"}, Unused{"statistic", "about MuJoCo's display; not kept"},
        Unused{"visual", "about MuJoCo's display; not kept"},
        Unused{"extension", "no other plugin than mujoco.pid is simulated"},
        Unused{"deformable", "deformable bodies are not simulated"}})
    for (const MjcfElement& section : root.children)
      if (section.tag == unused.tag) section.source.ignore_all(unused.why);
}

Model load(const MjcfModel& tree, const std::filesystem::path& file, const MjcfFiles& files,
           CompatibilityReport* report) {
  const MjcfElement& root = tree.root;
  root.source.honour();
  MjcfScene scene;
  Vec3 gravity(0.0, 0.0, -9.81);
  read_tree(root, files.options(), &scene, &gravity);
  add_rotors(&scene);
  scale_total_mass(root.context->compiler.total_mass, &scene);
  apply_flags(scene.elements.options, &scene, &gravity);

  const std::string name = root.find("model") != nullptr ? root.value("model") : file.stem().string();
  try {
    Model model = build(name, scene, gravity);
    if (!scene.spring_dampers.empty()) {
      set_spring_dampers(model, &scene);
      model = build(name, scene, gravity);
    }
    set_damping_ratios(&model);
    set_spring_lengths(&model);
    for_each(root, "custom", [&](const MjcfElement& e) {
      if (is_pressure_text(e)) read_pressure_text(e, &model);
    });
    for_each(root, "keyframe", [&](const MjcfElement& e) { read_key(e, scene, model, &model.elements); });
    for (std::size_t i = 0; i < tree.attachments.size(); ++i)
      read_attached_keys(tree.attachments[i], int(i), scene, model, &model.elements);
    // Muscles are scaled by the inertia that they move, which must be there.
    const std::vector<Actuator>& actuators = model.elements.actuators;
    if (std::any_of(actuators.begin(), actuators.end(), [](const Actuator& a) { return a.gain == "muscle"; }))
      const ActuationModel actuation(model);
    if (report != nullptr) files.report(report);
    return model;
  } catch (const UserError& error) {
    throw_user_error(with_place(error.what(), file, scene));
  }
}

}  // namespace

Model load_mjcf(const std::filesystem::path& file, const MjcfOptions& options, CompatibilityReport* report) {
  MjcfFiles files(options);
  return load(read_mjcf_model(file, &files), file, files, report);
}

Model parse_mjcf(std::string_view text, const std::filesystem::path& file, const MjcfOptions& options,
                 CompatibilityReport* report) {
  MjcfFiles files(options);
  return load(parse_mjcf_model(text, file, &files), file, files, report);
}

}  // namespace stiction
