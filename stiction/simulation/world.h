#pragma once
// A World owns a model, its state, its inputs and the record of the last step.
//
//   World world(make_scene("pendulum"));
//   world.set_position("hinge", 1.0);
//   world.simulate(2.0);
//   std::cout << world.position("hinge");

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "stiction/simulation/energy.h"
#include "stiction/simulation/output/sensor_record.h"
#include "stiction/simulation/step.h"

namespace stiction {

struct WorldOptions {
  double h = 2e-3;  // s, the largest where steps differ: default stiffness is made for it
  Formulation formulation = {};
  std::optional<std::uint64_t> sensor_noise = std::nullopt;  // seed; none: sensors have no noise
};

// Thrown when a step fails; what() names the body and the time.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The other body of a contact. A struct, so that a call names it and nobody mixes up the two.
struct ContactPartner {
  std::string_view of_body;
};

class EnergyAudit;
enum class ModelChange;
struct ConstraintModel;

class World {
 public:
  explicit World(Model model, const WorldOptions& options = {});
  explicit World(std::shared_ptr<const Model> model, const WorldOptions& options = {});

  const Model& model() const { return *model_; }
  const State& state() const { return state_; }
  void set_state(const State& state);
  // Back to the initial state of the model, or to one of its keyframes, by name or by number from 0:
  // positions, velocities, activations, time, controls, and the poses of kinematic bodies.
  void reset();
  void reset_to_keyframe(std::string_view keyframe);
  // Inputs act until they are changed.
  Input& input() { return input_; }
  WorldOptions& options() { return options_; }
  const WorldOptions& options() const { return options_; }
  // That of the options, with the step that default stiffness is made for: options().h of the World as it was made,
  // unless the formulation has its own.
  Formulation formulation() const;
  // The results of the last step, and the workspace of the steps.
  const StepRecord& record() const { return record_; }
  const StepWorkspace& workspace() const { return workspace_; }

  // One step of options().h, or of another size. Throws SimulationError if it fails.
  StepReport step();
  StepReport step(double h);
  // Steps until the given time has passed; the last step is shortened to end there.
  void simulate(double duration);

  double time() const { return state_.time; }
  // For joints with one position and one velocity.
  double position(std::string_view joint) const;
  double velocity(std::string_view joint) const;
  void set_position(std::string_view joint, double q);
  void set_velocity(std::string_view joint, double v);
  void set_joint_force(std::string_view joint, double tau);
  // Of actuators, by name or by number from 0. A control acts until it is changed.
  void set_control(std::string_view actuator, double control);
  double control(std::string_view actuator) const;
  double activation(std::string_view actuator) const;
  // Of any body at the present state, in world axes; velocity as (angular, linear at the body's origin).
  Pose body_pose(std::string_view body) const;
  Vec6 body_velocity(std::string_view body) const;
  // For a body with a free joint.
  void set_body_pose(std::string_view body, const Pose& X_WB);
  void set_body_velocity(std::string_view body, const Vec6& V_WB);
  // Switches contacts off or on again: of a shape, of all shapes of a body, of a pair of shapes, of a
  // collision group with everything, or of two groups with each other (the same name twice: within one
  // group). Overrides the model.
  void set_shape_collides(std::string_view shape, bool collides);
  void set_body_collides(std::string_view body, bool collides);
  void set_pair_collides(std::string_view shape1, std::string_view shape2, bool collides);
  void set_group_collides(std::string_view group, bool collides);
  void set_groups_collide(std::string_view group1, std::string_view group2, bool collides);
  // Parameters of the model in this world alone, from now on; units and rules are in
  // stiction/simulation/model/overrides.h. The state does not change. The first call copies the model if
  // others may share it; steps afterwards still allocate nothing. Values of a pair take precedence over those
  // of its shapes.
  void set_mass(std::string_view body, double mass);
  void set_inertia(std::string_view body, const Inertia& inertia);
  void set_centre_of_mass(std::string_view body, const Vec3& com);
  void set_joint_damping(std::string_view joint, double damping);
  void set_joint_armature(std::string_view joint, double armature);
  void set_joint_stiffness(std::string_view joint, double stiffness);
  void set_joint_friction(std::string_view joint, double force);
  void set_friction(std::string_view shape, double mu);
  void set_stiffness(std::string_view shape, double stiffness);
  void set_dissipation(std::string_view shape, double dissipation);
  void set_relaxation_time(std::string_view shape, double time);
  void set_restitution(std::string_view shape, double restitution);
  void set_material(std::string_view shape, const ContactMaterial& material);
  void set_size(std::string_view shape, std::span<const double> size);
  void set_pair_friction(std::string_view shape1, std::string_view shape2, double mu);
  void set_pair_stiffness(std::string_view shape1, std::string_view shape2, double stiffness);
  void set_pair_dissipation(std::string_view shape1, std::string_view shape2, double dissipation);
  void set_pair_relaxation_time(std::string_view shape1, std::string_view shape2, double time);
  void set_pair_restitution(std::string_view shape1, std::string_view shape2, double restitution);
  void set_gain(std::string_view actuator, double gain);
  void set_gain(std::string_view actuator, double kp, double kv);
  void set_force_range(std::string_view actuator, double lower, double upper);
  // An actuator that is off makes no force, and its activation stands still.
  void set_actuator_active(std::string_view actuator, bool active);
  bool is_actuator_active(std::string_view actuator) const;
  void set_gravity(const Vec3& gravity);
  // Pose and velocity of a kinematic body until they are set again; the pose is not integrated from the
  // velocity.
  void set_kinematic_motion(std::string_view body, const Pose& X_WB, const Vec6& V_WB = Vec6::Zero());
  // The surface of a shape moves at v_B (m/s, in the axes of its body), instead of the model's value.
  void set_surface_velocity(std::string_view shape, const Vec3& v_B);
  // Constraints by name: equalities, rods, ropes and bushings; joints that mimic another one by the joint's
  // name.
  void set_constraint_active(std::string_view constraint, bool active);
  bool is_constraint_active(std::string_view constraint) const;
  // Holds a joint at its present position, or at q, until it is unlocked; as many numbers as the joint has
  // positions.
  void lock_joint(std::string_view joint);
  void lock_joint(std::string_view joint, double q);
  void lock_joint(std::string_view joint, std::span<const double> q);
  void unlock_joint(std::string_view joint);
  void set_limits_active(std::string_view joint, bool active);
  // Forces in the last step. Of a loop closure (weld, connect, rod, rope, bushing): (moment, force) in W on
  // the first of the two frames, at its origin. Of a coupling (joints, tendons): the force along the first
  // one. Of limits, dry friction and a lock: the forces (N or N m) by the joint's velocities.
  Vec6 constraint_force(std::string_view closure) const;
  double coupling_force(std::string_view coupling) const;
  Vec6 limit_force(std::string_view joint) const;
  Vec6 friction_force(std::string_view joint) const;
  Vec6 lock_force(std::string_view joint) const;
  // The sum of the contact forces on a body, from all bodies or from one other body, in the last step (N, in
  // W):
  //   world.contact_force("cup", {.of_body = "table"})
  Vec3 contact_force(std::string_view on_body) const;
  Vec3 contact_force(std::string_view on_body, ContactPartner other) const;
  // (moment about the body's origin, force) in W that the parent exerted on a body in the last step, through
  // all joints between them, or through the weld if there are none.
  Vec6 reaction(std::string_view body) const;
  // The values of one sensor, by name or by number from 0, or of all sensors in the model's order; valid
  // until the next call. Positions and velocities are those of the present state, accelerations and forces
  // those of the last step.
  std::span<const double> sensor(std::string_view name) const;
  std::span<const double> sensors() const;
  const SensorModel& sensor_model() const { return *sensor_record().model; }
  // Of the present state, with the elastic energy of the contact points that the next step would find.
  Energies energies() const;
  // The books of the last step: every work, loss and energy by name (energy_audit.h). Zeros before the first.
  EnergyBooks energy_books() const;

 private:
  explicit World(std::shared_ptr<Model> own, const WorldOptions& options);
  const JointIndices& one_dof(std::string_view joint) const;
  int free_joint(std::string_view body) const;
  const Kinematics& kinematics_now() const;
  // Null before the first step.
  const StepRecord* last_step() const { return has_stepped_ ? &record_ : nullptr; }
  const ConstraintModel& constraints() const;
  Vec6 joint_row_force(std::string_view joint, RowKind kind) const;
  SensorRecord& sensor_record() const;
  EnergyAudit& energy_audit() const;
  std::vector<PrescribedMotion>& prescribed();
  Model* own_model();
  // Changes this world's own model and compiles those of its tables again that depend on the change.
  void change_model(ModelChange change, const std::function<void(Model*)>& edit);
  void change_bodies(const std::function<void(Model*)>& edit);
  void set_pair(std::string_view shape1, std::string_view shape2, const PairNumber& number, double value);

  std::shared_ptr<const Model> model_;
  // The same model if this world alone owns it and may change it; null: shared.
  std::shared_ptr<Model> own_model_;
  WorldOptions options_;
  State state_, next_;
  Input input_;
  StepRecord record_;
  StepWorkspace workspace_;
  double stiffness_step_ = 0.0;  // s
  mutable Kinematics now_;
  bool has_stepped_ = false;  // false: record_ does not describe a step that led to the present state
  mutable std::optional<SensorRecord> sensors_;        // made when a sensor is first read
  mutable std::shared_ptr<EnergyAudit> energy_audit_;  // made when energies are first asked for
};

}  // namespace stiction
