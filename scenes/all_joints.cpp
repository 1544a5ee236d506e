#include "scenes/all_joints.h"

#include <string>

#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

// A brick of the given mass and half extents, placed off the body's origin and axes.
void add_brick(const std::string& body, const Vec3& half_extents, double mass, const Vec3& place,
               const Vec3& turn, ModelBuilder* builder) {
  const Shape box = Box{half_extents};
  builder->add_solid(body, body, {rotation_exp(turn), place}, box, mass / volume(box));
}

Joint joint_of(const std::string& name, JointType type, const Vec3& axis, const Vec3& anchor,
               double reference, double armature) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.axis = axis.normalized();
  joint.p_BJ = anchor;
  joint.reference = reference;
  joint.armature = per_dof(armature);
  return joint;
}

// The tree whose root is a child of the body `base`.
void add_tree(const std::string& base, bool with_screw, ModelBuilder* builder) {
  builder->add_body("turret", base, {rotation_exp(Vec3(0.2, -0.4, 0.7)), Vec3(0.1, 0.05, 0.3)});
  builder->add_joint("turret", joint_of("turn", JointType::revolute, Vec3(0.2, -0.3, 1.0),
                                        Vec3(0.03, -0.02, 0.05), 0.4, 0.03));
  add_brick("turret", Vec3(0.08, 0.12, 0.06), 3.1, Vec3(0.04, 0.02, 0.03), Vec3(0.3, 0.5, -0.2), builder);

  // Fixed in the middle of the tree, with mass, and again fixed to that one.
  builder->add_body("bracket", "turret", {rotation_exp(Vec3(-0.5, 0.3, 0.1)), Vec3(0.05, 0.1, 0.12)});
  add_brick("bracket", Vec3(0.03, 0.05, 0.09), 0.8, Vec3(0.0, 0.03, 0.06), Vec3(0.0, 0.6, 0.1), builder);
  builder->add_frame("bracket_mount", "bracket", {rotation_exp(Vec3(0.1, 0.2, 0.3)), Vec3(0.0, 0.02, 0.1)});
  builder->add_body("counterweight", "bracket", {rotation_exp(Vec3(0.0, 0.0, 1.2)), Vec3(-0.06, 0.0, 0.04)});
  Joint weld;
  weld.name = "counterweight_weld";
  weld.type = JointType::fixed;
  builder->add_joint("counterweight", weld);
  add_brick("counterweight", Vec3(0.04, 0.04, 0.03), 1.2, Vec3(-0.02, 0.01, 0.0), Vec3(0.2, 0.0, 0.4),
            builder);

  // One branch: slide, screw, universal, and a leaf fixed at its end.
  builder->add_body("rail", "bracket", {rotation_exp(Vec3(0.9, 0.1, -0.3)), Vec3(0.07, -0.03, 0.11)});
  builder->add_joint(
      "rail", joint_of("slide", JointType::prismatic, Vec3(1.0, 0.4, -0.2), Vec3(0.1, 0.0, 0.0), -0.15, 0.2));
  add_brick("rail", Vec3(0.1, 0.02, 0.03), 0.9, Vec3(0.05, 0.0, 0.01), Vec3(0.1, -0.1, 0.2), builder);

  builder->add_body("nut", "rail", {rotation_exp(Vec3(0.0, 0.7, 0.2)), Vec3(0.12, 0.01, -0.02)});
  Joint thread = joint_of("thread", with_screw ? JointType::screw : JointType::revolute, Vec3(0.3, 1.0, 0.2),
                          Vec3(-0.02, 0.04, 0.01), 0.25, 0.001);
  thread.pitch = with_screw ? 0.04 : 0.0;
  builder->add_joint("nut", thread);
  add_brick("nut", Vec3(0.05, 0.06, 0.04), 0.7, Vec3(0.02, 0.03, -0.01), Vec3(0.4, 0.3, 0.2), builder);

  // The two axes need not be at right angles.
  builder->add_body("yoke", "nut", {rotation_exp(Vec3(-0.3, 0.2, 0.5)), Vec3(0.03, 0.09, 0.02)});
  Joint cross =
      joint_of("cross", JointType::universal, Vec3(1.0, 0.1, 0.2), Vec3(0.0, -0.03, 0.02), 0.0, 0.002);
  cross.axis2 = Vec3(-0.1, 1.0, 0.4).normalized();
  cross.armature[1] = 0.003;
  builder->add_joint("yoke", cross);
  add_brick("yoke", Vec3(0.04, 0.07, 0.03), 0.6, Vec3(0.01, 0.06, 0.0), Vec3(0.0, 0.2, 0.7), builder);

  builder->add_body("probe", "yoke", {rotation_exp(Vec3(0.2, 0.2, -0.6)), Vec3(0.02, 0.13, 0.01)});
  add_brick("probe", Vec3(0.02, 0.05, 0.02), 0.25, Vec3(0.0, 0.05, 0.01), Vec3(0.1, 0.0, 0.3), builder);
  builder->add_frame("probe_tip", "probe", translation(0.0, 0.1, 0.01));

  // The other branch: ball, planar, a wheel, and a body with several joints.
  builder->add_body("ball_link", "bracket", {rotation_exp(Vec3(-0.2, -0.6, 0.4)), Vec3(-0.09, 0.06, 0.1)});
  builder->add_joint("ball_link",
                     joint_of("ball", JointType::ball, Vec3::UnitZ(), Vec3(0.02, 0.03, -0.05), 0.0, 0.004));
  add_brick("ball_link", Vec3(0.05, 0.03, 0.08), 1.1, Vec3(0.03, 0.0, 0.07), Vec3(0.5, 0.1, 0.1), builder);

  builder->add_body("slab", "ball_link", {rotation_exp(Vec3(0.3, 0.3, 0.3)), Vec3(0.02, 0.01, 0.16)});
  Joint plane = joint_of("plane", JointType::planar, Vec3(0.2, 0.1, 1.0), Vec3(0.04, -0.02, 0.01), 0.0, 0.0);
  plane.axis2 = Vec3(1.0, 0.3, -0.23).normalized();
  plane.armature = {0.1, 0.2, 0.005, 0.0, 0.0, 0.0};
  builder->add_joint("slab", plane);
  add_brick("slab", Vec3(0.09, 0.07, 0.02), 0.9, Vec3(0.01, 0.02, 0.01), Vec3(0.1, 0.2, 0.0), builder);

  builder->add_body("wheel", "slab", {rotation_exp(Vec3(1.1, 0.0, 0.2)), Vec3(0.06, 0.05, 0.03)});
  builder->add_joint("wheel",
                     joint_of("axle", JointType::continuous, Vec3(0.1, 0.2, 1.0), Vec3::Zero(), 0.0, 0.0));
  const Shape tyre = Cylinder{0.06, 0.03};
  builder->add_solid("wheel", "wheel", {rotation_exp(Vec3(0.1, 0.1, 0.0)), Vec3(0.01, 0.0, 0.0)}, tyre,
                     0.4 / volume(tyre));

  builder->add_body("wrist", "slab", {rotation_exp(Vec3(0.1, -0.8, 0.3)), Vec3(-0.07, -0.05, 0.04)});
  builder->add_joint("wrist", joint_of("wrist_turn", JointType::revolute, Vec3(1.0, 0.0, 0.3),
                                       Vec3(0.0, 0.02, 0.01), 0.3, 0.001));
  builder->add_joint("wrist", joint_of("wrist_slide", JointType::prismatic, Vec3(0.0, 0.6, 0.8),
                                       Vec3(0.03, 0.0, 0.0), 0.02, 0.05));
  builder->add_joint("wrist", joint_of("wrist_roll", JointType::revolute, Vec3(0.1, 1.0, -0.2),
                                       Vec3(-0.01, 0.0, 0.02), -0.2, 0.0));
  add_brick("wrist", Vec3(0.03, 0.04, 0.05), 0.5, Vec3(0.0, 0.03, 0.04), Vec3(0.3, 0.3, 0.0), builder);

  builder->add_body("shuttle", "turret", {rotation_exp(Vec3(0.6, 0.0, -0.9)), Vec3(-0.1, -0.12, 0.05)});
  builder->add_joint("shuttle", joint_of("shuttle_slide", JointType::prismatic, Vec3(0.2, 0.2, 1.0),
                                         Vec3::Zero(), 0.1, 0.0));
  builder->add_joint("shuttle", joint_of("shuttle_ball", JointType::ball, Vec3::UnitZ(),
                                         Vec3(0.01, 0.02, 0.06), 0.0, 0.002));
  add_brick("shuttle", Vec3(0.03, 0.05, 0.06), 0.7, Vec3(0.02, 0.0, 0.03), Vec3(0.0, 0.4, 0.4), builder);
}

Model all_joints_on_pedestal(const std::string& name, bool with_screw) {
  ModelBuilder builder(name);
  // Fixed at the root: static, with mass and a frame, below everything that moves.
  builder.add_body("pedestal", "world", {rotation_exp(Vec3(0.1, 0.2, -0.3)), Vec3(0.2, -0.1, 0.4)});
  add_brick("pedestal", Vec3(0.15, 0.15, 0.15), 12.0, Vec3(0.0, 0.0, 0.1), Vec3::Zero(), &builder);
  builder.add_frame("pedestal_top", "pedestal", translation(0.0, 0.0, 0.25));
  add_tree("pedestal", with_screw, &builder);
  // They turn and slide inside its brick.
  builder.exclude_contacts("pedestal", "turret").exclude_contacts("pedestal", "shuttle");
  builder.set_gravity(Vec3(0.7, -1.1, -9.4));
  return builder.build();
}

}  // namespace

Model all_joints() { return all_joints_on_pedestal("all_joints", true); }

Model all_joints_mujoco() { return all_joints_on_pedestal("all_joints_mujoco", false); }

Model all_joints_free() {
  ModelBuilder builder("all_joints_free");
  builder.add_free_body("craft", {rotation_exp(Vec3(0.4, -0.2, 0.6)), Vec3(0.3, 0.2, 1.5)}, Inertia{});
  add_brick("craft", Vec3(0.2, 0.12, 0.08), 6.0, Vec3(0.05, -0.04, 0.03), Vec3(0.2, 0.3, -0.1), &builder);
  // Fixed to the base: moves the centre of mass of the free node.
  builder.add_body("ballast", "craft", {rotation_exp(Vec3(0.0, 0.9, 0.2)), Vec3(-0.2, 0.05, -0.06)});
  add_brick("ballast", Vec3(0.06, 0.05, 0.04), 2.5, Vec3(0.01, 0.0, 0.02), Vec3(0.3, 0.0, 0.0), &builder);
  builder.add_frame("ballast_hook", "ballast", translation(0.0, 0.0, -0.05));
  add_tree("craft", true, &builder);
  builder.set_gravity(Vec3(0.7, -1.1, -9.4));
  return builder.build();
}

}  // namespace stiction::scenes
