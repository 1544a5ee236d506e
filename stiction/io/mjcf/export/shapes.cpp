#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/shape_list.h"
#include "stiction/io/mjcf/export/parts.h"
#include "stiction/math/single_precision.h"

namespace stiction {
namespace {

void write_texture(const Texture& texture, MjcfExport* out, MjcfNode* asset) {
  const bool is_built_in = !texture.builtin.empty() && texture.builtin != "none";
  std::error_code error;
  const bool has_file = !texture.file.empty() && std::filesystem::exists(texture.file, error);
  if (!is_built_in && !has_file)
    return out->ignore("texture", "file", texture.name, "the picture is not there");
  const Texture usual;
  MjcfNode& node = asset->add("texture");
  out->set_name("texture", texture.name, &node);
  if (!texture.type.empty()) node.set("type", texture.type);
  if (is_built_in) node.set("builtin", texture.builtin);
  if (has_file) node.set("file", std::filesystem::absolute(texture.file).string());
  node.set_unless("rgb1", texture.rgb1, usual.rgb1);
  node.set_unless("rgb2", texture.rgb2, usual.rgb2);
  node.set_unless("width", texture.width, 0);
  node.set_unless("height", texture.height, 0);
}

void write_material(const Material& material, MjcfExport* out, MjcfNode* asset) {
  const Material usual;
  MjcfNode& node = asset->add("material");
  node.set("name", out->declare("material", material.name));
  if (!material.texture.empty()) out->refer("texture", "texture", material.texture, material.name, &node);
  node.set_unless("rgba", material.rgba, usual.rgba);
  node.set_unless("emission", material.emission, usual.emission);
  node.set_unless("specular", material.specular, usual.specular);
  node.set_unless("shininess", material.shininess, usual.shininess);
  node.set_unless("reflectance", material.reflectance, usual.reflectance);
  node.set_unless("metallic", material.metallic, usual.metallic);
  node.set_unless("roughness", material.roughness, usual.roughness);
}

// The asset that was made of a shared mesh, hull or terrain before; empty if there is none.
std::string made_before(const void* source, const MjcfExport& out) {
  for (const ExportedMesh& mesh : out.meshes)
    if (mesh.source == source) return mesh.name;
  return {};
}

std::string obj_text(const std::vector<Vec3>& vertices, const std::vector<Triangle>& triangles) {
  std::string text;
  for (const Vec3& v : vertices) text += format("v {} {} {}\n", v.x(), v.y(), v.z());
  for (const Triangle& t : triangles) text += format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

std::string file_name(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return out;
}

std::string write_mesh(const std::string& shape, const std::vector<Vec3>& vertices,
                       const std::vector<Triangle>& triangles, const void* source, bool is_hull,
                       MjcfExport* out, MjcfNode* asset) {
  const std::string before = made_before(source, *out);
  if (!before.empty()) return before;
  const std::string name = out->make_up("mesh", shape);
  out->meshes.push_back({name, source});
  MjcfNode& node = asset->add("mesh");
  // The body has its own inertia; with these modes MuJoCo never refuses the mesh.
  node.set("name", name).set("inertia", is_hull ? "convex" : "shell");
  const auto is_rounded = [](const Vec3& v) { return v != rounded_to_single(v); };
  if (std::any_of(vertices.begin(), vertices.end(), is_rounded))
    out->approximate("mesh", "vertex", shape, "readers keep vertices in single precision");
  if (!out->mesh_folder.empty()) {
    std::string file = file_name(name);
    while (out->mesh_files.count(file + ".obj") > 0) file += "_";
    out->mesh_files[file + ".obj"] = obj_text(vertices, triangles);
    node.set("file", out->mesh_folder + "/" + file + ".obj");
    return name;
  }

  std::vector<double> numbers;
  for (const Vec3& v : vertices) numbers.insert(numbers.end(), v.data(), v.data() + 3);
  constexpr std::size_t kFewestNumbers = 12;  // four vertices, of which one may be there twice
  while (numbers.size() < kFewestNumbers) numbers.insert(numbers.end(), numbers.end() - 3, numbers.end());
  node.set("vertex", std::span<const double>(numbers));
  std::string faces;
  for (const Triangle& t : triangles)
    faces += format("{}{} {} {}", faces.empty() ? "" : " ", t[0], t[1], t[2]);
  node.set("face", faces);
  return name;
}

// Readers bring the numbers to [0, 1] and scale them by the elevation, so what is written is the terrain
// between its lowest and its highest point; returns how far the lowest is above z = 0.
double write_height_field(const std::string& shape, const SharedHeightField& field, std::string* name,
                          MjcfExport* out, MjcfNode* asset) {
  const auto [low, high] = std::minmax_element(field->heights.begin(), field->heights.end());
  *name = made_before(field.get(), *out);
  if (!name->empty()) return *low;
  *name = out->make_up("hfield", shape);
  out->meshes.push_back({*name, field.get()});
  const HeightFieldSize& size = field->size;
  std::vector<double> picture;  // its first row lies at +y
  for (int row = field->rows - 1; row >= 0; --row)
    for (int col = 0; col < field->cols; ++col) picture.push_back(field->height(row, col));
  asset->add("hfield")
      .set("name", *name)
      .set("nrow", field->rows)
      .set("ncol", field->cols)
      .set("size", std::array<double, 4>{size.radius_x, size.radius_y,
                                         *high > *low ? *high - *low : size.elevation, size.base + *low})
      .set("elevation", std::span<const double>(picture));
  return *low;
}

void write_properties(const ShapeProperties& properties, const std::string& owner, MjcfExport* out,
                      MjcfNode* geom) {
  const ShapeProperties usual;
  geom->set_unless("contype", properties.collides ? properties.contype : 0, usual.contype);
  geom->set_unless("conaffinity", properties.collides ? properties.conaffinity : 0, usual.conaffinity);
  geom->set_unless("condim", properties.condim, usual.condim);
  geom->set_unless("priority", properties.priority, usual.priority);
  geom->set_unless("friction", properties.friction, usual.friction);
  geom->set_unless("solmix", properties.solmix, usual.solmix);
  geom->set_unless("solref", properties.solref, usual.solref);
  geom->set_unless("solimp", properties.solimp, usual.solimp);
  geom->set_unless("margin", properties.margin, usual.margin);
  geom->set_unless("gap", properties.gap, usual.gap);
  geom->set_unless("group", properties.group, usual.group);
  geom->set_unless("rgba", properties.rgba, usual.rgba);
  geom->set_unless("fluidshape", properties.fluid_shape, usual.fluid_shape);
  geom->set_unless("fluidcoef", properties.fluid_coefficients, usual.fluid_coefficients);
  if (!properties.material.empty()) out->refer("material", "material", properties.material, owner, geom);
}

// Type and size of a geom; one overload per shape. A shape that is not centred on the frame of its geom moves
// X.
struct GeomWriter {
  const PlacedShape& placed;
  const ShapeProperties& properties;
  MjcfExport* out;
  MjcfNode* asset;
  MjcfNode* geom;
  Pose* X;

  void operator()(const Sphere& s) const { put_size(s.radius); }
  void operator()(const Box& s) const { put_size(s.half_extents); }
  void operator()(const Cylinder& s) const { put_size(std::array<double, 2>{s.radius, s.length / 2}); }
  void operator()(const Capsule& s) const { put_size(std::array<double, 2>{s.radius, s.length / 2}); }
  void operator()(const Ellipsoid& s) const { put_size(s.radii); }
  void operator()(const Superellipsoid&) const {}  // MuJoCo has none
  void operator()(const HalfSpace&) const {
    geom->set("type", "plane").set("size", Vec3(0, 0, 1));  // without edges; the last is for display
  }
  void operator()(const SharedHull& hull) const {
    geom->set("type", "mesh")
        .set("mesh", write_mesh(placed.name, hull->vertices, hull->triangles, hull.get(), true, out, asset));
  }
  void operator()(const SharedMesh& mesh) const {
    geom->set("type", "mesh")
        .set("mesh", write_mesh(placed.name, mesh->vertices, mesh->triangles, mesh.get(), false, out, asset));
    if (properties.collides)
      out->approximate("geom", "mesh", placed.name, "it is the convex hull of a mesh that collides");
    if (mesh->tets != nullptr)
      out->ignore("geom", "mesh", placed.name, "the tetrahedra of the mesh: its surface is written");
  }
  void operator()(const SharedHeightField& field) const {
    std::string name;
    const double lowest = write_height_field(placed.name, field, &name, out, asset);
    geom->set("type", "hfield").set("hfield", name);
    *X = *X * translation(0, 0, lowest);
  }

 private:
  // These have the same name in MJCF.
  template <class Size>
  void put_size(const Size& size) const {
    geom->set("type", row_of(placed.shape).key).set("size", size);
  }
};

}  // namespace

void write_assets(MjcfExport* out, MjcfNode* asset) {
  for (const Texture& texture : out->model.elements.textures) write_texture(texture, out, asset);
  for (const Material& material : out->model.elements.materials) write_material(material, out, asset);
}

void write_geom(int index, MjcfExport* out, MjcfNode* body, MjcfNode* asset) {
  const Model& model = out->model;
  const PlacedShape& placed = model.shapes[std::size_t(index)];
  const Shape& shape = placed.shape;
  const ShapeProperties properties =
      model.elements.shapes.empty() ? ShapeProperties() : model.elements.shapes[std::size_t(index)];
  const bool is_ground =
      std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<SharedHeightField>(shape);
  if (is_ground && model.forest.places[std::size_t(placed.body)].node >= 0)
    return out->ignore("geom", "type", placed.name, "planes and terrains do not move in MuJoCo");
  if (std::holds_alternative<Superellipsoid>(shape))
    return out->ignore("geom", "type", placed.name, "MuJoCo has no superellipsoids");

  if (placed.rounding > 0.0)
    out->approximate("geom", "size", placed.name, "its edges are not rounded in MuJoCo");

  if (placed.contact.pressure_modulus)
    out->ignore("geom", "", placed.name, "MuJoCo has no pressure fields: it touches at points there");

  MjcfNode& geom = body->add("geom");
  geom.set("name", out->declare("geom", placed.name));
  Pose X = placed.X_BS;
  std::visit(GeomWriter{placed, properties, out, asset, &geom, &X}, shape);
  geom.set_pose(X);
  write_properties(properties, placed.name, out, &geom);
}

}  // namespace stiction
