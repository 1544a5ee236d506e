#pragma once
// Removes overlaps, violated limits and open loops of a state before time begins, without a speed.
//
//   World world(load_model_file("robot.xml"));
//   const SettleReport report = settle(&world);    // world.settle() in Python, --settle, settle = true
//
// Compliant overlaps at the start are energy of the law: what is written 10 mm into the floor is thrown up. This
// moves positions by the least steps that part what overlaps,
//
//   minimise  1/2 dq' A dq   subject to   phi + J dq >= 0  (contacts, limits),   phi + J dq = 0  (loops, locks),
//
// without friction and without forces, each a rigid contact problem (convex_cone, Newton) from rest in which a
// contact moves by at most kLargestMove, until nothing overlaps by more than kSettledOverlap or nothing gets
// better. A is the mass matrix: light bodies make way for heavy ones. In a tree with a free root all other joints
// have kJointWeight times the inertia of the tree (or its mass, those that slide), so that a robot is lifted out of the floor in its posture, and its joints
// move only where that does not do.
//
// Time, velocities, activations and inputs stay. Gravity does not act: what hangs in the air stays there, and what
// stood at its rest depth then starts at a distance of zero.

#include <string>

namespace stiction {

class World;

inline constexpr double kSettledOverlap = 1e-6;  // m (rad of joints)
inline constexpr double kLargestMove = 5e-2;     // m (rad of joints) in one step
inline constexpr double kJointWeight = 1e3;

struct SettleReport {
  int steps = 0;                         // 0: nothing had to move
  double overlap_before = 0.0;           // m, of the deepest pair
  double overlap = 0.0;                  // m, of the deepest pair that is left
  std::string shape1 = {}, shape2 = {};  // that pair, if it is deeper than kSettledOverlap
  double violation = 0.0;                // m or rad, of the limits and loops that are left
  double moved = 0.0;                    // m, of the body's origin that moved most
  std::string body = {};                 // that body
  bool settled() const { return overlap <= kSettledOverlap && violation <= kSettledOverlap; }
  // "3 steps, ...", one line.
  std::string text() const;
};

SettleReport settle(World* world);

}  // namespace stiction
