#include "apps/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace stiction::cli {

Progress::Progress(bool wanted, std::string title)
    : wanted_(wanted && isatty(STDERR_FILENO) != 0), title_(std::move(title)) {}

Progress::~Progress() {
  if (printed_) std::fprintf(stderr, "\r\033[K");
}

void Progress::show(double done, double total) {
  constexpr double kEvery = 0.2;  // s
  if (!wanted_) return;
  const double wall = clock_.seconds();
  if (wall < next_) return;
  next_ = wall + kEvery;
  const double rate = done / wall;
  std::fprintf(stderr, "\r\033[K  %s: %3.0f %%, t = %.2f of %.2f s, %.1f x real time, %.0f s left",
               title_.c_str(), 100.0 * done / std::max(total, 1e-12), done, total, rate,
               (total - done) / std::max(rate, 1e-9));
  printed_ = true;
}

}  // namespace stiction::cli
