#pragma once
// Simulates a recording again, from its first state (or one of its snapshots) and its inputs, and compares
// every recorded state bit for bit.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace stiction {

struct ReplayOptions {
  double from = 0.0;  // s; begins at the last snapshot that is not after it
  // Called after every compared state with the time; false: stop here.
  std::function<bool(double time)> proceed;
};

// The first number that is not the same.
struct ReplayDifference {
  std::int64_t step = 0;
  double time = 0.0;        // s
  std::string what;         // "position 2 of joint 'hinge' (body 'rod')"
  std::string body, joint;  // empty: it is not about one
  double recorded = 0.0, replayed = 0.0;
};

struct ReplayResult {
  double begin = 0.0, end = 0.0;  // s
  std::int64_t steps = 0;         // taken
  std::int64_t compared = 0;      // states
  std::uint64_t hash = 0;         // of the last state
  std::optional<ReplayDifference> difference;
  std::string ending;  // of a recording without an end (McapReader::ending)
  bool is_the_same() const { return !difference.has_value(); }
};

// Throws UserError for a file that cannot be read, or where there is no state to begin with.
ReplayResult replay(const std::filesystem::path& file, const ReplayOptions& options = {});

}  // namespace stiction
