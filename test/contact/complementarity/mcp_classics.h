#pragma once
// The classics of the literature on mixed complementarity problems, from their formulas, with all their
// solutions. Starts are those of MCPLIB where it has the problem, otherwise the customary ones.
//
// S. P. Dirkse, M. C. Ferris, MCPLIB, Optim. Methods Softw. 5 (1995); W. Hock, K. Schittkowski, Test Examples
// for Nonlinear Programming Codes, 1981 (hs).

#include <memory>
#include <string>
#include <vector>

#include "stiction/contact/complementarity/mixed_problem.h"

namespace stiction {

struct Classic {
  std::string name;
  std::unique_ptr<MixedProblem> problem;
  VecX start;
  std::vector<VecX> solutions;  // all of them, unless there is a continuum
  double known_to = 1e-14;      // relative accuracy of the numbers above
  bool is_continuum = false;
};

std::vector<Classic> mcp_classics();
// One of them.
Classic mcp_classic(const std::string& name);

}  // namespace stiction
