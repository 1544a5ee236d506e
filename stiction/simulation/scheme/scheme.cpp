#include "stiction/simulation/scheme/scheme.h"

#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/scheme/geometrically_implicit.h"
#include "stiction/simulation/scheme/semi_implicit_euler.h"
#include "stiction/simulation/scheme/theta_method.h"

namespace stiction {

const std::vector<const Scheme*>& scheme_list() {
  static const SemiImplicitEuler semi_implicit_euler;
  static const ExplicitScheme explicit_euler(
      "explicit_euler", "all forces at the old state; positions by the old velocity", 0.0);
  static const ExplicitScheme symplectic_euler(
      "symplectic_euler", "all forces at the old state; positions by the new velocity (S, theta 0)", 1.0);
  static const ImplicitScheme implicit_euler("implicit_euler",
                                             "everything at the new state, by Newton (S, theta 1)", 1.0, 1);
  static const ImplicitScheme midpoint("midpoint",
                                       "everything halfway, by Newton; second order (S, theta 1/2)", 0.5, 2);
  static const GeometricallyImplicit geometrically_implicit;
  static const std::vector<const Scheme*> list = {
      &semi_implicit_euler, &explicit_euler, &symplectic_euler,
      &implicit_euler,      &midpoint,       &geometrically_implicit};
  return list;
}

const Scheme& find_scheme(std::string_view name) {
  std::vector<std::string> names;
  for (const Scheme* scheme : scheme_list()) {
    if (scheme->name() == name) return *scheme;
    names.emplace_back(scheme->name());
  }
  throw_user_error(unknown_name_message("scheme", name, names));
}

}  // namespace stiction
