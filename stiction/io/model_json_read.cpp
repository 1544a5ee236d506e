#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <Eigen/LU>
#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/shape_list.h"
#include "stiction/io/model_json.h"
#include "stiction/io/model_json_fields.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/actuation/body_forces.h"
#include "stiction/simulation/collision/collision_model.h"
#include "stiction/simulation/constraint/constraint_model.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {
namespace {

using model_json::fields;
using model_json::IsArray;
using model_json::IsList;
using model_json::IsOptional;
using model_json::IsShared;
using model_json::Words;
using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw_user_error(format("{}: {}", where, what));
}

template <class T>
void from_json(const Json& json, const std::string& where, T* value);

class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail(where_, "is not an object");
  }
  template <class T>
  void operator()(const char* key, T& value) {
    from_json(at(key), place(key), &value);
  }
  template <class T>
  void later(const char* key, T& value) {
    if (object_.contains(key)) (*this)(key, value);
  }
  const Json& at(const char* key) {
    seen_.insert(key);
    const auto found = object_.find(key);
    if (found == object_.end()) fail(where_, format("'{}' is missing", key));
    return *found;
  }
  std::string place(const char* key) const { return where_ + (where_.back() == ' ' ? "" : ".") + key; }
  void finish() const {
    for (const auto& item : object_.items())
      if (seen_.count(item.key()) == 0) fail(where_, format("'{}' is not known", item.key()));
  }

 private:
  const Json& object_;
  std::string where_;
  std::set<std::string> seen_;
};

double read_number(const Json& json, const std::string& where) {
  if (json.is_number()) return json.get<double>();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (json == "inf") return kInfinity;
  if (json == "-inf") return -kInfinity;
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  fail(where, "is not a number");
}

int read_integer(const Json& json, const std::string& where) {
  if (!json.is_number_integer()) fail(where, "is not an integer");
  const auto wide = json.get<long long>();
  const bool fits = wide >= std::numeric_limits<int>::min() && wide <= std::numeric_limits<int>::max();
  if (!fits || json.get<double>() > 9e18) fail(where, "is too large");
  return int(wide);
}

const Json& checked_list(const Json& json, const std::string& where, std::size_t count) {
  if (!json.is_array()) fail(where, "is not a list");
  if (json.size() != count) fail(where, format("has {} elements, not {}", json.size(), count));
  return json;
}

std::string item_place(const std::string& where, std::size_t i) { return format("{}[{}]", where, i); }

template <class T>
void from_json(const Json& json, const std::string& where, T* value) {
  if constexpr (std::is_same_v<T, double>) {
    *value = read_number(json, where);
  } else if constexpr (std::is_same_v<T, int>) {
    *value = read_integer(json, where);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) fail(where, "is not true or false");
    *value = json.get<bool>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) fail(where, "is not a text");
    *value = json.get<std::string>();
  } else if constexpr (std::is_enum_v<T>) {
    std::size_t index = 0;
    for (const char* word : Words<T>::list) {
      if (json == word) {
        *value = static_cast<T>(index);
        return;
      }
      ++index;
    }
    fail(where, format("{} is not one of the words that may stand here", json.dump()));
  } else if constexpr (std::is_same_v<T, Mat3>) {
    checked_list(json, where, 3);
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3 row;
      from_json(json[i], item_place(where, i), &row);
      value->row(Eigen::Index(i)) = row;
    }
  } else if constexpr (std::is_same_v<T, Vec3> || std::is_same_v<T, Vec4> || std::is_same_v<T, VecX>) {
    if constexpr (std::is_same_v<T, VecX>) {
      if (!json.is_array()) fail(where, "is not a list");
      value->resize(Eigen::Index(json.size()));
    }
    checked_list(json, where, std::size_t(value->size()));
    for (std::size_t i = 0; i < json.size(); ++i)
      (*value)[Eigen::Index(i)] = read_number(json[i], item_place(where, i));
  } else if constexpr (IsList<T>::value || IsArray<T>::value) {
    if constexpr (IsList<T>::value) {
      if (!json.is_array()) fail(where, "is not a list");
      value->resize(json.size());
    }
    checked_list(json, where, value->size());
    for (std::size_t i = 0; i < json.size(); ++i) from_json(json[i], item_place(where, i), &(*value)[i]);
  } else if constexpr (IsOptional<T>::value) {
    if (json.is_null()) {
      value->reset();
    } else {
      value->emplace();
      from_json(json, where, &**value);
    }
  } else if constexpr (IsShared<T>::value) {
    typename IsShared<T>::Type thing;
    from_json(json, where, &thing);
    *value = std::make_shared<const typename IsShared<T>::Type>(std::move(thing));
  } else {
    Reader reader(json, where);
    fields(reader, *value);
    reader.finish();
  }
}

// Every index of a hull is in range, so that a search along its edges stays inside.
void check_hull(const ConvexHull& hull, const std::string& where) {
  const auto check = [&](bool good, const char* what) {
    if (!good) fail(where, format("{} are not those of a hull", what));
  };
  const auto in = [](int i, std::size_t size) { return i >= 0 && std::size_t(i) < size; };
  for (const HullFace& face : hull.faces)
    check(0 <= face.begin && face.begin <= face.end && std::size_t(face.end) <= hull.corners.size(), "faces");
  for (const HullCorner& corner : hull.corners)
    check(in(corner.vertex, hull.vertices.size()) && in(corner.edge, hull.edges.size()) &&
              in(corner.across, hull.faces.size()),
          "corners");
  for (const HullEdge& edge : hull.edges)
    check(in(edge.vertices[0], hull.vertices.size()) && in(edge.vertices[1], hull.vertices.size()) &&
              in(edge.faces[0], hull.faces.size()) && in(edge.faces[1], hull.faces.size()),
          "edges");
  const std::vector<int>& begin = hull.neighbour_begin;
  check(begin.size() == hull.vertices.size() + 1 && begin.front() == 0 &&
            std::size_t(begin.back()) == hull.neighbours.size() && std::is_sorted(begin.begin(), begin.end()),
        "neighbours");
  for (const int i : hull.neighbours) check(in(i, hull.vertices.size()), "neighbours");
}

// Tetrahedra are those of the surface, with indices in range.
void check_tets(const TriangleMesh& mesh, const std::string& where) {
  if (mesh.tets == nullptr) return;
  MeshReport report;
  TetVolume volume = *mesh.tets;
  repair(&volume, &report);
  if (report.out_of_range_tets + report.nonfinite_tets + report.degenerate_tets > 0 || volume.tets.empty())
    fail(where, format("the tetrahedra of a mesh are not sound: {}", describe(report)));
  if (!mesh_defect(mesh).empty() || !is_surface_of(mesh, *mesh.tets))
    fail(where, "the triangles of a mesh are not the surface of its tetrahedra");
}

template <class T>
std::vector<std::shared_ptr<const T>> read_shared(const Json& json, const std::string& where) {
  std::vector<T> things;
  from_json(json, where, &things);
  std::vector<std::shared_ptr<const T>> list;
  for (T& thing : things) list.push_back(std::make_shared<const T>(std::move(thing)));
  return list;
}

template <class T>
std::shared_ptr<const T> shared_at(const std::vector<std::shared_ptr<const T>>& list, Reader* reader,
                                   const char* key) {
  const std::string where = reader->place(key);
  const int index = read_integer(reader->at(key), where);
  if (index < 0 || std::size_t(index) >= list.size()) fail(where, format("there is no number {}", index));
  return list[std::size_t(index)];
}

struct ShapesReader {
  std::vector<SharedHull> hulls;
  std::vector<SharedMesh> meshes;
  std::vector<SharedHeightField> height_fields;

  // What shapes refer to.
  void read_lists(Reader* reader) {
    hulls = read_shared<ConvexHull>(reader->at("hulls"), reader->place("hulls"));
    meshes = read_shared<TriangleMesh>(reader->at("meshes"), reader->place("meshes"));
    height_fields = read_shared<HeightField>(reader->at("height_fields"), reader->place("height_fields"));
    for (const SharedHull& hull : hulls) check_hull(*hull, reader->place("hulls"));
    for (const SharedMesh& mesh : meshes) check_tets(*mesh, reader->place("meshes"));
  }

  template <class T>
  Shape read_as(Reader* reader) const {
    if constexpr (std::is_same_v<T, SharedHull>)
      return shared_at(hulls, reader, "hull");
    else if constexpr (std::is_same_v<T, SharedMesh>)
      return shared_at(meshes, reader, "mesh");
    else if constexpr (std::is_same_v<T, SharedHeightField>)
      return shared_at(height_fields, reader, "height_field");
    else {
      T shape;
      fields(*reader, shape);
      return shape;
    }
  }

  // The shape with this index in the variant.
  template <std::size_t i = 0>
  Shape read_at(std::size_t index, Reader* reader) const {
    if (index == i) return read_as<std::variant_alternative_t<i, Shape>>(reader);
    if constexpr (i + 1 < std::variant_size_v<Shape>) return read_at<i + 1>(index, reader);
    STICTION_ASSERT(false);
    return {};
  }

  Shape read(const Json& json, const std::string& where) const {
    Reader reader(json, where);
    std::string type;
    reader("type", type);
    const ShapeRow* row = row_with_key(type);
    if (row == nullptr) fail(where, format("'{}' is not a type of shape", type));
    const Shape shape = read_at(row->index, &reader);
    reader.finish();
    const std::string defect = shape_defect(shape);
    if (!defect.empty()) fail(where, format("the {} {}", name_of(shape), defect));
    return shape;
  }
};

const Pose& pose_in_body(const Frame& frame) { return frame.X_BF; }
const Pose& pose_in_body(const PlacedShape& shape) { return shape.X_BS; }

bool is_pose(const Pose& X) {
  constexpr double kNotARotation = 1e-6;  // entries of R'R - 1; rounded input passes
  return X.R.allFinite() && X.p.allFinite() && X.R.determinant() > 0.0 &&
         (X.R.transpose() * X.R - Mat3::Identity()).norm() < kNotARotation;
}

// Names are unique, and the body that each thing is attached to exists.
template <class Thing>
void check_placed(const std::vector<Thing>& things, std::size_t num_bodies, const std::string& where) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < things.size(); ++i) {
    const std::string place = item_place(where, i);
    if (!names.insert(things[i].name).second)
      fail(place, format("the name '{}' is there twice", things[i].name));
    if (things[i].body < 0 || std::size_t(things[i].body) >= num_bodies)
      fail(place, format("there is no body {}", things[i].body));
    if (!is_pose(pose_in_body(things[i]))) fail(place, "the pose is not a finite place and a rotation");
  }
}

void check_names(const std::vector<Body>& bodies, const std::string& where) {
  std::set<std::string> body_names, joint_names;
  for (const Body& body : bodies) {
    if (!body_names.insert(body.name).second) fail(where, format("body '{}' is there twice", body.name));
    for (const Joint& joint : body.joints)
      if (!joint_names.insert(joint.name).second)
        fail(where, format("joint '{}' is there twice", joint.name));
  }
}

// What elements name must exist, and shapes have the pressure fields that are asked for, so that a model that was read can
// be simulated.
void check_elements(const Model& model, const std::string& where) {
  try {
    const ActuationModel actuation(model);
    const BodyForcesModel body_forces(model);
    const ConstraintModel constraints(model, actuation);
    const SensorModel sensors(model);
    const auto has_field = [](const PlacedShape& shape) {
      return shape.contact.pressure_modulus.has_value();
    };
    if (std::any_of(model.shapes.begin(), model.shapes.end(), has_field)) make_collision_model(model);
  } catch (const UserError& error) {
    fail(where, error.what());
  }
}

// `thing` as in "stiction_model".
void check_format(const FileFormat& known, const std::string& thing, const std::string& file,
                  Reader* reader) {
  std::string kind;
  double version = 0.0;
  (*reader)("format", kind);
  if (kind != "stiction_" + thing) fail(file, format("'{}' is not the format of a {}", kind, thing));
  (*reader)("version", version);
  check_format_version(known, version, file);
}

Json parsed(std::string_view text, const std::string& file) {
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::exception& error) {
    fail(file, error.what());
  }
}

Model read_model(const Json& json, const std::string& file) {
  Reader reader(json, file + ": ");
  check_format(kModelJson, "model", file, &reader);

  Model model;
  std::vector<Body> bodies;
  Vec3 gravity;
  reader("name", model.name);
  reader("gravity", gravity);
  reader("bodies", bodies);
  check_names(bodies, reader.place("bodies"));
  try {
    model.forest = make_forest(std::move(bodies), gravity);
  } catch (const UserError& error) {
    fail(file, error.what());
  }
  const std::size_t num_bodies = model.forest.bodies.size();
  reader("frames", model.frames);
  check_placed(model.frames, num_bodies, reader.place("frames"));

  ShapesReader shapes;
  shapes.read_lists(&reader);
  const Json& list = reader.at("shapes");
  if (!list.is_array()) fail(reader.place("shapes"), "is not a list");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = item_place(reader.place("shapes"), i);
    Reader item(list[i], where);
    PlacedShape placed;
    item("name", placed.name);
    item("body", placed.body);
    item("X_BS", placed.X_BS);
    placed.shape = shapes.read(item.at("shape"), item.place("shape"));
    item("rounding", placed.rounding);
    if (!(placed.rounding >= 0.0 && std::isfinite(placed.rounding)))
      fail(item.place("rounding"), format("{} m is negative or not finite", placed.rounding));
    item("contact", placed.contact);
    try {
      check_material(placed.contact, format("shape '{}'", placed.name).c_str());
    } catch (const UserError& error) {
      fail(item.place("contact"), error.what());
    }
    item("surface_velocity", placed.surface_velocity);
    if (!placed.surface_velocity.allFinite()) fail(item.place("surface_velocity"), "is not finite");
    item.finish();
    model.shapes.push_back(std::move(placed));
  }
  check_placed(model.shapes, num_bodies, reader.place("shapes"));

  reader("q0", model.q0);
  if (model.q0.size() != model.num_q() || !model.q0.allFinite())
    fail(reader.place("q0"), format("is not {} finite numbers", model.num_q()));
  reader("v0", model.v0);
  if (model.v0.size() != 0 && (model.v0.size() != model.num_v() || !model.v0.allFinite()))
    fail(reader.place("v0"), format("is neither empty nor {} finite numbers", model.num_v()));
  reader("elements", model.elements);
  const std::size_t num_properties = model.elements.shapes.size();
  if (num_properties != 0 && num_properties != model.shapes.size())
    fail(reader.place("elements"),
         format("has properties of {} shapes, not of {}", num_properties, model.shapes.size()));
  for (const Keyframe& key : model.elements.keyframes)
    if ((key.q.size() != 0 && key.q.size() != model.num_q()) ||
        (key.v.size() != 0 && key.v.size() != model.num_v()))
      fail(reader.place("elements"), format("keyframe '{}' does not fit the model", key.name));
  check_elements(model, reader.place("elements"));
  reader.finish();
  return model;
}

}  // namespace

Shape shape_from_json(std::string_view text, const std::string& file) {
  const Json json = parsed(text, file);
  Reader reader(json, file + ": ");
  check_format(kShapeJson, "shape", file, &reader);
  ShapesReader shapes;
  shapes.read_lists(&reader);
  const Shape shape = shapes.read(reader.at("shape"), reader.place("shape"));
  reader.finish();
  return shape;
}

Model model_from_json(std::string_view text, const std::string& file) {
  Json json = parsed(text, file);
  OldKeys old_keys(model_json::kRenamedKeys);
  rename_old_keys(file + ": ", &json, &old_keys);
  return read_model(json, file);
}

}  // namespace stiction
