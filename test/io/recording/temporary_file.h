#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace stiction {

// A file of its own, deleted at the end.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& name)
      : path(std::filesystem::temp_directory_path() /
             ("stiction_test_" + std::to_string(getpid()) + "_" + name)) {}
  TemporaryFile(const std::string& name, const std::string& bytes) : TemporaryFile(name) { write(bytes); }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  void write(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  std::filesystem::path path;
};

}  // namespace stiction
