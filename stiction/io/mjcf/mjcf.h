#pragma once
// Loads MJCF, the model format of MuJoCo (https://mujoco.readthedocs.io/en/stable/XMLreference.html).
//
//   CompatibilityReport report;
//   Model model = load_mjcf("franka_emika_panda/scene.xml", {}, &report);
//
// Bodies, joints, inertias and shapes are what MuJoCo makes of the file, and q0 is its qpos0 in our order of
// q (a free joint's quaternion comes first). Everything else is kept in Model::elements; the report says for
// every element and attribute whether it acts, and what MJCF does not know is an error with file and line.
// docs/mjcf.md has the details.

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/io/compatibility_report.h"
#include "stiction/io/xml/xml.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

struct MjcfOptions {
  // Whether meshes that are only drawn are read. They make loading slow; those that are not read are
  // reported.
  bool visual_meshes = true;
  // Off: includes, meshes, height fields and attached models are refused. For text from strangers.
  bool allow_files = true;
  XmlLimits limits;
  int max_include_depth = 32;
  int max_elements = 2'000'000;  // of all files, with copies that `replicate` and `attach` make
};

Model load_mjcf(const std::filesystem::path& file, const MjcfOptions& options = {},
                CompatibilityReport* report = nullptr);

// From memory. `file` is its name in errors; other files are looked for beside it.
Model parse_mjcf(std::string_view text, const std::filesystem::path& file = "model.xml",
                 const MjcfOptions& options = {}, CompatibilityReport* report = nullptr);

}  // namespace stiction
