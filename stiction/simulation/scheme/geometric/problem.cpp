#include "stiction/simulation/scheme/geometric/problem.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/cholesky_structure.h"

namespace stiction {
namespace {

// Lower bounds of the scale of distances, as fractions of the size of a contact and of its distance from the
// world's origin, which determines round-off. The solver does not resolve distances below its tolerance times
// this scale.
constexpr double kLeastGap = 1e-3, kLeastFar = 1e-4;

double A_entry(const ContactProblem& problem, int tree, int i, int j) {
  const double* A = problem.A_of(tree);
  const ProblemTree& of = problem.trees[tree];
  return of.is_free_body ? A[8 * j + lane_of(i)] : A[j * of.num_v + i];
}

}  // namespace

void GeometricProblem::begin(const ContactProblem& problem, const Island& island, double speed) {
  problem_ = &problem;
  speed_ = speed;
  contacts.clear();
  rows_.clear();
  row_groups_.clear();
  for (int k = island.tree_begin; k < island.tree_end; ++k) motion.add_tree(problem.island_trees[k]);
  for (int k = island.row_begin; k < island.row_end; ++k) {
    const int row = problem.island_rows[k], count = problem.row_laws[row].group;
    if (count > 0) row_groups_.push_back({static_cast<int>(rows_.size()), count});
    rows_.push_back(row);
  }
}

void GeometricProblem::add_block(int group, int column, int count) {
  std::vector<Block>& blocks = groups_[group].blocks;
  const auto at = std::lower_bound(blocks.begin(), blocks.end(), column,
                                   [](const Block& block, int c) { return block.column < c; });
  if (at != blocks.end() && at->column == column) return;
  blocks.insert(at, {column, count, 0});
}

void GeometricProblem::finish() {
  const int num_trees = static_cast<int>(motion.trees.size());
  const int num_contacts = static_cast<int>(contacts.size()), num_rows = static_cast<int>(rows_.size());
  const int num_row_groups = static_cast<int>(row_groups_.size());
  int size = motion.num_v;
  for (IslandContact& contact : contacts) {
    contact.begin = size;
    size += contact.layout.size;
  }
  row_begin_ = size;
  size += num_rows;
  lower.setConstant(size, -kNoBound);
  upper.setConstant(size, kNoBound);
  unknown_scale_.setOnes(size);
  row_scale_.setOnes(size);
  physical_.resize(size);
  on_A_.resize(contacts.size());
  on_B_.resize(contacts.size());

  // Scales and bounds. Rotations are scaled by the largest contact of the tree.
  for (const IslandTree& tree : motion.trees) {
    double length = 0.0;
    for (const IslandContact& contact : contacts) {
      const bool touches = motion.bodies[contact.body_A].tree == &tree - motion.trees.data() ||
                           motion.bodies[contact.body_B].tree == &tree - motion.trees.data();
      if (touches) length = std::max(length, contact.setup.length);
    }
    if (!(length > 0.0)) length = 1.0;
    for (int i = 0; i < tree.size; ++i) {
      const bool turns = tree.is_free_body && i < 3;
      unknown_scale_[tree.begin + i] = turns ? speed_ / length : speed_;
      row_scale_[tree.begin + i] =
          1.0 / (A_entry(*problem_, tree.tree, i, i) * unknown_scale_[tree.begin + i]);
    }
  }
  for (const IslandContact& contact : contacts) {
    const ContactSetup& s = contact.setup;
    const ContactLayout& at = contact.layout;
    const int z = contact.begin;
    const double impulse = s.mass * speed_, L = s.length;
    unknown_scale_.segment<6>(z).setConstant(L);
    row_scale_.segment<3>(z).setConstant(1.0 / L);
    unknown_scale_[z + at.l] = L;
    row_scale_.segment(z + at.l, at.p - at.l).setConstant(1.0 / L);
    for (int i = z + at.l_A; i < z + at.l_B; ++i) lower[i] = 0.0;
    for (int i = z + at.l_B; i < z + at.p; ++i) lower[i] = 0.0;
    lower[z + at.p] = 0.0;
    unknown_scale_[z + at.p] = impulse;
    const double far = std::max(motion.bodies[contact.body_A].state.X.p.norm(),
                                motion.bodies[contact.body_B].state.X.p.norm());
    row_scale_[z + at.p] =
        s.bounces ? 1.0 / speed_ : 1.0 / std::max({s.h * speed_, kLeastGap * L, kLeastFar * far});
    if (at.w >= 0) {
      unknown_scale_[z + at.slip] = speed_;
      row_scale_[z + at.slip] = 1.0 / speed_;
    }
    const auto scale_layer = [&](int d, int core) {
      if (d < 0) return;
      unknown_scale_.segment<3>(z + d).setConstant(L);
      row_scale_.segment<3>(z + d).setConstant(1.0 / impulse);
      if (core < 0) return;
      lower[z + core] = 0.0;
      unknown_scale_[z + core] = impulse;
      row_scale_[z + core] = 1.0 / L;
    };
    scale_layer(at.d_A, at.core_A);
    scale_layer(at.d_B, at.core_B);
  }
  // The inverse mass of a row.
  const auto inverse_mass = [this](int i) {
    const ProblemRow& row = problem_->rows[rows_[i]];
    double w = 0.0;
    for (int p = row.part_begin; p < row.part_end; ++p) {
      const RowPart& part = problem_->row_parts[p];
      for (int e = part.begin; e < part.end; ++e) {
        const int d = problem_->row_dofs[e];
        w += problem_->row_values[e] * problem_->row_values[e] / A_entry(*problem_, part.tree, d, d);
      }
    }
    return w;
  };
  for (RowGroup& group : row_groups_) {
    if (group.count == 1) continue;
    const double radius = problem_->row_laws[rows_[group.begin]].upper;
    double w = 0.0;
    for (int i = group.begin; i < group.begin + group.count; ++i) {
      w += inverse_mass(i) / group.count;
      unknown_scale_[row_begin_ + i] = radius;
    }
    group.rho = 1.0 / (radius * w);
  }
  for (int i = 0; i < num_rows; ++i) {
    const RowLaw& law = problem_->row_laws[rows_[i]];
    if (law.group != 1) continue;
    const double w = inverse_mass(i);
    const double impulse = w > 0.0 ? speed_ / w : speed_;
    const int z = row_begin_ + i;
    unknown_scale_[z] = impulse;
    row_scale_[z] = 1.0 / speed_;
    lower[z] = law.lower <= -1e299 ? -kNoBound : law.lower / impulse;
    upper[z] = law.upper >= 1e299 ? kNoBound : law.upper / impulse;
  }

  // Which groups are coupled?
  num_groups_ = num_trees + num_contacts + num_row_groups;
  if (static_cast<int>(groups_.size()) < num_groups_) groups_.resize(num_groups_);
  for (int g = 0; g < num_groups_; ++g) groups_[g].blocks.clear();
  const auto tree_block = [this](int group, int t) {
    add_block(group, motion.trees[t].begin, motion.trees[t].size);
  };
  for (int t = 0; t < num_trees; ++t) {
    groups_[t].begin = motion.trees[t].begin;
    groups_[t].count = motion.trees[t].size;
    tree_block(t, t);
  }
  for (int c = 0; c < num_contacts; ++c) {
    const IslandContact& contact = contacts[c];
    const int group = num_trees + c;
    groups_[group].begin = contact.begin;
    groups_[group].count = contact.layout.size;
    add_block(group, contact.begin, contact.layout.size);
    const int t_A = motion.bodies[contact.body_A].tree, t_B = motion.bodies[contact.body_B].tree;
    for (const int t : {t_A, t_B}) {
      if (t < 0) continue;
      tree_block(group, t);
      add_block(t, contact.begin, contact.layout.size);
      if (t_A >= 0) tree_block(t, t_A);
      if (t_B >= 0) tree_block(t, t_B);
    }
  }
  for (int k = 0; k < num_row_groups; ++k) {
    const int group = num_trees + num_contacts + k, begin = row_begin_ + row_groups_[k].begin,
              count = row_groups_[k].count;
    groups_[group].begin = begin;
    groups_[group].count = count;
    add_block(group, begin, count);
    const ProblemRow& row = problem_->rows[rows_[row_groups_[k].begin]];  // the others have the same trees
    for (int p = row.part_begin; p < row.part_end; ++p) {
      for (int t = 0; t < num_trees; ++t) {
        if (motion.trees[t].tree != problem_->row_parts[p].tree) continue;
        tree_block(group, t);
        add_block(t, begin, count);
      }
    }
  }
  groups.clear();
  for (int g = 0; g < num_groups_; ++g) groups.push_back(groups_[g].begin);
  groups.push_back(size);
  set_pattern();
}

void GeometricProblem::set_pattern() {
  pattern_.row_begin.assign(1, 0);
  pattern_.columns.clear();
  for (int g = 0; g < num_groups_; ++g) {
    Group& group = groups_[g];
    group.width = 0;
    for (Block& block : group.blocks) {
      block.offset = group.width;
      group.width += block.count;
    }
    for (int r = 0; r < group.count; ++r) {
      for (const Block& block : group.blocks)
        for (int k = 0; k < block.count; ++k) pattern_.columns.push_back(block.column + k);
      pattern_.row_begin.push_back(static_cast<int>(pattern_.columns.size()));
    }
  }
}

template <class Derived>
void GeometricProblem::add_to(int group, int column, const Eigen::MatrixBase<Derived>& values) {
  const Group& g = groups_[group];
  const auto block = std::lower_bound(g.blocks.begin(), g.blocks.end(), column,
                                      [](const Block& b, int c) { return b.column < c; });
  double* first = out_->values.data() + pattern_.row_begin[g.begin] + block->offset;
  for (Eigen::Index j = 0; j < values.cols(); ++j)
    for (Eigen::Index i = 0; i < values.rows(); ++i) first[i * g.width + j] += values(i, j);
}

// Computes the motion, the conditions of the contacts and their wrenches.
bool GeometricProblem::compute(VecX* F) {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const IslandContact& contact = contacts[c];
    contact_conditions<double>(contact.setup, contact.layout, motion.bodies[contact.body_A].state,
                               motion.bodies[contact.body_B].state, physical_.data() + contact.begin,
                               F->data() + contact.begin, &on_A_[c], &on_B_[c]);
  }
  compute_momentum(F);
  *F = F->cwiseProduct(row_scale_);
  return F->allFinite();
}

double GeometricProblem::row_velocity(int i) const {
  const ProblemRow& row = problem_->rows[rows_[i]];
  double u = 0.0;
  for (int p = row.part_begin; p < row.part_end; ++p) {
    const RowPart& part = problem_->row_parts[p];
    for (const IslandTree& tree : motion.trees) {
      if (tree.tree != part.tree) continue;
      for (int e = part.begin; e < part.end; ++e)
        u += problem_->row_values[e] * physical_[tree.begin + problem_->row_dofs[e]];
    }
  }
  return u;
}

void GeometricProblem::project_row_group(const RowGroup& group, double* projected, double* derivative) const {
  const int n = group.count;
  double square = 0.0;
  for (int i = 0; i < n; ++i) {
    const RowLaw& law = problem_->row_laws[rows_[group.begin + i]];
    const double gamma = physical_[row_begin_ + group.begin + i];
    projected[i] =
        gamma / law.upper - group.rho * (row_velocity(group.begin + i) + (gamma - law.offset) / law.slope);
    square += projected[i] * projected[i];
  }
  const double length = std::max(1.0, std::sqrt(square));
  for (int i = 0; i < n; ++i) projected[i] /= length;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      derivative[i * n + j] =
          ((i == j ? 1.0 : 0.0) - (length > 1.0 ? projected[i] * projected[j] : 0.0)) / length;
}

void GeometricProblem::compute_momentum(VecX* F) {
  tau_.setZero(motion.num_v);
  change_in_v_.resize(motion.num_v);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    for (const auto& [index, impulse] :
         {std::pair(contacts[c].body_A, &on_A_[c]), std::pair(contacts[c].body_B, &on_B_[c])}) {
      const IslandBody& body = motion.bodies[index];
      if (body.tree >= 0) motion.add_force(body, *impulse, tau_.data() + motion.trees[body.tree].begin);
    }
  }
  // The rows and their impulses.
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const RowLaw& law = problem_->row_laws[rows_[i]];
    const ProblemRow& row = problem_->rows[rows_[i]];
    const double gamma = physical_[row_begin_ + static_cast<int>(i)];
    for (int p = row.part_begin; p < row.part_end; ++p) {
      const RowPart& part = problem_->row_parts[p];
      for (const IslandTree& tree : motion.trees) {
        if (tree.tree != part.tree) continue;
        for (int e = part.begin; e < part.end; ++e)
          tau_[tree.begin + problem_->row_dofs[e]] += problem_->row_values[e] * gamma;
      }
    }
    if (law.group == 1)
      (*F)[row_begin_ + static_cast<int>(i)] =
          row_velocity(static_cast<int>(i)) + (gamma - law.offset) / law.slope;
  }
  for (const RowGroup& group : row_groups_) {
    if (group.count == 1) continue;
    double projected[kMostRowsOfGroup], derivative[kMostRowsOfGroup * kMostRowsOfGroup];
    project_row_group(group, projected, derivative);
    const double radius = problem_->row_laws[rows_[group.begin]].upper;
    for (int i = 0; i < group.count; ++i) {
      const int z = row_begin_ + group.begin + i;
      (*F)[z] = physical_[z] / radius - projected[i];
    }
  }
  for (const IslandTree& tree : motion.trees) {
    const int v_begin = problem_->trees[tree.tree].v_begin;
    change_in_v_.segment(tree.begin, tree.size) =
        physical_.segment(tree.begin, tree.size) - problem_->v_free.segment(v_begin, tree.size);
    multiply_A(*problem_, tree.tree, change_in_v_.data() + tree.begin, F->data() + tree.begin);
    F->segment(tree.begin, tree.size) -= tau_.segment(tree.begin, tree.size);
  }
}

bool GeometricProblem::evaluate(const VecX& z, VecX* F) {
  F->resize(size());
  to_physical(z, &physical_);
  motion.move(physical_.data(), false);
  return compute(F);
}

bool GeometricProblem::linearise(const VecX& z, VecX* F, SparseRows* jacobian) {
  F->resize(size());
  to_physical(z, &physical_);
  motion.move(physical_.data(), true);
  if (!compute(F)) return false;

  jacobian->row_begin = pattern_.row_begin;
  jacobian->columns = pattern_.columns;
  jacobian->values.assign(pattern_.columns.size(), 0.0);
  out_ = jacobian;
  const int num_trees = static_cast<int>(motion.trees.size());
  for (int t = 0; t < num_trees; ++t) {
    const IslandTree& tree = motion.trees[t];
    // Start with minus A: contact impulses have the opposite sign.
    Eigen::Map<MatX> change = scratch(tree.size, tree.size, &change_);
    for (int j = 0; j < tree.size; ++j)
      for (int i = 0; i < tree.size; ++i) change(i, j) = -A_entry(*problem_, tree.tree, i, j);
    for (std::size_t c = 0; c < contacts.size() && !tree.is_free_body; ++c) {
      const IslandBody &A = motion.bodies[contacts[c].body_A], &B = motion.bodies[contacts[c].body_B];
      if (A.tree == t) motion.add_force_change(A, on_A_[c], &change);
      if (B.tree == t) motion.add_force_change(B, on_B_[c], &change);
    }
    add_to(t, tree.begin, -change);
  }
  for (std::size_t c = 0; c < contacts.size(); ++c)
    add_contact_rows(contacts[c], num_trees + static_cast<int>(c));
  for (std::size_t k = 0; k < row_groups_.size(); ++k)
    add_row_group(row_groups_[k], num_trees + static_cast<int>(contacts.size() + k));

  for (int r = 0; r < size(); ++r)
    for (int e = pattern_.row_begin[r]; e < pattern_.row_begin[r + 1]; ++e)
      jacobian->values[e] *= row_scale_[r] * unknown_scale_[pattern_.columns[e]];
  return true;
}

// The rows of a scalar row, or of a group of them, and their impulses in the momentum of the trees.
void GeometricProblem::add_row_group(const RowGroup& rows, int group) {
  const int n = rows.count, column = row_begin_ + rows.begin;
  const RowLaw& law = problem_->row_laws[rows_[rows.begin]];
  // F = u + gamma/slope, or gamma/r - P(gamma (1/r - rho/slope) - rho u).
  MatRows by_u = MatRows::Identity(n, n), by_gamma = MatRows::Identity(n, n) / law.slope;
  if (n > 1) {
    double projected[kMostRowsOfGroup];
    MatRows P(n, n);
    project_row_group(rows, projected, P.data());
    by_u = rows.rho * P;
    by_gamma = MatRows::Identity(n, n) / law.upper - (1.0 / law.upper - rows.rho / law.slope) * P;
  }
  add_to(group, column, by_gamma);
  const ProblemRow& first = problem_->rows[rows_[rows.begin]];
  for (int p = 0; p < first.part_end - first.part_begin; ++p) {
    for (int t = 0; t < static_cast<int>(motion.trees.size()); ++t) {
      if (motion.trees[t].tree != problem_->row_parts[first.part_begin + p].tree) continue;
      Eigen::Map<MatX> J = scratch(n, motion.trees[t].size, &change_);
      J.setZero();
      for (int i = 0; i < n; ++i) {
        const RowPart& part = problem_->row_parts[problem_->rows[rows_[rows.begin + i]].part_begin + p];
        for (int e = part.begin; e < part.end; ++e) J(i, problem_->row_dofs[e]) += problem_->row_values[e];
      }
      Eigen::Map<MatX> slip = scratch(n, motion.trees[t].size, &pushed_);
      slip = by_u.lazyProduct(J);
      add_to(group, motion.trees[t].begin, slip);
      add_to(t, column, -J.transpose());
    }
  }
}

Eigen::Map<MatX> GeometricProblem::scratch(Eigen::Index rows, Eigen::Index columns,
                                           AlignedVector<double>* store) {
  if (static_cast<Eigen::Index>(store->size()) < rows * columns)
    store->resize(static_cast<std::size_t>(rows * columns));
  return {store->data(), rows, columns};
}

// Chain rule: from derivatives by the pose and velocity of a body to those by the velocities of its tree.
template <class Derived>
void GeometricProblem::add_body_columns(int group, int columns_begin, const IslandBody& body,
                                        const Eigen::MatrixBase<Derived>& by_motion) {
  if (body.tree < 0) return;
  const IslandTree& tree = motion.trees[body.tree];
  const auto by_pose = by_motion.template middleCols<6>(columns_begin),
             by_velocity = by_motion.template middleCols<6>(columns_begin + 6);
  Eigen::Map<MatX> change = scratch(by_motion.rows(), tree.size, &change_);
  if (tree.is_free_body) {
    change = by_velocity;
    change.leftCols<3>() += by_pose.template leftCols<3>().lazyProduct(tree.turn);
    change.rightCols<3>() += contacts.front().setup.h * by_pose.template rightCols<3>();
  } else {
    change = by_pose.lazyProduct(body.d_pose);
    change += by_velocity.lazyProduct(body.d_velocity);
  }
  add_to(group, tree.begin, change);
}

void GeometricProblem::add_contact_rows(const IslandContact& contact, int group) {
  constexpr int kOfA = 0, kOfB = 12;
  const IslandBody &A = motion.bodies[contact.body_A], &B = motion.bodies[contact.body_B];
  contact_jacobian(contact.setup, contact.layout, A.state, B.state, physical_.data() + contact.begin,
                   &jacobian_);
  add_to(group, contact.begin, jacobian_.F.rightCols(contact.layout.size));
  add_body_columns(group, kOfA, A, jacobian_.F);
  add_body_columns(group, kOfB, B, jacobian_.F);
  // Momentum: minus the wrenches of the contact, projected on the velocities of the trees.
  for (const auto& [body, pushed] : {std::pair(&A, &jacobian_.on_A), std::pair(&B, &jacobian_.on_B)}) {
    if (body->tree < 0) continue;
    const IslandTree& tree = motion.trees[body->tree];
    Eigen::Map<MatX> rows = scratch(tree.size, pushed->cols(), &pushed_);
    if (tree.is_free_body) {
      rows = -*pushed;
    } else {
      rows.setZero();
      for (std::size_t k = 0; k < body->dofs.size(); ++k)
        rows.row(body->dofs[k]) =
            -body->axes.col(static_cast<Eigen::Index>(k)).transpose().lazyProduct(*pushed);
    }
    add_to(body->tree, contact.begin, rows.rightCols(contact.layout.size));
    add_body_columns(body->tree, kOfA, A, rows);
    add_body_columns(body->tree, kOfB, B, rows);
  }
}

}  // namespace stiction
