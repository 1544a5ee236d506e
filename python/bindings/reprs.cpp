// What print() and a notebook show of results: their fields, by the same rule for every class that says nothing
// else about itself.

#include <nanobind/stl/string.h>

#include "python/bindings/bindings.h"
#include "python/bindings/old_names.h"
#include "stiction/base/format.h"

namespace stiction::python {
namespace {

constexpr std::size_t kLongest = 6;  // of arrays and lists that are shown whole

std::string text_of(nb::handle value) {
  if (nb::hasattr(value, "shape") && nb::hasattr(value, "tolist")) {
    if (nb::cast<std::size_t>(value.attr("size")) > kLongest)
      return "<array of " + nb::cast<std::string>(nb::repr(value.attr("shape"))) + ">";
    return nb::cast<std::string>(nb::repr(value.attr("tolist")()));
  }
  if (nb::isinstance<nb::list>(value) && nb::len(value) > kLongest)
    return format("<list of {}>", nb::len(value));
  return nb::cast<std::string>(nb::repr(value));
}

std::string fields_of(nb::handle self) {
  std::string text;
  const std::string owner = nb::cast<std::string>(self.type().attr("__name__"));
  const nb::object property = nb::module_::import_("builtins").attr("property");
  for (nb::handle name : self.type().attr("__dict__")) {
    if (!self.type().attr("__dict__")[name].type().is(property)) continue;
    if (find_renamed(owner, nb::cast<std::string>(name)) != nullptr) continue;
    const nb::object value = nb::getattr(self, nb::cast<nb::str>(name), nb::none());
    text += (text.empty() ? "" : ", ") + nb::cast<std::string>(name) + "=" + text_of(value);
  }
  return owner + "(" + text + ")";
}

std::string name_alone(nb::handle self) {
  return nb::cast<std::string>(self.type().attr("__name__")) + "(" + text_of(self.attr("name")) + ")";
}

template <class Text>
void set_repr(nb::handle type, Text text) {
  const nb::object repr =
      nb::cpp_function([text](nb::handle self) { return text(self); }, nb::is_method(), nb::scope(type),
                       nb::name("__repr__"), nb::sig("def __repr__(self) -> str"));
  nb::setattr(type, "__repr__", repr);
}

}  // namespace

void bind_reprs(nb::module_& m) {
  const nb::object usual = nb::module_::import_("builtins").attr("object").attr("__repr__");
  for (nb::handle item : m.attr("__dict__").attr("values")()) {
    if (!nb::isinstance<nb::type_object>(item)) continue;
    if (!item.attr("__repr__").is(usual)) continue;
    const std::string name = nb::cast<std::string>(item.attr("__name__"));
    // What has work to do to answer says its name alone, or what Python says.
    const bool is_live = name == "Batch" || name == "Dynamics" || name == "ModelBuilder" ||
                         name == "Recorder" || name.starts_with("_");
    if (name.ends_with("Access"))
      set_repr(item, name_alone);
    else if (!is_live)
      set_repr(item, fields_of);
  }
}

}  // namespace stiction::python
