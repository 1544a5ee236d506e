#include <cstdio>

#include "stiction/base/check.h"
#include "stiction/base/random.h"

int main() {
  try {
    STICTION_USER_CHECK(stiction::Random(1).uniform() > 1, "{} is not above 1", "a number in [0, 1)");
  } catch (const stiction::UserError& error) {
    std::printf("%s\n", error.what());
    return 0;
  }
  return 1;
}
