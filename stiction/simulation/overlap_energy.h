#pragma once
// The elastic energy of shapes that overlap in the present state: under a compliant law, and under a rigid one with
// RigidOptions::material_compliance, it becomes motion.
//
//   E = sum 1/2 w k x^2   over the points of a pair, x their overlap, w their weight; Hertz: 2/5 w k x^(5/2), of a
//                         force table: w times the integral of its force; of pressure fields that of
//                         the overlap (geometry/field/pressure_patch.h)
//   v = sqrt(2 E/m)                                  m the mass of the lighter of both trees of bodies
//
// v is the speed of all of that mass if it took all of the energy; parts of it may become faster.

#include <vector>

namespace stiction {

class World;
struct Input;

struct OverlapEnergy {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  double depth = 0.0;            // m, of the deepest point
  double energy = 0.0;           // J; 0 where points have no spring (contact_energy.h)
  double mass = 0.0;             // kg; 0: neither of them moves
  double speed = 0.0;            // m/s
};

// Of all pairs that overlap by more than `depth` (m) under the input, the largest energy first.
std::vector<OverlapEnergy> overlap_energies(const World& world, const Input& input, double depth);

}  // namespace stiction
