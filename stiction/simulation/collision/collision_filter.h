#pragma once
// Which shapes of a model may collide.
//
// Two shapes do not collide if
//   - they are fixed to each other;
//   - their bodies are parent and child of a joint, unless the parent is static (MuJoCo's rule; its flag
//     "filterparent" switches it off);
//   - neither can be pushed, because both are static or kinematic;
//   - no bit of one's contype is in the other's conaffinity;
//   - their bodies are excluded from each other;
//   - they are in groups of which one ignores the other.
// Pairs that the model lists by name always collide. In addition, shapes, bodies, pairs and groups can be
// switched off and on from step to step.

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "stiction/geometry/broad_phase/broad_phase.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

inline constexpr int kMaxCollisionGroups = 64;

// Switches a group as a whole, or a pair of groups (or one with itself), overriding the model.
struct GroupSwitch {
  int group = 0, other = -1;  // into Elements::collision_groups, group <= other; -1: as a whole
  bool collides = false;
  bool operator==(const GroupSwitch&) const = default;
};

// Contacts that are switched off at present, in addition to the model's rules. Indices into Model::shapes and
// Forest::bodies.
struct DisabledContacts {
  std::vector<int> shapes, bodies;
  std::vector<std::array<int, 2>> pairs;  // of shapes
  std::vector<GroupSwitch> groups;
  bool operator==(const DisabledContacts&) const = default;
};

// Index of a group in Elements::collision_groups; throws UserError if there is none of this name.
int find_collision_group(const Model& model, std::string_view name);

// Throws UserError where an index is out of range.
void check_disabled(const Model& model, const DisabledContacts& disabled);

// By body: the first of the bodies that are fixed to each other; for those fixed to the world it is 0.
std::vector<int> fixed_groups(const Forest& forest);

// `shapes`: those that can collide, as ascending indices into Model::shapes; they become the filter's items.
PairFilter pair_filter(const Model& model, std::span<const int> shapes,
                       const DisabledContacts& disabled = {});

}  // namespace stiction
