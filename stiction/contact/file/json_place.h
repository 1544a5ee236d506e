#pragma once
// A value in a JSON file and its place there, so that errors name the file and the key. For the readers of
// problem files. It includes nlohmann's header, which is large: include it in .cpp files only.

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"

namespace stiction {

class JsonPlace {
 public:
  using Json = nlohmann::ordered_json;

  JsonPlace(const Json& json, std::string name) : json_(&json), name_(std::move(name)) {}

  [[noreturn]] void fail(const std::string& message) const {
    throw_user_error(format("{}: {}", name_, message));
  }
  JsonPlace at(const char* key) const {
    if (!has(key)) fail(format("there is no '{}'", key));
    return {(*json_)[key], name_ + "." + key};
  }
  JsonPlace at(std::size_t index) const { return {(*json_)[index], name_ + format("[{}]", index)}; }
  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  std::size_t list_size() const {
    if (!json_->is_array()) fail("is not a list");
    return json_->size();
  }
  void check_size(std::size_t count) const {
    if (list_size() != count) fail(format("has {} entries, not {}", list_size(), count));
  }
  // JSON has no infinities: "nan", "inf" and "-inf" stand for them.
  double number() const {
    if (json_->is_string()) {
      const std::string word = json_->get<std::string>();
      if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
      if (word == "inf") return std::numeric_limits<double>::infinity();
      if (word == "-inf") return -std::numeric_limits<double>::infinity();
    }
    if (!json_->is_number()) fail("is not a number");
    return json_->get<double>();
  }
  double finite_number() const {
    const double value = number();
    if (!std::isfinite(value)) fail(format("{} is not finite", value));
    return value;
  }
  int integer(int smallest, int largest) const {
    const double value = number();
    if (!(value >= smallest && value <= largest) || value != std::floor(value))
      fail(format("{} is not a whole number from {} to {}", value, smallest, largest));
    return static_cast<int>(value);
  }
  bool boolean() const {
    if (!json_->is_boolean()) fail("is not true or false");
    return json_->get<bool>();
  }
  std::string string() const {
    if (!json_->is_string()) fail("is not text");
    return json_->get<std::string>();
  }
  void numbers(std::size_t count, double* to) const {
    if (list_size() != count) fail(format("is not a list of {} numbers", count));
    for (std::size_t i = 0; i < count; ++i) to[i] = at(i).number();
  }

 private:
  const Json* json_;
  std::string name_;
};

// Throws UserError, with the file, for what is not JSON.
inline JsonPlace::Json parsed_json(std::string_view text, const std::string& file) {
  try {
    return JsonPlace::Json::parse(text.begin(), text.end());
  } catch (const JsonPlace::Json::exception& error) {
    throw_user_error(format("{}: {}", file, error.what()));
  }
}

}  // namespace stiction
