#pragma once
// The version of a file format of our own. It is a whole number that is raised where a program that knows the
// version before would misunderstand the file, or refuse it without saying why.

#include <string_view>

namespace stiction {

struct FileFormat {
  const char* plural;  // "stiction recordings"
  int version;         // that is written
  int oldest = 1;      // that is still read
};

// Throws UserError for a version that is not read: "run.mcap: this is version 3 of stiction recordings, ...".
void check_format_version(const FileFormat& known, double version, std::string_view file);

}  // namespace stiction
