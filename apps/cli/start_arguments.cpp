#include "apps/cli/start_arguments.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/simulation/input_schedule.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

double number(std::string_view text, const char* option, std::string_view item) {
  // from_chars knows no plus sign.
  const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  STICTION_USER_CHECK(error == std::errc() && end == digits.data() + digits.size() && std::isfinite(value),
                      "{} {}: '{}' is not a finite number", option, item, text);
  return value;
}

struct Item {
  std::string_view text, name;
  std::vector<double> values;
};

std::vector<Item> items_of(const std::vector<std::string>& texts, const char* option) {
  std::vector<Item> items;
  for (const std::string& text : texts) {
    for (const std::string_view part : split(text, ',')) {
      const std::size_t equals = part.rfind('=');
      STICTION_USER_CHECK(equals != std::string_view::npos && equals > 0, "{} {}: write NAME=VALUE", option,
                          part);
      Item item = {part, part.substr(0, equals), {}};
      for (const std::string_view value : split(part.substr(equals + 1), ':'))
        item.values.push_back(number(value, option, part));
      items.push_back(std::move(item));
    }
  }
  return items;
}

}  // namespace

void add_start_options(const Parser& command, StartArguments* arguments) {
  command
      .add_option("--ctrl", &arguments->controls,
                  "Controls of actuators, by name or number: --ctrl shoulder=0.5,gripper=255")
      .allow_extra_args(false)
      .type_name("NAME=VALUE,...");
  command
      .add_option("--q", &arguments->positions,
                  "Where joints start, after the keyframe; a ball joint has a quaternion w:x:y:z, a free one "
                  "a quaternion and a place: --q elbow=1.2,ball=1:0:0:0,box=1:0:0:0:0.1:0:0.5")
      .allow_extra_args(false)
      .type_name("NAME=VALUE,...");
}

void apply(const StartArguments& arguments, World* world, InputSchedule* schedule) {
  const Model& model = world->model();
  State state = world->state();
  for (const Item& item : items_of(arguments.positions, "--q")) {
    const JointIndices& place = model.forest.joints[model.joint(item.name)];
    const int count = static_cast<int>(item.values.size());
    STICTION_USER_CHECK(count == place.num_q, "--q {}: joint '{}' has {} positions, not {}", item.text,
                        item.name, place.num_q, count);
    state.q.segment(place.q_begin, count) = Eigen::Map<const VecX>(item.values.data(), count);
  }
  if (!arguments.positions.empty()) world->set_state(state);
  for (const Item& item : items_of(arguments.controls, "--ctrl")) {
    STICTION_USER_CHECK(item.values.size() == 1, "--ctrl {}: an actuator has one control", item.text);
    world->set_control(item.name, item.values[0]);
    const int actuator = model.actuator(item.name);
    std::erase_if(schedule->controls,
                  [actuator](const ControlInput& control) { return control.actuator == actuator; });
  }
}

}  // namespace stiction::cli
