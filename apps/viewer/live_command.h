#pragma once
// Commands that a page may send to a live simulation, parsed from its messages (docs/viewer_protocol.md).

#include <optional>
#include <string>
#include <string_view>

#include "apps/viewer/live_worlds.h"

namespace stiction::viewer {

// What the session has to do after a command; the worlds have been changed already.
struct LiveChange {
  std::optional<bool> runs;
  std::optional<double> speed;
  int steps = 0;                      // to take at once
  bool formulation_is_other = false;  // a track has another formulation, hence another name
  bool time_is_other = false;         // the simulation time has jumped
};

// Throws UserError, with the reason, for an invalid message.
LiveChange apply_command(std::string_view message, LiveWorlds* worlds);

}  // namespace stiction::viewer
