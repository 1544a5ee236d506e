#include "apps/viewer/live_command.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction::viewer {
namespace {

using Json = nlohmann::json;

constexpr int kMostSteps = 1000;                     // of one command
constexpr double kSlowest = 1e-3, kFastest = 100.0;  // of real time

const Json& field(const Json& message, const char* key) {
  const auto found = message.find(key);
  STICTION_USER_CHECK(found != message.end(), "the command has no \"{}\"", key);
  return *found;
}

std::string text(const Json& message, const char* key) {
  const Json& value = field(message, key);
  STICTION_USER_CHECK(value.is_string(), "\"{}\" of a command must be a text", key);
  return value.get<std::string>();
}

double number(const Json& message, const char* key) {
  const Json& value = field(message, key);
  STICTION_USER_CHECK(value.is_number(), "\"{}\" of a command must be a number", key);
  return value.get<double>();
}

int whole(const Json& message, const char* key, int lower, int upper) {
  const double value = number(message, key);
  STICTION_USER_CHECK(value >= lower && value <= upper && value == std::floor(value),
                      "\"{}\" of a command must be a whole number from {} to {}", key, lower, upper);
  return static_cast<int>(value);
}

Vec3 vector(const Json& message, const char* key) {
  const Json& value = field(message, key);
  STICTION_USER_CHECK(value.is_array() && value.size() == 3 && value[0].is_number() && value[1].is_number() &&
                          value[2].is_number(),
                      "\"{}\" of a command must be three numbers", key);
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

std::optional<std::size_t> track_of(const Json& message) {
  if (!message.contains("track") || message["track"].is_null()) return {};
  return static_cast<std::size_t>(whole(message, "track", 0, static_cast<int>(kMostTracks) - 1));
}

LiveChange set(const Json& message, LiveWorlds* worlds) {
  const std::string what = text(message, "what");
  LiveChange change;
  if (what == "formulation") {
    worlds->set_formulation(text(message, "value"), track_of(message));
    change.formulation_is_other = true;
  } else if (what == "h") {
    worlds->set_h(number(message, "value"), track_of(message));
  } else if (what == "scheme") {
    worlds->set_scheme(text(message, "value"), track_of(message));
  } else if (what == "friction") {
    worlds->set_friction(number(message, "value"));
  } else if (what == "stiffness") {
    worlds->set_stiffness(number(message, "value"));
  } else if (what == "gravity") {
    worlds->set_gravity(vector(message, "value"));
  } else {
    throw_user_error(unknown_word_message(
        "setting", what, {"formulation", "h", "scheme", "friction", "stiffness", "gravity"}));
  }
  return change;
}

LiveChange apply_json(const Json& message, LiveWorlds* worlds) {
  STICTION_USER_CHECK(message.is_object(), "a command must be an object with \"do\"");
  const std::string verb = text(message, "do");
  LiveChange change;
  if (verb == "run") {
    change.runs = true;
  } else if (verb == "pause") {
    change.runs = false;
  } else if (verb == "step") {
    change.runs = false;
    change.steps = message.contains("count") ? whole(message, "count", 1, kMostSteps) : 1;
  } else if (verb == "back") {
    STICTION_USER_CHECK(worlds->back(), "no earlier state is kept");
    change.runs = false;
    change.time_is_other = true;
  } else if (verb == "reset") {
    const bool has_keyframe = message.contains("keyframe") && !message["keyframe"].is_null();
    worlds->reset(has_keyframe ? std::optional(text(message, "keyframe")) : std::nullopt);
    change.time_is_other = true;
  } else if (verb == "speed") {
    const double speed = number(message, "value");
    STICTION_USER_CHECK(speed >= kSlowest && speed <= kFastest,
                        "the speed must be from {} to {} of real time, not {}", kSlowest, kFastest, speed);
    change.speed = speed;
  } else if (verb == "set") {
    change = set(message, worlds);
  } else if (verb == "joint") {
    worlds->set_joint(text(message, "name"), number(message, "value"));
  } else if (verb == "control") {
    worlds->set_control(text(message, "name"), number(message, "value"));
  } else if (verb == "drag") {
    constexpr int kMostBodies = 1 << 30;
    worlds->drag({whole(message, "body", 0, kMostBodies), vector(message, "point"), vector(message, "to")});
  } else if (verb == "drop") {
    worlds->drop();
  } else {
    throw_user_error(unknown_word_message(
        "command", verb,
        {"run", "pause", "step", "back", "reset", "speed", "set", "joint", "control", "drag", "drop"}));
  }
  return change;
}

}  // namespace

LiveChange apply_command(std::string_view message, LiveWorlds* worlds) {
  Json json;
  try {
    json = Json::parse(message);
  } catch (const Json::exception&) {
    throw_user_error("a command is not JSON");
  }
  return apply_json(json, worlds);
}

}  // namespace stiction::viewer
