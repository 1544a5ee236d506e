#pragma once
// The contact forces of the last step, read from its record: by point, by pair of bodies, by body. A force is
// the impulse divided by h. For a step taken in parts (step_record.h) all points of all parts are listed,
// each with its impulse divided by the h of the whole step. Torsional and rolling friction add a moment.

#include <vector>

#include "stiction/simulation/step_record.h"

namespace stiction {

// One contact point. Bodies and shapes as in CollisionRecord: n points from A into B, `force` acts on B and
// minus `force` on A.
struct ContactForce {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  int body_A = 0, body_B = 0;
  Vec3 p_W;               // m, halfway between the two surfaces
  Vec3 n;                 // unit, in W
  double distance = 0.0;  // m, at the start of the step; negative: overlap
  Vec3 force;             // N, in W
  Vec3 moment;            // N m, in W: of torsional and rolling friction, on B at the point
};

// Force (N, in W) on B at the k-th point of a ShapePair, in one part of a step.
Vec3 contact_force(const StepRecord& r, int pair, int k);
// The moment (N m) on B at that point.
Vec3 contact_moment(const StepRecord& r, int pair, int k);

// All points of the step, pair by pair, including those without force.
void contact_forces(const StepRecord& record, std::vector<ContactForce>* forces);
std::vector<ContactForce> contact_forces(const StepRecord& record);

// Sum of the contact forces on a body, from all bodies or from one other body: (moment about p_W, force), in
// W.
Vec6 contact_wrench(const StepRecord& record, int on_body, const Vec3& p_W);
Vec6 contact_wrench(const StepRecord& record, int of_body, int on_body, const Vec3& p_W);

// The total force (N) that static bodies exert on all others.
Vec3 static_contact_force(const Model& model, const StepRecord& record);

// The deepest overlap at the start of the step (m); 0: no overlap.
double deepest_overlap(const StepRecord& record);

}  // namespace stiction
