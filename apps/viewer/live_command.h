#pragma once
// What a page may ask of a live simulation, read from its messages (docs/viewer_protocol.md).

#include <optional>
#include <string>
#include <string_view>

#include "apps/viewer/live_worlds.h"

namespace stiction::viewer {

// What a command means for the clock; the worlds have been changed already.
struct LiveChange {
  std::optional<bool> runs;
  std::optional<double> speed;
  int steps = 0;                      // to take now
  bool formulation_is_other = false;  // of a track, which has its name
  bool time_is_other = false;         // the state is that of another time
};

// Throws UserError, with what is wrong, for a message that does not fit.
LiveChange apply_command(std::string_view message, LiveWorlds* worlds);

}  // namespace stiction::viewer
