#pragma once
// The one-contact problem: the impulse of one contact with all other impulses fixed. With
//
//   s(x) = D x + g,    D the block of W + R on the diagonal,    g = s - D lambda at the present lambda,
//
// and rows (tangents t, normal n) there are three cases: the contact opens (x = 0), sticks (s = 0), or
// slides. Sliding is one equation for the normal impulse n. At a given n the tangential impulse is
//
//   t(n) = argmin  1/2 t' D_tt t + (g_t + D_tn n)' t    over the section of the cone, of radius mu n,
//
// which is a disc (the secular equation of a trust region: (D_tt + sigma) t = -(g_t + D_tn n), |t| = mu n,
// by Newton's method on 1/|t|, in the axes of D_tt) or a polygon (the best of its edges), and n is the root
// of
//
//   coulomb_ncp, pyramid_lcp   s_n(n) = 0,
//   convex_cone                s_n(n) - mu |s_t(n)| = 0, which is the derivative in n of the least energy,
//
// by safeguarded secant steps between n = 0, where it is negative (the contact does not open), and a point
// where it is positive. There is one: for large n, t = n z with z' (D_tt z + D_tn) <= 0 because 0 is in the
// section, so that s_n/n = D_nn + D_nt z >= (z, 1)' D (z, 1) > 0; and the least energy grows as n^2. For
// convex_cone the function is monotone and has one root; under Coulomb's law there may be several, any of
// which is a solution.
//
// This is the limit of repeating the projected step of C Algs. 1, 2 and 6 on one block. Computing it directly
// takes less time than many steps where D is anisotropic, and cannot diverge; the steps 3/tr D and
// 1/min(D_xx, D_yy) do where the largest eigenvalue of D is more than two thirds of its trace.
//
// Of D the symmetric part is used, with eigenvalues of at least kLeastStiffness times the trace, since blocks
// may lack rank. Neither changes the solution of an iteration that uses it: g is such that s(lambda) is the
// true velocity, so that a solution is a fixed point.

#include <vector>

#include "stiction/contact/dual/problem.h"

namespace stiction {

// The diagonal block of W + R of a contact. Matrices are row-major; N = tangents + 1.
struct LocalContact {
  int tangents = 0;
  double friction = 0.0;
  const double* D = nullptr;        // N x N, positive definite
  const double* inverse = nullptr;  // N x N
  const double* axes = nullptr;     // tangents x tangents: columns are the eigenvectors of D_tt
  const double* values = nullptr;   // eigenvalues of D_tt

  int rows() const { return tangents + 1; }
};

class LocalContacts {
 public:
  // The blocks of all contacts that can move (rho > 0).
  void begin(const DualProblem& problem);
  LocalContact of(int block) const;

 private:
  const DualProblem* problem_ = nullptr;
  std::vector<int> begin_;  // by block, in numbers_
  std::vector<double> numbers_;
};

// The edges of a friction pyramid's section.
struct PolygonEdges {
  void begin(const Pyramid& pyramid);
  std::vector<double> directions;  // (cos, sin) of every edge's middle
  double apothem = 1.0;            // of the section of radius 1
  double half_length = 1.0;        // of its edges
};

// g of a contact from its velocity s at lambda.
void free_velocity(const LocalContact& contact, const double* lambda, const double* s, double* g);
// x := -D^-1 g, the impulse that would stop the contact.
void sticking_impulse(const LocalContact& contact, const double* g, double* x);
// Is x in the cone (or pyramid) of the law?
bool is_in_cone(LawKind law, const PolygonEdges& edges, double friction, int tangents, const double* x);

// t := the tangential impulse of least energy in the section at the normal impulse n; returns |s_t| there.
// A disc:
double impulse_in_disc(const LocalContact& contact, const double* g, double n, double* t);
// A polygon; torsion and rolling have bounds of their own. Returns no velocity.
void impulse_in_polygon(const LocalContact& contact, const PolygonEdges& edges, const double* g, double n,
                        double* t);

// x := the impulse of the contact under coulomb_ncp, pyramid_lcp or convex_cone; on entry x is a guess.
// False, with x unchanged, if no normal impulse was found.
bool solve_contact(LawKind law, const LocalContact& contact, const PolygonEdges& edges, const double* g,
                   double* x);

}  // namespace stiction
