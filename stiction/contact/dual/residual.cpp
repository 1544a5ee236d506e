#include "stiction/contact/dual/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace stiction {
namespace {

// J' x.
VecX pushed(const DualProblem& problem, const VecX& x) {
  VecX out = VecX::Zero(problem.v_free.size());
  for (const DualBlock& block : problem.blocks) {
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = problem.parts[k];
      for (int i = 0; i < block.size(); ++i)
        for (int c = 0; c < part.columns; ++c)
          out[part.offset + c] += problem.J[part.begin + i * part.columns + c] * x[block.begin + i];
    }
  }
  return out;
}

// A of a tree.
Eigen::Map<const MatX> mass(const DualProblem& problem, std::size_t tree) {
  return {problem.A.data() + problem.A_begin[tree], problem.tree_sizes[tree], problem.tree_sizes[tree]};
}

// A^-1 p.
VecX velocity_change(const DualProblem& problem, const VecX& p) {
  VecX out = p;
  for (std::size_t t = 0; t < problem.tree_sizes.size(); ++t) {
    const Eigen::LDLT<MatX> factor(mass(problem, t));
    const int at = problem.tree_offsets[t], n = problem.tree_sizes[t];
    const VecX solved = factor.solve(p.segment(at, n));
    out.segment(at, n) = solved;
  }
  return out;
}

// W x, and the diagonal of W.
VecX product(const DualProblem& problem, const VecX& x) {
  VecX out = VecX::Zero(x.size());
  if (problem.is_explicit()) {
    for (int b = 0; b < problem.num_blocks(); ++b) {
      for (int k = problem.W.row_begin[b]; k < problem.W.row_begin[b + 1]; ++k) {
        const DualBlock &block = problem.blocks[b], &other = problem.blocks[problem.W.columns[k]];
        for (int i = 0; i < block.size(); ++i)
          for (int j = 0; j < other.size(); ++j)
            out[block.begin + i] +=
                problem.W.values[problem.W.begin[k] + i * other.size() + j] * x[other.begin + j];
      }
    }
    return out;
  }
  const VecX dv = velocity_change(problem, pushed(problem, x));
  for (const DualBlock& block : problem.blocks) {
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = problem.parts[k];
      for (int i = 0; i < block.size(); ++i)
        for (int c = 0; c < part.columns; ++c)
          out[block.begin + i] += problem.J[part.begin + i * part.columns + c] * dv[part.offset + c];
    }
  }
  return out;
}

// A diagonal block of W.
MatX diagonal_block(const DualProblem& problem, int b) {
  const DualBlock& block = problem.blocks[b];
  MatX D = MatX::Zero(block.size(), block.size());
  if (problem.is_explicit()) {
    for (int k = problem.W.row_begin[b]; k < problem.W.row_begin[b + 1]; ++k)
      for (int i = 0; problem.W.columns[k] == b && i < block.size(); ++i)
        for (int j = 0; j < block.size(); ++j)
          D(i, j) += problem.W.values[problem.W.begin[k] + i * block.size() + j];
    return D;
  }
  for (int k = block.part_begin; k < block.part_end; ++k) {
    const DualPart& part = problem.parts[k];
    const Eigen::LDLT<MatX> factor(mass(problem, part.tree));
    MatX J(block.size(), part.columns);
    for (int i = 0; i < block.size(); ++i)
      for (int c = 0; c < part.columns; ++c) J(i, c) = problem.J[part.begin + i * part.columns + c];
    const MatX Y = factor.solve(J.transpose());
    D += J * Y;
  }
  return D;
}

// J as a matrix, or W.
MatX rows_of(const DualProblem& problem) {
  const int n = problem.num_rows();
  if (problem.is_explicit()) {
    MatX W(n, n);
    for (int j = 0; j < n; ++j) W.col(j) = product(problem, VecX::Unit(n, j));
    return W;
  }
  MatX J = MatX::Zero(n, problem.v_free.size());
  for (const DualBlock& block : problem.blocks) {
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = problem.parts[k];
      for (int i = 0; i < block.size(); ++i)
        for (int c = 0; c < part.columns; ++c)
          J(block.begin + i, part.offset + c) = problem.J[part.begin + i * part.columns + c];
    }
  }
  return J;
}

// Nearest point of {|t| <= slope n}; slope = mu gives K. In the plane of t and n, as (|t|, n).
struct Planar {
  double t = 0.0, n = 0.0;
};
Planar nearest_in_cone(double t, double n, double slope) {
  if (n >= 0.0 && t <= slope * n) return {t, n};  // without friction 0 <= -0 would let n < 0 pass
  // The projection on the edge (slope, 1), or the apex.
  const double along = std::max(0.0, (slope * t + n) / (slope * slope + 1.0));
  return {slope * along, along};
}

// Distance of (t, n) from {mu |t| <= n}, whose edge is (1, mu).
double distance_from_dual_cone(double t, double n, double mu) {
  if (mu * t <= n) return 0.0;
  const double along = std::max(0.0, (t + mu * n) / (1.0 + mu * mu));
  return std::hypot(t - along, n - mu * along);
}

// Nearest point of the regular polygon whose edges are `apothem` from the centre; the first edge is across the
// first tangent. Every edge is tried.
Eigen::Vector2d nearest_in_polygon(const Eigen::Vector2d& x, int facets, double apothem) {
  const double step = 2.0 * std::numbers::pi / facets, half = apothem * std::tan(0.5 * step);
  bool is_inside = true;
  double least = std::numeric_limits<double>::infinity();
  Eigen::Vector2d best = x;
  for (int k = 0; k < facets; ++k) {
    const Eigen::Vector2d out(std::cos(k * step), std::sin(k * step)), along(-out.y(), out.x());
    is_inside = is_inside && out.dot(x) <= apothem;
    const Eigen::Vector2d p = apothem * out + std::min(std::max(along.dot(x), -half), half) * along;
    if ((p - x).norm() < least) least = (p - x).norm(), best = p;
  }
  return is_inside ? x : best;
}

// Residual of pyramid_lcp at one contact, m/s.
double pyramid_residual(const Pyramid& pyramid, double mu, double rho, const VecX& lambda, const VecX& s) {
  const int m = static_cast<int>(lambda.size()) - 1;
  const double radius = mu * std::max(0.0, lambda[m]);
  VecX x = lambda - rho * s;
  x[m] = std::max(0.0, x[m]);
  if (m >= 2) x.head<2>() = nearest_in_polygon(x.head<2>(), pyramid.facets, radius * pyramid.apothem());
  for (int i = 2; i < m; ++i) x[i] = std::min(std::max(x[i], -radius), radius);
  return (lambda - x).norm() / rho;
}

// Residual of raisim at one contact, m/s; D its block of W + R.
double raisim_residual(const MatX& D, double mu, double rho, const VecX& lambda, const VecX& s) {
  const int m = static_cast<int>(lambda.size()) - 1;
  const double normal = std::min(lambda[m] / rho, s[m]);
  if (m == 0) return std::abs(normal);
  const VecX lambda_t = lambda.head(m), s_t = s.head(m);
  const double force = lambda_t.norm(), radius = mu * std::max(0.0, lambda[m]);
  if (!(radius > 0.0)) return std::hypot(normal, force / rho);
  const double slack = (radius - force) / rho;
  if (!(force > 0.0)) return std::hypot(normal, std::min(s_t.norm(), slack));
  const VecX N = lambda_t / force + mu / D(m, m) * D.col(m).head(m);
  const double along = -s_t.dot(N) / N.norm(), across = (s_t + along / N.norm() * N).norm();
  return std::hypot(normal, std::hypot(across, std::min(along, slack)));
}

// Residual of convex_cone at one contact, m/s.
double convex_cone_residual(double mu, double rho, const VecX& lambda, const VecX& s) {
  const int m = static_cast<int>(lambda.size()) - 1;
  VecX x = lambda - rho * s;
  const double length = x.head(m).norm();
  const Planar target = nearest_in_cone(length, x[m], mu);
  if (length > 0.0) x.head(m) *= target.t / length;
  x[m] = target.n;
  return (lambda - x).norm() / rho;
}

// The errors of one contact; returns |lambda - P_K(lambda - rho s~)|.
double check_contact_residual(const DualBlock& block, double rho, const VecX& lambda, const VecX& s,
                              DualResidual* out) {
  const int m = block.tangents;
  const VecX lambda_t = lambda.segment(block.begin, m), s_t = s.segment(block.begin, m);
  const double lambda_n = lambda[block.begin + m], s_n = s[block.begin + m], mu = block.friction;
  const double force = lambda_t.norm(), speed = s_t.norm(), power = lambda_t.dot(s_t);
  const double lifted = s_n + mu * speed;
  const Planar in_cone = nearest_in_cone(force, lambda_n, mu);
  raise(std::hypot(force - in_cone.t, lambda_n - in_cone.n), &out->primal);
  raise(distance_from_dual_cone(speed, lifted, mu), &out->dual);
  raise(std::abs(power + lambda_n * lifted), &out->complementarity);
  raise(distance_from_dual_cone(speed, s_n, mu), &out->ccp_dual);
  raise(std::abs(power + lambda_n * s_n), &out->ccp_complementarity);
  raise(std::abs(lambda_n * s_n), &out->signorini);
  raise(std::abs(power + mu * lambda_n * speed), &out->dissipation);

  VecX step = lambda_t - rho * s_t;
  const double length = step.norm();
  const Planar target = nearest_in_cone(length, lambda_n - rho * lifted, mu);
  if (length > 0.0) step *= target.t / length;
  const double map = std::hypot((lambda_t - step).norm(), lambda_n - target.n);
  raise(map / rho, &out->natural_velocity);
  return map;
}

double check_row_residual(const DualBlock& block, double rho, double lambda, double s, DualResidual* out) {
  const double map = std::abs(lambda - std::min(std::max(lambda - rho * s, block.lower), block.upper));
  raise(block.lower - lambda, &out->row_primal);
  raise(lambda - block.upper, &out->row_primal);
  raise(map / rho, &out->row_natural);
  return map;
}

void check_momentum_residual(const DualProblem& problem, const VecX& lambda, DualResidual* out) {
  const VecX p = pushed(problem, lambda), dv = velocity_change(problem, p);
  double error = 0.0;
  for (std::size_t t = 0; t < problem.tree_sizes.size(); ++t) {
    const int at = problem.tree_offsets[t], n = problem.tree_sizes[t];
    const VecX momentum = mass(problem, t) * dv.segment(at, n);
    error += (momentum - p.segment(at, n)).squaredNorm();
  }
  out->momentum.absolute = std::sqrt(error);
  out->momentum.relative = p.norm() > 0.0 ? out->momentum.absolute / p.norm() : 0.0;
}

}  // namespace

double internal_force(const DualProblem& problem, const VecX& lambda, double rank_tolerance) {
  MatX J = rows_of(problem);
  // Columns scaled to length 1, which leaves their span as it is.
  for (int c = 0; c < J.cols(); ++c)
    if (const double length = J.col(c).norm(); length > 0.0) J.col(c) /= length;
  if (J.size() == 0) return lambda.norm();
  Eigen::ColPivHouseholderQR<MatX> qr;
  qr.setThreshold(rank_tolerance);
  qr.compute(J);
  const VecX rotated = qr.householderQ().adjoint() * lambda;
  return rotated.tail(rotated.size() - qr.rank()).norm();
}

DualResidual check_dual_residual(const DualProblem& problem, const VecX& lambda, const DualScale& scale,
                                 const PosedLaw& law) {
  DualResidual out;
  const VecX s = product(problem, lambda) + problem.r + problem.R.cwiseProduct(lambda);
  double map = 0.0, largest_rho = 0.0;
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    MatX D = diagonal_block(problem, b);
    D.diagonal() += problem.R.segment(block.begin, block.size());
    const double sum = D.trace();
    if (sum <= 0.0) continue;  // not where it is NaN
    const double rho = block.size() / sum;
    largest_rho = std::max(largest_rho, rho);
    const double error = block.is_contact()
                             ? check_contact_residual(block, rho, lambda, s, &out)
                             : check_row_residual(block, rho, lambda[block.begin], s[block.begin], &out);
    map += error * error;
    if (!block.is_contact()) continue;
    const VecX of_contact = lambda.segment(block.begin, block.size()),
               at_contact = s.segment(block.begin, block.size());
    const double mu = block.friction;
    const bool is_finite = of_contact.allFinite() && at_contact.allFinite();
    const LawKind kind = block.law_under(law.kind);
    raise(!is_finite                     ? std::numeric_limits<double>::quiet_NaN()
          : kind == LawKind::convex_cone ? convex_cone_residual(mu, rho, of_contact, at_contact)
          : kind == LawKind::pyramid_lcp ? pyramid_residual(law.pyramid, mu, rho, of_contact, at_contact)
          : kind == LawKind::raisim      ? raisim_residual(D, mu, rho, of_contact, at_contact)
                                         : error / rho,
          &out.law);
  }
  if (!problem.is_explicit()) check_momentum_residual(problem, lambda, &out);
  out.internal.absolute = internal_force(problem, lambda);
  out.natural_map.absolute = std::sqrt(map);

  // Scales.
  out.scale = scale;
  if (!(out.scale.velocity > 0.0)) out.scale.velocity = problem.r.lpNorm<Eigen::Infinity>();
  if (!(out.scale.impulse > 0.0)) out.scale.impulse = out.scale.velocity * largest_rho;
  const auto divide = [](double by, std::initializer_list<Error*> errors) {
    for (Error* error : errors) error->relative = by > 0.0 ? error->absolute / by : error->absolute;
  };
  divide(out.scale.impulse, {&out.primal, &out.row_primal, &out.internal});
  divide(out.scale.velocity, {&out.dual, &out.ccp_dual, &out.natural_velocity, &out.law, &out.row_natural});
  divide(out.scale.impulse * out.scale.velocity,
         {&out.complementarity, &out.ccp_complementarity, &out.signorini, &out.dissipation});
  divide(lambda.norm(), {&out.natural_map});
  return out;
}

VecX lambda_of(const DualProblem& problem, const ContactSolution& solution) {
  VecX lambda = VecX::Zero(problem.num_rows());
  for (const DualBlock& block : problem.blocks) {
    const auto source = static_cast<std::size_t>(block.source);
    if (!block.is_contact() || block.is_group) {
      const int rows = block.is_group ? block.tangents : 1;
      for (int i = 0; i < rows; ++i)
        lambda[block.begin + i] = solution.row_impulses[source + static_cast<std::size_t>(i)];
      const int normal = block.begin + rows;
      if (block.is_group) lambda[normal] = -problem.r[normal] / problem.R[normal];
      continue;
    }
    const Eigen::Map<const Vec3> impulse(solution.impulses.data() + 4 * source);
    Vec3 moment = Vec3::Zero();
    if (!solution.moments.empty()) moment = Eigen::Map<const Vec3>(solution.moments.data() + 4 * source);
    for (int i = block.begin; i < block.begin + block.size(); ++i) {
      // The axes of a contact are perpendicular to each other, of any length.
      const Vec3 &along = problem.linear[static_cast<std::size_t>(i)],
                 &about = problem.angular[static_cast<std::size_t>(i)];
      const double square = along.squaredNorm() + about.squaredNorm();
      if (square > 0.0) lambda[i] = (impulse.dot(along) + moment.dot(about)) / square;
    }
  }
  return lambda;
}

void take_larger(const DualResidual& other, DualResidual* worst) {
  constexpr Error DualResidual::*kErrors[] = {&DualResidual::primal,
                                              &DualResidual::dual,
                                              &DualResidual::complementarity,
                                              &DualResidual::ccp_dual,
                                              &DualResidual::ccp_complementarity,
                                              &DualResidual::signorini,
                                              &DualResidual::dissipation,
                                              &DualResidual::natural_velocity,
                                              &DualResidual::natural_map,
                                              &DualResidual::law,
                                              &DualResidual::row_primal,
                                              &DualResidual::row_natural,
                                              &DualResidual::momentum,
                                              &DualResidual::internal};
  for (const auto error : kErrors) {
    raise((other.*error).absolute, &(worst->*error).absolute);
    raise((other.*error).relative, &(worst->*error).relative);
  }
}

}  // namespace stiction
