#pragma once
// Tells when a scene file, or a file that it names, has changed on disk.

#include <filesystem>
#include <map>

namespace stiction::viewer {

class FileWatch {
 public:
  // Empty: nothing is watched. The files that it names in quotes are found beside it, theirs likewise.
  explicit FileWatch(std::filesystem::path file);

  // Whether a file is not as it was at the last call. One that is not there counts as unchanged: editors
  // write a new file and then rename it.
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
