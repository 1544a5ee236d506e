#include "stiction/contact/file/fc3d_conversion.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"

namespace stiction {
namespace {

// Groups of velocities that are tried as trees: rigid bodies, points, whatever M couples, and all of them.
constexpr int kCoupled = 0, kAll = -1;
constexpr int kGroups[] = {6, 3, kCoupled, kAll};
constexpr int kMostTreeVelocities = 500;  // A of a tree is dense
constexpr double kUnsymmetric = 1e-9;     // of sqrt(M_ii M_jj)
constexpr double kNoBound = 1e300;

// ---- To ours ----

// The velocities that M couples, as trees: the tree of every velocity, and its place there.
struct TreePlan {
  std::vector<int> tree, place, sizes;
};

int root_of(std::vector<int>* parent, int i) {
  while ((*parent)[i] != i) i = (*parent)[i] = (*parent)[(*parent)[i]];
  return i;
}

// None: M couples velocities of different groups.
std::optional<TreePlan> plan_trees(const SparseEntries& M, int group) {
  std::vector<int> parent(static_cast<std::size_t>(M.rows));
  std::iota(parent.begin(), parent.end(), 0);
  if (group == kAll) std::fill(parent.begin(), parent.end(), 0);
  if (group > 0) {
    if (M.rows % group != 0) return std::nullopt;
    for (const SparseEntries::Entry& e : M.entries)
      if (e.value != 0.0 && e.row / group != e.column / group) return std::nullopt;
    for (int i = 0; i < M.rows; ++i) parent[i] = i - i % group;
  }
  for (const SparseEntries::Entry& e : M.entries)
    if (e.value != 0.0) parent[root_of(&parent, e.row)] = root_of(&parent, e.column);

  TreePlan plan;
  plan.tree.assign(parent.size(), -1);
  plan.place.assign(parent.size(), 0);
  std::vector<int> tree_of_root(parent.size(), -1);
  for (int i = 0; i < M.rows; ++i) {
    int& tree = tree_of_root[root_of(&parent, i)];
    if (tree < 0) {
      tree = static_cast<int>(plan.sizes.size());
      plan.sizes.push_back(0);
    }
    plan.tree[i] = tree;
    plan.place[i] = plan.sizes[tree]++;
  }
  return plan;
}

// A and v_free of all trees. False, with the reason, where M is not symmetric positive definite.
bool fill_trees(const Fc3dProblem::Global& global, const TreePlan& plan, ContactProblem* problem,
                std::string* why_not) {
  std::vector<ProblemTree> trees(plan.sizes.size());
  for (std::size_t t = 0; t < trees.size(); ++t) {
    trees[t].num_v = plan.sizes[t];
    if (trees[t].num_v > kMostTreeVelocities) {
      *why_not = format("M couples {} velocities, and at most {} are solved as one tree", trees[t].num_v,
                        kMostTreeVelocities);
      return false;
    }
  }
  problem->set_trees(trees);
  std::fill(problem->A.begin(), problem->A.end(), 0.0);
  for (const SparseEntries::Entry& e : global.M.entries) {
    const ProblemTree& tree = problem->trees[plan.tree[e.row]];
    if (plan.tree[e.row] == plan.tree[e.column])
      problem->A[tree.A_begin + plan.place[e.column] * tree.num_v + plan.place[e.row]] += e.value;
  }
  for (int i = 0; i < global.M.rows; ++i)
    problem->v_free[problem->trees[plan.tree[i]].v_begin + plan.place[i]] = global.f[i];
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const ProblemTree& tree = problem->trees[t];
    const Eigen::Map<const MatX> A(problem->A_of(static_cast<int>(t)), tree.num_v, tree.num_v);
    for (int i = 0; i < tree.num_v; ++i) {
      for (int j = 0; j < i; ++j) {
        if (std::abs(A(i, j) - A(j, i)) <= kUnsymmetric * std::sqrt(std::abs(A(i, i) * A(j, j)))) continue;
        *why_not = "M is not symmetric";
        return false;
      }
    }
    const Eigen::LLT<MatX> factor(A);
    if (factor.info() != Eigen::Success) {
      *why_not = "M is not positive definite";
      return false;
    }
    const VecX free = factor.solve(problem->v_free.segment(tree.v_begin, tree.num_v));
    problem->v_free.segment(tree.v_begin, tree.num_v) = free;
  }
  problem->v_start = problem->v_free;
  return true;
}

// Entries of H by contact.
std::vector<std::vector<SparseEntries::Entry>> by_contact(const SparseEntries& H, int contacts) {
  std::vector<std::vector<SparseEntries::Entry>> lists(static_cast<std::size_t>(contacts));
  for (const SparseEntries::Entry& e : H.entries)
    if (e.value != 0.0) lists[e.column / 3].push_back(e);
  for (auto& list : lists)
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
  return lists;
}

std::vector<int> touched_trees(const std::vector<SparseEntries::Entry>& entries, const TreePlan& plan) {
  std::vector<int> trees;
  for (const SparseEntries::Entry& e : entries)
    if (std::find(trees.begin(), trees.end(), plan.tree[e.row]) == trees.end())
      trees.push_back(plan.tree[e.row]);
  return trees;
}

// The smallest trees of which every contact touches one or two.
std::optional<TreePlan> best_plan(const SparseEntries& M,
                                  const std::vector<std::vector<SparseEntries::Entry>>& contacts,
                                  std::string* why_not) {
  for (const int group : kGroups) {
    const std::optional<TreePlan> plan = plan_trees(M, group);
    if (!plan) continue;
    const auto fits = [&](const std::vector<SparseEntries::Entry>& entries) {
      const std::size_t count = touched_trees(entries, *plan).size();
      return count == 1 || count == 2;
    };
    if (std::all_of(contacts.begin(), contacts.end(), fits)) return plan;
  }
  *why_not = "there is a contact that touches nothing";
  return std::nullopt;
}

// A body of one tree whose velocity is sign times the rows of a contact.
int add_body(const std::vector<SparseEntries::Entry>& entries, const TreePlan& plan, int tree, double sign,
             ContactProblem* problem) {
  ProblemBody body;
  body.tree = tree;
  body.column_begin = static_cast<int>(problem->column_dofs.size());
  int last = -1;
  for (const SparseEntries::Entry& e : entries) {
    if (plan.tree[e.row] != tree) continue;
    if (e.row != last) {
      problem->column_dofs.push_back(plan.place[e.row]);
      problem->columns.insert(problem->columns.end(), 8, 0.0);
      ++body.columns;
    }
    last = e.row;
    problem->columns[problem->columns.size() - 4 + static_cast<std::size_t>(e.column % 3)] += sign * e.value;
  }
  problem->bodies.push_back(body);
  return static_cast<int>(problem->bodies.size()) - 1;
}

// sqrt of the mean square of the block of W on the diagonal.
std::vector<double> inverse_masses(const Fc3dProblem& problem) {
  std::vector<double> sizes(problem.friction.size(), 0.0);
  for (const SparseEntries::Entry& e : problem.W.entries)
    if (e.row / 3 == e.column / 3) sizes[e.row / 3] += e.value * e.value;
  for (double& size : sizes) size = std::sqrt(size) / 3.0;
  return sizes;
}

void fill_points(const Fc3dProblem& from, SavedProblem* saved) {
  ContactProblem& problem = saved->problem;
  saved->points.assign(problem.frames.size(), {});
  const std::vector<double> w = inverse_masses(from);
  constexpr double kRigid = 4.0 * std::numbers::pi * std::numbers::pi;
  for (int c = 0; c < from.num_contacts(); ++c) {
    const int p = problem.patches[problem.patch_of_plan[c]].begin;
    PointFrame frame = {};
    frame.n[0] = 1.0;
    for (int i = 0; i < 3; ++i) frame.bias[i] = from.global->w[3 * c + i];
    problem.frames[p] = frame;
    PhysicalPoint& point = saved->points[p];
    point.friction = from.friction[c];
    point.inverse_mass = w[c];
    point.stiffness = point.hertz_stiffness = w[c] > 0.0 ? kRigid / (w[c] * problem.h * problem.h) : 0.0;
    point.recovery_share = 1.0;
    problem.law_parameters[kRigidFriction][p] = from.friction[c];
  }
}

// ---- From ours ----

// A row or contact of an island as it goes into the file: lambda = constant + sign x.
struct OutRow {
  int row = 0;  // of the dual problem; -1: none, the tangent of what has no friction
  double sign = 1.0;
};

struct OutIsland {
  std::vector<OutRow> rows;  // (normal, t1, t2) by contact
  std::vector<double> friction;
  MatX W;
  VecX r;
};

// W + R and r of an island without the rows whose impulse is fixed or eliminated.
OutIsland island_of(const DualProblem& dual) {
  OutIsland out;
  out.W = dual.dense();
  out.W.diagonal() += dual.R;
  out.r = dual.r;
  std::vector<int> free;
  std::vector<OutRow> limits;
  VecX constant = VecX::Zero(dual.num_rows());
  for (const DualBlock& block : dual.blocks) {
    const int at = block.begin;
    STICTION_USER_CHECK(!block.is_group, "row {} is one of a group with a common bound, which {} has not",
                        block.source, kFc3dFormat);
    if (block.is_contact()) {
      STICTION_USER_CHECK(block.tangents <= 2,
                          "contact {} has torsional or rolling friction, which {} has not", block.source,
                          kFc3dFormat);
      const bool has_friction = block.tangents == 2;
      out.rows.insert(out.rows.end(),
                      {{at + block.tangents}, {has_friction ? at : -1}, {has_friction ? at + 1 : -1}});
      out.friction.push_back(has_friction ? block.friction : 0.0);
      continue;
    }
    const bool has_lower = block.lower > -kNoBound, has_upper = block.upper < kNoBound;
    if (!has_lower && !has_upper) {
      free.push_back(at);
      continue;
    }
    const bool is_fixed = block.lower == block.upper;
    STICTION_USER_CHECK(is_fixed || !(has_lower && has_upper),
                        "row {} has an impulse from {} to {}, and {} has no rows with two bounds",
                        block.source, block.lower, block.upper, kFc3dFormat);
    constant[at] = has_lower ? block.lower : block.upper;
    if (!is_fixed) limits.push_back({at, has_lower ? 1.0 : -1.0});
  }
  for (const OutRow& limit : limits) {
    out.rows.insert(out.rows.end(), {limit, {-1}, {-1}});
    out.friction.push_back(0.0);
  }
  out.r += out.W * constant;
  if (free.empty()) return out;

  // x_free = -W_ff^-1 (W_fo x + r_f).
  const MatX W_ff = out.W(free, free), W_fo = out.W(free, Eigen::all), W_of = out.W(Eigen::all, free);
  const Eigen::PartialPivLU<MatX> factor(W_ff);
  const VecX r_f = out.r(free), moved = factor.solve(r_f);
  const MatX filled = factor.solve(W_fo);
  out.r -= W_of * moved;
  out.W -= W_of * filled;
  STICTION_USER_CHECK(out.W.allFinite() && out.r.allFinite(),
                      "rows without bounds depend on each other and cannot be eliminated for {}",
                      kFc3dFormat);
  return out;
}

void append(const OutIsland& island, Fc3dProblem* problem) {
  const int begin = 3 * problem->num_contacts(), rows = static_cast<int>(island.rows.size());
  problem->friction.insert(problem->friction.end(), island.friction.begin(), island.friction.end());
  problem->q.conservativeResize(begin + rows);
  for (int i = 0; i < rows; ++i) {
    const OutRow& a = island.rows[i];
    if (a.row < 0) {
      // Nothing pushes along it. Its diagonal is that of the normal, so that the block is regular.
      const int normal = island.rows[i - i % 3].row;
      problem->q[begin + i] = 0.0;
      problem->W.entries.push_back({begin + i, begin + i, island.W(normal, normal)});
      continue;
    }
    problem->q[begin + i] = a.sign * island.r[a.row];
    for (int j = 0; j < rows; ++j) {
      const OutRow& b = island.rows[j];
      const double value = b.row < 0 ? 0.0 : a.sign * b.sign * island.W(a.row, b.row);
      if (value != 0.0) problem->W.entries.push_back({begin + i, begin + j, value});
    }
  }
}

void finish(Fc3dProblem* problem) {
  STICTION_USER_CHECK(problem->num_contacts() > 0, "{}: nothing touches in this problem", problem->name);
  problem->W.rows = problem->W.columns = 3 * problem->num_contacts();
}

}  // namespace

std::optional<SavedProblem> contact_problem_of(const Fc3dProblem& from, std::string* why_not) {
  if (!from.global) {
    *why_not = "it has W alone, no M and H";
    return std::nullopt;
  }
  SavedProblem saved;
  ContactProblem& problem = saved.problem;
  problem.h = 1.0;
  problem.law = LawKind::coulomb_ncp;
  saved.solver = find_in_catalog(name_of(LawKind::coulomb_ncp))->solver;
  const auto lists = by_contact(from.global->H, from.num_contacts());
  const std::optional<TreePlan> found = best_plan(from.global->M, lists, why_not);
  if (!found || !fill_trees(*from.global, *found, &problem, why_not)) return std::nullopt;
  const TreePlan& plan = *found;

  problem.bodies.emplace_back();
  std::vector<PatchPlan> patches;
  for (int c = 0; c < from.num_contacts(); ++c) {
    const std::vector<int> touched = touched_trees(lists[c], plan);
    PatchPlan patch;
    patch.points = 1;
    if (touched.size() == 2) patch.a = add_body(lists[c], plan, touched[1], -1.0, &problem);
    patch.b = add_body(lists[c], plan, touched[0], 1.0, &problem);
    patches.push_back(patch);
  }
  problem.set_patches(patches);
  for (AlignedVector<double>& numbers : problem.law_parameters)
    std::fill(numbers.begin(), numbers.end(), 0.0);
  fill_points(from, &saved);
  return saved;
}

Fc3dProblem fc3d_of(const ContactProblem& problem, const std::string& name) {
  STICTION_USER_CHECK(is_rigid(problem.law), "{}: {} holds rigid contact, and {} is compliant", name,
                      kFc3dFormat, name_of(problem.law));
  Fc3dProblem out;
  out.name = name;
  DualProblem dual;
  for (const Island& island : problem.islands) {
    dual.begin(problem, island);
    append(island_of(dual), &out);
  }
  finish(&out);
  return out;
}

Fc3dProblem fc3d_of(const DualProblem& dual, const std::string& name) {
  Fc3dProblem out;
  out.name = name;
  append(island_of(dual), &out);
  finish(&out);
  return out;
}

VecX impulses_in_file_order(const ContactProblem& problem, const AlignedVector<double>& impulses) {
  VecX out(3 * problem.patch_of_plan.size());
  for (std::size_t c = 0; c < problem.patch_of_plan.size(); ++c) {
    const double* at = impulses.data() + 4 * problem.patches[problem.patch_of_plan[c]].begin;
    for (std::size_t i = 0; i < 3; ++i) out[static_cast<int>(3 * c + i)] = at[i];
  }
  return out;
}

}  // namespace stiction
