#include "stiction/simulation/inverse_dynamics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/law/rigid_laws.h"
#include "stiction/contact/residual.h"

namespace stiction {
namespace {

constexpr int kMostRounds = 6;      // until the rows stay
constexpr double kSettled = 1e-12;  // relative change of the forces

Vec3 vector_at(const double* x) { return {x[0], x[1], x[2]}; }

// gamma_n and f of a point (N s).
struct LawImpulse {
  double normal = 0.0;
  Vec6 friction = Vec6::Zero();
};

// Of a rigid law with R > 0; slip: u.
LawImpulse rigid_impulse(LawKind law, const RigidParameters<double>& p, double vn, const Vec6& slip) {
  const double mu = p.friction, speed = slip.norm();
  const double normal = -(vn - p.reference) / p.normal_compliance;  // without friction and cone
  const double tangential = speed / p.tangential_compliance;        // size; along -slip
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
  LawImpulse out;
  out.normal = gn;
  if (speed > 0.0) out.friction = -gt / speed * slip;
  return out;
}

// Of a law that Newton's method on velocities solves (law/compliant_laws.h).
LawImpulse compliant_impulse(const ContactProblem& problem, int point, double vn, const Vec6& slip) {
  const LawValue<double> value = law_value(problem, point, vn, slip.squaredNorm());
  return {value.gn, value.gt * slip};
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

// The impulses and moments of all points at v; momentum += J' of them.
void add_contacts(const ContactProblem& problem, bool is_compliant, const VecX& v, InverseDynamics* out,
                  VecX* momentum) {
  out->contact_impulses.assign(problem.frames.size(), Vec3::Zero());
  out->contact_moments.assign(problem.frames.size(), Vec3::Zero());
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p) {
      const double vn = vector_at(problem.frames[p].n).dot(point_velocity(problem, p, v));
      const Vec6 slip = law_slip(problem, p, v);
      const LawImpulse gamma =
          is_compliant
              ? compliant_impulse(problem, p, vn, slip)
              : rigid_impulse(problem.law, RigidParameters<double>::from(problem.parameters_at(p)), vn, slip);
      const PointImpulse on_B = point_impulse(problem, p, gamma.normal, gamma.friction);
      out->contact_impulses[p] = on_B.impulse;
      out->contact_moments[p] = on_B.moment;
      add_point_impulse(problem, p, on_B, momentum);
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
    add_contacts(problem, !is_rigid(problem.law) || solves_primal(options), v_next, &out, &momentum);
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
