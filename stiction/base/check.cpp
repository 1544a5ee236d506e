#include "stiction/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace stiction {

void throw_user_error(const std::string& message) { throw UserError(message); }

void abort_on_failed_assertion(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::fflush(stderr);
  std::abort();
}

}  // namespace stiction
