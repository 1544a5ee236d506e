#include "stiction/contact/newton/point_relaxation.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/law/compliant_laws.h"

namespace stiction {

using simd::Pack;

namespace {

using Columns = double[6][8];

// Of a free body's symmetric A = [P Q'; Q R], stored as ProblemTree says, by the Schur complement of R.
void invert(const double* A, Columns& inverse) {
  Mat3 P, Q, R;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      P(r, c) = A[8 * c + r];
      Q(r, c) = A[8 * c + 4 + r];
      R(r, c) = A[8 * (3 + c) + 4 + r];
    }
  }
  const Mat3 R_inverse = R.inverse(), B = R_inverse * Q;
  const Mat3 S = (P - Q.transpose() * B).inverse(), C = -B * S, T = R_inverse - C * B.transpose();
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      inverse[c][r] = S(r, c);
      inverse[c][4 + r] = C(r, c);
      inverse[3 + c][r] = C(c, r);
      inverse[3 + c][4 + r] = T(r, c);
    }
    for (const int last : {3, 7}) inverse[c][last] = inverse[3 + c][last] = 0.0;
  }
}

// Change of velocity of a body by an impulse and its moment.
struct Response {
  Pack w, v;
};
[[gnu::always_inline]] inline Response respond(const Columns& inverse, Pack arm, Pack impulse) {
  const Pack moment = simd::cross(arm, impulse);
  Pack w1 = simd::zero(), w2 = simd::zero(), v1 = simd::zero(), v2 = simd::zero();
  for (int c = 0; c < 3; ++c) {
    w1 += simd::load(inverse[c]) * moment[c];
    v1 += simd::load(inverse[c] + 4) * moment[c];
    w2 += simd::load(inverse[3 + c]) * impulse[c];
    v2 += simd::load(inverse[3 + c] + 4) * impulse[c];
  }
  return {w1 + w2, v1 + v2};
}

// Change of the velocity of the point itself.
Pack response_at(const Columns& inverse, Pack arm, Pack impulse) {
  const Response dV = respond(inverse, arm, impulse);
  return dV.v + simd::cross(dV.w, arm);
}

// The larger eigenvalue of W in the plane across n.
double largest_across(const Pack* W, Pack n) {
  Pack t1 = std::abs(n[0]) < 0.6 ? Pack{1.0, 0.0, 0.0, 0.0} : Pack{0.0, 1.0, 0.0, 0.0};
  t1 -= n * simd::sum(n * t1);
  t1 = t1 * (1.0 / std::sqrt(simd::sum(t1 * t1)));
  const Pack t2 = simd::cross(n, t1);
  const Pack W1 = W[0] * t1[0] + W[1] * t1[1] + W[2] * t1[2], W2 = W[0] * t2[0] + W[1] * t2[1] + W[2] * t2[2];
  const double a = simd::sum(t1 * W1), b = simd::sum(t2 * W2), c = simd::sum(t1 * W2);
  return 0.5 * (a + b + std::hypot(a - b, 2.0 * c));
}

}  // namespace

bool PointRelaxation::begin(const ContactProblem& problem, const Island& island,
                            const std::vector<int>& local_tree) {
  problem_ = &problem;
  island_ = &island;
  is_backward_ = false;
  largest_ = 0.0;
  if (island.row_begin != island.row_end || is_barrier(problem.elasticity)) return false;
  if (!problem.friction_tensors.empty() || !problem.friction_lengths.empty()) return false;
  for (int i = island.tree_begin; i < island.tree_end; ++i)
    if (!problem.trees[problem.island_trees[i]].is_free_body) return false;

  bodies_.resize(static_cast<std::size_t>(island.tree_end - island.tree_begin));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const int t = problem.island_trees[island.tree_begin + static_cast<int>(i)];
    invert(problem.A_of(t), bodies_[i].inverse);
    const double* v = problem.v_free.data() + problem.trees[t].v_begin;
    simd::store(bodies_[i].V, Pack{v[0], v[1], v[2], 0.0});
    simd::store(bodies_[i].V + 4, Pack{v[3], v[4], v[5], 0.0});
  }
  points_.clear();
  for (int k = island.patch_begin; k < island.patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    const int a = patch.a == 0 ? -1 : local_tree[problem.bodies[patch.a].tree];
    const int b = local_tree[problem.bodies[patch.b].tree];
    for (int p = patch.begin; p < patch.end; ++p) add_point(p, a, b);
  }
  return true;
}

void PointRelaxation::add_point(int index, int a, int b) {
  const PointFrame& frame = problem_->frames[index];
  const Pack n = simd::load(frame.n);
  Pack W[3];
  for (int c = 0; c < 3; ++c) {
    const Pack unit = {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0, 0.0};
    W[c] = response_at(bodies_[b].inverse, simd::load(frame.r_B), unit);
    if (a >= 0) W[c] += response_at(bodies_[a].inverse, simd::load(frame.r_A), unit);
  }
  Point point;
  point.W_n = W[0] * n[0] + W[1] * n[1] + W[2] * n[2];
  point.w_n = simd::sum(n * point.W_n);
  point.W_nt = point.W_n - n * point.w_n;
  point.inverse_w_n = 1.0 / point.w_n;
  point.w_t = largest_across(W, n);
  point.gt = simd::zero();
  point.gn = point.u = point.n = 0.0;
  point.rate = 1.0;
  point.index = index;
  point.a = a;
  point.b = b;
  point.numbers = problem_->parameters_at(index);
  point.mu = point.numbers.x[kFriction];
  point.eps = point.numbers.x[kEpsilon];
  points_.push_back(point);
}

void PointRelaxation::push(const Point& point, Pack impulse) {
  const PointFrame& frame = problem_->frames[point.index];
  const auto add = [](Body& body, const double* arm, Pack on_body) {
    const Response dV = respond(body.inverse, simd::load(arm), on_body);
    simd::store(body.V, simd::load(body.V) + dV.w);
    simd::store(body.V + 4, simd::load(body.V + 4) + dV.v);
  };
  add(bodies_[point.b], frame.r_B, impulse);
  if (point.a >= 0) add(bodies_[point.a], frame.r_A, -impulse);
}

// Returns the change of energy by the change of the impulse alone.
template <class Law>
[[gnu::always_inline]] inline double PointRelaxation::visit(Law, Point* visited) {
  Point& point = *visited;
  const PointFrame& frame = problem_->frames[point.index];
  const Pack n = simd::load(frame.n);
  const Body& B = bodies_[point.b];
  Pack vc =
      simd::load(B.V + 4) + simd::cross(simd::load(B.V), simd::load(frame.r_B)) + simd::load(frame.bias);
  if (point.a >= 0) {
    const Body& A = bodies_[point.a];
    vc -= simd::load(A.V + 4) + simd::cross(simd::load(A.V), simd::load(frame.r_A));
  }
  if (!problem_->slip_targets.empty()) vc -= simd::load(problem_->slip_targets[point.index].v);
  const double vn = simd::sum(n * vc);

  // The law at u is ready from the last visit; a point that was open is looked at where it is now.
  const auto look_at = [&](double u) {
    const LawValue<double> value = Law::value(point.numbers, u, 0.0, problem_->law_step());
    point.u = u;
    point.n = value.gn;
    point.rate = 1.0 / (1.0 + point.w_n * value.c);
  };
  if (point.gn == 0.0) {
    look_at(vn);
    if (!(point.n > 0.0)) return 0.0;
  }
  const double u = point.u + point.rate * (point.w_n * (point.n - point.gn) - (point.u - vn));
  const double gn = std::max(0.0, point.gn + (u - vn) * point.inverse_w_n), dn = gn - point.gn;

  const Pack vt = vc - n * vn + point.W_nt * dn;
  const double bound = point.mu * gn;
  Pack gt = simd::zero();
  if (bound > 0.0) {
    const Pack aim = point.gt * point.w_t - vt;
    const double square = simd::sum(aim * aim), soft = point.w_t + point.eps / bound;
    const bool slides = square > bound * bound * soft * soft;
    gt = aim * (slides ? bound / std::sqrt(square) : 1.0 / soft);
  }
  const Pack dt = gt - point.gt;
  point.gn = gn;
  point.gt = gt;
  push(point, n * dn + dt);
  look_at(u);
  return point.w_n * dn * dn + point.w_t * simd::sum(dt * dt);
}

int PointRelaxation::sweep(int most, double tolerance) {
  // The normal impulse of the lagged law, which has a cost, is that of icf_coupled.
  return with_compliant_law(LawKind::icf_lagged, problem_->elasticity, [&](auto law) {
    int count = 0;
    while (count < most) {
      double change = 0.0;
      const std::size_t last = points_.size() - 1;
      for (std::size_t i = 0; i <= last; ++i) change += visit(law, &points_[is_backward_ ? last - i : i]);
      is_backward_ = !is_backward_;
      ++count;
      largest_ = std::max(largest_, change);
      if (!(change > tolerance * tolerance * largest_)) break;
    }
    return count;
  });
}

void PointRelaxation::velocities(Eigen::Map<VecX>* v) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (int j = 0; j < 6; ++j) (*v)[6 * static_cast<Eigen::Index>(i) + j] = bodies_[i].V[j < 3 ? j : j + 1];
}

void PointRelaxation::predict(PointArrays* points) const {
  constexpr double kSticks = 0.999;  // of the bound of friction
  for (AlignedVector<double>* array : {&points->mark, &points->expected, &points->factor})
    std::fill(array->begin(), array->end(), 0.0);
  for (const Point& point : points_) {
    const auto k = static_cast<std::size_t>(point.index - island_->point_begin);
    const double bound = kSticks * point.mu * point.gn;
    points->expected[k] = points->factor[k] = point.gn;
    points->mark[k] = simd::sum(point.gt * point.gt) < bound * bound ? 1.0 : 0.0;
  }
}

}  // namespace stiction
