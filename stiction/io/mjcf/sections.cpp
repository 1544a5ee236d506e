#include "stiction/io/mjcf/sections.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/context.h"
#include "stiction/io/mjcf/pressure_text.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

constexpr const char* kRigid = "is as rigid as the step allows";
constexpr std::size_t kMaxGroups = 31;  // of actuators

void read_pair(const MjcfElement& element, const MjcfReferences& references, Elements* elements) {
  const MjcfValues values = with_class(element, "");
  ContactPair pair;
  pair.name = values.string("name");
  pair.shape1 = references.require(values, "geom1", "geom");
  pair.shape2 = references.require(values, "geom2", "geom");
  pair.condim = values.integer("condim", pair.condim);
  check_condim(values, pair.condim);
  values.fill("friction", &pair.friction);
  values.fill("solref", &pair.solref);
  values.fill("solreffriction", &pair.solref_friction);
  values.fill("solimp", &pair.solimp);
  pair.margin = values.number("margin", 0.0);
  pair.gap = values.number("gap", 0.0);
  report_contact_numbers(values, pair.solref);
  const bool rolls_alike = pair.condim < 6 || pair.friction[4] == pair.friction[3];
  if (pair.condim > 1 && !(rolls_alike && pair.friction[1] == pair.friction[0]))
    values.approximate("friction", "acts alike in all directions: the first of sliding, the mean of rolling");
  values.ignore("solreffriction", "friction has no stiffness of its own");
  values.ignore("adhesion", "is not simulated");
  elements->pairs.push_back(std::move(pair));
}

// solref (-k, -b) is a stiffness and a damping; otherwise, and by solimp, a constraint would be soft.
void report_rigid(const MjcfValues& values, const char* solref, const char* solimp,
                  const SolverReference& given) {
  if (!(given[0] < 0.0 && given[1] <= 0.0)) values.approximate(solref, kRigid);
  values.approximate(solimp, kRigid);
}

void report_tendon(const MjcfValues& values, const Tendon& tendon) {
  report_rigid(values, "solreflimit", "solimplimit", tendon.solref_limit);
  if (tendon.margin != 0.0) values.ignore("margin", "limits act where the range ends");
  for (const char* name : {"solreffriction", "solimpfriction"})
    values.approximate(name, "dry friction holds as firmly as the step allows");
  if (tendon.armature != 0.0)
    values.ignore("armature", "tendons have no inertia; kept in the model's elements");
  values.ignore("springyield", "springs do not yield");
  for (const char* name : {"width", "rgba", "material", "group"}) values.ignore(name, kForDisplayOnly);
  values.ignore("user", kNotUsed);
}

TendonWrap read_wrap(const MjcfElement& element, bool is_spatial, const MjcfReferences& references) {
  element.source.honour();
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

// What a path must be like: sites on both sides of every shape, and lines between two sites at least.
void check_path(const MjcfElement& element, const Tendon& tendon) {
  const std::vector<TendonWrap>& wraps = tendon.wraps;
  if (wraps.empty()) element.source.fail("a tendon needs a path");
  if (tendon.is_spatial && wraps.size() < 2) element.source.fail("a path has two sites at least");
  const auto kind = [&](std::size_t i) { return i < wraps.size() ? wraps[i].kind : WrapKind::pulley; };
  for (std::size_t i = 0; i < wraps.size(); ++i) {
    const XmlElement& source = element.children[i].source;
    const WrapKind before = kind(i - 1), behind = kind(i + 1);  // i - 1 wraps around: there is none
    if (kind(i) == WrapKind::shape && (before != WrapKind::site || behind != WrapKind::site))
      source.fail("a geom stands between two sites");
    if (kind(i) == WrapKind::shape && tendon.armature != 0.0)
      source.fail("a tendon with armature has no geoms");
    if (kind(i) == WrapKind::pulley && behind == WrapKind::pulley)
      source.fail("a pulley is followed by two sites at least");
    if (kind(i) == WrapKind::site && before == WrapKind::pulley && behind == WrapKind::pulley)
      source.fail("a site has a neighbour that is no pulley");
    const bool is_same = i > 0 && kind(i) == before && wraps[i].name == wraps[i - 1].name;
    if (is_same && kind(i) == WrapKind::site) source.fail(format("the site '{}' is repeated", wraps[i].name));
  }
  if (tendon.is_spatial) return;
  for (std::size_t i = 0; i < wraps.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (wraps[i].name == wraps[k].name)
        element.children[i].source.fail(format("the joint '{}' is repeated", wraps[i].name));
}

// A hinge or slide.
void check_scalar(const MjcfValues& values, const char* attribute, const MjcfScene& scene) {
  for (const MjcfBody& body : scene.bodies)
    for (const Joint& joint : body.body.joints)
      if (joint.name == values.string(attribute) && num_velocities(joint.type) != 1)
        values.fail(attribute, format("the joint '{}' is no hinge and no slide", joint.name));
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
  if (values.has("actuatorgroupdisable"))
    for (const double group : values.numbers("actuatorgroupdisable", 0, kMaxGroups))
      options->disabled_actuator_groups.push_back(static_cast<int>(group));
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
      const char* const acting[] = {"gravity",   "spring",       "damper",     "actuation",
                                    "clampctrl", "contact",      "limit",      "equality",
                                    "sensor",    "frictionloss", "constraint", "filterparent"};
      if (std::find(std::begin(acting), std::end(acting), attribute.name) != std::end(acting))
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
  element.source.honour();
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
  if (stiffness[1] != 0.0 || stiffness[2] != 0.0)
    values.approximate("stiffness", "only the first, linear coefficient acts");
  if (damping[1] != 0.0 || damping[2] != 0.0)
    values.approximate("damping", "only the first, linear coefficient acts");
  tendon.friction_loss = values.number("frictionloss", 0.0);
  tendon.armature = values.number("armature", 0.0);
  tendon.margin = values.number("margin", 0.0);
  if (values.has("springlength")) {
    const std::vector<double> lengths = values.numbers("springlength", 1, 2);
    tendon.spring_length = {lengths.front(), lengths.back()};
    if (lengths.back() < lengths.front()) values.fail("springlength", "the second length is the longer one");
  }
  values.fill("solreflimit", &tendon.solref_limit);
  values.fill("solimplimit", &tendon.solimp_limit);
  values.fill("solreffriction", &tendon.solref_friction);
  values.fill("solimpfriction", &tendon.solimp_friction);
  tendon.width = values.number("width", tendon.width);
  values.fill("rgba", &tendon.rgba, 4);
  if (!(tendon.width > 0.0)) values.fail("width", "must be positive");
  if (values.has("material")) tendon.material = material_of(values, *elements);
  tendon.group = values.integer("group", 0);
  report_tendon(values, tendon);
  for (const MjcfElement& child : element.children)
    tendon.wraps.push_back(read_wrap(child, tendon.is_spatial, *references));
  check_path(element, tendon);
  if (!tendon.name.empty()) references->add("tendon", tendon.name);
  elements->tendons.push_back(std::move(tendon));
}

void read_equality(const MjcfElement& element, const MjcfReferences& references, const MjcfScene& scene,
                   Elements* elements) {
  if (element.tag == "flex" || element.tag == "flexstrain")
    return element.source.ignore_all("deformable bodies are not simulated");
  element.source.honour();
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
    if (kind == "joint")
      for (const char* name : {"joint1", "joint2"}) check_scalar(values, name, scene);
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
    if (equality.torque_scale != 1.0)
      values.approximate("torquescale", "a weld is as rigid against rotation as the step allows");
  }
  if (equality.object1 == equality.object2)
    values.fail(format("'{}' stands on both sides", equality.object1));
  report_rigid(values, "solref", "solimp", equality.solref);
  elements->equalities.push_back(std::move(equality));
}

void read_custom(const MjcfElement& element, const MjcfReferences& references, Elements* elements) {
  const MjcfValues values(element);
  if (element.tag == "numeric") {
    // The one number that has a meaning (simulation/constraint/constraint_model.h).
    if (values.string("name") != "relaxation_time")
      element.source.ignore_all("custom numbers have no meaning of their own; kept in the model's elements");
    constexpr int kMaxNumbers = 1'000'000;
    CustomNumbers numbers{values.string("name"), {}};
    if (values.has("data")) numbers.data = values.numbers("data", 0, kMaxNumbers);
    const int size = values.integer("size", int(numbers.data.size()));
    if (size == 0) values.fail("has no numbers");
    if (size < int(numbers.data.size()) || size > kMaxNumbers)
      values.fail("size", format("must be {} to {}", numbers.data.size(), kMaxNumbers));
    numbers.data.resize(std::size_t(size), 0.0);
    elements->numbers.push_back(std::move(numbers));
  } else if (element.tag == "text") {
    if (!is_pressure_text(element))
      element.source.ignore_all("custom text has no meaning of its own; kept in the model's elements");
    elements->texts.push_back({values.string("name"), values.string("data")});
  } else {
    if (element.children.empty()) element.source.fail("a tuple has one element at least");
    for (const MjcfElement& child : element.children) {
      const MjcfValues member(child);
      const std::string type = member.word(
          "objtype", "", {"body",  "xbody",   "joint",    "dof",    "geom",     "site",    "camera",
                          "light", "flex",    "mesh",     "skin",   "hfield",   "texture", "material",
                          "pair",  "exclude", "equality", "tendon", "actuator", "sensor",  "numeric",
                          "text",  "tuple",   "key",      "plugin", "frame",    "default", "model"});
      for (const char* known : {"body", "joint", "geom", "site", "tendon", "actuator"})
        if (type == known) references.require(member, "objname", type);
    }
    element.source.ignore_all(kNotUsed);
  }
}

}  // namespace stiction
