#pragma once
// The viewer's page: one HTML file that is built from apps/viewer/web, and copies of it with a run inside.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stiction::viewer {

// viewer.html from the environment variable STICTION_VIEWER, next to the installed program
// (<bin>/../share/stiction), or in the build folder; no value if it was not built.
std::optional<std::filesystem::path> find_page(const std::filesystem::path& usual = {});

// The text of the page. Throws UserError that says how to build it. `usual`, if not empty, is tried after the
// environment variable.
std::string load_page(const std::filesystem::path& usual = {});

// A run in the form that the page reads: the stage (JSON) and a packed track for each formulation.
struct ViewedRun {
  std::string stage;
  std::vector<std::string> tracks;
};

// The page with a run embedded, which can be opened from disk. `report` is HTML shown below the view; may be
// empty.
std::string page_with(const std::string& page, const ViewedRun& run, const std::string& report = {});

}  // namespace stiction::viewer
