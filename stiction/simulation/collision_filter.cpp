#include "stiction/simulation/collision_filter.h"

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

}  // namespace

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
  return filter;
}

}  // namespace stiction
