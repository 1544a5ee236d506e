#pragma once
// The root of one equation in one unknown, f(x) = 0, between two points where f has opposite signs: Newton's
// method, kept inside the bracket by bisection.
//
//   x_next = x - f(x)/f'(x)   if inside the bracket and |f(x)/f'(x)| <= half the step before the last,
//            middle           otherwise,
//
// after which the bracket shrinks to the side where the sign changes. Converges quadratically near a simple
// root and at worst halves the bracket every second evaluation, whatever f' says (Press et al., Numerical
// Recipes, 9.4). Slow convergence is a status with numbers, never an exception.

namespace stiction {

struct ValueAndSlope {
  double value = 0.0;
  double slope = 0.0;
};

enum class RootStatus {
  converged,        // a tolerance is met
  iteration_limit,  // the best point so far is returned
  not_bracketed,    // f has the same sign at both ends
  not_finite,       // f is not a number somewhere
};

const char* name_of(RootStatus status);

// Converged when |f(x)| <= value, or when the root is closer to x than `absolute` + `relative` |x|, by
// Newton's step from x or by the width of the bracket.
struct RootTolerance {
  double value = 0.0;
  double absolute = 0.0;
  double relative = 4e-16;  // about two units in the last place: as far as doubles go
  int max_evaluations = 100;
};

struct RootResult {
  double x = 0.0;
  double value = 0.0;   // f(x)
  double width = 0.0;   // of the bracket that is left: |x - root| is at most this
  int evaluations = 0;  // of f with its slope, the ends not counted
  RootStatus status = RootStatus::converged;
};

// The search without the function: ask for x(), answer with f and f' there, until done().
class RootSearch {
 public:
  // f_lower and f_upper are f at the two ends, in either order of sign; the first x is `guess`, or the middle
  // if that lies outside.
  RootSearch(double lower, double f_lower, double upper, double f_upper, double guess,
             const RootTolerance& tolerance);

  bool done() const { return done_; }
  double x() const { return x_; }
  void tell(const ValueAndSlope& f);
  RootResult result() const { return result_; }

 private:
  void finish(RootStatus status);

  RootTolerance tolerance_;
  double negative_, positive_;  // the ends of the bracket by the sign of f there
  double x_ = 0.0;
  double step_ = 0.0, step_before_ = 0.0;  // lengths of the last two steps
  bool done_ = false;
  RootResult result_;
};

// `f(x)` returns a ValueAndSlope.
template <class Function>
RootResult find_root(const Function& f, double lower, double upper, double guess,
                     const RootTolerance& tolerance = {}) {
  RootSearch search(lower, f(lower).value, upper, f(upper).value, guess, tolerance);
  while (!search.done()) search.tell(f(search.x()));
  return search.result();
}

template <class Function>
RootResult find_root(const Function& f, double lower, double upper, const RootTolerance& tolerance = {}) {
  return find_root(f, lower, upper, lower + 0.5 * (upper - lower), tolerance);
}

}  // namespace stiction
