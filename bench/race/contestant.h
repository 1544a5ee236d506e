#pragma once
// Alone in this header so that the peers, some of which are slow to compile, depend on little.

#include <functional>
#include <string>

namespace stiction::race {

// One side of a race, or one of several ways in which a side can do the work.
struct Contestant {
  std::string name;
  std::function<void()> run;  // does `pieces` pieces of work
  int pieces = 1;
};

}  // namespace stiction::race
