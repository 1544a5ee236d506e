#pragma once
// Builds a Model by names. Every mistake throws UserError and names the body, joint, frame or shape it is
// about.
//
//   ModelBuilder builder("pendulum");
//   builder.add_body("rod", "world", translation(0, 0, 2), solid_cylinder(1.0, 0.01, 1.0));
//   builder.add_joint("rod", {.name = "hinge", .type = JointType::revolute, .axis = Vec3::UnitY()});
//   Model model = builder.build();
//
// Bodies, joints, frames and shapes each have names of their own kind: a body and a frame may share one.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stiction/simulation/model/model.h"

namespace stiction {

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "model");

  // Adds a body as a child of `parent` ("world" always exists) at X_PB; without joints it is fixed to its
  // parent.
  ModelBuilder& add_body(const std::string& name, const std::string& parent, const Pose& X_PB = {},
                         const Inertia& inertia = {});
  // A body whose pose and velocity are prescribed from outside.
  ModelBuilder& add_kinematic_body(const std::string& name, const Pose& X_WB = {},
                                   const Inertia& inertia = {});
  // Joints of a body act in the order in which they are added. An empty name becomes the body's name.
  ModelBuilder& add_joint(const std::string& body, Joint joint);
  // A body on the world, with a free joint of the same name.
  ModelBuilder& add_free_body(const std::string& name, const Pose& X_WB, const Inertia& inertia);
  ModelBuilder& add_frame(const std::string& name, const std::string& body, const Pose& X_BF);
  // The shape collides as its Minkowski sum with a ball of radius `rounding` (m).
  ModelBuilder& add_shape(const std::string& name, const std::string& body, const Pose& X_BS,
                          const Shape& shape, double rounding = 0.0);
  // Adds a shape and the mass of its volume at the given density (kg/m^3) to the body.
  ModelBuilder& add_solid(const std::string& name, const std::string& body, const Pose& X_BS,
                          const Shape& shape, double density);
  // Contact properties and appearance of a shape that was added before; all others have the defaults.
  ModelBuilder& set_properties(const std::string& shape, const ShapeProperties& properties);
  // Material of the surface of a shape.
  ModelBuilder& set_material(const std::string& shape, const ContactMaterial& material);
  // The surface of a shape moves at v_B (m/s, in the axes of its body) relative to the body: a conveyor belt.
  ModelBuilder& set_surface_velocity(const std::string& shape, const Vec3& v_B);
  // Shapes of the two bodies never collide.
  ModelBuilder& exclude_contacts(const std::string& body1, const std::string& body2);
  // A named group of shapes (all shapes of some bodies, or single ones) that ignores other groups or itself,
  // or collides with nothing. Its members and the groups that it names must have been added before.
  ModelBuilder& add_collision_group(const CollisionGroup& group);
  // The two shapes may collide whatever the rules of stiction/simulation/collision/collision_filter.h say.
  ModelBuilder& add_contact_pair(const std::string& shape1, const std::string& shape2, double margin = 0.0);
  // Constraints, tendons and actuators (docs/constraints.md); what they name must have been added before.
  // Keyframes without positions or velocities have those of the initial state.
  ModelBuilder& add_constraint(const Equality& equality);
  ModelBuilder& add_constraint(const DistanceConstraint& distance);
  ModelBuilder& add_constraint(const SlotConstraint& slot);
  ModelBuilder& add_constraint(const Bushing& bushing);
  ModelBuilder& add_constraint(const SupportFriction& support);
  ModelBuilder& add_tendon(const Tendon& tendon);
  ModelBuilder& add_actuator(const Actuator& actuator);
  ModelBuilder& add_keyframe(const Keyframe& keyframe);
  ModelBuilder& set_gravity(const Vec3& gravity);
  // Position of a joint in the model's initial state: as many numbers as the joint has positions. Quaternions
  // are brought to unit length.
  ModelBuilder& set_initial(const std::string& joint, const std::vector<double>& q);
  // Velocities of a joint in the initial state, as many as it has.
  ModelBuilder& set_initial_velocity(const std::string& joint, const std::vector<double>& v);

  // Names are looked up when sensors are first read (stiction/simulation/output/sensor_model.h).
  ModelBuilder& add_sensor(const Sensor& sensor);

  // Copies everything of another model under the body or frame `parent` (a body's name goes first) at X_PA;
  // every name gets `prefix` in front ("left/"). The other model's world becomes `parent`; its free and
  // kinematic bodies stay on the world, placed as if `parent` stood at the reference position of its joints.
  // Initial positions, elements and keyframes come along, the other model's gravity and options do not. In a
  // keyframe of the other model everything else is as in the initial state; one whose name is taken gets a number.
  ModelBuilder& attach(const Model& other, const std::string& parent, const Pose& X_PA,
                       const std::string& prefix);

  Model build() const;

 private:
  using Index = std::unordered_map<std::string, int>;
  struct JointIndex {
    int body = 0;
    int index_in_body = 0;
  };

  // A keyframe of an attached model, which says nothing about the rest of the model that is being built.
  struct AttachedKey {
    Keyframe key;  // of the other model; its poses are moved to where that stands
    std::map<std::string, std::vector<double>> q, v;  // by joint
    std::size_t first_actuator = 0, first_mocap = 0;
  };

  int body_index(const std::string& name, std::string_view asked_by) const;
  int shape_index(const std::string& name, std::string_view asked_by) const;
  Joint& find_joint(const std::string& name, std::string_view asked_by);
  void check_frame(const std::string& name, std::string_view asked_by) const;
  void check_constraint_name(const std::string& name) const;
  template <class Item>
  ModelBuilder& add_frame_constraint(const Item& item);
  Frame attachment(const std::string& body_or_frame, std::string_view asked_by) const;
  Pose reference_pose(int body) const;
  void add_copy_of_body(const Model& other, int index, const Frame& parent, const std::string& prefix);
  void attach_keyframes(const Model& other, const Pose& X_WA, const std::string& prefix,
                        std::size_t first_actuator, std::size_t first_mocap);
  Keyframe whole(const AttachedKey& part, const Model& model) const;

  std::string name_;
  Vec3 gravity_ = Vec3(0.0, 0.0, -9.81);
  std::vector<Body> bodies_;
  std::vector<Frame> frames_;
  std::vector<PlacedShape> shapes_;
  Elements elements_;
  std::vector<AttachedKey> attached_keys_;
  std::map<std::string, std::vector<double>> initial_, initial_velocity_;
  Index body_names_, frame_names_, shape_names_;
  std::unordered_map<std::string, JointIndex> joint_names_;
};

}  // namespace stiction
