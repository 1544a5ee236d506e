#include "apps/viewer/file_watch.h"

#include <fstream>
#include <string>

#include "stiction/base/file_bytes.h"

namespace stiction::viewer {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;                    // files that name files that name ...
constexpr std::size_t kMostFiles = 500;        // that are watched
constexpr std::size_t kLongestName = 300;      // characters in quotes
constexpr std::uintmax_t kMostText = 1 << 22;  // bytes of a file that is searched for names

bool may_name_files(const fs::path& file) {
  const std::string ending = lower_case_ending(file.filename().string());
  return ending == "toml" || ending == "xml" || ending == "mjcf" || ending == "urdf" || ending == "json";
}

}  // namespace

FileWatch::FileWatch(fs::path file) : file_(std::move(file)) {
  if (!file_.empty()) collect(file_, 0);
}

void FileWatch::collect(const fs::path& file, int depth) {
  std::error_code error;
  if (looks_.size() >= kMostFiles || looks_.count(file) > 0 || !fs::is_regular_file(file, error)) return;
  Look look{fs::last_write_time(file, error), fs::file_size(file, error)};
  if (error) return;
  looks_[file] = look;
  if (depth == kDeepest || look.size > kMostText || !may_name_files(file)) return;
  std::ifstream stream(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char quote = text[at];
    if (quote != '"' && quote != '\'') continue;
    const std::size_t end = text.find(quote, at + 1);
    if (end == std::string::npos) break;
    const std::string name = text.substr(at + 1, end - at - 1);
    if (!name.empty() && name.size() <= kLongestName && name.find_first_of("\n<>") == std::string::npos)
      collect(file.parent_path() / name, depth + 1);
    at = end;
  }
}

bool FileWatch::has_changed() {
  bool changed = false;
  for (auto& [file, look] : looks_) {
    std::error_code error;
    const Look now{fs::last_write_time(file, error), error ? 0 : fs::file_size(file, error)};
    if (error || now == look) continue;
    look = now;
    changed = true;
  }
  if (changed) {
    // It may name other files now; those that it named stay watched.
    const auto before = looks_;
    looks_.clear();
    collect(file_, 0);
    for (const auto& entry : before) looks_.insert(entry);
  }
  return changed;
}

}  // namespace stiction::viewer
