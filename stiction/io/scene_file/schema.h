#pragma once
// Every section and key of a scene file, in one list: the reader knows no others, docs/scene_files.md shows
// this list, and a test compares the two.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/renamed_keys.h"

namespace stiction {

struct SceneSection {
  const char* name;    // "object"
  const char* header;  // "[[object]]": how it is written
  const char* description;
};

struct SceneKey {
  const char* section;
  const char* key;
  const char* type;
  const char* unit;      // empty: none
  const char* fallback;  // the default; "needed": there is none
  const char* description;
};

// In the order in which a file is best written. The first section, of an empty name, is the file itself.
const std::vector<SceneSection>& scene_sections();
const std::vector<SceneKey>& scene_keys();
// Old names of keys, which are still read.
std::span<const RenamedKey> renamed_scene_keys();

// The keys of one section, and the names of the sections in a file.
std::vector<std::string> keys_of_section(std::string_view section);
std::vector<std::string> section_names();

// The list as tables of Markdown, one for every section.
std::string scene_schema_markdown();

}  // namespace stiction
