#include "stiction/contact/residual.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/law/all_laws.h"

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

// Adds J' of a force at the arm r to the generalised impulse.
void add_impulse(const ContactProblem& problem, int body, const Vec3& r, const Vec3& impulse, VecX* out) {
  const ProblemBody& b = problem.bodies[body];
  if (b.tree < 0) return;
  const ProblemTree& tree = problem.trees[b.tree];
  const Vec3 moment = r.cross(impulse);
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
  if (t <= mu * n) return 0.0;
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

// S^power x of a point, x in its contact plane; x where friction is isotropic.
Vec3 stretched(const ContactProblem& problem, int point, const Vec3& x, int power) {
  if (problem.stretches.empty()) return x;
  const FrictionStretch& S = problem.stretches[point];
  const Vec3 t1 = vector_at(S.t1), t2 = vector_at(S.t2);
  return std::pow(S.s1, power) * t1.dot(x) * t1 + std::pow(S.s2, power) * t2.dot(x) * t2;
}

void set_relative(double scale, Error* error) {
  error->relative = scale > 0.0 ? error->absolute / scale : 0.0;
}

void judge_momentum(const ContactProblem& problem, const VecX& v, const VecX& contact, ContactResidual* out) {
  double error = 0.0, momentum = 0.0, impulse = 0.0;
  for (const int t : problem.island_trees) {
    const ProblemTree& tree = problem.trees[t];
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
  out->momentum.absolute = std::sqrt(error);
  set_relative(std::sqrt(std::max(momentum, impulse)), &out->momentum);
}

}  // namespace

Vec3 point_velocity(const ContactProblem& problem, int point, const VecX& v) {
  const PointFrame& frame = problem.frames[point];
  const Vec6 A = body_velocity(problem, problem.body_a[point], v);
  const Vec6 B = body_velocity(problem, problem.body_b[point], v);
  const Vec3 w_A = A.head<3>(), w_B = B.head<3>();
  return B.tail<3>() + w_B.cross(vector_at(frame.r_B)) - A.tail<3>() - w_A.cross(vector_at(frame.r_A)) +
         vector_at(frame.bias);
}

LawValue<double> law_value(const ContactProblem& problem, int point, double vn, double vt2) {
  LawNumbers<double> numbers;
  for (int i = 0; i < kLawNumbers; ++i) numbers.x[i] = problem.law_numbers[i][point];
  return law_value(problem.law, problem.elasticity, problem.h, numbers, vn, vt2);
}

ContactResidual judge(const ContactProblem& problem, const std::vector<PhysicalPoint>& points, const VecX& v,
                      const AlignedVector<double>& impulses) {
  ContactResidual out;
  VecX contact = VecX::Zero(problem.v_free.size());
  double slackness = 0.0;
  int count = 0;
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p, ++count) {
      const PointFrame& frame = problem.frames[p];
      const PhysicalPoint& point = points[p];
      const Vec3 n = vector_at(frame.n), gamma = vector_at(impulses.data() + 4 * p);
      add_impulse(problem, patch.b, vector_at(frame.r_B), gamma, &contact);
      add_impulse(problem, patch.a, vector_at(frame.r_A), -gamma, &contact);

      // What would the law do?
      const Vec3 vc = point_velocity(problem, p, v);
      const double vn = n.dot(vc);
      // In the variables in which the friction cone is round (anisotropic.h).
      const Vec3 vt = stretched(problem, p, vc - vn * n, 1);
      const LawValue<double> law = law_value(problem, p, vn, vt.squaredNorm());
      out.cost += law.cost;
      const Vec3 law_gt = stretched(problem, p, law.gt * vt, 1);
      const double law_error = (gamma - law.gn * n - law_gt).norm() / problem.h;
      out.law.absolute = std::max(out.law.absolute, law_error);
      const double gn = n.dot(gamma);
      const Vec3 gt = stretched(problem, p, gamma - gn * n, -1);
      if (problem.law == LawKind::sap) {
        const double Rn = 1.0 / problem.law_numbers[kNormal][p],
                     Rt = 1.0 / problem.law_numbers[kTangential][p];
        const double normal = vn - problem.law_numbers[kBias][p] + Rn * gn;
        slackness += std::abs(normal * gn + gt.dot(vt + Rt * gt));
      }

      // What would rigid bodies do?
      const double fn = gn / problem.h, mu = point.friction;
      const Vec3 ft = gt / problem.h;
      const double cn = vn + std::max(point.distance, 0.0) / problem.h, slip = vt.norm();
      const auto largest = [](double value, Error* error) {
        error->absolute = std::max(error->absolute, value);
      };
      largest(distance_from_cone(ft.norm(), fn, mu), &out.primal);
      largest(distance_from_dual_cone(slip, cn + mu * slip, mu), &out.dual);
      largest(std::abs(ft.dot(vt) + fn * (cn + mu * slip)), &out.complementarity);
      largest(std::abs(fn * cn), &out.signorini);
      largest(std::abs(ft.dot(vt) + mu * fn * slip), &out.dissipation);
      out.force_scale = std::max(out.force_scale, gamma.norm() / problem.h);
      out.velocity_scale = std::max(out.velocity_scale, point.inverse_mass * gamma.norm());
    }
  }
  judge_momentum(problem, v, contact, &out);
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

}  // namespace stiction
