#pragma once
// The spring by which a person pulls a point of a body to a place.
//
//   f = k (to - p) - d v_p,     k = min(m_t w^2, m_p/(5 h)^2),     d = min(2 sqrt(k m_t), m_p/(2 h)),
//
// with m_t the mass of all that hangs together with the body, w = 15 rad/s, and m_p the smallest mass that
// the point has in any direction if its body were free, 1/m_p = |1/m - [r] I^-1 [r]|. The force is constant
// over a step; the bounds by m_p keep it stable for any step h: the spring turns its own motion by at most
// 1/5 rad in a step, and the damper takes at most half of the point's velocity. Turning is damped with the
// moment -w/2 I omega.

#include "stiction/simulation/world.h"

namespace stiction::viewer {

struct DragSpring {
  int body = -1;             // -1: nobody pulls
  Vec3 p_B = Vec3::Zero();   // m, in the body
  Vec3 to_W = Vec3::Zero();  // m, in the world
};

// Throws UserError for a body that is not there or does not move by itself, and for numbers that are not
// finite.
void check_drag(const Model& model, const DragSpring& drag);

// The wrench in a step of h that begins now.
BodyWrench drag_wrench(const World& world, const DragSpring& drag, double h);

}  // namespace stiction::viewer
