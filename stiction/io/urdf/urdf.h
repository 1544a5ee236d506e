#pragma once
// Robots from URDF files (http://wiki.ros.org/urdf/XML; versions 1.0 to 1.2 of urdfdom), with the extensions
// of Drake (`drake:` tags) and MuJoCo (a `<mujoco>` block). docs/urdf.md lists what is honoured.
//
//   CompatibilityReport report;
//   Model solo = load_urdf("solo12.urdf", {.floating_base = true}, &report);
//
// Every link is a body of the same name and every joint that moves a joint of the same name; the joint's
// origin is the pose of the link in its parent, and the joint acts at the link's origin. Joints appear in q
// depth first, in the order of the file. Every error is a UserError with file and line.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/io/compatibility_report.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

struct UrdfOptions {
  // The root link gets a free joint of its own name; otherwise it is fixed to the world. A root link called
  // "world" is the world itself and cannot float.
  bool floating_base = false;
  // Folders that hold packages, for `package://name/...`; searched after the folders above the file.
  std::vector<std::filesystem::path> package_paths = {};
  // False leaves meshes out and says so in the report, for a file without its package.
  bool load_meshes = true;
};

// The report, if given, receives one entry for every element and attribute of the file.
Model load_urdf(const std::filesystem::path& file, const UrdfOptions& options = {},
                CompatibilityReport* report = nullptr);

// From memory. Errors and the report call the text `file`; its folder is where relative paths begin.
Model parse_urdf(std::string_view text, const std::filesystem::path& file, const UrdfOptions& options = {},
                 CompatibilityReport* report = nullptr);

}  // namespace stiction
