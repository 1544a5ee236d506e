#include "python/bindings/simulation/overrides.h"

#include <nanobind/nanobind.h>

#include "stiction/base/check.h"

namespace stiction::python {

namespace nb = nanobind;

Override OverrideTable::of_world(int world) const {
  const Eigen::Index row = values.rows() == 1 ? 0 : world;
  Override out{kind, names, {}};
  for (Eigen::Index i = 0; i < values.cols(); ++i) out.values.push_back(values(row, i));
  return out;
}

OverrideTable override_table(const std::string& kind, const OverrideNames& names,
                             const OverrideNumbers& numbers, const Model& model, int worlds) {
  OverrideTable table;
  table.kind = kind;
  std::vector<NameOrIndex> given;
  if (const int* index = std::get_if<int>(&names))
    given = {*index};
  else if (const std::string* one = std::get_if<std::string>(&names))
    given = {*one};
  else
    given = std::get<std::vector<NameOrIndex>>(names);
  const OverrideKind& known = find_override_kind(kind);
  STICTION_USER_CHECK(given.size() == known.of.size(), "the override '{}' takes {} names, not {}", kind,
                      known.of.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) table.names.push_back(name_in(model, known.of[i], given[i]));
  if (const double* one = std::get_if<double>(&numbers)) {
    table.values = MatX::Constant(1, 1, *one);
  } else if (const VecX* row = std::get_if<VecX>(&numbers)) {
    const int many = known.least == 1 ? 1 : static_cast<int>(row->size());
    const bool is_one_number = override_width(known, table.names, model, many) == 1;
    table.values = is_one_number ? MatX(*row) : MatX(row->transpose());
  } else {
    table.values = std::get<MatX>(numbers);
  }
  const Eigen::Index rows = table.values.rows();
  STICTION_USER_CHECK(rows > 0, "there are no numbers for the {}", kind);
  STICTION_USER_CHECK(worlds == 0 || rows == 1 || rows == worlds,
                      "there are {} worlds, but {} numbers for the {}{}{}", worlds, rows, kind,
                      table.names.empty() ? "" : " of '",
                      table.names.empty() ? std::string() : table.names[0] + "'");
  return table;
}

void EffectNotes::add(std::span<const Override> changes, const Model& model) {
  for (const std::string& sentence : overrides_without_effect(changes, model)) ++worlds_of_[sentence];
}

void EffectNotes::warn(int worlds) const {
  constexpr int kMost = 8;
  int said = 0;
  for (const auto& [sentence, count] : worlds_of_) {
    std::string text = sentence;
    if (count < worlds) text += format(" (in {} of {} worlds)", count, worlds);
    if (++said == kMost && worlds_of_.size() > kMost)
      text += format("; and {} more of this kind", worlds_of_.size() - kMost);
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) < 0) throw nb::python_error();
    if (said == kMost) return;
  }
}

}  // namespace stiction::python
