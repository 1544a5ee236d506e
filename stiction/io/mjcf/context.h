#pragma once
// What holds for all elements of one MJCF model: the compiler's settings and the default classes. A model
// that is attached to another one keeps its own.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stiction/io/mjcf/tree.h"
#include "stiction/io/mjcf/values.h"

namespace stiction {

enum class InertiaFromGeom { never, always, automatic };

struct MjcfCompiler {
  bool degrees = true;
  std::string eulerseq = "xyz";
  bool autolimits = true;
  std::string meshdir, texturedir;
  bool strippath = false;
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::automatic;
  double inertia_group_min = 0, inertia_group_max = 5;
  double bound_mass = 0.0, bound_inertia = 0.0;  // kg, kg m^2
  bool balance_inertia = false;
  double total_mass = -1.0;  // kg, if positive
  bool fit_aabb = false;
  bool align_free = false;  // frames of free bodies with their inertia
};

// A default class: for every kind of element the attributes that it gives, its parents' included.
struct MjcfClass {
  std::string name;
  std::map<std::string, std::vector<MjcfAttribute>> attributes;  // by tag: joint, geom, tendon, equality, ...
  // Elements that set the class's actuator, from the outermost class to this one: each shortcut starts anew.
  std::vector<MjcfElement> actuators;
};

struct MjcfContext {
  MjcfCompiler compiler;
  std::map<std::string, MjcfClass> classes;
  std::filesystem::path folder;  // of the main file
  std::string prefix;            // of the names of its assets, where it is attached to another model

  // Throws for a name that is not there; empty is the outermost class.
  const MjcfClass& find_class(const std::string& name, const MjcfElement& asked_by) const;
};

// Reads the compiler and default sections of a tree and makes them the context of all its elements.
std::shared_ptr<MjcfContext> make_context(MjcfElement* tree, const std::filesystem::path& file);

// The element with the attributes of its class: its own, else `childclass`, else the outermost.
// `kind` is the tag in the default section, if it is not the element's own.
MjcfValues with_class(const MjcfElement& element, const std::string& childclass,
                      const std::string& kind = "");

}  // namespace stiction
