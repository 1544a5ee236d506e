#include "stiction/base/file_bytes.h"

#include <fstream>
#include <system_error>

#include "stiction/base/check.h"

namespace stiction {

std::string read_file_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  STICTION_USER_CHECK(!error, "{}: cannot be read: {}", file.string(), error.message());
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
