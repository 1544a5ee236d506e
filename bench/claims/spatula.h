#pragma once
// The gripper of row S10 (spatula.cpp), and why what it holds turns on while it closes (spatula_closing.cpp).

#include <string>

#include "bench/claims/measure.h"

namespace stiction::claims {

inline constexpr double kGripStep = 5e-3;  // s, of S

struct Grip {
  double h = kGripStep;
  // s, of the bubbles on the handle; S gives none. Materials without one have one step: this, at S's.
  double relaxation_time = kGripStep;
  bool has_public_moments = true;  // false: those of a rod
  LawKind law = LawKind::sap;      // others have the same spring and damper
};
World gripper(const Grip& grip);
void set_grip(double force, World* world);  // N
double pitch_of(const World& world);        // degrees

// What happens from a state in which the loose grip is about to become firm, by steps and by how fast the
// force rises. Saves the figures under this name; the text says what they show.
std::string why_the_pitch_goes_on(const ClaimContext& context, const State& start, const std::string& name);

}  // namespace stiction::claims
