#include "stiction/simulation/output/sensor_model.h"

#include <algorithm>
#include <charconv>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/triangle_mesh.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

const Camera* find_camera(const std::vector<Camera>& cameras, const std::string& name) {
  const auto found =
      std::find_if(cameras.begin(), cameras.end(), [&](const Camera& c) { return c.name == name; });
  return found == cameras.end() ? nullptr : &*found;
}

// Looks up the names of one sensor.
class Resolver {
 public:
  Resolver(const Model& model, SensorModel* out) : model_(model), out_(out) {}

  ResolvedSensor resolve(const Sensor& sensor);

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw_user_error(
        format("model '{}': sensor '{}' ({}): {}", model_.name, sensor_->name, sensor_->kind, what));
  }
  void resolve_object(ResolvedSensor* s);
  int joint(bool is_ball) const;
  int limited_joint() const;
  template <class Item>
  int named(const std::vector<Item>& items, const char* what) const;
  SensorFrame frame(const std::string& type, const std::string& name) const;
  SensorFrame placed(int body, const Pose& X_BF) const;
  int zone(const std::string& site);
  SensorRange subtree(int body);
  SensorRange bodies_below(int body);
  SensorRange actuators_on_tendon(const std::string& tendon);
  SensorRange visible_shapes(int except_body);
  SensorRange shapes_of(const std::string& type, const std::string& name);
  void resolve_contact(ResolvedSensor* s);
  std::vector<int> subtree_bodies(int body) const;

  const Model& model_;
  SensorModel* out_;
  const Sensor* sensor_ = nullptr;
};

template <class Item>
int Resolver::named(const std::vector<Item>& items, const char* what) const {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == sensor_->object) return static_cast<int>(i);
  fail(format("there is no {} '{}'", what, sensor_->object));
}

int Resolver::joint(bool is_ball) const {
  const int index = model_.joint(sensor_->object);
  const JointIndices& place = model_.forest.joints[index];
  if (is_ball != (model_.forest.joint(index).type == JointType::ball) || (!is_ball && place.num_v != 1))
    fail(format("joint '{}' {}", sensor_->object, is_ball ? "is not a ball" : "does not have one position"));
  return index;
}

int Resolver::limited_joint() const {
  const int index = model_.joint(sensor_->object);
  const Joint& j = model_.forest.joint(index);
  if (j.type != JointType::ball && model_.forest.joints[index].num_v != 1)
    fail(format("joint '{}' is neither a ball nor has one position", sensor_->object));
  return index;
}

SensorFrame Resolver::placed(int body, const Pose& X_BF) const {
  const Mat3 R = model_.forest.places[body].X_NB.R * X_BF.R;
  return {body, X_BF, quaternion_from_rotation(R)};
}

SensorFrame Resolver::frame(const std::string& type, const std::string& name) const {
  if (type == "xbody") return placed(model_.body(name), {});
  if (type == "body") {
    // MJCF's inertial frame.
    const int body = model_.body(name);
    Pose X_BI{Mat3::Identity(), model_.forest.bodies[body].inertia.com};
    for (const InertialAxes& axes : model_.elements.inertial_axes)
      if (axes.body == name) X_BI.R = axes.R_BI;
    return placed(body, X_BI);
  }
  if (type == "site") {
    const Frame& found = model_.frames[model_.frame(name)];
    return placed(found.body, found.X_BF);
  }
  if (type == "geom") {
    const PlacedShape& shape = model_.shapes[model_.shape(name)];
    return placed(shape.body, shape.X_BS);
  }
  if (type == "camera") {
    const Camera* camera = find_camera(model_.elements.cameras, name);
    if (camera == nullptr) fail(format("there is no camera '{}'", name));
    return placed(model_.body(camera->body), camera->X_BC);
  }
  fail(format("'{}' is not a type of object that has a frame", type));
}

int Resolver::zone(const std::string& name) {
  const auto& sites = model_.elements.sites;
  const auto site = std::find_if(sites.begin(), sites.end(), [&](const Site& s) { return s.frame == name; });
  if (site == sites.end()) fail(format("there is no site '{}'", name));
  Shape shape;
  if (site->type == "sphere")
    shape = Sphere{site->size[0]};
  else if (site->type == "capsule")
    shape = Capsule{site->size[0], 2.0 * site->size[1]};
  else if (site->type == "cylinder")
    shape = Cylinder{site->size[0], 2.0 * site->size[1]};
  else if (site->type == "box")
    shape = Box{site->size};
  else if (site->type == "ellipsoid")
    shape = Ellipsoid{site->size};
  else
    fail(format("site '{}' is a {}, which has no inside", name, site->type));
  const Frame& place = model_.frames[model_.frame(name)];
  out_->zones.push_back({-1, place.body, place.X_BF, collision_shape(shape)});
  return static_cast<int>(out_->zones.size()) - 1;
}

std::vector<int> Resolver::subtree_bodies(int body) const {
  std::vector<bool> is_below(model_.forest.bodies.size(), false);
  std::vector<int> list = {body};
  is_below[body] = true;
  for (int b = body + 1; b < static_cast<int>(is_below.size()); ++b) {
    is_below[b] = is_below[model_.forest.bodies[b].parent];
    if (is_below[b]) list.push_back(b);
  }
  return list;
}

SensorRange Resolver::subtree(int root) {
  const Forest& forest = model_.forest;
  const int begin = static_cast<int>(out_->parts.size());
  for (const int b : subtree_bodies(root)) {
    // Bodies that are fixed to each other are combined in the frame of the first.
    const BodyPlace& place = forest.places[b];
    const auto same = [&](const SubtreePart& part) {
      const BodyPlace& other = forest.places[part.body];
      return other.node == place.node && other.kinematic == place.kinematic;
    };
    const auto found = std::find_if(out_->parts.begin() + begin, out_->parts.end(), same);
    if (found == out_->parts.end()) {
      out_->parts.push_back({b, forest.bodies[b].inertia});
    } else {
      const Pose X_first = forest.places[found->body].X_NB.inverse() * place.X_NB;
      found->inertia = found->inertia + forest.bodies[b].inertia.in_frame(X_first);
    }
  }
  return {begin, static_cast<int>(out_->parts.size())};
}

SensorRange Resolver::bodies_below(int body) {
  const int begin = static_cast<int>(out_->bodies.size());
  const std::vector<int> list = subtree_bodies(body);
  out_->bodies.insert(out_->bodies.end(), list.begin(), list.end());
  return {begin, static_cast<int>(out_->bodies.size())};
}

SensorRange Resolver::actuators_on_tendon(const std::string& tendon) {
  const int begin = static_cast<int>(out_->actuators.size());
  const std::vector<Actuator>& all = model_.elements.actuators;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].transmission == TransmissionKind::tendon && all[i].target == tendon)
      out_->actuators.push_back(static_cast<int>(i));
  return {begin, static_cast<int>(out_->actuators.size())};
}

// Shapes that a ray can hit: those of other bodies that are not transparent.
SensorRange Resolver::visible_shapes(int except_body) {
  const int begin = static_cast<int>(out_->ray_shapes.size());
  const auto& properties = model_.elements.shapes;
  for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
    const PlacedShape& placed = model_.shapes[i];
    if (placed.body == except_body) continue;
    double alpha = 1.0;
    if (!properties.empty()) {
      alpha = properties[i].rgba[3];
      for (const Material& material : model_.elements.materials)
        if (!properties[i].material.empty() && material.name == properties[i].material)
          alpha = material.rgba[3];
    }
    if (alpha == 0.0) continue;
    out_->ray_shapes.push_back(
        {static_cast<int>(i), placed.body, placed.X_BS, collision_shape(placed.shape, placed.rounding)});
  }
  return {begin, static_cast<int>(out_->ray_shapes.size())};
}

SensorRange Resolver::shapes_of(const std::string& type, const std::string& name) {
  const int begin = static_cast<int>(out_->distance_shapes.size());
  for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
    const PlacedShape& placed = model_.shapes[i];
    if (type == "geom" ? placed.name != name : placed.body != model_.body(name)) continue;
    // Distances to meshes are measured to their convex hulls, as in MuJoCo.
    Shape shape = placed.shape;
    if (const auto* mesh = std::get_if<SharedMesh>(&shape); mesh != nullptr)
      shape = std::make_shared<const ConvexHull>(convex_hull((*mesh)->vertices));
    out_->distance_shapes.push_back(
        {static_cast<int>(i), placed.body, placed.X_BS, collision_shape(shape, placed.rounding)});
  }
  const SensorRange range{begin, static_cast<int>(out_->distance_shapes.size())};
  if (range.begin == range.end) fail(format("{} '{}' has no shape", type, name));
  return range;
}

void Resolver::resolve_contact(ResolvedSensor* s) {
  const SensorFields fields = contact_fields(*sensor_);
  s->fields = fields.bits;
  s->reduction = contact_reduction(*sensor_);
  s->count = std::max(1, sensor_->count);
  if (s->reduction == ContactReduction::netforce) {
    s->count = 1;
    if (has_field(s->fields, kContactLinvel) || has_field(s->fields, kContactAngvel))
      fail("the sum of contacts has no velocity");
  }
  s->size = s->count * fields.size;
  const auto match = [&](const std::string& type, const std::string& name, SensorRange* bodies, int* shape) {
    if (type == "geom") *shape = model_.shape(name);
    if (type == "subtree") *bodies = bodies_below(model_.body(name));
    if (type == "site") s->zone = zone(name);
    if (type != "body") return;
    out_->bodies.push_back(model_.body(name));
    *bodies = {static_cast<int>(out_->bodies.size()) - 1, static_cast<int>(out_->bodies.size())};
  };
  match(sensor_->object_type, sensor_->object, &s->bodies1, &s->shape1);
  match(sensor_->reference_type, sensor_->reference, &s->bodies2, &s->shape2);
}

void Resolver::resolve_object(ResolvedSensor* s) {
  const auto& elements = model_.elements;
  switch (s->kind) {
    case SensorKind::touch:
      s->zone = zone(sensor_->object);
      break;
    case SensorKind::rangefinder:
      s->object = frame("site", sensor_->object);
      s->fields = ray_fields(*sensor_).bits;
      s->size = ray_fields(*sensor_).size;
      s->shapes1 = visible_shapes(s->object.body);
      break;
    case SensorKind::jointpos:
    case SensorKind::jointvel:
    case SensorKind::jointactuatorfrc:
      s->index = joint(false);
      break;
    case SensorKind::ballquat:
    case SensorKind::ballangvel:
      s->index = joint(true);
      break;
    case SensorKind::jointlimitpos:
    case SensorKind::jointlimitvel:
    case SensorKind::jointlimitfrc:
      s->index = limited_joint();
      break;
    case SensorKind::tendonpos:
    case SensorKind::tendonvel:
    case SensorKind::tendonactuatorfrc:
    case SensorKind::tendonlimitpos:
    case SensorKind::tendonlimitvel:
    case SensorKind::tendonlimitfrc:
      s->index = named(elements.tendons, "tendon");
      if (s->kind == SensorKind::tendonactuatorfrc) s->actuators = actuators_on_tendon(sensor_->object);
      break;
    case SensorKind::actuatorpos:
    case SensorKind::actuatorvel:
    case SensorKind::actuatorfrc:
      s->index = named(elements.actuators, "actuator");
      break;
    case SensorKind::subtreecom:
    case SensorKind::subtreelinvel:
    case SensorKind::subtreeangmom:
      s->object = frame("body", sensor_->object);
      s->parts = subtree(s->object.body);
      break;
    case SensorKind::insidesite:
      s->object = frame(sensor_->object_type, sensor_->object);
      s->zone = zone(sensor_->reference);
      break;
    case SensorKind::distance:
    case SensorKind::normal:
    case SensorKind::fromto:
      s->shapes1 = shapes_of(sensor_->object_type, sensor_->object);
      s->shapes2 = shapes_of(sensor_->reference_type, sensor_->reference);
      break;
    case SensorKind::contact:
      resolve_contact(s);
      break;
    case SensorKind::e_potential:
    case SensorKind::e_kinetic:
    case SensorKind::clock:
      break;
    default:  // at a site, or of a frame
      s->object = frame(sensor_->object_type, sensor_->object);
      s->has_reference = !sensor_->reference.empty();
      if (s->has_reference) s->reference = frame(sensor_->reference_type, sensor_->reference);
      break;
  }
}

ResolvedSensor Resolver::resolve(const Sensor& sensor) {
  sensor_ = &sensor;
  ResolvedSensor s;
  s.begin = out_->num_values;
  s.cutoff = sensor.cutoff;
  s.noise = sensor.noise;
  if (!why_not_simulated(sensor, model_.elements.cameras).empty()) return s;
  const SensorKindRow* row = find_sensor_kind(sensor.kind);
  s.is_simulated = true;
  s.kind = row->kind;
  s.size = row->size;
  s.data = row->data;
  resolve_object(&s);
  out_->num_values += s.size;
  return s;
}

void add_needs(SensorKind kind, SensorNeeds* needs) {
  switch (kind) {
    case SensorKind::actuatorpos:
    case SensorKind::actuatorvel:
      needs->actuators = needs->tendons = true;
      break;
    case SensorKind::tendonpos:
    case SensorKind::tendonvel:
    case SensorKind::tendonlimitpos:
    case SensorKind::tendonlimitvel:
    case SensorKind::e_potential:
      needs->tendons = true;
      break;
    case SensorKind::force:
    case SensorKind::torque:
      needs->reactions = needs->contacts = true;
      break;
    case SensorKind::touch:
    case SensorKind::contact:
      needs->contacts = true;
      break;
    default:
      break;
  }
}

}  // namespace

SensorModel::SensorModel(const Model& model) {
  Resolver resolver(model, this);
  for (const Sensor& sensor : model.elements.sensors) {
    sensors.push_back(resolver.resolve(sensor));
    if (sensors.back().is_simulated) add_needs(sensors.back().kind, &needs);
  }
  const Forest& forest = model.forest;
  for (const NodeConstants& node : forest.constants) {
    Mat3 R;
    R << node.R[0], node.R[4], node.R[8], node.R[1], node.R[5], node.R[9], node.R[2], node.R[6], node.R[10];
    node_turns.push_back(R.isZero() ? Vec4(1, 0, 0, 0) : quaternion_from_rotation(R));
  }
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    const Inertia& inertia = forest.bodies[b].inertia;
    if (forest.places[b].is_static())
      rest_mass_energy -= inertia.mass * forest.gravity.dot(forest.places[b].X_NB * inertia.com);
  }
  const auto& flags = model.elements.options.disabled;
  is_disabled = std::find(flags.begin(), flags.end(), "sensor") != flags.end();
}

int SensorModel::find(const Model& model, std::string_view name) const {
  const std::vector<Sensor>& all = model.elements.sensors;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!name.empty() && all[i].name == name) return static_cast<int>(i);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size() && number < all.size())
    return static_cast<int>(number);
  std::vector<std::string> names;
  for (const Sensor& sensor : all) names.push_back(sensor.name);
  throw_user_error(format("model '{}': {}", model.name, unknown_name_message("sensor", name, names)));
}

}  // namespace stiction
