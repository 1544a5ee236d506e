#pragma once
// Writes a model as MJCF, the model format of MuJoCo
// (https://mujoco.readthedocs.io/en/stable/XMLreference.html), and tells what MJCF cannot say.
//
//   MjcfExportReport report;
//   save_mjcf(model, "robot.xml", {}, &report);
//   if (!report.notes.empty()) std::puts(to_text(report).c_str());
//
// Angles are in radians and every number is written so that reading it gives the same bits. Every body has
// its own <inertial>, in principal axes. MuJoCo and our own loader (stiction/io/mjcf/mjcf.h) read the text;
// docs/export.md says how each element is written.

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/io/compatibility_report.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// One thing that MJCF says in another way (approximated), or not at all (ignored).
struct MjcfExportNote {
  Compatibility status = Compatibility::approximated;
  std::string element;    // tag in MJCF
  std::string attribute;  // empty: the element itself
  std::string name;       // of the body, joint, ... in the model
  std::string why;
};

struct MjcfExportReport {
  std::vector<MjcfExportNote> notes;
};

// One line for each reason, with the names that it is about.
std::string to_text(const MjcfExportReport& report);

struct MjcfExportOptions {
  // save_mjcf: meshes and hulls become OBJ files in a folder beside the XML, not lists of numbers in it.
  bool mesh_files = false;
};

// The text, with meshes as lists of numbers. Throws UserError for bodies nested deeper than a reader of XML
// follows.
std::string write_mjcf(const Model& model, MjcfExportReport* report = nullptr);

// Writes the file and, if wanted, the folder `<stem>_meshes` beside it. Throws UserError if that fails.
void save_mjcf(const Model& model, const std::filesystem::path& file, const MjcfExportOptions& options = {},
               MjcfExportReport* report = nullptr);

}  // namespace stiction
