// The Hessian of an island, assembled or as a product.
#include <cstring>

#include "stiction/contact/solver/island_system.h"
#include "stiction/math/simd.h"

namespace stiction {
namespace {

// d = O_B - O_A = r_A - r_B of any point of the patch.
void arm_of(const ContactProblem& problem, const Patch& patch, double* d) {
  const PointFrame& frame = problem.frames[patch.begin];
  for (int i = 0; i < 3; ++i) d[i] = frame.r_A[i] - frame.r_B[i];
}

}  // namespace

void IslandSystem::add_general_patch(const Patch& patch, int pair, const PatchMatrix& K, const double* d,
                                     BlockSparseMatrix* H) {
  // Every velocity that moves B against A, as a motion at O_B, and the force K makes of it.
  const ContactProblem& problem = *problem_;
  columns_.clear();
  const Vec3 arm(d[0], d[1], d[2]);
  for (const int side : {patch.b, patch.a}) {
    const ProblemBody& body = problem.bodies[side];
    if (body.tree < 0) continue;
    const bool is_a = side == patch.a;
    const int count = problem.trees[body.tree].is_free_body ? 6 : body.columns;
    for (int c = 0; c < count; ++c) {
      Column column;
      column.tree = scratch_->local_tree[body.tree];
      if (problem.trees[body.tree].is_free_body) {
        column.dof = c;
        column.motion = Vec6::Unit(c);
      } else {
        const double* S = problem.columns.data() + 8 * (body.column_begin + c);
        column.dof = problem.column_dofs[body.column_begin + c];
        for (int j = 0; j < 3; ++j) {
          column.motion[j] = S[j];
          column.motion[3 + j] = S[4 + j];
        }
      }
      if (is_a) {
        const Vec3 w = column.motion.head<3>();
        column.motion.tail<3>() += w.cross(arm);
        column.motion = -column.motion;
      }
      column.force.setZero();
      for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) column.force[i] += K.column[j][lane_of(i)] * column.motion[j];
      }
      columns_.push_back(column);
    }
  }
  for (const Column& x : columns_) {
    const BlockView diagonal = H->diagonal_block(x.tree);
    for (const Column& y : columns_) {
      if (y.tree == x.tree) {
        // Both (x, y) and (y, x) come by; the lower triangle takes each once.
        if (x.dof >= y.dof) diagonal(x.dof, y.dof) += x.motion.dot(y.force);
        continue;
      }
      if (pair < 0 || x.tree != pairs_[pair].row) continue;
      const BlockView block = H->pair_block(pair);
      const double entry = x.motion.dot(y.force);
      if (block.transposed)
        block(y.dof, x.dof) += entry;
      else
        block(x.dof, y.dof) += entry;
    }
  }
}

void IslandSystem::set_to_A(BlockSparseMatrix* H) const {
  H->set_zero();
  for (int i = island_->tree_begin; i < island_->tree_end; ++i) {
    const int t = problem_->island_trees[i], n = problem_->trees[t].num_v;
    const BlockView block = H->diagonal_block(i - island_->tree_begin);
    const double* A = problem_->A_of(t);
    if (problem_->trees[t].is_free_body) {
      std::memcpy(block.columns, A, 48 * sizeof(double));
    } else {
      for (int c = 0; c < n; ++c) {
        for (int r = c; r < n; ++r) block(r, c) = A[c * n + r];
      }
    }
    if (inertia_factor == 1.0) continue;
    for (int c = 0; c < n; ++c) {
      for (int r = c; r < n; ++r) block(r, c) *= inertia_factor;
    }
  }
}

// pair < 0: only what falls on the diagonal.
void IslandSystem::add_patch(const Patch& patch, int pair, const PatchMatrix& K, BlockSparseMatrix* H) {
  const ContactProblem& problem = *problem_;
  const int a = problem.bodies[patch.a].tree, b = problem.bodies[patch.b].tree;
  double d[3];
  arm_of(problem, patch, d);
  const bool all_free = (a < 0 || problem.trees[a].is_free_body) && problem.trees[b].is_free_body;
  if (!all_free) {
    add_general_patch(patch, pair, K, d, H);
    return;
  }
  add_to(K, 1.0, H->diagonal_block(scratch_->local_tree[b]).columns);
  if (a < 0) return;
  const PatchMatrix K_Phi = shifted_right(K, d);
  add_to(shifted_left(K_Phi, d), 1.0, H->diagonal_block(scratch_->local_tree[a]).columns);
  if (pair < 0) return;
  // pair_block is H(b, a), or its transpose.
  const BlockView block = H->pair_block(pair);
  add_to(block.transposed ? shifted_left(K, d) : K_Phi, -1.0, block.columns);
}

void IslandSystem::assemble(BlockSparseMatrix* H) {
  H->set_pattern(sizes_, pairs_);
  set_to_A(H);
  for (int k = 0; k < num_patches(); ++k) {
    const Patch& patch = problem_->patches[island_->patch_begin + k];
    add_patch(patch, pair_of_patch_[k], patch_matrix(*problem_, patch, points, island_->point_begin), H);
  }
}

void IslandSystem::assemble_diagonal(BlockSparseMatrix* D) {
  D->set_pattern(sizes_, {});
  set_to_A(D);
  patch_matrices_.resize(static_cast<std::size_t>(num_patches()));
  for (int k = 0; k < num_patches(); ++k) {
    const Patch& patch = problem_->patches[island_->patch_begin + k];
    patch_matrices_[k] = patch_matrix(*problem_, patch, points, island_->point_begin);
    add_patch(patch, -1, patch_matrices_[k], D);
  }
}

void IslandSystem::multiply_H(const Vector& x, Vector* y) {
  const ContactProblem& problem = *problem_;
  BodyVelocity* const V = scratch_->direction.data();
  find_body_velocities(x, V);
  clear_wrenches();
  for (int k = island_->patch_begin; k < island_->patch_end; ++k) {
    const Patch& patch = problem.patches[k];
    // The motion of B relative to A at O_B; body 0 does not move.
    simd::Pack w = simd::load(V[patch.b].w), u = simd::load(V[patch.b].v);
    if (patch.a != 0) {
      const PointFrame& frame = problem.frames[patch.begin];
      const simd::Pack d = simd::load(frame.r_A) - simd::load(frame.r_B), w_A = simd::load(V[patch.a].w);
      w -= w_A;
      u -= simd::load(V[patch.a].v) + simd::cross(w_A, d);
    }
    const PatchMatrix& K = patch_matrices_[k - island_->patch_begin];
    simd::Pack moment = simd::zero(), force = simd::zero();
    for (int j = 0; j < 3; ++j) {
      moment += simd::load(K.column[j]) * w[j] + simd::load(K.column[3 + j]) * u[j];
      force += simd::load(K.column[j] + 4) * w[j] + simd::load(K.column[3 + j] + 4) * u[j];
    }
    add_patch_wrench(patch, moment, force);
  }
  multiply_A(x, y);
  project_wrenches(y);
}

}  // namespace stiction
