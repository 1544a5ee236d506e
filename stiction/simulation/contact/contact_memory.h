#pragma once
// What the rigid solvers keep from one step to the next as their initial guess: the forces at contact points
// and of constraint rows. Points are matched by their shapes and features, or, if the same shapes now touch
// at other features, by the nearest position. Forces are stored rather than impulses, so that the step size
// may change.

#include <cstdint>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

struct RememberedPoint {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  std::uint64_t feature = 0;
  Vec3 place = Vec3::Zero();   // m, in W, position of the point
  Vec3 force = Vec3::Zero();   // N, in W, on B
  Vec3 moment = Vec3::Zero();  // N m, in W, on B, of torsional and rolling friction
  bool operator==(const RememberedPoint&) const = default;
};

struct RememberedRow {
  int kind = 0, index = 0, component = 0;  // RowOwner
  double force = 0.0;                      // N or N m
  bool operator==(const RememberedRow&) const = default;
};

// Deflections of the compliant layers of two shapes (G 5): part of the state of the motion, not only a guess.
struct RememberedDeflection {
  int shape_A = 0, shape_B = 0;
  double normal_A = 0.0, normal_B = 0.0;  // m
  Vec3 shear_A = Vec3::Zero();            // m, in W
  Vec3 shear_B = Vec3::Zero();
  bool operator==(const RememberedDeflection&) const = default;
};

// rho of ADMM, of an island by its smallest tree: a guess, as C III-E has it.
struct RememberedPenalty {
  int tree = 0;
  double rho = 0.0;  // in the units of the solver (contact/dual/admm.h)
  bool operator==(const RememberedPenalty&) const = default;
};

// Points and rows are empty for laws whose guess uses velocities only; deflections are empty for all laws but
// geometric_quasi_rigid.
struct ContactMemory {
  std::vector<RememberedPoint> points;  // pair by pair, in the order of their shapes
  std::vector<RememberedRow> rows;
  std::vector<RememberedDeflection> deflections;  // in the order of their shapes
  std::vector<RememberedPenalty> penalties;       // of solvers that have one, tree by tree
  bool operator==(const ContactMemory&) const = default;
};

struct CollisionRecord;
struct ConstraintRecord;
struct ContactRecord;

// Looks up the remembered forces of the points and rows of the problem, as a guess of its impulses in a step
// h; those not found start from zero.
void recall(const ContactMemory& memory, double h, const CollisionRecord& collision,
            const ConstraintRecord& constraints, ContactRecord* contact);
// Stores the forces of a solution at its points and rows.
void remember(double h, const CollisionRecord& collision, const ConstraintRecord& constraints,
              const ContactRecord& contact, ContactMemory* memory);

}  // namespace stiction
