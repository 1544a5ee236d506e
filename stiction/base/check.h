#pragma once

// Three kinds of failure, three macros.
//
//   STICTION_USER_CHECK(mass > 0, "body '{}': mass {} must be positive", name, mass);
//     Bad input from a user: throws UserError. The message names the values and, where there is one, file and
//     line.
//   STICTION_ASSERT(row < rows);
//     Our own mistake, cheap to check: prints file, line and condition and aborts, in every build.
//   STICTION_COSTLY_ASSERT(is_positive_definite(a));
//     Our own mistake, expensive to check: only where STICTION_COSTLY_CHECKS is defined (debug and sanitize
//     builds).
//
// Slow convergence is none of these: it is a status with numbers.

#include <stdexcept>

#include "stiction/base/format.h"

namespace stiction {

// What the caller asked for cannot be done; what() says why in the caller's terms.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void throw_user_error(const std::string& message);
[[noreturn]] void abort_on_failed_assertion(const char* condition, const char* file, int line);

}  // namespace stiction

// The arguments of the message are evaluated only when the condition fails.
#define STICTION_USER_CHECK(condition, ...)                          \
  do {                                                               \
    if (!(condition)) [[unlikely]]                                   \
      ::stiction::throw_user_error(::stiction::format(__VA_ARGS__)); \
  } while (false)

#define STICTION_ASSERT(condition)                                           \
  do {                                                                       \
    if (!(condition)) [[unlikely]]                                           \
      ::stiction::abort_on_failed_assertion(#condition, __FILE__, __LINE__); \
  } while (false)

#ifdef STICTION_COSTLY_CHECKS
#define STICTION_COSTLY_ASSERT(condition) STICTION_ASSERT(condition)
#else
// Compiled, so that it cannot rot, and never run.
#define STICTION_COSTLY_ASSERT(condition)  \
  do {                                     \
    if (false) STICTION_ASSERT(condition); \
  } while (false)
#endif
