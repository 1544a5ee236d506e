#pragma once
// Solvers of other libraries for contact with Coulomb friction, u = W r + q by contact (normal, t1, t2), each
// behind one function. Nothing of those libraries, and nothing of Eigen, is in this header: what is behind it
// is compiled with other flags.

#include <memory>
#include <string>
#include <vector>

namespace stiction::race {

// One island of a step.
struct StoredProblem {
  std::string name;
  int contacts = 0;
  std::vector<double> W;  // 3 contacts squared, by columns
  std::vector<double> q, mu;

  int rows() const { return 3 * contacts; }
};

class SolverPeer {
 public:
  virtual ~SolverPeer() = default;
  virtual std::string library() const = 0;
  virtual std::string version() const = 0;
  virtual std::string name() const = 0;  // of the method and how it is set
  // r of the problem, from zero, with the tolerance of the library's own measure. Processor seconds of the
  // solve alone: what only brings W into the library's form does not count.
  virtual double solve(const StoredProblem& problem, double tolerance, int max_iterations,
                       std::vector<double>* r) = 0;
};

using SolverPeers = std::vector<std::unique_ptr<SolverPeer>>;

}  // namespace stiction::race
