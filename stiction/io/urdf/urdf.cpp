#include "stiction/io/urdf/urdf.h"

#include <algorithm>
#include <map>
#include <set>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/io/mesh/dae_file.h"
#include "stiction/io/mesh/mesh_file.h"
#include "stiction/io/urdf/mesh_path.h"
#include "stiction/io/urdf/schema.h"
#include "stiction/io/urdf/tree.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction {
namespace {

constexpr const char* kWorld = "world";
constexpr std::size_t kMostExcludes = 1'000'000;  // pairs of links; more is a mistake or worse

// Builds the model from the parts of a robot.
class UrdfAssembler {
 public:
  UrdfAssembler(const XmlElement& root, const UrdfRobot& robot, const std::filesystem::path& file,
                const UrdfOptions& options)
      : root_(root),
        robot_(robot),
        options_(options),
        tree_(make_urdf_tree(root, robot)),
        builder_(robot.name) {
    folders_ = {file.parent_path(), options.package_paths, robot.compiler.mesh_folder,
                robot.compiler.strip_path};
    if (folders_.folder.empty()) folders_.folder = ".";
  }

  Model assemble() {
    if (robot_.compiler.gravity) builder_.set_gravity(*robot_.compiler.gravity);
    add_actuators();
    check_masses();
    for (const int link : tree_.order) add_link(link);
    for (const UrdfFrame& frame : robot_.frames) add_frame(frame);
    for (const UrdfLink& link : robot_.links)
      for (const UrdfPart& part : link.parts) add_part(link, part);
    add_excludes();
    for (const auto& material : robot_.materials) elements_.materials.push_back(material.second);
    if (robot_.compiler.timestep) elements_.options.timestep = *robot_.compiler.timestep;
    Model model = build();
    model.elements = std::move(elements_);
    return model;
  }

 private:
  const UrdfJoint* joint_above(int link) const {
    const int joint = tree_.parent_joint[std::size_t(link)];
    return joint < 0 ? nullptr : &robot_.joints[std::size_t(joint)];
  }

  // ---- Links and joints ----

  // A joint with nothing to move has no equation of motion.
  void check_masses() {
    std::vector<double> mass(robot_.links.size());  // of each link with all its descendants
    for (std::size_t i = tree_.order.size(); i-- > 0;) {
      const int link = tree_.order[i];
      mass[std::size_t(link)] += robot_.links[std::size_t(link)].inertia.mass;
      const UrdfJoint* joint = joint_above(link);
      if (!joint) continue;
      mass[std::size_t(tree_.link_index.at(joint->parent))] += mass[std::size_t(link)];
      const bool moves = joint->joint.type != JointType::fixed;
      if (moves && mass[std::size_t(link)] == 0.0 && armatures_.count(joint->joint.name) == 0)
        joint->element.fail(
            format("moves link '{}', which has no mass and nothing with mass below it; give it "
                   "an <inertial>",
                   joint->child));
    }
    if (options_.floating_base && mass[std::size_t(tree_.root())] == 0.0)
      root_.fail("a robot that floats needs mass");
  }

  void add_link(int index) {
    const UrdfLink& link = robot_.links[std::size_t(index)];
    const UrdfJoint* above = joint_above(index);
    if (!above) return add_root(link);
    if (link.name == kWorld) link.element.fail("name", "only the root link may be called 'world'");
    builder_.add_body(link.name, above->parent, above->X_PC, link.inertia);
    if (above->joint.type == JointType::fixed) return;
    Joint joint = above->joint;
    if (joint.type == JointType::free) check_floats_on_world(*above);
    if (joint.mimic) {
      const XmlElement mimic = above->element.required_child("mimic");
      const int other = urdf_index(tree_.joint_index, joint.mimic->joint, "joint", mimic);
      if (num_velocities(robot_.joints[std::size_t(other)].joint.type) != 1)
        mimic.fail("joint", format("joint '{}' has no single position to follow", joint.mimic->joint));
    }
    const auto armature = armatures_.find(joint.name);
    if (armature != armatures_.end()) joint.armature = per_dof(armature->second);
    builder_.add_joint(link.name, joint);
  }

  void add_root(const UrdfLink& link) {
    if (link.name == kWorld) {
      if (options_.floating_base) link.element.fail("name", "the root link is the world and cannot float");
      link.element.honour();
      for (const XmlElement& inertial : link.element.children("inertial"))
        inertial.ignore_all("the world does not move");
      return;
    }
    builder_.add_body(link.name, kWorld, {}, link.inertia);
    if (!options_.floating_base) return;
    Joint joint;
    joint.type = JointType::free;
    joint.name = link.name;
    while (tree_.joint_index.count(joint.name) > 0) joint.name += "_floating";
    builder_.add_joint(link.name, joint);
  }

  void check_floats_on_world(const UrdfJoint& joint) const {
    bool is_static = !options_.floating_base;
    for (const UrdfJoint* up = joint_above(tree_.link_index.at(joint.parent)); up;
         up = joint_above(tree_.link_index.at(up->parent)))
      is_static = is_static && up->joint.type == JointType::fixed;
    if (!is_static)
      joint.element.fail(
          format("a floating joint must connect to the world, but link '{}' moves", joint.parent));
  }

  void add_frame(const UrdfFrame& frame) {
    urdf_index(tree_.link_index, frame.link, "link", frame.element);
    const auto inserted = frame_lines_.emplace(frame.name, frame.element.place().line);
    if (frame.name.empty()) frame.element.fail("name", "is empty");
    if (!inserted.second)
      frame.element.fail(
          "name", format("there is already a frame '{}' in line {}", frame.name, inserted.first->second));
    builder_.add_frame(frame.name, frame.link, frame.X_LF);
  }

  // ---- Shapes ----

  void add_part(const UrdfLink& link, const UrdfPart& part) {
    if (!part.is_collision && robot_.compiler.discard_visual) {
      part.element.ignore_all("the file asks to discard visuals");
      return;
    }
    const std::optional<Shape> shape = part.mesh ? mesh_shape(part) : part.shape;
    if (!shape) return;
    const std::string name = shape_name(link, part);
    builder_.add_shape(name, link.name, part.X_LS, *shape);
    builder_.set_material(name, part.contact);
    // The same friction in the shape's properties, for exports.
    ShapeProperties properties;
    properties.friction[0] =
        part.contact.dynamic_friction.value_or(part.contact.static_friction.value_or(kDefaultFriction));
    properties.gap = part.margin;  // found, without a force of its own
    if (!part.is_collision) {
      properties.contype = properties.conaffinity = 0;
      properties.collides = false;
      properties.group = 1;
    }
    const auto material = robot_.materials.find(part.material);
    if (material != robot_.materials.end()) {
      properties.material = part.material;
      properties.rgba = material->second.rgba;
    }
    elements_.shapes.push_back(properties);
  }

  // Names of shapes are the file's, made unique by the link's name and a number.
  std::string shape_name(const UrdfLink& link, const UrdfPart& part) {
    const char* kind = part.is_collision ? "collision" : "visual";
    const std::string base = part.name.empty() ? format("{}/{}", link.name, kind) : part.name;
    std::string name = base;
    for (int& i = shape_counts_[base]; !shape_names_.insert(name).second;) name = format("{}_{}", base, ++i);
    return name;
  }

  std::optional<Shape> mesh_shape(const UrdfPart& part) {
    const UrdfMesh& mesh = *part.mesh;
    if (!options_.load_meshes) {
      part.geometry.ignore_all("meshes are not asked for");
      return std::nullopt;
    }
    const UrdfFilePath found = find_urdf_file(mesh.file_name, folders_);
    if (!found.defect.empty()) part.geometry.fail("filename", found.defect);
    const bool is_dae = lower_case_ending(found.path.string()) == "dae";
    if (!is_dae && !is_mesh_file_name(found.path.string())) {
      part.geometry.ignore_all(format("meshes of this kind ({}) are not read, the shape is left out",
                                      found.path.extension().string()));
      return std::nullopt;
    }
    const std::string key = format("{} {} {} {} {} {}", found.path.string(), part.is_collision,
                                   mesh.is_declared_convex, mesh.scale.x(), mesh.scale.y(), mesh.scale.z());
    const auto known = mesh_shapes_.find(key);
    if (known != mesh_shapes_.end()) {
      report_hull(part, known->second);
      return known->second;
    }
    try {
      auto surface =
          std::make_shared<TriangleMesh>(transformed(is_dae ? read_dae(found.path) : read_mesh(found.path),
                                                     Mat3(mesh.scale.asDiagonal()), Vec3::Zero()));
      Shape shape = SharedMesh(surface);
      // A volume of tetrahedra need not be convex.
      if (part.is_collision && (surface->tets == nullptr || mesh.is_declared_convex))
        shape = std::make_shared<const ConvexHull>(convex_hull(surface->vertices));
      report_hull(part, shape);
      return mesh_shapes_.emplace(key, shape).first->second;
    } catch (const UserError& error) {
      if (part.is_collision || !is_dae) part.geometry.fail("filename", error.what());
      // A mesh that is only drawn is no reason to refuse the robot, and COLLADA is a large format.
      part.geometry.ignore_all(error.what());
      return std::nullopt;
    }
  }

  static void report_hull(const UrdfPart& part, const Shape& shape) {
    if (std::holds_alternative<SharedHull>(shape)) part.geometry.approximate("collides as its convex hull");
  }

  static TriangleMesh read_dae(const std::filesystem::path& file) {
    TriangleMesh mesh = parse_dae(read_file_bytes(file), file.string());
    MeshReport report;
    repair(&mesh, &report);
    STICTION_USER_CHECK(!mesh.triangles.empty(), "{}: no triangle is left: {}", file.string(),
                        describe(report));
    return mesh;
  }

  // ---- What else the file says ----

  void add_actuators() {
    std::map<std::string, int> lines;
    for (const UrdfTransmission& transmission : robot_.transmissions) {
      if (transmission.joint.empty()) continue;
      const int index = urdf_index(tree_.joint_index, transmission.joint, "joint", transmission.element);
      const Joint& joint = robot_.joints[std::size_t(index)].joint;
      const int line = transmission.element.place().line;
      const auto inserted = lines.emplace(transmission.name, line);
      if (!inserted.second)
        transmission.element.fail(format("there is already an actuator '{}' in line {}", transmission.name,
                                         inserted.first->second));
      if (num_velocities(joint.type) != 1) {
        transmission.element.ignore_all(
            format("a {} joint has no single force to drive", name_of(joint.type)));
        continue;
      }
      if (transmission.armature > 0.0) armatures_[joint.name] += transmission.armature;
      Actuator actuator;
      actuator.name = transmission.name;
      actuator.target = joint.name;
      if (joint.effort_limit > 0.0) actuator.force = {true, -joint.effort_limit, joint.effort_limit};
      elements_.actuators.push_back(actuator);
    }
  }

  void add_excludes() {
    std::map<std::string, const UrdfFilterGroup*> groups;
    for (const UrdfFilterGroup& group : robot_.filter_groups) {
      if (!groups.emplace(group.name, &group).second)
        group.element.fail("name", format("there is already a group '{}'", group.name));
    }
    std::set<std::pair<std::string, std::string>> pairs;
    for (const UrdfFilterGroup& group : robot_.filter_groups) {
      const std::set<std::string> mine = members(group, groups);
      for (const std::string& other : group.ignored_groups) {
        const auto found = groups.find(other);
        if (found == groups.end()) group.element.fail(format("there is no group '{}'", other));
        const std::set<std::string> theirs = members(*found->second, groups);
        for (const std::string& a : mine) {
          for (const std::string& b : theirs)
            if (a != b) pairs.insert(std::minmax(a, b));
          if (pairs.size() > kMostExcludes)
            group.element.fail(format("more than {} pairs of links are excluded", kMostExcludes));
        }
      }
    }
    for (const auto& pair : pairs) elements_.excludes.push_back({"", pair.first, pair.second});
  }

  // The links of a group and of the groups in it.
  std::set<std::string> members(const UrdfFilterGroup& group,
                                const std::map<std::string, const UrdfFilterGroup*>& groups) const {
    std::set<std::string> links, seen = {group.name};
    std::vector<const UrdfFilterGroup*> open = {&group};
    while (!open.empty()) {
      const UrdfFilterGroup& here = *open.back();
      open.pop_back();
      for (const std::string& link : here.links) {
        urdf_index(tree_.link_index, link, "link", here.element);
        links.insert(link);
      }
      for (const std::string& name : here.groups) {
        const auto found = groups.find(name);
        if (found == groups.end()) here.element.fail(format("there is no group '{}'", name));
        if (seen.insert(name).second) open.push_back(found->second);
      }
    }
    return links;
  }

  // The builder knows names, not lines; its message is about the joint it names first, if any.
  Model build() const {
    try {
      return builder_.build();
    } catch (const UserError& error) {
      const std::string message = error.what();
      for (const UrdfJoint& joint : robot_.joints)
        if (message.find(format("joint '{}'", joint.joint.name)) != std::string::npos)
          joint.element.fail(message);
      root_.fail(message);
    }
  }

  const XmlElement& root_;
  const UrdfRobot& robot_;
  const UrdfOptions& options_;
  UrdfFolders folders_;
  UrdfTree tree_;
  ModelBuilder builder_;
  Elements elements_;
  std::map<std::string, double> armatures_;   // by joint
  std::map<std::string, Shape> mesh_shapes_;  // each mesh is read once
  std::map<std::string, int> frame_lines_;
  std::set<std::string> shape_names_;
  std::map<std::string, int> shape_counts_;
};

void check_root(const XmlElement& root) {
  if (root.name() != "robot") root.fail("the root element of a URDF file is <robot>");
  for (const XmlElement& child : root.children())
    if (child.name().rfind("xacro:", 0) == 0)
      child.fail("is a macro of xacro; run xacro first and load what it writes");
}

}  // namespace

Model parse_urdf(std::string_view text, const std::filesystem::path& file, const UrdfOptions& options,
                 CompatibilityReport* report) {
  const XmlDocument document = parse_xml(text, file.string());
  const XmlElement root = document.root();
  check_root(root);
  check_schema(root, urdf_schema(), "robot");
  const UrdfRobot robot = read_urdf_robot(root);
  Model model = UrdfAssembler(root, robot, file, options).assemble();
  if (report) document.report(report);
  return model;
}

Model load_urdf(const std::filesystem::path& file, const UrdfOptions& options, CompatibilityReport* report) {
  return parse_urdf(read_file_bytes(file), file, options, report);
}

}  // namespace stiction
