#pragma once
// How serious a message in the log of a recording is. The library has no log of its own: what it has to say
// is in the results that it returns (statuses, reports, notes) and in the errors that it throws.

namespace stiction {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

}  // namespace stiction
