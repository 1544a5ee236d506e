#include "stiction/io/mjcf/values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/context.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

// MuJoCo's smallest length of a vector that is still taken for a direction.
constexpr double kShortestDirection = 1e-14;

const std::vector<std::string>& orientations() {
  static const std::vector<std::string> names = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  return names;
}

bool is_orientation(const std::string& name) {
  return std::find(orientations().begin(), orientations().end(), name) != orientations().end();
}

// Attributes that may have fewer numbers than their class.
bool may_be_shorter(const std::string& name) {
  static const std::vector<std::string> names = {
      "size",    "friction", "solref", "solimp",         "solreflimit", "solimplimit", "solreffriction",
      "gainprm", "biasprm",  "dynprm", "solimpfriction", "gear",        "stiffness",   "damping"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Cuts the next word off the text; empty where there is none.
std::string_view take_word(std::string_view* text) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const auto begin = std::find_if_not(text->begin(), text->end(), is_blank);
  const auto end = std::find_if(begin, text->end(), is_blank);
  const std::string_view word(begin, end);
  text->remove_prefix(std::size_t(end - text->begin()));
  return word;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word = take_word(&text); !word.empty(); word = take_word(&text))
    words.emplace_back(word);
  return words;
}

MjcfValues::MjcfValues(const MjcfElement& element, const std::vector<MjcfAttribute>& inherited)
    : element_(&element), attributes_(element.attributes) {
  const bool has_own_orientation = has_orientation();
  for (const MjcfAttribute& attribute : inherited) {
    if (has_own_orientation && is_orientation(attribute.name)) continue;
    const auto own = std::find_if(attributes_.begin(), attributes_.end(),
                                  [&](const MjcfAttribute& a) { return a.name == attribute.name; });
    if (own == attributes_.end()) {
      attributes_.push_back(attribute);
    } else if (may_be_shorter(attribute.name)) {
      std::string text = own->value();
      const std::vector<std::string> longer = words_of(attribute.value());
      for (std::size_t i = words_of(text).size(); i < longer.size(); ++i) text += " " + longer[i];
      own->renamed = text;
    }
  }
}

const MjcfAttribute* MjcfValues::find(std::string_view attribute) const {
  for (const MjcfAttribute& candidate : attributes_)
    if (candidate.name == attribute) return &candidate;
  return nullptr;
}

void MjcfValues::fail(std::string_view attribute, std::string_view message) const {
  const MjcfAttribute* found = find(attribute);
  if (found == nullptr) element_->source.fail(format("attribute '{}': {}", attribute, message));
  found->source.fail(attribute, message);
}

void MjcfValues::ignore(std::string_view attribute, std::string_view why) const {
  if (const MjcfAttribute* found = find(attribute)) found->source.ignore(attribute, why);
}

void MjcfValues::approximate(std::string_view attribute, std::string_view why) const {
  if (const MjcfAttribute* found = find(attribute)) found->source.approximate(attribute, why);
}

std::string MjcfValues::string(std::string_view attribute, std::string_view fallback) const {
  const MjcfAttribute* found = find(attribute);
  return found == nullptr ? std::string(fallback) : found->value();
}

std::vector<double> MjcfValues::numbers(std::string_view attribute, std::size_t min_count,
                                        std::size_t max_count, bool may_be_infinite) const {
  std::vector<double> values;
  const MjcfAttribute* found = find(attribute);
  if (found == nullptr) fail(format("attribute '{}' is required", attribute));
  const std::string text = found->value();
  std::string_view rest = text;
  for (std::string_view word = take_word(&rest); !word.empty(); word = take_word(&rest)) {
    std::optional<double> value = parse_number(word);
    if (may_be_infinite && (word == "inf" || word == "+inf" || word == "-inf"))
      value = (word[0] == '-' ? -1.0 : 1.0) * std::numeric_limits<double>::infinity();
    if (!value) fail(attribute, format("'{}' is not a finite number", word));
    values.push_back(*value);
  }
  if (values.size() < min_count || values.size() > max_count)
    fail(attribute, min_count == max_count
                        ? format("has {} numbers, not {}", values.size(), min_count)
                        : format("has {} numbers, not {} to {}", values.size(), min_count, max_count));
  return values;
}

double MjcfValues::number(std::string_view attribute, double fallback) const {
  return has(attribute) ? numbers(attribute, 1, 1)[0] : fallback;
}

int MjcfValues::integer(std::string_view attribute, int fallback) const {
  if (!has(attribute)) return fallback;
  const double value = number(attribute, 0.0);
  // Bit masks may use all 32 bits.
  constexpr double kLowest = -2147483648.0, kHighest = 4294967295.0;
  if (value != std::floor(value) || value < kLowest || value > kHighest)
    fail(attribute, format("{} is not an integer of 32 bits", value));
  return int(std::int64_t(value));
}

bool MjcfValues::boolean(std::string_view attribute, bool fallback) const {
  return word(attribute, fallback ? "true" : "false", {"false", "true"}) == "true";
}

Vec3 MjcfValues::vec3(std::string_view attribute, const Vec3& fallback) const {
  if (!has(attribute)) return fallback;
  const std::vector<double> values = numbers(attribute, 3, 3);
  return Vec3(values[0], values[1], values[2]);
}

std::string MjcfValues::word(std::string_view attribute, std::string_view fallback,
                             const std::vector<std::string>& words) const {
  if (!has(attribute)) return std::string(fallback);
  const std::string value = string(attribute);
  if (std::find(words.begin(), words.end(), value) == words.end()) {
    const std::string closest = closest_name(value, words);
    std::string all;
    for (const std::string& one : words) all += (all.empty() ? "" : ", ") + one;
    fail(attribute, format("'{}' is not one of its words{} (there are {})", value,
                           closest.empty() ? "" : "; did you mean '" + closest + "'?", all));
  }
  return value;
}

void MjcfValues::fill(std::string_view attribute, double* values, std::size_t min_count,
                      std::size_t max_count) const {
  if (!has(attribute)) return;
  const std::vector<double> given = numbers(attribute, min_count, max_count);
  std::copy(given.begin(), given.end(), values);
}

Range MjcfValues::range(std::string_view attribute, std::string_view limited, double scale) const {
  Range out;
  const std::string on = word(limited, "auto", {"false", "true", "auto"});
  if (has(attribute)) {
    // An infinite end is no end; a range that is open to one side keeps the other.
    constexpr double kFar = 1e10;  // rad or m
    const std::vector<double> values = numbers(attribute, 2, 2, true);
    if (std::isinf(values[0]) && std::isinf(values[1]) && values[0] < values[1]) return out;
    out.lower = scale * values[0];
    out.upper = scale * values[1];
    out.lower = std::clamp(out.lower, -kFar, kFar);
    out.upper = std::clamp(out.upper, -kFar, kFar);
    const bool is_given = values[0] != 0.0 || values[1] != 0.0;  // 0 0 is MJCF's default: no range
    if (on == "auto" && is_given && !context().compiler.autolimits)
      fail(attribute, format("needs '{}' where compiler/autolimits is false", limited));
  }
  out.limited = on == "true" || (on == "auto" && out.lower < out.upper);
  if (out.limited && !(out.lower < out.upper))
    fail(attribute, format("the lower limit {} must be below the upper limit {}", out.lower, out.upper));
  return out;
}

double MjcfValues::angle(double value) const {
  return context().compiler.degrees ? value * std::numbers::pi / 180.0 : value;
}

bool MjcfValues::has_orientation() const {
  return std::any_of(attributes_.begin(), attributes_.end(),
                     [](const MjcfAttribute& a) { return is_orientation(a.name); });
}

Pose MjcfValues::pose() const { return {orientation(), vec3("pos", Vec3::Zero())}; }

Mat3 MjcfValues::orientation() const {
  std::vector<std::string> given;
  for (const std::string& name : orientations())
    if (has(name)) given.push_back(name);
  if (given.empty()) return Mat3::Identity();
  if (given.size() > 1) fail(given[1], format("the orientation is given by '{}' already", given[0]));
  const std::string& name = given[0];

  const auto direction = [&](const Vec3& v) {
    if (v.norm() < kShortestDirection) fail(name, "has no direction");
    return Vec3(v.normalized());
  };
  if (name == "quat") {
    const std::vector<double> q = numbers(name, 4, 4);
    const Vec4 quaternion(q[0], q[1], q[2], q[3]);
    if (quaternion.norm() < kShortestDirection) fail(name, "a quaternion of length zero is no rotation");
    return rotation_from_quaternion(Vec4(quaternion.normalized()));
  }
  if (name == "axisangle") {
    const std::vector<double> a = numbers(name, 4, 4);
    return rotation_exp(Vec3(direction(Vec3(a[0], a[1], a[2])) * angle(a[3])));
  }
  if (name == "euler") {
    const Vec3 e = vec3(name, Vec3::Zero());
    return rotation_from_euler(context().compiler.eulerseq, Vec3(angle(e[0]), angle(e[1]), angle(e[2])));
  }
  if (name == "xyaxes") {
    const std::vector<double> a = numbers(name, 6, 6);
    const Vec3 x = direction(Vec3(a[0], a[1], a[2]));
    const Vec3 given_y(a[3], a[4], a[5]);
    const Vec3 y = direction(given_y - x * x.dot(given_y));
    Mat3 R;
    R << x, y, x.cross(y);
    return R;
  }
  return rotation_to_z(direction(vec3(name, Vec3::Zero())));
}

Mat3 rotation_from_euler(const std::string& sequence, const Vec3& angles) {
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const bool turns_with_frame = sequence[i] >= 'x';
    const int axis = turns_with_frame ? sequence[i] - 'x' : sequence[i] - 'X';
    const Mat3 turn = rotation_about<double>(Vec3::Unit(axis), angles[i]);
    R = turns_with_frame ? Mat3(R * turn) : Mat3(turn * R);
  }
  return R;
}

Mat3 rotation_to_z(const Vec3& z) {
  const Vec3 axis = Vec3::UnitZ().cross(z);
  const double sine = axis.norm();
  // Opposite directions: MuJoCo turns about x.
  const Vec3 unit = sine < 1e-10 ? Vec3(Vec3::UnitX()) : Vec3(axis / sine);
  return rotation_exp(Vec3(unit * std::atan2(sine, z.z())));
}

}  // namespace stiction
