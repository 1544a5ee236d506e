#include "stiction/simulation/contact/default_stiffness.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "stiction/base/format.h"
#include "stiction/constraint/contact_rows.h"
#include "stiction/simulation/contact/floating_mobility.h"
#include "stiction/simulation/contact/point_mobility.h"
#include "stiction/simulation/contact/velocity_path.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

// N, the most that an actuator exerts; infinite if nothing bounds it.
double largest_force(const ActuatorLaw& law) {
  if (!law.acts) return 0.0;
  const double bound = std::max(std::abs(law.lowest_force), std::abs(law.highest_force));
  // A motor, whose force is its control.
  const bool is_motor = law.muscle < 0 && law.dynamics != ActivationKind::integrator && law.gain[1] == 0.0 &&
                        law.gain[2] == 0.0 && law.bias[1] == 0.0;
  if (!is_motor) return bound;
  const double control = std::max(std::abs(law.lowest_control), std::abs(law.highest_control));
  const double motor = law.gain[0] == 0.0 ? 0.0 : std::abs(law.gain[0]) * control;
  return std::min(bound, motor + std::abs(law.bias[0]));
}

// N or N m, the most that actuators exert on every velocity; infinite where nothing bounds it.
std::vector<double> largest_joint_forces(const ActuationModel& actuation, const TransmissionState& at_q0,
                                         int num_v) {
  std::vector<double> largest(static_cast<std::size_t>(num_v), 0.0);
  for (int i = 0; i < actuation.transmissions.num_actuators(); ++i) {
    const double force = largest_force(actuation.actuators[static_cast<std::size_t>(i)]);
    const auto columns = at_q0.actuator_rows.columns_of(i);
    const auto values = at_q0.actuator_rows.values_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (values[k] != 0.0) largest[static_cast<std::size_t>(columns[k])] += std::abs(values[k]) * force;
  }
  for (const JointForceBounds& bounds : actuation.joint_bounds) {
    double& force = largest[static_cast<std::size_t>(bounds.dof)];
    force = std::min(force, std::max(std::abs(bounds.lower), std::abs(bounds.upper)));
  }
  return largest;
}

// What the loads are computed from: the model at q0.
class Start {
 public:
  Start(const Model& model, const ActuationModel& actuation)
      : forest_(model.forest), kinematics_(forest_), M_(forest_) {
    compute_positions(forest_, model.q0.data(), &kinematics_);
    compute_mass_matrix(forest_, kinematics_, &M_);
    is_solvable_ = factorise(forest_, nullptr, &M_) < 0;
    TransmissionState at_q0(actuation.transmissions);
    actuation.transmissions.compute(kinematics_, model.q0.data(), &at_q0);
    joint_forces_ = largest_joint_forces(actuation, at_q0, forest_.num_v);
    for (double& force : joint_forces_) {
      is_unbounded_.push_back(!std::isfinite(force));
      if (is_unbounded_.back()) force = 0.0;
    }
    tree_masses_.resize(forest_.trees.size());
    for (std::size_t n = 0; n < forest_.nodes.size(); ++n)
      tree_masses_[static_cast<std::size_t>(forest_.nodes[n].tree)] += forest_.constants[n].mass;
    columns_.resize(8 * static_cast<std::size_t>(forest_.num_v));
  }

  // Sets w and P of a shape whose centre is at `centre` in the node.
  void set(int node, const Vec3& centre, double radius, double gravity, ContactLoad* load) {
    const double mass = forest_.constants[node].mass;
    load->inverse_mass = mass > 0.0 ? 1.0 / mass : 0.0;
    const Node& of = forest_.nodes[node];
    if (forest_.trees[of.tree].is_free_body) {
      const double* forces = joint_forces_.data() + of.v_begin;
      load->press = Vec3(forces[3], forces[4], forces[5]).norm();
      return;
    }
    // A model without inertia somewhere; its steps will say so.
    if (!is_solvable_) return;
    const NodeMotion& at = kinematics_.nodes[node];
    const Vec3 p(at.p), arm = Eigen::Map<const Eigen::Matrix<double, 4, 3>>(at.R).topRows<3>() * centre + p;
    Vec3 direction;
    const double w = mobility(node, arm, radius, &direction);
    // A shape that nothing moves, such as one held by a joint of infinite inertia.
    if (!(w > 0.0)) return;
    load->inverse_mass = w;
    load->press = response(node, arm, radius, direction) / w;
    // Actuators that hold whatever there is hold up the robot.
    if (is_on_free_joint(forest_, of.tree) && is_held_without_bound(node))
      load->press = std::max(load->press, tree_masses_[static_cast<std::size_t>(of.tree)] * gravity);
  }

 private:
  bool is_held_without_bound(int node) const {
    const VelocityPath path = velocity_path(forest_, node);
    for (int k = 0; k < path.size; ++k)
      if (is_unbounded_[static_cast<std::size_t>(path[k])]) return true;
    return false;
  }

  // lambda_max(W + r^2 W_r), and its direction n.
  double mobility(int node, const Vec3& arm, double radius, Vec3* direction) {
    const TreeInputs in{forest_, kinematics_, M_};
    const BodyMobility Y = node_mobility(in, node, columns_.data());
    const simd::Pack at{arm[0], arm[1], arm[2], 0.0};
    simd::Pack columns[3] = {simd::zero(), simd::zero(), simd::zero()};
    add_point_mobility(Y, at, at, columns);
    Mat3 W;
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) W(i, c) = columns[c][i] + radius * radius * Y.moment_to_w[c][i];
    const Eigen::SelfAdjointEigenSolver<Mat3> solved(W);
    *direction = solved.eigenvectors().col(2);
    return solved.eigenvalues()[2];
  }

  // sum_d (|n . v_d| + r |n . w_d|) tau_d
  double response(int node, const Vec3& arm, double radius, const Vec3& direction) {
    const VelocityPath path = velocity_path(forest_, node);
    double sum = 0.0;
    for (int k = 0; k < path.size; ++k) {
      const double force = joint_forces_[static_cast<std::size_t>(path[k])];
      if (force == 0.0) continue;
      VecX x = VecX::Zero(forest_.num_v);
      x[path[k]] = 1.0;
      solve(forest_, M_, x.data());
      Vec3 turn = Vec3::Zero(), v = Vec3::Zero();
      for (int j = 0; j < path.size; ++j) {
        const double* axis = kinematics_.axis(path[j]);
        turn += x[path[j]] * Vec3(axis);
        v += x[path[j]] * Vec3(axis + 4);
      }
      v += turn.cross(arm);
      sum += force * (std::abs(direction.dot(v)) + radius * std::abs(direction.dot(turn)));
    }
    return sum;
  }

  const Forest& forest_;
  Kinematics kinematics_;
  MassMatrix M_;
  bool is_solvable_ = false;
  std::vector<double> joint_forces_;  // 0 where nothing bounds them
  std::vector<bool> is_unbounded_;
  std::vector<double> tree_masses_;  // kg
  AlignedVector<double> columns_;
};

}  // namespace

std::shared_ptr<const DefaultStiffness> make_default_stiffness(const Model& model,
                                                               const CollisionModel& collision,
                                                               const ActuationModel& actuation) {
  auto out = std::make_shared<DefaultStiffness>();
  Start start(model, actuation);
  for (const CollisionItem& item : collision.items) {
    ContactLoad load;
    const CollisionShape& shape = item.geometry;
    const bool is_bounded = std::isfinite(shape.thickness) && shape.thickness > 0.0;
    if (item.node >= 0) {
      if (is_bounded) load.sag = std::max(kLargestSag * shape.thickness, kLeastSag);
      load.weight = model.forest.constants[item.node].mass * collision.gravity;
      const Vec3 centre = is_bounded ? item.X_NS * shape.box_centre : item.X_NS.p;
      start.set(item.node, centre, is_bounded ? 0.5 * shape.thickness : 0.0, collision.gravity, &load);
    }
    out->loads.push_back(load);
  }
  // The force by which adhesion actuators press a body to what it touches.
  for (const AdhesiveBody& adhesive : actuation.adhesive_bodies) {
    const double force = largest_force(actuation.actuators[static_cast<std::size_t>(adhesive.actuator)]);
    for (std::size_t i = 0; i < collision.items.size(); ++i)
      if (collision.items[i].body == adhesive.body && std::isfinite(force)) out->loads[i].press += force;
  }
  return out;
}

double DefaultStiffness::load_of(int i, int j) const {
  const ContactLoad& a = loads[static_cast<std::size_t>(i)];
  const ContactLoad& b = loads[static_cast<std::size_t>(j)];
  return std::max(
      {a.weight_stiffness(), b.weight_stiffness(), std::max(a.press, b.press) / std::min(a.sag, b.sag)});
}

double DefaultStiffness::resolved(int i, int j, double h) const {
  const double w_i = loads[static_cast<std::size_t>(i)].inverse_mass;
  const double w_j = loads[static_cast<std::size_t>(j)].inverse_mass, w = w_i + w_j;
  return w > 0.0 ? kFourPiSquared / (h * h * w) : kUnbounded;
}

double DefaultStiffness::of(int i, int j, double h) const {
  return std::max(load_of(i, j), std::min(kDefaultStiffness, resolved(i, j, h)));
}

std::vector<std::string> stiffness_notes(const Model& model, double h) {
  constexpr double kNoticeable = 30.0;  // sags: a weight that sinks a shape by 3 % of its extent is visible
  const CollisionModel& collision = *model.tables().collision;
  const ContactModel& contact = *model.tables().contact;
  const DefaultStiffness& stiffness = *model.tables().stiffness;
  struct Group {
    int count = 0, worst = -1;
    double factor = 0.0;  // of the worst shape: how much stiffer it would have to be
    void add(int item, double its_factor) {
      ++count;
      if (its_factor <= factor) return;
      factor = its_factor;
      worst = item;
    }
  };
  Group raised, soft, unresolved;
  for (int i = 0; i < static_cast<int>(contact.items.size()); ++i) {
    const ContactItem& item = contact.items[i];
    const ContactLoad& load = stiffness.loads[i];
    const bool is_direct = contact.by_mujoco_rules && !item.has_material && item.solref[0] < 0.0;
    auto given = item.material.stiffness;
    if (!given && is_direct) given = -item.solref[0];
    const double needed = std::max(load.weight_stiffness(), load.press / load.sag);
    const double w = load.inverse_mass, resolved = w > 0.0 ? kFourPiSquared / (h * h * w) : kUnbounded;
    if (!given && needed > kDefaultStiffness) raised.add(i, needed / kDefaultStiffness);
    if (!given && needed > resolved) unresolved.add(i, needed / resolved);
    if (given && item.sag > 0.0 && load.weight / item.sag > kNoticeable * *given)
      soft.add(i, load.weight / item.sag / *given);
  }
  const auto name = [&](int item) { return model.shapes[collision.items[item].shape].name; };
  // "12 kg on one point sink shape 'foot' by 0.02 mm"
  const auto load_of = [&](int item) {
    const ContactLoad& load = stiffness.loads[item];
    const bool is_weight = load.weight >= load.press;
    return format("{:.3g} {} on one point sink shape '{}' by {:.3g} mm",
                  is_weight ? contact.items[item].mass : load.press, is_weight ? "kg" : "N of its actuators",
                  name(item), 1e3 * load.sag);
  };
  std::vector<std::string> notes;
  if (raised.count > 0) {
    notes.push_back(
        format("contact stiffness raised above {:.3g} N/m for {} shapes, at most to {:.3g} N/m: {}",
               kDefaultStiffness, raised.count, raised.factor * kDefaultStiffness, load_of(raised.worst)));
  }
  if (unresolved.count > 0) {
    const ContactLoad& load = stiffness.loads[unresolved.worst];
    const double resolved = kFourPiSquared / (h * h * load.inverse_mass);
    notes.push_back(format(
        "a step of {:.3g} ms does not resolve the contact stiffness that the load of {} shapes asks for, "
        "at worst {:.3g} N/m where it resolves {:.3g} N/m: {}; give these shapes a stiffness or take "
        "shorter steps if they rattle",
        1e3 * h, unresolved.count, unresolved.factor * resolved, resolved, load_of(unresolved.worst)));
  }
  if (soft.count > 0) {
    const ContactItem& item = contact.items[soft.worst];
    notes.push_back(
        format("contact is too soft for the weight of {} shapes: {:.3g} kg on one point sink shape '{}' by "
               "{:.3g} mm",
               soft.count, item.mass, name(soft.worst), 1e3 * item.sag * soft.factor));
  }
  return notes;
}

}  // namespace stiction
