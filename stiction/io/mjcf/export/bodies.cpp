#include <algorithm>
#include <numbers>

#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/export/parts.h"
#include "stiction/math/eigenvalues.h"

namespace stiction {
namespace {

// Readers of XML limit how deep elements are nested; ours to 1000.
constexpr int kDeepestBody = 900;

PrincipalAxes principal(const Mat3& I) {
  PrincipalAxes out;
  const Mat3 off_diagonal = I - Mat3(I.diagonal().asDiagonal());
  if (off_diagonal == Mat3::Zero()) {
    out.moments = I.diagonal();
    return out;
  }
  return principal_axes(I);
}

// MuJoCo refuses moments that break the triangle inequality even by round-off, and none of a body with joints
// may be zero: the smallest one is raised.
Vec3 accepted_moments(const Vec3& moments, bool has_joints) {
  constexpr double kSmallestMoment = 1e-14;  // kg m^2; MuJoCo's limit is 1e-15
  Vec3 out = moments.cwiseMax(has_joints ? kSmallestMoment : 0.0);
  Eigen::Index least = 0, most = 0;
  out.minCoeff(&least);
  out.maxCoeff(&most);
  const Eigen::Index middle = least == most ? least : 3 - least - most;
  if (least != most) out[least] = std::max(out[least], out[most] - out[middle]);
  return out;
}

void write_inertial(const Body& body, MjcfExport* out, MjcfNode* node) {
  const Inertia& inertia = body.inertia;
  if (inertia.mass == 0.0) return;
  PrincipalAxes axes = principal(inertia.I_com);
  // A sensor asks for its inertial frame: its axes are kept.
  for (const InertialAxes& kept : out->model.elements.inertial_axes) {
    const Mat3 turned = kept.R_BI.transpose() * inertia.I_com * kept.R_BI;
    constexpr double kOffAxis = 1e-9;  // of the moments
    const Mat3 rest = turned - Mat3(turned.diagonal().asDiagonal());
    if (kept.body == body.name && rest.norm() <= kOffAxis * turned.norm())
      axes = {turned.diagonal(), kept.R_BI};
  }
  const Vec3 moments = accepted_moments(axes.moments, !body.joints.empty());
  constexpr double kRoundOff = 1e-12;  // of the largest moment
  if ((moments - axes.moments).cwiseAbs().maxCoeff() > kRoundOff * moments.maxCoeff())
    out->approximate("inertial", "diaginertia", body.name,
                     "the smallest moment is raised until MuJoCo accepts it");
  MjcfNode& inertial = node->add("inertial");
  inertial.set("mass", inertia.mass).set("pos", inertia.com);
  if (axes.R != Mat3::Identity()) inertial.set("quat", quaternion_from_rotation(axes.R));
  inertial.set("diaginertia", moments);
}

void write_site(const Frame& frame, const Site* site, MjcfExport* out, MjcfNode* node) {
  const Site usual;
  MjcfNode& written = node->add("site");
  written.set("name", out->declare("site", frame.name)).set_pose(frame.X_BF);
  if (site == nullptr) return;
  if (site->type == "mesh" || site->type == "plane")
    out->approximate("site", "type", frame.name, "shown as a sphere");
  else
    written.set_unless("type", site->type, usual.type);
  written.set_unless("size", site->size, usual.size);
  written.set_unless("group", site->group, usual.group);
  written.set_unless("rgba", site->rgba, usual.rgba);
  if (!site->material.empty()) out->refer("material", "material", site->material, frame.name, &written);
}

void write_target(const std::string& mode, const std::string& target, const std::string& owner,
                  MjcfExport* out, MjcfNode* node) {
  node->set_unless("mode", mode, std::string("fixed"));
  if (!target.empty()) out->refer("target", "body", target, owner, node);
}

void write_camera(const Camera& camera, MjcfExport* out, MjcfNode* node) {
  MjcfNode& written = node->add("camera");
  out->set_name("camera", camera.name, &written);
  written.set_pose(camera.X_BC);
  // In degrees, whatever the compiler's angle is.
  written.set("fovy", camera.field_of_view * 180.0 / std::numbers::pi);
  write_target(camera.mode, camera.target, camera.name, out, &written);
}

void write_light(const Light& light, MjcfExport* out, MjcfNode* node) {
  const Light usual;
  MjcfNode& written = node->add("light");
  out->set_name("light", light.name, &written);
  written.set_unless("pos", light.position, usual.position);
  written.set_unless("dir", light.direction, usual.direction);
  if (light.directional) written.set("type", "directional");
  written.set_unless("active", light.active, usual.active);
  written.set_unless("castshadow", light.casts_shadow, usual.casts_shadow);
  written.set_unless("diffuse", light.diffuse, usual.diffuse);
  written.set_unless("ambient", light.ambient, usual.ambient);
  written.set_unless("specular", light.specular, usual.specular);
  write_target(light.mode, light.target, light.name, out, &written);
}

class BodyWriter {
 public:
  BodyWriter(MjcfExport* out, MjcfNode* world, MjcfNode* asset, MjcfNode* equality)
      : out_(out), bodies_(out->model.forest.bodies), world_(world), asset_(asset), equality_(equality) {
    const Model& model = out->model;
    children_.resize(bodies_.size());
    shapes_.resize(bodies_.size());
    frames_.resize(bodies_.size());
    for (std::size_t b = 1; b < bodies_.size(); ++b)
      children_[std::size_t(bodies_[b].parent)].push_back(int(b));
    for (std::size_t s = 0; s < model.shapes.size(); ++s)
      shapes_[std::size_t(model.shapes[s].body)].push_back(int(s));
    for (std::size_t f = 0; f < model.frames.size(); ++f)
      frames_[std::size_t(model.frames[f].body)].push_back(int(f));
    for (const Site& site : model.elements.sites) sites_[site.frame] = &site;
  }

  void write() {
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      out_->body_names.push_back(out_->declare("body", bodies_[b].name));
    for (const Body& body : bodies_)
      for (const Joint& joint : body.joints) out_->reserve("joint", joint.name);
    if (bodies_[0].inertia.mass > 0.0)
      out_->ignore("worldbody", "", "world", "the world's own mass does not matter");
    write_contents(0, world_);
    for (auto child = children_[0].rbegin(); child != children_[0].rend(); ++child)
      open_.push_back({*child, bodies_[std::size_t(*child)].X_PB, 1, world_});
    write_open();
    // Free bodies below static ones become children of the world in MJCF.
    open_.assign(moved_.rbegin(), moved_.rend());
    write_open();
  }

 private:
  // A body that is still to be written below `parent`.
  struct Open {
    int body = 0;
    Pose X_PB;
    int depth = 0;
    MjcfNode* parent = nullptr;
  };

  bool is_free(int index) const {
    const std::vector<Joint>& joints = bodies_[std::size_t(index)].joints;
    return joints.size() == 1 && joints[0].type == JointType::free;
  }

  Pose static_pose(int index) const {
    Pose X;
    for (int b = index; b != 0; b = bodies_[std::size_t(b)].parent) X = bodies_[std::size_t(b)].X_PB * X;
    return X;
  }

  // Depth first, without recursion: chains may be long.
  void write_open() {
    while (!open_.empty()) {
      const Open next = open_.back();
      open_.pop_back();
      MjcfNode* node = write_body(next);
      const std::vector<int>& children = children_[std::size_t(next.body)];
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        if (!is_free(*child))
          open_.push_back({*child, bodies_[std::size_t(*child)].X_PB, next.depth + 1, node});
    }
  }

  MjcfNode* write_body(const Open& next) {
    const Body& body = bodies_[std::size_t(next.body)];
    STICTION_USER_CHECK(next.depth <= kDeepestBody,
                        "body '{}' is nested deeper than {} bodies: too deep for MJCF", body.name,
                        kDeepestBody);
    MjcfNode& node = next.parent->add("body");
    node.set("name", out_->body_names[std::size_t(next.body)]).set_pose(next.X_PB);
    if (body.motion == BodyMotion::kinematic) node.set("mocap", true);
    for (const GravityCompensation& entry : out_->model.elements.gravity_compensation)
      if (entry.body == body.name) node.set("gravcomp", entry.fraction);
    write_inertial(body, out_, &node);
    write_joints(next.body, out_, &node, equality_);
    write_contents(next.body, &node);
    for (const int child : children_[std::size_t(next.body)]) {
      if (!is_free(child)) continue;
      out_->approximate("body", "", bodies_[std::size_t(child)].name,
                        "a free body is a child of the world itself");
      moved_.push_back({child, static_pose(child), 1, world_});
    }
    return &node;
  }

  void write_contents(int index, MjcfNode* node) {
    const Model& model = out_->model;
    for (const int shape : shapes_[std::size_t(index)]) write_geom(shape, out_, node, asset_);
    for (const int f : frames_[std::size_t(index)]) {
      const Frame& frame = model.frames[std::size_t(f)];
      const auto site = sites_.find(frame.name);
      write_site(frame, site == sites_.end() ? nullptr : site->second, out_, node);
    }
    const std::string& name = bodies_[std::size_t(index)].name;
    for (const Camera& camera : model.elements.cameras)
      if (camera.body == name) write_camera(camera, out_, node);
    for (const Light& light : model.elements.lights)
      if (light.body == name) write_light(light, out_, node);
  }

  MjcfExport* out_;
  const std::vector<Body>& bodies_;
  std::vector<std::vector<int>> children_, shapes_, frames_;  // by body
  std::map<std::string, const Site*> sites_;                  // by frame
  std::vector<Open> open_, moved_;                            // the next one last; the next one first
  MjcfNode *world_, *asset_, *equality_;
};

}  // namespace

void write_bodies(MjcfExport* out, MjcfNode* worldbody, MjcfNode* asset, MjcfNode* equality) {
  BodyWriter(out, worldbody, asset, equality).write();
}

}  // namespace stiction
