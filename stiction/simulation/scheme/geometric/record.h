#pragma once
// Options of the geometrically implicit scheme, its contacts at the end of the step, and a report on its
// solves.

#include <algorithm>
#include <limits>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

// The compliant layer of a shape around its rigid core (G 5): impulse = h K d + C (d - d0) on the deflection
// d, in the order (normal, first tangent, second tangent).
struct QuasiRigidLayer {
  int shape = 0;                                                    // in Model::shapes
  Mat3 K = Mat3::Zero();                                            // N/m, positive definite
  Mat3 C = Mat3::Zero();                                            // N s/m
  double max_deflection = std::numeric_limits<double>::infinity();  // m, at which the rigid core begins
};

struct GeometricOptions {
  double tolerance = 1e-10;  // of the mixed complementarity problem, in its own units (geometric/problem.h)
  int max_iterations = 40;   // of one attempt
  int most_halvings = 3;     // of the step, before an island falls back on the explicit geometry
  // How often, where an attempt fails, the functions of its contacts, k of G eq. 28 among them, are chosen
  // again at the bodies' poses in that attempt (G Remark 1). 0: they are those of the initial guess.
  int most_choices = 3;
  // Replace the layers given by the materials (geometric/stepper.h) for the shapes listed here.
  std::vector<QuasiRigidLayer> layers;
};

// One contact at the end of the step. n points from A into B; impulse and moment act on B.
struct GeometricContact {
  int pair = 0;             // in CollisionRecord::pairs
  Vec3 a_A = Vec3::Zero();  // m, in W: the closest points
  Vec3 a_B = Vec3::Zero();
  Vec3 n = Vec3::Zero();
  double gap = 0.0;                  // m
  Vec3 impulse = Vec3::Zero();       // N s
  Vec3 moment = Vec3::Zero();        // N m s, about n
  double slip = 0.0;                 // m/s, of the friction ellipsoid (G eq. 7)
  double friction = 0.0;             // coefficient of sliding used in the step
  Vec3 deflection_A = Vec3::Zero();  // m, of the layers: (normal, along t1, along t2)
  Vec3 deflection_B = Vec3::Zero();
  Vec3 t1 = Vec3::Zero(), t2 = Vec3::Zero();
  double core_A = 0.0, core_B = 0.0;  // N s, the part of the normal impulse transmitted by the rigid cores
  // At the start of the step: the deflections, along n, t1 and t2, and the distance of the shapes without them
  // (m).
  Vec3 start_A = Vec3::Zero(), start_B = Vec3::Zero();
  double start_distance = 0.0;
};

// Of one step.
struct GeometricReport {
  int islands = 0, contacts = 0;
  int unknowns = 0;    // of the largest island
  int iterations = 0;  // of all islands
  double residual = 0.0;
  int chosen_again = 0;       // solves in which k of a contact was chosen again
  int relaxed = 0;            // solves in which a proximal shift of contacts remained (geometric/stepper.h)
  int halvings = 0;           // how often a step, or a part of it, was taken in two halves
  int fallbacks = 0;          // islands that used the explicit geometry
  int without_functions = 0;  // those among them whose shapes have no implicit functions
  int missed = 0;             // pairs that overlap at the end though they were far apart at the start
  bool may_be_halved() const { return fallbacks > without_functions || missed > 0; }
};

// Adds the report of one part of a step to that of the whole step.
inline void add_to_report(const GeometricReport& part, GeometricReport* whole) {
  whole->islands += part.islands;
  whole->contacts = std::max(whole->contacts, part.contacts);
  whole->unknowns = std::max(whole->unknowns, part.unknowns);
  whole->iterations += part.iterations;
  whole->residual = std::max(whole->residual, part.residual);
  whole->chosen_again += part.chosen_again;
  whole->relaxed += part.relaxed;
  whole->halvings += part.halvings;
  whole->fallbacks += part.fallbacks;
  whole->without_functions += part.without_functions;
  whole->missed += part.missed;
}

}  // namespace stiction
