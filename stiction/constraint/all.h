#pragma once
// The one list of constraints.
//
// Every constraint has the same functions: num_rows (an upper bound), write_rows, and one that reports the
// effect of the forces of its rows. Limits, friction and locks of joints, tendons and drives are made from
// the joint, tendon or actuator. Constraints that a model names, and that can be switched, are the
// alternatives of NamedConstraint: one that lacks a function does not compile.

#include <string>
#include <type_traits>
#include <variant>

#include "stiction/constraint/ball.h"
#include "stiction/constraint/bushing.h"
#include "stiction/constraint/coupling.h"
#include "stiction/constraint/distance.h"
#include "stiction/constraint/drive.h"
#include "stiction/constraint/joint_friction.h"
#include "stiction/constraint/joint_limit.h"
#include "stiction/constraint/joint_lock.h"
#include "stiction/constraint/slot.h"
#include "stiction/constraint/support.h"
#include "stiction/constraint/tendon.h"
#include "stiction/constraint/weld.h"

namespace stiction {

using NamedConstraint = std::variant<Coupling, Ball, Weld, Distance, Slot, BushingSprings, Support>;

struct Constraint {
  std::string name = {};  // may be empty
  bool active = true;
  RowCompliance compliance = {};
  NamedConstraint what = {};

  // The constraint as a loop closure between two frames on bodies; null: a coupling of joints or tendons.
  const LoopClosure* loop_closure() const;
};

inline const LoopClosure* Constraint::loop_closure() const {
  return std::visit(
      [](const auto& constraint) -> const LoopClosure* {
        if constexpr (std::is_base_of_v<LoopClosure, std::decay_t<decltype(constraint)>>)
          return &constraint;
        else
          return nullptr;
      },
      what);
}

inline int num_rows(const Constraint& constraint) {
  return std::visit([](const auto& c) { return num_rows(c); }, constraint.what);
}

// index: of the constraint among those of its model.
inline void write_rows(const Constraint& constraint, const TendonLengths& tendons, int index,
                       RowWriter* rows) {
  std::visit(
      [&](const auto& c) {
        if constexpr (std::is_base_of_v<LoopClosure, std::decay_t<decltype(c)>>) {
          if (!c.is_within_one_node()) write_rows(c, constraint.compliance, index, rows);
        } else {
          write_rows(c, tendons, constraint.compliance, index, rows);
        }
      },
      constraint.what);
}

// (moment, force) in W on the first frame of a loop closure, of one of its rows; zero for couplings.
inline Vec6 wrench_on_first(const Constraint& constraint, const Pose& X_A, const Pose& X_B, int component,
                            double force) {
  return std::visit(
      [&](const auto& c) -> Vec6 {
        if constexpr (std::is_base_of_v<LoopClosure, std::decay_t<decltype(c)>>)
          return wrench_on_first(c, X_A, X_B, component, force);
        else
          return Vec6::Zero();
      },
      constraint.what);
}

}  // namespace stiction
