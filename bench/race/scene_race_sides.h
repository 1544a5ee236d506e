#pragma once
// A scene that both sides simulate from the same start under the same controls, and the two sides.

#include <memory>
#include <string>
#include <vector>

#include "bench/race/mujoco_model.h"
#include "stiction/base/random.h"
#include "stiction/simulation/world.h"

namespace stiction::race {

// Both sides start from the first keyframe where there is one, else from the model's own positions.
struct SceneModels {
  std::string name;
  std::shared_ptr<const Model> ours;
  MujocoModel theirs;
};

// The names of all scenes of the race.
std::vector<std::string> scene_names();
// Throws UserError where the shared models are missing or the sides differ in positions or actuators.
SceneModels make_scene_models(const std::string& name);

// Of one step.
struct SceneFigures {
  double contacts = 0.0;  // points that touch; MuJoCo's: all that it found
  double deepest = 0.0;   // m
  double iterations = 0.0;
  // What the solver left of the balance of momentum, relative to the larger of the momentum and the impulses
  // of contact, both scaled as in newton.h: the largest of all islands; MuJoCo's: of all together.
  double residual = 0.0;
};

class SceneSide {
 public:
  virtual ~SceneSide() = default;
  virtual void restart() = 0;
  virtual void set_controls(const std::vector<double>& controls) = 0;
  virtual void step() = 0;
  virtual SceneFigures figures() const = 0;
};

class OurSide : public SceneSide {
 public:
  // Our default formulation, or one of the catalog; tolerance: of its solver, on the residual, 0: its own.
  explicit OurSide(const SceneModels& models, const std::string& formulation = "", double tolerance = 0.0);
  void restart() override;
  void set_controls(const std::vector<double>& controls) override;
  void step() override {
    world_.step();
    read_sensors();
  }
  // All of the model, as mj_step does.
  void read_sensors() {
    if (num_sensors_ > 0) world_.sensors();
  }
  // Those that are simulated.
  int num_sensors() const { return num_sensors_; }
  SceneFigures figures() const override;
  World& world() { return world_; }

 private:
  World world_;
  int num_sensors_ = 0;
};

class MujocoSide : public SceneSide {
 public:
  explicit MujocoSide(const SceneModels& models);
  void restart() override;
  void set_controls(const std::vector<double>& controls) override;
  void step() override;
  SceneFigures figures() const override;
  // How often MuJoCo found a number too large and started again.
  int failures() const;

 private:
  double residual() const;

  const mjModel_* model_;
  MujocoData data_;
};

// The controls of the race: those of the start with smooth noise, a hundredth of half their range, that
// changes from block to block of steps, as in MuJoCo's own test of speed.
class ControlNoise {
 public:
  explicit ControlNoise(const SceneModels& models);
  const std::vector<double>& next();

 private:
  Random random_;
  std::vector<double> centre_, half_range_, wave_, controls_;
};

}  // namespace stiction::race
