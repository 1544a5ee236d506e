#pragma once
// Springs and dampers on the joints.
//
//   hinge, slide, screw   tau = -k (q - q_n) - d v                  one k and d per velocity
//   ball                  r = log(R_n' R),  energy 1/2 r' K r
//                         tau = -Jr(r)^-T K r - d v                 K diagonal, in the body's axes
//   free                  rotation as a ball; force -K (p - p_n)    on the body's origin, in world axes
//
// with the neutral position q_n, R_n, p_n (Joint::neutral) and the right Jacobian of SO(3),
//
//   Jr^-1(r) = 1 + [r]/2 + c [r]^2,   c = 1/t^2 - (1 + cos t) / (2 t sin t),   t = |r|.

#include "stiction/multibody/tree.h"

namespace stiction {

// tau += spring forces at q.
void add_spring_forces(const Forest& forest, const double* q, double* tau);
// tau -= damping * v.
void add_damping_forces(const Forest& forest, const double* v, double* tau);
// J.
double spring_energy(const Forest& forest, const double* q);

// c of Jr^-1 above at the angle t (rad).
double rotation_jacobian_coefficient(double t);

}  // namespace stiction
