// Answers questions about the dynamics of a scene in JSON, for comparison with other engines.
//
//   {"describe": "arm"}                     -> bodies and joints with every number, and where each joint's
//                                              q and v are
//   {"model": "arm", "states": [{"q": [...], "v": [...], "a": [...], "tau": [...]}], "derivatives": true}
//                                           -> for every state what this library computes there
//
//   {"model": "arm", "bulk": 100}           -> the names of arrays, then these in binary for the 100
//                                              states that follow the question, see test/tools/bulk_answer.h
//
// Questions come one a line; a model is kept until a question is about another one.
// A model is the name of a scene or a file: {"file": "robot.urdf", "floating_base": true}.
// Matrices are lists of rows. Six-vectors are (angular, linear) in world axes; Jacobians, accelerations and
// reactions of a body are at its origin.

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/io/model_file.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/forward_dynamics.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/mass_matrix.h"
#include "test/multibody/joint_reactions.h"
#include "test/tools/bulk_answer.h"
#include "test/tools/probe.h"

namespace stiction {
namespace {

using nlohmann::json;

template <class Matrix>
json rows_of(const Matrix& m) {
  json rows = json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    json row = json::array();
    for (Eigen::Index j = 0; j < m.cols(); ++j) row.push_back(double(m(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

template <class Vector>
json list_of(const Vector& v) {
  json list = json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) list.push_back(double(v[i]));
  return list;
}

json pose_of(const Pose& X) { return {{"R", rows_of(X.R)}, {"p", list_of(X.p)}}; }

json range_of(const Range& range) { return {range.limited, range.lower, range.upper}; }

json describe_joint(const Joint& joint, const JointIndices& place) {
  json out = {{"name", joint.name},
              {"type", name_of(joint.type)},
              {"axis", list_of(joint.axis)},
              {"axis2", list_of(joint.axis2)},
              {"anchor", list_of(joint.p_BJ)},
              {"pitch", joint.pitch},
              {"reference", joint.reference},
              {"armature", joint.armature},
              {"damping", joint.damping},
              {"stiffness", joint.stiffness},
              {"friction_loss", joint.friction_loss},
              {"neutral", joint.neutral},
              {"limited", joint.limited},
              {"lower", joint.lower},
              {"upper", joint.upper},
              {"effort_limit", joint.effort_limit},
              {"velocity_limit", joint.velocity_limit},
              {"q_begin", place.q_begin},
              {"v_begin", place.v_begin},
              {"num_q", place.num_q},
              {"num_v", place.num_v}};
  if (joint.mimic)
    out["mimic"] = {{"joint", joint.mimic->joint},
                    {"multiplier", joint.mimic->multiplier},
                    {"offset", joint.mimic->offset}};
  return out;
}

json describe(const Model& model) {
  const Forest& forest = model.forest;
  json bodies = json::array();
  for (const Body& body : forest.bodies) {
    bodies.push_back({{"name", body.name},
                      {"parent", body.parent},
                      {"X_PB", pose_of(body.X_PB)},
                      {"mass", body.inertia.mass},
                      {"com", list_of(body.inertia.com)},
                      {"I_com", rows_of(body.inertia.I_com)},
                      {"kinematic", body.motion == BodyMotion::kinematic},
                      {"joints", json::array()}});
  }
  for (std::size_t j = 0; j < forest.joints.size(); ++j)
    bodies[forest.joints[j].body]["joints"].push_back(describe_joint(forest.joint(int(j)), forest.joints[j]));
  json shapes = json::array(), actuators = json::array(), keyframes = json::array();
  for (const PlacedShape& shape : model.shapes)
    shapes.push_back({{"name", shape.name}, {"body", shape.body}, {"X_BS", pose_of(shape.X_BS)}});
  for (const Actuator& actuator : model.elements.actuators) {
    actuators.push_back({{"name", actuator.name},
                         {"gain", actuator.gain},
                         {"bias", actuator.bias},
                         {"dynamics", actuator.dynamics},
                         {"gain_parameters", actuator.gain_parameters},
                         {"bias_parameters", actuator.bias_parameters},
                         {"dynamics_parameters", actuator.dynamics_parameters},
                         {"damping_ratio", actuator.damping_ratio},
                         {"gear", actuator.gear},
                         {"control", range_of(actuator.control)},
                         {"force", range_of(actuator.force)}});
  }
  for (const Keyframe& key : model.elements.keyframes)
    keyframes.push_back(
        {{"name", key.name}, {"q", list_of(key.q)}, {"v", list_of(key.v)}, {"controls", key.controls}});
  json trees = json::array();
  for (const Tree& tree : forest.trees) trees.push_back({tree.v_begin, tree.v_end});
  return {{"name", model.name},     {"gravity", list_of(forest.gravity)},
          {"num_q", forest.num_q},  {"num_v", forest.num_v},
          {"trees", trees},         {"q0", list_of(model.q0)},
          {"bodies", bodies},       {"shapes", shapes},
          {"actuators", actuators}, {"keyframes", keyframes}};
}

// The blocks of all trees in one matrix.
MatX dense(const Forest& forest, const TreeBlocks& blocks) {
  MatX all = MatX::Zero(forest.num_v, forest.num_v);
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    all.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) = blocks.block(forest, int(t));
  }
  return all;
}

VecX read_vector(const json& state, const char* key, int size) {
  const std::vector<double> values = state.at(key).get<std::vector<double>>();
  STICTION_USER_CHECK(int(values.size()) == size, "state: '{}' has {} numbers, not {}", key, values.size(),
                      size);
  return Eigen::Map<const VecX>(values.data(), size);
}

class Probe {
 public:
  explicit Probe(const Forest& forest)
      : forest_(forest),
        kinematics_(forest),
        work_(forest),
        M_(forest),
        articulated_(forest),
        inverse_(forest),
        forward_(forest) {}

  json answer(const json& state, bool with_derivatives) {
    const VecX q = read_vector(state, "q", forest_.num_q), v = read_vector(state, "v", forest_.num_v);
    const VecX a = read_vector(state, "a", forest_.num_v), tau = read_vector(state, "tau", forest_.num_v);
    compute_positions(forest_, q.data(), &kinematics_);
    compute_velocities(forest_, v.data(), &kinematics_);

    json out;
    answer_bodies(&out);
    const VecX bias = answer_forces(a, v, &out);
    const VecX vdot = answer_motion(tau - bias, &out);
    if (with_derivatives) answer_derivatives(a, vdot, &out);
    return out;
  }

 private:
  void answer_bodies(json* out) {
    json poses = json::array(), jacobians = json::array(), bias_accelerations = json::array();
    for (int b = 0; b < int(forest_.bodies.size()); ++b) {
      MatX J = MatX::Zero(6, forest_.num_v);
      const int node = forest_.places[b].node;
      if (node >= 0) {
        const Tree& tree = forest_.trees[forest_.nodes[node].tree];
        TreeJacobian block;
        body_jacobian(forest_, kinematics_, b, &block);
        J.middleCols(tree.v_begin, tree.num_v()) = block;
      }
      poses.push_back(pose_of(body_pose(forest_, kinematics_, b)));
      jacobians.push_back(rows_of(J));
      bias_accelerations.push_back(list_of(body_bias_acceleration(forest_, kinematics_, b)));
    }
    (*out)["poses"] = std::move(poses);
    (*out)["jacobians"] = std::move(jacobians);
    (*out)["bias_accelerations"] = std::move(bias_accelerations);
  }

  VecX answer_forces(const VecX& a, const VecX& v, json* out) {
    compute_mass_matrix(forest_, kinematics_, &M_);
    MatX M = MatX::Zero(forest_.num_v, forest_.num_v);
    for (std::size_t t = 0; t < forest_.trees.size(); ++t) {
      const Tree& tree = forest_.trees[t];
      M.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) =
          dense_mass_matrix(forest_, M_, int(t));
    }
    VecX bias(forest_.num_v), inverse(forest_.num_v);
    compute_bias(forest_, kinematics_, &work_, bias.data());
    inverse_dynamics(forest_, kinematics_, a.data(), &work_, inverse.data());
    std::vector<Vec6> reactions;
    joint_reactions(forest_, kinematics_, a.data(), {}, &reactions);
    json reaction_list = json::array();
    for (const Vec6& reaction : reactions) reaction_list.push_back(list_of(reaction));
    const Totals sums = totals(forest_, kinematics_);

    (*out)["mass_matrix"] = rows_of(M);
    (*out)["bias"] = list_of(bias);
    (*out)["inverse_dynamics"] = list_of(inverse);
    (*out)["reactions"] = std::move(reaction_list);
    (*out)["mass"] = sums.mass;
    (*out)["com"] = list_of(sums.com);
    (*out)["momentum"] = list_of(sums.momentum);
    (*out)["angular_momentum"] = list_of(sums.angular_momentum);
    (*out)["kinetic_energy"] = kinetic_energy(forest_, kinematics_) + rotor_energy(forest_, v.data());
    (*out)["gravity_energy"] = gravity_energy(forest_, kinematics_);
    return bias;
  }

  // Both ways to the acceleration under the generalised force `f` that is left after the bias.
  VecX answer_motion(const VecX& f, json* out) {
    VecX by_factor = f, by_articulated_bodies = f;
    STICTION_USER_CHECK(factorise(forest_, nullptr, &M_) < 0, "the mass matrix is not positive definite");
    solve(forest_, M_, by_factor.data());
    STICTION_USER_CHECK(eliminate(forest_, kinematics_, nullptr, &articulated_) < 0,
                        "an articulated inertia is not positive");
    solve(forest_, kinematics_, &articulated_, by_articulated_bodies.data());
    (*out)["forward_dynamics"] = list_of(by_factor);
    (*out)["forward_dynamics_articulated"] = list_of(by_articulated_bodies);
    return by_factor;
  }

  void answer_derivatives(const VecX& a, const VecX& vdot, json* out) {
    inverse_dynamics_derivatives(forest_, kinematics_, a.data(), &inverse_);
    (*out)["inverse_dynamics_dq"] = rows_of(dense(forest_, inverse_.dq));
    (*out)["inverse_dynamics_dv"] = rows_of(dense(forest_, inverse_.dv));
    inverse_dynamics_derivatives(forest_, kinematics_, vdot.data(), &inverse_);
    forward_dynamics_derivatives(forest_, inverse_, M_, &forward_);
    (*out)["forward_dynamics_dq"] = rows_of(dense(forest_, forward_.dq));
    (*out)["forward_dynamics_dv"] = rows_of(dense(forest_, forward_.dv));
    (*out)["forward_dynamics_dtau"] = rows_of(dense(forest_, forward_.dtau));
  }

  const Forest& forest_;
  Kinematics kinematics_;
  NodeForces work_;
  MassMatrix M_;
  ArticulatedBodies articulated_;
  InverseDynamicsDerivatives inverse_;
  ForwardDynamicsDerivatives forward_;
};

Model model_of(const json& given) {
  if (given.is_string()) return make_scene(given.get<std::string>());
  ModelFileOptions options;
  options.floating_base = given.value("floating_base", false);
  return load_model_file(given.at("file").get<std::string>(), options);
}

class Session {
 public:
  void answer(const json& question, std::istream& in, std::ostream& out) {
    if (question.contains("describe")) {
      out << describe(find(question.at("describe"))) << std::endl;
      return;
    }
    const Model& model = find(question.at("model"));
    if (question.contains("bulk")) {
      out << json{{"fields", bulk_fields()}} << "\n";
      answer_in_bulk(model, question.at("bulk").get<int>(), in, out);
      out.flush();
      return;
    }
    Probe probe(model.forest);
    json states = json::array();
    for (const json& state : question.at("states"))
      states.push_back(probe.answer(state, question.value("derivatives", false)));
    out << json{{"model", model.name}, {"states", std::move(states)}} << std::endl;
  }

 private:
  const Model& find(const json& name) {
    if (model_ == nullptr || name != name_) model_ = std::make_unique<const Model>(model_of(name));
    name_ = name;
    return *model_;
  }

  json name_;
  std::unique_ptr<const Model> model_;
};

}  // namespace
}  // namespace stiction

int main() {
  return stiction::run_probe([] {
    stiction::Session session;
    for (std::string line; std::getline(std::cin, line);)
      session.answer(nlohmann::json::parse(line), std::cin, std::cout);
  });
}
