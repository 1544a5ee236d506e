#include "stiction/simulation/constraint/constraint_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/base/check.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/actuation/transmission.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/model/named_frame.h"

namespace stiction {
namespace {

RowCompliance compliance_of(const SolverReference& solref) {
  if (solref[0] < 0.0 && solref[1] <= 0.0) return {-solref[0], -solref[1]};
  return {};
}

int common_node(const Forest& forest, int a, int b) {
  // A parent comes before its children.
  while (a != b) (a > b ? a : b) = forest.nodes[a > b ? a : b].parent;
  return a;
}

// A named frame, or the world's frame.
AttachedFrame frame_or_world(const Model& model, const std::string& name) {
  return name.empty() ? AttachedFrame() : frame_place(model, name);
}

int tendon_of(const Model& model, const std::string& name, const std::string& constraint) {
  const std::vector<Tendon>& all = model.elements.tendons;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<int>(i);
  }
  STICTION_USER_CHECK(false, "constraint '{}': there is no tendon '{}'", constraint, name);
  return -1;
}

// Makes the constraints from the model at its initial position.
class Compiler {
 public:
  Compiler(const Model& model, ConstraintModel* out)
      : model_(model), forest_(model.forest), out_(*out), initial_(model.forest) {
    compute_positions(forest_, model.q0.data(), &initial_);
  }

  void add_joints() {
    for (std::size_t j = 0; j < forest_.joints.size(); ++j) {
      const JointIndices& place = forest_.joints[j];
      const Joint& joint = forest_.joint(static_cast<int>(j));
      if (place.num_v == 0) continue;
      const int tree = forest_.nodes[place.node_begin].tree;
      for (int d = 0; d < place.num_v; ++d) {
        if (joint.friction_loss[d] > 0.0)
          out_.frictions.push_back({place.v_begin + d, tree, joint.friction_loss[d]});
      }
      if (joint.limited && joint.type != JointType::free && joint.type != JointType::continuous) {
        const bool is_ball = joint.type == JointType::ball;
        for (int d = 0; d < (is_ball ? 1 : place.num_v); ++d)
          out_.limits.push_back({static_cast<int>(j), place.q_begin + d, place.v_begin + d, tree,
                                 joint.lower[d], joint.upper[d], is_ball});
      }
    }
  }

  void add_mimics() {
    for (std::size_t j = 0; j < forest_.joints.size(); ++j) {
      const Joint& joint = forest_.joint(static_cast<int>(j));
      if (!joint.mimic) continue;
      Coupling coupling = of_joints(joint.name, joint.name, joint.mimic->joint);
      coupling.reference1 = coupling.reference2 = 0.0;
      coupling.polynomial = {joint.mimic->offset, joint.mimic->multiplier, 0, 0, 0};
      add(joint.name, true, coupling, {});
    }
  }

  void add_equality(const Equality& e) {
    const RowCompliance compliance = compliance_of(e.solref);
    if (e.kind == EqualityKind::joint || e.kind == EqualityKind::tendon) {
      Coupling coupling = e.kind == EqualityKind::joint ? of_joints(e.name, e.object1, e.object2)
                                                        : of_tendons(e.name, e.object1, e.object2);
      coupling.polynomial = e.polynomial;
      add(e.name, e.active, coupling, compliance);
      return;
    }
    LoopClosure closure;
    if (e.between_sites) {
      closure.a = frame_or_world(model_, e.object1);
      closure.b = frame_or_world(model_, e.object2);
    } else {
      const int body1 = model_.body(e.object1), body2 = e.object2.empty() ? 0 : model_.body(e.object2);
      const Pose X_W1 = stiction::body_pose(forest_, initial_, body1),
                 X_W2 = stiction::body_pose(forest_, initial_, body2);
      Pose X_1A, X_2B;
      if (e.kind == EqualityKind::connect) {
        X_1A.p = e.anchor;
        X_2B.p = X_W2.inverse() * (X_W1 * e.anchor);
      } else {
        X_2B.p = e.anchor;
        const bool is_given = e.relative_quaternion.norm() > 0.0;
        const Pose X_12 =
            is_given ? Pose{rotation_from_quaternion<double>(e.relative_quaternion), e.relative_position}
                     : X_W1.inverse() * X_W2;
        X_1A = X_12 * X_2B;
      }
      closure.a = place_on(forest_, body1, X_1A);
      closure.b = place_on(forest_, body2, X_2B);
    }
    if (e.kind == EqualityKind::connect)
      add(e.name, e.active, Ball{closure}, compliance);
    else
      add(e.name, e.active, Weld{closure}, compliance);
  }

  void add_tendons() {
    for (std::size_t i = 0; i < model_.elements.tendons.size(); ++i) {
      const Tendon& tendon = model_.elements.tendons[i];
      const int index = static_cast<int>(i);
      if (tendon.range.limited)
        out_.tendon_limits.push_back(
            {index, tendon.range.lower, tendon.range.upper, compliance_of(tendon.solref_limit)});
      if (tendon.friction_loss > 0.0) out_.tendon_frictions.push_back({index, tendon.friction_loss});
    }
  }

  void add_distance(const DistanceConstraint& d) {
    STICTION_USER_CHECK(d.lower >= 0.0 && d.upper >= d.lower && d.upper > 0.0,
                        "distance '{}': the range [{}, {}] is not one of lengths", d.name, d.lower, d.upper);
    Distance distance;
    distance.a = frame_or_world(model_, d.frame1);
    distance.b = frame_or_world(model_, d.frame2);
    distance.lower = d.lower;
    distance.upper = d.upper;
    add(d.name, d.active, distance, {d.stiffness, d.damping});
  }

  void add_slot(const SlotConstraint& s) {
    STICTION_USER_CHECK(s.lower <= s.upper, "slot '{}': its ends {} and {} (m) are not in order", s.name,
                        s.lower, s.upper);
    Slot slot;
    slot.a = frame_or_world(model_, s.frame1);
    slot.b = frame_or_world(model_, s.frame2);
    slot.lower = s.lower;
    slot.upper = s.upper;
    add(s.name, s.active, slot, {s.stiffness, s.damping});
  }

  void add_bushing(const Bushing& bushing) {
    BushingSprings out;
    out.a = frame_or_world(model_, bushing.frame1);
    out.b = frame_or_world(model_, bushing.frame2);
    for (int i = 0; i < 3; ++i) {
      out.springs[i] = {bushing.stiffness[i], bushing.damping[i]};
      out.springs[3 + i] = {bushing.turn_stiffness[i], bushing.turn_damping[i]};
    }
    add(bushing.name, bushing.active, out, {});
  }

  void add_support(const SupportFriction& s) {
    for (const auto& [what, number] :
         {std::pair("load", s.load), std::pair("friction", s.friction), std::pair("radius", s.radius),
          std::pair("friction length", s.friction_length)})
      STICTION_USER_CHECK(number >= 0.0 && std::isfinite(number),
                          "support '{}': its {} {} is not a number from zero on", s.name, what, number);
    Support support;
    support.a = frame_or_world(model_, s.frame1);
    support.b = frame_or_world(model_, s.frame2);
    support.limit = s.friction * s.load;
    support.length = s.friction_length > 0.0 ? s.friction_length : s.radius * 2.0 / 3.0;
    add(s.name, s.active, support, {});
  }

 private:
  struct OneDof {
    int q = -1, dof = -1, tree = -1;
    double reference = 0.0;
  };
  OneDof one_dof(const std::string& constraint, const std::string& name) const {
    const int index = forest_.find_joint(name);
    STICTION_USER_CHECK(index >= 0, "constraint '{}': there is no joint '{}'", constraint, name);
    const JointIndices& place = forest_.joints[index];
    STICTION_USER_CHECK(place.num_v == 1, "constraint '{}': joint '{}' has not one velocity but {}",
                        constraint, name, place.num_v);
    return {place.q_begin, place.v_begin, forest_.nodes[place.node_begin].tree,
            reference_position(forest_.joint(index))[0]};
  }
  Coupling of_joints(const std::string& name, const std::string& first, const std::string& second) const {
    Coupling c;
    const OneDof one = one_dof(name, first);
    c.first = one.dof;
    c.q1 = one.q;
    c.tree1 = one.tree;
    c.reference1 = one.reference;
    if (second.empty()) return c;
    const OneDof two = one_dof(name, second);
    c.second = two.dof;
    c.q2 = two.q;
    c.tree2 = two.tree;
    c.reference2 = two.reference;
    return c;
  }
  Coupling of_tendons(const std::string& name, const std::string& first, const std::string& second) const {
    const Transmissions transmissions(model_);
    TransmissionState state(transmissions);
    transmissions.compute(initial_, model_.q0.data(), &state);
    Coupling c;
    c.of_tendons = true;
    c.first = tendon_of(model_, first, name);
    c.reference1 = state.tendon_lengths[c.first];
    if (second.empty()) return c;
    c.second = tendon_of(model_, second, name);
    c.reference2 = state.tendon_lengths[c.second];
    return c;
  }
  template <class Kind>
  void add(const std::string& name, bool active, Kind constraint, const RowCompliance& compliance) {
    if constexpr (std::is_base_of_v<LoopClosure, Kind>) {
      if (constraint.a.tree == constraint.b.tree)
        constraint.common = common_node(forest_, constraint.a.node, constraint.b.node);
    }
    out_.constraints.push_back({name, active, compliance, constraint});
  }

  const Model& model_;
  const Forest& forest_;
  ConstraintModel& out_;
  Kinematics initial_;
};

// The bounds of actuator i, including those of its joint or tendon; none if it shares a bounded joint or
// tendon with others and has no bound of its own.
std::optional<ImplicitDrive> bounded_drive(const ActuationModel& actuation, int i) {
  const MomentRows& rows = actuation.transmissions.actuator_rows();
  ImplicitDrive drive = {i, actuation.actuators[i].lowest_force, actuation.actuators[i].highest_force};
  const int tendon = actuation.transmissions.tendon_of(i);
  if (tendon >= 0 && actuation.tendons[tendon].bounds_force) {
    for (std::size_t k = 0; k < actuation.actuators.size(); ++k) {
      if (static_cast<int>(k) != i && actuation.transmissions.tendon_of(static_cast<int>(k)) == tendon)
        return std::nullopt;
    }
    drive.lower = std::max(drive.lower, actuation.tendons[tendon].lowest_force);
    drive.upper = std::min(drive.upper, actuation.tendons[tendon].highest_force);
  }
  for (const JointForceBounds& joint : actuation.joint_bounds) {
    int users = 0;
    bool is_user = false;
    for (int k = 0; k < rows.num_rows(); ++k) {
      for (const int column : rows.columns_of(k)) {
        if (column != joint.dof) continue;
        ++users;
        is_user = is_user || k == i;
      }
    }
    if (!is_user) continue;
    const double gear = rows.values_of(i)[0];
    const bool is_own = users == 1 && rows.columns_of(i).size() == 1 && gear != 0.0;
    if (!is_own) return std::nullopt;
    const double a = joint.lower / gear, b = joint.upper / gear;
    drive.lower = std::max(drive.lower, std::min(a, b));
    drive.upper = std::min(drive.upper, std::max(a, b));
  }
  for (const int dof : actuation.compensating_dofs) {
    for (const int column : rows.columns_of(i)) {
      if (column == dof && !actuation.joint_bounds.empty()) return std::nullopt;
    }
  }
  return drive;
}

void add_drives(const ActuationModel& actuation, std::vector<ImplicitDrive>* drives) {
  for (std::size_t i = 0; i < actuation.actuators.size(); ++i) {
    const ActuatorLaw& law = actuation.actuators[i];
    const double stiffness = -law.bias[1], damping = -law.bias[2];
    const bool is_constant = law.acts && law.muscle < 0 && law.gain[1] == 0.0 && law.gain[2] == 0.0;
    if (!is_constant || stiffness < 0.0 || damping < 0.0 || stiffness + damping == 0.0) continue;
    const int index = static_cast<int>(i);
    if (actuation.transmissions.actuator_rows().columns_of(index).empty()) continue;
    if (const auto drive = bounded_drive(actuation, index)) drives->push_back(*drive);
  }
}

// Whether MJCF's flags disable a kind of constraint, alone or with all others.
bool is_off(const Model& model, std::string_view flag) {
  const std::vector<std::string>& off = model.elements.options.disabled;
  return std::any_of(off.begin(), off.end(),
                     [&](const std::string& name) { return name == flag || name == "constraint"; });
}

}  // namespace

ConstraintModel::ConstraintModel(const Model& model, const ActuationModel& actuation) {
  Compiler compiler(model, this);
  compiler.add_joints();
  for (const Equality& e : model.elements.equalities) compiler.add_equality(e);
  if (is_off(model, "equality")) {
    for (Constraint& constraint : constraints) constraint.active = false;
  }
  compiler.add_mimics();
  for (const DistanceConstraint& d : model.elements.distances) compiler.add_distance(d);
  for (const SlotConstraint& s : model.elements.slots) compiler.add_slot(s);
  for (const Bushing& b : model.elements.bushings) compiler.add_bushing(b);
  for (const SupportFriction& s : model.elements.supports) compiler.add_support(s);
  compiler.add_tendons();
  if (is_off(model, "limit")) {
    limits.clear();
    tendon_limits.clear();
  }
  if (is_off(model, "frictionloss")) {
    frictions.clear();
    tendon_frictions.clear();
  }
  add_drives(actuation, &drives);
  for (const CustomNumbers& number : model.elements.numbers) {
    if (number.name != "relaxation_time") continue;
    STICTION_USER_CHECK(number.data.size() == 1 && number.data[0] >= 0.0 && std::isfinite(number.data[0]),
                        "model '{}': its number 'relaxation_time' is not one of seconds from zero on",
                        model.name);
    relaxation_time = number.data[0];
  }
}

int ConstraintModel::find(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].name == name) return static_cast<int>(i);
    names.push_back(constraints[i].name);
  }
  STICTION_USER_CHECK(false, "{}", unknown_name_message("constraint", name, names));
  return -1;
}

int ConstraintModel::most_rows() const {
  int rows = 0;
  const auto count = [&rows](const auto& list) {
    for (const auto& item : list) rows += num_rows(item);
  };
  count(limits);
  count(frictions);
  count(constraints);
  count(tendon_limits);
  count(tendon_frictions);
  count(drives);
  return rows;
}

}  // namespace stiction
