#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/export/parts.h"

namespace stiction {
namespace {

void set_solver(const SolverReference& solref, const SolverImpedance& solimp, MjcfNode* node) {
  node->set_unless("solref", solref, kDefaultSolref);
  node->set_unless("solimp", solimp, kDefaultSolimp);
}

bool write_pair(const ContactPair& pair, MjcfExport* out, MjcfNode* node) {
  out->set_name("pair", pair.name, node);
  if (!out->refer("geom1", "geom", pair.shape1, pair.name, node) ||
      !out->refer("geom2", "geom", pair.shape2, pair.name, node))
    return false;
  // What is left out would come from the geoms.
  node->set("condim", pair.condim).set("friction", pair.friction).set("solref", pair.solref);
  node->set("solimp", pair.solimp).set("margin", pair.margin).set("gap", pair.gap);
  node->set_unless("solreffriction", pair.solref_friction, SolverReference{0, 0});
  return true;
}

bool write_wrap(const TendonWrap& wrap, const std::string& tendon, MjcfExport* out, MjcfNode* node) {
  switch (wrap.kind) {
    case WrapKind::joint: {
      MjcfNode& part = node->add("joint");
      part.set("coef", wrap.coefficient);
      return out->refer("joint", "joint", wrap.name, tendon, &part);
    }
    case WrapKind::site:
      return out->refer("site", "site", wrap.name, tendon, &node->add("site"));
    case WrapKind::shape: {
      MjcfNode& part = node->add("geom");
      return out->refer("geom", "geom", wrap.name, tendon, &part) &&
             (wrap.side_site.empty() || out->refer("sidesite", "site", wrap.side_site, tendon, &part));
    }
    case WrapKind::pulley:
      node->add("pulley").set("divisor", wrap.coefficient);
      return true;
  }
  return false;
}

bool write_tendon(const Tendon& tendon, MjcfExport* out, MjcfNode* node) {
  const Tendon usual;
  for (const TendonWrap& wrap : tendon.wraps)
    if (!write_wrap(wrap, tendon.name, out, node)) return false;
  out->set_name("tendon", tendon.name, node);
  set_range("range", "limited", tendon.range, tendon.name, out, node);
  set_range("actuatorfrcrange", "actuatorfrclimited", tendon.force_range, tendon.name, out, node);
  node->set_unless("stiffness", tendon.stiffness, 0.0);
  node->set_unless("damping", tendon.damping, 0.0);
  node->set_unless("frictionloss", tendon.friction_loss, 0.0);
  node->set_unless("armature", tendon.armature, 0.0);
  node->set_unless("margin", tendon.margin, 0.0);
  node->set_unless("springlength", tendon.spring_length, usual.spring_length);
  node->set_unless("solreflimit", tendon.solref_limit, kDefaultSolref);
  node->set_unless("solimplimit", tendon.solimp_limit, kDefaultSolimp);
  node->set_unless("solreffriction", tendon.solref_friction, kDefaultSolref);
  node->set_unless("solimpfriction", tendon.solimp_friction, kDefaultSolimp);
  node->set_unless("group", tendon.group, 0);
  if (!tendon.is_spatial) return true;
  node->set_unless("width", tendon.width, usual.width);
  node->set_unless("rgba", tendon.rgba, usual.rgba);
  if (!tendon.material.empty()) out->refer("material", "material", tendon.material, tendon.name, node);
  return true;
}

bool write_equality(const Equality& equality, MjcfExport* out, MjcfNode* node) {
  const bool couples = equality.kind == EqualityKind::joint || equality.kind == EqualityKind::tendon;
  const std::string kind = couples ? node->tag : equality.between_sites ? "site" : "body";
  out->set_name("equality", equality.name, node);
  if (!out->refer((kind + "1").c_str(), kind, equality.object1, equality.name, node)) return false;
  if (!equality.object2.empty() &&
      !out->refer((kind + "2").c_str(), kind, equality.object2, equality.name, node))
    return false;
  if (!equality.active) node->set("active", false);
  set_solver(equality.solref, equality.solimp, node);
  if (couples) {
    node->set("polycoef", equality.polynomial);
    return true;
  }
  const bool is_weld = equality.kind == EqualityKind::weld;
  if (!equality.between_sites) {
    if (!is_weld || equality.anchor != Vec3::Zero()) node->set("anchor", equality.anchor);
    const Vec3& p = equality.relative_position;
    const Vec4& q = equality.relative_quaternion;
    if (is_weld && q != Vec4::Zero())
      node->set("relpose", std::array<double, 7>{p[0], p[1], p[2], q[0], q[1], q[2], q[3]});
  }
  if (is_weld) node->set_unless("torquescale", equality.torque_scale, 1.0);
  return true;
}

const char* tag_of(EqualityKind kind) {
  switch (kind) {
    case EqualityKind::connect:
      return "connect";
    case EqualityKind::weld:
      return "weld";
    case EqualityKind::joint:
      return "joint";
    case EqualityKind::tendon:
      return "tendon";
  }
  return "";
}

// Adds an element, and takes it away again if something that it needs is missing.
template <class Write>
void add_if(const std::string& tag, MjcfNode* parent, const Write& write) {
  if (!write(&parent->add(tag))) parent->children.pop_back();
}

// A joint that follows another is an equality: q = a q' + b, with both counted from their references.
void write_mimics(MjcfExport* out, MjcfNode* parent) {
  const Forest& forest = out->model.forest;
  for (const Body& body : forest.bodies) {
    for (const Joint& joint : body.joints) {
      if (!joint.mimic) continue;
      const int other = forest.find_joint(joint.mimic->joint);
      const double other_reference = other < 0 ? 0.0 : forest.joint(other).reference;
      const double offset = joint.mimic->offset + joint.mimic->multiplier * other_reference - joint.reference;
      add_if("joint", parent, [&](MjcfNode* node) {
        node->set("name", out->make_up("equality", joint.name));
        node->set("polycoef", std::array<double, 5>{offset, joint.mimic->multiplier, 0, 0, 0});
        return out->refer("joint1", "joint", joint.name, joint.name, node) &&
               out->refer("joint2", "joint", joint.mimic->joint, joint.name, node);
      });
      out->approximate("joint", "", joint.name, "a joint that follows another becomes an equality");
    }
  }
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool write_sensor(const Sensor& sensor, MjcfExport* out, MjcfNode* node) {
  out->set_name("sensor", sensor.name, node);
  const auto refer = [&](const std::string& attribute, const std::string& type, const std::string& name) {
    const bool is_body = type == "xbody" || type == "subtree";
    return out->refer(attribute.c_str(), is_body ? "body" : type, name, sensor.name, node);
  };
  const std::string& kind = sensor.kind;
  if (is_one_of(kind, {"camprojection", "tactile", "user", "plugin"})) {
    out->ignore("sensor", kind.c_str(), sensor.name, "not all that this sensor needs is in the model");
    return false;
  }
  if (is_one_of(kind, {"distance", "normal", "fromto", "contact"})) {
    const std::string first = sensor.object_type == "site" ? "site" : sensor.object_type + "1";
    if (!sensor.object.empty() && !refer(first, sensor.object_type, sensor.object)) return false;
    if (!sensor.reference.empty() &&
        !refer(sensor.reference_type + "2", sensor.reference_type, sensor.reference))
      return false;
  } else if (kind.rfind("frame", 0) == 0 || kind == "insidesite") {
    node->set("objtype", sensor.object_type);
    if (!refer("objname", sensor.object_type, sensor.object)) return false;
    if (kind == "insidesite") {
      if (!refer("site", "site", sensor.reference)) return false;
    } else if (!sensor.reference.empty()) {
      node->set("reftype", sensor.reference_type);
      if (!refer("refname", sensor.reference_type, sensor.reference)) return false;
    }
  } else if (!sensor.object_type.empty()) {
    if (!refer(sensor.object_type, sensor.object_type, sensor.object)) return false;
  }
  if (kind == "insidesite") {
    if (!sensor.data.empty()) node->set("enclosed", "true");
  } else if (!sensor.data.empty()) {
    std::string fields;
    for (const std::string& field : sensor.data) fields += (fields.empty() ? "" : " ") + field;
    node->set("data", fields);
  }
  if (kind == "contact") {
    node->set("num", std::to_string(sensor.count));
    node->set("reduce", sensor.reduce);
  }
  node->set_unless("cutoff", sensor.cutoff, 0.0);
  node->set_unless("noise", sensor.noise, 0.0);
  return true;
}

}  // namespace

void write_contact(MjcfExport* out, MjcfNode* contact) {
  for (const ContactPair& pair : out->model.elements.pairs)
    add_if("pair", contact, [&](MjcfNode* node) { return write_pair(pair, out, node); });
  for (const ContactExclude& exclude : out->model.elements.excludes) {
    add_if("exclude", contact, [&](MjcfNode* node) {
      out->set_name("exclude", exclude.name, node);
      return out->refer("body1", "body", exclude.body1, exclude.name, node) &&
             out->refer("body2", "body", exclude.body2, exclude.name, node);
    });
  }
  for (const CollisionGroup& group : out->model.elements.collision_groups)
    out->ignore("contact", "collision group", group.name, "MJCF has no named groups of shapes");
}

void write_tendons(MjcfExport* out, MjcfNode* section) {
  for (const Tendon& tendon : out->model.elements.tendons)
    add_if(tendon.is_spatial ? "spatial" : "fixed", section,
           [&](MjcfNode* node) { return write_tendon(tendon, out, node); });
}

void write_equalities(MjcfExport* out, MjcfNode* section) {
  for (const Equality& equality : out->model.elements.equalities)
    add_if(tag_of(equality.kind), section,
           [&](MjcfNode* node) { return write_equality(equality, out, node); });
  write_mimics(out, section);
  for_each_frame_constraint([&](const auto& row) {
    for (const auto& constraint : out->model.elements.*row.items)
      out->ignore("equality", row.word, constraint.name, row.why_not_in_mjcf);
  });
}

void write_sensors(MjcfExport* out, MjcfNode* section) {
  for (const Sensor& sensor : out->model.elements.sensors)
    add_if(sensor.kind, section, [&](MjcfNode* node) { return write_sensor(sensor, out, node); });
}

void write_custom(MjcfExport* out, MjcfNode* custom) {
  for (const CustomNumbers& numbers : out->model.elements.numbers) {
    if (numbers.data.empty())
      out->ignore("numeric", "data", numbers.name, "a list without numbers cannot be written");
    else
      custom->add("numeric")
          .set("name", out->declare("numeric", numbers.name))
          .set("data", std::span<const double>(numbers.data));
  }
  for (const CustomText& text : out->model.elements.texts) {
    if (text.text.empty())
      out->ignore("text", "data", text.name, "an empty text cannot be written");
    else
      custom->add("text").set("name", out->declare("text", text.name)).set("data", text.text);
  }
}

}  // namespace stiction
