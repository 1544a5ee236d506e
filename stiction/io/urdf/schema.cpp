#include "stiction/io/urdf/schema.h"

namespace stiction {

const XmlSchema& urdf_schema() {
  static const XmlSchema schema = {
      {"robot", "name version",
       "link joint material transmission gazebo=any sensor=any ros2_control=any frame mujoco "
       "drake:joint=joint drake:collision_filter_group drake:linear_bushing_rpy=any "
       "drake:linear_spring_damper=any drake:ball_constraint=any drake:tendon_constraint=any"},
      {"link", "name type", "inertial visual collision contact gazebo=any sensor=any"},
      {"inertial", "", "origin mass inertia"},
      {"origin", "xyz rpy quat_xyzw", ""},
      {"mass", "value", ""},
      {"inertia", "ixx ixy ixz iyy iyz izz", ""},

      // Shapes and how they look.
      {"visual", "name",
       "origin geometry material drake:accepting_renderer=any drake:perception_properties=any "
       "drake:illustration_properties=any"},
      {"collision", "name group", "origin geometry material verbose=value drake:proximity_properties"},
      {"geometry", "", "box cylinder sphere capsule mesh drake:capsule=capsule drake:ellipsoid=ellipsoid"},
      {"box", "size", ""},
      {"cylinder", "radius length", ""},
      {"sphere", "radius", ""},
      {"capsule", "radius length", ""},
      {"ellipsoid", "a b c", ""},
      {"mesh", "filename scale", "drake:declare_convex=flag"},
      {"material", "name", "color texture drake:diffuse_map=texture"},
      {"color", "rgba", ""},
      {"texture", "filename", ""},

      // Joints.
      {"joint", "name type",
       "origin parent child axis calibration dynamics limit mimic safety_controller "
       "drake:screw_thread_pitch=value"},
      {"parent", "link", ""},
      {"child", "link", ""},
      {"axis", "xyz", ""},
      {"calibration", "rising falling reference_position", ""},
      {"dynamics", "damping friction", ""},
      {"limit", "effort velocity lower upper acceleration deceleration jerk drake:acceleration", ""},
      {"mimic", "joint multiplier offset", ""},
      {"safety_controller", "soft_lower_limit soft_upper_limit k_position k_velocity", ""},
      {"frame", "name link xyz rpy", ""},

      // Transmissions: ROS control's words, and those of the PR2 before it.
      {"transmission", "name type",
       "type=text joint=transmission_joint actuator mechanicalReduction=text motorTorqueConstant=text "
       "compensator=any simulated_reduction=any leftActuator=any rightActuator=any flexJoint=any "
       "rollJoint=any "
       "gap_joint=any passive_joint=any use_simulated_gripper_joint=any"},
      {"transmission_joint", "name", "hardwareInterface=text mechanicalReduction=text offset=text role=text"},
      {"actuator", "name",
       "hardwareInterface=text mechanicalReduction=text motorTorqueConstant=text role=text "
       "drake:rotor_inertia=value drake:gear_ratio=value drake:controller_gains=gains"},
      {"gains", "p d", ""},

      // Contact: Drake's, and PyBullet's.
      {"drake:proximity_properties", "",
       "drake:mu_dynamic=value drake:mu_static=value drake:hunt_crossley_dissipation=value "
       "drake:point_contact_stiffness=value drake:relaxation_time=value drake:hydroelastic_modulus=value "
       "drake:hydroelastic_margin=value drake:mesh_resolution_hint=value drake:rigid_hydroelastic=flag "
       "drake:compliant_hydroelastic=flag drake:soft_hydroelastic=flag"},
      {"drake:collision_filter_group", "name ignore",
       "drake:member=filter_member drake:member_group=filter_group "
       "drake:ignored_collision_filter_group=filter_group"},
      {"filter_member", "link", ""},
      {"filter_group", "name", ""},
      {"contact", "",
       "lateral_friction=value rolling_friction=value spinning_friction=value restitution=value "
       "stiffness=value damping=value contact_cfm=value contact_erp=value inertia_scaling=value "
       "friction_anchor=flag"},

      // MuJoCo's block; what is below options and the like is reported as a whole.
      {"mujoco", "model",
       "compiler option size=any default=any visual=any statistic=any asset=any contact=any"},
      {"compiler",
       "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb "
       "eulerseq meshdir texturedir assetdir discardvisual usethread fusestatic inertiafromgeom "
       "inertiagrouprange saveinertial alignfree convexhull exactmeshinertia",
       "lengthrange=any"},
      {"option", "*", "*"},

      {"value", "value", ""},
      {"flag", "", ""},
      {"text", "", ""},
      {"any", "*", "*"},
  };
  return schema;
}

}  // namespace stiction
