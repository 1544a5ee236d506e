#pragma once
// The contact problem of a step and its solution: the part of the StepRecord that assemble_problem and the
// solver fill, and their scratch memory.

#include <memory>
#include <vector>

#include "stiction/contact/contact_solver.h"
#include "stiction/contact/problem.h"
#include "stiction/simulation/contact/contact_model.h"
#include "stiction/simulation/contact/point_mobility.h"

namespace stiction {

struct ModelTables;

// The surface of a shape moves relative to its body: a conveyor belt.
struct SurfaceVelocity {
  int shape = 0;  // in Model::shapes
  Vec3 v_B;       // m/s, in the axes of its body
  bool operator==(const SurfaceVelocity&) const = default;
};

// Where the points of one ShapePair of the CollisionRecord are in the problem:
// points [begin, begin + number of points), in the same order.
struct ContactPairMap {
  int begin = -1;           // in the problem; -1: no points
  bool is_swapped = false;  // the problem's A is the pair's B: impulses act on the pair's A
};

struct ContactRecord {
  // begin
  std::vector<Vec3> surface_velocities;  // m/s in B, of every collision item; empty: no surface moves
  // assemble_problem
  ContactProblem problem;
  std::vector<ContactPairMap> places;     // one for each of CollisionRecord::pairs
  std::vector<PairMaterial> materials;    // likewise
  AlignedVector<double> recovery_shares;  // of every point, under rigid laws
  int near_rigid_points = 0;              // sap: where S eq. 29 overrides the stiffness
  // solve: the initial guess of the dual solvers, and the solution
  ImpulseGuess guess;
  ContactSolution solution;
};

// The materials of the pairs of the last step, which hold while the tables and the step of the default stiffness stay.
struct PairMaterialMemory {
  struct Pair {
    IndexPair items{-1, -1};
    PairMaterial material;
    double points_of_curve = 1.0;  // that share MuJoCo's curve (mujoco_points.h)
  };
  std::shared_ptr<const ModelTables> tables;  // held, so that no other ones come to have their address
  double stiffness_step = 0.0;                // s
  std::vector<Pair> pairs;
};

struct ContactWorkspace {
  ContactSolver solver;
  // Scratch memory of assemble_problem.
  std::vector<int> body_of_node;  // index in the problem, 0: not in contact
  std::vector<PatchPlan> plans;
  std::vector<int> nodes;                  // of the problem's bodies, [0] is none
  AlignedVector<BodyMobility> mobilities;  // of the problem's bodies
  AlignedVector<double> mobility_columns;  // likewise (point_mobility.h)
  BodyMobility between;                    // of two bodies of one tree, of the pair at hand
  PairMaterialMemory materials;
};

// The surface velocities of the model, replaced by those of the input where given.
void set_surface_velocities(const Model& model, const std::vector<SurfaceVelocity>& given,
                            std::vector<Vec3>* velocities);

}  // namespace stiction
