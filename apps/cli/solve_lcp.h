#pragma once
// `stiction solve` on a linear complementarity problem (stiction/contact/file/lcp_file.h).

#include <optional>
#include <string>

namespace stiction::cli {

inline constexpr const char* kLcpFormat = "lcp-json/1";

struct LcpArguments {
  std::string method;  // of linear_complementarity.h; empty: automatic
  std::optional<double> tolerance;
  std::optional<int> max_iterations;  // sweeps of pgs
  std::string write;                  // file to write the problem to; empty: none
  bool json = false;
};

// Prints the answer and its residuals, recomputed, as text or JSON; returns the exit code. Throws UserError
// for an invalid problem and for unknown methods.
int solve_lcp(const std::string& text, const std::string& file, const LcpArguments& arguments);

}  // namespace stiction::cli
