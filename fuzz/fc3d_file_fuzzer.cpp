// Any text as a problem of frictional contact (fc-json/1): one that is the same after the way to JSON and
// back, that the solvers end with and never call solved where it is not, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/json_mutator.h"
#include "stiction/base/check.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/file/fc3d_conversion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  Fc3dProblem problem;
  try {
    problem = fc3d_from_json(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  } catch (const UserError&) {
    return 0;
  }
  const std::string json = fc3d_to_json(problem);
  STICTION_ASSERT(fc3d_to_json(fc3d_from_json(json, "again.json")) == json);
  std::string why_not;
  contact_problem_of(problem, &why_not);
  constexpr int kMostContacts = 20;
  if (problem.num_contacts() > kMostContacts) return 0;
  const DualProblem dual = dual_of(problem);
  DualOptions options;
  options.max_iterations = 100;
  for (const char* name : {"semismooth_newton", "admm", "pgs"}) {
    VecX lambda = VecX::Zero(dual.num_rows());
    const IslandReport report = make_dual_solver(LawKind::coulomb_ncp, name)->solve(dual, options, &lambda);
    if (is_solved(report.status)) STICTION_ASSERT(lambda.allFinite());
    if (lambda.allFinite()) check_dual_residual(dual, lambda);
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return stiction::fuzz::mutate_json(data, size, max_size, seed);
}
