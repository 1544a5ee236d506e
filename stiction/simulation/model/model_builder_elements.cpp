#include <algorithm>
#include <type_traits>

#include "stiction/base/check.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction {
namespace {

template <class Item>
bool has_named(const std::vector<Item>& items, const std::string& name) {
  return std::any_of(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
}

}  // namespace

void ModelBuilder::check_constraint_name(const std::string& name) const {
  bool is_taken = has_named(elements_.equalities, name);
  for_each_frame_constraint(
      [&](const auto& row) { is_taken = is_taken || has_named(elements_.*row.items, name); });
  STICTION_USER_CHECK(name.empty() || !is_taken, "there is already a constraint '{}'", name);
}

ModelBuilder& ModelBuilder::add_constraint(const Equality& equality) {
  check_constraint_name(equality.name);
  const std::string owner = format("constraint '{}'", equality.name);
  for (const std::string* object : {&equality.object1, &equality.object2}) {
    if (object->empty() && object != &equality.object1) continue;
    if (equality.kind == EqualityKind::joint)
      find_joint(*object, owner);
    else if (equality.kind == EqualityKind::tendon)
      STICTION_USER_CHECK(has_named(elements_.tendons, *object), "{}: there is no tendon '{}'", owner,
                          *object);
    else if (equality.between_sites)
      check_frame(*object, owner);
    else
      body_index(*object, owner);
  }
  elements_.equalities.push_back(equality);
  return *this;
}

template <class Item>
ModelBuilder& ModelBuilder::add_frame_constraint(const Item& item) {
  check_constraint_name(item.name);
  for_each_frame_constraint([&]<class Row>(const FrameConstraintRow<Row>& row) {
    if constexpr (std::is_same_v<Row, Item>) {
      for (const std::string* frame : {&item.frame1, &item.frame2})
        check_frame(*frame, format("{} '{}'", row.word, item.name));
      (elements_.*row.items).push_back(item);
    }
  });
  return *this;
}

ModelBuilder& ModelBuilder::add_constraint(const DistanceConstraint& distance) {
  return add_frame_constraint(distance);
}

ModelBuilder& ModelBuilder::add_constraint(const SlotConstraint& slot) { return add_frame_constraint(slot); }

ModelBuilder& ModelBuilder::add_constraint(const Bushing& bushing) { return add_frame_constraint(bushing); }

ModelBuilder& ModelBuilder::add_constraint(const SupportFriction& support) {
  return add_frame_constraint(support);
}

ModelBuilder& ModelBuilder::add_tendon(const Tendon& tendon) {
  STICTION_USER_CHECK(!tendon.name.empty(), "a tendon needs a name");
  STICTION_USER_CHECK(!has_named(elements_.tendons, tendon.name), "there is already a tendon '{}'",
                      tendon.name);
  const std::string owner = format("tendon '{}'", tendon.name);
  for (const TendonWrap& wrap : tendon.wraps) {
    if (wrap.kind == WrapKind::joint) find_joint(wrap.name, owner);
    if (wrap.kind == WrapKind::site) check_frame(wrap.name, owner);
    if (wrap.kind == WrapKind::shape) shape_index(wrap.name, owner);
    check_frame(wrap.side_site, owner);
  }
  elements_.tendons.push_back(tendon);
  return *this;
}

ModelBuilder& ModelBuilder::add_actuator(const Actuator& actuator) {
  STICTION_USER_CHECK(actuator.name.empty() || !has_named(elements_.actuators, actuator.name),
                      "there is already an actuator '{}'", actuator.name);
  const std::string owner = format("actuator '{}'", actuator.name);
  switch (actuator.transmission) {
    case TransmissionKind::joint:
    case TransmissionKind::joint_in_parent:
      find_joint(actuator.target, owner);
      break;
    case TransmissionKind::tendon:
      STICTION_USER_CHECK(has_named(elements_.tendons, actuator.target), "{}: there is no tendon '{}'", owner,
                          actuator.target);
      break;
    case TransmissionKind::body:
      body_index(actuator.target, owner);
      break;
    case TransmissionKind::site:
    case TransmissionKind::slider_crank:
      for (const std::string* site : {&actuator.target, &actuator.reference_site, &actuator.slider_site})
        check_frame(*site, owner);
      break;
  }
  elements_.actuators.push_back(actuator);
  return *this;
}

ModelBuilder& ModelBuilder::add_keyframe(const Keyframe& keyframe) {
  STICTION_USER_CHECK(keyframe.name.empty() || !has_named(elements_.keyframes, keyframe.name),
                      "there is already a keyframe '{}'", keyframe.name);
  elements_.keyframes.push_back(keyframe);
  return *this;
}

}  // namespace stiction
