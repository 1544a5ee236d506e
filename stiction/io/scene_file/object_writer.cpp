#include "stiction/io/scene_file/object_writer.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/shape_list.h"
#include "stiction/io/scene_file/toml_text.h"

namespace stiction {
namespace {

std::string force_table_text(const std::vector<ForcePoint>& points) {
  std::string text;
  for (const ForcePoint& point : points) text += (text.empty() ? "" : ", ") + toml_list(point.data(), 2);
  return "[" + text + "]";
}

// The materials of a model, each once, by number.
class MaterialNames {
 public:
  std::string name(const ContactMaterial& material) {
    if (material == ContactMaterial{}) return "";
    for (std::size_t i = 0; i < list_.size(); ++i)
      if (list_[i] == material) return format("material{}", i + 1);
    list_.push_back(material);
    return format("material{}", list_.size());
  }

  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const ContactMaterial& m = list_[i];
      TomlSection section(format("[material.material{}]", i + 1));
      const auto add = [&](const char* key, const std::optional<double>& value) {
        if (value) section.add(key, *value);
      };
      add("stiffness", m.stiffness);
      if (!m.force_table.empty()) section.add("force_table", force_table_text(m.force_table));
      add("modulus", m.modulus);
      add("barrier_stiffness", m.barrier_stiffness);
      add("barrier_energy", m.barrier_energy);
      add("barrier_distance", m.barrier_distance);
      add("dissipation", m.dissipation);
      add("relaxation_time", m.relaxation_time);
      add("static_friction", m.static_friction);
      add("dynamic_friction", m.dynamic_friction);
      add("anisotropy_ratio", m.anisotropy_ratio);
      if (m.friction_direction != Vec3::UnitX())
        section.add("friction_direction", toml_list(m.friction_direction));
      add("torsional_friction", m.torsional_friction);
      add("rolling_friction", m.rolling_friction);
      add("restitution", m.restitution);
      add("max_deflection", m.max_deflection);
      add("pressure_modulus", m.pressure_modulus);
      add("pressure_depth", m.pressure_depth);
      if (m.facets) section.add("facets", *m.facets);
      all += section.text();
    }
    return all;
  }

 private:
  std::vector<ContactMaterial> list_;
};

void add_pose(const Pose& X, TomlSection* section) {
  if (X.p != Vec3::Zero()) section->add("position", toml_list(X.p));
  if (X.R == Mat3::Identity()) return;
  std::string rows;
  for (int i = 0; i < 3; ++i) rows += (i > 0 ? ", " : "") + toml_list(Vec3(X.R.row(i)));
  section->add("rotation", "[" + rows + "]");
}

// The sizes of a shape that a scene file can describe; false for the others.
struct SizeWriter {
  TomlSection* section;

  bool operator()(const Box& s) const {
    section->add("size", toml_list(Vec3(2.0 * s.half_extents)));
    return true;
  }
  bool operator()(const Sphere& s) const {
    section->add("radius", s.radius);
    return true;
  }
  bool operator()(const Capsule& s) const { return add_length(s.radius, s.length); }
  bool operator()(const Cylinder& s) const { return add_length(s.radius, s.length); }
  bool operator()(const Ellipsoid& s) const {
    section->add("radii", toml_list(s.radii));
    return true;
  }
  bool operator()(const Superellipsoid& s) const {
    const double exponents[] = {s.e1, s.e2};
    section->add("radii", toml_list(s.radii));
    section->add("exponents", toml_list(exponents, 2));
    return true;
  }
  bool operator()(const HalfSpace&) const { return false; }  // a section of its own
  bool operator()(const SharedHull&) const { return false; }
  bool operator()(const SharedMesh&) const { return false; }
  bool operator()(const SharedHeightField&) const { return false; }

 private:
  bool add_length(double radius, double length) const {
    section->add("radius", radius);
    section->add("length", length);
    return true;
  }
};

void add_shape(const PlacedShape& placed, TomlSection* section) {
  section->add_text("shape", row_of(placed.shape).key);
  if (!std::visit(SizeWriter{section}, placed.shape))
    throw_user_error(
        format("shape '{}': a {} is written into a model file", placed.name, name_of(placed.shape)));
  section->add_unless("rounding", placed.rounding, 0.0);
}

bool is_same(const Inertia& a, const Inertia& b) {
  return a.mass == b.mass && a.com == b.com && a.I_com == b.I_com;
}

// The density that gives the inertia of a body with the same bits: a round number first.
double density_of(const Body& body, const Shape& shape) {
  const double exact = body.inertia.mass / volume(shape);
  for (const int digits : {6, 12, 15, 17}) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, exact);
    const double density = std::strtod(text, nullptr);
    if (!(density > 0.0)) break;
    if (is_same(Inertia{} + solid_inertia(shape, density).in_frame(Pose{}), body.inertia)) return density;
  }
  throw_user_error(format("body '{}' is not evenly filled", body.name));
}

}  // namespace

std::string objects_text(const Model& model) {
  MaterialNames materials;
  std::string objects;
  for (const PlacedShape& placed : model.shapes) {
    const bool is_ground = std::holds_alternative<HalfSpace>(placed.shape);
    const Body& body = model.forest.bodies[std::size_t(placed.body)];
    TomlSection section(is_ground ? "[[ground]]" : "[[object]]");
    section.add_text("name", placed.name);
    if (!is_ground) add_shape(placed, &section);
    if (placed.body == 0) {
      add_pose(placed.X_BS, &section);
      if (!is_ground) section.add("fixed", "true");
    } else {
      STICTION_USER_CHECK(
          !is_ground && body.parent == 0 && body.joints.size() == 1 && body.joints[0].type == JointType::free,
          "body '{}' is not a free body of one shape", body.name);
      section.add("density", density_of(body, placed.shape));
      add_pose(body.X_PB, &section);
      const JointIndices& place = model.forest.joints[std::size_t(model.joint(body.joints[0].name))];
      if (model.v0.size() > 0) {
        const Vec3 w = model.v0.segment<3>(place.v_begin), v = model.v0.segment<3>(place.v_begin + 3);
        if (v != Vec3::Zero()) section.add("velocity", toml_list(v));
        if (w != Vec3::Zero()) section.add("angular_velocity", toml_list(w));
      }
    }
    const std::string material = materials.name(placed.contact);
    if (!material.empty()) section.add_text("material", material);
    if (placed.surface_velocity != Vec3::Zero())
      section.add("surface_velocity", toml_list(placed.surface_velocity));
    objects += section.text();
  }
  return materials.text() + objects;
}

}  // namespace stiction
