#include "python/bindings/simulation/py_world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "python/bindings/interrupts.h"
#include "python/bindings/simulation/overrides.h"
#include "stiction/base/check.h"
#include "stiction/simulation/simulated_time.h"

namespace stiction::python {
namespace {

double end_after(double time, double duration) { return duration > 0.0 ? time_after(time, duration) : time; }

}  // namespace

PyWorld::PyWorld(const PyModel& model, const WorldOptions& options)
    : shared_(model), world_(model.model, options), options_(options) {}

World& PyWorld::ready() {
  STICTION_USER_CHECK(!is_stepping_, "this world of model '{}' is being stepped by another thread",
                      shared_->name);
  world_.options() = options_;
  return world_;
}

WorldOptions& PyWorld::options() {
  ready();
  return options_;
}

PyModel PyWorld::py_model() const {
  const Model& now = ready().model();
  return &now == shared_.model.get() ? shared_ : share(now);
}

void PyWorld::override_number(const Override& change) {
  apply_override(change, &ready());
  new_overrides_.push_back(change);
  pull_state();
}

// Runs a loop over steps without the GIL, and synchronises arrays and world afterwards, even after an
// exception.
template <class Loop>
void PyWorld::run(const Loop& loop) {
  ready();
  push_inputs();
  if (!new_overrides_.empty()) {
    EffectNotes notes;
    notes.add(std::exchange(new_overrides_, {}), world_.model());
    notes.warn(1);
  }
  is_stepping_ = true;
  struct Restore {
    PyWorld* self;
    ~Restore() {
      self->is_stepping_ = false;
      self->pull_state();
    }
  } restore{this};
  const nb::gil_scoped_release release;
  InterruptWatch watch;
  loop(&watch);
}

StepReport PyWorld::step(std::optional<double> h, int steps, const AfterStep& after) {
  STICTION_USER_CHECK(steps >= 1, "the number of steps must be positive, not {}", steps);
  StepReport report;
  run([&](InterruptWatch* watch) {
    const double size = h ? *h : world_.options().h;
    for (int i = 0; i < steps; ++i) {
      if (i > 0) watch->look();
      report = world_.step(size);
      if (after) after(world_, size, report);
    }
  });
  return report;
}

void PyWorld::simulate(double duration) {
  STICTION_USER_CHECK(std::isfinite(duration) && duration >= 0.0, "cannot simulate for {} s", duration);
  run([&](InterruptWatch* watch) {
    const double end = end_after(world_.time(), duration), h = world_.options().h;
    STICTION_USER_CHECK(std::isfinite(h) && h > 0.0, "the step must be positive and finite, not {} s", h);
    while (end - world_.time() > h) {
      world_.step(h);
      watch->look();
    }
    world_.simulate(std::max(0.0, end - world_.time()));
  });
}

void PyWorld::simulate_exactly(double duration, const AfterStep& after) {
  STICTION_USER_CHECK(std::isfinite(duration) && duration >= 0.0, "cannot simulate for {} s", duration);
  run([&](InterruptWatch* watch) {
    // A remainder shorter than this fraction of h is round-off of the sum of steps, not a last step.
    constexpr double kRoundOff = 1e-6;
    const double end = end_after(world_.time(), duration), h = world_.options().h;
    STICTION_USER_CHECK(std::isfinite(h) && h > 0.0, "the step must be positive and finite, not {} s", h);
    while (end - world_.time() > kRoundOff * h) {
      const double size = std::min(h, end - world_.time());
      const StepReport report = world_.step(size);
      after(world_, size, report);
      watch->look();
    }
  });
}

nb::object PyWorld::state_array(const VecX& x, LiveArray* live) {
  if (!live->array.is_valid()) {
    live->numbers = OwnedNumbers(length(x));
    std::copy(x.begin(), x.end(), live->numbers.data());
    live->array = nb::cast(live->numbers.view({length(x)}));
  }
  return live->array;
}

nb::object PyWorld::q() { return state_array(ready().state().q, &q_); }
nb::object PyWorld::v() { return state_array(ready().state().v, &v_); }
nb::object PyWorld::activations() { return state_array(ready().state().activations, &activations_); }

nb::object PyWorld::input_array(std::size_t size, VecX& x, LiveArray* live) {
  if (!live->array.is_valid()) {
    live->numbers = OwnedNumbers(size);
    if (length(x) == size) std::copy(x.begin(), x.end(), live->numbers.data());
    live->array = nb::cast(live->numbers.array({size}));
  }
  return live->array;
}

nb::object PyWorld::controls() {
  return input_array(world_.model().elements.actuators.size(), ready().input().controls, &controls_);
}

nb::object PyWorld::joint_forces() {
  return input_array(static_cast<std::size_t>(world_.model().num_v()), ready().input().joint_forces,
                     &joint_forces_);
}

double* PyWorld::control_numbers() {
  controls();
  return controls_.numbers.data();
}

double* PyWorld::joint_force_numbers() {
  joint_forces();
  return joint_forces_.numbers.data();
}

void PyWorld::pull_state() {
  const auto copy = [](const VecX& x, const LiveArray& live) {
    if (live.numbers.is_made()) std::copy(x.begin(), x.end(), live.numbers.data());
  };
  copy(world_.state().q, q_);
  copy(world_.state().v, v_);
  copy(world_.state().activations, activations_);
}

void PyWorld::pull_inputs() {
  const auto copy = [](const VecX& x, const LiveArray& live) {
    if (!live.numbers.is_made()) return;
    if (length(x) == live.numbers.size())
      std::copy(x.begin(), x.end(), live.numbers.data());
    else
      std::fill_n(live.numbers.data(), live.numbers.size(), 0.0);
  };
  copy(world_.input().controls, controls_);
  copy(world_.input().joint_forces, joint_forces_);
}

void PyWorld::push_inputs() {
  const auto copy = [](const LiveArray& live, VecX* x) {
    if (live.numbers.is_made())
      *x = Eigen::Map<const VecX>(live.numbers.data(), static_cast<Eigen::Index>(live.numbers.size()));
  };
  copy(controls_, &world_.input().controls);
  copy(joint_forces_, &world_.input().joint_forces);
}

}  // namespace stiction::python
