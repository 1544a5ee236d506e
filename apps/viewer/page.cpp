#include "apps/viewer/page.h"

#include <cstdlib>

#include "apps/viewer/base64.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"

namespace stiction::viewer {
namespace {

constexpr const char* kFileName = "viewer.html";

// JSON in which no tag can begin.
std::string without_tags(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string script(const std::string& type, const std::string& id, const std::string& text) {
  return "<script type=\"" + type + "\" id=\"" + id + "\">" + text + "</script>\n";
}

}  // namespace

std::optional<std::filesystem::path> find_page(const std::filesystem::path& usual) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> places;
  if (const char* named = std::getenv("STICTION_VIEWER"); named != nullptr && *named != '\0') {
    places.emplace_back(named);
  } else {
    if (!usual.empty()) places.push_back(usual);
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) places.push_back(program.parent_path().parent_path() / "share" / "stiction" / kFileName);
    places.emplace_back(STICTION_VIEWER_PAGE);
  }
  for (const fs::path& place : places)
    if (fs::is_regular_file(place, error)) return place;
  return {};
}

std::string load_page(const std::filesystem::path& usual) {
  const std::optional<std::filesystem::path> file = find_page(usual);
  const char* named = std::getenv("STICTION_VIEWER");
  STICTION_USER_CHECK(file || named == nullptr || *named == '\0',
                      "the viewer's page '{}', which STICTION_VIEWER names, is not there", named);
  STICTION_USER_CHECK(file,
                      "the viewer's page was not built: run `make viewer` in the sources, or say with "
                      "STICTION_VIEWER where {} is",
                      kFileName);
  return read_file_bytes(*file);
}

std::string page_with(const std::string& page, const ViewedRun& run, const std::string& report) {
  std::string data = script("application/json", "stiction-stage", without_tags(run.stage));
  for (std::size_t t = 0; t < run.tracks.size(); ++t)
    data += script("text/plain", "stiction-track-" + std::to_string(t), base64(run.tracks[t]));
  if (!report.empty()) data += script("text/html", "stiction-report", report);
  const std::size_t end = page.rfind("</body>");
  if (end == std::string::npos) return page + data;
  return page.substr(0, end) + data + page.substr(end);
}

}  // namespace stiction::viewer
