#pragma once
// The forces of contact of the last step, read from its record: by point, by pair of bodies, by body. A force
// is the impulse divided by h; of a step in parts (step_record.h) all points of all parts are there, each with its
// impulse over the h of the whole step. Torsional and rolling friction give a moment beside it.

#include <vector>

#include "stiction/simulation/step_record.h"

namespace stiction {

// One point of contact. Bodies and shapes as in CollisionRecord: n points from A into B, `force` acts on B
// and minus `force` on A.
struct ContactForce {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  int body_A = 0, body_B = 0;
  Vec3 p_W;               // m, halfway between the two surfaces
  Vec3 n;                 // unit, in W
  double distance = 0.0;  // m, at the start of the step; negative: overlap
  Vec3 force;             // N, in W
  Vec3 moment;            // N m, in W: of torsional and rolling friction, on B at the point
};

// Force (N) on B of a ShapePair of one part of a step at the k-th of its points, in W.
Vec3 contact_force(const StepRecord& r, int pair, int k);
// The moment (N m) beside it.
Vec3 contact_moment(const StepRecord& r, int pair, int k);

// All points of the step, pair by pair, those that push nothing included.
void contact_forces(const StepRecord& record, std::vector<ContactForce>* forces);
std::vector<ContactForce> contact_forces(const StepRecord& record);

// What a body is pushed with by all it touches, or by one other body: (moment about p_W, force), in W.
Vec6 contact_wrench(const StepRecord& record, int on_body, const Vec3& p_W);
Vec6 contact_wrench(const StepRecord& record, int of_body, int on_body, const Vec3& p_W);

// The force (N) that static bodies put on all others.
Vec3 static_contact_force(const Model& model, const StepRecord& record);

// The deepest overlap at the start of the step (m), 0 where nothing overlaps.
double deepest_overlap(const StepRecord& record);

}  // namespace stiction
