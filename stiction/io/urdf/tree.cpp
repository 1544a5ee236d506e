#include "stiction/io/urdf/tree.h"

#include <algorithm>

#include "stiction/base/format.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

void index_names(const UrdfRobot& robot, UrdfTree* tree) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const UrdfLink& link = robot.links[i];
    const auto inserted = tree->link_index.emplace(link.name, int(i));
    if (!inserted.second)
      link.element.fail("name",
                        format("there is already a link '{}' in line {}", link.name,
                               robot.links[std::size_t(inserted.first->second)].element.place().line));
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const UrdfJoint& joint = robot.joints[i];
    const auto inserted = tree->joint_index.emplace(joint.joint.name, int(i));
    if (!inserted.second)
      joint.element.fail("name",
                         format("there is already a joint '{}' in line {}", joint.joint.name,
                                robot.joints[std::size_t(inserted.first->second)].element.place().line));
  }
}

int only_root(const XmlElement& root, const UrdfRobot& robot, const UrdfTree& tree) {
  std::vector<int> roots;
  for (int i = 0; i < int(robot.links.size()); ++i)
    if (tree.parent_joint[std::size_t(i)] < 0) roots.push_back(i);
  if (robot.links.empty()) root.fail("a robot needs a link");
  if (roots.empty()) root.fail("every link has a parent: the joints form a cycle");
  if (roots.size() > 1) {
    const UrdfLink& first = robot.links[std::size_t(roots[0])];
    const UrdfLink& second = robot.links[std::size_t(roots[1])];
    second.element.fail(format("links '{}' and '{}'{} have no parent; a robot has one root", first.name,
                               second.name, roots.size() > 2 ? " and others" : ""));
  }
  return roots[0];
}

}  // namespace

int urdf_index(const std::unordered_map<std::string, int>& names, const std::string& name, const char* kind,
               const XmlElement& asked_by) {
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  std::vector<std::string> candidates;
  for (const auto& entry : names) candidates.push_back(entry.first);
  std::sort(candidates.begin(), candidates.end());  // so that the suggestion is always the same
  asked_by.fail(unknown_name_message(kind, name, candidates));
}

UrdfTree make_urdf_tree(const XmlElement& root, const UrdfRobot& robot) {
  UrdfTree tree;
  index_names(robot, &tree);

  // Every joint makes its child link a child of its parent link.
  const std::size_t n = robot.links.size();
  tree.parent_joint.assign(n, -1);
  std::vector<std::vector<int>> children(n);
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const UrdfJoint& joint = robot.joints[j];
    const int parent =
        urdf_index(tree.link_index, joint.parent, "link", joint.element.required_child("parent"));
    const int child = urdf_index(tree.link_index, joint.child, "link", joint.element.required_child("child"));
    int& above = tree.parent_joint[std::size_t(child)];
    if (above >= 0)
      joint.element.fail(
          format("link '{}' is already the child of joint '{}' (line {}); a link has one parent", joint.child,
                 robot.joints[std::size_t(above)].joint.name,
                 robot.joints[std::size_t(above)].element.place().line));
    above = int(j);
    children[std::size_t(parent)].push_back(child);
  }

  // Depth first, children in the order of the file.
  std::vector<std::pair<int, int>> open = {{only_root(root, robot, tree), 0}};
  std::vector<bool> is_reached(n, false);
  while (!open.empty()) {
    const int link = open.back().first, depth = open.back().second;
    open.pop_back();
    if (depth > kMaxUrdfChain)
      robot.links[std::size_t(link)].element.fail(format("a chain of more than {} links", kMaxUrdfChain));
    tree.order.push_back(link);
    is_reached[std::size_t(link)] = true;
    const std::vector<int>& below = children[std::size_t(link)];
    for (auto child = below.rbegin(); child != below.rend(); ++child) open.emplace_back(*child, depth + 1);
  }
  for (std::size_t i = 0; i < n; ++i)
    if (!is_reached[i])
      robot.joints[std::size_t(tree.parent_joint[i])].element.fail(
          format("link '{}' is its own ancestor, through a cycle of joints", robot.links[i].name));
  return tree;
}

}  // namespace stiction
