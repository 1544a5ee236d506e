#include "stiction/base/shared_files.h"

#include <cstdlib>
#include <system_error>

#include "stiction/base/format.h"

namespace stiction {
namespace {

std::filesystem::path shared_folder() {
  const char* folder = std::getenv("STICTION_SHARED");
  return folder != nullptr && *folder != '\0' ? folder : "../shared";
}

}  // namespace

std::optional<std::filesystem::path> shared_file(std::string_view relative) {
  std::filesystem::path path = shared_folder() / relative;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  return path;
}

std::string missing_shared_file(std::string_view relative) {
  return format("no {}: set STICTION_SHARED to the folder of the shared files",
                (shared_folder() / relative).string());
}

}  // namespace stiction
