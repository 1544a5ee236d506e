#include "stiction/contact/newton/point_sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/law/compliant_laws.h"

namespace stiction {
namespace {

using simd::Pack;

// Four vectors to their x, y and z.
[[gnu::always_inline]] inline void transpose(Pack v0, Pack v1, Pack v2, Pack v3, Pack* x, Pack* y, Pack* z) {
  const Pack xz01 = __builtin_shufflevector(v0, v1, 0, 4, 2, 6);
  const Pack y01 = __builtin_shufflevector(v0, v1, 1, 5, 3, 7);
  const Pack xz23 = __builtin_shufflevector(v2, v3, 0, 4, 2, 6);
  const Pack y23 = __builtin_shufflevector(v2, v3, 1, 5, 3, 7);
  *x = __builtin_shufflevector(xz01, xz23, 0, 1, 4, 5);
  *z = __builtin_shufflevector(xz01, xz23, 2, 3, 6, 7);
  *y = __builtin_shufflevector(y01, y23, 0, 1, 4, 5);
}

[[gnu::always_inline]] inline Pack relative_velocity(const PointFrame& frame, const BodyVelocity& A,
                                                     const BodyVelocity& B) {
  return simd::load(B.v) - simd::load(A.v) + simd::cross(simd::load(B.w), simd::load(frame.r_B)) -
         simd::cross(simd::load(A.w), simd::load(frame.r_A));
}

// Normal part and tangential vector of the relative velocity of four points from index i on.
template <bool with_bias>
[[gnu::always_inline]] inline void split(const ContactProblem& problem, int i, const BodyVelocity* velocities,
                                         Pack nx, Pack ny, Pack nz, Pack* vn, Pack* tx, Pack* ty, Pack* tz) {
  Pack v[4];
  for (int l = 0; l < 4; ++l) {
    const PointFrame& frame = problem.frames[i + l];
    v[l] = relative_velocity(frame, velocities[problem.body_a[i + l]], velocities[problem.body_b[i + l]]);
    if constexpr (with_bias) v[l] += simd::load(frame.bias);
  }
  Pack x, y, z;
  transpose(v[0], v[1], v[2], v[3], &x, &y, &z);
  *vn = nx * x + ny * y + nz * z;
  *tx = x - *vn * nx;
  *ty = y - *vn * ny;
  *tz = z - *vn * nz;
}

// Angular velocity of B relative to A at point i.
Pack turning(const ContactProblem& problem, int i, const BodyVelocity* velocities) {
  return simd::load(velocities[problem.body_b[i]].w) - simd::load(velocities[problem.body_a[i]].w);
}

[[gnu::always_inline]] inline LawParameters<Pack> numbers_at(const ContactProblem& problem,
                                                             const PointArrays& points, int i, int k) {
  LawParameters<Pack> numbers;
  for (int j = 0; j < kLawParameters; ++j) numbers.x[j] = simd::load(problem.law_parameters[j].data() + i);
  if (points.friction != FrictionMode::own) numbers.x[kFriction] *= simd::load(points.factor.data() + k);
  return numbers;
}

// with_compliant_law for the law as it is evaluated at the moment.
template <class Function>
auto with_law(const ContactProblem& problem, const PointArrays& points, const Function& function) {
  const bool is_lagged = points.friction == FrictionMode::lagged || points.friction == FrictionMode::mixed;
  const LawKind law = is_lagged ? LawKind::icf_lagged : problem.law;
  return with_compliant_law(law, problem.elasticity, function);
}

}  // namespace

void PointArrays::resize(int points, bool has_torsional_or_rolling, bool has_factors) {
  for (AlignedVector<double>* array :
       {&vn, &tx, &ty, &tz, &gn, &gt, &a, &b, &c, &e, &dvn, &q0, &q1, &q2, &nx, &ny, &nz, &mark, &expected})
    array->resize(static_cast<std::size_t>(points));
  for (AlignedVector<double>* array : {&f, &factor, &settled})
    array->resize(has_factors ? static_cast<std::size_t>(points) : 0);
  friction = FrictionMode::own;
  turn.resize(has_torsional_or_rolling ? 4 * static_cast<std::size_t>(points) : 0);
}

void set_normals(const ContactProblem& problem, const Island& island, PointArrays* points) {
  for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
    const PointFrame* f = &problem.frames[i];
    Pack x, y, z;
    transpose(simd::load(f[0].n), simd::load(f[1].n), simd::load(f[2].n), simd::load(f[3].n), &x, &y, &z);
    simd::store(points->nx.data() + k, x);
    simd::store(points->ny.data() + k, y);
    simd::store(points->nz.data() + k, z);
  }
}

namespace {

// Subtracts what the law does not want at rest (SlipTarget).
void subtract_slip_targets(const ContactProblem& problem, int i, Pack* tx, Pack* ty, Pack* tz) {
  const SlipTarget* target = problem.slip_targets.data() + i;
  Pack x, y, z;
  transpose(simd::load(target[0].v), simd::load(target[1].v), simd::load(target[2].v),
            simd::load(target[3].v), &x, &y, &z);
  *tx -= x;
  *ty -= y;
  *tz -= z;
}

// Angular velocity of B relative to A at point i as the law sees it.
Pack turning_of_law(const ContactProblem& problem, int i, const BodyVelocity* velocities) {
  const Pack w = turning(problem, i, velocities) + simd::load(problem.friction_lengths[i].bias);
  return problem.slip_targets.empty() ? w : w - simd::load(problem.slip_targets[i].w);
}

template <bool is_marked>
void sweep_velocities_of(const ContactProblem& problem, const Island& island, const BodyVelocity* velocities,
                         PointArrays* points) {
  const bool has_targets = !problem.slip_targets.empty();
  for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
    Pack vn, tx, ty, tz;
    split<true>(problem, i, velocities, simd::load(points->nx.data() + k), simd::load(points->ny.data() + k),
                simd::load(points->nz.data() + k), &vn, &tx, &ty, &tz);
    if (has_targets) subtract_slip_targets(problem, i, &tx, &ty, &tz);
    if constexpr (is_marked) {
      Pack along = simd::load(points->tx.data() + k) * tx + simd::load(points->ty.data() + k) * ty +
                   simd::load(points->tz.data() + k) * tz;
      for (int l = 0; l < 4 && !problem.friction_lengths.empty(); ++l)
        along[l] += simd::sum(simd::load(points->turn.data() + 4 * (k + l)) *
                              turning_of_law(problem, i + l, velocities));
      simd::store(points->mark.data() + k, select(along < simd::zero(), simd::broadcast(1.0), simd::zero()));
      simd::store(points->expected.data() + k,
                  simd::load(points->gn.data() + k) -
                      simd::load(points->c.data() + k) * (vn - simd::load(points->vn.data() + k)));
    }
    simd::store(points->vn.data() + k, vn);
    simd::store(points->tx.data() + k, tx);
    simd::store(points->ty.data() + k, ty);
    simd::store(points->tz.data() + k, tz);
  }
  if (problem.friction_lengths.empty()) return;
  for (int i = island.point_begin, k = 0; i < island.point_end; ++i, ++k)
    simd::store(points->turn.data() + 4 * k, turning_of_law(problem, i, velocities));
}

}  // namespace

void sweep_velocities(const ContactProblem& problem, const Island& island, const BodyVelocity* velocities,
                      PointArrays* points) {
  sweep_velocities_of<false>(problem, island, velocities, points);
}

void sweep_velocities_and_mark(const ContactProblem& problem, const Island& island,
                               const BodyVelocity* velocities, PointArrays* points) {
  sweep_velocities_of<true>(problem, island, velocities, points);
}

namespace {

// S x of a point, including mu/mu*; x in the contact plane.
Pack times_tensor(const ContactProblem& problem, int i, Pack x) {
  if (!problem.friction_tensors.empty()) x = problem.friction_tensors[i](x);
  return problem.friction_lengths.empty() ? x : x * problem.friction_lengths[i].slide;
}

// vt to S^2 vt and w to L^2 w, and |S vt|^2 + |L w|^2 into q0.
void apply_friction_tensors(const ContactProblem& problem, const Island& island, PointArrays* points) {
  for (int i = island.point_begin, k = 0; i < island.point_end; ++i, ++k) {
    const Pack once = times_tensor(problem, i, Pack{points->tx[k], points->ty[k], points->tz[k], 0.0});
    const Pack twice = times_tensor(problem, i, once);
    points->q0[k] = simd::sum(once * once);
    points->tx[k] = twice[0];
    points->ty[k] = twice[1];
    points->tz[k] = twice[2];
    if (problem.friction_lengths.empty()) continue;
    const FrictionLengths& L = problem.friction_lengths[i];
    const Pack n = simd::load(problem.frames[i].n), w = simd::load(points->turn.data() + 4 * k);
    const Pack Lw = L.once(n, w);
    points->q0[k] += simd::sum(Lw * Lw);
    simd::store(points->turn.data() + 4 * k, L.twice(n, w));
  }
}

template <bool is_anisotropic>
double sweep_law_of(const ContactProblem& problem, const Island& island, PointArrays* points) {
  return with_law(problem, *points, [&](auto law) {
    Pack cost = simd::zero();
    const LawStep step = problem.law_step();
    for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
      Pack vt2;
      if constexpr (is_anisotropic) {
        vt2 = simd::load(points->q0.data() + k);
      } else {
        const Pack tx = simd::load(points->tx.data() + k), ty = simd::load(points->ty.data() + k),
                   tz = simd::load(points->tz.data() + k);
        vt2 = tx * tx + ty * ty + tz * tz;
      }
      const LawValue<Pack> value = decltype(law)::value(numbers_at(problem, *points, i, k),
                                                        simd::load(points->vn.data() + k), vt2, step);
      cost += value.cost;
      simd::store(points->gn.data() + k, value.gn);
      simd::store(points->gt.data() + k, value.gt);
      simd::store(points->a.data() + k, value.a);
      simd::store(points->b.data() + k, value.b);
      simd::store(points->c.data() + k, value.c);
      simd::store(points->e.data() + k, value.e);
      if constexpr (!decltype(law)::kHasCost) simd::store(points->f.data() + k, value.f);
    }
    return simd::sum(cost);
  });
}

// The impulse and the slope of icf_coupled at settled points, from those of the lagged law.
void couple_settled(PointArrays* points) {
  for (std::size_t k = 0; k < points->factor.size(); ++k) {
    points->f[k] = 0.0;
    if (points->settled[k] == 0.0 || !(points->factor[k] > 0.0)) continue;
    points->f[k] = points->gt[k] * points->c[k] / points->factor[k];
    const double share = points->gn[k] / points->factor[k];
    for (AlignedVector<double>* array : {&points->gt, &points->a, &points->b}) (*array)[k] *= share;
  }
}

// Back to the lagged law.
void uncouple(int k, PointArrays* points) {
  if (points->friction != FrictionMode::mixed || points->f[k] == 0.0) return;
  points->f[k] = 0.0;
  const double share = points->factor[k] / points->gn[k];
  for (AlignedVector<double>* array : {&points->gt, &points->a, &points->b}) (*array)[k] *= share;
}

// Marked points whose friction is well below that of a small slip are given the impulse and the Hessian of no
// slip.
template <class Law>
int let_marked_stick(Law, const ContactProblem& problem, const Island& island, PointArrays* points) {
  constexpr double kSlips = 0.5;  // friction per slip, over that of a small slip, below which a point slips
  int count = 0;
  for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
    if (simd::sum(simd::load(points->mark.data() + k)) == 0.0) continue;
    const LawValue<Pack> still =
        Law::value(numbers_at(problem, *points, i, k), simd::load(points->vn.data() + k), simd::zero(),
                   problem.law_step());
    for (int l = 0; l < 4; ++l) {
      if (points->mark[k + l] == 0.0 || !(-points->gt[k + l] < -kSlips * still.gt[l])) continue;
      uncouple(k + l, points);
      points->gn[k + l] = still.gn[l];
      points->gt[k + l] = still.gt[l];
      points->a[k + l] = still.a[l];
      points->b[k + l] = 0.0;
      points->c[k + l] = still.c[l];
      points->e[k + l] = 0.0;
      if constexpr (!Law::kHasCost) points->f[k + l] = 0.0;
      ++count;
    }
  }
  return count;
}

// Points that a step has driven far deeper than it expected are given the tangent of the law at the velocity
// at which each would come to rest by itself (newton.h).
template <class Law>
int let_struck_rest(Law, const ContactProblem& problem, const Island& island, PointArrays* points) {
  constexpr double kStiff = 1.0;  // w c, stiffness over inertia: softer points are left alone
  constexpr double kFar = 2.0;    // least ratio of impulse to expected one, and of slope at vn to that at u
  constexpr int kMostIterations = 8;  // each at least halves the distance while it is large
  int count = 0;
  for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
    const Pack w = simd::load(problem.inverse_masses.data() + i), c = simd::load(points->c.data() + k);
    const Pack expected = maximum(simd::load(points->expected.data() + k), simd::zero());
    const Pack n = simd::load(points->gn.data() + k);
    const auto is_struck = (w * c > simd::broadcast(kStiff)) & (n > kFar * expected);
    if ((is_struck[0] | is_struck[1] | is_struck[2] | is_struck[3]) == 0) continue;
    // u - vn = w (n(u) - expected), from vn: since n is convex, Newton's method does not overshoot the root.
    const LawParameters<Pack> numbers = numbers_at(problem, *points, i, k);
    const Pack vn = simd::load(points->vn.data() + k);
    Pack u = vn;
    LawValue<Pack> there;
    for (int iteration = 0;; ++iteration) {
      there = Law::value(numbers, u, simd::zero(), problem.law_step());
      if (iteration == kMostIterations) break;
      u += (w * (there.gn - expected) - (u - vn)) / (1.0 + w * there.c);
    }
    for (int l = 0; l < 4; ++l) {
      if (is_struck[l] == 0 || !(c[l] > kFar * there.c[l])) continue;
      const double tangent = there.gn[l] - there.c[l] * (vn[l] - u[l]);
      uncouple(k + l, points);
      if constexpr (!Law::kHasCost) {
        // Friction by the normal impulse at rest; vn is no measure of it.
        for (AlignedVector<double>* array : {&points->gt, &points->a, &points->b})
          (*array)[k + l] *= there.gn[l] / points->gn[k + l];
        points->f[k + l] = 0.0;
      }
      points->gn[k + l] = tangent;
      points->c[k + l] = there.c[l];
      ++count;
    }
  }
  return count;
}

template <bool is_anisotropic>
void sweep_direction_of(const ContactProblem& problem, const Island& island, const BodyVelocity* direction,
                        PointArrays* points) {
  for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
    Pack dvn, dx, dy, dz;
    split<false>(problem, i, direction, simd::load(points->nx.data() + k), simd::load(points->ny.data() + k),
                 simd::load(points->nz.data() + k), &dvn, &dx, &dy, &dz);
    const Pack tx = simd::load(points->tx.data() + k), ty = simd::load(points->ty.data() + k),
               tz = simd::load(points->tz.data() + k);
    simd::store(points->dvn.data() + k, dvn);
    simd::store(points->q1.data() + k, tx * dx + ty * dy + tz * dz);
    if constexpr (is_anisotropic) {
      for (int l = 0; l < 4; ++l) {
        const Pack once = times_tensor(problem, i + l, Pack{dx[l], dy[l], dz[l], 0.0});
        points->q2[k + l] = simd::sum(once * once);
        if (problem.friction_lengths.empty()) continue;
        const Pack n = simd::load(problem.frames[i + l].n), dw = turning(problem, i + l, direction);
        const Pack Ldw = problem.friction_lengths[i + l].once(n, dw);
        points->q1[k + l] += simd::sum(simd::load(points->turn.data() + 4 * (k + l)) * dw);
        points->q2[k + l] += simd::sum(Ldw * Ldw);
      }
    } else {
      simd::store(points->q0.data() + k, tx * tx + ty * ty + tz * tz);
      simd::store(points->q2.data() + k, dx * dx + dy * dy + dz * dz);
    }
  }
}

}  // namespace

double sweep_law(const ContactProblem& problem, const Island& island, PointArrays* points) {
  double cost = 0.0;
  if (problem.friction_tensors.empty() && problem.friction_lengths.empty()) {
    cost = sweep_law_of<false>(problem, island, points);
  } else {
    apply_friction_tensors(problem, island, points);
    cost = sweep_law_of<true>(problem, island, points);
  }
  if (points->friction == FrictionMode::mixed) couple_settled(points);
  return cost;
}

double sweep_law_where_marked(const ContactProblem& problem, const Island& island, PointArrays* points,
                              int* predicted) {
  const double cost = sweep_law(problem, island, points);
  *predicted += with_law(problem, *points, [&](auto law) {
    int count = let_marked_stick(law, problem, island, points);
    if constexpr (decltype(law)::kGrowsWithSquare) {
      if (!problem.inverse_masses.empty()) count += let_struck_rest(law, problem, island, points);
    }
    return count;
  });
  return cost;
}

void sweep_direction(const ContactProblem& problem, const Island& island, const BodyVelocity* direction,
                     PointArrays* points) {
  if (problem.friction_tensors.empty() && problem.friction_lengths.empty())
    sweep_direction_of<false>(problem, island, direction, points);
  else
    sweep_direction_of<true>(problem, island, direction, points);
}

void sweep_normal_direction(const ContactProblem& problem, const Island& island,
                            const BodyVelocity* direction, PointArrays* points) {
  for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
    Pack dvn, dx, dy, dz;
    split<false>(problem, i, direction, simd::load(points->nx.data() + k), simd::load(points->ny.data() + k),
                 simd::load(points->nz.data() + k), &dvn, &dx, &dy, &dz);
    simd::store(points->dvn.data() + k, dvn);
  }
}

void set_lagged_factors(const ContactProblem& problem, const Island& island, PointArrays* points) {
  for (int i = island.point_begin, k = 0; i < island.point_end; ++i, ++k) {
    const auto p = IcfParameters<double>::from(problem.parameters_at(i));
    double n0 = p.j0;  // h fe0
    if (problem.elasticity == Elasticity::hertz) {
      n0 = p.j0 > 0.0 ? p.slope * p.j0 * std::sqrt(p.j0) : 0.0;
    } else if (is_barrier(problem.elasticity) && p.slope > 0.0) {
      // phi0, kappa and dh in place of j0, s and v_break.
      n0 = problem.h * elastic_force(problem.elasticity, p.slope, p.v_break, p.j0).force;
    }
    points->factor[k] = std::max(n0, 0.0) * std::max(1.0 - p.d * points->vn[k], 0.0);
  }
}

// The largest alpha with phi >= 0 at every point. Under the laws whose slip opens the contact (Similar),
// phi = phi0 + h z with z = vn - mu (sqrt(|vt|^2 + eps^2) - eps), which asks for more than phi0 + h vn >= 0.
// Along the direction phi/h = B + alpha dvn - mu sqrt(|vt|^2 + eps^2) is concave in alpha; B + alpha dvn is
// its linear part, and it is zero where (B + alpha dvn)^2 = mu^2 (|vt|^2 + eps^2).
double alpha_at_barrier(const ContactProblem& problem, const Island& island, const PointArrays& points) {
  double least = std::numeric_limits<double>::infinity();
  const bool slip_opens = with_law(problem, points, [](auto law) { return decltype(law)::kSlipOpens; });
  for (int i = island.point_begin, k = 0; i < island.point_end; ++i, ++k) {
    const auto p = IcfParameters<double>::from(problem.parameters_at(i));
    if (!(p.slope > 0.0)) continue;  // overlaps: no barrier
    const double mu = slip_opens ? p.friction : 0.0, rate = points.dvn[k];
    const double B = p.j0 / problem.h + points.vn[k] + mu * p.eps;
    if (mu == 0.0) {
      if (B > 0.0 && rate < 0.0) least = std::min(least, -B / rate);
      continue;
    }
    // a alpha^2 + 2 b alpha + c = 0; c > 0 where phi > 0 now.
    const double mu2 = mu * mu, a = rate * rate - mu2 * points.q2[k], b = B * rate - mu2 * points.q1[k],
                 c = B * B - mu2 * (points.q0[k] + p.eps * p.eps);
    if (!(B > 0.0 && c > 0.0)) continue;
    const double discriminant = b * b - a * c;
    if (discriminant < 0.0) continue;
    // The smallest positive root, without cancellation.
    const double root = std::sqrt(discriminant), q = -(b + std::copysign(root, b));
    for (const double alpha : {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0})
      if (alpha > 0.0) least = std::min(least, alpha);
  }
  return least;
}

LineValue sweep_line(const ContactProblem& problem, const Island& island, const PointArrays& points,
                     double alpha) {
  return with_law(problem, points, [&](auto law) {
    Pack cost = simd::zero(), slope = simd::zero(), curvature = simd::zero();
    const Pack share = simd::broadcast(alpha);
    const LawStep step = problem.law_step();
    for (int i = island.point_begin, k = 0; i < island.point_end; i += 4, k += 4) {
      const Pack q0 = simd::load(points.q0.data() + k), q1 = simd::load(points.q1.data() + k),
                 q2 = simd::load(points.q2.data() + k), dvn = simd::load(points.dvn.data() + k);
      const Pack t_dt = q1 + share * q2;
      const Pack vt2 = maximum(q0 + share * (q1 + t_dt), simd::zero());
      const LawValue<Pack> value = decltype(law)::value(
          numbers_at(problem, points, i, k), simd::load(points.vn.data() + k) + share * dvn, vt2, step);
      cost += value.cost;
      slope -= value.gn * dvn + value.gt * t_dt;
      curvature += value.a * q2 + value.b * t_dt * t_dt + value.c * dvn * dvn + 2.0 * value.e * t_dt * dvn;
    }
    return LineValue{simd::sum(cost), simd::sum(slope), simd::sum(curvature)};
  });
}

}  // namespace stiction
