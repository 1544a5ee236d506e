#pragma once
// Many worlds of one model that step together on all threads, with live arrays over all of them: one row for
// each world. The result of a world depends only on its own state, inputs and parameters.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "python/bindings/arrays.h"
#include "python/bindings/simulation/py_model.h"
#include "stiction/simulation/override_list.h"
#include "stiction/simulation/world.h"

namespace stiction::python {

class Batch {
 public:
  Batch(const PyModel& model, int worlds, const WorldOptions& options);
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  int size() const { return static_cast<int>(worlds_.size()); }
  const PyModel& model() const { return model_; }
  double h() const { return worlds_.front()->options().h; }
  // Throws UserError if the index is out of range, or while another thread steps the batch.
  World& world(int index);

  // Worlds that failed do not move until they are reset. Arrays are read before and written after the steps,
  // under the GIL, so a program may use them at any time.
  void step(int steps);
  void reset(int index);
  void set_state(int index, const State& state);
  const std::string& error(int index);
  // One override for each world; what cannot act is said when the next step begins.
  void override_numbers(const std::vector<Override>& changes);

  // Arrays of all worlds; not while another thread steps the batch.
  enum class Field { q, v, time, controls, joint_forces, failed };
  nb::object array(Field field) const;

  // Fills the rows of one world in the arrays.
  void pull(int index);
  void check_ready() const;

 private:
  // Stops early if is_due() returns true.
  template <class IsDue>
  void step_one(int index, int steps, const IsDue& is_due);
  Eigen::Map<VecX> row(const OwnedNumbers& numbers, int index) const;

  PyModel model_;
  std::vector<std::unique_ptr<World>> worlds_;
  std::vector<std::string> errors_;  // empty: it has not failed
  OwnedNumbers q_, v_, time_, controls_, joint_forces_, failed_;
  std::array<nb::object, 6> arrays_;                  // by Field
  std::vector<std::vector<Override>> new_overrides_;  // by world, since the last step
  bool is_stepping_ = false;
};

}  // namespace stiction::python
