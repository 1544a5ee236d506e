#pragma once
// The viewer's page: one HTML file that is built from apps/viewer/web, and copies of it with a run inside.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stiction::viewer {

// viewer.html of the environment variable STICTION_VIEWER, beside the installed program
// (<bin>/../share/stiction), or of the build folder; none where it was not built.
std::optional<std::filesystem::path> find_page(const std::filesystem::path& usual = {});

// Its text. Throws UserError that says how to build it. `usual` is looked at after the environment variable,
// where it is not empty.
std::string load_page(const std::filesystem::path& usual = {});

// A run as the page takes it: the stage (JSON) and a packed track for each formulation.
struct ViewedRun {
  std::string stage;
  std::vector<std::string> tracks;
};

// The page with a run inside; it opens from disk. `report` is HTML that stands below the view; may be empty.
std::string page_with(const std::string& page, const ViewedRun& run, const std::string& report = {});

}  // namespace stiction::viewer
