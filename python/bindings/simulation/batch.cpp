#include "python/bindings/simulation/batch.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "python/bindings/interrupts.h"
#include "python/bindings/simulation/overrides.h"
#include "stiction/base/check.h"
#include "stiction/base/parallel.h"

namespace stiction::python {
namespace {

// Many enough that no thread waits long for the last chunk, few enough that a chunk is worth its overhead.
constexpr int kChunks = 64;
constexpr int kMostWorlds = 1 << 20;
// Steps of a world before its thread continues with another: enough to profit from the cache.
constexpr int kRound = 64;

}  // namespace

Batch::Batch(const PyModel& model, int worlds, const WorldOptions& options) : model_(model) {
  STICTION_USER_CHECK(worlds >= 1 && worlds <= kMostWorlds, "a batch has from 1 to {} worlds, not {}",
                      kMostWorlds, worlds);
  const auto n = static_cast<std::size_t>(worlds);
  for (int i = 0; i < worlds; ++i) worlds_.push_back(std::make_unique<World>(model.model, options));
  errors_.resize(n);
  const auto nq = static_cast<std::size_t>(model->num_q()), nv = static_cast<std::size_t>(model->num_v());
  const std::size_t nu = model->elements.actuators.size();
  q_ = OwnedNumbers(n * nq);
  v_ = OwnedNumbers(n * nv);
  time_ = OwnedNumbers(n);
  controls_ = OwnedNumbers(n * nu);
  joint_forces_ = OwnedNumbers(n * nv);
  failed_ = OwnedNumbers(n);
  arrays_ = {nb::cast(q_.view({n, nq})),
             nb::cast(v_.view({n, nv})),
             nb::cast(time_.view({n})),
             nb::cast(controls_.array({n, nu})),
             nb::cast(joint_forces_.array({n, nv})),
             nb::cast(failed_.view({n}))};
  for (int i = 0; i < worlds; ++i) pull(i);
}

void Batch::check_ready() const {
  STICTION_USER_CHECK(!is_stepping_, "this batch of model '{}' is being stepped by another thread",
                      model_->name);
}

nb::object Batch::array(Field field) const {
  check_ready();
  return arrays_[static_cast<std::size_t>(field)];
}

World& Batch::world(int index) {
  check_ready();
  STICTION_USER_CHECK(index >= 0 && index < size(), "the batch has {} worlds, so there is no world {}",
                      size(), index);
  return *worlds_[static_cast<std::size_t>(index)];
}

Eigen::Map<VecX> Batch::row(const OwnedNumbers& numbers, int index) const {
  const Eigen::Index width = static_cast<Eigen::Index>(numbers.size() / worlds_.size());
  return {numbers.data() + width * index, width};
}

void Batch::pull(int index) {
  const World& world = *worlds_[static_cast<std::size_t>(index)];
  row(q_, index) = world.state().q;
  row(v_, index) = world.state().v;
  time_.data()[index] = world.time();
  failed_.data()[index] = errors_[static_cast<std::size_t>(index)].empty() ? 0.0 : 1.0;
}

template <class IsDue>
void Batch::step_one(int index, int steps, const IsDue& is_due) {
  std::string& error = errors_[static_cast<std::size_t>(index)];
  if (!error.empty()) return;
  World& world = *worlds_[static_cast<std::size_t>(index)];
  try {
    for (int i = 0; i < steps && !is_due(); ++i) world.step();
  } catch (const SimulationError& failure) {
    error = failure.what();
  }
}

void Batch::step(int steps) {
  check_ready();
  STICTION_USER_CHECK(steps >= 1, "the number of steps must be positive, not {}", steps);
  for (int i = 0; i < size(); ++i) {
    Input& input = worlds_[static_cast<std::size_t>(i)]->input();
    input.controls = row(controls_, i);
    input.joint_forces = row(joint_forces_, i);
  }
  if (!new_overrides_.empty()) {
    EffectNotes notes;
    for (std::size_t i = 0; i < worlds_.size(); ++i) notes.add(new_overrides_[i], worlds_[i]->model());
    new_overrides_.clear();
    notes.warn(size());
  }
  is_stepping_ = true;
  struct Restore {
    Batch* self;
    ~Restore() {
      self->is_stepping_ = false;
      for (int i = 0; i < self->size(); ++i) self->pull(i);
    }
  } restore{this};
  std::atomic<bool> is_stopped = false;
  {
    const nb::gil_scoped_release release;
    const std::thread::id caller = std::this_thread::get_id();
    InterruptWatch watch;
    const auto is_due = [&] {
      if (std::this_thread::get_id() == caller && watch.is_due()) is_stopped = true;
      return is_stopped.load(std::memory_order_relaxed);
    };
    // In rounds, so that the calling thread, when its worlds are done, checks for signals while others still
    // run.
    for (int left = steps; left > 0 && !is_due(); left -= kRound) {
      const int count = std::min(kRound, left);
      parallel_for(size(), std::max(1, size() / kChunks), [&](int i) { step_one(i, count, is_due); });
    }
  }
  if (is_stopped) throw nb::python_error();
}

void Batch::override_numbers(const std::vector<Override>& changes) {
  new_overrides_.resize(worlds_.size());
  for (int i = 0; i < size(); ++i) {
    apply_override(changes[static_cast<std::size_t>(i)], &world(i));
    new_overrides_[static_cast<std::size_t>(i)].push_back(changes[static_cast<std::size_t>(i)]);
    pull(i);
  }
}

void Batch::reset(int index) {
  world(index).reset();
  errors_[static_cast<std::size_t>(index)].clear();
  row(controls_, index).setZero();
  row(joint_forces_, index).setZero();
  pull(index);
}

void Batch::set_state(int index, const State& state) {
  world(index).set_state(state);
  errors_[static_cast<std::size_t>(index)].clear();
  pull(index);
}

const std::string& Batch::error(int index) {
  world(index);
  return errors_[static_cast<std::size_t>(index)];
}

}  // namespace stiction::python
