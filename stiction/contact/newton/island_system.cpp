#include "stiction/contact/newton/island_system.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "stiction/contact/law/compliant_laws.h"
#include "stiction/math/simd.h"

namespace stiction {

void IslandScratch::resize(const ContactProblem& problem) {
  velocity.resize(problem.bodies.size());
  direction.resize(problem.bodies.size());
  wrench.resize(problem.bodies.size());
  stiffness.resize(problem.bodies.size());
  linear_stiffness.resize(problem.bodies.size());
  if (!problem.bodies.empty()) {
    std::memset(&velocity[0], 0, sizeof(BodyVelocity));
    std::memset(&direction[0], 0, sizeof(BodyVelocity));
  }
  local_tree.resize(problem.trees.size());
  columns.resize(problem.bodies.size());
}

void IslandSystem::begin(const ContactProblem& problem, const Island& island, IslandScratch* scratch) {
  problem_ = &problem;
  island_ = &island;
  scratch_ = scratch;
  inertia_factor = 1.0;
  has_columns_ = false;
  has_pattern_ = false;
  has_swept_pattern_ = false;
  has_A_v_free_ = false;
  forget_reversals();
  points.resize(island.point_end - island.point_begin, !problem.friction_lengths.empty(),
                !has_cost(problem.law));
  set_normals(problem, island, &points);
  has_branches_ = false;
  sizes_.clear();
  offset_.clear();
  int n = 0;
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const int t = problem.island_trees[i];
    scratch->local_tree[t] = i - island.tree_begin;
    sizes_.push_back(problem.trees[t].num_v);
    has_branches_ = has_branches_ || problem.trees[t].branch_begin < problem.trees[t].branch_end;
    offset_.push_back(n);
    n += problem.trees[t].num_v;
  }
  blocks_.clear();
  rows.begin(problem, island, scratch->local_tree, offset_);
  Vector* const vectors[] = {&v,     &v_free,  &momentum, &contact, &gradient, &dv,       &A_dv,
                             &scale, &work[0], &work[1],  &work[2], &work[3],  &A_v_free_};
  const int stride = (n + 3) / 4 * 4;
  numbers_.resize(std::size(vectors) * static_cast<std::size_t>(stride));
  // Placement new is Eigen's way to change what a Map refers to.
  for (std::size_t i = 0; i < std::size(vectors); ++i)
    new (vectors[i]) Vector(numbers_.data() + i * static_cast<std::size_t>(stride), n);
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const int t = problem.island_trees[i], at = offset_[i - island.tree_begin];
    const ProblemTree& tree = problem.trees[t];
    v_free.segment(at, tree.num_v) = problem.v_free.segment(tree.v_begin, tree.num_v);
    const double* A = problem.A_of(t);
    for (int d = 0; d < tree.num_v; ++d) {
      const double diagonal = tree.is_free_body ? A[8 * d + lane_of(d)] : A[d * tree.num_v + d];
      scale[at + d] = 1.0 / std::sqrt(diagonal);
    }
  }
  set_v(problem.v_start);
}

void IslandSystem::set_v(const VecX& all) {
  for (int i = island_->tree_begin; i < island_->tree_end; ++i) {
    const ProblemTree& tree = problem_->trees[problem_->island_trees[i]];
    v.segment(offset_[i - island_->tree_begin], tree.num_v) = all.segment(tree.v_begin, tree.num_v);
  }
}

void IslandSystem::find_body_velocities(const Vector& from, BodyVelocity* to) const {
  const ContactProblem& problem = *problem_;
  for (int i = island_->body_begin; i < island_->body_end; ++i) {
    const int index = problem.island_bodies[i];
    const ProblemBody& body = problem.bodies[index];
    const double* x = from.data() + offset_[scratch_->local_tree[body.tree]];
    BodyVelocity& V = to[index];
    if (problem.trees[body.tree].is_free_body) {
      simd::store(V.w, simd::Pack{x[0], x[1], x[2], 0.0});
      simd::store(V.v, simd::Pack{x[3], x[4], x[5], 0.0});
      continue;
    }
    simd::Pack w = simd::zero(), linear = simd::zero();
    if (body.parent > 0) {
      w = simd::load(to[body.parent].w);
      linear = simd::load(to[body.parent].v);
    }
    for (int c = body.column_begin; c < problem.own_columns_end(body); ++c) {
      const double rate = x[problem.column_dofs[c]];
      w += simd::load(problem.columns.data() + 8 * c) * rate;
      linear += simd::load(problem.columns.data() + 8 * c + 4) * rate;
    }
    simd::store(V.w, w);
    simd::store(V.v, linear);
  }
}

void IslandSystem::clear_wrenches() {
  for (int i = island_->body_begin; i < island_->body_end; ++i)
    std::memset(&scratch_->wrench[problem_->island_bodies[i]], 0, sizeof(BodyVelocity));
}

// moment and force: on B about its point O; A gets the opposite wrench, about its own point O.
void IslandSystem::add_patch_wrench(const Patch& patch, const simd::Pack& moment, const simd::Pack& force) {
  BodyVelocity& on_b = scratch_->wrench[patch.b];
  simd::store(on_b.w, simd::load(on_b.w) + moment);
  simd::store(on_b.v, simd::load(on_b.v) + force);
  if (patch.a == 0) return;
  const PointFrame& frame = problem_->frames[patch.begin];
  const simd::Pack d = simd::load(frame.r_A) - simd::load(frame.r_B);
  BodyVelocity& on_a = scratch_->wrench[patch.a];
  simd::store(on_a.w, simd::load(on_a.w) - moment - simd::cross(d, force));
  simd::store(on_a.v, simd::load(on_a.v) - force);
}

void IslandSystem::project_wrenches(Vector* out) const {
  const ContactProblem& problem = *problem_;
  // From the bodies to their ancestors.
  for (int i = island_->body_end - 1; i >= island_->body_begin; --i) {
    const int index = problem.island_bodies[i];
    const ProblemBody& body = problem.bodies[index];
    const BodyVelocity& F = scratch_->wrench[index];
    double* to = out->data() + offset_[scratch_->local_tree[body.tree]];
    if (problem.trees[body.tree].is_free_body) {
      for (int j = 0; j < 3; ++j) {
        to[j] += F.w[j];
        to[3 + j] += F.v[j];
      }
      continue;
    }
    for (int c = body.column_begin; c < problem.own_columns_end(body); ++c) {
      const double* S = problem.columns.data() + 8 * c;
      to[problem.column_dofs[c]] +=
          simd::sum(simd::load(S) * simd::load(F.w) + simd::load(S + 4) * simd::load(F.v));
    }
    if (body.parent == 0) continue;
    BodyVelocity& F_parent = scratch_->wrench[body.parent];
    simd::store(F_parent.w, simd::load(F_parent.w) + simd::load(F.w));
    simd::store(F_parent.v, simd::load(F_parent.v) + simd::load(F.v));
  }
}

void IslandSystem::multiply_A(const Vector& x, Vector* y) const {
  for (int i = island_->tree_begin; i < island_->tree_end; ++i) {
    const int at = offset_[i - island_->tree_begin];
    stiction::multiply_A(*problem_, problem_->island_trees[i], x.data() + at, y->data() + at);
  }
  if (inertia_factor != 1.0) *y *= inertia_factor;
}

double IslandSystem::momentum_size() {
  if (!has_A_v_free_) {
    multiply_A(v_free, &A_v_free_);
    A_v_free_ /= inertia_factor;
    has_A_v_free_ = true;
  }
  return (momentum + inertia_factor * A_v_free_).cwiseProduct(scale).norm();
}

double IslandSystem::evaluate() {
  const ContactProblem& problem = *problem_;
  find_body_velocities(v, scratch_->velocity.data());
  if (has_reversals_ && !has_marks_)
    sweep_velocities_and_mark(problem, *island_, scratch_->velocity.data(), &points);
  else
    sweep_velocities(problem, *island_, scratch_->velocity.data(), &points);
  double contact_cost = 0.0;
  predicted_ = 0;
  if (has_reversals_)
    contact_cost = sweep_law_where_marked(problem, *island_, &points, &predicted_);
  else
    contact_cost = sweep_law(problem, *island_, &points);

  clear_wrenches();
  for (int k = island_->patch_begin; k < island_->patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    simd::Pack force = simd::zero(), moment = simd::zero();
    for (int p = patch.begin; p < patch.end; ++p) {
      const int i = p - island_->point_begin;
      const PointFrame& frame = problem.frames[p];
      const simd::Pack t = {points.tx[i], points.ty[i], points.tz[i], 0.0};
      const simd::Pack gamma = simd::load(frame.n) * points.gn[i] + t * points.gt[i];
      force += gamma;
      moment += simd::cross(simd::load(frame.r_B), gamma);
      if (!problem.friction_lengths.empty()) moment += simd::load(points.turn.data() + 4 * i) * points.gt[i];
    }
    add_patch_wrench(patch, moment, force);
  }
  contact.setZero();
  project_wrenches(&contact);
  const double row_cost = rows.evaluate(v.data(), has_reversals_ && !has_marks_ ? &predicted_ : nullptr);
  rows.add_impulses(contact.data());

  Vector& change = work[0];
  change = v - v_free;
  multiply_A(change, &momentum);
  gradient = momentum - contact;
  forget_reversals();
  cost_ = 0.5 * change.dot(momentum) + contact_cost + row_cost;
  return cost_;
}

void IslandSystem::multiply_coupling(const Vector& x, Vector* y) {
  const ContactProblem& problem = *problem_;
  find_body_velocities(x, scratch_->direction.data());
  sweep_normal_direction(problem, *island_, scratch_->direction.data(), &points);
  clear_wrenches();
  for (int k = island_->patch_begin; k < island_->patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    simd::Pack force = simd::zero(), moment = simd::zero();
    for (int p = patch.begin; p < patch.end; ++p) {
      const int i = p - island_->point_begin;
      const double factor = points.f[i] * points.dvn[i];
      const simd::Pack friction = simd::Pack{points.tx[i], points.ty[i], points.tz[i], 0.0} * factor;
      force += friction;
      moment += simd::cross(simd::load(problem.frames[p].r_B), friction);
      if (!problem.friction_lengths.empty()) moment += simd::load(points.turn.data() + 4 * i) * factor;
    }
    add_patch_wrench(patch, moment, force);
  }
  y->setZero();
  project_wrenches(y);
}

void IslandSystem::set_normal_direction() {
  find_body_velocities(dv, scratch_->direction.data());
  sweep_normal_direction(*problem_, *island_, scratch_->direction.data(), &points);
}

void IslandSystem::mark_reversals(double alpha) {
  rows.set_direction(dv.data());
  rows.mark_reversals(alpha);
  has_reversals_ = true;
}

void IslandSystem::use_marks() { has_reversals_ = has_marks_ = true; }

void IslandSystem::forget_reversals() { has_reversals_ = has_marks_ = false; }

double IslandSystem::round_off() {
  constexpr double kEpsilon = 2.2e-16, kOperations = 16.0;  // additions in a row
  const ContactProblem& problem = *problem_;
  const auto norm = [](const double* x) { return std::hypot(x[0], x[1], x[2]); };
  // Magnitudes in place of wrenches: forces in v[0], moments in w[0].
  clear_wrenches();
  for (int k = island_->patch_begin; k < island_->patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    for (int p = patch.begin; p < patch.end; ++p) {
      const int i = p - island_->point_begin;
      const PointFrame& frame = problem.frames[p];
      double speed = norm(frame.bias);
      for (const auto& [body, arm] : {std::pair(patch.a, frame.r_A), std::pair(patch.b, frame.r_B)})
        speed += norm(scratch_->velocity[body].v) + norm(scratch_->velocity[body].w) * norm(arm);
      const double t = std::hypot(points.tx[i], points.ty[i], points.tz[i]);
      double stiffness = 2.0 * points.a[i] + points.b[i] * t * t + points.c[i];
      if (is_coupled()) stiffness += std::abs(points.f[i]) * t;
      double force = std::abs(points.gn[i]) + std::abs(points.gt[i]) * t + stiffness * speed, moment = 0.0;
      if (!problem.friction_lengths.empty()) {
        const FrictionLengths& L = problem.friction_lengths[p];
        const double turning =
            norm(L.bias) + norm(scratch_->velocity[patch.a].w) + norm(scratch_->velocity[patch.b].w);
        const double M = norm(points.turn.data() + 4 * i), length = std::max(L.torsion, L.roll);
        const double coupling = (std::abs(points.b[i]) * t + std::abs(points.e[i])) * M;
        moment = std::abs(points.gt[i]) * M + coupling * speed +
                 (2.0 * points.a[i] * length * length + std::abs(points.b[i]) * M * M) * turning;
        force += coupling * turning;
      }
      for (const auto& [body, arm] : {std::pair(patch.a, frame.r_A), std::pair(patch.b, frame.r_B)}) {
        if (body == 0) continue;
        scratch_->wrench[body].v[0] += force;
        scratch_->wrench[body].w[0] += norm(arm) * force + moment;
      }
    }
  }
  Vector& error = work[0];
  error.setZero();
  for (int i = island_->body_begin; i < island_->body_end; ++i) {
    const int index = problem.island_bodies[i];
    const ProblemBody& body = problem.bodies[index];
    const double force = scratch_->wrench[index].v[0], moment = scratch_->wrench[index].w[0];
    double* to = error.data() + offset_[scratch_->local_tree[body.tree]];
    if (problem.trees[body.tree].is_free_body) {
      for (int j = 0; j < 6; ++j) to[j] += j < 3 ? moment : force;
      continue;
    }
    for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
      const double* S = problem.columns.data() + 8 * c;
      to[problem.column_dofs[c]] += norm(S) * moment + norm(S + 4) * force;
    }
  }
  rows.add_magnitudes(v.data(), error.data());
  return kOperations * kEpsilon * error.cwiseProduct(scale).norm();
}

void IslandSystem::set_direction() {
  multiply_A(dv, &A_dv);
  find_body_velocities(dv, scratch_->direction.data());
  sweep_direction(*problem_, *island_, scratch_->direction.data(), &points);
  rows.set_direction(dv.data());
}

double IslandSystem::longest_step() const {
  constexpr double kShare = 0.95;  // of the way to the barrier
  if (!has_barrier()) return std::numeric_limits<double>::infinity();
  return kShare * alpha_at_barrier(*problem_, *island_, points);
}

void IslandSystem::make_start_feasible() {
  if (!has_barrier()) return;
  // From rest, where every point keeps its distance unless something moves it from outside.
  dv = v;
  v.setZero();
  evaluate();
  set_direction();
  v = std::min(1.0, longest_step()) * dv;
}

LineValue IslandSystem::line(double alpha) const {
  LineValue value = sweep_line(*problem_, *island_, points, alpha);
  const LineValue of_rows = rows.line(alpha);
  value.cost += of_rows.cost;
  value.slope += of_rows.slope;
  value.curvature += of_rows.curvature;
  return value;
}

}  // namespace stiction
