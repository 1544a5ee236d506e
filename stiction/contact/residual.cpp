#include "stiction/contact/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/law/rigid_laws.h"

namespace stiction {
namespace {

// V = J v of a body: (w, velocity at O).
Vec6 body_velocity(const ContactProblem& problem, int body, const VecX& v) {
  const ProblemBody& b = problem.bodies[body];
  Vec6 V = Vec6::Zero();
  if (b.tree < 0) return V;
  const ProblemTree& tree = problem.trees[b.tree];
  if (tree.is_free_body) return v.segment<6>(tree.v_begin);
  for (int c = b.column_begin; c < b.column_begin + b.columns; ++c) {
    const double* S = problem.columns.data() + 8 * c;
    const double rate = v[tree.v_begin + problem.column_dofs[c]];
    for (int i = 0; i < 3; ++i) {
      V[i] += S[i] * rate;
      V[3 + i] += S[4 + i] * rate;
    }
  }
  return V;
}

// out += J' (impulse at the arm r, and the moment `beside` it) of a body.
void add_impulse(const ContactProblem& problem, int body, const Vec3& r, const Vec3& impulse,
                 const Vec3& beside, VecX* out) {
  const ProblemBody& b = problem.bodies[body];
  if (b.tree < 0) return;
  const ProblemTree& tree = problem.trees[b.tree];
  const Vec3 moment = r.cross(impulse) + beside;
  if (tree.is_free_body) {
    out->segment<3>(tree.v_begin) += moment;
    out->segment<3>(tree.v_begin + 3) += impulse;
    return;
  }
  for (int c = b.column_begin; c < b.column_begin + b.columns; ++c) {
    const double* S = problem.columns.data() + 8 * c;
    (*out)[tree.v_begin + problem.column_dofs[c]] +=
        Eigen::Map<const Vec3>(S).dot(moment) + Eigen::Map<const Vec3>(S + 4).dot(impulse);
  }
}

// Diagonal of A of a tree.
VecX diagonal(const ContactProblem& problem, int t) {
  const ProblemTree& tree = problem.trees[t];
  const double* A = problem.A_of(t);
  VecX d(tree.num_v);
  for (int i = 0; i < tree.num_v; ++i)
    d[i] = tree.is_free_body ? A[8 * i + (i < 3 ? i : i + 1)] : A[i * tree.num_v + i];
  return d;
}

// Distance of (t, n) from the cone t <= mu n.
double distance_from_cone(double t, double n, double mu) {
  if (n >= 0.0 && t <= mu * n) return 0.0;  // without friction 0 <= -0 would let n < 0 pass
  if (mu * t <= -n) return std::hypot(t, n);
  return (t - mu * n) / std::sqrt(1.0 + mu * mu);
}

// Distance from the dual cone mu t <= n.
double distance_from_dual_cone(double t, double n, double mu) {
  if (mu * t <= n) return 0.0;
  if (t <= -mu * n) return std::hypot(t, n);
  return (mu * t - n) / std::sqrt(1.0 + mu * mu);
}

Vec3 vector_at(const double* x) { return {x[0], x[1], x[2]}; }

// length^power; for a length of zero and a negative power 1: not scaled.
double factor(double length, int power) { return length > 0.0 || power > 0 ? std::pow(length, power) : 1.0; }

// S^power x of a point, x in its contact plane; S = mu/mu* where friction is isotropic.
Vec3 times_S(const ContactProblem& problem, int point, const Vec3& x, int power) {
  const double slide =
      problem.friction_lengths.empty() ? 1.0 : factor(problem.friction_lengths[point].slide, power);
  if (problem.friction_tensors.empty()) return slide * x;
  const FrictionTensor& S = problem.friction_tensors[point];
  const Vec3 t1 = vector_at(S.t1), t2 = vector_at(S.t2);
  return slide * (std::pow(S.s1, power) * t1.dot(x) * t1 + std::pow(S.s2, power) * t2.dot(x) * t2);
}

// L^power x of a point of a problem with torsional and rolling friction.
Vec3 times_L(const ContactProblem& problem, int point, const Vec3& x, int power) {
  const FrictionLengths& L = problem.friction_lengths[point];
  const Vec3 n = vector_at(problem.frames[point].n), along = n.dot(x) * n;
  return factor(L.torsion, power) * along + factor(L.roll, power) * (x - along);
}

// The part of a point's friction (N s, in the variables in which the cone is circular) that is in no cone: along the
// contact plane and about axes without friction. Moments there are not scaled: they count per metre.
Vec6 outside_every_cone(const ContactProblem& problem, int point, double mu, const Vec6& friction) {
  if (mu == 0.0) return friction;
  Vec6 out = Vec6::Zero();
  if (problem.friction_lengths.empty()) {
    out.tail<3>() = friction.tail<3>();
    return out;
  }
  const FrictionLengths& L = problem.friction_lengths[point];
  const Vec3 n = vector_at(problem.frames[point].n), moment = friction.tail<3>(), along = n.dot(moment) * n;
  if (L.slide == 0.0) out.head<3>() = friction.head<3>();
  if (L.torsion == 0.0) out.tail<3>() += along;
  if (L.roll == 0.0) out.tail<3>() += moment - along;
  return out;
}

void set_relative(double scale, Error* error) {
  if (scale == 0.0)
    error->relative = error->absolute == 0.0 ? 0.0 : error->absolute / error->absolute;  // all of it, or NaN
  else
    error->relative = error->absolute / scale;
}

// The errors and the cost of the scalar rows; impulse += J' of their impulses.
void check_row_residual(const ContactProblem& problem, const VecX& v, std::span<const double> impulses,
                        VecX* impulse, ContactResidual* out) {
  if (problem.rows.empty()) return;
  out->rows.emplace();
  double largest = 0.0;  // N or N m
  double grouped[kMostRowsOfGroup], expected_of_group[kMostRowsOfGroup];
  int first = 0;  // of the group at hand
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    const RowLaw& law = problem.row_laws[r];
    const double gamma = impulses.empty() ? 0.0 : impulses[r];
    double u = 0.0;
    for (int i = problem.rows[r].part_begin; i < problem.rows[r].part_end; ++i) {
      const RowPart& part = problem.row_parts[i];
      for (int e = part.begin; e < part.end; ++e) {
        const int dof = problem.trees[part.tree].v_begin + problem.row_dofs[e];
        u += problem.row_values[e] * v[dof];
        (*impulse)[dof] += problem.row_values[e] * gamma;
      }
    }
    const double unbounded = law.offset - law.slope * u;
    raise(std::abs(gamma) / problem.h, &largest);
    if (law.group != 1) {
      if (law.group > 1) first = static_cast<int>(r);
      const int count = problem.row_laws[first].group, last = first + count - 1;
      grouped[static_cast<int>(r) - first] = unbounded;
      if (static_cast<int>(r) < last) continue;
      out->cost += group_impulses(law, count, grouped, expected_of_group);
      for (int i = 0; i < count; ++i) {
        const double given = impulses.empty() ? 0.0 : impulses[first + i];
        raise(std::abs(given - expected_of_group[i]) / problem.h, &*out->rows);
      }
      continue;
    }
    const double expected = std::clamp(unbounded, law.lower, law.upper);
    out->cost += expected * (2.0 * unbounded - expected) / (2.0 * law.slope);
    raise(std::abs(gamma - expected) / problem.h, &*out->rows);
  }
  set_relative(largest, &*out->rows);
}

void check_momentum_residual(const ContactProblem& problem, const VecX& v, const VecX& contact,
                             ContactResidual* out) {
  double error = 0.0, momentum = 0.0, impulse = 0.0;
  VecX apart = v - problem.v_free;  // of the trees that nothing touches
  for (const int t : problem.island_trees) {
    const ProblemTree& tree = problem.trees[t];
    apart.segment(tree.v_begin, tree.num_v).setZero();
    const VecX now = v.segment(tree.v_begin, tree.num_v);
    const VecX change = now - problem.v_free.segment(tree.v_begin, tree.num_v);
    VecX Av(tree.num_v), A_change(tree.num_v);
    multiply_A(problem, t, now.data(), Av.data());
    multiply_A(problem, t, change.data(), A_change.data());
    const VecX D = diagonal(problem, t).cwiseSqrt().cwiseInverse();
    const VecX pushed = contact.segment(tree.v_begin, tree.num_v);
    error += D.cwiseProduct(A_change - pushed).squaredNorm();
    momentum += D.cwiseProduct(Av).squaredNorm();
    impulse += D.cwiseProduct(pushed).squaredNorm();
    out->cost += 0.5 * change.dot(A_change);
  }
  error += apart.squaredNorm();
  out->momentum.absolute = std::sqrt(error);
  double scale = momentum;
  raise(impulse, &scale);
  set_relative(std::sqrt(scale), &out->momentum);
}

}  // namespace

Error check_rows(const ContactProblem& problem, const VecX& v, std::span<const double> row_impulses) {
  ContactResidual out;
  VecX impulse = VecX::Zero(problem.v_free.size());
  check_row_residual(problem, v, row_impulses, &impulse, &out);
  return out.rows.value_or(Error{});
}

Vec3 point_velocity(const ContactProblem& problem, int point, const VecX& v) {
  const PointFrame& frame = problem.frames[point];
  const Vec6 A = body_velocity(problem, problem.body_a[point], v);
  const Vec6 B = body_velocity(problem, problem.body_b[point], v);
  const Vec3 w_A = A.head<3>(), w_B = B.head<3>();
  return B.tail<3>() + w_B.cross(vector_at(frame.r_B)) - A.tail<3>() - w_A.cross(vector_at(frame.r_A)) +
         vector_at(frame.bias);
}

Vec3 point_angular_velocity(const ContactProblem& problem, int point, const VecX& v) {
  return body_velocity(problem, problem.body_b[point], v).head<3>() -
         body_velocity(problem, problem.body_a[point], v).head<3>() +
         vector_at(problem.friction_lengths[point].bias);
}

namespace {

// The slip itself, in the variables in which the friction cone is circular.
Vec6 rigid_slip(const ContactProblem& problem, int point, const VecX& v) {
  const Vec3 n = vector_at(problem.frames[point].n), vc = point_velocity(problem, point, v);
  Vec6 slip = Vec6::Zero();
  slip.head<3>() = times_S(problem, point, vc - n.dot(vc) * n, 1);
  if (!problem.friction_lengths.empty())
    slip.tail<3>() = times_L(problem, point, point_angular_velocity(problem, point, v), 1);
  return slip;
}

}  // namespace

Vec6 law_slip(const ContactProblem& problem, int point, const VecX& v) {
  Vec6 slip = rigid_slip(problem, point, v);
  if (problem.slip_targets.empty()) return slip;
  const SlipTarget& target = problem.slip_targets[point];
  slip.head<3>() -= times_S(problem, point, vector_at(target.v), 1);
  if (!problem.friction_lengths.empty()) slip.tail<3>() -= times_L(problem, point, vector_at(target.w), 1);
  return slip;
}

LawValue<double> law_value(const ContactProblem& problem, int point, double vn, double vt2) {
  return law_value(problem.law, problem.elasticity, problem.law_step(), problem.parameters_at(point), vn,
                   vt2);
}

PointImpulse point_impulse(const ContactProblem& problem, int point, double gn, const Vec6& friction) {
  PointImpulse out;
  out.impulse = gn * vector_at(problem.frames[point].n) + times_S(problem, point, friction.head<3>(), 1);
  if (!problem.friction_lengths.empty()) out.moment = times_L(problem, point, friction.tail<3>(), 1);
  return out;
}

void add_point_impulse(const ContactProblem& problem, int point, const PointImpulse& on_B, VecX* out) {
  const PointFrame& frame = problem.frames[point];
  add_impulse(problem, problem.body_b[point], vector_at(frame.r_B), on_B.impulse, on_B.moment, out);
  add_impulse(problem, problem.body_a[point], vector_at(frame.r_A), -on_B.impulse, -on_B.moment, out);
}

ContactResidual check_residual(const ContactProblem& problem, const std::vector<PhysicalPoint>& points,
                               const VecX& v, const AlignedVector<double>& impulses,
                               const AlignedVector<double>& moments, std::span<const double> row_impulses) {
  const bool has_law = !is_rigid(problem.law);
  ContactResidual out;
  VecX contact = VecX::Zero(problem.v_free.size());
  double slackness = 0.0, fastest = 0.0;
  int count = 0;
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p, ++count) {
      const PhysicalPoint& point = points[p];
      const Vec3 n = vector_at(problem.frames[p].n), gamma = vector_at(impulses.data() + 4 * p);
      const Vec3 moment = moments.empty() ? Vec3(Vec3::Zero()) : vector_at(moments.data() + 4 * p);
      add_point_impulse(problem, p, {gamma, moment}, &contact);

      // What would the law do?
      const Vec3 vc = point_velocity(problem, p, v);
      const double vn = n.dot(vc);
      // Slip and friction in the variables in which the friction cone is circular (law/torsional_rolling.h).
      const Vec6 slip = rigid_slip(problem, p, v), seen = law_slip(problem, p, v);
      Vec6 friction = Vec6::Zero();
      const LawValue<double> law =
          has_law ? law_value(problem, p, vn, seen.squaredNorm()) : LawValue<double>{};
      out.cost += law.cost;
      const double gn = n.dot(gamma);
      friction.head<3>() = times_S(problem, p, gamma - gn * n, -1);
      double law_error = (gamma - point_impulse(problem, p, law.gn, law.gt * seen).impulse).norm();
      // A moment where there is no torsional or rolling friction is an error as it is, per metre.
      friction.tail<3>() = problem.friction_lengths.empty() ? moment : times_L(problem, p, moment, -1);
      law_error = std::hypot(law_error, (friction - law.gt * seen).tail<3>().norm());
      // The law of no number is that of an open contact.
      if (!std::isfinite(vn) || !slip.allFinite()) law_error = std::numeric_limits<double>::quiet_NaN();
      const double mu = point.friction;
      const Vec6 outside = outside_every_cone(problem, p, mu, friction);
      raise((has_law ? law_error : outside.norm()) / problem.h, &out.law);
      // A point without a law (MuJoCo's, beyond its margin) has no compliance.
      if (problem.law == LawKind::sap && problem.law_parameters[kNormal][p] > 0.0) {
        const auto sap = SapParameters<double>::from(problem.parameters_at(p));
        const double Rn = 1.0 / sap.normal, Rt = 1.0 / sap.tangential;
        const double normal = vn - sap.reference + Rn * gn;
        slackness += std::abs(normal * gn + friction.dot(seen + Rt * friction));
      }

      // What would rigid bodies do?
      const double fn = gn / problem.h, ft = (friction - outside).norm() / problem.h;
      const double power_of_friction = friction.dot(slip) / problem.h;
      const double speed = slip.norm();
      const double cn = is_rigid(problem.law) ? vn - problem.law_parameters[kReference][p]
                                              : vn + std::max(point.distance, 0.0) / problem.h;
      raise(std::hypot(distance_from_cone(ft, fn, mu), outside.norm() / problem.h), &out.primal);
      raise(distance_from_dual_cone(speed, cn + mu * speed, mu), &out.dual);
      raise(std::abs(power_of_friction + fn * (cn + mu * speed)), &out.complementarity);
      raise(std::abs(fn * cn), &out.signorini);
      raise(std::abs(power_of_friction + mu * fn * speed), &out.dissipation);
      raise(gamma.norm() / problem.h, &out.force_scale);
      raise(point.inverse_mass * gamma.norm(), &out.velocity_scale);
      raise(std::hypot(cn, speed), &fastest);
    }
  }
  check_row_residual(problem, v, row_impulses, &contact, &out);
  check_momentum_residual(problem, v, contact, &out);
  if (out.velocity_scale == 0.0) out.velocity_scale = problem.fall_speed > 0.0 ? problem.fall_speed : fastest;
  const double power = out.force_scale * out.velocity_scale;
  for (Error* error : {&out.law, &out.primal}) set_relative(out.force_scale, error);
  set_relative(out.velocity_scale, &out.dual);
  for (Error* error : {&out.complementarity, &out.signorini, &out.dissipation}) set_relative(power, error);
  if (problem.law == LawKind::sap) {
    out.slackness.emplace();
    out.slackness->absolute = count > 0 ? slackness / count : 0.0;
    set_relative(out.cost, &*out.slackness);
  }
  return out;
}

void take_larger(const ContactResidual& other, ContactResidual* worst) {
  const auto take = [](const Error& from, Error* to) {
    raise(from.absolute, &to->absolute);
    raise(from.relative, &to->relative);
  };
  for (const auto error :
       {&ContactResidual::momentum, &ContactResidual::law, &ContactResidual::primal, &ContactResidual::dual,
        &ContactResidual::complementarity, &ContactResidual::signorini, &ContactResidual::dissipation})
    take(other.*error, &(worst->*error));
  for (const auto error : {&ContactResidual::rows, &ContactResidual::slackness}) {
    if (!(other.*error)) continue;
    if (!(worst->*error)) worst->*error = Error{};
    take(*(other.*error), &*(worst->*error));
  }
  raise(other.force_scale, &worst->force_scale);
  raise(other.velocity_scale, &worst->velocity_scale);
}

}  // namespace stiction
