#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/reactions.h"
#include "stiction/simulation/output/row_forces.h"
#include "stiction/simulation/world.h"

namespace stiction {

const ConstraintModel& World::constraints() const { return *model_->tables().constraints; }

void World::set_constraint_active(std::string_view constraint, bool active) {
  const ConstraintModel& all = constraints();
  const int index = all.find(constraint);
  std::vector<char>& switches = input_.constraints.active;
  if (switches.empty()) {
    for (const Constraint& c : all.constraints) switches.push_back(c.active ? 1 : 0);
  }
  switches[index] = active ? 1 : 0;
}

bool World::is_constraint_active(std::string_view constraint) const {
  const ConstraintModel& all = constraints();
  const int index = all.find(constraint);
  const std::vector<char>& switches = input_.constraints.active;
  return switches.empty() ? all.constraints[index].active : switches[index] != 0;
}

void World::lock_joint(std::string_view joint) {
  const JointIndices& place = model_->forest.joints[model_->joint(joint)];
  lock_joint(joint, std::span<const double>(state_.q.data() + place.q_begin, place.num_q));
}

void World::lock_joint(std::string_view joint, double q) {
  one_dof(joint);
  lock_joint(joint, std::span<const double>(&q, 1));
}

void World::lock_joint(std::string_view joint, std::span<const double> q) {
  const int index = model_->joint(joint);
  const JointIndices& place = model_->forest.joints[index];
  STICTION_USER_CHECK(static_cast<int>(q.size()) == place.num_q, "joint '{}' has {} positions, not {}", joint,
                      place.num_q, q.size());
  JointLock lock;
  lock.joint = index;
  std::copy(q.begin(), q.end(), lock.q.begin());
  unlock_joint(joint);
  input_.constraints.locks.push_back(lock);
}

void World::unlock_joint(std::string_view joint) {
  const int index = model_->joint(joint);
  std::vector<JointLock>& locks = input_.constraints.locks;
  locks.erase(std::remove_if(locks.begin(), locks.end(),
                             [index](const JointLock& lock) { return lock.joint == index; }),
              locks.end());
}

void World::set_limits_active(std::string_view joint, bool active) {
  const int index = model_->joint(joint);
  std::vector<int>& off = input_.constraints.unlimited_joints;
  off.erase(std::remove(off.begin(), off.end(), index), off.end());
  if (!active) off.push_back(index);
}

Vec6 World::constraint_force(std::string_view closure) const {
  const ConstraintModel& all = constraints();
  const int index = all.find(closure);
  STICTION_USER_CHECK(all.constraints[index].loop_closure() != nullptr,
                      "constraint '{}' couples joints or tendons; ask for its coupling_force", closure);
  return has_stepped_ ? loop_closure_wrench(*model_, record_, index) : Vec6::Zero();
}

double World::coupling_force(std::string_view coupling) const {
  const ConstraintModel& all = constraints();
  const int index = all.find(coupling);
  STICTION_USER_CHECK(all.constraints[index].loop_closure() == nullptr,
                      "constraint '{}' closes a loop between bodies; ask for its constraint_force", coupling);
  return has_stepped_ ? stiction::constraint_force(record_, RowKind::constraint, index)[0] : 0.0;
}

Vec6 World::joint_row_force(std::string_view joint, RowKind kind) const {
  const JointIndices& place = model_->forest.joints[model_->joint(joint)];
  return has_stepped_ ? row_joint_forces(record_, kind, place.v_begin, place.num_v) : Vec6::Zero();
}

Vec6 World::limit_force(std::string_view joint) const { return joint_row_force(joint, RowKind::limit); }
Vec6 World::friction_force(std::string_view joint) const { return joint_row_force(joint, RowKind::friction); }
Vec6 World::lock_force(std::string_view joint) const { return joint_row_force(joint, RowKind::lock); }

}  // namespace stiction
