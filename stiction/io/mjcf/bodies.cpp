#include "stiction/io/mjcf/bodies.h"

#include <algorithm>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/inertia.h"
#include "stiction/io/mjcf/principal_axes.h"

namespace stiction {
namespace {

// Springs of free joints rest where the body stands.
void set_neutral(const Pose& X_WB, Joint* joint) {
  const Vec4 q = quaternion_from_rotation(X_WB.R);
  std::copy_n(q.data(), 4, joint->neutral.data());
  std::copy_n(X_WB.p.data(), 3, joint->neutral.data() + 4);
}

}  // namespace

MjcfBodyReader::MjcfBodyReader(MjcfAssets* assets, const MjcfOptions& options, MjcfScene* scene)
    : assets_(assets), options_(options), scene_(scene) {}

void MjcfBodyReader::read(const std::vector<const MjcfElement*>& worlds) {
  MjcfBody world;
  world.body.name = "world";
  scene_->bodies.push_back(world);
  taken_ = {{"body", "world"}};
  given_ = {{"body", "world"}};
  for (const MjcfElement* element : worlds) collect_names(*element, "worldbody", &taken_);
  Open open;
  for (const MjcfElement* element : worlds) {
    element->source.honour();
    read_children(*element, {}, &open);
  }
}

void MjcfBodyReader::read_children(const MjcfElement& element, const Place& place, Open* open) {
  for (const MjcfElement& child : element.children) {
    if (child.tag == "body") {
      read_body(child, place);
    } else if (child.tag == "joint") {
      read_joint(child, place, open);
    } else if (child.tag == "freejoint") {
      read_free_joint(child, place, open);
    } else if (child.tag == "geom") {
      read_geom(child, place, open);
    } else if (child.tag == "site") {
      read_site(child, place, open);
    } else if (child.tag == "camera") {
      read_camera(child, place);
    } else if (child.tag == "light") {
      read_light(child, place);
    } else if (child.tag == "frame") {
      read_frame(child, place, open);
    } else if (child.tag == "flexcomp") {
      scene_->deformables.push_back(child.value("name"));
      child.source.ignore_all("deformable bodies are not simulated");
    } else if (child.tag == "plugin") {
      child.source.ignore_all("plugins are not supported");
    } else if (child.tag == "inertial" && place.body == 0) {
      child.source.fail("the world has no inertia");
    }
  }
}

// The inertial element of a body, which may stand in frames of it.
void MjcfBodyReader::find_inertial(const MjcfElement& element, const Pose& X_BF, Open* open) const {
  for (const MjcfElement& child : element.children) {
    if (child.tag == "frame") find_inertial(child, X_BF * MjcfValues(child).pose(), open);
    if (child.tag != "inertial") continue;
    if (open->inertial != nullptr) child.source.fail("the body has an <inertial> already");
    open->inertial = &child;
    open->X_BF_of_inertial = X_BF;
  }
}

void MjcfBodyReader::read_body(const MjcfElement& element, const Place& place) {
  element.source.honour();
  const MjcfValues values(element);
  const int index = int(scene_->bodies.size());
  const std::string parent = place.body == 0 ? "" : scene_->bodies[std::size_t(place.body)].body.name + "/";
  MjcfBody entry;
  entry.body.name = name_of_element(element, "body", format("{}body{}", parent, index));
  entry.body.parent = place.body;
  entry.body.X_PB = place.X_BF * values.pose();
  entry.is_mocap = values.boolean("mocap", false);
  entry.source = element.source;
  if (entry.is_mocap && place.body != 0) values.fail("mocap", "only for children of the world");
  const double gravcomp = values.number("gravcomp", 0.0);
  if (gravcomp != 0.0) scene_->elements.gravity_compensation.push_back({entry.body.name, gravcomp});
  for (const char* name : {"sleep", "simple", "fuse", "user"}) values.ignore(name, kNotUsed);
  scene_->bodies.push_back(std::move(entry));

  // The inertial element decides about the geoms, wherever it stands.
  Open open;
  find_inertial(element, Pose(), &open);
  read_children(element, {index, Pose(), values.string("childclass", place.childclass)}, &open);
  MjcfBody& body = scene_->bodies[std::size_t(index)];
  set_inertia(element, open, &body);
  const bool has_children = int(scene_->bodies.size()) > index + 1;
  if (open.aligns && !has_children && body.body.inertia.mass > 0.0) align_with_inertia(index);
  if (body.is_mocap) {
    if (!body.body.joints.empty()) values.fail("mocap", "a mocap body has no joints");
    scene_->elements.mocap_bodies.push_back(body.body.name);
  }
}

void MjcfBodyReader::read_frame(const MjcfElement& element, const Place& place, Open* open) {
  element.source.honour();
  const MjcfValues values(element);
  for (const char* name : {"scale", "massscale", "scaling"})
    values.ignore(name, "what is inside a frame keeps its own size and mass");
  const std::string name = values.string("name");
  if (!name.empty() && !given_.insert({"frame", name}).second)
    values.fail("name", format("there is already a frame '{}'", name));
  const std::size_t first = scene_->bodies.size();
  read_children(
      element, {place.body, place.X_BF * values.pose(), values.string("childclass", place.childclass)}, open);
  // Where there are copies, the first one is used.
  if (element.attachment >= 0)
    scene_->attached_bodies.insert({element.attachment, {first, scene_->bodies.size()}});
}

std::string MjcfBodyReader::name_of_element(const MjcfElement& element, const std::string& kind,
                                            const std::string& made_up) {
  std::string name = element.value("name");
  if (name.empty()) {
    name = made_up;
    for (int i = 1; taken_.count({kind, name}) > 0 || given_.count({kind, name}) > 0; ++i)
      name = made_up + "_" + std::to_string(i);
  } else if (given_.count({kind, name}) > 0) {
    element.source.fail("name", format("there is already a {} '{}'", kind, name));
  }
  given_.insert({kind, name});
  return name;
}

void MjcfBodyReader::set_inertia(const MjcfElement& element, const Open& open, MjcfBody* body) const {
  const MjcfCompiler& compiler = element.context->compiler;
  const bool from_geoms =
      compiler.inertia_from_geom == InertiaFromGeom::always ||
      (compiler.inertia_from_geom == InertiaFromGeom::automatic && open.inertial == nullptr);
  Inertia inertia;
  // Its axes: as given, those of the only geom, or the principal ones.
  std::optional<Mat3> axes;
  if (open.inertial != nullptr) {
    inertia = read_inertial(*open.inertial).in_frame(open.X_BF_of_inertial);
    const MjcfValues values(*open.inertial);
    if (!values.has("fullinertia")) axes = open.X_BF_of_inertial.R * values.pose().R;
    if (from_geoms) open.inertial->source.ignore_all("compiler/inertiafromgeom is true");
  }
  if (from_geoms) {
    inertia = open.from_geoms;
    axes = open.num_masses == 1 ? std::optional(open.R_of_mass) : std::nullopt;
  }
  body->body.inertia = bounded_inertia(inertia, compiler, element);
  body->R_BI = axes ? *axes : mjcf_principal_axes(body->body.inertia.I_com).R;
}

void MjcfBodyReader::align_with_inertia(int index) {
  Body& body = scene_->bodies[std::size_t(index)].body;
  const MjcfPrincipalAxes axes = mjcf_principal_axes(body.inertia.I_com);
  const Pose X_BI{axes.R, body.inertia.com}, X_IB = X_BI.inverse();
  body.inertia = {body.inertia.mass, Vec3::Zero(), Mat3(axes.moments.asDiagonal())};
  scene_->bodies[std::size_t(index)].R_BI = Mat3::Identity();
  body.X_PB = body.X_PB * X_BI;
  set_neutral(body.X_PB, &body.joints[0]);
  for (Frame& frame : scene_->frames)
    if (frame.body == index) frame.X_BF = X_IB * frame.X_BF;
  for (PlacedShape& shape : scene_->shapes)
    if (shape.body == index) shape.X_BS = X_IB * shape.X_BS;
  for (Camera& camera : scene_->elements.cameras)
    if (camera.body == body.name) camera.X_BC = X_IB * camera.X_BC;
  for (Light& light : scene_->elements.lights) {
    if (light.body != body.name) continue;
    light.position = X_IB * light.position;
    light.direction = X_IB.R * light.direction;
  }
}

void MjcfBodyReader::add_joint(const MjcfElement& element, const Place& place, Joint joint) {
  if (place.body == 0) element.source.fail("the world cannot have joints");
  Body& body = scene_->bodies[std::size_t(place.body)].body;
  const bool was_free = !body.joints.empty() && body.joints[0].type == JointType::free;
  const bool is_free = joint.type == JointType::free;
  if (is_free && body.parent != 0)
    element.source.fail("a free joint needs a body that is a child of the world");
  if (was_free || (is_free && !body.joints.empty()))
    element.source.fail("a body with a free joint cannot have other joints");
  // The velocities of such joints would not be independent.
  const bool has_ball = std::any_of(body.joints.begin(), body.joints.end(),
                                    [](const Joint& j) { return j.type == JointType::ball; });
  if (has_ball && joint.type != JointType::prismatic)
    element.source.fail("a ball joint cannot be followed by another rotation of the same body");
  if (is_free) set_neutral(body.X_PB, &joint);
  joint.name = name_of_element(element, "joint", body.name);
  body.joints.push_back(std::move(joint));
}

void MjcfBodyReader::read_joint(const MjcfElement& element, const Place& place, Open* open) {
  element.source.honour();
  const MjcfValues values = with_class(element, place.childclass);
  SpringDamper spring_damper;
  JointActuation actuation;
  add_joint(element, place, read_joint_values(values, place.X_BF, &spring_damper, &actuation));
  const Joint& joint = scene_->bodies[std::size_t(place.body)].body.joints.back();
  if (spring_damper.time_constant > 0.0) {
    spring_damper.joint = joint.name;
    scene_->spring_dampers.push_back(spring_damper);
  }
  if (actuation.force.limited || actuation.compensates_gravity) {
    actuation.joint = joint.name;
    scene_->elements.joint_actuation.push_back(actuation);
  }
  if (joint.type == JointType::free) open->aligns = element.context->compiler.align_free;
  if (joint.type == JointType::free)
    for (const char* name : {"damping", "armature"})
      values.approximate(name, "acts at the centre of mass, not at the body's origin");
}

void MjcfBodyReader::read_free_joint(const MjcfElement& element, const Place& place, Open* open) {
  element.source.honour();
  const MjcfValues values(element);
  values.ignore("group", kForDisplayOnly);
  const std::string align = values.word("align", "auto", {"false", "true", "auto"});
  open->aligns = align == "true" || (align == "auto" && element.context->compiler.align_free);
  Joint joint;
  joint.type = JointType::free;
  add_joint(element, place, joint);
}

void MjcfBodyReader::read_geom(const MjcfElement& element, const Place& place, Open* open) {
  element.source.honour();
  for (const MjcfElement& child : element.children) child.source.ignore_all("plugins are not supported");
  const MjcfValues values = with_class(element, place.childclass);
  const std::string& body = scene_->bodies[std::size_t(place.body)].body.name;
  PlacedShape placed;
  placed.name = name_of_element(element, "geom", format("{}/geom{}", body, open->num_geoms++));
  placed.body = place.body;
  scene_->geom_names.push_back(placed.name);
  const ShapeProperties properties = read_shape_properties(values, scene_->elements);
  const GeomForm form = read_geom_form(values, properties.collides, options_, assets_);
  placed.X_BS = place.X_BF * form.X_FG;
  placed.shape = form.shape;

  // Geoms of the world, and of groups outside compiler/inertiagrouprange, have no mass.
  const MjcfCompiler& compiler = element.context->compiler;
  const bool counts = place.body != 0 && properties.group >= compiler.inertia_group_min &&
                      properties.group <= compiler.inertia_group_max;
  const bool is_needed = open->inertial == nullptr || compiler.inertia_from_geom == InertiaFromGeom::always;
  if (counts && is_needed) {
    const Inertia own = read_geom_inertia(values, form.shape, assets_);
    open->from_geoms = open->from_geoms + own.in_frame(placed.X_BS);
    if (own.mass > 0.0) {
      ++open->num_masses;
      open->R_of_mass = placed.X_BS.R;
      if (std::holds_alternative<SharedHull>(form.shape) || std::holds_alternative<SharedMesh>(form.shape))
        open->R_of_mass = open->R_of_mass * mjcf_principal_axes(own.I_com).R;
    }
  } else {
    for (const char* name : {"mass", "density", "shellinertia"})
      values.ignore(name, "the mass of this geom does not count");
  }

  const auto* mesh = std::get_if<SharedMesh>(&placed.shape);
  if (mesh != nullptr && *mesh == nullptr) return;  // a mesh that was not wanted
  scene_->shapes.push_back(std::move(placed));
  scene_->elements.shapes.push_back(properties);
}

void MjcfBodyReader::read_site(const MjcfElement& element, const Place& place, Open* open) {
  element.source.honour();
  const MjcfValues values = with_class(element, place.childclass);
  const std::string& body = scene_->bodies[std::size_t(place.body)].body.name;
  Site site;
  site.frame = name_of_element(element, "site", format("{}/site{}", body, open->num_sites++));
  site.type = values.word("type", site.type, {"sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"});
  std::array<double, 3> size = {site.size[0], site.size[1], site.size[2]};
  values.fill("size", &size);
  Pose X_FS;
  if (values.has("fromto")) {
    const Segment segment = read_fromto(values);
    X_FS = segment.X;
    const bool is_long = site.type == "capsule" || site.type == "cylinder";
    if (!is_long) size[1] = size[0];
    size[is_long ? 1 : 2] = segment.half_length;
  } else {
    X_FS = values.pose();
  }
  if (site.type == "mesh" && !values.has("mesh")) values.fail("attribute 'mesh' is required for type 'mesh'");
  for (std::size_t i = 0; site.type != "mesh" && i < std::size_t(num_mjcf_sizes(site.type)); ++i)
    if (!(size[i] > 0.0)) values.fail("size", format("size {} of a {} must be positive", i + 1, site.type));
  site.size = Vec3(size[0], size[1], size[2]);
  site.group = values.integer("group", 0);
  values.fill("rgba", &site.rgba, 4);
  if (values.has("material")) site.material = material_of(values, scene_->elements);
  for (const char* name : {"type", "size", "group", "rgba", "material"}) values.ignore(name, kForDisplayOnly);
  values.ignore("user", kNotUsed);
  scene_->frames.push_back({site.frame, place.body, place.X_BF * X_FS});
  scene_->elements.sites.push_back(std::move(site));
}

void MjcfBodyReader::read_camera(const MjcfElement& element, const Place& place) {
  element.source.ignore_all(kForDisplayOnly);
  const MjcfValues values = with_class(element, place.childclass);
  Camera camera;
  camera.name = values.string("name");
  camera.body = scene_->bodies[std::size_t(place.body)].body.name;
  camera.X_BC = place.X_BF * values.pose();
  camera.mode =
      values.word("mode", camera.mode, {"fixed", "track", "trackcom", "targetbody", "targetbodycom"});
  camera.target = values.string("target");
  // In MJCF the opening is in degrees, whatever compiler/angle says.
  const double fovy = values.number("fovy", 45.0);
  if (!(fovy < 180.0)) values.fail("fovy", "must be less than 180");
  camera.field_of_view = fovy * 3.14159265358979323846 / 180.0;
  scene_->elements.cameras.push_back(std::move(camera));
}

void MjcfBodyReader::read_light(const MjcfElement& element, const Place& place) {
  element.source.ignore_all(kForDisplayOnly);
  const MjcfValues values = with_class(element, place.childclass);
  Light light;
  light.name = values.string("name");
  light.body = scene_->bodies[std::size_t(place.body)].body.name;
  light.position = place.X_BF * values.vec3("pos", Vec3::Zero());
  const Vec3 direction = values.vec3("dir", light.direction);
  if (direction.isZero(0.0)) values.fail("dir", "has no direction");
  light.direction = place.X_BF.R * direction;
  light.mode = values.word("mode", light.mode, {"fixed", "track", "trackcom", "targetbody", "targetbodycom"});
  light.target = values.string("target");
  light.directional = values.boolean("directional", false) || values.string("type") == "directional";
  light.active = values.boolean("active", true);
  light.casts_shadow = values.boolean("castshadow", true);
  values.fill("diffuse", &light.diffuse, 3);
  values.fill("ambient", &light.ambient, 3);
  values.fill("specular", &light.specular, 3);
  scene_->elements.lights.push_back(std::move(light));
}

}  // namespace stiction
