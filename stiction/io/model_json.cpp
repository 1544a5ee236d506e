#include "stiction/io/model_json.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/geometry/shape/shape_list.h"
#include "stiction/io/model_json_fields.h"

namespace stiction {
namespace {

using model_json::fields;
using model_json::IsArray;
using model_json::IsList;
using model_json::IsOptional;
using model_json::IsShared;
using model_json::Words;
using Json = nlohmann::ordered_json;

template <class T>
Json to_json(const T& value);

struct Writer {
  Json object = Json::object();
  template <class T>
  void operator()(const char* key, const T& value) {
    object[key] = to_json(value);
  }
  template <class T>
  void later(const char* key, const T& value) {
    if constexpr (IsShared<T>::value) {
      if (value == nullptr) return;
    }
    (*this)(key, value);
  }
};

// JSON has no infinities.
Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return value;
}

template <class T>
Json to_json(const T& value) {
  if constexpr (std::is_same_v<T, double>) {
    return number_json(value);
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return Words<T>::list[static_cast<std::size_t>(value)];
  } else if constexpr (std::is_same_v<T, Mat3>) {
    Json rows = Json::array();
    for (int i = 0; i < 3; ++i) rows.push_back(to_json(Vec3(value.row(i))));
    return rows;
  } else if constexpr (std::is_same_v<T, Vec3> || std::is_same_v<T, Vec4> || std::is_same_v<T, VecX>) {
    Json list = Json::array();
    for (Eigen::Index i = 0; i < value.size(); ++i) list.push_back(number_json(value[i]));
    return list;
  } else if constexpr (IsList<T>::value || IsArray<T>::value) {
    Json list = Json::array();
    for (const auto& item : value) list.push_back(to_json(item));
    return list;
  } else if constexpr (IsOptional<T>::value) {
    return value ? to_json(*value) : Json(nullptr);
  } else if constexpr (IsShared<T>::value) {
    return to_json(*value);
  } else {
    Writer writer;
    T copy = value;  // one list of fields serves reading too, which needs members that it can set
    fields(writer, copy);
    return std::move(writer.object);
  }
}

// Meshes, hulls and terrains once each, with the places that shapes refer to.
template <class T>
struct SharedWriter {
  std::map<const T*, int> index;
  Json list = Json::array();
  int place(const std::shared_ptr<const T>& shared) {
    const auto [entry, is_new] = index.try_emplace(shared.get(), int(list.size()));
    if (is_new) list.push_back(to_json(*shared));
    return entry->second;
  }
};

struct ShapesWriter {
  SharedWriter<ConvexHull> hulls;
  SharedWriter<TriangleMesh> meshes;
  SharedWriter<HeightField> height_fields;

  Json write(const Shape& shape) {
    Json object = {{"type", row_of(shape).key}};
    object.update(std::visit([this](const auto& s) { return sizes(s); }, shape));
    return object;
  }

 private:
  template <class T>
  Json sizes(const T& shape) {
    return to_json(shape);
  }
  Json sizes(const SharedHull& hull) { return {{"hull", hulls.place(hull)}}; }
  Json sizes(const SharedMesh& mesh) { return {{"mesh", meshes.place(mesh)}}; }
  Json sizes(const SharedHeightField& field) { return {{"height_field", height_fields.place(field)}}; }
};

bool has_object(const Json& value) {
  if (value.is_object()) return true;
  if (!value.is_array()) return false;
  return std::any_of(value.begin(), value.end(), [](const Json& item) { return has_object(item); });
}

// One line for every list of numbers, one for every key.
void append_text(const Json& value, std::size_t depth, std::string* text) {
  if (!has_object(value)) {
    *text += value.dump();
    return;
  }
  const bool is_object = value.is_object();
  *text += is_object ? "{" : "[";
  bool is_first = true;
  for (const auto& item : value.items()) {
    *text += is_first ? "\n" : ",\n";
    text->append(depth + 1, ' ');
    if (is_object) *text += Json(item.key()).dump() + ": ";
    append_text(item.value(), depth + 1, text);
    is_first = false;
  }
  *text += "\n";
  text->append(depth, ' ');
  *text += is_object ? "}" : "]";
}

std::string text_of(const Json& json, const std::string& what) {
  std::string text;
  try {
    append_text(json, 0, &text);
  } catch (const Json::exception& error) {
    throw_user_error(format("{} cannot be written as JSON: {}", what, error.what()));
  }
  return text + "\n";
}

}  // namespace

std::string shape_to_json(const Shape& shape) {
  ShapesWriter writer;
  Json written = writer.write(shape);
  const Json json = {{"format", "stiction_shape"},
                     {"version", kShapeJson.version},
                     {"shape", std::move(written)},
                     {"hulls", std::move(writer.hulls.list)},
                     {"meshes", std::move(writer.meshes.list)},
                     {"height_fields", std::move(writer.height_fields.list)}};
  return text_of(json, format("a {}", name_of(shape)));
}

std::string model_to_json(const Model& model) {
  ShapesWriter writer;
  Json shapes = Json::array();
  for (const PlacedShape& placed : model.shapes)
    shapes.push_back({{"name", placed.name},
                      {"body", placed.body},
                      {"X_BS", to_json(placed.X_BS)},
                      {"shape", writer.write(placed.shape)},
                      {"rounding", placed.rounding},
                      {"contact", to_json(placed.contact)},
                      {"surface_velocity", to_json(placed.surface_velocity)}});
  const Json json = {{"format", "stiction_model"},
                     {"version", kModelJson.version},
                     {"name", model.name},
                     {"gravity", to_json(model.forest.gravity)},
                     {"bodies", to_json(model.forest.bodies)},
                     {"frames", to_json(model.frames)},
                     {"shapes", std::move(shapes)},
                     {"hulls", std::move(writer.hulls.list)},
                     {"meshes", std::move(writer.meshes.list)},
                     {"height_fields", std::move(writer.height_fields.list)},
                     {"q0", to_json(model.q0)},
                     {"v0", to_json(model.v0)},
                     {"elements", to_json(model.elements)}};
  return text_of(json, format("model '{}'", model.name));
}

void save_model_json(const Model& model, const std::filesystem::path& file) {
  write_file_bytes(file, model_to_json(model));
}

Model load_model_json(const std::filesystem::path& file) {
  return model_from_json(read_file_bytes(file), file.string());
}

}  // namespace stiction
