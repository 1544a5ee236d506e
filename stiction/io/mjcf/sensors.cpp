#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/sections.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/output/sensor_kinds.h"

namespace stiction {
namespace {

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Names of objects, which have to be there.
class ObjectReader {
 public:
  ObjectReader(const MjcfValues& values, const MjcfReferences& references, const MjcfScene& scene)
      : values_(values), references_(references), scene_(scene) {}

  void read(const std::string& type, const std::string& attribute, std::string* out_type,
            std::string* out) const {
    if (!values_.has(attribute)) return;
    *out_type = type;
    *out = name(type, attribute);
  }

 private:
  std::string name(const std::string& type, const std::string& attribute) const {
    if (is_one_of(type, {"body", "xbody", "subtree"})) return references_.require(values_, attribute, "body");
    if (is_one_of(type, {"site", "geom", "joint", "tendon", "actuator"}))
      return references_.require(values_, attribute, type);
    const std::string given = values_.string(attribute);
    if (type != "camera") return given;
    std::vector<std::string> known;
    for (const Camera& camera : scene_.elements.cameras) known.push_back(camera.name);
    if (std::find(known.begin(), known.end(), given) == known.end())
      values_.fail(attribute, unknown_name_message("camera", given, known));
    return given;
  }

  const MjcfValues& values_;
  const MjcfReferences& references_;
  const MjcfScene& scene_;
};

void read_objects(const MjcfValues& values, const ObjectReader& objects, Sensor* sensor) {
  if (sensor->kind == "insidesite") {
    objects.read(values.string("objtype"), "objname", &sensor->object_type, &sensor->object);
    objects.read("site", "site", &sensor->reference_type, &sensor->reference);
    return;
  }
  // One of these, or objtype and objname; two geoms, bodies or subtrees measure against each other.
  for (const char* type : {"site", "joint", "tendon", "actuator", "body", "camera", "geom"})
    objects.read(type, type, &sensor->object_type, &sensor->object);
  objects.read(values.string("objtype"), "objname", &sensor->object_type, &sensor->object);
  objects.read(values.string("reftype"), "refname", &sensor->reference_type, &sensor->reference);
  for (const std::string type : {"geom", "body", "subtree"}) {
    objects.read(type, type + "1", &sensor->object_type, &sensor->object);
    objects.read(type, type + "2", &sensor->reference_type, &sensor->reference);
  }
}

// A body as an object means its inertial frame, whose axes are known from the file only.
void keep_inertial_axes(const std::string& type, const std::string& name, const MjcfScene& scene,
                        Elements* elements) {
  if (type != "body") return;
  for (const InertialAxes& axes : elements->inertial_axes)
    if (axes.body == name) return;
  for (const MjcfBody& body : scene.bodies)
    if (body.body.name == name) elements->inertial_axes.push_back({name, body.R_BI});
}

bool is_mesh(const std::string& type, const std::string& name, const MjcfScene& scene) {
  if (type != "geom") return false;
  for (const PlacedShape& shape : scene.shapes)
    if (shape.name == name)
      return std::holds_alternative<SharedMesh>(shape.shape) ||
             std::holds_alternative<SharedHull>(shape.shape);
  return false;
}

bool is_left_out(const std::string& type, const std::string& name, const MjcfScene& scene) {
  return type == "geom" && std::none_of(scene.shapes.begin(), scene.shapes.end(),
                                        [&](const PlacedShape& shape) { return shape.name == name; });
}

// What the object of a sensor must be like.
void check_object(const MjcfValues& values, const Sensor& sensor, const MjcfScene& scene) {
  if (sensor.object_type == "joint") {
    for (const MjcfBody& body : scene.bodies) {
      for (const Joint& joint : body.body.joints) {
        if (joint.name != sensor.object) continue;
        if (sensor.kind.rfind("ball", 0) == 0 && joint.type != JointType::ball)
          values.fail("joint", format("'{}' is no ball joint", joint.name));
        if (is_one_of(sensor.kind, {"jointpos", "jointvel", "jointactuatorfrc"}) &&
            num_velocities(joint.type) != 1)
          values.fail("joint", format("'{}' is no hinge and no slide", joint.name));
        if (sensor.kind.rfind("jointlimit", 0) == 0 && !joint.limited)
          values.fail("joint", format("'{}' has no range", joint.name));
      }
    }
  }
  if (sensor.kind.rfind("tendonlimit", 0) == 0)
    for (const Tendon& tendon : scene.elements.tendons)
      if (tendon.name == sensor.object && !tendon.range.limited)
        values.fail("tendon", format("'{}' has no range", tendon.name));
  const bool has_no_size =
      is_one_of(sensor.kind, {"ballquat", "framequat", "framexaxis", "frameyaxis", "framezaxis"});
  if (has_no_size && sensor.cutoff > 0.0) values.fail("cutoff", "directions and rotations have no cutoff");
  const bool is_between = is_one_of(sensor.kind, {"distance", "normal", "fromto"});
  if (is_between && sensor.object_type == sensor.reference_type && sensor.object == sensor.reference)
    values.fail(format("'{}' has no distance from itself", sensor.object));
  const int rows = values.integer("dim", 1);
  const std::string datatype = values.string("datatype");
  if ((datatype == "quaternion" && rows != 4) || (datatype == "axis" && rows != 3))
    values.fail("dim", format("{} are not the numbers of the datatype '{}'", rows, datatype));
}

// What differs from MuJoCo's reading.
void report_differences(const Sensor& sensor, const MjcfScene& scene, const MjcfValues& values) {
  constexpr const char* kFrameOfMesh = "the frame of a mesh is that of its file, not of its inertia";
  if (sensor.kind.rfind("frame", 0) == 0 || sensor.kind == "insidesite") {
    if (is_mesh(sensor.object_type, sensor.object, scene)) values.approximate("objname", kFrameOfMesh);
    if (is_mesh(sensor.reference_type, sensor.reference, scene)) values.approximate("refname", kFrameOfMesh);
  }
  if (sensor.kind == "rangefinder")
    values.approximate("site", "meshes that collide are met as their convex hulls, and planes have no edge");
  for (const char* name : {"nsample", "interp", "delay", "interval"})
    values.ignore(name, "sensors have no memory: they are read when they are asked");
  values.ignore("user", kNotUsed);
}

}  // namespace

void read_sensor(const MjcfElement& element, const MjcfReferences& references, const MjcfScene& scene,
                 Elements* elements) {
  const MjcfValues values(element);
  Sensor sensor;
  sensor.name = values.string("name");
  sensor.kind = element.tag;
  read_objects(values, ObjectReader(values, references, scene), &sensor);
  sensor.cutoff = values.number("cutoff", 0.0);
  sensor.noise = values.number("noise", 0.0);
  sensor.data = words_of(values.string("data"));
  if (values.boolean("enclosed", false)) sensor.data = {"enclosed"};
  sensor.count = values.integer("num", 1);
  sensor.reduce = values.word("reduce", "none", {"none", "mindist", "maxforce", "netforce"});

  check_object(values, sensor, scene);

  for (const auto& [type, name] :
       {std::pair(sensor.object_type, sensor.object), std::pair(sensor.reference_type, sensor.reference)}) {
    if (is_left_out(type, name, scene)) return element.source.ignore_all("its geom is left out");
    if (sensor.kind.rfind("frame", 0) == 0) keep_inertial_axes(type, name, scene, elements);
  }
  const std::string why = why_not_simulated(sensor, scene.elements.cameras);
  if (why.empty()) {
    element.source.honour();
    report_differences(sensor, scene, values);
  } else {
    element.source.ignore_all(why + "; kept in the model's elements");
  }
  elements->sensors.push_back(std::move(sensor));
}

}  // namespace stiction
