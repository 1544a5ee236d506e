#pragma once
// A joint or tendon equality: one position or length is a polynomial of another one (gears, mimicking
// joints),
//
//   phi = x1 - r1 - P(x2 - r2),  P(x) = sum c_i x^i,    curvature -P'' u2^2,
//
// without that of the lengths of tendons that pass bodies.

#include <array>
#include <vector>

#include "stiction/constraint/row_writer.h"

namespace stiction {

struct Coupling {
  bool of_tendons = false;
  int first = 0, second = -1;  // velocities of the model, or tendons; -1: none
  int q1 = 0, q2 = -1;         // joints: positions
  int tree1 = 0, tree2 = -1;   // joints
  double reference1 = 0.0, reference2 = 0.0;
  std::array<double, 5> polynomial = {0, 1, 0, 0, 0};

  // The polynomial at x2 - r2, its slope and its second derivative.
  struct Value {
    double value = 0.0, slope = 0.0, second = 0.0;
  };
  Value at(double x) const;
};

// Lengths and rows of tendons, for the rows of couplings.
struct TendonLengths {
  const std::vector<double>& lengths;  // m or rad
  const MomentRows& rows;
};

inline int num_rows(const Coupling&) { return 1; }
void write_rows(const Coupling& coupling, const TendonLengths& tendons, const RowCompliance& compliance,
                int index, RowWriter* rows);
// Adds the forces of its row on the tendons to their forces (N, positive: pushes the ends apart).
void add_tendon_forces(const Coupling& coupling, const std::vector<double>& lengths, double force,
                       std::vector<double>* forces);

}  // namespace stiction
