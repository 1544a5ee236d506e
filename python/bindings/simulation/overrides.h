#pragma once
// Parameters of the model that differ from world to world (stiction/simulation/override_list.h), as Python
// gives them: one number, or an array with a row for each world.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "python/bindings/simulation/py_model.h"
#include "stiction/simulation/override_list.h"

namespace stiction::python {

// Names or numbers of what it is of, or one alone.
using OverrideNames = std::variant<int, std::string, std::vector<NameOrIndex>>;
using OverrideNumbers = std::variant<double, VecX, MatX>;

struct OverrideTable {
  std::string kind;
  std::vector<std::string> names;
  MatX values;  // a row for each world, or one for all

  Override of_world(int world) const;
};

// A row of numbers is one for each world where the parameter is one number, otherwise the numbers of all
// worlds. worlds: 0: as many as the numbers say. Throws UserError where numbers and worlds do not fit.
OverrideTable override_table(const std::string& kind, const OverrideNames& names,
                             const OverrideNumbers& numbers, const Model& model, int worlds);

// Sentences that hold in some of several worlds.
class EffectNotes {
 public:
  void add(std::span<const Override> changes, const Model& model);
  // As UserWarnings of Python, a few of them; needs the GIL. Throws where a program turns warnings into errors.
  void warn(int worlds) const;

 private:
  std::map<std::string, int> worlds_of_;
};

}  // namespace stiction::python
