#include "stiction/io/mjcf/assets.h"

#include <algorithm>
#include <set>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/io/mesh/height_field_file.h"
#include "stiction/io/mesh/mesh_file.h"
#include "stiction/io/mjcf/builtin_mesh.h"
#include "stiction/io/mjcf/context.h"
#include "stiction/math/single_precision.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

constexpr const char* kForDisplay = "for display only; kept in the model's elements";
constexpr std::size_t kMaxInlineNumbers = 3 * kMaxMeshVertices;

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& entry : map) keys.push_back(entry.first);
  return keys;
}

Texture read_texture(const MjcfElement& element) {
  const MjcfValues values = with_class(element, "");
  element.source.ignore_all(kForDisplay);
  Texture texture;
  texture.name = values.string("name");
  texture.type = values.word("type", "cube", {"2d", "cube", "skybox"});
  texture.builtin = values.word("builtin", "none", {"none", "gradient", "checker", "flat"});
  if (values.has("file"))
    texture.file = asset_path(element, element.context->compiler.texturedir, values.string("file")).string();
  if (texture.name.empty() && !texture.file.empty())
    texture.name = std::filesystem::path(texture.file).stem().string();
  texture.name = element.context->prefix + texture.name;
  values.fill("rgb1", &texture.rgb1, 3);
  values.fill("rgb2", &texture.rgb2, 3);
  texture.width = values.integer("width", 0);
  texture.height = values.integer("height", 0);
  return texture;
}

Material read_material(const MjcfElement& element) {
  const MjcfValues values = with_class(element, "");
  element.source.ignore_all(kForDisplay);
  Material material;
  material.name = element.context->prefix + values.string("name");
  if (values.has("texture")) material.texture = element.context->prefix + values.string("texture");
  values.fill("rgba", &material.rgba, 4);
  material.emission = values.number("emission", material.emission);
  material.specular = values.number("specular", material.specular);
  material.shininess = values.number("shininess", material.shininess);
  material.reflectance = values.number("reflectance", material.reflectance);
  material.metallic = values.number("metallic", material.metallic);
  material.roughness = values.number("roughness", material.roughness);
  return material;
}

// What `make` returns, shared; its errors get the place of the asset.
template <class Make>
auto made_by(const Make& make, const MjcfValues& values) {
  try {
    return std::make_shared<const std::decay_t<decltype(make())>>(make());
  } catch (const UserError& error) {
    values.fail(error.what());
  }
}

// The meshes that geoms name, as MjcfAssets calls them.
void collect_meshes(const MjcfElement& element, std::set<std::string>* names) {
  if (element.tag == "geom" && element.find("mesh") != nullptr)
    names->insert(element.context->prefix + element.value("mesh"));
  for (const MjcfElement& child : element.children) collect_meshes(child, names);
}

TriangleMesh inline_surface(const MjcfValues& values) {
  const std::vector<double> numbers = values.numbers("vertex", 12, kMaxInlineNumbers);
  if (numbers.size() % 3 != 0) values.fail("vertex", "the number of coordinates is not a multiple of 3");
  TriangleMesh mesh;
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    mesh.vertices.push_back(rounded_to_single(Vec3(numbers[i], numbers[i + 1], numbers[i + 2])));
  if (!values.has("face")) return *made_by([&] { return surface_mesh(convex_hull(mesh.vertices)); }, values);

  const std::vector<double> corners = values.numbers("face", 3, 3 * kMaxMeshTriangles);
  if (corners.size() % 3 != 0) values.fail("face", "the number of corners is not a multiple of 3");
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    Triangle triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const double corner = corners[i + k];
      if (!(corner >= 0.0 && corner < double(mesh.vertices.size())) || corner != double(int(corner)))
        values.fail("face", format("{} is not one of the {} vertices", corner, mesh.vertices.size()));
      triangle[k] = int(corner);
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

}  // namespace

std::filesystem::path asset_path(const MjcfElement& element, const std::string& folder,
                                 const std::string& file) {
  const MjcfContext& context = *element.context;
  const std::filesystem::path name =
      context.compiler.strippath ? mjcf_path(file).filename() : mjcf_path(file);
  const std::filesystem::path usual = context.folder / mjcf_path(folder) / name;
  if (element.include_folder.empty()) return usual;
  std::error_code ignored;
  if (std::filesystem::exists(usual, ignored)) return usual;
  for (const std::filesystem::path& other :
       {context.folder / element.include_folder / name,
        context.folder / mjcf_path(folder) / element.include_folder / name,
        context.folder / element.include_folder / mjcf_path(folder) / name})
    if (std::filesystem::exists(other, ignored)) return other;
  return usual;
}

void MjcfAssets::add(const MjcfElement& element, const MjcfOptions& options, Elements* elements) {
  options_ = &options;
  if (element.tag == "mesh") {
    add_mesh(element);
  } else if (element.tag == "hfield") {
    element.source.honour();
    const MjcfValues values(element);
    std::string name = values.string("name");
    if (name.empty()) name = mjcf_path(values.string("file")).stem().string();
    if (!fields_.emplace(element.context->prefix + name, Field{values}).second)
      values.fail(format("there is already a height field '{}'", name));
  } else if (element.tag == "texture") {
    elements->textures.push_back(read_texture(element));
  } else if (element.tag == "material") {
    elements->materials.push_back(read_material(element));
  } else if (element.tag == "skin") {
    element.source.ignore_all("skins are not shown");
  } else if (element.tag == "model") {
    element.source.honour();
    element.value("name");
    element.value("file");
  }
}

void MjcfAssets::add_mesh(const MjcfElement& element) {
  element.source.honour();
  Mesh mesh{with_class(element, "")};
  const MjcfValues& values = mesh.values;
  std::string name = values.string("name");
  if (name.empty()) name = mjcf_path(values.string("file")).stem().string();
  if (name.empty()) values.fail("a mesh without a file needs a name");
  const std::string mode = values.word("inertia", "legacy", {"convex", "exact", "legacy", "shell"});
  mesh.mode = mode == "convex"  ? MeshInertia::convex
              : mode == "exact" ? MeshInertia::exact
              : mode == "shell" ? MeshInertia::shell
                                : MeshInertia::legacy;
  for (const char* unused : {"normal", "texcoord", "smoothnormal", "material"})
    values.ignore(unused, "for display only; not read");
  if (!meshes_.emplace(element.context->prefix + name, std::move(mesh)).second)
    element.source.fail(format("there is already a mesh '{}'", name));
}

MjcfAssets::Mesh& MjcfAssets::find_mesh(const std::string& name, const MjcfValues& asked_by) {
  const auto found = meshes_.find(asked_by.context().prefix + name);
  if (found == meshes_.end()) asked_by.fail("mesh", unknown_name_message("mesh", name, keys_of(meshes_)));
  found->second.used = true;
  return found->second;
}

bool MjcfAssets::is_made_by_plugin(const std::string& name, const MjcfValues& asked_by) {
  return !find_mesh(name, asked_by).values.element().children.empty();
}

void MjcfAssets::skip_mesh(const std::string& name, const MjcfValues& asked_by, std::string_view why) {
  Mesh& mesh = find_mesh(name, asked_by);
  if (mesh.surface != nullptr) return;
  mesh.values.ignore("file", why);
  for (const MjcfElement& child : mesh.values.element().children) child.source.ignore_all(why);
}

void MjcfAssets::read_ahead(const std::vector<const MjcfElement*>& worlds) {
  if (meshes_.empty() || !options_->visual_meshes || !options_->allow_files) return;
  std::set<std::string> names;
  for (const MjcfElement* world : worlds) collect_meshes(*world, &names);
  std::set<std::filesystem::path> wanted;
  for (const std::string& name : names) {
    const auto found = meshes_.find(name);
    if (found == meshes_.end() || !found->second.values.has("file")) continue;
    const MjcfValues& values = found->second.values;
    wanted.insert(asset_path(values.element(), values.context().compiler.meshdir, values.string("file")));
  }

  const std::vector<std::filesystem::path> files(wanted.begin(), wanted.end());
  std::vector<SharedMesh> surfaces(files.size());
  parallel_for(int(files.size()), 1, [&](int i) {
    try {
      surfaces[std::size_t(i)] = std::make_shared<const TriangleMesh>(read_mesh(files[std::size_t(i)]));
    } catch (const UserError&) {
      // Fails again, with its place, when something asks for it.
    }
  });
  for (std::size_t i = 0; i < files.size(); ++i)
    if (surfaces[i] != nullptr) files_.emplace(files[i], surfaces[i]);
}

TriangleMesh MjcfAssets::read_surface(const Mesh& mesh) const {
  const MjcfValues& values = mesh.values;
  TriangleMesh surface;
  if (values.has("builtin")) {
    surface = built_in_mesh(values);
  } else if (values.has("file")) {
    if (values.has("vertex")) values.fail("vertex", "the mesh has a file already");
    if (!options_->allow_files) values.fail("file", "files are not allowed here");
    const MjcfContext& context = values.context();
    const std::filesystem::path file =
        asset_path(values.element(), context.compiler.meshdir, values.string("file"));
    try {
      const auto ready = files_.find(file);
      surface = ready == files_.end() ? read_mesh(file) : *ready->second;
    } catch (const UserError& error) {
      values.fail("file", error.what());
    }
    // Colliding meshes are hulls here, which have no use for tetrahedra.
    if (surface.tets != nullptr) {
      surface.tets = nullptr;
      values.approximate("file", "the tetrahedra are left out, the mesh is their surface");
    }
    // MuJoCo keeps vertices in single precision, which shows in the mass.
    for (Vec3& vertex : surface.vertices) vertex = rounded_to_single(vertex);
    values.ignore("content_type", "the ending of the file's name decides");
  } else {
    surface = inline_surface(values);
  }

  const Vec3 scale = values.vec3("scale", Vec3::Ones()), refpos = values.vec3("refpos", Vec3::Zero());
  if (scale.cwiseAbs().minCoeff() <= 0.0) values.fail("scale", "a scale of zero leaves no volume");
  Mat3 R = Mat3::Identity();
  if (values.has("refquat")) {
    const std::vector<double> q = values.numbers("refquat", 4, 4);
    const Vec4 quaternion(q[0], q[1], q[2], q[3]);
    if (quaternion.norm() == 0.0) values.fail("refquat", "a quaternion of length zero is no rotation");
    R = rotation_from_quaternion(quaternion);
  }
  // The reference comes first, then the scale.
  const Mat3 A = scale.asDiagonal() * R.transpose();
  return transformed(std::move(surface), A, -(A * refpos));
}

SharedMesh MjcfAssets::surface(const std::string& name, const MjcfValues& asked_by) {
  Mesh& mesh = find_mesh(name, asked_by);
  if (mesh.surface == nullptr) mesh.surface = std::make_shared<const TriangleMesh>(read_surface(mesh));
  return mesh.surface;
}

SharedHull MjcfAssets::hull(const std::string& name, const MjcfValues& asked_by) {
  Mesh& mesh = find_mesh(name, asked_by);
  surface(name, asked_by);
  if (mesh.hull == nullptr) mesh.hull = std::make_shared<ConvexHull>();
  return mesh.hull;
}

HullOptions MjcfAssets::hull_options(const Mesh& mesh) const {
  HullOptions options;
  const int limit = mesh.values.integer("maxhullvert", -1);
  if (limit >= 0 && limit < 4) mesh.values.fail("maxhullvert", "must be at least 4, or -1");
  if (limit > 0) options.max_vertices = limit;
  return options;
}

void MjcfAssets::make_hulls() {
  struct Task {
    const Mesh* mesh;
    HullOptions options;
    std::string error = "";
  };
  std::vector<Task> tasks;
  for (const auto& entry : meshes_)
    if (entry.second.hull != nullptr) tasks.push_back({&entry.second, hull_options(entry.second)});
  parallel_for(int(tasks.size()), 1, [&](int i) {
    Task& task = tasks[std::size_t(i)];
    try {
      *task.mesh->hull = convex_hull(task.mesh->surface->vertices, task.options);
    } catch (const UserError& error) {
      task.error = error.what();
    }
  });
  for (const Task& task : tasks)
    if (!task.error.empty()) task.mesh->values.fail(task.error);
}

const Inertia& MjcfAssets::unit_inertia(const std::string& name, const MjcfValues& asked_by) {
  Mesh& mesh = find_mesh(name, asked_by);
  if (mesh.unit_inertia != nullptr) return *mesh.unit_inertia;
  const SharedMesh solid = surface(name, asked_by);
  mesh.unit_inertia = made_by([&] { return unit_density_inertia(*solid, mesh.mode); }, mesh.values);
  return *mesh.unit_inertia;
}

SharedHeightField MjcfAssets::height_field(const std::string& name, const MjcfValues& asked_by) {
  const auto found = fields_.find(asked_by.context().prefix + name);
  if (found == fields_.end())
    asked_by.fail("hfield", unknown_name_message("height field", name, keys_of(fields_)));
  Field& field = found->second;
  if (field.field != nullptr) return field.field;
  const MjcfValues& values = field.values;
  const std::vector<double> numbers = values.numbers("size", 4, 4);
  const HeightFieldSize size = {numbers[0], numbers[1], numbers[2], numbers[3]};
  if (values.has("file")) {
    if (!options_->allow_files) values.fail("file", "files are not allowed here");
    const MjcfContext& context = values.context();
    const auto file = asset_path(values.element(), context.compiler.meshdir, values.string("file"));
    field.field = made_by([&] { return read_height_field(file, size); }, values);
    return field.field;
  }
  const int rows = values.integer("nrow", 0), cols = values.integer("ncol", 0);
  if (rows < 2 || cols < 2 || rows > kMaxHeightFieldSide || cols > kMaxHeightFieldSide)
    values.fail(format("a height field needs a file, or nrow and ncol of 2 to {}", kMaxHeightFieldSide));
  const std::size_t count = std::size_t(rows) * std::size_t(cols);
  std::vector<double> heights(count, 0.0);
  if (values.has("elevation")) heights = values.numbers("elevation", count, count);
  field.field = made_by([&] { return stiction::height_field(rows, cols, heights, size); }, values);
  return field.field;
}

void MjcfAssets::report_unused() const {
  for (const auto& entry : meshes_)
    if (!entry.second.used) entry.second.values.element().source.ignore_all("no shape uses this mesh");
}

}  // namespace stiction
