#pragma once
// Which shapes of a model may touch.
//
// Two shapes do not touch if they are fixed to each other; if a joint and nothing else is between their
// bodies, unless the parent does not move (MuJoCo's rule; its flag "filterparent" turns it off); if neither
// can be pushed, because both are static or kinematic; if no bit of one's contype is in the other's
// conaffinity; if their bodies are excluded from each other; or if they are in groups of which one ignores
// the other. Pairs that the model lists by name touch whatever these rules say. On top of that, shapes,
// bodies, pairs and groups can be switched from step to step.

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "stiction/geometry/broad_phase/broad_phase.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

inline constexpr int kMaxCollisionGroups = 64;

// Whether a group touches anything, or touches another one (or itself), in place of what the model says.
struct GroupSwitch {
  int group = 0, other = -1;  // into Elements::collision_groups, group <= other; -1: as a whole
  bool collides = false;
  bool operator==(const GroupSwitch&) const = default;
};

// What does not touch for now, beyond what the model says. Indices into Model::shapes and Forest::bodies.
struct DisabledContacts {
  std::vector<int> shapes, bodies;
  std::vector<std::array<int, 2>> pairs;  // of shapes
  std::vector<GroupSwitch> groups;
  bool operator==(const DisabledContacts&) const = default;
};

// Place of a group in Elements::collision_groups; throws UserError if there is none of this name.
int find_collision_group(const Model& model, std::string_view name);

// Throws UserError where an index is out of range.
void check_disabled(const Model& model, const DisabledContacts& disabled);

// For every body the first one of those that are fixed to each other; the world's is 0.
std::vector<int> fixed_groups(const Forest& forest);

// `shapes` are those that take part, as ascending indices into Model::shapes; they become the filter's items.
PairFilter pair_filter(const Model& model, std::span<const int> shapes,
                       const DisabledContacts& disabled = {});

}  // namespace stiction
