#include "python/bindings/old_names.h"

#include <map>
#include <string>

#include "stiction/base/format.h"

namespace stiction::python {

std::span<const RenamedKey> renamed_attributes() {
  static constexpr RenamedKey list[] = {{"RigidOptions", "push_out", "penetration_recovery"},
                                        {"RigidOptions", "fastest_push_out", "fastest_recovery"},
                                        {"ContactMaterial", "cross_friction", "anisotropy_ratio"},
                                        {"ContactMaterial", "grain", "friction_direction"},
                                        {"IslandReport", "withdrawn", "dropped_stabilisation"},
                                        {"SolveReport", "withdrawn", "dropped_stabilisation"},
                                        {"World.constraint_force", "tie", "constraint"}};
  return list;
}

const RenamedKey* find_renamed(std::string_view owner, std::string_view name) {
  for (const RenamedKey& renamed : renamed_attributes())
    if (owner == renamed.section && name == renamed.old_key) return &renamed;
  return nullptr;
}

void warn_of_old_name(const RenamedKey& renamed) {
  const std::string text =
      format("{}.{} is deprecated: it is now called {}", renamed.section, renamed.old_key, renamed.key);
  if (PyErr_WarnEx(PyExc_DeprecationWarning, text.c_str(), 1) < 0) throw nb::python_error();
}

const char* old_name_doc(const RenamedKey& renamed) {
  static std::map<const RenamedKey*, std::string> docs;
  return docs.try_emplace(&renamed, format("Deprecated: the old name of {}.", renamed.key))
      .first->second.c_str();
}

}  // namespace stiction::python
