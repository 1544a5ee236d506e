#pragma once
// Coal's broad phases on a crowd of boxes. No Eigen types: Coal is compiled for any x86-64.

#include <memory>
#include <string>

#include "bench/race/contestant.h"

namespace stiction::race {

// Boxes in the world's axes that move; positions come from outside, three numbers a box.
class [[gnu::visibility("default")]] CoalBroadPhase {
 public:
  enum class Method { dynamic_tree, sweep };

  // All boxes are cubes of half edge `half` (m).
  CoalBroadPhase(Method method, int num_boxes, double half);
  ~CoalBroadPhase();

  static std::string version();
  void move(const double* positions);  // and updates the structure
  int count_pairs();                   // of boxes that overlap

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace stiction::race
