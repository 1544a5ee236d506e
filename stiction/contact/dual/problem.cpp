#include "stiction/contact/dual/problem.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/law/sap.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kNoBound = 1e300;
constexpr double kImmovable = 1e-12;  // of the trace of a block: a smaller D_nn is round-off

Vec3 vector_at(const double* x) { return {x[0], x[1], x[2]}; }

// Cholesky factor L of the dense column-major A, in place; NaN where A is not positive definite.
void factorise(int n, double* A) {
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) {
      const double l = A[k * n + j];
      for (int i = j; i < n; ++i) A[j * n + i] -= l * A[k * n + i];
    }
    const double pivot = std::sqrt(A[j * n + j]);
    for (int i = j; i < n; ++i) A[j * n + i] /= pivot;
  }
}

void solve(int n, const double* L, double* x) {
  for (int j = 0; j < n; ++j) {
    x[j] /= L[j * n + j];
    for (int i = j + 1; i < n; ++i) x[i] -= L[j * n + i] * x[j];
  }
  for (int j = n - 1; j >= 0; --j) {
    double sum = x[j];
    for (int i = j + 1; i < n; ++i) sum -= L[j * n + i] * x[i];
    x[j] = sum / L[j * n + j];
  }
}

// Number of friction rows of a point.
int tangents_of(const ContactProblem& problem, int point) {
  if (!(problem.law_parameters[kRigidFriction][point] > 0.0)) return 0;
  if (problem.friction_lengths.empty()) return 2;
  const FrictionLengths& L = problem.friction_lengths[point];
  return L.torsion > 0.0 || L.roll > 0.0 ? kMostTangents : 2;
}

// c* and R of a point; of S eqs. 29, 30 under sap.
RigidParameters<double> dual_parameters(const ContactProblem& problem, int point) {
  const LawParameters<double> stored = problem.parameters_at(point);
  if (problem.law != LawKind::sap) return RigidParameters<double>::from(stored);
  const auto sap = SapParameters<double>::from(stored);
  return {sap.reference, 1.0 / sap.normal, 1.0 / sap.tangential, sap.mu};
}

int count_rows(const ContactProblem& problem, const Island& island) {
  int rows = island.row_end - island.row_begin;
  for (int k = island.row_begin; k < island.row_end; ++k)
    rows += problem.row_laws[problem.island_rows[k]].group > 1;
  for (int k = island.patch_begin; k < island.patch_end; ++k)
    for (int p = problem.patches[k].begin; p < problem.patches[k].end; ++p)
      rows += tangents_of(problem, p) + 1;
  return rows;
}

}  // namespace

void DualProblem::add_tree(const ContactProblem& problem, int tree) {
  const ProblemTree& t = problem.trees[tree];
  const int n = t.num_v, at = static_cast<int>(A.size());
  tree_offsets.push_back(tree_sizes.empty() ? 0 : tree_offsets.back() + tree_sizes.back());
  tree_sizes.push_back(n);
  A_begin.push_back(at);
  A.resize(A.size() + static_cast<std::size_t>(n * n));
  const double* from = problem.A_of(tree);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      A[at + j * n + i] = t.is_free_body ? from[8 * j + (i < 3 ? i : i + 1)] : from[j * n + i];
  factors_.insert(factors_.end(), A.begin() + at, A.end());
  factorise(n, factors_.data() + at);
}

int DualProblem::find_part(int block_part_begin, int tree, int rows) {
  for (int k = block_part_begin; k < static_cast<int>(parts.size()); ++k)
    if (parts[k].tree == tree) return k;
  DualPart part;
  part.tree = tree;
  part.offset = tree_offsets[tree];
  part.columns = tree_sizes[tree];
  part.begin = static_cast<int>(J.size());
  J.resize(J.size() + static_cast<std::size_t>(rows * part.columns), 0.0);
  parts.push_back(part);
  return static_cast<int>(parts.size()) - 1;
}

// J += sign times the rows linear . v(arm) + angular . w of a body.
void DualProblem::add_part_rows(const ContactProblem& problem, int body, const Vec3& arm, double sign,
                                int part, int begin, int rows) {
  const ProblemBody& b = problem.bodies[body];
  const DualPart& p = parts[part];
  for (int i = 0; i < rows; ++i) {
    double* row = J.data() + p.begin + i * p.columns;
    const Vec3 turn = sign * (arm.cross(linear[begin + i]) + angular[begin + i]),
               move = sign * linear[begin + i];
    if (problem.trees[b.tree].is_free_body) {
      for (int k = 0; k < 3; ++k) {
        row[k] += turn[k];
        row[3 + k] += move[k];
      }
      continue;
    }
    for (int c = b.column_begin; c < b.column_begin + b.columns; ++c) {
      const double* S = problem.columns.data() + 8 * c;
      row[problem.column_dofs[c]] += vector_at(S).dot(turn) + vector_at(S + 4).dot(move);
    }
  }
}

void DualProblem::add_contact(const ContactProblem& problem, int point, const std::vector<int>& local_tree) {
  const PointFrame& frame = problem.frames[point];
  const Vec3 n = vector_at(frame.n);
  DualBlock block;
  block.begin = filled_;
  block.source = point;
  const RigidParameters<double> law = dual_parameters(problem, point);
  block.friction = law.friction;
  block.part_begin = static_cast<int>(parts.size());
  // Axes in which the friction cone is circular.
  Mat3 axes = frame_with_z(n);
  double s1 = 1.0, s2 = 1.0;
  if (!problem.friction_tensors.empty()) {
    const FrictionTensor& S = problem.friction_tensors[point];
    axes.col(0) = vector_at(S.t1);
    axes.col(1) = vector_at(S.t2);
    s1 = S.s1;
    s2 = S.s2;
  }
  Vec3 turning = Vec3::Zero();
  Vec3 *along = linear.data() + block.begin, *about = angular.data() + block.begin;
  block.tangents = tangents_of(problem, point);
  if (!problem.friction_lengths.empty()) {
    const FrictionLengths& L = problem.friction_lengths[point];
    s1 *= L.slide;
    s2 *= L.slide;
    if (block.tangents == kMostTangents) {
      about[2] = L.torsion * n;
      about[3] = L.roll * axes.col(0);
      about[4] = L.roll * axes.col(1);
      turning = vector_at(L.bias);
    }
  }
  if (block.tangents > 0) {
    along[0] = s1 * axes.col(0);
    along[1] = s2 * axes.col(1);
  }
  along[block.tangents] = n;
  const int rows = block.size();

  for (const bool is_b : {true, false}) {
    const int body = is_b ? problem.body_b[point] : problem.body_a[point];
    const int tree = problem.bodies[body].tree;
    if (tree < 0) continue;
    const int part = find_part(block.part_begin, local_tree[tree], rows);
    add_part_rows(problem, body, vector_at(is_b ? frame.r_B : frame.r_A), is_b ? 1.0 : -1.0, part,
                  block.begin, rows);
  }
  block.part_end = static_cast<int>(parts.size());

  const int at = block.begin;
  for (int i = 0; i < rows; ++i) {
    r[at + i] = along[i].dot(vector_at(frame.bias)) + about[i].dot(turning);
    R[at + i] = law.tangential_compliance;
  }
  r[at + rows - 1] -= law.reference;
  R[at + rows - 1] = law.normal_compliance;
  filled_ += block.size();
  blocks.push_back(block);
}

void DualProblem::add_row_entries(const ContactProblem& problem, int row, const std::vector<int>& local_tree,
                                  int i, const DualBlock& block) {
  for (int k = problem.rows[row].part_begin; k < problem.rows[row].part_end; ++k) {
    const RowPart& from = problem.row_parts[k];
    const DualPart& part = parts[find_part(block.part_begin, local_tree[from.tree], block.size())];
    for (int e = from.begin; e < from.end; ++e)
      J[part.begin + i * part.columns + problem.row_dofs[e]] += problem.row_values[e];
  }
}

// The normal row is completed in begin(), where the inverse masses are known.
void DualProblem::add_row_group(const ContactProblem& problem, int first,
                                const std::vector<int>& local_tree) {
  const RowLaw& law = problem.row_laws[first];
  DualBlock block;
  block.begin = filled_;
  block.source = first;
  block.is_group = true;
  block.tangents = law.group;
  block.friction = 1.0;
  block.part_begin = static_cast<int>(parts.size());
  for (int i = 0; i < law.group; ++i) {
    add_row_entries(problem, first + i, local_tree, i, block);
    r[block.begin + i] = -problem.row_laws[first + i].offset / law.slope;
    R[block.begin + i] = 1.0 / law.slope;
  }
  block.part_end = static_cast<int>(parts.size());
  r[block.begin + law.group] = -law.upper;
  filled_ += block.size();
  blocks.push_back(block);
}

void DualProblem::add_row(const ContactProblem& problem, int row, const std::vector<int>& local_tree) {
  const RowLaw& law = problem.row_laws[row];
  if (law.group == 0) return;
  if (law.group > 1) {
    add_row_group(problem, row, local_tree);
    return;
  }
  DualBlock block;
  block.begin = filled_;
  block.source = row;
  block.lower = law.lower;
  block.upper = law.upper;
  block.is_drive = law.is_drive;
  block.part_begin = static_cast<int>(parts.size());
  add_row_entries(problem, row, local_tree, 0, block);
  block.part_end = static_cast<int>(parts.size());
  const int at = block.begin;
  r[at] = -law.offset / law.slope;
  R[at] = 1.0 / law.slope;
  filled_ += block.size();
  blocks.push_back(block);
}

void DualProblem::set_group_normal(const DualBlock& block) {
  const int n = block.tangents, normal = block.begin + n;
  double w = 0.0;
  for (int i = 0; i < n; ++i) {
    w += R[block.begin + i] / n;
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = parts[k];
      const double *x = J.data() + part.begin + i * part.columns,
                   *y = Y.data() + part.begin + i * part.columns;
      for (int c = 0; c < part.columns; ++c) w += x[c] * y[c] / n;
    }
  }
  R[normal] = w;
  r[normal] *= w;
}

void DualProblem::begin(const ContactProblem& problem, const Island& island) {
  blocks.clear();
  tree_sizes.clear();
  tree_offsets.clear();
  A_begin.clear();
  A.clear();
  factors_.clear();
  parts.clear();
  J.clear();
  filled_ = 0;
  local_tree_.assign(problem.trees.size(), -1);
  int velocities = 0;
  for (int k = island.tree_begin; k < island.tree_end; ++k) {
    const int tree = problem.island_trees[k];
    local_tree_[tree] = k - island.tree_begin;
    add_tree(problem, tree);
    velocities += problem.trees[tree].num_v;
  }
  v_free.resize(velocities);
  for (int k = island.tree_begin; k < island.tree_end; ++k) {
    const ProblemTree& tree = problem.trees[problem.island_trees[k]];
    v_free.segment(tree_offsets[k - island.tree_begin], tree.num_v) =
        problem.v_free.segment(tree.v_begin, tree.num_v);
  }
  const int rows = count_rows(problem, island);
  r.resize(rows);
  R.resize(rows);
  linear.assign(static_cast<std::size_t>(rows), Vec3::Zero());
  angular.assign(static_cast<std::size_t>(rows), Vec3::Zero());
  for (int k = island.patch_begin; k < island.patch_end; ++k)
    for (int p = problem.patches[k].begin; p < problem.patches[k].end; ++p)
      add_contact(problem, p, local_tree_);
  for (int k = island.row_begin; k < island.row_end; ++k)
    add_row(problem, problem.island_rows[k], local_tree_);

  // Y = J A^-1, and r += J v_free.
  Y = J;
  for (const DualBlock& block : blocks) {
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = parts[k];
      for (int i = 0; i < block.size(); ++i) {
        double* row = Y.data() + part.begin + i * part.columns;
        solve(part.columns, factors_.data() + A_begin[part.tree], row);
        const double* j = J.data() + part.begin + i * part.columns;
        for (int c = 0; c < part.columns; ++c) r[block.begin + i] += j[c] * v_free[part.offset + c];
      }
    }
    if (block.is_group) set_group_normal(block);
  }
  finish();
  h = problem.h > 0.0 ? problem.h : 1.0;
  set_scales(&problem);
}

void DualProblem::begin_explicit(std::span<const DualBlock> new_blocks, const DualMatrix& matrix,
                                 const VecX& new_r, const VecX& new_R) {
  blocks.assign(new_blocks.begin(), new_blocks.end());
  tree_sizes.clear();
  tree_offsets.clear();
  parts.clear();
  linear.clear();
  angular.clear();
  int begin = 0;
  for (DualBlock& block : blocks) {
    block.begin = begin;
    begin += block.size();
  }
  W = matrix;
  r = new_r;
  R = new_R;
  h = 1.0;
  finish();
  set_scales(nullptr);
}

// Diagonal blocks and rho.
void DualProblem::finish() {
  diagonal_begin_.clear();
  diagonal_.clear();
  for (int b = 0; b < num_blocks(); ++b) {
    DualBlock& block = blocks[b];
    const int n = block.size(), at = static_cast<int>(diagonal_.size());
    diagonal_begin_.push_back(at);
    diagonal_.resize(diagonal_.size() + static_cast<std::size_t>(n * n), 0.0);
    double* D = diagonal_.data() + at;
    if (is_explicit()) {
      for (int k = W.row_begin[b]; k < W.row_begin[b + 1]; ++k)
        if (W.columns[k] == b) std::copy_n(W.values.data() + W.begin[k], n * n, D);
    }
    for (int k = block.part_begin; !is_explicit() && k < block.part_end; ++k) {
      const DualPart& part = parts[k];
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const double *x = J.data() + part.begin + i * part.columns,
                       *y = Y.data() + part.begin + j * part.columns;
          for (int c = 0; c < part.columns; ++c) D[i * n + j] += x[c] * y[c];
        }
      }
    }
    double trace = 0.0;
    for (int i = 0; i < n; ++i) trace += D[i * n + i] + R[block.begin + i];
    // A contact that no impulse moves along its normal is left out of every law.
    const bool gives_way = D[n * n - 1] + R[block.begin + n - 1] > kImmovable * trace;
    block.rho = gives_way ? n / trace : 0.0;
  }
}

void DualProblem::add_velocity(int b, const double* x, double* v) const {
  const DualBlock& block = blocks[b];
  for (int k = block.part_begin; k < block.part_end; ++k) {
    const DualPart& part = parts[k];
    for (int i = 0; i < block.size(); ++i) {
      const double* row = Y.data() + part.begin + i * part.columns;
      double* to = v + part.offset;
      for (int c = 0; c < part.columns; ++c) to[c] += row[c] * x[i];
    }
  }
}

void DualProblem::row_velocity(int b, const double* v, double* out) const {
  const DualBlock& block = blocks[b];
  std::fill(out, out + block.size(), 0.0);
  for (int k = block.part_begin; k < block.part_end; ++k) {
    const DualPart& part = parts[k];
    for (int i = 0; i < block.size(); ++i) {
      const double* row = J.data() + part.begin + i * part.columns;
      const double* from = v + part.offset;
      double sum = 0.0;
      for (int c = 0; c < part.columns; ++c) sum += row[c] * from[c];
      out[i] += sum;
    }
  }
}

void DualProblem::multiply(const VecX& x, VecX* y) const {
  y->resize(r.size());
  if (is_explicit()) {
    y->setZero();
    for (int b = 0; b < num_blocks(); ++b) {
      const int n = blocks[b].size();
      for (int k = W.row_begin[b]; k < W.row_begin[b + 1]; ++k) {
        const DualBlock& other = blocks[W.columns[k]];
        const double* B = W.values.data() + W.begin[k];
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < other.size(); ++j)
            (*y)[blocks[b].begin + i] += B[i * other.size() + j] * x[other.begin + j];
      }
    }
    return;
  }
  velocity_.setZero(num_velocities());
  for (int b = 0; b < num_blocks(); ++b) add_velocity(b, x.data() + blocks[b].begin, velocity_.data());
  for (int b = 0; b < num_blocks(); ++b) row_velocity(b, velocity_.data(), y->data() + blocks[b].begin);
}

void DualProblem::velocities(const VecX& lambda, VecX* s) const {
  multiply(lambda, s);
  *s += r + R.cwiseProduct(lambda);
}

bool DualProblem::is_contradicted_by(const VecX& lambda) const {
  if (is_explicit()) return false;
  // A row at a bound other than zero may have s of any sign: it demands no motion.
  const auto asks = [](const DualBlock& block) {
    return block.rho > 0.0 && (block.is_contact() || ((block.lower == 0.0 || block.lower <= -kNoBound) &&
                                                      (block.upper == 0.0 || block.upper >= kNoBound)));
  };
  velocity_.setZero(num_velocities());
  double demand = 0.0, square = 0.0, moved[kMostRows];
  for (int b = 0; b < num_blocks(); ++b) {
    if (!asks(blocks[b])) continue;
    add_velocity(b, lambda.data() + blocks[b].begin, velocity_.data());
    for (int i = blocks[b].begin; i < blocks[b].begin + blocks[b].size(); ++i) {
      demand -= lambda[i] * r[i];
      square += R[i] * lambda[i] * lambda[i];
    }
  }
  if (!(demand > 0.0)) return false;
  for (int b = 0; b < num_blocks(); ++b) {
    if (!asks(blocks[b])) continue;
    row_velocity(b, velocity_.data(), moved);
    for (int i = 0; i < blocks[b].size(); ++i) square += lambda[blocks[b].begin + i] * moved[i];
  }
  return demand > kMostDemand * motion_scale() * std::sqrt(std::max(0.0, square));
}

void DualProblem::assemble(DualMatrix* out) const {
  if (is_explicit()) {
    *out = W;
    return;
  }
  // The blocks of every tree.
  std::vector<std::vector<int>> of_tree(tree_sizes.size());
  for (int b = 0; b < num_blocks(); ++b)
    for (int k = blocks[b].part_begin; k < blocks[b].part_end; ++k) of_tree[parts[k].tree].push_back(b);
  out->row_begin.assign(1, 0);
  out->columns.clear();
  out->begin.clear();
  out->values.clear();
  std::vector<int> near;
  for (int b = 0; b < num_blocks(); ++b) {
    const DualBlock& block = blocks[b];
    near.assign(1, b);
    for (int k = block.part_begin; k < block.part_end; ++k)
      near.insert(near.end(), of_tree[parts[k].tree].begin(), of_tree[parts[k].tree].end());
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const int c : near) {
      const DualBlock& other = blocks[c];
      const int n = block.size(), m = other.size(), at = static_cast<int>(out->values.size());
      out->columns.push_back(c);
      out->begin.push_back(at);
      out->values.resize(out->values.size() + static_cast<std::size_t>(n * m), 0.0);
      for (int k = block.part_begin; k < block.part_end; ++k) {
        for (int l = other.part_begin; l < other.part_end; ++l) {
          if (parts[k].tree != parts[l].tree) continue;
          for (int i = 0; i < n; ++i) {
            for (int j = 0; j < m; ++j) {
              const double *x = J.data() + parts[k].begin + i * parts[k].columns,
                           *y = Y.data() + parts[l].begin + j * parts[l].columns;
              double sum = 0.0;
              for (int q = 0; q < parts[k].columns; ++q) sum += x[q] * y[q];
              out->values[at + i * m + j] += sum;
            }
          }
        }
      }
    }
    out->row_begin.push_back(static_cast<int>(out->columns.size()));
  }
}

MatX DualProblem::dense() const {
  DualMatrix blocks_of_W;
  assemble(&blocks_of_W);
  MatX out = MatX::Zero(r.size(), r.size());
  for (int b = 0; b < num_blocks(); ++b) {
    for (int k = blocks_of_W.row_begin[b]; k < blocks_of_W.row_begin[b + 1]; ++k) {
      const DualBlock& other = blocks[blocks_of_W.columns[k]];
      for (int i = 0; i < blocks[b].size(); ++i)
        for (int j = 0; j < other.size(); ++j)
          out(blocks[b].begin + i, other.begin + j) =
              blocks_of_W.values[blocks_of_W.begin[k] + i * other.size() + j];
    }
  }
  return out;
}

}  // namespace stiction
