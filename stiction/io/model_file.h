#pragma once
// Models from files of any format we read: the ending .json, or the root element of the XML, says which.
//
//   robot    URDF (stiction/io/urdf/urdf.h)
//   mujoco   MJCF (stiction/io/mjcf/mjcf.h)
//   .json    our own (stiction/io/model_json.h), which has no report: all of it is read, or it is refused

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/io/compatibility_report.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

struct ModelFileOptions {
  bool floating_base = false;                             // URDF: see UrdfOptions
  std::vector<std::filesystem::path> package_paths = {};  // URDF
};

// Throws UserError with file and line.
Model load_model_file(const std::filesystem::path& file, const ModelFileOptions& options = {},
                      CompatibilityReport* report = nullptr);
// From memory: the text of an XML file. `file` is its name in errors; other files are looked for beside it.
Model parse_model(const std::string& text, const std::filesystem::path& file,
                  const ModelFileOptions& options = {}, CompatibilityReport* report = nullptr);

}  // namespace stiction
