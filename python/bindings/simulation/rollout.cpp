// Many trajectories at once: the compiled part of stiction.rollout().

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/interrupts.h"
#include "python/bindings/simulation/overrides.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"
#include "stiction/base/parallel.h"

namespace stiction::python {
namespace {

using namespace nb::literals;
using Inputs = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Controls or joint forces (worlds or 1, steps or 1, numbers); a size of 1 is broadcast.
struct InputTable {
  const double* data = nullptr;
  std::size_t worlds = 0, steps = 0, width = 0;

  InputTable(const Inputs& given, const char* what, std::size_t num_worlds, std::size_t num_steps,
             std::size_t numbers)
      : data(given.data()), worlds(given.shape(0)), steps(given.shape(1)), width(given.shape(2)) {
    const bool fits = (worlds == num_worlds || worlds == 1) && (steps == num_steps || steps == 1) &&
                      (width == numbers || width == 0);
    STICTION_USER_CHECK(fits, "{} are ({}, {}, {}), not ({}, {}, {}) or one for all", what, worlds, steps,
                        width, num_worlds, num_steps, numbers);
  }
  // Width 0: no input.
  void copy(std::size_t world, std::size_t step, VecX* out) const {
    const double* row = data + ((worlds == 1 ? 0 : world) * steps + (steps == 1 ? 0 : step)) * width;
    *out = Eigen::Map<const VecX>(row, static_cast<Eigen::Index>(width));
  }
};

struct RolloutPlan {
  PyModel model;
  WorldOptions options;
  std::vector<State> states;  // one, or one for each world
  std::vector<OverrideTable> overrides;
  std::vector<int> lengths;              // steps of each world; empty: all have `steps`
  int worlds = 0, steps = 0, every = 1;  // steps: of the longest
  bool wants_sensors = false;
  int rows() const { return steps / every + 1; }
  int steps_of(int world) const { return lengths.empty() ? steps : lengths[static_cast<std::size_t>(world)]; }
};

struct RolloutArrays {
  OwnedNumbers time, q, v, sensors;
  std::vector<int> failed_at, unconverged;  // by world; -1: it has not failed
  std::vector<State> states;                // at the end
  std::size_t num_sensors = 0;
};

// A pool of worlds that trajectories use one after the other, so that a thread reuses its memory. The result
// does not depend on what a world did before: a trajectory starts from its state alone. If parameters of the
// model differ between worlds, or sensors read the previous step, each trajectory has a world of its own.
class WorldPool {
 public:
  explicit WorldPool(const RolloutPlan* plan) : plan_(plan) {}

  std::unique_ptr<World> borrow(int index) {
    std::unique_ptr<World> world;
    if (!needs_new()) {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        world = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!world) world = std::make_unique<World>(plan_->model.model, plan_->options);
    if (plan_->overrides.empty()) return world;
    std::vector<Override> changes;
    for (const OverrideTable& table : plan_->overrides) changes.push_back(table.of_world(index));
    for (const Override& change : changes) apply_override(change, world.get());
    const std::lock_guard lock(mutex_);
    notes_.add(changes, world->model());
    return world;
  }
  const EffectNotes& notes() const { return notes_; }
  void give_back(std::unique_ptr<World> world) {
    if (needs_new()) return;
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(world));
  }

 private:
  bool needs_new() const { return !plan_->overrides.empty() || plan_->wants_sensors; }

  const RolloutPlan* plan_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<World>> idle_;
  EffectNotes notes_;
};

void record(const World& world, int index, int row, const RolloutPlan& plan, RolloutArrays* out) {
  const std::size_t place =
      static_cast<std::size_t>(index) * static_cast<std::size_t>(plan.rows()) + static_cast<std::size_t>(row);
  const State& state = world.state();
  out->time.data()[place] = state.time;
  std::copy(state.q.begin(), state.q.end(), out->q.data() + place * length(state.q));
  std::copy(state.v.begin(), state.v.end(), out->v.data() + place * length(state.v));
  if (!plan.wants_sensors) return;
  const std::span<const double> values = world.sensors();
  std::copy(values.begin(), values.end(), out->sensors.data() + place * values.size());
}

// Rows after a failure, or after the end of a world that has fewer steps than others.
void fill_from(int index, int row, const RolloutPlan& plan, RolloutArrays* out) {
  const std::size_t rows = static_cast<std::size_t>(plan.rows());
  const auto fill = [&](const OwnedNumbers& numbers, std::size_t width) {
    double* data = numbers.data() + static_cast<std::size_t>(index) * rows * width;
    std::fill(data + static_cast<std::size_t>(row) * width, data + rows * width,
              std::numeric_limits<double>::quiet_NaN());
  };
  fill(out->time, 1);
  fill(out->q, static_cast<std::size_t>(plan.model->num_q()));
  fill(out->v, static_cast<std::size_t>(plan.model->num_v()));
  if (plan.wants_sensors) fill(out->sensors, out->num_sensors);
}

// `is_due(true)`: between two steps; ends the trajectory where it says so.
template <class IsDue>
void run_one(int index, const RolloutPlan& plan, const InputTable& controls, const InputTable& joint_forces,
             const IsDue& is_due, World* world, RolloutArrays* out) {
  const auto w = static_cast<std::size_t>(index);
  world->reset();
  world->set_state(plan.states.size() == 1 ? plan.states[0] : plan.states[w]);
  record(*world, index, 0, plan, out);
  const int steps = plan.steps_of(index);
  for (int s = 0; s < steps; ++s) {
    if (is_due()) return;
    controls.copy(w, static_cast<std::size_t>(s), &world->input().controls);
    joint_forces.copy(w, static_cast<std::size_t>(s), &world->input().joint_forces);
    try {
      if (world->step().status != StepStatus::done) ++out->unconverged[w];
    } catch (const SimulationError&) {
      out->failed_at[w] = s;
      fill_from(index, s / plan.every + 1, plan, out);
      break;
    }
    if ((s + 1) % plan.every == 0) record(*world, index, (s + 1) / plan.every, plan, out);
  }
  if (steps < plan.steps && out->failed_at[w] < 0) fill_from(index, steps / plan.every + 1, plan, out);
  out->states[w] = world->state();
}

RolloutArrays arrays_for(const RolloutPlan& plan) {
  RolloutArrays out;
  const auto n = static_cast<std::size_t>(plan.worlds), rows = static_cast<std::size_t>(plan.rows());
  out.time = OwnedNumbers(n * rows);
  out.q = OwnedNumbers(n * rows * static_cast<std::size_t>(plan.model->num_q()));
  out.v = OwnedNumbers(n * rows * static_cast<std::size_t>(plan.model->num_v()));
  if (plan.wants_sensors)
    out.num_sensors =
        static_cast<std::size_t>(World(plan.model.model, plan.options).sensor_model().num_values);
  out.sensors = OwnedNumbers(n * rows * out.num_sensors);
  out.failed_at.assign(n, -1);
  out.unconverged.assign(n, 0);
  out.states.resize(n);
  return out;
}

void check(const RolloutPlan& plan) {
  constexpr double kMostNumbers = 1e10;
  STICTION_USER_CHECK(plan.worlds >= 1, "there are no worlds to roll out");
  STICTION_USER_CHECK(plan.steps >= 0, "the number of steps must not be negative, not {}", plan.steps);
  STICTION_USER_CHECK(plan.every >= 1, "every must be positive, not {}", plan.every);
  STICTION_USER_CHECK(static_cast<double>(plan.worlds) * plan.rows() * plan.model->num_q() < kMostNumbers,
                      "{} worlds of {} rows are too much for one call", plan.worlds, plan.rows());
  const std::size_t given = plan.states.size();
  STICTION_USER_CHECK(given == 1 || given == static_cast<std::size_t>(plan.worlds),
                      "there are {} worlds, but {} states", plan.worlds, given);
  STICTION_USER_CHECK(plan.lengths.empty() || plan.lengths.size() == static_cast<std::size_t>(plan.worlds),
                      "there are {} worlds, but {} numbers of steps", plan.worlds, plan.lengths.size());
  for (const int length : plan.lengths)
    STICTION_USER_CHECK(length >= 0 && length <= plan.steps,
                        "the number of steps must not be negative, not {}", length);
}

nb::tuple rollout(
    const PyModel& model, const std::vector<State>& states, const Inputs& controls,
    const Inputs& joint_forces, int worlds, int steps, const std::vector<int>& lengths, int every,
    const std::optional<double>& h, const std::optional<FormulationChoice>& formulation,
    const std::optional<std::string>& scheme, const std::optional<std::uint64_t>& sensor_noise,
    const std::vector<std::tuple<std::string, std::vector<NameOrIndex>, OverrideNumbers>>& overrides,
    bool sensors) {
  RolloutPlan plan{model,   options_from(model, h, formulation, scheme, sensor_noise),
                   states,  {},
                   lengths, worlds,
                   steps,   every,
                   sensors};
  for (const auto& [kind, names, values] : overrides)
    plan.overrides.push_back(override_table(kind, names, values, *model, worlds));
  check(plan);
  const auto n = static_cast<std::size_t>(worlds), num_steps = static_cast<std::size_t>(std::max(steps, 1));
  const InputTable control_table(controls, "controls", n, num_steps, model->elements.actuators.size());
  const InputTable force_table(joint_forces, "joint forces", n, num_steps,
                               static_cast<std::size_t>(model->num_v()));
  RolloutArrays out = arrays_for(plan);
  std::atomic<bool> is_stopped = false;
  WorldPool pool(&plan);
  {
    const nb::gil_scoped_release release;
    const std::thread::id caller = std::this_thread::get_id();
    InterruptWatch watch;
    parallel_for(worlds, 1, [&](int i) {
      const auto is_due = [&] {
        if (std::this_thread::get_id() == caller && watch.is_due()) is_stopped = true;
        return is_stopped.load(std::memory_order_relaxed);
      };
      if (is_stopped) return;
      std::unique_ptr<World> world = pool.borrow(i);
      run_one(i, plan, control_table, force_table, is_due, world.get(), &out);
      pool.give_back(std::move(world));
    });
  }
  if (is_stopped) throw nb::python_error();
  pool.notes().warn(worlds);
  const auto rows = static_cast<std::size_t>(plan.rows());
  return nb::make_tuple(
      out.time.array({n, rows}), out.q.array({n, rows, static_cast<std::size_t>(model->num_q())}),
      out.v.array({n, rows, static_cast<std::size_t>(model->num_v())}),
      out.sensors.array({n, rows, out.num_sensors}), out.failed_at, out.unconverged, out.states);
}

}  // namespace

void bind_rollout(nb::module_& m) {
  m.def("_rollout", &rollout, "model"_a, "states"_a, "controls"_a, "joint_forces"_a, "worlds"_a, "steps"_a,
        "lengths"_a, "every"_a, "h"_a.none(), "formulation"_a.none(), "scheme"_a.none(),
        "sensor_noise"_a.none(), "overrides"_a, "sensors"_a, "The compiled part of stiction.rollout().");
}

}  // namespace stiction::python
