#pragma once
// In which order to eliminate the unknowns of a sparse symmetric matrix, so that its Cholesky factor stays
// sparse.
//
// Eliminating node p joins all its neighbours with each other. Minimum degree takes the node with the fewest
// (weighted) neighbours first. The joined cliques are never written out: an eliminated node stays in the
// graph as an *element* that lists its members L_p, and a node i is described by its remaining neighbours A_i
// and elements E_i. The degree is the bound of Amestoy, Davis and Duff,
//
//   d_i = min( remaining - |i|,  d_i_old + |L_p \ i|,  |A_i \ i| + |L_p \ i| + sum_e |L_e \ L_p| )
//
// with e over E_i. Nodes with equal (A_i, E_i) are merged and eliminated together, elements inside another
// one are absorbed.
// Reference: P. R. Amestoy, T. A. Davis, I. S. Duff, "An approximate minimum degree ordering algorithm", SIAM
// J. Matrix Anal. Appl. 17(4), 1996. Ours: elements are appended to one growing array (their sum is below the
// size of the factor), so there is no garbage collection. Ties go to the node whose degree changed last; the
// same graph gives the same order.

#include <cstdint>
#include <span>
#include <vector>

namespace stiction {

// Two block rows that share an off-diagonal block, in any order; (i, i) is allowed and adds nothing.
struct BlockPair {
  int row = 0;
  int col = 0;
  friend bool operator==(const BlockPair&, const BlockPair&) = default;
};

// An undirected graph: neighbours of node i are neighbours[start[i] .. start[i + 1]), each once, without i
// itself.
struct BlockGraph {
  std::vector<int> start;
  std::vector<int> neighbours;

  int size() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> of(int i) const {
    return {neighbours.data() + start[i], neighbours.data() + start[i + 1]};
  }
  // Pairs may repeat. Reuses memory.
  void build(int nodes, std::span<const BlockPair> pairs);

 private:
  std::vector<int> seen_by_;
};

class MinimumDegree {
 public:
  // (*order)[k] is the node eliminated k-th. weights > 0: how many unknowns, in any unit, a node stands for.
  void compute(const BlockGraph& graph, std::span<const int> weights, std::vector<int>* order);

 private:
  void initialise(const BlockGraph& graph, std::span<const int> weights);
  void insert_by_degree(int i, int degree);
  void remove_from_degrees(int i);
  int take_node_of_least_degree();
  void form_element(int p);
  void join_element(int i);
  void measure_overlaps(int p);
  void update_neighbours(int p);
  void merge_indistinguishable(int p);
  void merge(int into, int from);
  bool same_neighbours_as_marked(int j, int i) const;
  void finish_element(int p);
  void emit(int p, std::vector<int>* order) const;

  std::vector<int> links_;                      // the lists of all nodes: elements E_i, then neighbours A_i
  std::vector<int> first_, elements_, length_;  // list of node i: where, |E_i|, |E_i| + |A_i|
  std::vector<int> weight_;   // > 0 node, < 0 node in the element being formed, 0 eliminated
  std::vector<int> degree_;   // of a node; of an element the weight of its members
  std::vector<int> members_;  // the lists L_e of all elements
  std::vector<int> member_first_, member_count_;
  std::vector<std::int64_t> outside_;              // element: 0 absorbed, else stamp_ + |L_e \ L_p|
  std::vector<int> head_, next_, previous_;        // nodes by degree
  std::vector<int> hash_, hash_head_, hash_next_;  // nodes of L_p by a checksum of their lists
  std::vector<int> marked_by_;                     // scratch of the comparison
  std::vector<int> merged_next_, merged_last_;     // nodes merged into a node, as a chain
  std::vector<int> dense_;                         // nodes with very many neighbours: eliminated last
  std::int64_t stamp_ = 0;
  int least_degree_ = 0, remaining_ = 0, total_ = 0, element_weight_ = 0, marks_ = 0;
};

// The elimination tree: parent[j] is the first row below the diagonal in column j of the factor, -1 for a
// root. Reference: J. W. H. Liu, "The role of elimination trees in sparse factorization", SIAM J. Matrix
// Anal. Appl. 11, 1990.
class EliminationTree {
 public:
  // Computes the tree and renumbers order so that every subtree is contiguous and ends in its root (a
  // postorder: same fill, longer runs of equal columns). On return parent() and position() belong to the new
  // order.
  void build(const BlockGraph& graph, std::vector<int>* order);

  // rows[k]: scalar rows below the diagonal in the k-th column of the factor. sizes: by node.
  void count_rows_below(const BlockGraph& graph, std::span<const int> order, std::span<const int> sizes,
                        std::vector<int>* rows);

  const std::vector<int>& parent() const { return parent_; }
  const std::vector<int>& position() const { return position_; }  // position()[(*order)[k]] = k

 private:
  std::vector<int> parent_, position_, ancestor_, child_, sibling_, stack_, rank_, scratch_;
};

}  // namespace stiction
