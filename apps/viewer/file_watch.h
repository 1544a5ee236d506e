#pragma once
// Tells when a scene file, or a file that it names, has changed on disk.

#include <filesystem>
#include <map>

namespace stiction::viewer {

class FileWatch {
 public:
  // Empty: nothing is watched. Files that it names in quotes are searched relative to its folder, and those
  // that they name too.
  explicit FileWatch(std::filesystem::path file);

  // Whether a file has changed since the last call. A missing file counts as unchanged: editors write a new
  // file and then rename it.
  bool has_changed();

 private:
  struct Look {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool operator==(const Look&) const = default;
  };

  void collect(const std::filesystem::path& file, int depth);

  std::filesystem::path file_;
  std::map<std::filesystem::path, Look> looks_;
};

}  // namespace stiction::viewer
