#include "stiction/simulation/model/model.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

template <class Item>
int index_of(const std::vector<Item>& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return int(i);
  return -1;
}

[[noreturn]] void throw_unknown(const Model& model, std::string_view kind, std::string_view name,
                                const std::vector<std::string>& candidates) {
  throw_user_error(format("model '{}': {}", model.name, unknown_name_message(kind, name, candidates)));
}

}  // namespace

int Model::body(std::string_view body_name) const {
  const int index = forest.find_body(body_name);
  if (index < 0) throw_unknown(*this, "body", body_name, names_of(forest.bodies));
  return index;
}

int Model::joint(std::string_view joint_name) const {
  const int index = forest.find_joint(joint_name);
  if (index >= 0) return index;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < forest.joints.size(); ++i) names.push_back(forest.joint(int(i)).name);
  throw_unknown(*this, "joint", joint_name, names);
}

int Model::frame(std::string_view frame_name) const {
  const int index = index_of(frames, frame_name);
  if (index < 0) throw_unknown(*this, "frame", frame_name, names_of(frames));
  return index;
}

int Model::shape(std::string_view shape_name) const {
  const int index = index_of(shapes, shape_name);
  if (index < 0) throw_unknown(*this, "shape", shape_name, names_of(shapes));
  return index;
}

int Model::actuator(std::string_view actuator_name) const {
  const std::vector<Actuator>& all = elements.actuators;
  const int index = index_of(all, actuator_name);
  if (index >= 0) return index;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::to_string(i) == actuator_name) return int(i);
  throw_unknown(*this, "actuator", actuator_name, names_of(all));
}

int Model::num_activations() const {
  int count = 0;
  for (const Actuator& actuator : elements.actuators) count += activation_count(actuator);
  return count;
}

}  // namespace stiction
