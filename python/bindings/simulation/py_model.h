#pragma once
// A model as Python holds it: shared, never changed, with the report of the file it came from.

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "stiction/io/compatibility_report.h"
#include "stiction/simulation/model/model.h"

namespace stiction::python {

struct PyModel {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const CompatibilityReport> report;  // null: it came from no file, or from our own JSON

  const Model& operator*() const { return *model; }
  const Model* operator->() const { return model.get(); }
};

PyModel share(Model model);

// A body, joint, ... by its name, or by its number from 0.
using NameOrIndex = std::variant<int, std::string>;
int find_body(const Model& model, const NameOrIndex& which);
// Its name, for functions of the library that take one. kind: "body", "joint", "frame", "shape" or "actuator".
// Throws UserError where there is no such number.
std::string name_in(const Model& model, std::string_view kind, const NameOrIndex& which);
// For functions of the library that take a number as text.
std::string text_of(const NameOrIndex& which);

}  // namespace stiction::python
