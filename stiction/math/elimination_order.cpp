#include "stiction/math/elimination_order.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "stiction/base/check.h"

namespace stiction {

void BlockGraph::build(int nodes, std::span<const BlockPair> pairs) {
  // Count and place both directions of every pair.
  start.assign(nodes + 1, 0);
  for (const BlockPair& pair : pairs) {
    STICTION_ASSERT(0 <= pair.row && pair.row < nodes && 0 <= pair.col && pair.col < nodes);
    if (pair.row == pair.col) continue;
    ++start[pair.row];
    ++start[pair.col];
  }
  int sum = 0;
  for (int i = 0; i <= nodes; ++i) sum += start[i], start[i] = sum;
  neighbours.resize(sum);
  for (const BlockPair& pair : pairs) {
    if (pair.row == pair.col) continue;
    neighbours[--start[pair.row]] = pair.col;
    neighbours[--start[pair.col]] = pair.row;
  }

  // Drop repeated neighbours.
  seen_by_.assign(nodes, -1);
  int kept = 0;
  for (int i = 0, begin = 0; i < nodes; ++i) {
    const int end = start[i + 1];
    start[i] = kept;
    for (int k = begin; k < end; ++k) {
      const int j = neighbours[k];
      if (seen_by_[j] == i) continue;
      seen_by_[j] = i;
      neighbours[kept++] = j;
    }
    begin = end;
  }
  start[nodes] = kept;
  neighbours.resize(kept);
}

void MinimumDegree::compute(const BlockGraph& graph, std::span<const int> weights, std::vector<int>* order) {
  initialise(graph, weights);
  order->clear();
  while (remaining_ > 0) {
    const int p = take_node_of_least_degree();
    form_element(p);
    measure_overlaps(p);
    update_neighbours(p);
    merge_indistinguishable(p);
    finish_element(p);
    emit(p, order);
  }
  for (int i : dense_) order->push_back(i);
}

void MinimumDegree::initialise(const BlockGraph& graph, std::span<const int> weights) {
  const int n = graph.size();
  STICTION_ASSERT(static_cast<int>(weights.size()) == n);
  links_.assign(graph.neighbours.begin(), graph.neighbours.end());
  first_.assign(graph.start.begin(), graph.start.end() - 1);
  elements_.assign(n, 0);
  length_.resize(n);
  weight_.assign(weights.begin(), weights.end());
  degree_.resize(n);
  members_.clear();
  member_first_.resize(n);
  member_count_.resize(n);
  outside_.assign(n, 0);
  next_.resize(n);
  previous_.resize(n);
  hash_.resize(n);
  hash_head_.assign(std::bit_ceil(static_cast<unsigned>(n)), -1);
  hash_next_.resize(n);
  marked_by_.assign(n, -1);
  merged_next_.assign(n, -1);
  merged_last_.resize(n);
  dense_.clear();
  stamp_ = 1;
  marks_ = 0;

  // A node adjacent to a large part of the graph comes last in any good order, and updating it is slow. The
  // bound is that of AMD: 10 sqrt(n), at least 16.
  const int dense_degree = std::max(16, static_cast<int>(10 * std::sqrt(n)));
  for (int i = 0; i < n; ++i) {
    merged_last_[i] = i;
    length_[i] = static_cast<int>(graph.of(i).size());
    if (length_[i] <= dense_degree) continue;
    dense_.push_back(i);
    weight_[i] = 0;
  }
  total_ = 0;
  for (int i = 0; i < n; ++i) total_ += weight_[i];
  remaining_ = total_;
  least_degree_ = total_;
  head_.assign(total_ + 1, -1);
  for (int i = n - 1; i >= 0; --i) {
    if (weight_[i] == 0) continue;
    int degree = 0;
    for (int j : graph.of(i)) degree += weight_[j];
    insert_by_degree(i, degree);
  }
}

void MinimumDegree::insert_by_degree(int i, int degree) {
  degree_[i] = degree;
  previous_[i] = -1;
  next_[i] = head_[degree];
  if (next_[i] >= 0) previous_[next_[i]] = i;
  head_[degree] = i;
  least_degree_ = std::min(least_degree_, degree);
}

void MinimumDegree::remove_from_degrees(int i) {
  if (next_[i] >= 0) previous_[next_[i]] = previous_[i];
  if (previous_[i] >= 0)
    next_[previous_[i]] = next_[i];
  else
    head_[degree_[i]] = next_[i];
}

int MinimumDegree::take_node_of_least_degree() {
  while (head_[least_degree_] < 0) ++least_degree_;
  const int p = head_[least_degree_];
  remove_from_degrees(p);
  return p;
}

// L_p: the neighbours of p and the members of its elements, which p absorbs.
void MinimumDegree::form_element(int p) {
  remaining_ -= weight_[p];
  weight_[p] = 0;
  element_weight_ = 0;
  member_first_[p] = static_cast<int>(members_.size());
  const int middle = first_[p] + elements_[p], end = first_[p] + length_[p];
  for (int k = middle; k < end; ++k) join_element(links_[k]);
  for (int k = first_[p]; k < middle; ++k) {
    const int e = links_[k];
    for (int m = member_first_[e], m_end = m + member_count_[e]; m < m_end; ++m) join_element(members_[m]);
    outside_[e] = 0;
  }
  member_count_[p] = static_cast<int>(members_.size()) - member_first_[p];
}

void MinimumDegree::join_element(int i) {
  if (weight_[i] <= 0) return;
  remove_from_degrees(i);
  element_weight_ += weight_[i];
  weight_[i] = -weight_[i];
  members_.push_back(i);
}

// outside_[e] - stamp_ becomes |L_e \ L_p| for every element that shares a node with p.
void MinimumDegree::measure_overlaps(int p) {
  stamp_ += total_ + 1;  // above every value of the round before
  for (int m = member_first_[p], m_end = m + member_count_[p]; m < m_end; ++m) {
    const int i = members_[m];
    for (int k = first_[i], end = k + elements_[i]; k < end; ++k) {
      std::int64_t& outside = outside_[links_[k]];
      if (outside == 0) continue;
      if (outside < stamp_) outside = stamp_ + degree_[links_[k]];
      outside += weight_[i];
    }
  }
}

// Rewrites the lists of the members of p without what is absorbed, and bounds their degree outside L_p.
void MinimumDegree::update_neighbours(int p) {
  for (int m = member_first_[p], m_end = m + member_count_[p]; m < m_end; ++m) {
    const int i = members_[m];
    const int first = first_[i], middle = first + elements_[i], end = first + length_[i];
    int kept = first, degree = 0;
    unsigned hash = 0;
    for (int k = first; k < middle; ++k) {
      const int e = links_[k];
      if (outside_[e] == 0) continue;
      const int outside = static_cast<int>(outside_[e] - stamp_);
      if (outside == 0) {  // L_e lies inside L_p
        outside_[e] = 0;
        continue;
      }
      degree += outside;
      hash += e;
      links_[kept++] = e;
    }
    const int kept_elements = kept - first;
    for (int k = middle; k < end; ++k) {
      const int j = links_[k];
      if (weight_[j] <= 0) continue;  // eliminated, or reached through p
      degree += weight_[j];
      hash += j;
      links_[kept++] = j;
    }

    if (degree == 0) {  // nothing but p: eliminated together with it
      element_weight_ += weight_[i];
      remaining_ += weight_[i];
      merge(p, i);
      continue;
    }

    // p becomes the last element; at least one entry left the list, so there is room.
    links_[kept] = links_[first + kept_elements];
    links_[first + kept_elements] = p;
    elements_[i] = kept_elements + 1;
    length_[i] = kept + 1 - first;
    degree_[i] = std::min(degree_[i], degree);
    hash_[i] = static_cast<int>(hash & (hash_head_.size() - 1));
    hash_next_[i] = hash_head_[hash_[i]];
    hash_head_[hash_[i]] = i;
  }
}

void MinimumDegree::merge_indistinguishable(int p) {
  for (int m = member_first_[p], m_end = m + member_count_[p]; m < m_end; ++m) {
    if (weight_[members_[m]] == 0) continue;
    int i = hash_head_[hash_[members_[m]]];
    hash_head_[hash_[members_[m]]] = -1;
    for (; i >= 0 && hash_next_[i] >= 0; i = hash_next_[i]) {
      ++marks_;
      for (int k = first_[i], end = k + length_[i]; k < end; ++k) marked_by_[links_[k]] = marks_;
      int before = i;
      for (int j = hash_next_[i]; j >= 0; j = hash_next_[j]) {
        if (same_neighbours_as_marked(j, i)) {
          weight_[i] += weight_[j];
          merge(i, j);
          hash_next_[before] = hash_next_[j];
        } else {
          before = j;
        }
      }
    }
  }
}

bool MinimumDegree::same_neighbours_as_marked(int j, int i) const {
  if (length_[i] != length_[j] || elements_[i] != elements_[j]) return false;
  for (int k = first_[j], end = k + length_[j]; k < end; ++k)
    if (marked_by_[links_[k]] != marks_) return false;
  return true;
}

void MinimumDegree::merge(int into, int from) {
  weight_[from] = 0;
  merged_next_[merged_last_[into]] = from;
  merged_last_[into] = merged_last_[from];
}

// The members go back to the degree lists; merged ones leave L_p.
void MinimumDegree::finish_element(int p) {
  int kept = member_first_[p];
  for (int m = kept, m_end = m + member_count_[p]; m < m_end; ++m) {
    const int i = members_[m];
    if (weight_[i] == 0) continue;
    weight_[i] = -weight_[i];
    members_[kept++] = i;
    insert_by_degree(i, std::min(degree_[i] + element_weight_, remaining_) - weight_[i]);
  }
  members_.resize(kept);
  member_count_[p] = kept - member_first_[p];
  degree_[p] = element_weight_;
  outside_[p] = element_weight_ > 0 ? 1 : 0;
}

void MinimumDegree::emit(int p, std::vector<int>* order) const {
  for (int i = p; i >= 0; i = merged_next_[i]) order->push_back(i);
}

void EliminationTree::build(const BlockGraph& graph, std::vector<int>* order) {
  const int n = graph.size();
  STICTION_ASSERT(static_cast<int>(order->size()) == n);
  position_.resize(n);
  for (int k = 0; k < n; ++k) position_[(*order)[k]] = k;

  // Row k becomes the parent of the root of every subtree that it reaches; ancestor_ shortens paths already
  // walked.
  parent_.assign(n, -1);
  ancestor_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    for (int neighbour : graph.of((*order)[k])) {
      int j = position_[neighbour];
      while (j < k) {
        const int above = ancestor_[j];
        ancestor_[j] = k;
        if (above < 0) {
          parent_[j] = k;
          break;
        }
        j = above;
      }
    }
  }

  // Depth-first from the roots, children in ascending order; rank_[j] is the new number of node j.
  child_.assign(n, -1);
  sibling_.resize(n);
  for (int j = n - 1; j >= 0; --j) {
    if (parent_[j] < 0) continue;
    sibling_[j] = child_[parent_[j]];
    child_[parent_[j]] = j;
  }
  rank_.resize(n);
  stack_.clear();
  int count = 0;
  for (int root = 0; root < n; ++root) {
    if (parent_[root] >= 0) continue;
    stack_.push_back(root);
    while (!stack_.empty()) {
      const int j = stack_.back(), next = child_[j];
      if (next >= 0) {
        child_[j] = sibling_[next];
        stack_.push_back(next);
      } else {
        rank_[j] = count++;
        stack_.pop_back();
      }
    }
  }

  // Renumber order, positions and parents.
  scratch_.assign(order->begin(), order->end());
  for (int j = 0; j < n; ++j) (*order)[rank_[j]] = scratch_[j];
  for (int k = 0; k < n; ++k) position_[(*order)[k]] = k;
  for (int j = 0; j < n; ++j) scratch_[rank_[j]] = parent_[j] < 0 ? -1 : rank_[parent_[j]];
  parent_.swap(scratch_);
}

// Row k of the factor holds the columns on the paths from its entries in the matrix up to k.
void EliminationTree::count_rows_below(const BlockGraph& graph, std::span<const int> order,
                                       std::span<const int> sizes, std::vector<int>* rows) {
  rows->assign(order.size(), 0);
  ancestor_.assign(order.size(), -1);  // the last row that has passed a column
  for (int k = 0; k < static_cast<int>(order.size()); ++k) {
    ancestor_[k] = k;
    for (const int neighbour : graph.of(order[k])) {
      for (int j = position_[neighbour]; j < k && ancestor_[j] != k; j = parent_[j]) {
        (*rows)[j] += sizes[order[k]];
        ancestor_[j] = k;
      }
    }
  }
}

}  // namespace stiction
