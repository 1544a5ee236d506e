#pragma once
// Which shapes of a model may touch.
//
// Two shapes do not touch if they are fixed to each other; if a joint and nothing else is between their
// bodies, unless the parent does not move (MuJoCo's rule; its flag "filterparent" turns it off); if neither
// can be pushed, because both are static or kinematic; if no bit of one's contype is in the other's
// conaffinity; or if their bodies are excluded from each other. Pairs that the model lists by name touch
// whatever these rules say. On top of that, shapes, bodies and pairs can be switched off from step to step.

#include <array>
#include <span>
#include <vector>

#include "stiction/geometry/broad_phase.h"
#include "stiction/simulation/model.h"

namespace stiction {

// What does not touch for now, beyond what the model says. Indices into Model::shapes and Forest::bodies.
struct DisabledContacts {
  std::vector<int> shapes, bodies;
  std::vector<std::array<int, 2>> pairs;  // of shapes
  bool operator==(const DisabledContacts&) const = default;
};

// Throws UserError where an index is out of range.
void check_disabled(const Model& model, const DisabledContacts& disabled);

// For every body the first one of those that are fixed to each other; the world's is 0.
std::vector<int> fixed_groups(const Forest& forest);

// `shapes` are those that take part, as ascending indices into Model::shapes; they become the filter's items.
PairFilter pair_filter(const Model& model, std::span<const int> shapes,
                       const DisabledContacts& disabled = {});

}  // namespace stiction
