#include "stiction/io/scene_file/toml_value.h"

#include <algorithm>
#include <sstream>

#include "stiction/base/check.h"

// One source has the library in it, so that programs link nothing for it.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace stiction {
namespace {

TomlPlace place_of(const toml::source_region& region) {
  return {std::max(1, static_cast<int>(region.begin.line)),
          std::max(1, static_cast<int>(region.begin.column))};
}

TomlValue converted(const toml::node& node, const std::string& file) {
  TomlValue value;
  value.place = place_of(node.source());
  switch (node.type()) {
    case toml::node_type::boolean:
      value.kind = TomlValue::Kind::boolean;
      value.boolean = node.as_boolean()->get();
      break;
    case toml::node_type::integer:
      value.kind = TomlValue::Kind::integer;
      value.integer = node.as_integer()->get();
      value.number = static_cast<double>(value.integer);
      break;
    case toml::node_type::floating_point:
      value.kind = TomlValue::Kind::real;
      value.number = node.as_floating_point()->get();
      break;
    case toml::node_type::string:
      value.kind = TomlValue::Kind::text;
      value.text = node.as_string()->get();
      break;
    case toml::node_type::array:
      value.kind = TomlValue::Kind::list;
      for (const toml::node& item : *node.as_array()) value.items.push_back(converted(item, file));
      break;
    case toml::node_type::table:
      value.kind = TomlValue::Kind::table;
      for (const auto& entry : *node.as_table())
        value.entries.push_back(
            {std::string(entry.first.str()), place_of(entry.first.source()), converted(entry.second, file)});
      // The library sorts by name.
      std::stable_sort(value.entries.begin(), value.entries.end(),
                       [](const TomlEntry& a, const TomlEntry& b) {
                         return a.place.line != b.place.line ? a.place.line < b.place.line
                                                             : a.place.column < b.place.column;
                       });
      break;
    default:
      fail_at(file, value.place, "dates and times have no use here");
  }
  return value;
}

}  // namespace

const char* name_of(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::boolean:
      return "true or false";
    case TomlValue::Kind::integer:
      return "a whole number";
    case TomlValue::Kind::real:
      return "a number";
    case TomlValue::Kind::text:
      return "a text";
    case TomlValue::Kind::list:
      return "a list";
    case TomlValue::Kind::table:
      return "a table";
  }
  return "";
}

const TomlEntry* find(const TomlValue& table, std::string_view key) {
  for (const TomlEntry& entry : table.entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

void fail_at(const std::string& file, const TomlPlace& place, std::string_view message) {
  throw_user_error(format("{}:{}:{}: {}", file, place.line, place.column, message));
}

TomlValue parse_toml(std::string_view text, const std::string& file) {
  try {
    return converted(toml::parse(text, file), file);
  } catch (const toml::parse_error& error) {
    fail_at(file, place_of(error.source()), error.description());
  }
}

}  // namespace stiction
