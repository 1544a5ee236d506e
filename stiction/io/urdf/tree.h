#pragma once
// The tree that the links and joints of a URDF file form.

#include <string>
#include <unordered_map>
#include <vector>

#include "stiction/io/urdf/robot.h"

namespace stiction {

// The longest chain of links; limited so that passes over the tree may recurse.
inline constexpr int kMaxUrdfChain = 1000;

struct UrdfTree {
  std::vector<int> order;         // links, depth first in the order of the file; the root first
  std::vector<int> parent_joint;  // of each link; -1 at the root
  std::unordered_map<std::string, int> link_index, joint_index;

  int root() const { return order.front(); }
};

// The index of a name, or an error at the element that asks, with the closest name there is.
int urdf_index(const std::unordered_map<std::string, int>& names, const std::string& name, const char* kind,
               const XmlElement& asked_by);

// Throws UserError, with the line, for names that are used twice, parents and children that are not there,
// links with two parents, cycles, several roots, and chains that are too long.
UrdfTree make_urdf_tree(const XmlElement& root, const UrdfRobot& robot);

}  // namespace stiction
