#pragma once

// Integers that cannot be mixed up: a BodyIndex is not a JointIndex, and neither turns into an int unasked.
//
//   BodyIndex body(3);
//   masses[body.value()];          // the plain int
//
// A default-made index is invalid (-1). There is no arithmetic: an index is a name, not a number.

#include <compare>
#include <cstddef>
#include <functional>

namespace stiction {

template <class Tag>
class Index {
 public:
  constexpr Index() = default;
  explicit constexpr Index(int value) : value_(value) {}

  constexpr int value() const { return value_; }
  explicit constexpr operator int() const { return value_; }
  constexpr bool is_valid() const { return value_ >= 0; }

  friend constexpr auto operator<=>(Index, Index) = default;

 private:
  int value_ = -1;
};

using BodyIndex = Index<struct BodyTag>;    // a body of the model
using JointIndex = Index<struct JointTag>;  // a joint of the model
using DofIndex = Index<struct DofTag>;      // a degree of freedom: an entry of v
using TreeIndex = Index<struct TreeTag>;    // a tree of the forest

}  // namespace stiction

template <class Tag>
struct std::hash<stiction::Index<Tag>> {
  std::size_t operator()(stiction::Index<Tag> index) const noexcept {
    return std::hash<int>()(index.value());
  }
};
