#include <algorithm>
#include <sstream>

#include "stiction/base/check.h"
#include "stiction/io/xml/xml.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string prefix_of(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::string() : std::string(name.substr(0, colon));
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string not_known(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string closest = closest_name(name, candidates);
  return closest.empty() ? "is not known" : format("is not known; did you mean '{}'?", closest);
}

}  // namespace

XmlSchema::XmlSchema(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    Type type;
    for (const std::string& word : words_of(row.attributes)) {
      if (word == "*")
        type.any_attribute = true;
      else
        type.attributes.push_back(word);
    }
    for (const std::string& word : words_of(row.children)) {
      const std::size_t equals = word.find('=');
      if (word == "*") {
        type.any_child = true;
      } else {
        type.tags.push_back(word.substr(0, equals));
        type.types.push_back(equals == std::string::npos ? word : word.substr(equals + 1));
      }
    }
    for (const auto* names : {&type.attributes, &type.tags})
      for (const std::string& name : *names)
        if (const std::string prefix = prefix_of(name); !prefix.empty() && !contains(prefixes_, prefix))
          prefixes_.push_back(prefix);
    types_[row.type] = std::move(type);
  }
  // A child of a type that has no row is our own mistake.
  for (const auto& entry : types_)
    for (const std::string& type : entry.second.types) STICTION_ASSERT(types_.count(type) == 1);
}

const XmlSchema::Type& XmlSchema::type(const std::string& name) const {
  const auto found = types_.find(name);
  STICTION_ASSERT(found != types_.end());
  return found->second;
}

bool XmlSchema::is_foreign(std::string_view name) const {
  const std::string prefix = prefix_of(name);
  return name == "xmlns" || (!prefix.empty() && !contains(prefixes_, prefix));
}

void check_schema(const XmlElement& element, const XmlSchema& schema, const std::string& type_name) {
  const XmlSchema::Type& type = schema.type(type_name);
  if (!type.any_attribute) {
    for (const std::string& name : element.attribute_names()) {
      if (contains(type.attributes, name) || schema.is_foreign(name)) continue;
      throw_user_error(format("{}:{}: element <{}>: attribute '{}' {}", element.file(),
                              element.place(name).line, element.name(), name,
                              not_known(name, type.attributes)));
    }
  }
  if (type.any_child) return;
  for (const XmlElement& child : element.children()) {
    const auto found = std::find(type.tags.begin(), type.tags.end(), child.name());
    if (found != type.tags.end()) {
      check_schema(child, schema, type.types[std::size_t(found - type.tags.begin())]);
    } else if (!schema.is_foreign(child.name())) {
      throw_user_error(format("{}:{}: element <{}>: child <{}> {}", child.file(), child.place().line,
                              element.name(), child.name(), not_known(child.name(), type.tags)));
    }
  }
}

}  // namespace stiction
