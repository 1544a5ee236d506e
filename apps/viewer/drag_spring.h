#pragma once
// The spring by which a person pulls a point of a body towards a position.
//
//   f = k (to - p) - d v_p
//   k = min(m_t w^2, m_p/(5 h)^2)
//   d = min(2 sqrt(k m_t), m_p/(2 h))
//
// m_t is the mass of the whole tree of the body, w = 15 rad/s, and m_p the smallest effective mass of the
// point in any direction if its body were free, 1/m_p = |1/m - [r] I^-1 [r]|. The force is constant over a
// step; the bounds by m_p keep it stable for any step h: the phase of the spring's oscillation advances by at
// most 1/5 rad in a step, and the damper removes at most half of the point's velocity. Rotation is damped with the
// moment -w/2 I omega, w at most 1/(5 h).

#include "stiction/simulation/world.h"

namespace stiction::viewer {

struct DragSpring {
  int body = -1;             // -1: no body is pulled
  Vec3 p_B = Vec3::Zero();   // m, in the body
  Vec3 to_W = Vec3::Zero();  // m, in the world
};

// Throws UserError for a body that does not exist or is static or kinematic, and for numbers that are not
// finite.
void check_drag(const Model& model, const DragSpring& drag);

// The wrench during a step of h from the present state.
BodyWrench drag_wrench(const World& world, const DragSpring& drag, double h);

}  // namespace stiction::viewer
