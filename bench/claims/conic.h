#pragma once
// Problems of a simulation under sap, solved by our Newton method and by a conic interior-point solver (conic.cpp).

#include <memory>
#include <string>

#include "bench/claims/measure.h"

namespace stiction::claims {

// Of a series of problems: times are sums (s), errors are sums too.
struct ConicSums {
  double problems = 0.0, points = 0.0;  // points: of the last problem
  double cold_iterations = 0.0, warm_iterations = 0.0;
  double cold = 0.0, warm = 0.0, e_m = 0.0, e_mu = 0.0;  // ours
  double their_cold = 0.0, their_warm = 0.0, their_e_m = 0.0, their_e_mu = 0.0;
};

// The Python that tools/set_up.sh has made, or that of the system.
std::string python();

// Empty if it can be run.
std::string why_no_conic_solver();

class ConicSeries {
 public:
  explicit ConicSeries(const NewtonOptions& options);
  ~ConicSeries();
  // Times ours on the problem of the last step, and keeps it.
  void add(const StepRecord& record);
  // The other solver's part. False if it fails.
  bool solve();
  const ConicSums& sums() const { return sums_; }

 private:
  struct Problems;
  NewtonOptions options_;
  NewtonSolver solver_;
  ConicSums sums_;
  std::unique_ptr<Problems> problems_;
};

}  // namespace stiction::claims
