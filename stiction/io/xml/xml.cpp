#include "stiction/io/xml/xml.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/io/xml/data.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {

namespace {

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t i = 0;
  while (true) {
    while (i < text.size() && is_space(text[i])) ++i;
    if (i == text.size()) return words;
    const std::size_t begin = i;
    while (i < text.size() && !is_space(text[i])) ++i;
    words.push_back(text.substr(begin, i - begin));
  }
}

void set_mark(XmlMark* mark, Compatibility status, std::string_view why) {
  mark->is_set = true;
  mark->status = status;
  mark->why = std::string(why);
}

void set_if_unset(XmlMark* mark) {
  if (!mark->is_set) set_mark(mark, Compatibility::honoured, "");
}

// A message may quote what stands in the file, which may be long.
std::string shortened(std::string_view message) {
  constexpr std::size_t kLongest = 1000;
  if (message.size() <= kLongest) return std::string(message);
  return std::string(message.substr(0, kLongest)) + "...";
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string closest = closest_name(name, candidates);
  return closest.empty() ? std::string() : format("; did you mean '{}'?", closest);
}

std::string listed(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

}  // namespace

// ---- Elements ----

const XmlElement::Node& XmlElement::node() const { return data_->nodes[index_]; }

std::string_view XmlElement::name() const { return node().name; }
std::string_view XmlElement::text() const { return node().text; }
XmlPlace XmlElement::place() const { return data_->place(node().offset); }
XmlPlace XmlElement::place(std::string_view attribute) const {
  const Attribute* found = find(attribute);
  return found ? data_->place(found->offset) : place();
}
const std::string& XmlElement::file() const { return data_->file; }

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> result;
  for (int i = index_ + 1; i < node().subtree_end; i = data_->nodes[i].subtree_end)
    result.push_back(XmlElement(data_, i));
  return result;
}

std::vector<XmlElement> XmlElement::children(std::string_view tag) const {
  std::vector<XmlElement> result;
  for (int i = index_ + 1; i < node().subtree_end; i = data_->nodes[i].subtree_end) {
    if (data_->nodes[i].name != tag) continue;
    set_if_unset(&data_->nodes[i].mark);
    result.push_back(XmlElement(data_, i));
  }
  return result;
}

std::optional<XmlElement> XmlElement::child(std::string_view tag) const {
  const std::vector<XmlElement> found = children(tag);
  if (found.empty()) return std::nullopt;
  if (found.size() > 1)
    found[1].fail(
        format("a <{}> has only one, and another stands in line {}", name(), found[0].place().line));
  return found[0];
}

XmlElement XmlElement::required_child(std::string_view tag) const {
  const std::optional<XmlElement> found = child(tag);
  if (!found) fail(format("a child <{}> is required", tag));
  return *found;
}

// ---- Attributes ----

XmlElement::Attribute* XmlElement::find(std::string_view attribute) const {
  for (int i = node().attribute_begin; i < node().attribute_end; ++i)
    if (data_->attributes[i].name == attribute) return &data_->attributes[i];
  return nullptr;
}

const XmlElement::Attribute& XmlElement::read(std::string_view attribute) const {
  Attribute* found = find(attribute);
  if (!found) fail(format("attribute '{}' is required", attribute));
  set_if_unset(&found->mark);
  set_if_unset(&data_->nodes[index_].mark);
  return *found;
}

std::vector<std::string> XmlElement::attribute_names() const {
  std::vector<std::string> names;
  for (int i = node().attribute_begin; i < node().attribute_end; ++i)
    names.push_back(data_->attributes[i].name);
  return names;
}

bool XmlElement::has(std::string_view attribute) const { return find(attribute) != nullptr; }

std::vector<std::string> XmlElement::blank_attributes() const {
  std::vector<std::string> names;
  for (int i = node().attribute_begin; i < node().attribute_end; ++i) {
    const std::string& value = data_->attributes[i].value;
    if (std::all_of(value.begin(), value.end(), [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }))
      names.push_back(data_->attributes[i].name);
  }
  return names;
}

std::string XmlElement::string(std::string_view attribute) const { return read(attribute).value; }
std::string XmlElement::string(std::string_view attribute, std::string_view fallback) const {
  return has(attribute) ? string(attribute) : std::string(fallback);
}

double XmlElement::number(std::string_view attribute) const { return numbers(attribute, 1, 1)[0]; }
double XmlElement::number(std::string_view attribute, double fallback) const {
  return has(attribute) ? number(attribute) : fallback;
}

int XmlElement::integer(std::string_view attribute) const {
  const double value = number(attribute);
  if (value != std::floor(value) || std::abs(value) > 2147483647.0)
    fail(attribute, format("{} is not a whole number", shown(read(attribute).value)));
  return int(value);
}
int XmlElement::integer(std::string_view attribute, int fallback) const {
  return has(attribute) ? integer(attribute) : fallback;
}

bool XmlElement::boolean(std::string_view attribute) const {
  const std::string_view value = trimmed(read(attribute).value);
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  fail(attribute, format("{} is neither 'true' nor 'false'", shown(value)));
}
bool XmlElement::boolean(std::string_view attribute, bool fallback) const {
  return has(attribute) ? boolean(attribute) : fallback;
}

Vec3 XmlElement::vec3(std::string_view attribute) const {
  const std::vector<double> values = numbers(attribute, 3, 3);
  return Vec3(values[0], values[1], values[2]);
}
Vec3 XmlElement::vec3(std::string_view attribute, const Vec3& fallback) const {
  return has(attribute) ? vec3(attribute) : fallback;
}

std::vector<double> XmlElement::numbers(std::string_view attribute, int min_count, int max_count) const {
  const std::vector<std::string_view> words = words_of(read(attribute).value);
  const int count = int(words.size());
  if (count < min_count || count > max_count) {
    const std::string expected =
        min_count == max_count ? format("{}", min_count) : format("{} to {}", min_count, max_count);
    fail(attribute,
         format("{} numbers expected, {} found in {}", expected, count, shown(read(attribute).value)));
  }
  std::vector<double> values;
  values.reserve(words.size());
  for (const std::string_view word : words) {
    const std::optional<double> value = parse_number(word);
    if (!value) fail(attribute, format("{} is not a finite number", shown(word)));
    values.push_back(*value);
  }
  return values;
}

int XmlElement::choice(std::string_view attribute, const std::vector<std::string>& words) const {
  const std::string& value = read(attribute).value;
  const auto found = std::find(words.begin(), words.end(), value);
  if (found == words.end())
    fail(attribute,
         format("{} is not known{} (there are {})", shown(value), did_you_mean(value, words), listed(words)));
  return int(found - words.begin());
}

// ---- Marks and errors ----

void XmlElement::honour() const { set_mark(&data_->nodes[index_].mark, Compatibility::honoured, ""); }
void XmlElement::approximate(std::string_view why) const {
  set_mark(&data_->nodes[index_].mark, Compatibility::approximated, why);
}
void XmlElement::ignore(std::string_view why) const {
  set_mark(&data_->nodes[index_].mark, Compatibility::ignored, why);
}
void XmlElement::honour(std::string_view attribute) const {
  if (Attribute* found = find(attribute)) set_mark(&found->mark, Compatibility::honoured, "");
}
void XmlElement::approximate(std::string_view attribute, std::string_view why) const {
  if (Attribute* found = find(attribute)) set_mark(&found->mark, Compatibility::approximated, why);
}
void XmlElement::ignore(std::string_view attribute, std::string_view why) const {
  if (Attribute* found = find(attribute)) set_mark(&found->mark, Compatibility::ignored, why);
}
void XmlElement::ignore_all(std::string_view why) const {
  for (int i = index_; i < node().subtree_end; ++i) {
    Node& below = data_->nodes[i];
    set_mark(&below.mark, Compatibility::ignored, why);
    for (int a = below.attribute_begin; a < below.attribute_end; ++a)
      set_mark(&data_->attributes[a].mark, Compatibility::ignored, why);
  }
}

void XmlElement::explain_unread(std::string_view why) const {
  const auto explain = [why](XmlMark* mark) {
    if (!mark->is_set) mark->why = std::string(why);
  };
  for (int i = index_; i < node().subtree_end; ++i) {
    Node& below = data_->nodes[i];
    explain(&below.mark);
    for (int a = below.attribute_begin; a < below.attribute_end; ++a) explain(&data_->attributes[a].mark);
  }
}

void XmlElement::fail(std::string_view message) const {
  throw_user_error(format("{}:{}: element <{}>: {}", file(), place().line, name(), shortened(message)));
}
void XmlElement::fail(std::string_view attribute, std::string_view message) const {
  throw_user_error(format("{}:{}: element <{}>: attribute '{}': {}", file(), place(attribute).line, name(),
                          attribute, shortened(message)));
}

// ---- Documents ----

XmlDocument::XmlDocument() : data_(std::make_unique<XmlElement::Data>()) {}
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument& XmlDocument::operator=(XmlDocument&&) noexcept = default;
XmlDocument::~XmlDocument() = default;

XmlElement XmlDocument::root() const { return XmlElement(data_.get(), 0); }
const std::string& XmlDocument::file() const { return data_->file; }

void XmlDocument::report(CompatibilityReport* report) const {
  for (const XmlElement::Node& node : data_->nodes) {
    report->entries.push_back(
        {node.name, "", data_->file, data_->lines.line(node.offset), node.mark.status, node.mark.why});
    for (int a = node.attribute_begin; a < node.attribute_end; ++a) {
      const XmlElement::Attribute& attribute = data_->attributes[a];
      report->entries.push_back({node.name, attribute.name, data_->file, data_->lines.line(attribute.offset),
                                 attribute.mark.status, attribute.mark.why});
    }
  }
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  // from_chars knows no plus sign.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  double value = 0.0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size())
    return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace stiction
