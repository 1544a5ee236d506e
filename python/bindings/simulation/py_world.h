#pragma once
// A world as Python holds it: a World, and arrays whose memory stays in place while it steps.
//
// The memory of q, v and activations of a World changes from step to step. Python gets separate arrays, made
// when they are first asked for and updated after every change; they are read-only. Controls and joint forces
// are writable arrays, which are read when a step begins.
//
// The GIL is released while a world steps. During that time every other use of the same world raises
// UserError: all functions obtain the world through `ready()`. Arrays and options belong to Python, so a
// program may read or write them at any time: they are copied under the GIL when a step begins or ends.

#include <functional>
#include <optional>

#include "python/bindings/arrays.h"
#include "python/bindings/simulation/py_model.h"
#include "stiction/simulation/override_list.h"
#include "stiction/simulation/world.h"

namespace stiction::python {

class PyWorld {
 public:
  PyWorld(const PyModel& model, const WorldOptions& options);

  // The world for a short call under the GIL. Throws UserError while another thread steps it.
  World& ready();
  const World& ready() const { return const_cast<PyWorld*>(this)->ready(); }
  const Model& model() const { return world_.model(); }
  // As Python holds it.
  PyModel py_model() const;

  // Called after every step, without the GIL: the world, the size of the step and its report.
  using AfterStep = std::function<void(World& world, double h, const StepReport& report)>;
  // Several steps of the same size (none: that of the options); the report of the last.
  StepReport step(std::optional<double> h, int steps, const AfterStep& after = nullptr);
  void simulate(double duration);
  // The same without rounding the time at the end, so that every state is that of a step.
  void simulate_exactly(double duration, const AfterStep& after);
  WorldOptions& options();
  // Changes a number of the model. What cannot act is said when the next step begins: by then a program has
  // changed all that it wants to.
  void override_number(const Override& change);

  nb::object q(), v(), activations();
  nb::object controls(), joint_forces();
  // Call after the state of the world was changed other than by a step.
  void pull_state();
  // Call after the inputs of the world were changed other than through the arrays.
  void pull_inputs();
  // Copies the arrays to the inputs of the world.
  void push_inputs();
  double* control_numbers();
  double* joint_force_numbers();

 private:
  struct LiveArray {
    OwnedNumbers numbers;
    nb::object array;  // null: not asked for yet
  };
  template <class Loop>
  void run(const Loop& loop);
  nb::object state_array(const VecX& x, LiveArray* live);
  nb::object input_array(std::size_t size, VecX& x, LiveArray* live);

  PyModel shared_;
  World world_;
  WorldOptions options_;
  std::vector<Override> new_overrides_;  // since the last step
  bool is_stepping_ = false;             // under the GIL
  LiveArray q_, v_, activations_, controls_, joint_forces_;
};

}  // namespace stiction::python
