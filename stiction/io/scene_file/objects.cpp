#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/io/mesh/mesh_file.h"
#include "stiction/io/scene_file/parts.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

// Meshes that were read, by file, scale and what they collide as: objects of one file share it.
using KnownMeshes = std::map<std::tuple<std::string, double, std::optional<bool>>, Shape>;

Shape read_mesh_shape(const SceneSource& source, const SceneTable& table, KnownMeshes* known) {
  const std::filesystem::path file = source.path_of(table, "file");
  const KnownMeshes::key_type key(file.string(), table.positive("scale").value_or(1.0), table.flag("convex"));
  const auto found = known->find(key);
  if (found != known->end()) return found->second;
  TriangleMesh mesh = table.located("file", [&] { return read_mesh(file); });
  const double scale = table.positive("scale").value_or(1.0);
  mesh = transformed(std::move(mesh), scale * Mat3::Identity(), Vec3::Zero());
  // A volume of tetrahedra is there for what is not convex.
  const bool is_convex = table.flag("convex").value_or(mesh.tets == nullptr);
  Shape shape = SharedMesh();
  if (is_convex)
    shape =
        table.located("file", [&] { return std::make_shared<const ConvexHull>(convex_hull(mesh.vertices)); });
  else
    shape = std::make_shared<const TriangleMesh>(std::move(mesh));
  return known->emplace(key, shape).first->second;
}

Vec3 needed_vector(const SceneTable& table, const char* key) {
  const std::optional<Vec3> found = table.vector(key);
  if (!found) table.fail(format("this shape needs '{}'", key));
  return *found;
}

// The keys that say the size of each shape.
struct ShapeWord {
  const char* word;
  std::vector<const char*> keys;
};
const std::vector<ShapeWord>& shape_words() {
  static const std::vector<ShapeWord> words = {
      {"box", {"size"}},
      {"sphere", {"radius"}},
      {"capsule", {"radius", "length"}},
      {"cylinder", {"radius", "length"}},
      {"ellipsoid", {"radii"}},
      {"superellipsoid", {"radii", "exponents"}},
      {"mesh", {"file", "scale", "convex"}},
  };
  return words;
}

// A size that the shape does not have would be dropped silently.
void check_shape_keys(const SceneTable& table, const std::string& word) {
  std::vector<std::string> names;
  const ShapeWord* found = nullptr;
  for (const ShapeWord& one : shape_words()) {
    names.push_back(one.word);
    if (word == one.word) found = &one;
  }
  if (found == nullptr) table.fail("shape", unknown_word_message("shape", word, names));
  for (const ShapeWord& one : shape_words()) {
    for (const char* key : one.keys) {
      bool is_own = false;
      for (const char* own : found->keys) is_own = is_own || std::string_view(own) == key;
      if (!is_own && table.has(key)) table.fail(key, format("a {} has no '{}'", word, key));
    }
  }
}

Shape read_shape(const SceneSource& source, const SceneTable& table, KnownMeshes* known) {
  const std::string word = table.needed_text("shape");
  check_shape_keys(table, word);
  if (word == "box") return Box{0.5 * needed_vector(table, "size")};
  if (word == "sphere") return Sphere{table.needed_positive("radius")};
  if (word == "capsule") return Capsule{table.needed_positive("radius"), table.needed_positive("length")};
  if (word == "cylinder") return Cylinder{table.needed_positive("radius"), table.needed_positive("length")};
  if (word == "ellipsoid") return Ellipsoid{needed_vector(table, "radii")};
  if (word == "superellipsoid") {
    const std::vector<double> e = table.numbers("exponents", 2).value_or(std::vector<double>{1.0, 1.0});
    return Superellipsoid{needed_vector(table, "radii"), e[0], e[1]};
  }
  return read_mesh_shape(source, table, known);
}

struct Copies {
  int count[3] = {1, 1, 1};
  Vec3 spacing = Vec3::Zero();
  int total() const { return count[0] * count[1] * count[2]; }
};

Copies read_copies(const SceneSource& source, const SceneTable& table, int already) {
  Copies copies;
  if (const auto count = table.numbers("count", 3)) {
    double total = 1.0;
    for (int i = 0; i < 3; ++i) {
      const double n = (*count)[std::size_t(i)];
      if (!(n >= 1.0 && n == std::floor(n) && n <= source.options.max_objects))
        table.fail("count", format("'count' must be whole numbers from 1 on, not {}", n));
      total *= n;
      copies.count[i] = static_cast<int>(n);
    }
    if (total + already > source.options.max_objects)
      table.fail("count", format("these are more than {} objects", source.options.max_objects));
    if (total > 1.0 && !table.has("spacing")) table.fail("copies need their 'spacing'");
  }
  if (already >= source.options.max_objects)
    table.fail(format("there are more than {} objects", source.options.max_objects));
  copies.spacing = table.vector("spacing").value_or(Vec3::Zero());
  return copies;
}

double read_density(const SceneTable& table, const Shape& shape) {
  if (table.has("mass") && table.has("density"))
    table.fail("mass", "only one of 'mass' and 'density' may be given");
  if (const auto mass = table.positive("mass")) return *mass / volume(shape);
  return table.positive("density").value_or(1000.0);
}

void set_surface(const SceneSource& source, const SceneTable& table, const std::string& shape,
                 ModelBuilder* builder) {
  if (table.has("material")) builder->set_material(shape, find_material(source, table));
  if (const auto v = table.vector("surface_velocity")) builder->set_surface_velocity(shape, *v);
}

void add_object(const SceneSource& source, const SceneTable& table, const std::string& name, const Pose& X_WB,
                const Shape& shape, ModelBuilder* builder) {
  const double rounding = table.not_negative("rounding").value_or(0.0);
  if (table.flag("fixed").value_or(false)) {
    for (const char* key : {"mass", "density", "velocity", "angular_velocity"})
      if (table.has(key)) table.fail(key, format("what is fixed has no '{}'", key));
    builder->add_shape(name, "world", X_WB, shape, rounding);
  } else {
    const double density = read_density(table, shape);
    const std::string defect = shape_defect(shape);
    if (!defect.empty()) table.fail(format("object '{}': the {} {}", name, name_of(shape), defect));
    const Inertia inertia = Inertia{} + solid_inertia(shape, density).in_frame(Pose{});
    builder->add_free_body(name, X_WB, inertia);
    builder->add_shape(name, name, Pose{}, shape, rounding);
    const auto w = table.vector("angular_velocity"), v = table.vector("velocity");
    const Vec3 spin = w.value_or(Vec3::Zero()), speed = v.value_or(Vec3::Zero());
    if (w || v)
      builder->set_initial_velocity(name, {spin[0], spin[1], spin[2], speed[0], speed[1], speed[2]});
  }
  set_surface(source, table, name, builder);
}

}  // namespace

void add_grounds(const SceneSource& source, ModelBuilder* builder) {
  for (const SceneTable& table : source.list("ground")) {
    const std::string name = table.text("name").value_or("ground");
    Pose X_WS = table.pose();
    if (const auto normal = table.vector("normal")) {
      if (table.has("rpy") || table.has("quaternion") || table.has("rotation"))
        table.fail("normal",
                   "only one of 'normal', 'rpy', 'quaternion' and 'rotation' may say how it is turned");
      if (!(normal->norm() > 0.0)) table.fail("normal", "'normal' must have a length");
      X_WS.R = *normal == Vec3::UnitZ() ? Mat3::Identity() : frame_with_z(normal->normalized());
    }
    table.located("", [&] {
      builder->add_shape(name, "world", X_WS, HalfSpace{});
      set_surface(source, table, name, builder);
    });
  }
}

void add_objects(const SceneSource& source, ModelBuilder* builder) {
  int objects = 0;
  KnownMeshes known;
  for (const SceneTable& table : source.list("object")) {
    const std::string name = table.needed_text("name");
    const Copies copies = read_copies(source, table, objects);
    const Shape shape = read_shape(source, table, &known);
    const Pose first = table.pose();
    const bool is_one = !table.has("count");
    int number = 0;
    for (int k = 0; k < copies.count[2]; ++k) {
      for (int j = 0; j < copies.count[1]; ++j) {
        for (int i = 0; i < copies.count[0]; ++i, ++number) {
          Pose X_WB = first;
          X_WB.p += copies.spacing.cwiseProduct(Vec3(i, j, k));
          const std::string own = is_one ? name : name + std::to_string(number);
          table.located("", [&] { add_object(source, table, own, X_WB, shape, builder); });
        }
      }
    }
    objects += copies.total();
  }
}

}  // namespace stiction
