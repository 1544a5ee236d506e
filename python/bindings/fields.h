#pragma once
// Binds a C++ struct as a Python class whose fields are keywords of its constructor:
//
//   Fields<Mimic>(m, "Mimic", "This joint follows that one.")
//       .field("joint", &Mimic::joint, "Name of the joint that it follows.")
//       .field("multiplier", &Mimic::multiplier, "q = multiplier q_other + offset.")
//       .done();
//
// gives Mimic(joint="elbow", multiplier=2.0). One list makes attributes, constructor, representation,
// equality of the representation, and the signature for type checkers. Old names of fields (old_names.h) work
// as attributes and as keywords.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/casters.h"
#include "python/bindings/old_names.h"
#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction::python {

namespace nb = nanobind;

// A value as it can stand in a signature: "0.5", "'revolute'", "[0.0, 0.0, 1.0]", "Range()"; "..." for others.
std::string literal(nb::handle value);

inline constexpr const char* kArrayLike = "numpy.typing.ArrayLike";

// The type of a value of type M for type checkers.
template <class M>
struct TypeName {
  static std::string text() {
    if constexpr (std::is_same_v<M, bool>)
      return "bool";
    else if constexpr (std::is_enum_v<M>)
      return nb::detail::make_caster<M>::Name.text;
    else if constexpr (std::is_integral_v<M>)
      return "int";
    else if constexpr (std::is_floating_point_v<M>)
      return "float";
    else if constexpr (std::is_same_v<M, std::string>)
      return "str";
    else
      return nb::cast<std::string>(nb::type<M>().attr("__name__"));
  }
};
template <int R, int C>
struct TypeName<Eigen::Matrix<double, R, C>> {
  static std::string text() { return kArrayLike; }
};
template <class T, std::size_t N>
struct TypeName<std::array<T, N>> {
  static std::string text() { return "collections.abc.Sequence[" + TypeName<T>::text() + "]"; }
};
template <class T>
struct TypeName<std::vector<T>> {
  static std::string text() { return "collections.abc.Sequence[" + TypeName<T>::text() + "]"; }
};
template <class T>
struct TypeName<std::optional<T>> {
  static std::string text() { return TypeName<T>::text() + " | None"; }
};

template <class T>
class Fields {
 public:
  Fields(nb::module_& m, const char* name, const char* doc) : name_(name), class_(m, name, doc) {}

  template <class M>
  Fields& field(const char* name, M T::*member, const char* doc) {
    class_.def_rw(name, member, doc);
    return keyword(name, TypeName<M>::text(),
                   [member](T& self, nb::handle value) { self.*member = nb::cast<M>(value); });
  }

  // With a getter and a setter instead of a member; M is the type that the setter takes.
  template <class M, class Get, class Set>
  Fields& property(const char* name, const std::string& type, Get get, Set set, const char* doc) {
    class_.def_prop_rw(name, get, set, doc);
    return keyword(name, type, [set](T& self, nb::handle value) { set(self, nb::cast<M>(value)); });
  }

  // `in_order`: fields may also be given without their names, as for shapes of one or two numbers.
  nb::class_<T> done(bool in_order = false) {
    const std::shared_ptr<const Setters> setters = setters_;
    const std::string name = name_;
    const nb::object usual = nb::cast(T{});
    for (const std::string& key : setters_->order)
      keywords_ += ", " + key + ": " + setters_->types[key] + " = " + literal(usual.attr(key.c_str()));
    // The signature is kept for the life of the module.
    static const std::string signature = "def __init__(self" +
                                         std::string(in_order || keywords_.empty() ? "" : ", *") + keywords_ +
                                         ") -> None";
    class_.def(
        "__init__",
        [setters, name, in_order](T* self, const nb::args& values, const nb::kwargs& given) {
          T made{};
          if (values.size() > (in_order ? setters->order.size() : 0))
            throw nb::type_error((name + " takes its fields as keywords, or fewer of them").c_str());
          for (std::size_t i = 0; i < values.size(); ++i)
            set_one(*setters, name, setters->order[i], values[i], &made);
          for (const auto& [key, value] : given)
            set_one(*setters, name, present_name(name, nb::cast<std::string>(key), given), value, &made);
          new (self) T(std::move(made));
        },
        nb::sig(signature.c_str()), "Every field is a keyword; those that are not given have their default.");
    class_.def("__repr__", [setters, name](nb::handle self) {
      std::string text = name + "(";
      for (const std::string& key : setters->order) {
        if (text.back() != '(') text += ", ";
        text += key + "=" + nb::cast<std::string>(nb::repr(self.attr(key.c_str())));
      }
      return text + ")";
    });
    add_old_names(name_, true, &class_);
    class_.def("__copy__", [](const T& self) { return T(self); });
    class_.def(
        "__deepcopy__", [](const T& self, const nb::typed<nb::dict, nb::any, nb::any>&) { return T(self); },
        nb::arg("memo"));
    class_.def(
        "__getstate__",
        [setters](nb::handle self) {
          nb::dict fields;
          for (const std::string& key : setters->order) fields[key.c_str()] = self.attr(key.c_str());
          return fields;
        },
        nb::sig("def __getstate__(self) -> dict[str, typing.Any]"));
    class_.def(
        "__setstate__",
        [setters, name](T& self, const nb::dict& fields) {
          T made{};
          for (const auto& [key, value] : fields)
            set_one(*setters, name, present_name(name, nb::cast<std::string>(key), fields), value, &made);
          new (&self) T(std::move(made));
        },
        nb::sig("def __setstate__(self, state: dict[str, typing.Any], /) -> None"));
    return class_;
  }

 private:
  struct Setters {
    std::vector<std::string> order;
    std::map<std::string, std::function<void(T&, nb::handle)>> by_name;
    std::map<std::string, std::string> types;
  };

  template <class Set>
  Fields& keyword(const char* name, const std::string& type, Set set) {
    setters_->order.emplace_back(name);
    setters_->by_name[name] = set;
    setters_->types[name] = type;
    return *this;
  }

  // The present name of a field. Throws if it is given by both its old and its new name.
  static std::string present_name(const std::string& type, const std::string& key, const nb::dict& given) {
    const RenamedKey* renamed = find_renamed(type, key);
    if (renamed == nullptr) return key;
    if (given.contains(renamed->key))
      throw nb::type_error(
          (type + ": '" + key + "' is the old name of '" + renamed->key + "': only one of them may be given")
              .c_str());
    warn_of_old_name(*renamed);
    return renamed->key;
  }

  static void set_one(const Setters& setters, const std::string& type, const std::string& key,
                      nb::handle value, T* made) {
    const auto found = setters.by_name.find(key);
    if (found == setters.by_name.end())
      throw nb::type_error((type + ": " + unknown_name_message("field", key, setters.order)).c_str());
    try {
      found->second(*made, value);
    } catch (const nb::cast_error&) {
      throw nb::type_error((type + ": " + key + " must be " + setters.types.at(key) + ", not " +
                            nb::cast<std::string>(nb::repr(value)))
                               .c_str());
    }
  }

  std::string name_, keywords_;
  nb::class_<T> class_;
  std::shared_ptr<Setters> setters_ = std::make_shared<Setters>();
};

}  // namespace stiction::python
