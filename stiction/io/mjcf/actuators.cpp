// Actuators in MJCF's general form. Shortcuts (motor, position, ...) are written as
//
//   force = gain u + bias,   u: control, or the activation that the dynamics make of it
//
//   motor        gain 1                       intvelocity  as position, u integrates the control
//   position     gain kp, bias -kp l - kv v   damper       gain -kv v
//   velocity     gain kv, bias -kv v          cylinder     gain area, bias(3), u filtered
//   adhesion     gain                         muscle, pid, orientation, dcmotor: kinds of their own
//
// A damping ratio r is kept as it is; kv = 2 r sqrt(kp m) is worked out once the inertia m is known.
//
// A class has one actuator default, set by a chain of elements from the outermost class inward. What all
// actuators have (ranges, gear, ...) is inherited from any of them; the parameters of a shortcut only from
// the same shortcut or from `general`, whose numbers are read as the shortcut's.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/bodies.h"
#include "stiction/io/mjcf/context.h"
#include "stiction/io/mjcf/sections.h"
#include "stiction/simulation/actuation/actuation.h"

namespace stiction {
namespace {

using Attributes = std::vector<MjcfAttribute>;

bool is_common(const std::string& name) {
  static const std::vector<std::string> names = {
      "ctrllimited", "forcelimited", "actlimited", "ctrlrange", "forcerange",  "actrange", "lengthrange",
      "gear",        "cranklength",  "group",      "user",      "damping",     "armature", "delay",
      "nsample",     "interp",       "actdim",     "actearly",  "inheritrange"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

void set(const MjcfAttribute& attribute, Attributes* attributes) {
  for (MjcfAttribute& other : *attributes) {
    if (other.name != attribute.name) continue;
    other = attribute;
    return;
  }
  attributes->push_back(attribute);
}

void erase(const std::string& name, Attributes* attributes) {
  attributes->erase(std::remove_if(attributes->begin(), attributes->end(),
                                   [&](const MjcfAttribute& a) { return a.name == name; }),
                    attributes->end());
}

// What a `general` default says, as attributes of a shortcut.
void translate(const MjcfElement& general, const std::string& shortcut, Attributes* attributes) {
  const auto put = [&](const char* name, const MjcfAttribute& from, const std::string& text) {
    set({name, from.source, text}, attributes);
  };
  const std::string gain = general.value("gaintype");
  if (!gain.empty() && gain != "fixed") return;
  if (const MjcfAttribute* prm = general.find("gainprm")) {
    const std::vector<std::string> words = words_of(prm->value());
    const char* name = shortcut == "position" || shortcut == "intvelocity" ? "kp"
                       : shortcut == "velocity"                            ? "kv"
                       : shortcut == "cylinder"                            ? "area"
                       : shortcut == "adhesion"                            ? "gain"
                                                                           : nullptr;
    if (name != nullptr && !words.empty()) put(name, *prm, words[0]);
  }
  if (const MjcfAttribute* prm = general.find("biasprm")) {
    const std::vector<std::string> words = words_of(prm->value());
    const std::optional<double> minus_kv = words.size() > 2 ? parse_number(words[2]) : std::nullopt;
    if (shortcut == "cylinder") put("bias", *prm, prm->value());
    if ((shortcut == "position" || shortcut == "intvelocity") && minus_kv)
      put("kv", *prm, format("{}", -*minus_kv));
  }
}

void set_general(const MjcfValues& values, Actuator* out) {
  out->gain =
      values.word("gaintype", out->gain, {"fixed", "affine", "muscle", "dcmotor", "pid", "so3", "user"});
  out->bias = values.word("biastype", out->bias, {"none", "affine", "muscle", "dcmotor", "so3", "user"});
  out->dynamics =
      values.word("dyntype", out->dynamics,
                  {"none", "integrator", "filter", "filterexact", "pid", "dcmotor", "muscle", "user"});
  values.fill("gainprm", &out->gain_parameters);
  values.fill("biasprm", &out->bias_parameters);
  values.fill("dynprm", &out->dynamics_parameters);
  out->early_activation = values.boolean("actearly", out->early_activation);
  // MuJoCo writes the damping ratio of a servo in the place of its damping, which is negative.
  const bool is_servo = out->gain == "fixed" && out->bias == "affine" && out->gain_parameters[0] > 0.0 &&
                        out->gain_parameters[0] == -out->bias_parameters[1];
  if (is_servo && out->bias_parameters[2] > 0.0) std::swap(out->damping_ratio, out->bias_parameters[2]);
}

void set_servo(const MjcfValues& values, Actuator* out) {
  const double kp = values.number("kp", 1.0), kv = values.number("kv", 0.0);
  if (kp < 0.0) values.fail("kp", "must not be negative");
  out->damping_ratio = values.number("dampratio", 0.0);
  out->bias = "affine";
  out->gain_parameters[0] = kp;
  out->bias_parameters[1] = -kp;
  out->bias_parameters[2] = -kv;
}

// Numbers of a motor with resistance R and constant K, or with a voltage V, the torque t it stalls at and the
// speed w it runs at without load: K = V/w, R = K V/t.
void set_dc_motor(const MjcfValues& values, Actuator* out) {
  out->gain = out->bias = out->dynamics = "dcmotor";
  out->early_activation = true;
  const auto numbers = [&](const char* attribute, auto list) {
    values.fill(attribute, &list);
    for (const double number : list)
      if (number < 0.0 && std::string(attribute) != "cogging" && std::string(attribute) != "thermal")
        values.fail(attribute, "must not be negative");
    return list;
  };
  const auto constants = numbers("motorconst", std::array<double, 2>{});
  const auto nominal = numbers("nominal", std::array<double, 3>{});
  const auto inductance = numbers("inductance", std::array<double, 2>{});
  const auto saturation = numbers("saturation", std::array<double, 3>{});
  const auto heat = numbers("thermal", std::array<double, 6>{});
  const auto cogging = numbers("cogging", std::array<double, 3>{});
  const auto lugre = numbers("lugre", std::array<double, 5>{});
  const auto controller = numbers("controller", std::array<double, 6>{});

  // Constants of torque and of voltage; one that is missing is that of the nominal values, or the other.
  const double of_nominal = nominal[2] > 0.0 ? nominal[0] / nominal[2] : 0.0;
  const double of_torque = constants[0] > 0.0 ? constants[0] : of_nominal;
  const double of_voltage = constants[1] > 0.0 ? constants[1] : of_nominal;
  const double K = of_torque > 0.0 && of_voltage > 0.0 ? std::sqrt(of_torque * of_voltage)
                                                       : std::max(of_torque, of_voltage);
  double R = values.number("resistance", 0.0);
  if (R == 0.0 && nominal[0] > 0.0 && nominal[1] > 0.0) R = K * nominal[0] / nominal[1];
  const bool is_passive = values.string("input") == "none";
  if (!(R > 0.0) || (!(K > 0.0) && !is_passive))
    values.fail("a motor needs 'resistance' and 'motorconst', or 'nominal'");

  const double time_constant = inductance[0] > 0.0 ? inductance[0] / R : inductance[1];
  double heat_resistance = heat[0], heat_capacity = heat[1];
  if (heat[2] > 0.0 && heat_resistance > 0.0)
    heat_capacity = heat[2] / heat_resistance;
  else if (heat[2] > 0.0 && heat_capacity > 0.0)
    heat_resistance = heat[2] / heat_capacity;
  out->gain_parameters = {R, K, heat[3], heat[4], controller[0], controller[1], controller[2], controller[5]};
  out->bias_parameters = {cogging[0], cogging[1], cogging[2], lugre[2], lugre[3], lugre[4]};
  out->dynamics_parameters = {time_constant, saturation[2], heat_resistance, heat_capacity, heat[5],
                              lugre[0],      lugre[1],      controller[3],   controller[4]};
  const double torque = saturation[0] > 0.0 ? saturation[0] : K * saturation[1];
  if (torque > 0.0) out->force = {true, -torque, torque};
}

void set_muscle(const MjcfValues& values, Actuator* out) {
  out->gain = out->bias = out->dynamics = "muscle";
  std::array<double, 2> timeconst = {0.01, 0.04}, range = {0.75, 1.05};
  values.fill("timeconst", &timeconst);
  values.fill("range", &range);
  out->dynamics_parameters = {timeconst[0], timeconst[1], values.number("tausmooth", 0.0)};
  out->gain_parameters = {range[0],
                          range[1],
                          values.number("force", -1.0),
                          values.number("scale", 200.0),
                          values.number("lmin", 0.5),
                          values.number("lmax", 1.6),
                          values.number("vmax", 1.5),
                          values.number("fpmax", 1.3),
                          values.number("fvmax", 1.2)};
  out->bias_parameters = out->gain_parameters;
}

// A shortcut starts from scratch; `general` goes on from what is there.
void set_law(const std::string& kind, const MjcfValues& values, Actuator* out) {
  if (kind == "general") return set_general(values, out);
  // Its force is the plugin's (set_plugin).
  if (kind == "plugin") {
    out->dynamics = values.word("dyntype", out->dynamics,
                                {"none", "integrator", "filter", "filterexact", "muscle", "user"});
    values.fill("dynprm", &out->dynamics_parameters);
    return;
  }
  out->gain = "fixed";
  out->bias = out->dynamics = "none";
  out->gain_parameters = out->dynamics_parameters = {1};
  out->bias_parameters = {};
  out->damping_ratio = 0.0;
  out->early_activation = false;
  if (kind == "position" || kind == "intvelocity") {
    set_servo(values, out);
    const double timeconst = values.number("timeconst", 0.0);
    if (kind == "intvelocity") out->dynamics = "integrator";
    if (timeconst > 0.0) {
      out->dynamics = "filterexact";
      out->dynamics_parameters[0] = timeconst;
    }
  } else if (kind == "velocity") {
    const double kv = values.number("kv", 1.0);
    out->bias = "affine";
    out->gain_parameters[0] = kv;
    out->bias_parameters[2] = -kv;
  } else if (kind == "damper") {
    out->gain = "affine";
    out->gain_parameters = {0, 0, -values.number("kv", 1.0)};
  } else if (kind == "cylinder") {
    const double diameter = values.number("diameter", 0.0);
    const double area = values.number("area", 1.0);
    out->bias = "affine";
    out->dynamics = "filter";
    out->gain_parameters[0] = diameter > 0.0 ? std::numbers::pi * diameter * diameter / 4.0 : area;
    out->dynamics_parameters[0] = values.number("timeconst", 1.0);
    std::array<double, 3> bias = {0, 0, 0};
    values.fill("bias", &bias);
    std::copy(bias.begin(), bias.end(), out->bias_parameters.begin());
  } else if (kind == "adhesion") {
    out->gain_parameters[0] = values.number("gain", 1.0);
  } else if (kind == "muscle") {
    set_muscle(values, out);
  } else if (kind == "pid") {
    set_servo(values, out);
    out->gain = "pid";
    out->gain_parameters[0] = values.number("ki", 0.0);
    out->dynamics = values.number("ki", 0.0) != 0.0 || values.number("slewmax", 0.0) > 0.0 ? "pid" : "none";
    out->dynamics_parameters = {values.number("imax", 0.0), values.number("slewmax", 0.0)};
  } else if (kind == "orientation") {
    set_servo(values, out);
    out->gain = out->bias = "so3";
  } else if (kind == "dcmotor") {
    set_dc_motor(values, out);
  }
}

using Extensions = std::vector<const MjcfElement*>;

// What the configuration of a plugin says: that of the element, or of the instance that it names.
void read_config(const MjcfElement& element, std::map<std::string, const MjcfElement*>* config) {
  for (const MjcfElement& child : element.children) {
    if (child.tag != "config") continue;
    child.source.honour();
    (*config)[child.value("key")] = &child;
  }
}

// The plugin that has an instance.
std::string plugin_of_instance(const Extensions& extensions, const std::string& instance,
                               const MjcfValues& values) {
  for (const MjcfElement* section : extensions)
    for (const MjcfElement& plugin : section->children)
      for (const MjcfElement& candidate : plugin.children)
        if (candidate.value("name") == instance) return plugin.value("plugin");
  values.fail("instance", format("no plugin has an instance '{}'", instance));
}

void find_instance(const Extensions& extensions, const std::string& plugin, const std::string& name,
                   const MjcfValues& values, std::map<std::string, const MjcfElement*>* config) {
  for (const MjcfElement* section : extensions) {
    for (const MjcfElement& of_plugin : section->children) {
      if (of_plugin.value("plugin") != plugin) continue;
      for (const MjcfElement& instance : of_plugin.children) {
        if (instance.value("name") != name) continue;
        for (const MjcfElement* used : {section, &of_plugin, &instance}) used->source.honour();
        return read_config(instance, config);
      }
    }
  }
  values.fail("instance", format("there is no instance '{}' of the plugin '{}'", name, plugin));
}

// Of mujoco.pid.
bool has_key(std::string_view key) {
  for (const char* known : {"kp", "ki", "kd", "imax", "slewmax"})
    if (key == known) return true;
  return false;
}

// The controller of MuJoCo's plugin mujoco.pid; other plugins have no force here.
void set_plugin(const MjcfElement& element, const MjcfValues& values, const Extensions& extensions,
                Actuator* out) {
  std::string plugin = values.string("plugin");
  if (plugin.empty()) plugin = plugin_of_instance(extensions, values.string("instance"), values);
  bool is_declared = false;
  for (const MjcfElement* section : extensions)
    for (const MjcfElement& of_plugin : section->children)
      is_declared = is_declared || of_plugin.value("plugin") == plugin;
  if (!is_declared) values.fail("plugin", format("no <extension> has the plugin '{}'", plugin));
  if (plugin != "mujoco.pid") {
    out->plugin = plugin;
    values.string("instance");
    return;
  }
  std::map<std::string, const MjcfElement*> config;
  read_config(element, &config);
  const std::string instance = values.string("instance");
  if (!instance.empty()) find_instance(extensions, plugin, instance, values, &config);
  const auto number = [&](const char* key, double fallback) {
    const auto found = config.find(key);
    if (found == config.end()) return fallback;
    const std::string text = found->second->value("value");
    if (text.empty()) return fallback;
    const std::optional<double> value = parse_number(text);
    if (!value) found->second->source.fail("value", format("'{}' is not a number", text));
    return *value;
  };
  for (const auto& [key, source] : config)
    if (!has_key(key)) source->source.fail("key", format("the plugin '{}' has no '{}'", plugin, key));
  PidController& pid = out->pid;
  pid.is_used = true;
  pid.proportional = number("kp", 0.0);
  pid.integral = number("ki", 0.0);
  pid.derivative = number("kd", 0.0);
  pid.largest_integral = number("imax", -1.0);
  pid.fastest = number("slewmax", -1.0);
  for (const char* key : {"imax", "slewmax"})
    if (number(key, 0.0) < 0.0) values.fail(format("'{}' of the plugin must not be negative", key));
}

void read_transmission(const MjcfValues& values, const MjcfReferences& references, Actuator* out) {
  struct Choice {
    const char* attribute;
    const char* kind;
    TransmissionKind transmission;
  };
  constexpr Choice kChoices[] = {{"joint", "joint", TransmissionKind::joint},
                                 {"jointinparent", "joint", TransmissionKind::joint_in_parent},
                                 {"tendon", "tendon", TransmissionKind::tendon},
                                 {"cranksite", "site", TransmissionKind::slider_crank},
                                 {"site", "site", TransmissionKind::site},
                                 {"body", "body", TransmissionKind::body}};
  // Of several the last one counts, as in MuJoCo.
  const char* before = nullptr;
  for (const Choice& choice : kChoices) {
    if (!values.has(choice.attribute)) continue;
    if (out->transmission == TransmissionKind::slider_crank && before != nullptr)
      values.fail(choice.attribute, "an actuator acts on one thing only");
    if (before != nullptr)
      values.ignore(before,
                    format("an actuator acts on one thing only, here on what '{}' names", choice.attribute));
    before = choice.attribute;
    out->transmission = choice.transmission;
    out->target = references.require(values, choice.attribute, choice.kind);
  }
  if (out->target.empty())
    values.fail("the actuator acts on nothing: it needs a joint, tendon, site or body");
  out->reference_site = references.find(values, "refsite", "site");
  out->slider_site = references.find(values, "slidersite", "site");
  if (out->transmission == TransmissionKind::slider_crank && out->slider_site.empty())
    values.fail("attribute 'slidersite' is required with 'cranksite'");
  values.fill("gear", &out->gear);
  out->crank_length = values.number("cranklength", 0.0);
}

// The range of the joint or tendon that an actuator acts on.
Range target_range(const Actuator& actuator, const MjcfScene& scene, const Elements& elements) {
  for (const MjcfBody& body : scene.bodies)
    for (const Joint& joint : body.body.joints)
      if (actuator.transmission == TransmissionKind::joint && joint.name == actuator.target)
        return {joint.limited, joint.lower[0], joint.upper[0]};
  for (const Tendon& tendon : elements.tendons)
    if (actuator.transmission == TransmissionKind::tendon && tendon.name == actuator.target)
      return tendon.range;
  return {};
}

void inherit_range(const MjcfValues& values, const MjcfScene& scene, const Elements& elements,
                   Actuator* out) {
  const double share = values.number("inheritrange", 0.0);
  if (share <= 0.0) return;
  Range* range = out->dynamics == "integrator" ? &out->activation : &out->control;
  if (range->lower != range->upper) values.fail("inheritrange", "the range is given already");
  const Range target = target_range(*out, scene, elements);
  if (!target.limited) values.fail("inheritrange", format("'{}' has no range", out->target));
  const double middle = (target.lower + target.upper) / 2.0, half = (target.upper - target.lower) / 2.0;
  *range = {true, middle - share * half, middle + share * half};
}

// A muscle without a range of lengths gets that of its joint or tendon. MuJoCo finds it by a simulation.
void set_muscle_range(const MjcfValues& values, const MjcfScene& scene, const Elements& elements,
                      Actuator* out) {
  if (out->length_range[0] < out->length_range[1]) return;
  const Range target = target_range(*out, scene, elements);
  if (!target.limited) return;
  const double one_end = out->gear[0] * target.lower, other_end = out->gear[0] * target.upper;
  out->length_range = {std::min(one_end, other_end), std::max(one_end, other_end)};
  values.element().source.approximate("the range of lengths is that of the joint or tendon");
}

// What an actuator of a kind must be like.
void check_kind(const MjcfValues& values, const Actuator& actuator, const MjcfScene& scene) {
  const std::string& kind = values.element().tag;
  if (kind == "damper" || kind == "adhesion") {
    if (!actuator.control.limited) values.fail("attribute 'ctrlrange' is required");
    if (actuator.control.lower < 0.0) values.fail("ctrlrange", "must not be negative");
  }
  if (actuator.transmission == TransmissionKind::slider_crank && !(actuator.crank_length > 0.0))
    values.fail("attribute 'cranklength' must be given and positive");
  if (kind != "plugin" && actuator.activation.limited && actuator.dynamics == "none")
    values.fail("actrange", "an actuator without dynamics has no activation");
  if (actuator.gain == "muscle") {
    const auto& p = actuator.gain_parameters;
    if (!(p[0] < p[1])) values.fail("a muscle needs range[0] < range[1]");
    if (!(p[4] < 1.0 && 1.0 < p[5])) values.fail("a muscle needs lmin < 1 < lmax");
  }
  if (actuator.delay > 0.0 && values.integer("nsample", 0) <= 0)
    values.fail("delay", "needs 'nsample', the controls that are remembered");
  if (actuator.gain != "so3") return;
  if (actuator.transmission == TransmissionKind::site && actuator.reference_site.empty())
    values.fail("attribute 'refsite' is required: the orientation is relative to it");
  for (const MjcfBody& body : scene.bodies)
    for (const Joint& joint : body.body.joints)
      if (actuator.transmission == TransmissionKind::joint && joint.name == actuator.target &&
          joint.type != JointType::ball)
        values.fail("joint", format("'{}' is no ball joint", joint.name));
}

void report_actuator(const MjcfValues& values, const Actuator& actuator) {
  const XmlElement& source = values.element().source;
  const std::string missing = missing_part(actuator);
  if (!missing.empty()) return source.ignore_all(format("has no force: {} is not simulated", missing));
  if (actuator.delay > 0.0)
    for (const char* name : {"delay", "nsample", "interp"}) values.ignore(name, "controls act at once");
  for (const char* name : {"nsample", "interp", "user"}) values.ignore(name, kNotUsed);
  // A PID controller has as many activations as its numbers ask for.
  if (actuator.pid.is_used) values.string("actdim");
  values.ignore("input", "says what the control means; not used");
  if (actuator.gain != "muscle") values.ignore("lengthrange", kNotUsed);
  const bool has_rotor = actuator.transmission == TransmissionKind::joint;
  if (!has_rotor) values.ignore("armature", "acts on hinges and slides only");
  if (!has_rotor && actuator.transmission != TransmissionKind::tendon)
    values.ignore("damping", "acts on hinges, slides and tendons only");
}

}  // namespace

void read_actuator(const MjcfElement& element, MjcfReferences* references, const MjcfScene& scene,
                   const std::vector<const MjcfElement*>& extensions, Elements* elements) {
  element.source.honour();
  const MjcfClass& in_class = element.context->find_class(element.value("class"), element);

  // What the class says: for all actuators, for this kind, and the law that a general one starts from.
  Actuator actuator;
  Attributes inherited;
  std::map<std::string, Attributes> by_kind;
  for (const MjcfElement& item : in_class.actuators) {
    Attributes& of_kind = by_kind[item.tag];
    for (const MjcfAttribute& attribute : item.attributes) {
      set(attribute, &of_kind);
      if (is_common(attribute.name) || item.tag == element.tag) set(attribute, &inherited);
    }
    if (item.tag == "general" && element.tag != "general") translate(item, element.tag, &inherited);
    MjcfElement complete = item;
    complete.attributes = item.tag == "general" ? item.attributes : of_kind;
    if (element.tag == "general") set_law(item.tag, MjcfValues(complete), &actuator);
  }
  // The damping is given in one of two ways.
  if (element.find("kv") != nullptr) erase("dampratio", &inherited);
  if (element.find("dampratio") != nullptr) erase("kv", &inherited);

  const MjcfValues values(element, inherited);
  actuator.name = values.string("name");
  set_law(element.tag, values, &actuator);
  if (element.tag == "plugin") set_plugin(element, values, extensions, &actuator);
  read_transmission(values, *references, &actuator);
  actuator.control = values.range(values.has("posrange") ? "posrange" : "ctrlrange", "ctrllimited");
  if (!actuator.force.limited) actuator.force = values.range("forcerange", "forcelimited");
  actuator.activation = values.range("actrange", "actlimited");
  inherit_range(values, scene, *elements, &actuator);
  values.fill("lengthrange", &actuator.length_range, 2);
  std::array<double, 3> damping = {0, 0, 0};
  values.fill("damping", &damping);
  actuator.damping = damping[0];
  if (damping[1] != 0.0 || damping[2] != 0.0)
    values.approximate("damping", "only the first, linear coefficient acts");
  actuator.armature = values.number("armature", 0.0);
  if (actuator.armature < 0.0) values.fail("armature", "must not be negative");
  actuator.delay = values.number("delay", 0.0);
  actuator.group = values.integer("group", 0);
  if (actuator.gain == "muscle") set_muscle_range(values, scene, *elements, &actuator);
  check_kind(values, actuator, scene);
  report_actuator(values, actuator);
  if (!actuator.name.empty()) references->add("actuator", actuator.name);
  elements->actuators.push_back(std::move(actuator));
}

}  // namespace stiction
