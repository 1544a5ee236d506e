#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/io/mjcf/bodies.h"
#include "stiction/io/mjcf/inertia.h"
#include "stiction/io/mjcf/principal_axes.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

constexpr double kDefaultDensity = 1000.0;    // kg/m^3, water
constexpr double kRadiusOfUnknownMesh = 0.1;  // m, of a mesh made by a plugin, so that its body has mass

const std::vector<std::string>& geom_types() {
  static const std::vector<std::string> types = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                                 "cylinder", "box",    "mesh",   "sdf"};
  return types;
}

std::string type_of(const MjcfValues& values) { return values.word("type", "sphere", geom_types()); }

// The form of a type with half-sizes.
Shape shape_of(const std::string& type, const Vec3& size) {
  if (type == "sphere") return Sphere{size[0]};
  if (type == "capsule") return Capsule{size[0], 2.0 * size[1]};
  if (type == "cylinder") return Cylinder{size[0], 2.0 * size[1]};
  if (type == "box") return Box{size};
  return Ellipsoid{size};
}

// The primitive with the inertia of a mesh, from the box that has it, or with compiler/fitaabb the one around
// its bounding box; both boxes stand in the mesh's principal axes.
GeomForm fitted(const MjcfValues& values, const std::string& type, MjcfAssets* assets) {
  const std::string mesh = values.string("mesh");
  const Inertia& unit = assets->unit_inertia(mesh, values);
  const MjcfPrincipalAxes axes = mjcf_principal_axes(unit.I_com);
  const bool is_around = values.context().compiler.fit_aabb;
  Vec3 box, centre = Vec3::Zero();
  if (is_around) {
    Eigen::AlignedBox3d bounds;
    for (const Vec3& vertex : assets->surface(mesh, values)->vertices)
      bounds.extend(Vec3(axes.R.transpose() * (vertex - unit.com)));
    box = bounds.sizes() / 2.0;
    centre = bounds.center();
  } else {
    for (int i = 0; i < 3; ++i) {
      const double others = axes.moments.sum() - 2.0 * axes.moments[i];
      box[i] = std::sqrt(6.0 * std::max(0.0, others) / unit.mass) / 2.0;
    }
  }
  Vec3 size = box;
  const double across = is_around ? std::max(box[0], box[1]) : (box[0] + box[1]) / 2.0;
  const double cap = is_around ? across : across / 2.0;
  if (type == "sphere") size[0] = is_around ? box.maxCoeff() : box.mean();
  if (type == "capsule") size = Vec3(across, std::max(0.0, box[2] - cap), 0.0);
  if (type == "cylinder") size = Vec3(across, box[2], 0.0);
  size *= values.number("fitscale", 1.0);
  return {shape_of(type, size), values.pose() * Pose{axes.R, unit.com + axes.R * centre}};
}

}  // namespace

int num_mjcf_sizes(const std::string& type) {
  return type == "sphere" ? 1 : type == "capsule" || type == "cylinder" ? 2 : 3;
}

void check_condim(const MjcfValues& values, int condim) {
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
    values.fail("condim", format("{} is not one of 1, 3, 4 and 6", condim));
}

std::string material_of(const MjcfValues& values, const Elements& elements) {
  std::string name = values.context().prefix + values.string("material");
  std::vector<std::string> known;
  for (const Material& material : elements.materials) {
    if (material.name == name) return name;
    known.push_back(material.name);
  }
  values.fail("material", unknown_name_message("material", name, known));
}

Segment read_fromto(const MjcfValues& values) {
  if (values.has("pos")) values.fail("pos", "the place is given by 'fromto' already");
  for (const char* name : {"quat", "axisangle", "euler", "xyaxes", "zaxis"})
    values.ignore(name, "the orientation is that of 'fromto'");
  const std::vector<double> p = values.numbers("fromto", 6, 6);
  const Vec3 from(p[0], p[1], p[2]), to(p[3], p[4], p[5]);
  const double length = (to - from).norm();
  if (length < 1e-14) values.fail("fromto", "both ends are the same point");
  // MuJoCo's z axis points from the second end to the first.
  return {{rotation_to_z((from - to) / length), (from + to) / 2.0}, length / 2.0};
}

GeomForm read_geom_form(const MjcfValues& values, bool collides, const MjcfOptions& options,
                        MjcfAssets* assets) {
  const std::string type = type_of(values);
  if (type == "plane") {
    if (values.has("mesh")) values.fail("mesh", "no plane can be fitted to a mesh");
    values.ignore("size", "planes have no edge; their size is for display only");
    return {HalfSpace{}, values.pose()};
  }
  if (type == "hfield") {
    if (!values.has("hfield")) values.fail("attribute 'hfield' is required for type 'hfield'");
    return {assets->height_field(values.string("hfield"), values), values.pose()};
  }
  if (type == "mesh" || type == "sdf") {
    if (!values.has("mesh")) values.fail(format("attribute 'mesh' is required for type '{}'", type));
    const std::string mesh = values.string("mesh");
    if (type == "sdf")
      values.approximate("type", "the distance field is replaced by the convex hull of its mesh");
    if (assets->is_made_by_plugin(mesh, values)) {
      assets->skip_mesh(mesh, values, "meshes made by plugins are not supported");
      values.ignore("mesh", "only a plugin knows the mesh: the geom is left out");
      return {SharedMesh(), values.pose()};
    }
    if (collides) return {assets->hull(mesh, values), values.pose()};
    if (options.visual_meshes) return {assets->surface(mesh, values), values.pose()};
    assets->skip_mesh(mesh, values, "only shows something, and such meshes are not wanted");
    return {SharedMesh(), values.pose()};
  }
  if (values.has("mesh")) return fitted(values, type, assets);

  GeomForm form{Shape(), Pose()};
  std::array<double, 3> size = {0.0, 0.0, 0.0};
  values.fill("size", &size);
  if (values.has("fromto")) {
    if (type == "sphere") values.fail("fromto", "is for capsules, cylinders, boxes and ellipsoids");
    const Segment segment = read_fromto(values);
    const bool is_long = type == "capsule" || type == "cylinder";
    size[1] = is_long ? segment.half_length : size[0];
    size[2] = is_long ? 0.0 : segment.half_length;
    form.X_FG = segment.X;
  } else {
    form.X_FG = values.pose();
  }
  for (int i = 0; i < num_mjcf_sizes(type); ++i)
    if (!(size[i] > 0.0)) values.fail("size", format("size {} of a {} must be positive", i + 1, type));
  form.shape = shape_of(type, Vec3(size[0], size[1], size[2]));
  return form;
}

Inertia read_geom_inertia(const MjcfValues& values, const Shape& shape, MjcfAssets* assets) {
  const std::string type = type_of(values);
  const double density = values.number("density", kDefaultDensity), mass = values.number("mass", -1.0);
  if (density < 0.0) values.fail("density", "must not be negative");
  if (values.has("mass") && mass < 0.0) values.fail("mass", "must not be negative");
  const bool is_shell = values.boolean("shellinertia", false);
  if (type == "plane" || mass == 0.0 || (!values.has("mass") && density == 0.0)) return {};

  Inertia unit;
  if (type == "mesh" || type == "sdf") {
    const std::string mesh = values.string("mesh");
    if (assets->is_made_by_plugin(mesh, values)) {
      unit = solid_inertia(Sphere{kRadiusOfUnknownMesh}, 1.0);
      values.approximate("mesh", "only a plugin knows the mesh: left out, and weighs as a sphere of 0.1 m");
    } else {
      unit = assets->unit_inertia(mesh, values);
    }
  } else if (type == "hfield") {
    // MuJoCo weighs the box that is as high as the base and half of the terrain, with its middle at the origin.
    const HeightFieldSize size = std::get<SharedHeightField>(shape)->size;
    unit =
        solid_inertia(Box{Vec3(size.radius_x, size.radius_y, 0.25 * size.elevation + 0.5 * size.base)}, 1.0);
  } else {
    unit = is_shell ? unit_shell_inertia(shape) : solid_inertia(shape, 1.0);
  }
  return with_mass(unit, values.has("mass") ? mass : density * unit.mass);
}

void report_contact_numbers(const MjcfValues& values, const SolverReference& solref) {
  if (solref[0] > 0.0)
    values.approximate("solref",
                       "honoured under convex_cone+newton_mujoco; under other laws a force table where it is "
                       "soft, otherwise damping alone");
  values.approximate("solimp",
                     "honoured under convex_cone+newton_mujoco; under other laws a force table where it is "
                     "soft, otherwise its dmax alone, in the damping of a positive solref");
}

ShapeProperties read_shape_properties(const MjcfValues& values, const Elements& elements) {
  ShapeProperties out;
  out.contype = values.integer("contype", out.contype);
  out.conaffinity = values.integer("conaffinity", out.conaffinity);
  out.collides = out.contype != 0 || out.conaffinity != 0;
  out.condim = values.integer("condim", out.condim);
  check_condim(values, out.condim);
  out.priority = values.integer("priority", out.priority);
  values.fill("friction", &out.friction);
  values.fill("solref", &out.solref);
  values.fill("solimp", &out.solimp);
  out.solmix = values.number("solmix", out.solmix);
  out.margin = values.number("margin", out.margin);
  out.gap = values.number("gap", out.gap);
  out.group = values.integer("group", out.group);
  values.fill("rgba", &out.rgba, 4);
  if (values.has("material")) out.material = material_of(values, elements);
  out.fluid_shape = values.word("fluidshape", out.fluid_shape, {"none", "ellipsoid"});
  values.fill("fluidcoef", &out.fluid_coefficients);

  report_contact_numbers(values, out.solref);
  for (const char* name : {"adhesion", "surfacevel"}) values.ignore(name, "is not simulated");
  for (const char* name : {"rgba", "material"}) values.ignore(name, kForDisplayOnly);
  values.ignore("castshadow", "for display only");
  values.ignore("user", kNotUsed);
  return out;
}

}  // namespace stiction
