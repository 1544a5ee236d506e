#include "stiction/contact/solution.h"

#include <algorithm>

namespace stiction {

const char* name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::round_off:
      return "at round-off";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::max_iterations:
      return "max iterations";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::not_finite:
      return "not finite";
  }
  return "";
}

void add_to_report(const IslandReport& island, int tree, SolveReport* report) {
  const bool is_worse = island.status > report->status ||
                        (island.status == report->status && island.residual > report->residual);
  if (is_worse || report->worst_tree < 0) report->worst_tree = tree;
  report->status = std::max(report->status, island.status);
  report->iterations = std::max(report->iterations, island.iterations);
  report->total_iterations += island.iterations;
  report->factorisations += island.factorisations;
  report->line_evaluations += island.line_evaluations;
  report->products += island.products;
  report->dropped_stabilisation += island.dropped_stabilisation;
  report->lagged_fallbacks += island.lagged_fallbacks;
  report->residual = std::max(report->residual, island.residual);
}

}  // namespace stiction
