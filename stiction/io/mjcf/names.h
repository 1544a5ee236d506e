#pragma once
// Names in an MJCF tree: which elements have one, and which refer to it. Names of assets and default classes
// are not included: they are local to the file that an element was written in.

#include <functional>
#include <string>
#include <unordered_set>
#include <utility>

#include "stiction/io/mjcf/tree.h"

namespace stiction {

using MjcfName = std::pair<std::string, std::string>;  // kind (body, joint, geom, tendon, ...) and name
struct MjcfNameHash {
  std::size_t operator()(const MjcfName& name) const {
    return std::hash<std::string>()(name.second) ^ (name.first.empty() ? 0 : std::size_t(name.first[0]));
  }
};
using MjcfNames = std::unordered_set<MjcfName, MjcfNameHash>;

// Of elements in bodies and in the sections after them.
std::string kind_of(const MjcfElement& element, const std::string& section);

// The names of an element and of everything inside it.
void collect_names(const MjcfElement& element, const std::string& section, MjcfNames* names);

// Calls `visit` for every reference of an element and of everything inside it.
void for_each_reference(MjcfElement* element,
                        const std::function<void(const std::string& kind, MjcfAttribute*)>& visit);

// Gives every name, and every reference to one, the name that `renamed` returns.
void rename(MjcfElement* element, const std::string& section,
            const std::function<std::string(const MjcfName&)>& renamed);

}  // namespace stiction
