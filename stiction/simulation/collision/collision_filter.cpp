#include "stiction/simulation/collision/collision_filter.h"

#include <algorithm>
#include <string_view>

#include "stiction/base/check.h"

namespace stiction {
namespace {

bool is_joined(const Body& body) {
  return body.motion == BodyMotion::kinematic ||
         std::any_of(body.joints.begin(), body.joints.end(),
                     [](const Joint& joint) { return joint.type != JointType::fixed; });
}

IndexPair ordered(int i, int j) { return {std::min(i, j), std::max(i, j)}; }

void sort_unique(std::vector<IndexPair>* pairs) {
  std::sort(pairs->begin(), pairs->end());
  pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
}

bool is_among(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Position of a shape in an ascending list, -1 if it is not there.
int item_of(std::span<const int> shapes, int shape) {
  const auto found = std::lower_bound(shapes.begin(), shapes.end(), shape);
  return found != shapes.end() && *found == shape ? static_cast<int>(found - shapes.begin()) : -1;
}

// Which groups ignore which, and which collide with nothing, as bit sets.
struct GroupRules {
  std::vector<std::uint64_t> ignores;
  std::uint64_t off = 0;
};

constexpr std::uint64_t bit(int group) { return std::uint64_t{1} << group; }

void set_bit(std::uint64_t* bits, int group, bool is_set) {
  *bits = is_set ? *bits | bit(group) : *bits & ~bit(group);
}

GroupRules group_rules(const Model& model, const DisabledContacts& disabled) {
  const std::vector<CollisionGroup>& groups = model.elements.collision_groups;
  GroupRules rules;
  rules.ignores.resize(groups.size(), 0);
  const auto set_ignores = [&rules](int i, int j, bool ignores) {
    set_bit(&rules.ignores[i], j, ignores);
    set_bit(&rules.ignores[j], i, ignores);
  };
  for (int i = 0; i < static_cast<int>(groups.size()); ++i) {
    set_bit(&rules.off, i, !groups[i].collides);
    for (const std::string& name : groups[i].ignores) set_ignores(i, find_collision_group(model, name), true);
  }
  for (const GroupSwitch& s : disabled.groups) {
    if (s.other < 0)
      set_bit(&rules.off, s.group, !s.collides);
    else
      set_ignores(s.group, s.other, !s.collides);
  }
  return rules;
}

// The groups of every shape of the model.
std::vector<std::uint64_t> groups_of_shapes(const Model& model) {
  const std::vector<CollisionGroup>& groups = model.elements.collision_groups;
  STICTION_USER_CHECK(groups.size() <= kMaxCollisionGroups,
                      "model '{}' has {} collision groups, more than {}", model.name, groups.size(),
                      kMaxCollisionGroups);
  std::vector<std::uint64_t> of_body(model.forest.bodies.size(), 0), of_shape;
  for (int i = 0; i < static_cast<int>(groups.size()); ++i)
    for (const std::string& body : groups[i].bodies) of_body[model.body(body)] |= bit(i);
  for (const PlacedShape& shape : model.shapes) of_shape.push_back(of_body[shape.body]);
  for (int i = 0; i < static_cast<int>(groups.size()); ++i)
    for (const std::string& shape : groups[i].shapes) of_shape[model.shape(shape)] |= bit(i);
  return of_shape;
}

// Applies the groups of the model and their switches to the items of the filter.
void apply_groups(const Model& model, std::span<const int> shapes, const DisabledContacts& disabled,
                  PairFilter* filter) {
  if (model.elements.collision_groups.empty()) return;
  const std::vector<std::uint64_t> groups = groups_of_shapes(model);
  const GroupRules rules = group_rules(model, disabled);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::uint64_t of_item = groups[shapes[i]];
    std::uint64_t ignored = 0;
    for (std::size_t g = 0; g < rules.ignores.size(); ++g)
      if ((of_item & bit(static_cast<int>(g))) != 0) ignored |= rules.ignores[g];
    filter->named_groups.push_back(of_item);
    filter->ignored_groups.push_back(ignored);
    PairFilter::Item& item = filter->items[i];
    item.has_exclusions = item.has_exclusions || ignored != 0;
    item.is_enabled = item.is_enabled && (of_item & rules.off) == 0;
  }
}

}  // namespace

int find_collision_group(const Model& model, std::string_view name) {
  const std::vector<CollisionGroup>& groups = model.elements.collision_groups;
  const auto found =
      std::find_if(groups.begin(), groups.end(), [name](const CollisionGroup& g) { return g.name == name; });
  STICTION_USER_CHECK(found != groups.end(), "model '{}' has no collision group '{}'", model.name, name);
  return static_cast<int>(found - groups.begin());
}

void check_disabled(const Model& model, const DisabledContacts& disabled) {
  const auto check = [&](int index, std::size_t count, std::string_view kind) {
    STICTION_USER_CHECK(index >= 0 && static_cast<std::size_t>(index) < count,
                        "model '{}': contacts of {} {} are switched off, which does not exist", model.name,
                        kind, index);
  };
  for (const int shape : disabled.shapes) check(shape, model.shapes.size(), "shape");
  for (const int body : disabled.bodies) check(body, model.forest.bodies.size(), "body");
  for (const std::array<int, 2>& pair : disabled.pairs)
    for (const int shape : pair) check(shape, model.shapes.size(), "shape");
  for (const GroupSwitch& group : disabled.groups) {
    check(group.group, model.elements.collision_groups.size(), "collision group");
    if (group.other >= 0) check(group.other, model.elements.collision_groups.size(), "collision group");
  }
}

std::vector<int> fixed_groups(const Forest& forest) {
  std::vector<int> groups(forest.bodies.size(), 0);
  for (std::size_t b = 1; b < forest.bodies.size(); ++b)
    groups[b] = is_joined(forest.bodies[b]) ? static_cast<int>(b) : groups[forest.bodies[b].parent];
  return groups;
}

PairFilter pair_filter(const Model& model, std::span<const int> shapes, const DisabledContacts& disabled) {
  const Forest& forest = model.forest;
  const std::vector<int> groups = fixed_groups(forest);
  const std::vector<std::string>& flags = model.elements.options.disabled;
  const bool children_meet = std::find(flags.begin(), flags.end(), "filterparent") != flags.end();

  PairFilter filter;
  for (const int s : shapes) {
    const int body = model.shapes[s].body, group = groups[body];
    PairFilter::Item item;
    item.owner = body;
    item.group = group;
    const int parent = groups[forest.bodies[group].parent];
    item.parent = parent == 0 || children_meet ? -1 : parent;
    item.is_dynamic = forest.places[body].node >= 0;
    item.is_enabled = !is_among(disabled.shapes, s) && !is_among(disabled.bodies, body);
    if (!model.elements.shapes.empty()) {
      item.type = static_cast<std::uint32_t>(model.elements.shapes[s].contype);
      item.affinity = static_cast<std::uint32_t>(model.elements.shapes[s].conaffinity);
    }
    filter.items.push_back(item);
  }

  for (const ContactExclude& exclude : model.elements.excludes)
    filter.excluded_owners.push_back(ordered(model.body(exclude.body1), model.body(exclude.body2)));
  for (const std::array<int, 2>& pair : disabled.pairs) {
    const int i = item_of(shapes, pair[0]), j = item_of(shapes, pair[1]);
    if (i >= 0 && j >= 0) filter.excluded_items.push_back(ordered(i, j));
  }
  for (const ContactPair& pair : model.elements.pairs) {
    const int i = item_of(shapes, model.shape(pair.shape1)), j = item_of(shapes, model.shape(pair.shape2));
    if (i >= 0 && j >= 0 && i != j) filter.forced.push_back(ordered(i, j));
  }
  sort_unique(&filter.excluded_owners);
  sort_unique(&filter.excluded_items);
  sort_unique(&filter.forced);

  std::vector<bool> is_owner_excluded(forest.bodies.size(), false);
  for (const IndexPair& pair : filter.excluded_owners)
    is_owner_excluded[pair.first] = is_owner_excluded[pair.second] = true;
  for (PairFilter::Item& item : filter.items) item.has_exclusions = is_owner_excluded[item.owner];
  for (const IndexPair& pair : filter.excluded_items)
    filter.items[pair.first].has_exclusions = filter.items[pair.second].has_exclusions = true;
  apply_groups(model, shapes, disabled, &filter);
  return filter;
}

}  // namespace stiction
