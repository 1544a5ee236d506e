// The Hessian of an island, assembled or as a product. Longer than other files: assembly and
// product share the kernels of free bodies, robots and particles.
#include <algorithm>
#include <cstring>

#include "stiction/contact/newton/island_system.h"
#include "stiction/math/simd.h"

namespace stiction {
namespace {

// d = O_B - O_A = r_A - r_B of any point of the patch.
void arm_of(const ContactProblem& problem, const Patch& patch, double* d) {
  const PointFrame& frame = problem.frames[patch.begin];
  for (int i = 0; i < 3; ++i) d[i] = frame.r_A[i] - frame.r_B[i];
}

// Whether impulse and Hessian are zero at all points of the patch. first: the island's first point.
bool is_open(const Patch& patch, const PointArrays& points, int first) {
  for (int i = patch.begin - first; i < patch.end - first; ++i) {
    if (points.a[i] != 0.0 || points.b[i] != 0.0 || points.c[i] != 0.0 || points.e[i] != 0.0) return false;
  }
  return true;
}

bool is_zero(const PatchMatrix& K) {
  const double* numbers = K.column[0];
  return std::all_of(numbers, numbers + 48, [](double x) { return x == 0.0; });
}

}  // namespace

// H := A: of free bodies in H itself, of robots in their dense blocks.
void IslandSystem::set_to_A(BlockSparseMatrix* H) {
  H->set_zero_beside_diagonal();
  std::size_t storage = 0;
  for (int i = island_->tree_begin; i < island_->tree_end; ++i) {
    const ProblemTree& tree = problem_->trees[problem_->island_trees[i]];
    if (!tree.is_free_body) storage += dense_size(tree.num_v);
  }
  dense_.resize(storage);
  tree_matrices_.clear();
  double* dense = dense_.data();
  for (int i = island_->tree_begin; i < island_->tree_end; ++i) {
    const int t = problem_->island_trees[i], n = problem_->trees[t].num_v;
    const double* A = problem_->A_of(t);
    const bool is_free = problem_->trees[t].is_free_body;
    tree_matrices_.push_back({is_free ? nullptr : dense, n});
    if (is_free) {
      double* to = H->diagonal_block(blocks_.begin_of_tree(i - island_->tree_begin)).columns->lane;
      for (int k = 0; k < 48; ++k) to[k] = inertia_factor * A[k];
    } else {
      for (int k = 0; k < n * n; ++k) dense[k] = inertia_factor * A[k];
      dense += dense_size(n);
    }
  }
}

// Copies the completed dense blocks of robots into H.
void IslandSystem::write_dense(BlockSparseMatrix* H) {
  for (int i = island_->tree_begin; i < island_->tree_end; ++i) {
    const ProblemTree& tree = problem_->trees[problem_->island_trees[i]];
    if (tree.is_free_body) continue;
    const int local = i - island_->tree_begin, n = tree.num_v;
    for (int block = blocks_.begin_of_tree(local); block < blocks_.end_of_tree(local); ++block) {
      const int first = blocks_.first_of(block) - offset_[local];
      const double* from = tree_matrices_[local].numbers + first * (n + 1);
      H->diagonal_block(block).write_lower_triangle(from, blocks_.sizes()[block], n);
    }
  }
  for (const IslandBlocks::InnerPair& pair : blocks_.inner_pairs()) {
    const int local = pair.tree, n = sizes_[local];
    const int row = blocks_.first_of(pair.row) - offset_[local],
              col = blocks_.first_of(pair.col) - offset_[local];
    H->pair_block(pair.pair).write(tree_matrices_[local].numbers + col * n + row, n);
  }
}

void IslandSystem::use_blocks(IslandBlocks::Kind kind) {
  // For a small robot finding the branches costs more than it saves: Talos, with 44 velocities, takes the
  // same time either way.
  constexpr int kMany = 48;
  if (!has_branches_ || (sizes_.size() == 1 && sizes_.front() < kMany)) kind = IslandBlocks::Kind::trees;
  if (blocks_.kind() == kind) return;
  blocks_.set(*problem_, *island_, scratch_->local_tree, offset_, kind);
  rows.set_blocks(&blocks_);
}

void IslandSystem::forecast(FactorForecast* forecast) {
  use_blocks(IslandBlocks::Kind::branches);
  forecast->compute(blocks_.sizes(), blocks_.pairs());
}

void IslandSystem::gather_columns() {
  if (has_columns_) return;
  has_columns_ = true;
  const ContactProblem& problem = *problem_;
  std::size_t numbers = 0;
  for (int i = island_->body_begin; i < island_->body_end; ++i)
    numbers += static_cast<std::size_t>(6 * simd::padded(problem.bodies[problem.island_bodies[i]].columns));
  motions_.resize(numbers + simd::kLanes);  // four columns are read at a time, from any column on
  column_dofs_.clear();
  double* motions = motions_.data();
  for (int i = island_->body_begin; i < island_->body_end; ++i) {
    const int index = problem.island_bodies[i];
    const ProblemBody& body = problem.bodies[index];
    if (problem.trees[body.tree].is_free_body) continue;
    const int stride = simd::padded(body.columns), n = problem.trees[body.tree].num_v;
    const int* dofs = problem.column_dofs.data() + body.column_begin;
    // Columns sorted by velocity; columns of the same velocity are summed.
    places_.assign(static_cast<std::size_t>(n), -1);
    for (int c = 0; c < body.columns; ++c) places_[dofs[c]] = 0;
    const int first = static_cast<int>(column_dofs_.size());
    int count = 0;
    for (int dof = 0; dof < n; ++dof) {
      if (places_[dof] < 0) continue;
      places_[dof] = count++;
      column_dofs_.push_back(dof);
    }
    std::fill_n(motions, 6 * stride, 0.0);
    for (int c = 0; c < body.columns; ++c) {
      const double* S = problem.columns.data() + 8 * (body.column_begin + c);
      for (int j = 0; j < 6; ++j) motions[j * stride + places_[dofs[c]]] += S[lane_of(j)];
    }
    const bool only_translates =
        std::all_of(motions, motions + 3 * stride, [](double x) { return x == 0.0; });
    // The parent's columns come first, unless some velocity had several columns.
    int parent = body.parent;
    const IslandScratch::ColumnsPlace& before = scratch_->columns[parent];
    const bool begins =
        parent > 0 && count == body.columns && before.count == problem.bodies[parent].columns &&
        std::equal(column_dofs_.begin() + before.dofs, column_dofs_.begin() + before.dofs + before.count,
                   column_dofs_.begin() + first);
    if (!begins) parent = 0;
    scratch_->columns[index] = {static_cast<int>(motions - motions_.data()), first, count, parent,
                                only_translates};
    motions += 6 * stride;
  }
}

// A free body's Jacobian is 1.
IslandSystem::BodyColumns IslandSystem::columns_of(int index) const {
  constexpr int kStride = 8;
  static constexpr int kDofs[] = {0, 1, 2, 3, 4, 5};
  alignas(32) static constexpr double kOne[6 * kStride] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
                                                           0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
                                                           0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
  const ProblemBody& body = problem_->bodies[index];
  if (problem_->trees[body.tree].is_free_body) return {kOne, kDofs, 6, kStride};
  const IslandScratch::ColumnsPlace& place = scratch_->columns[index];
  return {motions_.data() + place.motions, column_dofs_.data() + place.dofs, place.count,
          simd::padded(body.columns)};
}

namespace {

// force := K times column c of J.
void force_of(const PatchMatrix& K, const double* motions, int stride, int c, double* force) {
  simd::Pack moment = simd::zero(), linear = simd::zero();
  for (int j = 0; j < 6; ++j) {
    moment += simd::load(K.column[j]) * motions[j * stride + c];
    linear += simd::load(K.column[j] + 4) * motions[j * stride + c];
  }
  for (int j = 0; j < 3; ++j) {
    force[j] = moment[j];
    force[3 + j] = linear[j];
  }
}

// J' force for four columns from c.
simd::Pack projected(const double* motions, int stride, int c, const double* force) {
  simd::Pack sum = simd::load_unaligned(motions + c) * force[0];
  for (int j = 1; j < 6; ++j) sum += simd::load_unaligned(motions + j * stride + c) * force[j];
  return sum;
}

}  // namespace

// Adds J' K J of one body of a robot, except for pairs of columns that are both among the first `done`.
void IslandSystem::add_body_stiffness(int index, const PatchMatrix& K, int done) {
  const int tree = problem_->bodies[index].tree, n = problem_->trees[tree].num_v;
  const BodyColumns J = columns_of(index);
  double* dense = tree_matrices_[scratch_->local_tree[tree]].numbers;
  for (int x = done; x < J.count; ++x) {
    double force[6];
    force_of(K, J.motions, J.stride, x, force);
    // With the first columns: in the row of x.
    double* row = dense + J.dofs[x];
    for (int y = 0; y < done; y += 4) {
      const simd::Pack values = projected(J.motions, J.stride, y, force);
      for (int k = 0; k < 4 && y + k < done; ++k) row[J.dofs[y + k] * n] += values[k];
    }
    // With the others: in the column of x; entries above the diagonal are not read.
    double* column = dense + J.dofs[x] * n;
    for (int y = x / 4 * 4; y < J.count; y += 4) {
      const simd::Pack values = projected(J.motions, J.stride, y, force);
      if (y + 3 < J.count && J.dofs[y + 3] == J.dofs[y] + 3) {
        double* to = column + J.dofs[y];
        simd::store_unaligned(to, simd::load_unaligned(to) + values);
        continue;
      }
      for (int k = 0; k < 4 && y + k < J.count; ++k) column[J.dofs[y + k]] += values[k];
    }
  }
}

namespace {

LinearPatchMatrix linear_part(const PatchMatrix& K) {
  LinearPatchMatrix part;
  for (int c = 0; c < 3; ++c) simd::store(part.column[c], simd::load(K.column[3 + c] + 4));
  return part;
}

// K times the linear part of column c of J.
simd::Pack linear_force_of(const LinearPatchMatrix& K, const double* linear, int stride, int c) {
  return simd::load(K.column[0]) * linear[c] + simd::load(K.column[1]) * linear[stride + c] +
         simd::load(K.column[2]) * linear[2 * stride + c];
}

// J' force for four columns from c.
simd::Pack linear_projected(const double* linear, int stride, int c, const simd::Pack& force) {
  return simd::load(linear + c) * force[0] + simd::load(linear + stride + c) * force[1] +
         simd::load(linear + 2 * stride + c) * force[2];
}

}  // namespace

// to += sign J' K J_beside, both of bodies with at most three velocities that only translate.
void IslandSystem::add_projected(const LinearPatchMatrix& K, const BodyColumns& J,
                                 const BodyColumns& J_beside, double sign, SweptSystem::Block* to) {
  for (int x = 0; x < J_beside.count; ++x) {
    const simd::Pack force =
        sign * linear_force_of(K, J_beside.motions + 3 * J_beside.stride, J_beside.stride, x);
    const simd::Pack values = linear_projected(J.motions + 3 * J.stride, J.stride, 0, force);
    double* column = to->column[J_beside.dofs[x]];
    if (J.count == SweptSystem::kMostRows) {
      simd::store(column, simd::load(column) + values);
    } else {
      for (int y = 0; y < J.count; ++y) column[J.dofs[y]] += values[y];
    }
  }
}

bool IslandSystem::only_translates(int index) const {
  const int tree = problem_->bodies[index].tree;
  return !problem_->trees[tree].is_free_body && scratch_->columns[index].only_translates &&
         blocks_.is_one_block(scratch_->local_tree[tree]);
}

// add_body_stiffness for a body that only translates: of K only the last three rows and columns count.
void IslandSystem::add_linear_stiffness(int index, const PatchMatrix& K) {
  const int tree = problem_->bodies[index].tree, n = problem_->trees[tree].num_v;
  const BodyColumns J = columns_of(index);
  const double* linear = J.motions + 3 * J.stride;
  const LinearPatchMatrix block = linear_part(K);
  double* dense = tree_matrices_[scratch_->local_tree[tree]].numbers;
  for (int x = 0; x < J.count; ++x) {
    const simd::Pack force = linear_force_of(block, linear, J.stride, x);
    for (int y = x / 4 * 4; y < J.count; y += 4) {
      const simd::Pack values = linear_projected(linear, J.stride, y, force);
      for (int k = 0; k < 4 && y + k < J.count; ++k) dense[J.dofs[x] * n + J.dofs[y + k]] += values[k];
    }
  }
}

// The diagonal part of a patch, where neither body rotates.
void IslandSystem::sum_linear_stiffness(const Patch& patch, const LinearPatchMatrix& K) {
  for (const int body : {patch.b, patch.a}) {
    if (body == 0) continue;
    for (int c = 0; c < 3; ++c) {
      double* to = scratch_->stiffness[body].column[3 + c] + 4;
      simd::store(to, simd::load(to) + simd::load(K.column[c]));
    }
  }
}

// add_patch where neither body rotates and they are of different trees.
void IslandSystem::add_linear_patch(const Patch& patch, const int* pairs, const LinearPatchMatrix& K,
                                    BlockSparseMatrix* H) {
  sum_linear_stiffness(patch, K);
  if (!pairs) return;
  // -J_b' K J_a, or its transpose.
  const BlockView block = H->pair_block(*pairs);
  const BodyColumns below = columns_of(block.transposed ? patch.a : patch.b),
                    beside = columns_of(block.transposed ? patch.b : patch.a);
  block.set_places(&places_);
  for (int x = 0; x < beside.count; ++x) {
    const simd::Pack force = linear_force_of(K, beside.motions + 3 * beside.stride, beside.stride, x);
    for (int y = 0; y < below.count; y += 4) {
      const simd::Pack values = linear_projected(below.motions + 3 * below.stride, below.stride, y, force);
      for (int k = 0; k < 4 && y + k < below.count; ++k)
        block.entry(places_[below.dofs[y + k]], beside.dofs[x]) -= values[k];
    }
  }
}

namespace {

// K' times column c of J.
void transposed_force_of(const PatchMatrix& K, const double* motions, int stride, int c, double* force) {
  const simd::Pack moment = {motions[c], motions[stride + c], motions[2 * stride + c], 0.0};
  const simd::Pack linear = {motions[3 * stride + c], motions[4 * stride + c], motions[5 * stride + c], 0.0};
  for (int j = 0; j < 6; ++j)
    force[j] = simd::sum(simd::load(K.column[j]) * moment + simd::load(K.column[j] + 4) * linear);
}

}  // namespace

// The columns of a body by branch, from the deepest branch to the root.
void IslandSystem::find_branch_columns(int body, const BodyColumns& J,
                                       std::vector<BranchColumns>* branches) const {
  branches->clear();
  const int offset = offset_[scratch_->local_tree[problem_->bodies[body].tree]];
  int end = J.count;
  for (int block = blocks_.deepest_of(body); block >= 0; block = blocks_.parent_of(block)) {
    const int first = blocks_.first_of(block) - offset;
    int begin = end;
    while (begin > 0 && J.dofs[begin - 1] >= first) --begin;
    branches->push_back({first, begin, end});
    end = begin;
  }
}

// Adds -J_b' K_Phi J_a, or its transpose, to the blocks of the pairs.
void IslandSystem::add_cross(const Patch& patch, const int* pairs, const PatchMatrix& K_Phi,
                             BlockSparseMatrix* H) {
  const BodyColumns J_a = columns_of(patch.a), J_b = columns_of(patch.b);
  find_branch_columns(patch.a, J_a, &branches_a_);
  find_branch_columns(patch.b, J_b, &branches_b_);
  bool has_forces_a = false, has_forces_b = false;
  for (const BranchColumns& b : branches_b_) {
    for (const BranchColumns& a : branches_a_) {
      const BlockView block = H->pair_block(*pairs++);
      const bool is_a_below = block.transposed;
      const BodyColumns &J_below = is_a_below ? J_a : J_b, &J_beside = is_a_below ? J_b : J_a;
      const BranchColumns &below = is_a_below ? a : b, &beside = is_a_below ? b : a;
      std::vector<double>& forces = is_a_below ? forces_b_ : forces_a_;
      bool& has_forces = is_a_below ? has_forces_b : has_forces_a;
      if (!has_forces) {
        forces.resize(6 * static_cast<std::size_t>(J_beside.count));
        for (int x = 0; x < J_beside.count; ++x) {
          if (is_a_below)
            transposed_force_of(K_Phi, J_beside.motions, J_beside.stride, x, forces.data() + 6 * x);
          else
            force_of(K_Phi, J_beside.motions, J_beside.stride, x, forces.data() + 6 * x);
        }
        has_forces = true;
      }
      block.set_places(&places_);
      for (int x = beside.begin; x < beside.end; ++x) {
        double* column = &block.entry(0, J_beside.dofs[x] - beside.first);
        for (int y = below.begin; y < below.end; y += 4) {
          const simd::Pack values = projected(J_below.motions, J_below.stride, y, forces.data() + 6 * x);
          for (int k = 0; k < 4 && y + k < below.end; ++k)
            column[places_[J_below.dofs[y + k] - below.first]] -= values[k];
        }
      }
    }
  }
}

// The number of leading columns that both have in common: common ancestors cause no relative motion.
int IslandSystem::common_columns(const BodyColumns& J_a, const BodyColumns& J_b) {
  int count = 0;
  for (; count < std::min(J_a.count, J_b.count); ++count) {
    bool is_same = J_a.dofs[count] == J_b.dofs[count];
    for (int j = 0; j < 6; ++j)
      is_same = is_same && J_a.motions[j * J_a.stride + count] == J_b.motions[j * J_b.stride + count];
    if (!is_same) break;
  }
  return count;
}

// Adds sign (J' K J_beside), columns from `first` on, to the lower triangle of a robot's block, where (i, j)
// and (j, i) are the same entry. is_symmetric: J is J_beside, and each pair of columns counts once.
void IslandSystem::add_to_dense(const BodyColumns& J, const PatchMatrix& K, const BodyColumns& J_beside,
                                int first, bool is_symmetric, double sign, int n, double* dense) {
  for (int x = first; x < J_beside.count; ++x) {
    double force[6];
    force_of(K, J_beside.motions, J_beside.stride, x, force);
    const int dof_x = J_beside.dofs[x];
    for (int y = is_symmetric ? x : first; y < J.count; y += 4) {
      const simd::Pack values = sign * projected(J.motions, J.stride, y, force);
      if (y + 3 < J.count && J.dofs[y + 3] == J.dofs[y] + 3 && (is_symmetric || J.dofs[y] > dof_x)) {
        double* to = dense + dof_x * n + J.dofs[y];
        simd::store_unaligned(to, simd::load_unaligned(to) + values);
        continue;
      }
      for (int k = 0; k < 4 && y + k < J.count; ++k) {
        const int dof_y = J.dofs[y + k];
        const double times = !is_symmetric && dof_x == dof_y ? 2.0 : 1.0;
        dense[std::min(dof_x, dof_y) * n + std::max(dof_x, dof_y)] += times * values[k];
      }
    }
  }
}

// add_patch for two bodies of the same robot.
void IslandSystem::add_own_patch(const Patch& patch, const PatchMatrix& K) {
  const BodyColumns J_a = columns_of(patch.a), J_b = columns_of(patch.b);
  const int tree = problem_->bodies[patch.a].tree, n = problem_->trees[tree].num_v;
  double* dense = tree_matrices_[scratch_->local_tree[tree]].numbers;
  double d[3];
  arm_of(*problem_, patch, d);
  const bool has_one_point = d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0;
  const int first = has_one_point ? common_columns(J_a, J_b) : 0;
  const PatchMatrix K_Phi = has_one_point ? K : shifted_right(K, d);
  add_to_dense(J_b, K, J_b, first, true, 1.0, n, dense);
  add_to_dense(J_a, has_one_point ? K : shifted_left(K_Phi, d), J_a, first, true, 1.0, n, dense);
  add_to_dense(J_b, K_Phi, J_a, first, false, -1.0, n, dense);
}

void IslandSystem::sum_stiffness(const PatchMatrix& K, int body) {
  for (int c = 0; c < 6; ++c) {
    double* to = scratch_->stiffness[body].column[c];
    simd::store(to, simd::load(to) + simd::load(K.column[c]));
    simd::store(to + 4, simd::load(to + 4) + simd::load(K.column[c] + 4));
  }
}

// Adds the matrix of a patch to H. pairs null: only to the diagonal blocks.
void IslandSystem::add_patch(const Patch& patch, const int* pairs, const PatchMatrix& K,
                             BlockSparseMatrix* H) {
  const ContactProblem& problem = *problem_;
  const int a = problem.bodies[patch.a].tree, b = problem.bodies[patch.b].tree;
  if (a == b) {
    add_own_patch(patch, K);
    return;
  }
  // For a free body to H, for a body of a robot to the sum by body.
  const auto add_diagonal = [&](int body, int tree, const PatchMatrix& M) {
    if (problem.trees[tree].is_free_body) {
      add_to(M, 1.0, H->diagonal_block(blocks_.begin_of_tree(scratch_->local_tree[tree])).columns);
      return;
    }
    sum_stiffness(M, body);
  };
  add_diagonal(patch.b, b, K);
  if (a < 0) return;
  double d[3];
  arm_of(problem, patch, d);
  const PatchMatrix K_Phi = shifted_right(K, d);
  add_diagonal(patch.a, a, shifted_left(K_Phi, d));
  const bool all_free = problem.trees[a].is_free_body && problem.trees[b].is_free_body;
  if (pairs && !all_free) {
    add_cross(patch, pairs, K_Phi, H);
  } else if (pairs) {
    // pair_block is H(b, a), or its transpose.
    const BlockView block = H->pair_block(*pairs);
    add_to(block.transposed ? shifted_left(K, d) : K_Phi, -1.0, block.columns);
  }
}

void IslandSystem::clear_stiffness() {
  for (int i = island_->body_begin; i < island_->body_end; ++i)
    std::memset(&scratch_->stiffness[problem_->island_bodies[i]], 0, sizeof(PatchMatrix));
}

void IslandSystem::add_stiffness_of_robots() {
  // From the bodies to their ancestors: what ancestors' velocities do to a body is added to the ancestor's
  // sum.
  for (int i = island_->body_end - 1; i >= island_->body_begin; --i) {
    const int index = problem_->island_bodies[i];
    const PatchMatrix& K = scratch_->stiffness[index];
    if (problem_->trees[problem_->bodies[index].tree].is_free_body || is_zero(K)) continue;
    if (only_translates(index)) {
      add_linear_stiffness(index, K);
      continue;
    }
    const int parent = scratch_->columns[index].parent;
    add_body_stiffness(index, K, parent > 0 ? scratch_->columns[parent].count : 0);
    if (parent > 0) sum_stiffness(K, parent);
  }
}

void IslandSystem::assemble(BlockSparseMatrix* H) {
  use_blocks(IslandBlocks::Kind::branches);
  if (!has_pattern_) H->set_pattern(blocks_.sizes(), blocks_.pairs());
  has_pattern_ = true;
  set_to_A(H);
  gather_columns();
  clear_stiffness();
  for (int k = 0; k < num_patches(); ++k) {
    const Patch& patch = problem_->patches[island_->patch_begin + k];
    if (is_open(patch, points, island_->point_begin)) continue;
    const int* pairs = blocks_.pairs_of_patch(k);
    const bool is_alone = problem_->bodies[patch.a].tree < 0;
    if (only_translates(patch.b) && (is_alone || (pairs && only_translates(patch.a))))
      add_linear_patch(patch, pairs, linear_patch_matrix(*problem_, patch, points, island_->point_begin), H);
    else
      add_patch(patch, pairs, patch_matrix(*problem_, patch, points, island_->point_begin), H);
  }
  add_stiffness_of_robots();
  rows.add_hessian(false, tree_matrices_, H);
  write_dense(H);
}

void IslandSystem::assemble_diagonal(BlockSparseMatrix* D) {
  use_blocks(IslandBlocks::Kind::trees);
  D->set_pattern(blocks_.sizes(), {});
  set_to_A(D);
  gather_columns();
  clear_stiffness();
  patch_matrices_.resize(static_cast<std::size_t>(num_patches()));
  for (int k = 0; k < num_patches(); ++k) {
    const Patch& patch = problem_->patches[island_->patch_begin + k];
    patch_matrices_[k] = patch_matrix(*problem_, patch, points, island_->point_begin);
    add_patch(patch, nullptr, patch_matrices_[k], D);
  }
  add_stiffness_of_robots();
  rows.add_hessian(true, tree_matrices_, D);
  write_dense(D);
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
  rows.add_product(x.data(), y->data());
}

bool IslandSystem::is_of_particles() {
  const auto is_small = [](int size) { return size <= SweptSystem::kMostRows; };
  if (rows.size() > 0 || !std::all_of(sizes_.begin(), sizes_.end(), is_small)) return false;
  use_blocks(IslandBlocks::Kind::trees);
  gather_columns();
  for (int i = island_->body_begin; i < island_->body_end; ++i) {
    if (!only_translates(problem_->island_bodies[i])) return false;
  }
  for (int k = 0; k < num_patches(); ++k) {
    const Patch& patch = problem_->patches[island_->patch_begin + k];
    if (!blocks_.pairs_of_patch(k) && problem_->bodies[patch.a].tree >= 0) return false;
  }
  return true;
}

double IslandSystem::stiffness() const {
  double sum = 0.0;
  for (int k = island_->patch_begin; k < island_->patch_end; ++k) {
    const Patch& patch = problem_->patches[k];
    double trace = 0.0, inverse_mass = 0.0;
    for (int i = patch.begin - island_->point_begin; i < patch.end - island_->point_begin; ++i)
      trace += 2.0 * points.a[i] + points.c[i];
    for (const int body : {patch.a, patch.b}) {
      if (body == 0) continue;
      const double D = scale[offset_[scratch_->local_tree[problem_->bodies[body].tree]]];
      inverse_mass += D * D;
    }
    sum += trace * inverse_mass;
  }
  return sum / static_cast<double>(v.size());
}

void IslandSystem::assemble(SweptSystem* H) {
  use_blocks(IslandBlocks::Kind::trees);
  if (!has_swept_pattern_) H->set_pattern(blocks_.sizes(), blocks_.pairs());
  has_swept_pattern_ = true;
  H->set_zero();
  gather_columns();
  for (int i = island_->body_begin; i < island_->body_end; ++i)
    scratch_->linear_stiffness[problem_->island_bodies[i]] = {};
  for (int k = 0; k < num_patches(); ++k) {
    const Patch& patch = problem_->patches[island_->patch_begin + k];
    if (is_open(patch, points, island_->point_begin)) continue;
    const LinearPatchMatrix K = linear_patch_matrix(*problem_, patch, points, island_->point_begin);
    for (const int body : {patch.b, patch.a}) {
      LinearPatchMatrix& sum = scratch_->linear_stiffness[body];
      for (int c = 0; c < 3 && body != 0; ++c)
        simd::store(sum.column[c], simd::load(sum.column[c]) + simd::load(K.column[c]));
    }
    const int* pairs = blocks_.pairs_of_patch(k);
    if (!pairs) continue;
    const auto [block, transposed] = H->pair(*pairs);
    add_projected(K, columns_of(transposed ? patch.a : patch.b), columns_of(transposed ? patch.b : patch.a),
                  -1.0, block);
  }
  for (int i = island_->tree_begin; i < island_->tree_end; ++i) {
    const int t = problem_->island_trees[i], n = problem_->trees[t].num_v;
    const double* A = problem_->A_of(t);
    SweptSystem::Block& block = H->diagonal(i - island_->tree_begin);
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r) block.column[c][r] = inertia_factor * A[c * n + r];
    }
  }
  for (int i = island_->body_begin; i < island_->body_end; ++i) {
    const int index = problem_->island_bodies[i];
    const BodyColumns J = columns_of(index);
    add_projected(scratch_->linear_stiffness[index], J, J, 1.0,
                  &H->diagonal(scratch_->local_tree[problem_->bodies[index].tree]));
  }
}

}  // namespace stiction
