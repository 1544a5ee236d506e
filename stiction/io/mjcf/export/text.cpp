#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/export/parts.h"

namespace stiction {
namespace {

std::string number_text(double value) {
  STICTION_USER_CHECK(std::isfinite(value), "MJCF cannot say a number that is not finite ({})", value);
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return {buffer, end.ptr};
}

// Readers keep white space in attributes only if it is written as a reference.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n' || c == '\t' || c == '\r')
      out += format("&#{};", int(c));
    else if (static_cast<unsigned char>(c) < 0x20)
      out += '_';  // XML has no such characters
    else
      out += c;
  }
  return out;
}

void append_text(const MjcfNode& node, std::size_t depth, std::string* text) {
  text->append(2 * depth, ' ');
  *text += "<" + node.tag;
  for (const auto& attribute : node.attributes)
    *text += " " + attribute.first + "=\"" + escaped(attribute.second) + "\"";
  if (node.children.empty()) {
    *text += "/>\n";
    return;
  }
  *text += ">\n";
  for (const MjcfNode& child : node.children) append_text(child, depth + 1, text);
  text->append(2 * depth, ' ');
  *text += "</" + node.tag + ">\n";
}

bool can_be_written(const std::string& name) {
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20) return false;
  return true;
}

}  // namespace

MjcfNode& MjcfNode::add(const std::string& child_tag) {
  children.push_back({child_tag, {}, {}});
  return children.back();
}

MjcfNode& MjcfNode::set(const char* attribute, const std::string& value) {
  attributes.emplace_back(attribute, value);
  return *this;
}

MjcfNode& MjcfNode::set(const char* attribute, const char* value) {
  return set(attribute, std::string(value));
}

MjcfNode& MjcfNode::set(const char* attribute, bool value) {
  return set(attribute, value ? "true" : "false");
}

MjcfNode& MjcfNode::set(const char* attribute, int value) { return set(attribute, std::to_string(value)); }

MjcfNode& MjcfNode::set(const char* attribute, double value) { return set(attribute, number_text(value)); }

MjcfNode& MjcfNode::set(const char* attribute, std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += ' ';
    text += number_text(value);
  }
  return set(attribute, text);
}

MjcfNode& MjcfNode::set(const char* attribute, const Vec3& value) {
  return set(attribute, std::span<const double>(value.data(), 3));
}

MjcfNode& MjcfNode::set(const char* attribute, const Vec4& value) {
  return set(attribute, std::span<const double>(value.data(), 4));
}

MjcfNode& MjcfNode::set_pose(const Pose& X) {
  if (X.p != Vec3::Zero()) set("pos", X.p);
  if (X.R != Mat3::Identity()) set("quat", quaternion_from_rotation(X.R));
  return *this;
}

std::string to_text(const MjcfNode& root) {
  std::string text;
  append_text(root, 0, &text);
  return text;
}

std::string to_text(const MjcfExportReport& report) {
  constexpr std::size_t kMostNames = 6;
  using Reason = std::tuple<Compatibility, std::string, std::string, std::string>;
  std::map<Reason, std::vector<std::string>> names;
  for (const MjcfExportNote& note : report.notes)
    names[{note.status, note.element, note.attribute, note.why}].push_back(note.name);
  std::string text;
  for (const auto& [reason, list] : names) {
    const auto& [status, element, attribute, why] = reason;
    std::string listed;
    for (std::size_t i = 0; i < list.size() && i < kMostNames; ++i)
      listed += (listed.empty() ? "" : ", ") + list[i];
    if (list.size() > kMostNames) listed += format(" and {} more", list.size() - kMostNames);
    text += format("{:<12} <{}>{}{}: {}{}\n", name_of(status), element, attribute.empty() ? "" : " ",
                   attribute, why, listed.empty() ? "" : " (" + listed + ")");
  }
  return text;
}

void MjcfExport::approximate(const char* element, const char* attribute, const std::string& name,
                             const std::string& why) {
  if (report_ != nullptr)
    report_->notes.push_back({Compatibility::approximated, element, attribute, name, why});
}

void MjcfExport::ignore(const char* element, const char* attribute, const std::string& name,
                        const std::string& why) {
  if (report_ != nullptr) report_->notes.push_back({Compatibility::ignored, element, attribute, name, why});
}

std::string MjcfExport::make_up(const std::string& kind, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; taken_.count({kind, name}) > 0 || reserved_.count({kind, name}) > 0; ++i)
    name = wanted + "_" + std::to_string(i);
  taken_.insert({kind, name});
  return name;
}

std::string MjcfExport::declare(const std::string& kind, const std::string& name) {
  std::string written = name;
  if (name.empty() || !can_be_written(name) || taken_.count({kind, name}) > 0) {
    std::string wanted = name.empty() ? kind : name;
    for (char& c : wanted)
      if (static_cast<unsigned char>(c) < 0x20) c = '_';
    written = make_up(kind, wanted);
    approximate(kind.c_str(), "name", name,
                format("written as '{}': the name is empty, taken or cannot be written", written));
  }
  taken_.insert({kind, written});
  declared_.try_emplace({kind, name}, written);
  return written;
}

void MjcfExport::set_name(const std::string& kind, const std::string& name, MjcfNode* node) {
  if (!name.empty()) node->set("name", declare(kind, name));
}

std::optional<std::string> MjcfExport::find(const std::string& kind, const std::string& name) const {
  const auto found = declared_.find({kind, name});
  if (found == declared_.end()) return std::nullopt;
  return found->second;
}

bool MjcfExport::refer(const char* attribute, const std::string& kind, const std::string& name,
                       const std::string& owner, MjcfNode* node) {
  const std::optional<std::string> written = find(kind, name);
  if (!written)
    ignore(node->tag.c_str(), attribute, owner, format("there is no single {} '{}' in MJCF", kind, name));
  else
    node->set(attribute, *written);
  return written.has_value();
}

void set_range(const char* range_attribute, const char* limited_attribute, const Range& range,
               const std::string& name, MjcfExport* out, MjcfNode* node) {
  constexpr double kFarAway = 1e10;  // MuJoCo takes larger numbers for mistakes
  if (!range.limited && range.lower == 0.0 && range.upper == 0.0) return;
  if (std::isnan(range.lower) || std::isnan(range.upper) || (range.limited && range.lower >= range.upper))
    return out->ignore(node->tag.c_str(), range_attribute, name, "the range is empty");
  const std::array<double, 2> bounded = {std::clamp(range.lower, -kFarAway, kFarAway),
                                         std::clamp(range.upper, -kFarAway, kFarAway)};
  if (bounded[0] != range.lower || bounded[1] != range.upper)
    out->approximate(node->tag.c_str(), range_attribute, name, "no end of a range is farther away than 1e10");
  node->set(limited_attribute, range.limited);
  node->set(range_attribute, bounded);
}

}  // namespace stiction
