#pragma once
// Names of the format and of the topics of recordings.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stiction/base/format_version.h"

namespace stiction {

inline constexpr const char* kRecordingFormat = "stiction_recording";
inline constexpr FileFormat kRecordingVersions = {.plural = "stiction recordings", .version = 2};
inline constexpr const char* kRecordingProgram = "stiction 0.1.0";

namespace topic {
inline constexpr const char* kScene = "/scene";
inline constexpr const char* kModel = "/model";
inline constexpr const char* kLog = "/log";
inline constexpr const char* kState = "/state";
inline constexpr const char* kSnapshot = "/snapshot";
inline constexpr const char* kInput = "/input";
inline constexpr const char* kContacts = "/contacts";
inline constexpr const char* kPatches = "/patches";
inline constexpr const char* kResidual = "/residual";
inline constexpr const char* kEnergies = "/energies";
inline constexpr const char* kTimings = "/timings";
}  // namespace topic

inline constexpr std::uint64_t kNanoseconds = 1'000'000'000;  // in a second

// Time of a message in ns. MCAP has no negative times: they become zero.
inline std::uint64_t nanoseconds(double seconds) {
  return static_cast<std::uint64_t>(std::llround(std::max(0.0, seconds) * 1e9));
}

}  // namespace stiction
