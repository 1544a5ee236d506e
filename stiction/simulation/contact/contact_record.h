#pragma once
// The contact problem of a step and its solution: the part of the StepRecord that assemble_problem and the
// solver fill.

#include <memory>
#include <vector>

#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/problem.h"
#include "stiction/contact/dual/rigid_solver.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/contact/contact_model.h"
#include "stiction/simulation/contact/point_mobility.h"

namespace stiction {

// The surface of a shape moves against its body: a conveyor belt.
struct SurfaceVelocity {
  int shape = 0;  // in Model::shapes
  Vec3 v_B;       // m/s, in the axes of its body
  bool operator==(const SurfaceVelocity&) const = default;
};

// What became of one ShapePair of the CollisionRecord: its points are
// problem points [begin, begin + number of points), in the same order.
struct ContactPairMap {
  int begin = -1;           // in the problem; -1: no points
  bool is_swapped = false;  // the problem's A is the pair's B: impulses act on the pair's A
};

struct ContactRecord {
  ContactRecord(std::shared_ptr<const ContactModel> contact_model, const Model& of,
                const CollisionModel& collision);

  // begin
  std::vector<SurfaceVelocity> given_surface_velocities;  // those of the input
  std::vector<Vec3> surface_velocities;  // m/s in B, of every collision item; empty: no surface moves
  // assemble_problem
  ContactProblem problem;
  std::vector<ContactPairMap> places;          // one for each of CollisionRecord::pairs
  std::vector<PairMaterial> materials;    // likewise
  AlignedVector<double> recovery_shares;  // of every point, under rigid laws
  int near_rigid_points = 0;              // sap: where S eq. 29 overrides the stiffness
  // solve: what the rigid solvers start from, and the answer
  ImpulseGuess guess;
  ContactSolution solution;

  std::shared_ptr<const ContactModel> model;
  NewtonSolver solver;
  RigidSolver rigid_solver;

  // Work space of assemble_problem.
  std::vector<int> body_of_node;  // in the problem, 0: not touched
  std::vector<PatchPlan> plans;
  std::vector<int> nodes;                  // of the problem's bodies, [0] is none
  AlignedVector<BodyMobility> mobilities;  // of the problem's bodies
};

// Those of the model, with those of the input in their place where there are any; nothing happens where
// nothing changes.
void set_surface_velocities(const std::vector<SurfaceVelocity>& given, const Model& model,
                            const CollisionModel& collision, ContactRecord* record);

}  // namespace stiction
