#include "stiction/base/format_version.h"

#include <cmath>

#include "stiction/base/check.h"

namespace stiction {

void check_format_version(const FileFormat& known, double version, std::string_view file) {
  STICTION_USER_CHECK(version == std::floor(version), "{}: {} is not a version of {}", file, version,
                      known.plural);
  STICTION_USER_CHECK(
      version <= known.version,
      "{}: this is version {} of {}, which this version does not read; it reads up to version {}: a "
      "newer stiction wrote the file",
      file, version, known.plural, known.version);
  STICTION_USER_CHECK(
      version >= known.oldest,
      "{}: this is version {} of {}, which this version does not read; it reads version {} to {}", file,
      version, known.plural, known.oldest, known.version);
}

}  // namespace stiction
