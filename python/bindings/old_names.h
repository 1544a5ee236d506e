#pragma once
// Attributes and keyword arguments that were renamed. The old name still works and warns with a
// DeprecationWarning that says the new one.

#include <span>
#include <string_view>

#include <nanobind/nanobind.h>

#include "stiction/base/renamed_keys.h"

namespace stiction::python {

namespace nb = nanobind;

// The one list; the section is the class, or the method for a keyword argument.
std::span<const RenamedKey> renamed_attributes();

// Null: the class has no such old name.
const RenamedKey* find_renamed(std::string_view owner, std::string_view name);

// Throws where the user has made warnings errors.
void warn_of_old_name(const RenamedKey& renamed);

// "Deprecated: ...", the docstring of an old attribute; it lives as long as the module.
const char* old_name_doc(const RenamedKey& renamed);

// Defines the old names of a class's attributes.
template <class T>
void add_old_names(std::string_view owner, bool can_be_set, nb::class_<T>* c) {
  for (const RenamedKey& renamed : renamed_attributes()) {
    if (owner != renamed.section) continue;
    const auto get = [&renamed](nb::handle self) {
      warn_of_old_name(renamed);
      return nb::object(self.attr(renamed.key));
    };
    const auto set = [&renamed](nb::handle self, nb::handle value) {
      warn_of_old_name(renamed);
      nb::setattr(self, renamed.key, value);
    };
    if (can_be_set)
      c->def_prop_rw(renamed.old_key, get, set, old_name_doc(renamed));
    else
      c->def_prop_ro(renamed.old_key, get, old_name_doc(renamed));
  }
}

}  // namespace stiction::python
