#include <algorithm>

#include "stiction/io/name_pattern.h"
#include "stiction/io/scene_file/parts.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/model/overrides.h"

namespace stiction {
namespace {

// Pairs of an overlap and a force; what they must be like, check_material says.
std::vector<ForcePoint> read_force_table(const SceneTable& table) {
  std::vector<ForcePoint> points;
  const TomlValue* list = table.value("force_table");
  if (list == nullptr) return points;
  if (list->kind != TomlValue::Kind::list)
    table.fail("force_table", "'force_table' must be a list of [m, N]");
  for (const TomlValue& item : list->items) {
    const bool is_pair = item.kind == TomlValue::Kind::list && item.items.size() == 2 &&
                         item.items[0].is_number() && item.items[1].is_number();
    if (!is_pair) table.fail("force_table", "'force_table' must be a list of [m, N]");
    points.push_back({item.items[0].number, item.items[1].number});
  }
  return points;
}

ContactMaterial read_material(const SceneTable& table) {
  ContactMaterial material;
  material.stiffness = table.positive("stiffness");
  material.force_table = read_force_table(table);
  material.modulus = table.positive("modulus");
  material.barrier_stiffness = table.positive("barrier_stiffness");
  material.barrier_energy = table.positive("barrier_energy");
  material.barrier_distance = table.positive("barrier_distance");
  material.dissipation = table.not_negative("dissipation");
  material.relaxation_time = table.not_negative("relaxation_time");
  material.static_friction = table.not_negative("static_friction");
  material.dynamic_friction = table.not_negative("dynamic_friction");
  if (const auto mu = table.not_negative("friction")) {
    if (table.has("static_friction")) table.fail("friction", "'friction' and 'static_friction' say the same");
    material.static_friction = mu;
  }
  material.anisotropy_ratio = table.not_negative("anisotropy_ratio");
  if (const auto direction = table.vector("friction_direction")) {
    if (!(direction->norm() > 0.0))
      table.fail("friction_direction", "'friction_direction' must have a length");
    material.friction_direction = *direction;
  }
  material.torsional_friction = table.not_negative("torsional_friction");
  material.rolling_friction = table.not_negative("rolling_friction");
  material.restitution = table.not_negative("restitution");
  material.max_deflection = table.positive("max_deflection");
  material.pressure_modulus = table.positive("pressure_modulus");
  material.pressure_depth = table.positive("pressure_depth");
  material.facets = table.whole("facets", 7, 37);
  return material;
}

std::vector<std::string> shape_names(const Model& model) {
  std::vector<std::string> names;
  for (const PlacedShape& shape : model.shapes) names.push_back(shape.name);
  return names;
}

std::vector<std::string> body_names(const Model& model) {
  std::vector<std::string> names;
  for (const Body& body : model.forest.bodies) names.push_back(body.name);
  return names;
}

// The shapes of one side of a pair.
std::vector<int> side(const SceneSource& source, const TomlValue& pattern,
                      const std::vector<std::string>& names) {
  if (pattern.kind != TomlValue::Kind::text)
    fail_at(source.file, pattern.place, "'shapes' must be two patterns");
  const std::vector<int> found = matching(pattern.text, names);
  if (found.empty()) fail_at(source.file, pattern.place, unknown_name_message("shape", pattern.text, names));
  return found;
}

// Two groups of shapes that do not touch, in the model itself.
void keep_apart(const std::vector<int>& first, const std::vector<int>& second, Model* model) {
  std::vector<CollisionGroup>& groups = model->elements.collision_groups;
  const std::string stem = format("pair{}", groups.size());
  CollisionGroup a, b;
  a.name = stem + "a";
  b.name = stem + "b";
  for (const int s : first) a.shapes.push_back(model->shapes[std::size_t(s)].name);
  for (const int s : second) b.shapes.push_back(model->shapes[std::size_t(s)].name);
  b.ignores = {a.name};
  groups.push_back(std::move(a));
  groups.push_back(std::move(b));
}

}  // namespace

std::map<std::string, ContactMaterial> read_materials(const SceneSource& source) {
  std::map<std::string, ContactMaterial> materials;
  const TomlEntry* found = find(source.root, "material");
  if (found == nullptr) return materials;
  if (found->value.kind != TomlValue::Kind::table)
    fail_at(source.file, found->place, "materials have names: write [material.NAME]");
  for (const TomlEntry& entry : found->value.entries) {
    const SceneTable table(entry.value, "material", source.file);
    const ContactMaterial material = read_material(table);
    const std::string owner = format("material '{}'", entry.key);
    table.located("", [&] { check_material(material, owner.c_str()); });
    materials[entry.key] = material;
  }
  return materials;
}

const ContactMaterial& find_material(const SceneSource& source, const SceneTable& table) {
  const std::string name = table.needed_text("material");
  const auto found = source.materials.find(name);
  if (found != source.materials.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : source.materials) names.push_back(entry.first);
  table.fail("material", unknown_name_message("material", name, names));
}

void assign_materials(const SceneSource& source, Model* model) {
  const std::vector<std::string> shapes = shape_names(*model), bodies = body_names(*model);
  for (const SceneTable& table : source.list("assign")) {
    const ContactMaterial& material = find_material(source, table);
    if (!table.has("shapes") && !table.has("bodies")) table.fail("[[assign]] needs 'shapes' or 'bodies'");
    std::vector<int> all = chosen(table, "shapes", "shape", shapes);
    for (const int body : chosen(table, "bodies", "body", bodies))
      for (std::size_t s = 0; s < model->shapes.size(); ++s)
        if (model->shapes[s].body == body) all.push_back(static_cast<int>(s));
    if (all.empty()) table.fail("these bodies have no shapes");
    for (const int s : all)
      table.located("material", [&] { set_material(shapes[std::size_t(s)], material, model); });
  }
}

void read_pairs(const SceneSource& source, Scene* scene) {
  constexpr std::size_t kMostPairs = 2'000;
  const std::vector<std::string> names = shape_names(scene->model);
  for (const SceneTable& table : source.list("pair")) {
    const TomlValue* shapes = table.value("shapes");
    if (shapes == nullptr) table.fail("[[pair]] needs 'shapes'");
    if (shapes->kind != TomlValue::Kind::list || shapes->items.size() != 2)
      table.fail("shapes", "'shapes' must be two patterns");
    const std::vector<int> first = side(source, shapes->items[0], names);
    const std::vector<int> second = side(source, shapes->items[1], names);
    ScenePair pair;
    pair.friction = table.not_negative("friction");
    pair.stiffness = table.positive("stiffness");
    const bool collides = table.flag("collides").value_or(true);
    if (!collides && (pair.friction || pair.stiffness))
      table.fail("shapes that do not touch have no friction");
    if (collides && !pair.friction && !pair.stiffness)
      table.fail("[[pair]] needs 'friction', 'stiffness' or 'collides = false'");
    if (!collides) {
      keep_apart(first, second, &scene->model);
      continue;
    }
    for (const int a : first) {
      for (const int b : second) {
        if (scene->model.shapes[std::size_t(a)].body == scene->model.shapes[std::size_t(b)].body) continue;
        pair.shape1 = names[std::size_t(a)];
        pair.shape2 = names[std::size_t(b)];
        scene->pairs.push_back(pair);
        if (scene->pairs.size() > kMostPairs)
          table.fail("shapes", format("these are more than {} pairs of shapes", kMostPairs));
      }
    }
  }
}

}  // namespace stiction
