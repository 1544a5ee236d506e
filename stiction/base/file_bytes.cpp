#include "stiction/base/file_bytes.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/base/closest_name.h"

namespace stiction {
namespace {

// Where a file is not there: "; did you mean 'robots/arm.xml'?", for the first folder or name of its path that is
// not there. Empty if nothing beside it has a name like it.
std::string meant_instead(const std::filesystem::path& file) {
  constexpr int kMostEntries = 10000;  // of a folder that are looked at
  std::error_code error;
  std::filesystem::path there;
  for (auto part = file.begin(); part != file.end(); ++part) {
    if (std::filesystem::exists(there / *part, error)) {
      there /= *part;
      continue;
    }
    std::vector<std::string> names;
    std::filesystem::directory_iterator entry(there.empty() ? "." : there, error), end;
    for (; !error && entry != end && names.size() < kMostEntries; entry.increment(error))
      names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());  // whatever the order on the disk
    const std::string closest = closest_name(part->string(), names);
    if (closest.empty()) return {};
    std::filesystem::path meant = there / closest;
    while (++part != file.end()) meant /= *part;
    return format("; did you mean '{}'?", meant.string());
  }
  return {};
}

}  // namespace

std::string read_file_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error)
    throw_user_error(format("{}: cannot be read: {}{}", file.string(), error.message(), meant_instead(file)));
  STICTION_USER_CHECK(size <= kMaxFileBytes, "{}: has {} bytes, more than {}", file.string(), size,
                      kMaxFileBytes);
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  STICTION_USER_CHECK(stream.good() && stream.gcount() == static_cast<std::streamsize>(bytes.size()),
                      "{}: cannot be read to its end", file.string());
  return bytes;
}

void write_file_bytes(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  STICTION_USER_CHECK(stream.good(), "cannot write the file '{}'", file.string());
}

std::string lower_case_ending(std::string_view file_name) {
  const std::size_t dot = file_name.find_last_of("./\\");
  if (dot == std::string_view::npos || file_name[dot] != '.') return {};
  std::string ending(file_name.substr(dot + 1));
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return ending;
}

}  // namespace stiction
