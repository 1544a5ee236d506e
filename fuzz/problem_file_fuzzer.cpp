// Any text as a contact problem: one that is the same after the way to JSON and back, that the solver ends
// with and whose residuals can be checked, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/json_mutator.h"
#include "stiction/base/check.h"
#include "stiction/contact/file/problem_file.h"
#include "stiction/contact/newton/newton.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  SavedProblem saved;
  try {
    saved = problem_from_json(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  } catch (const UserError&) {
    return 0;
  }
  const std::string json = problem_to_json(saved);
  STICTION_ASSERT(problem_to_json(problem_from_json(json, "again.json")) == json);
  NewtonOptions options;
  options.max_iterations = 20;
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(saved.problem, options, &solution);
  check_residual(saved.problem, saved.points, solution.v, solution.impulses, solution.moments,
                 solution.row_impulses);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return stiction::fuzz::mutate_json(data, size, max_size, seed);
}
