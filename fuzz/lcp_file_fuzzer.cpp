// Any text as a linear complementarity problem (lcp-json/1): one that is the same after the way to JSON and
// back, that the solver ends with and never calls solved where it is not, or UserError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/json_mutator.h"
#include "stiction/base/check.h"
#include "stiction/contact/file/lcp_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  SavedLcp saved;
  try {
    saved = lcp_from_json(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json");
  } catch (const UserError&) {
    return 0;
  }
  const std::string json = lcp_to_json(saved);
  STICTION_ASSERT(lcp_to_json(lcp_from_json(json, "again.json")) == json);
  constexpr int kMostUnknowns = 12;
  if (saved.problem.size() > kMostUnknowns) return 0;
  LinearOptions options;
  options.max_sweeps = 100;
  VecX z = VecX::Zero(saved.problem.size());
  const LinearReport report = solve_linear_complementarity(saved.problem, options, &z);
  if (report.status == LinearStatus::solved) STICTION_ASSERT(z.allFinite());
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return stiction::fuzz::mutate_json(data, size, max_size, seed);
}
