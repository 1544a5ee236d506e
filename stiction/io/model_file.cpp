#include "stiction/io/model_file.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/io/model_json.h"
#include "stiction/io/urdf/urdf.h"
#include "stiction/io/xml/xml.h"

namespace stiction {

namespace {

// The name of the root element, found without parsing the text; empty where that is not possible.
std::string_view root_name(std::string_view text) {
  const auto skip_to = [&text](std::string_view mark) {
    text.remove_prefix(std::min(text.find(mark), text.size()));
  };
  for (skip_to("<"); text.substr(0, 2) == "<?" || text.substr(0, 4) == "<!--"; skip_to("<"))
    skip_to(text[1] == '?' ? "?>" : "-->");
  const std::size_t end = text.find_first_of(" \t\r\n/>");
  return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
}

}  // namespace

Model load_model_file(const std::filesystem::path& file, const ModelFileOptions& options,
                      CompatibilityReport* report) {
  if (lower_case_ending(file.filename().string()) == "json") return load_model_json(file);
  return parse_model(read_file_bytes(file), file, options, report);
}

Model parse_model(const std::string& text, const std::filesystem::path& file, const ModelFileOptions& options,
                  CompatibilityReport* report) {
  const std::string_view root = root_name(text);
  if (root == "robot")
    return parse_urdf(
        text, file, {.floating_base = options.floating_base, .package_paths = options.package_paths}, report);
  if (root == "mujoco") return parse_mjcf(text, file, {}, report);
  // Where the text is not valid XML, that is the error.
  parse_xml(text, file.string())
      .root()
      .fail("is not the root of a model; <robot> (URDF) and <mujoco> (MJCF) are");
}

}  // namespace stiction
