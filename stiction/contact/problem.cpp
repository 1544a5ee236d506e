#include "stiction/contact/problem.h"

#include <algorithm>
#include <cstring>

#include "stiction/base/check.h"
#include "stiction/math/simd.h"

namespace stiction {
namespace {

// Parameters of a padding point without impulse: the soft norm of its slip needs a positive eps, all else is
// zero.
constexpr double kEmptyPoint[kLawParameters] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0};

}  // namespace

void ContactProblem::set_trees(std::span<const ProblemTree> new_trees,
                               std::span<const ProblemBranch> new_branches) {
  trees.assign(new_trees.begin(), new_trees.end());
  branches.assign(new_branches.begin(), new_branches.end());
  int v = 0, storage = 0;
  for (ProblemTree& tree : trees) {
    tree.v_begin = v;
    tree.A_begin = storage;
    v += tree.num_v;
    storage += tree.is_free_body ? 48 : simd::padded(tree.num_v * tree.num_v);
  }
  A.resize(static_cast<std::size_t>(storage));
  v_free.resize(v);
  v_start.resize(v);
}

void ContactProblem::clear_rows() {
  rows.clear();
  row_laws.clear();
  row_parts.clear();
  row_dofs.clear();
  row_values.clear();
}

int ContactProblem::begin_row(const RowLaw& row_law) {
  const int at = static_cast<int>(row_parts.size());
  rows.push_back({at, at});
  row_laws.push_back(row_law);
  return static_cast<int>(rows.size()) - 1;
}

void ContactProblem::begin_row_part(int tree) {
  const int at = static_cast<int>(row_dofs.size());
  row_parts.push_back({tree, at, at});
  ++rows.back().part_end;
}

void ContactProblem::add_row_entry(int dof_in_tree, double value) {
  row_dofs.push_back(dof_in_tree);
  row_values.push_back(value);
  ++row_parts.back().end;
}

int ContactProblem::root_of(int tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

void ContactProblem::drop_row() {
  const int part = rows.back().part_begin;
  const std::size_t entries =
      part < static_cast<int>(row_parts.size()) ? row_parts[part].begin : row_dofs.size();
  row_dofs.resize(entries);
  row_values.resize(entries);
  row_parts.resize(part);
  row_laws.pop_back();
  rows.pop_back();
}

void ContactProblem::set_patches(std::span<const PatchPlan> plans) {
  // Which trees are coupled?  The smallest tree of an island is its root (union-find).
  const int num_trees = static_cast<int>(trees.size());
  parent_.resize(trees.size());
  for (int t = 0; t < num_trees; ++t) parent_[t] = t;
  for (const PatchPlan& plan : plans) {
    const int a = bodies[plan.a].tree, b = bodies[plan.b].tree;
    if (plan.points == 0 || a < 0) continue;
    const int ra = root_of(a), rb = root_of(b);
    parent_[std::max(ra, rb)] = std::min(ra, rb);
  }
  for (const ProblemRow& row : rows) {
    for (int i = row.part_begin + 1; i < row.part_end; ++i) {
      const int ra = root_of(row_parts[row.part_begin].tree), rb = root_of(row_parts[i].tree);
      parent_[std::max(ra, rb)] = std::min(ra, rb);
    }
  }

  // Islands in the order of their smallest trees; how many patches, points and rows each has.
  islands.clear();
  island_of_tree_.assign(trees.size(), -1);
  for (const PatchPlan& plan : plans) {
    if (plan.points == 0) continue;
    STICTION_ASSERT(bodies[plan.b].tree >= 0);
    island_of_tree_[root_of(bodies[plan.b].tree)] = 0;
  }
  for (const ProblemRow& row : rows) {
    STICTION_ASSERT(row.part_end > row.part_begin);
    island_of_tree_[root_of(row_parts[row.part_begin].tree)] = 0;
  }
  for (int t = 0; t < num_trees; ++t) {
    const int root = root_of(t);
    if (island_of_tree_[root] < 0) continue;
    if (root == t) {
      island_of_tree_[t] = static_cast<int>(islands.size());
      islands.emplace_back();
    } else {
      island_of_tree_[t] = island_of_tree_[root];
    }
  }
  const auto island_of = [this](const PatchPlan& plan) { return island_of_tree_[bodies[plan.b].tree]; };
  for (int t = 0; t < num_trees; ++t) {
    if (island_of_tree_[t] >= 0) ++islands[island_of_tree_[t]].tree_end;
  }
  for (const ProblemBody& body : bodies) {
    if (body.tree >= 0 && island_of_tree_[body.tree] >= 0) ++islands[island_of_tree_[body.tree]].body_end;
  }
  for (const PatchPlan& plan : plans) {
    if (plan.points == 0) continue;
    Island& island = islands[island_of(plan)];
    ++island.patch_end;
    island.point_end += plan.points;
  }
  const auto island_of_row = [this](const ProblemRow& row) {
    return island_of_tree_[row_parts[row.part_begin].tree];
  };
  for (const ProblemRow& row : rows) ++islands[island_of_row(row)].row_end;
  int tree = 0, body = 0, patch = 0, point = 0, row_count = 0;
  for (Island& island : islands) {
    const Island size = island;
    island = {tree,      tree,     body, body, patch, patch, point, simd::padded(point + size.point_end),
              row_count, row_count};
    tree += size.tree_end;
    body += size.body_end;
    patch += size.patch_end;
    point = island.point_end;
    row_count += size.row_end;
  }

  // Sort everything by islands; the ends of the ranges advance as entries are added.
  island_trees.resize(static_cast<std::size_t>(tree));
  island_bodies.resize(static_cast<std::size_t>(body));
  patches.resize(static_cast<std::size_t>(patch));
  for (int t = 0; t < num_trees; ++t) {
    if (island_of_tree_[t] >= 0) island_trees[islands[island_of_tree_[t]].tree_end++] = t;
  }
  for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
    const int t = bodies[b].tree;
    if (t >= 0 && island_of_tree_[t] >= 0) island_bodies[islands[island_of_tree_[t]].body_end++] = b;
  }
  island_rows.resize(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    island_rows[islands[island_of_row(rows[r])].row_end++] = static_cast<int>(r);
  frames.resize(static_cast<std::size_t>(point));
  friction_tensors.clear();
  friction_lengths.clear();
  slip_targets.clear();
  body_a.assign(static_cast<std::size_t>(point), 0);
  body_b.assign(static_cast<std::size_t>(point), 0);
  for (AlignedVector<double>& numbers : law_parameters) numbers.resize(static_cast<std::size_t>(point));
  count_.resize(islands.size());
  for (std::size_t i = 0; i < islands.size(); ++i) count_[i] = islands[i].point_begin;
  patch_of_plan.assign(plans.size(), -1);
  for (std::size_t k = 0; k < plans.size(); ++k) {
    const PatchPlan& plan = plans[k];
    if (plan.points == 0) continue;
    const int i = island_of(plan);
    const int place = islands[i].patch_end++;
    patch_of_plan[k] = place;
    patches[place] = {plan.a, plan.b, count_[i], count_[i] + plan.points};
    for (int p = count_[i]; p < count_[i] + plan.points; ++p) {
      body_a[p] = plan.a;
      body_b[p] = plan.b;
    }
    count_[i] += plan.points;
  }
  for (std::size_t i = 0; i < islands.size(); ++i) {
    for (int p = count_[i]; p < islands[i].point_end; ++p) {
      std::memset(&frames[p], 0, sizeof(PointFrame));
      for (int k = 0; k < kLawParameters; ++k) law_parameters[k][p] = kEmptyPoint[k];
    }
  }
}

// Computes as many rows of y = A x as the packs hold; A has n columns of n numbers.
template <int packs>
[[gnu::always_inline]] static inline void multiply_rows(const double* A, int n, const double* x, double* y) {
  simd::Pack sum[packs] = {};
  for (int c = 0; c < n; ++c) {
    for (int k = 0; k < packs; ++k) sum[k] += simd::load_unaligned(A + c * n + 4 * k) * x[c];
  }
  for (int k = 0; k < packs; ++k) simd::store_unaligned(y + 4 * k, sum[k]);
}

void multiply_A(const ContactProblem& problem, int t, const double* x, double* y) {
  const ProblemTree& tree = problem.trees[t];
  const double* A = problem.A_of(t);
  if (tree.is_free_body) {
    simd::Pack angular = simd::zero(), linear = simd::zero();
    for (int c = 0; c < 6; ++c) {
      angular += simd::load(A + 8 * c) * x[c];
      linear += simd::load(A + 8 * c + 4) * x[c];
    }
    for (int i = 0; i < 3; ++i) {
      y[i] = angular[i];
      y[3 + i] = linear[i];
    }
    return;
  }
  const int n = tree.num_v;
  if (n < simd::kLanes) {
    for (int r = 0; r < n; ++r) {
      double sum = 0.0;
      for (int c = 0; c < n; ++c) sum += A[c * n + r] * x[c];
      y[r] = sum;
    }
    return;
  }
  // Twelve rows at a time, then four; the last four may overlap those before.
  int r = 0;
  for (; r + 12 <= n; r += 12) multiply_rows<3>(A + r, n, x, y + r);
  for (; r + 4 <= n; r += 4) multiply_rows<1>(A + r, n, x, y + r);
  if (r < n) multiply_rows<1>(A + n - 4, n, x, y + n - 4);
}

}  // namespace stiction
