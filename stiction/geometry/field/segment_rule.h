#pragma once
// Gauss's rules for what is laid across a part of a disc in chords.
//
// A disc of radius 1 cut at x = 1 - 2 s has the segment x = 1 - 2 s y, y in [0, 1], from the rim (y = 0) to the cut, with
// chords of the half length c = 2 sqrt(s) sqrt(y (1 - s y)); s = 1 is the whole disc, s = 1/2 a half. With the nodes y_i and the
// weights w_i,
//
//   integral of c q dy = sum_i w_i c(y_i) q(y_i),
//
// for polynomials q: area, force (c^3 of a ball on a plane) and their moments. For s = 1 the nodes are Chebyshev's of the
// second kind. For other s they come from the three-term recurrence of the weight sqrt(y (1 - s y)), as polynomials in
// sqrt(1 - s), which are within 7e-5 of them and exact for s = 1; the sums are so to 4e-5.

namespace stiction {

struct SegmentRule {
  static constexpr int kMost = 5;
  int size = 0;
  double y[kMost], weight[kMost];
};

// size: 2, 3 or 5; s in [0, 1].
SegmentRule segment_rule(int size, double s);

}  // namespace stiction
