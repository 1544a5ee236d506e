#include "stiction/simulation/inverse_dynamics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/law/rigid_laws.h"
#include "stiction/contact/residual.h"

namespace stiction {
namespace {

constexpr int kMostRounds = 6;      // until the rows stay
constexpr double kSettled = 1e-12;  // relative change of the forces

Vec3 vector_at(const double* x) { return {x[0], x[1], x[2]}; }

// out += J' gamma of one body, gamma at the arm from its tree's point O.
void add_impulse(const ContactProblem& problem, int body, const Vec3& arm, const Vec3& impulse, VecX* out) {
  const ProblemBody& b = problem.bodies[body];
  if (b.tree < 0) return;
  const ProblemTree& tree = problem.trees[b.tree];
  const Vec3 moment = arm.cross(impulse);
  if (tree.is_free_body) {
    out->segment<3>(tree.v_begin) += moment;
    out->segment<3>(tree.v_begin + 3) += impulse;
    return;
  }
  for (int c = b.column_begin; c < b.column_begin + b.columns; ++c) {
    const double* S = problem.columns.data() + 8 * c;
    (*out)[tree.v_begin + problem.column_dofs[c]] += vector_at(S).dot(moment) + vector_at(S + 4).dot(impulse);
  }
}

// gamma of a rigid law with R > 0, (slip direction, normal): from the velocity c = vc - c* n.
Vec3 rigid_impulse(LawKind law, const RigidParameters<double>& p, const Vec3& n, const Vec3& vc) {
  const double vn = n.dot(vc), mu = p.friction;
  const Vec3 slip = vc - vn * n;
  const double normal = -(vn - p.reference) / p.normal_compliance;  // without friction and cone
  const double tangential = slip.norm() / p.tangential_compliance;  // size; along -slip
  double gn = std::max(0.0, normal), gt = 0.0;
  if (law == LawKind::coulomb_ncp) {
    gt = std::min(tangential, mu * gn);
  } else {
    // In the variables sqrt(R) gamma the norm of R is the ordinary one, and the slope of the cone is
    // mu sqrt(R_t/R_n).
    const double rn = std::sqrt(p.normal_compliance), rt = std::sqrt(p.tangential_compliance);
    double x[2] = {rt * tangential, rn * normal};
    project_on_cone(mu * rt / rn, 1, x);
    gt = x[0] / rt;
    gn = x[1] / rn;
  }
  const double length = slip.norm();
  Vec3 out = gn * n;
  if (length > 0.0) out -= gt / length * slip;
  return out;
}

void check_formulation(const ContactOptions& options, const Formulation& f) {
  std::string schemes;
  for (const Scheme* scheme : scheme_list())
    if (scheme->has_given_momentum_matrix())
      schemes += (schemes.empty() ? "" : ", ") + std::string(scheme->name());
  STICTION_USER_CHECK(
      scheme_of(f).has_given_momentum_matrix(),
      "inverse dynamics under contact needs a scheme whose momentum matrix does not depend on the "
      "forces ({}), not {}",
      schemes, scheme_of(f).name());
  if (!is_rigid(options.law) || solves_primal(options)) return;
  STICTION_USER_CHECK(options.law == LawKind::convex_cone || options.law == LawKind::coulomb_ncp,
                      "inverse dynamics under contact: the impulses of {} are no function of the velocity",
                      law_row(options.law).name);
  STICTION_USER_CHECK(
      options.rigid.normal_compliance > 0.0 && options.rigid.tangential_compliance > 0.0,
      "inverse dynamics under {} needs a compliance: without, impulses are no function of the "
      "velocity; normal_compliance is {}, tangential_compliance {}",
      law_row(options.law).name, options.rigid.normal_compliance, options.rigid.tangential_compliance);
}

// The impulses of all points at v; momentum += J' of them.
void add_contacts(const ContactProblem& problem, bool is_compliant, const VecX& v,
                  std::vector<Vec3>* impulses, VecX* momentum) {
  const bool is_simple = problem.friction_tensors.empty() && problem.friction_lengths.empty();
  impulses->assign(problem.frames.size(), Vec3::Zero());
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p) {
      STICTION_USER_CHECK(is_simple,
                          "inverse dynamics under contact knows isotropic friction of sliding only, not "
                          "torsional, rolling or anisotropic friction");
      const PointFrame& frame = problem.frames[p];
      const Vec3 n = vector_at(frame.n), vc = point_velocity(problem, p, v);
      const double vn = n.dot(vc);
      const Vec3 slip = vc - vn * n;
      Vec3 gamma;
      if (is_compliant) {
        // A rigid law under Newton's method has the formula of sap.
        const LawKind law = is_rigid(problem.law) ? LawKind::sap : problem.law;
        const LawValue<double> value =
            law_value(law, problem.elasticity, problem.h, problem.parameters_at(p), vn, slip.squaredNorm());
        gamma = value.gn * n + value.gt * slip;
      } else {
        gamma = rigid_impulse(problem.law, RigidParameters<double>::from(problem.parameters_at(p)), n, vc);
      }
      (*impulses)[p] = gamma;
      add_impulse(problem, patch.b, vector_at(frame.r_B), gamma, momentum);
      add_impulse(problem, patch.a, vector_at(frame.r_A), -gamma, momentum);
    }
  }
}

void add_rows(const ContactProblem& problem, const VecX& v, std::vector<double>* impulses, VecX* momentum) {
  impulses->assign(problem.rows.size(), 0.0);
  const auto visit = [&](std::size_t r, const auto& entry) {
    for (int i = problem.rows[r].part_begin; i < problem.rows[r].part_end; ++i)
      for (int e = problem.row_parts[i].begin; e < problem.row_parts[i].end; ++e)
        entry(problem.trees[problem.row_parts[i].tree].v_begin + problem.row_dofs[e], problem.row_values[e]);
  };
  const auto unbounded = [&](std::size_t r) {
    double u = 0.0;
    visit(r, [&](int dof, double value) { u += value * v[dof]; });
    return problem.row_laws[r].offset - problem.row_laws[r].slope * u;
  };
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    const RowLaw& law = problem.row_laws[r];
    if (law.group == 0) continue;  // with the first of its group
    double gamma[kMostRowsOfGroup], s[kMostRowsOfGroup];
    for (int i = 0; i < law.group; ++i) s[i] = unbounded(r + static_cast<std::size_t>(i));
    if (law.group == 1)
      gamma[0] = std::clamp(s[0], law.lower, law.upper);
    else
      group_impulses(law, law.group, s, gamma);
    for (int i = 0; i < law.group; ++i) {
      const std::size_t row = r + static_cast<std::size_t>(i);
      (*impulses)[row] = gamma[i];
      visit(row, [&](int dof, double value) { (*momentum)[dof] += value * gamma[i]; });
    }
  }
}

}  // namespace

InverseDynamics inverse_dynamics_with_contact(const Model& model, const State& now, const VecX& v_next,
                                              double h, const Formulation& f, const Input& input,
                                              StepRecord* r, StepWorkspace* w) {
  const Forest& forest = model.forest;
  STICTION_USER_CHECK(v_next.size() == forest.num_v, "the model has {} velocities, {} are given",
                      forest.num_v, v_next.size());
  STICTION_USER_CHECK(v_next.allFinite(), "a given velocity is not a finite number");
  const ContactOptions options = scheme_of(f).posed_contact(f.contact);
  check_formulation(options, f);
  VecX is_free = VecX::Zero(forest.num_v);
  for (const JointIndices& place : forest.joints) {
    const Joint& joint = forest.bodies[std::size_t(place.body)].joints[std::size_t(place.index_in_body)];
    if (joint.type == JointType::free) is_free.segment(place.v_begin, place.num_v).setOnes();
  }

  InverseDynamics out;
  out.joint_forces = out.unactuated = VecX::Zero(forest.num_v);
  Input pushed = input;
  const VecX given = input.joint_forces.size() > 0 ? input.joint_forces : VecX(VecX::Zero(forest.num_v));
  State next = now;
  for (int round = 0; round < kMostRounds; ++round) {
    pushed.joint_forces = given + out.joint_forces;
    const StepReport report = step(model, now, pushed, h, f, r, w, &next);
    STICTION_USER_CHECK(report.ok() || report.status == StepStatus::contact_not_converged,
                        "inverse dynamics under contact: {}", describe(model, report));
    const ContactProblem& problem = r->contact.problem;
    VecX momentum = VecX::Zero(forest.num_v), change = VecX::Zero(forest.num_v);
    add_contacts(problem, !is_rigid(problem.law) || solves_primal(options), v_next, &out.contact_impulses,
                 &momentum);
    add_rows(problem, v_next, &out.row_impulses, &momentum);
    const VecX dv = v_next - r->v_free;
    multiply(forest, r->mass, dv.data(), change.data());
    change += r->added_diagonal.cwiseProduct(dv);
    const VecX missing = (change - momentum) / h;
    out.unactuated = missing.cwiseProduct(is_free);
    const VecX correction = missing - out.unactuated;
    out.joint_forces += correction;
    if (correction.norm() <= kSettled * out.joint_forces.norm()) break;
  }
  return out;
}

InverseDynamics inverse_dynamics_with_contact(const Model& model, const State& now, const VecX& v_next,
                                              double h, const Formulation& f, const Input& input) {
  StepRecord record(model);
  StepWorkspace workspace(model);
  return inverse_dynamics_with_contact(model, now, v_next, h, f, input, &record, &workspace);
}

}  // namespace stiction
