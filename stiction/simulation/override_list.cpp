#include "stiction/simulation/override_list.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

using Names = std::span<const std::string>;
using Values = std::span<const double>;

template <void (World::*set)(std::string_view, double)>
void number(World* world, Names names, Values values) {
  (world->*set)(names[0], values[0]);
}

template <void (World::*set)(std::string_view, std::string_view, double)>
void pair_number(World* world, Names names, Values values) {
  (world->*set)(names[0], names[1], values[0]);
}

Vec3 vector(Values values) { return {values[0], values[1], values[2]}; }

// Moments about the centre of mass, in the body's axes: xx, yy, zz, and xy, xz, yz where they are given.
void set_moments(World* world, Names names, Values values) {
  STICTION_USER_CHECK(values.size() == 3 || values.size() == 6,
                      "the inertia of '{}' takes 3 moments, or 6 with the products, not {} numbers", names[0],
                      values.size());
  Inertia inertia =
      world->model().forest.bodies[static_cast<std::size_t>(world->model().body(names[0]))].inertia;
  inertia.I_com = vector(values).asDiagonal();
  if (values.size() == 6) {
    inertia.I_com(0, 1) = inertia.I_com(1, 0) = values[3];
    inertia.I_com(0, 2) = inertia.I_com(2, 0) = values[4];
    inertia.I_com(1, 2) = inertia.I_com(2, 1) = values[5];
  }
  world->set_inertia(names[0], inertia);
}

void set_gains(World* world, Names names, Values values) {
  if (values.size() == 1)
    world->set_gain(names[0], values[0]);
  else
    world->set_gain(names[0], values[0], values[1]);
}

void set_active(World* world, Names names, Values values) {
  STICTION_USER_CHECK(values[0] == 0.0 || values[0] == 1.0, "actuator '{}' is on (1) or off (0), not {}",
                      names[0], values[0]);
  world->set_actuator_active(names[0], values[0] != 0.0);
}

// The pairs of a shape with others that it may touch: their places in the list of the model's collision items.
std::vector<int> contact_candidates(const ModelTables& tables, int item) {
  const PairFilter& filter = tables.collision->filter;
  std::vector<int> out;
  for (int other = 0; other < static_cast<int>(tables.collision->items.size()); ++other) {
    if (other == item) continue;
    const IndexPair pair{std::min(item, other), std::max(item, other)};
    const bool is_forced = std::binary_search(filter.forced.begin(), filter.forced.end(), pair);
    if (is_forced || filter.allows(item, other)) out.push_back(other);
  }
  return out;
}

class EffectCheck {
 public:
  EffectCheck(const Model& model, std::vector<std::string>* out)
      : model_(model), tables_(model.tables()), out_(out) {}

  void look_at(const Override& change) {
    const std::vector<const char*>& of = find_override_kind(change.kind).of;
    if (of.empty()) return;
    const std::string word =
        std::string(change.kind.starts_with("pair_") ? change.kind.substr(5) : change.kind);
    if (of.size() == 2) return look_at_pair(word, change.names[0], change.names[1]);
    if (std::string_view(of[0]) == "shape") return look_at_shape(word, change.names[0]);
    if (std::string_view(of[0]) == "body") return look_at_body(word, change.names[0]);
  }

 private:
  int item_of(const std::string& shape) const {
    const std::vector<int>& shapes = tables_.collision->shapes;
    const auto found = std::lower_bound(shapes.begin(), shapes.end(), model_.shape(shape));
    const bool is_there = found != shapes.end() && *found == model_.shape(shape);
    return is_there ? static_cast<int>(found - shapes.begin()) : -1;
  }
  const std::string& name_of_item(int item) const {
    return model_.shapes[static_cast<std::size_t>(tables_.collision->shapes[static_cast<std::size_t>(item)])]
        .name;
  }
  void say(const std::string& sentence) { out_->push_back(sentence); }

  void look_at_pair(const std::string& word, const std::string& shape1, const std::string& shape2) {
    const int i = item_of(shape1), j = item_of(shape2);
    const std::vector<int> others = i < 0 ? std::vector<int>() : contact_candidates(tables_, i);
    if (j >= 0 && std::find(others.begin(), others.end(), j) != others.end()) return;
    say(format("the {} of '{}' and '{}' does not act: the two do not touch", word, shape1, shape2));
  }

  void look_at_shape(const std::string& word, const std::string& shape) {
    const int item = item_of(shape);
    const std::vector<int> others = item < 0 ? std::vector<int>() : contact_candidates(tables_, item);
    if (others.empty()) return say(format("the {} of '{}' does not act: it touches nothing", word, shape));
    for (const int other : others) {
      const std::string why = why_not(word, item, other);
      if (!why.empty())
        say(format("the {} of '{}' does not act on '{}': {}", word, shape, name_of_item(other), why));
    }
  }

  // Whether the pair of two items has a number of its own, from its file or from an override.
  bool has_own(const std::string& word, int item, int other) const {
    const int i = tables_.collision->shapes[static_cast<std::size_t>(item)],
              j = tables_.collision->shapes[static_cast<std::size_t>(other)];
    const std::string &a = name_of_item(item), &b = name_of_item(other);
    for (const ContactPair& pair : model_.elements.pairs)
      if (model_.elements.mujoco_contact &&
          ((pair.shape1 == a && pair.shape2 == b) || (pair.shape1 == b && pair.shape2 == a)))
        return true;
    for (const PairOverride& pair : model_.pair_overrides)
      for (const PairNumber& row : kPairNumbers)
        if (pair.shapes == std::pair(std::min(i, j), std::max(i, j)) && word == row.name && pair.*row.number)
          return true;
    return false;
  }

  std::string why_not(const std::string& word, int item, int other) const {
    const ContactModel& contact = *tables_.contact;
    const std::string& name = name_of_item(other);
    if (word == "size") return {};
    if (has_own(word, item, other)) return format("the pair with '{}' has a number of its own", name);
    if (word == "friction") return why_friction_does_not_act(contact, item, other, name);
    const auto of = [&](int i) {
      return contact.items[static_cast<std::size_t>(i)].material.restitution.value_or(0.0);
    };
    if (word == "restitution" && of(other) > of(item))
      return format("a pair has the larger restitution of the two, and '{}' has {}", name, of(other));
    return {};
  }

  void look_at_body(const std::string& word, const std::string& body) {
    const auto index = static_cast<std::size_t>(model_.body(body));
    if (model_.forest.places[index].is_static())
      say(format("the {} of '{}' does not act: it does not move", word, body));
  }

  const Model& model_;
  const ModelTables& tables_;
  std::vector<std::string>* out_;
};

}  // namespace

const std::vector<OverrideKind>& override_kinds() {
  static const std::vector<OverrideKind> list = {
      {"mass", {"body"}, "kg; moments of inertia are scaled with it", 1, 1, number<&World::set_mass>},
      {"inertia", {"body"}, "xx, yy, zz, and xy, xz, yz about the centre of mass, kg m^2", 3, 6, set_moments},
      {"centre_of_mass",
       {"body"},
       "x, y, z in the body's frame, m",
       3,
       3,
       [](World* world, Names names, Values values) { world->set_centre_of_mass(names[0], vector(values)); }},
      {"friction", {"shape"}, "Coulomb's mu", 1, 1, number<&World::set_friction>},
      {"stiffness", {"shape"}, "N/m", 1, 1, number<&World::set_stiffness>},
      {"dissipation", {"shape"}, "Hunt and Crossley's d, s/m", 1, 1, number<&World::set_dissipation>},
      {"relaxation_time", {"shape"}, "of Kelvin-Voigt, s", 1, 1, number<&World::set_relaxation_time>},
      {"restitution",
       {"shape"},
       "speed after an impact over that before it",
       1,
       1,
       number<&World::set_restitution>},
      {"size",
       {"shape"},
       "radius; half extents; radius and length; radii: m",
       1,
       3,
       [](World* world, Names names, Values values) { world->set_size(names[0], values); }},
      {"pair_friction", {"shape", "shape"}, "Coulomb's mu", 1, 1, pair_number<&World::set_pair_friction>},
      {"pair_stiffness", {"shape", "shape"}, "N/m", 1, 1, pair_number<&World::set_pair_stiffness>},
      {"pair_dissipation", {"shape", "shape"}, "s/m", 1, 1, pair_number<&World::set_pair_dissipation>},
      {"pair_relaxation_time", {"shape", "shape"}, "s", 1, 1, pair_number<&World::set_pair_relaxation_time>},
      {"pair_restitution",
       {"shape", "shape"},
       "speed after an impact over that before it",
       1,
       1,
       pair_number<&World::set_pair_restitution>},
      {"joint_damping", {"joint"}, "N m s/rad or N s/m", 1, 1, number<&World::set_joint_damping>},
      {"joint_armature", {"joint"}, "kg m^2 or kg", 1, 1, number<&World::set_joint_armature>},
      {"joint_stiffness", {"joint"}, "N m/rad or N/m", 1, 1, number<&World::set_joint_stiffness>},
      {"joint_friction", {"joint"}, "N m or N", 1, 1, number<&World::set_joint_friction>},
      {"gain", {"actuator"}, "what multiplies the control; of a position servo kp, and kv", 1, 2, set_gains},
      {"force_range",
       {"actuator"},
       "lower and upper, N or N m",
       2,
       2,
       [](World* world, Names names, Values values) {
         world->set_force_range(names[0], values[0], values[1]);
       }},
      {"actuator_active", {"actuator"}, "1: on, 0: off", 1, 1, set_active},
      {"gravity",
       {},
       "x, y, z in the world, m/s^2",
       3,
       3,
       [](World* world, Names, Values values) { world->set_gravity(vector(values)); }},
  };
  return list;
}

const OverrideKind& find_override_kind(std::string_view word) {
  std::vector<std::string> words;
  for (const OverrideKind& kind : override_kinds()) {
    if (word == kind.word) return kind;
    words.emplace_back(kind.word);
  }
  throw_user_error(unknown_word_message("override", word, words));
}

void apply_override(const Override& change, World* world) {
  const OverrideKind& kind = find_override_kind(change.kind);
  STICTION_USER_CHECK(change.names.size() == kind.of.size(), "the override '{}' takes {} names, not {}",
                      kind.word, kind.of.size(), change.names.size());
  const int count = static_cast<int>(change.values.size());
  STICTION_USER_CHECK(count >= kind.least && count <= kind.most,
                      "the override '{}' takes {}{}{} numbers, not {}", kind.word, kind.least,
                      kind.most > kind.least ? " to " : "",
                      kind.most > kind.least ? format("{}", kind.most) : std::string(), count);
  kind.apply(world, change.names, change.values);
}

int override_width(const OverrideKind& kind, std::span<const std::string> names, const Model& model,
                   int given) {
  if (kind.least == kind.most) return kind.most;
  if (std::string_view(kind.word) != "size" || names.size() != 1)
    return std::clamp(given, kind.least, kind.most);
  const Shape& shape = model.shapes[static_cast<std::size_t>(model.shape(names[0]))].shape;
  if (std::holds_alternative<Sphere>(shape)) return 1;
  return std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Capsule>(shape) ? 2 : 3;
}

std::vector<std::string> overrides_without_effect(std::span<const Override> changes, const Model& model) {
  std::vector<std::string> out;
  EffectCheck check(model, &out);
  for (const Override& change : changes) check.look_at(change);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace stiction
