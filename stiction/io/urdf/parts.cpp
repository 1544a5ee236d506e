// The <visual> and <collision> elements of a URDF link.

#include <limits>

#include "stiction/base/check.h"
#include "stiction/io/urdf/robot.h"

namespace stiction {
namespace {

constexpr const char* kNotCompliant =
    "the shape is not drake:compliant_hydroelastic; it has no pressure field";
constexpr const char* kNoFacets = "the shape has no round surface to be divided";
constexpr const char* kRigidMargin = "a rigid shape has no margin, only a compliant one";
// Drake's modulus for shapes that have none.
constexpr double kDefaultPressureModulus = 1e7;  // Pa
constexpr const char* kNotSimulated = "contact has no such parameter";

std::optional<Shape> read_primitive(const XmlElement& element) {
  const std::string_view tag = element.name();
  if (tag == "box") return Box{0.5 * element.vec3("size")};
  if (tag == "sphere") return Sphere{element.number("radius")};
  if (tag == "cylinder") return Cylinder{element.number("radius"), element.number("length")};
  if (tag == "capsule" || tag == "drake:capsule")
    return Capsule{element.number("radius"), element.number("length")};
  if (tag == "drake:ellipsoid")
    return Ellipsoid{Vec3(element.number("a"), element.number("b"), element.number("c"))};
  return std::nullopt;
}

UrdfMesh read_mesh_element(const XmlElement& element) {
  UrdfMesh mesh{element.string("filename"), element.vec3("scale", Vec3::Ones())};
  if ((mesh.scale.array() == 0.0).any()) element.fail("scale", "flattens the mesh: no factor may be zero");
  for (const XmlElement& flag : element.children("drake:declare_convex")) {
    flag.honour();
    mesh.is_declared_convex = true;  // a surface collides as its convex hull in any case
  }
  return mesh;
}

XmlElement only_child(const XmlElement& geometry) {
  const std::vector<XmlElement> children = geometry.children();
  if (children.empty()) geometry.fail("holds no shape");
  if (children.size() > 1) children[1].fail("a <geometry> holds one shape");
  children[0].honour();
  return children[0];
}

// The value of one of Drake's tags, or of PyBullet's.
double read_parameter(const XmlElement& element, double smallest) {
  const double value = element.number("value");
  if (!(value >= smallest)) element.fail("value", smallest > 0.0 ? "is not positive" : "is negative");
  element.honour();
  return value;
}

constexpr double kPositive = std::numeric_limits<double>::min();

// m, of a round surface; of an ellipsoid the largest. 0: the shape is flat.
double radius_of(const std::optional<Shape>& shape) {
  if (!shape) return 0.0;
  if (const auto* sphere = std::get_if<Sphere>(&*shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&*shape)) return capsule->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&*shape)) return cylinder->radius;
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&*shape)) return ellipsoid->radii.maxCoeff();
  return 0.0;
}

// As fine as a mesh of triangles with edges of this length would be, in three grades.
int facets_for(double length, double radius) {
  return length > 0.5 * radius ? 7 : length < 0.1 * radius ? 37 : 19;
}

// Drake's tags of hydroelastic contact. A compliant shape has a pressure field, a rigid one none. Its margin, the layer
// around it where the pressure is negative and which acts only if it closes within the step, is added to the one that follows
// the step and the speed.
void read_pressure_field(const XmlElement& properties, UrdfPart* part) {
  ContactMaterial* out = &part->contact;
  bool is_compliant = false, is_rigid = false;
  for (const XmlElement& child : properties.children()) {
    if (child.name() == "drake:compliant_hydroelastic" || child.name() == "drake:soft_hydroelastic") {
      is_compliant = true;
      child.honour();
    }
    if (child.name() == "drake:rigid_hydroelastic") {
      is_rigid = true;
      child.honour();
    }
    if (is_compliant && is_rigid) child.fail("is both rigid and compliant");
  }
  if (is_compliant) out->pressure_modulus = kDefaultPressureModulus;
  for (const XmlElement& child : properties.children()) {
    const std::string_view tag = child.name();
    if (tag == "drake:hydroelastic_modulus") {
      if (is_compliant)
        out->pressure_modulus = read_parameter(child, kPositive);
      else
        child.ignore_all(kNotCompliant);
    } else if (tag == "drake:mesh_resolution_hint") {
      const double radius = radius_of(part->shape);
      if (is_compliant && radius > 0.0)
        out->facets = facets_for(read_parameter(child, kPositive), radius);
      else
        child.ignore_all(is_compliant ? kNoFacets : kNotCompliant);
    } else if (tag == "drake:hydroelastic_margin") {
      if (is_compliant)
        part->margin = read_parameter(child, 0.0);
      else
        child.ignore_all(is_rigid ? kRigidMargin : kNotCompliant);
    }
  }
}

bool is_of_pressure_field(std::string_view tag) {
  return tag == "drake:compliant_hydroelastic" || tag == "drake:soft_hydroelastic" ||
         tag == "drake:rigid_hydroelastic" || tag == "drake:hydroelastic_modulus" ||
         tag == "drake:mesh_resolution_hint" || tag == "drake:hydroelastic_margin";
}

void read_proximity(UrdfPart* part) {
  const std::optional<XmlElement> properties = part->element.child("drake:proximity_properties");
  if (!properties) return;
  ContactMaterial* out = &part->contact;
  for (const XmlElement& child : properties->children()) {
    const std::string_view tag = child.name();
    if (tag == "drake:mu_static")
      out->static_friction = read_parameter(child, 0.0);
    else if (tag == "drake:mu_dynamic")
      out->dynamic_friction = read_parameter(child, 0.0);
    else if (tag == "drake:point_contact_stiffness")
      out->stiffness = read_parameter(child, kPositive);
    else if (tag == "drake:hunt_crossley_dissipation")
      out->dissipation = read_parameter(child, 0.0);
    else if (tag == "drake:relaxation_time")
      out->relaxation_time = read_parameter(child, 0.0);
    else if (!is_of_pressure_field(tag))
      child.ignore_all(kNotSimulated);
  }
  read_pressure_field(*properties, part);
  // One coefficient alone is that at rest and in motion, as in Drake.
  if (!out->static_friction) out->static_friction = out->dynamic_friction;
  if (out->static_friction && out->dynamic_friction && *out->dynamic_friction > *out->static_friction)
    properties->fail(format("friction in motion, {}, is larger than at rest, {}", *out->dynamic_friction,
                            *out->static_friction));
}

UrdfPart read_part(const XmlElement& element, bool is_collision) {
  const XmlElement shape = only_child(element.required_child("geometry"));
  UrdfPart part{element, shape, is_collision, element.string("name", "")};
  part.X_LS = read_urdf_origin(element);
  part.shape = read_primitive(shape);
  if (part.shape) {
    const std::string defect = shape_defect(*part.shape);
    if (!defect.empty()) shape.fail(defect);
  } else {
    part.mesh = read_mesh_element(shape);
  }
  if (const std::optional<XmlElement> material = element.child("material"))
    part.material = material->string("name", "");
  if (is_collision) read_proximity(&part);
  return part;
}

// PyBullet's contact parameters belong to the whole link.
void read_bullet_contact(const XmlElement& link, UrdfLink* out) {
  const std::optional<XmlElement> contact = link.child("contact");
  if (!contact) return;
  for (const XmlElement& child : contact->children()) {
    const bool is_friction = child.name() == "lateral_friction";
    if (!is_friction && child.name() != "stiffness") {
      child.ignore_all(kNotSimulated);
      continue;
    }
    const double value = read_parameter(child, is_friction ? 0.0 : kPositive);
    for (UrdfPart& part : out->parts) {
      if (!part.is_collision) continue;
      if (is_friction)
        part.contact.static_friction = part.contact.dynamic_friction = value;
      else
        part.contact.stiffness = value;
    }
  }
}

}  // namespace

Material read_urdf_material(const XmlElement& element) {
  Material material;
  material.name = element.string("name", "");
  if (const std::optional<XmlElement> color = element.child("color")) {
    const std::vector<double> rgba = color->numbers("rgba", 4, 4);
    for (int i = 0; i < 4; ++i) {
      if (rgba[std::size_t(i)] < 0.0 || rgba[std::size_t(i)] > 1.0)
        color->fail("rgba", format("{} is not between 0 and 1", rgba[std::size_t(i)]));
      material.rgba[std::size_t(i)] = rgba[std::size_t(i)];
    }
  }
  for (const char* tag : {"texture", "drake:diffuse_map"})
    for (const XmlElement& texture : element.children(tag)) texture.ignore_all("textures are not shown");
  return material;
}

void read_urdf_parts(const XmlElement& link, UrdfLink* out) {
  for (const XmlElement& element : link.children("visual")) {
    out->parts.push_back(read_part(element, false));
    for (const XmlElement& child : element.children())
      if (child.name().rfind("drake:", 0) == 0) child.ignore_all("there is no renderer to choose");
  }
  for (const XmlElement& element : link.children("collision")) {
    out->parts.push_back(read_part(element, true));
    if (element.has("group"))
      element.ignore("group", "collision groups are those of <drake:collision_filter_group>");
    for (const XmlElement& verbose : element.children("verbose")) verbose.ignore_all("nothing to simulate");
  }
  read_bullet_contact(link, out);
}

}  // namespace stiction
