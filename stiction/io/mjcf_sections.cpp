#include "stiction/io/mjcf_sections.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/io/mjcf_context.h"
#include "stiction/simulation/name_lookup.h"

namespace stiction {
namespace {

constexpr const char* kKept = "does not act yet; kept in the model's elements";

void read_pair(const MjcfElement& element, const MjcfReferences& references, Elements* elements) {
  const MjcfValues values = with_class(element, "");
  ContactPair pair;
  pair.name = values.string("name");
  pair.shape1 = references.require(values, "geom1", "geom");
  pair.shape2 = references.require(values, "geom2", "geom");
  pair.condim = values.integer("condim", pair.condim);
  values.fill("friction", &pair.friction);
  values.fill("solref", &pair.solref);
  values.fill("solreffriction", &pair.solref_friction);
  values.fill("solimp", &pair.solimp);
  pair.margin = values.number("margin", 0.0);
  pair.gap = values.number("gap", 0.0);
  report_contact_numbers(values, pair.condim, pair.solref);
  if (pair.condim > 1 && pair.friction[1] != pair.friction[0])
    values.approximate("friction", "the first coefficient acts in both directions");
  values.ignore("solreffriction", "friction has no stiffness of its own");
  values.ignore("adhesion", "is not simulated");
  elements->pairs.push_back(std::move(pair));
}

TendonWrap read_wrap(const MjcfElement& element, bool is_spatial, const MjcfReferences& references) {
  const MjcfValues values(element);
  TendonWrap wrap;
  if (!is_spatial) {
    wrap.kind = WrapKind::joint;
    wrap.name = references.require(values, "joint", "joint");
    wrap.coefficient = values.numbers("coef", 1, 1)[0];
  } else if (element.tag == "site") {
    wrap.kind = WrapKind::site;
    wrap.name = references.require(values, "site", "site");
  } else if (element.tag == "geom") {
    wrap.kind = WrapKind::shape;
    wrap.name = references.require(values, "geom", "geom");
    wrap.side_site = references.find(values, "sidesite", "site");
  } else {
    wrap.kind = WrapKind::pulley;
    wrap.coefficient = values.numbers("divisor", 1, 1)[0];
  }
  return wrap;
}

}  // namespace

std::string MjcfReferences::find(const MjcfValues& values, std::string_view attribute,
                                 const std::string& kind) const {
  const std::string name = values.string(attribute);
  if (name.empty() || names_.count({kind, name}) > 0) return name;
  std::vector<std::string> known;
  for (const MjcfName& candidate : names_)
    if (candidate.first == kind) known.push_back(candidate.second);
  std::sort(known.begin(), known.end());
  values.fail(attribute, unknown_name_message(kind, name, known));
}

std::string MjcfReferences::require(const MjcfValues& values, std::string_view attribute,
                                    const std::string& kind) const {
  if (values.string(attribute).empty()) values.fail(format("attribute '{}' is required", attribute));
  return find(values, attribute, kind);
}

void read_option(const MjcfElement& element, SimulationOptions* options, Vec3* gravity) {
  const MjcfValues values(element);
  element.source.honour();
  *gravity = values.vec3("gravity", *gravity);
  options->timestep = values.number("timestep", options->timestep);
  if (!(options->timestep > 0.0)) values.fail("timestep", "must be positive");
  options->integrator = values.word("integrator", options->integrator,
                                    {"Euler", "RK4", "implicit", "implicitfast", "discrete"});
  options->cone = values.word("cone", options->cone, {"pyramidal", "elliptic"});
  options->solver = values.word("solver", options->solver, {"PGS", "CG", "Newton"});
  options->iterations = values.integer("iterations", options->iterations);
  options->tolerance = values.number("tolerance", options->tolerance);
  options->impratio = values.number("impratio", options->impratio);
  options->density = values.number("density", options->density);
  options->viscosity = values.number("viscosity", options->viscosity);
  options->wind = values.vec3("wind", options->wind);
  options->magnetic = values.vec3("magnetic", options->magnetic);

  values.ignore("timestep", "the step is chosen where the model is simulated; kept in the options");
  for (const char* name : {"density", "viscosity", "wind"})
    values.ignore(name, "the medium does not act yet; kept in the options");
  values.ignore("magnetic", "magnetometers do not act yet; kept in the options");
  for (const char* name : {"integrator", "cone", "solver", "iterations", "tolerance", "impratio"})
    values.ignore(name, "about MuJoCo's solver; kept in the options");
  for (const MjcfAttribute& attribute : element.attributes)
    if (attribute.name.find("iterations") != std::string::npos ||
        attribute.name.find("tolerance") != std::string::npos || attribute.name == "jacobian")
      values.ignore(attribute.name, "about MuJoCo's solver");

  for (const MjcfElement& child : element.children) {
    const MjcfValues flags(child);
    child.source.ignore_all("about MuJoCo's engine; kept in the options");
    for (const MjcfAttribute& attribute : child.attributes) {
      const bool on = flags.word(attribute.name, "enable", {"enable", "disable"}) == "enable";
      (on ? options->enabled : options->disabled).push_back(attribute.name);
      if (attribute.name == "gravity" || attribute.name == "spring" || attribute.name == "damper")
        child.source.honour(attribute.name);
    }
    child.source.honour();
  }
}

void read_contact(const MjcfElement& element, const MjcfReferences& references, Elements* elements) {
  element.source.honour();
  if (element.tag == "pair") return read_pair(element, references, elements);
  const MjcfValues values(element);
  elements->excludes.push_back({values.string("name"), references.require(values, "body1", "body"),
                                references.require(values, "body2", "body")});
}

void read_tendon(const MjcfElement& element, MjcfReferences* references, Elements* elements) {
  element.source.ignore_all(format("the tendon {}", kKept));
  const MjcfValues values = with_class(element, "", "tendon");
  Tendon tendon;
  tendon.name = values.string("name");
  tendon.is_spatial = element.tag == "spatial";
  tendon.range = values.range("range", "limited");
  tendon.force_range = values.range("actuatorfrcrange", "actuatorfrclimited");
  std::array<double, 3> stiffness = {0, 0, 0}, damping = {0, 0, 0};
  values.fill("stiffness", &stiffness);
  values.fill("damping", &damping);
  tendon.stiffness = stiffness[0];
  tendon.damping = damping[0];
  tendon.friction_loss = values.number("frictionloss", 0.0);
  tendon.armature = values.number("armature", 0.0);
  tendon.margin = values.number("margin", 0.0);
  if (values.has("springlength")) {
    const std::vector<double> lengths = values.numbers("springlength", 1, 2);
    tendon.spring_length = {lengths.front(), lengths.back()};
  }
  values.fill("solreflimit", &tendon.solref_limit);
  values.fill("solimplimit", &tendon.solimp_limit);
  values.fill("solreffriction", &tendon.solref_friction);
  values.fill("solimpfriction", &tendon.solimp_friction);
  tendon.width = values.number("width", tendon.width);
  values.fill("rgba", &tendon.rgba, 4);
  if (values.has("material")) tendon.material = values.context().prefix + values.string("material");
  tendon.group = values.integer("group", 0);
  for (const MjcfElement& child : element.children)
    tendon.wraps.push_back(read_wrap(child, tendon.is_spatial, *references));
  if (tendon.wraps.empty()) values.fail("a tendon needs a path");
  if (!tendon.name.empty()) references->add("tendon", tendon.name);
  elements->tendons.push_back(std::move(tendon));
}

void read_equality(const MjcfElement& element, const MjcfReferences& references, Elements* elements) {
  if (element.tag == "flex" || element.tag == "flexstrain")
    return element.source.ignore_all("deformable bodies are not simulated");
  element.source.ignore_all(format("the constraint {}", kKept));
  const MjcfValues values = with_class(element, "", "equality");
  Equality equality;
  equality.name = values.string("name");
  equality.active = values.boolean("active", true);
  values.fill("solref", &equality.solref);
  values.fill("solimp", &equality.solimp);
  const std::string kind = element.tag;
  if (kind == "joint" || kind == "tendon") {
    equality.kind = kind == "joint" ? EqualityKind::joint : EqualityKind::tendon;
    equality.object1 = references.require(values, kind + "1", kind);
    equality.object2 = references.find(values, kind + "2", kind);
    values.fill("polycoef", &equality.polynomial);
  } else {
    equality.kind = kind == "connect" ? EqualityKind::connect : EqualityKind::weld;
    equality.between_sites = values.has("site1");
    if (equality.between_sites) {
      equality.object1 = references.require(values, "site1", "site");
      equality.object2 = references.require(values, "site2", "site");
    } else {
      equality.object1 = references.require(values, "body1", "body");
      equality.object2 = references.find(values, "body2", "body");
      if (kind == "connect") values.numbers("anchor", 3, 3);  // required
    }
    equality.anchor = values.vec3("anchor", Vec3::Zero());
    if (values.has("relpose")) {
      const std::vector<double> p = values.numbers("relpose", 7, 7);
      equality.relative_position = Vec3(p[0], p[1], p[2]);
      equality.relative_quaternion = Vec4(p[3], p[4], p[5], p[6]);
    }
    equality.torque_scale = values.number("torquescale", 1.0);
  }
  elements->equalities.push_back(std::move(equality));
}

void read_sensor(const MjcfElement& element, const MjcfReferences& references, Elements* elements) {
  element.source.ignore_all(format("the sensor {}", kKept));
  const MjcfValues values(element);
  Sensor sensor;
  sensor.name = values.string("name");
  sensor.kind = element.tag;
  // One of these, or objtype and objname; two geoms or bodies measure against each other.
  for (const char* type : {"site", "joint", "tendon", "actuator", "body", "camera", "geom"}) {
    if (!values.has(type)) continue;
    sensor.object_type = type;
    sensor.object =
        std::string(type) == "camera" ? values.string(type) : references.require(values, type, type);
  }
  const auto checked = [&](const std::string& type, const char* attribute) {
    const std::string kind = type == "xbody" ? "body" : type;
    const bool is_kept = kind == "body" || kind == "site" || kind == "geom" || kind == "joint";
    return is_kept ? references.require(values, attribute, kind) : values.string(attribute);
  };
  if (values.has("objname")) {
    sensor.object_type = values.string("objtype");
    sensor.object = checked(sensor.object_type, "objname");
  }
  if (values.has("refname")) {
    sensor.reference_type = values.string("reftype");
    sensor.reference = checked(sensor.reference_type, "refname");
  }
  for (const char* type : {"geom", "body"}) {
    const std::string first = std::string(type) + "1", second = std::string(type) + "2";
    if (values.has(first)) {
      sensor.object_type = type;
      sensor.object = references.require(values, first, type);
    }
    if (values.has(second)) {
      sensor.reference_type = type;
      sensor.reference = references.require(values, second, type);
    }
  }
  sensor.cutoff = values.number("cutoff", 0.0);
  sensor.noise = values.number("noise", 0.0);
  elements->sensors.push_back(std::move(sensor));
}

void read_custom(const MjcfElement& element, Elements* elements) {
  const MjcfValues values(element);
  if (element.tag == "numeric") {
    element.source.ignore_all("custom numbers have no meaning of their own; kept in the model's elements");
    constexpr int kMaxNumbers = 1'000'000;
    CustomNumbers numbers{values.string("name"), {}};
    if (values.has("data")) numbers.data = values.numbers("data", 0, kMaxNumbers);
    const int size = values.integer("size", int(numbers.data.size()));
    if (size < int(numbers.data.size()) || size > kMaxNumbers)
      values.fail("size", format("must be {} to {}", numbers.data.size(), kMaxNumbers));
    numbers.data.resize(std::size_t(size), 0.0);
    elements->numbers.push_back(std::move(numbers));
  } else if (element.tag == "text") {
    element.source.ignore_all("custom text has no meaning of its own; kept in the model's elements");
    elements->texts.push_back({values.string("name"), values.string("data")});
  } else {
    element.source.ignore_all(kNotUsed);
  }
}

}  // namespace stiction
