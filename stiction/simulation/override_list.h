#pragma once
// Numbers of the model that may differ from world to world, by words: what rollouts, batches and programs that
// do not know a parameter beforehand set by its name.
//
//   apply_override({"pair_friction", {"cup", "table"}, {0.3}}, &world);
//   apply_override({"gravity", {}, {0.0, 0.0, -1.62}}, &world);
//
// Each word is a function of World, and units and rules are those of stiction/simulation/model/overrides.h.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/simulation/world.h"

namespace stiction {

struct OverrideKind {
  const char* word;
  std::vector<const char*> of;  // what its names are of: "body", "shape", ...; none, one or two
  const char* values;           // what its numbers are, with units
  int least = 1, most = 1;      // numbers
  void (*apply)(World* world, std::span<const std::string> names, std::span<const double> values);
};

// The list, in the order of the documentation.
const std::vector<OverrideKind>& override_kinds();
// Throws UserError with the closest word there is.
const OverrideKind& find_override_kind(std::string_view word);

struct Override {
  std::string kind;
  std::vector<std::string> names;
  std::vector<double> values;
};

// Throws UserError for an unknown word, or another number of names or values.
void apply_override(const Override& change, World* world);

// How many values an override takes in a model: that of a shape's size depends on the shape. `given`: as many
// as the caller has, for those that take several numbers of values.
int override_width(const OverrideKind& kind, std::span<const std::string> names, const Model& model,
                   int given);

// Sentences about overrides that cannot act in a model as it is now, because a rule or another shape decides:
//   "the friction of 'box' does not act on 'floor': a pair has the larger friction of the two, and 'floor' has 1"
std::vector<std::string> overrides_without_effect(std::span<const Override> changes, const Model& model);

}  // namespace stiction
