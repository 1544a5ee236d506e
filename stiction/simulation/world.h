#pragma once
// The convenient owner of a model, a state and the record of the last step.
//
//   World world(make_scene("pendulum"));
//   world.set_position("hinge", 1.0);
//   world.simulate(2.0);
//   std::cout << world.position("hinge");

#include <memory>
#include <string_view>

#include "stiction/simulation/energy.h"
#include "stiction/simulation/step.h"

namespace stiction {

struct WorldOptions {
  double h = 2e-3;  // s
  Formulation formulation;
};

// What a World throws when a step fails; what() names the body and the time.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class World {
 public:
  explicit World(Model model, const WorldOptions& options = {});
  explicit World(std::shared_ptr<const Model> model, const WorldOptions& options = {});

  const Model& model() const { return *model_; }
  const State& state() const { return state_; }
  void set_state(const State& state);
  // The state in which the model was built, or one of its keyframes, by name or by number from 0: positions,
  // velocities, time, and where kinematic bodies stand.
  void reset();
  void reset_to_keyframe(std::string_view keyframe);
  // Acts until it is changed.
  Input& input() { return input_; }
  WorldOptions& options() { return options_; }
  const WorldOptions& options() const { return options_; }
  const StepRecord& record() const { return record_; }

  // One step of options().h, or of another size. Throws SimulationError if it fails.
  StepReport step();
  StepReport step(double h);
  // Steps until the given time has passed; the last step is shortened to end there.
  void simulate(double duration);

  double time() const { return state_.time; }
  // Of joints with one position or velocity.
  double position(std::string_view joint) const;
  double velocity(std::string_view joint) const;
  void set_position(std::string_view joint, double q);
  void set_velocity(std::string_view joint, double v);
  void set_joint_force(std::string_view joint, double tau);
  // Of any body, now, in world axes; velocity as (angular, that of the body's origin).
  Pose body_pose(std::string_view body) const;
  Vec6 body_velocity(std::string_view body) const;
  // Of a body with a free joint.
  void set_body_pose(std::string_view body, const Pose& X_WB);
  void set_body_velocity(std::string_view body, const Vec6& V_WB);
  // Switches the contacts of a shape, of all shapes of a body, or of two shapes off or on again.
  void set_shape_collides(std::string_view shape, bool collides);
  void set_body_collides(std::string_view body, bool collides);
  void set_pair_collides(std::string_view shape1, std::string_view shape2, bool collides);
  // Pose and velocity of a kinematic body until they are set again; it does not move by itself.
  void set_kinematic_motion(std::string_view body, const Pose& X_WB, const Vec6& V_WB = Vec6::Zero());
  // The surface of a shape moves at v_B (m/s, in the axes of its body), in place of what the model says.
  void set_surface_velocity(std::string_view shape, const Vec3& v_B);
  // What a body is pushed with by all it touches, or by one other body, in the last step (N, in W).
  Vec3 contact_force(std::string_view on_body) const;
  Vec3 contact_force(std::string_view of_body, std::string_view on_body) const;
  Energies energies() const { return stiction::energies(*model_, state_); }

 private:
  const JointPlace& one_dof(std::string_view joint) const;
  int free_joint(std::string_view body) const;
  const Kinematics& kinematics_now() const;
  std::vector<PrescribedMotion>& prescribed();

  std::shared_ptr<const Model> model_;
  WorldOptions options_;
  State state_, next_;
  Input input_;
  StepRecord record_;
  mutable Kinematics now_;
};

}  // namespace stiction
