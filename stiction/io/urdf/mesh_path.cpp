#include "stiction/io/urdf/mesh_path.h"

#include <charconv>

#include "stiction/base/format.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// A path such as "a/../../b" that climbs out of where it starts, by more than `levels`.
bool climbs(const fs::path& relative, int levels) {
  int depth = 0;
  for (const fs::path& part : relative) {
    if (part == "..")
      --depth;
    else if (part != "." && !part.empty())
      ++depth;
    if (depth < -levels) return true;
  }
  return false;
}

// Percent-encoding such as "%20".
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i] + 3, code, 16).ptr == &text[i] + 3) {
      out += char(code);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

UrdfFilePath missing(const std::string& name, const std::string& why) {
  return {{}, format("'{}' {}", name, why)};
}

UrdfFilePath in_package(const std::string& name, const fs::path& inside, const UrdfFolders& folders) {
  if (inside.empty() || inside.is_absolute()) return missing(name, "names no package");
  if (climbs(inside, 0) || *inside.begin() == "..") return missing(name, "leads out of its package");
  const fs::path package = *inside.begin();
  fs::path rest;
  for (auto part = std::next(inside.begin()); part != inside.end(); ++part) rest /= *part;
  if (climbs(rest, 0)) return missing(name, "leads out of its package");

  // The folder itself may be the package, or hold it.
  const auto found_at = [&](const fs::path& folder) {
    if (is_file(folder / inside)) return folder / inside;
    return folder.filename() == package && is_file(folder / rest) ? folder / rest : fs::path();
  };
  std::error_code error;
  fs::path folder = fs::absolute(folders.folder, error).lexically_normal();
  for (;; folder = folder.parent_path()) {
    if (const fs::path found = found_at(folder); !found.empty()) return {found, ""};
    if (folder == folder.parent_path()) break;
  }
  for (const fs::path& path : folders.package_paths)
    if (const fs::path found = found_at(path.lexically_normal()); !found.empty()) return {found, ""};
  return missing(name, format("is in no package '{}' above {} and on none of {} package paths",
                              package.string(), folders.folder.string(), folders.package_paths.size()));
}

}  // namespace

UrdfFilePath find_urdf_file(const std::string& name, const UrdfFolders& folders) {
  if (name.empty()) return missing(name, "is empty");
  const std::size_t scheme_end = name.find("://");
  const std::string scheme = scheme_end == std::string::npos ? "" : name.substr(0, scheme_end);
  const fs::path rest = scheme.empty() ? name : percent_decoded(name.substr(scheme_end + 3));

  if (!folders.mesh_folder.empty()) {
    const fs::path placed =
        folders.folder / folders.mesh_folder / (folders.strip_path ? rest.filename() : rest);
    if ((folders.strip_path || !climbs(rest, 0)) && is_file(placed)) return {placed.lexically_normal(), ""};
  }
  if (scheme == "package" || scheme == "model") return in_package(name, rest, folders);
  if (!scheme.empty() && scheme != "file")
    return missing(name, format("cannot be fetched from '{}://'", scheme));
  if (scheme == "file" && !rest.is_absolute()) return missing(name, "is not 'file:///' and an absolute path");
  if (rest.is_relative() && climbs(rest, 1))
    return missing(name, "leads out of the folder above the robot's; give the package path and package://");
  const fs::path path = (folders.folder / rest).lexically_normal();
  if (!is_file(path)) return missing(name, format("is not there (looked at {})", path.string()));
  return {path, ""};
}

}  // namespace stiction
