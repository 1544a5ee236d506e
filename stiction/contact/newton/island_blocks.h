#pragma once
// The block rows of an island's Hessian, and which pairs of them are coupled.
//
// Block rows are trees, or branches of trees (problem.h). The limbs of a robot are coupled only through their
// ancestors, and a contact couples the branches of its two bodies and their ancestors. With branches the
// factor of a humanoid takes half of the work, and that of two humanoids in contact a third.

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/math/elimination_order.h"

namespace stiction {

class IslandBlocks {
 public:
  enum class Kind : std::uint8_t { none, trees, branches };
  // Two branches of one tree that A, a patch or a row couples.
  struct InnerPair {
    int row, col;  // row > col
    int pair;      // its number among all pairs
    int tree;      // local
  };

  Kind kind() const { return kind_; }
  void clear() { kind_ = Kind::none; }
  // offsets: the first velocity of every tree of the island, among all of them.
  void set(const ContactProblem& problem, const Island& island, const std::vector<int>& local_tree,
           const std::vector<int>& offsets, Kind kind);
  // The number of the pair (i, j), blocks of two trees; a new one if there is none yet. Where blocks are
  // whole trees, a pair may be listed more than once.
  int couple(int i, int j);
  // The same for two blocks of one tree.
  void couple_inside(int tree, int i, int j);

  std::span<const int> sizes() const { return sizes_; }
  std::span<const BlockPair> pairs() const { return pairs_; }
  std::span<const InnerPair> inner_pairs() const { return inner_pairs_; }
  int first_of(int block) const { return first_[block]; }  // among the island's velocities
  int parent_of(int block) const { return parent_[block]; }
  int block_of(int velocity) const { return is_single() ? 0 : block_of_[velocity]; }
  int tree_of(int block) const { return tree_of_[block]; }  // local
  int begin_of_tree(int local_tree) const { return tree_begin_[local_tree]; }
  int end_of_tree(int local_tree) const { return tree_begin_[local_tree + 1]; }
  bool is_one_block(int local_tree) const { return end_of_tree(local_tree) - begin_of_tree(local_tree) == 1; }
  // The deepest branch of a body of the problem that is in the island.
  int deepest_of(int body) const { return deepest_[body]; }
  // The pairs of the k-th patch of the island, if its bodies are of different trees, else null: every branch
  // from B's deepest to the root with every branch from A's deepest to the root, A's index running fastest.
  const int* pairs_of_patch(int k) const {
    if (is_single()) return nullptr;
    return patch_begin_[k] < patch_begin_[k + 1] ? patch_pairs_.data() + patch_begin_[k] : nullptr;
  }

 private:
  bool is_single() const { return sizes_.size() == 1; }
  bool is_ancestor(int block, int other) const;
  void add_inner_pairs(int tree, int a, int b);
  int find_or_add(int i, int j);
  void rehash(std::size_t size);

  Kind kind_ = Kind::none;
  std::vector<int> sizes_, first_, parent_, tree_of_;
  std::vector<int> block_of_, tree_begin_;
  std::vector<int> deepest_;  // by body of the problem
  std::vector<BlockPair> pairs_;
  std::vector<InnerPair> inner_pairs_;
  std::vector<int> patch_begin_, patch_pairs_;
  std::vector<int> slots_;  // hash table of pairs, -1: empty; its size is a power of two
};

}  // namespace stiction
