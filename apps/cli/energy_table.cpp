#include "apps/cli/energy_table.h"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace stiction::cli {
namespace {

template <class Parts, std::size_t n>
void print_parts(const char* group, const EnergyPart<Parts> (&list)[n], const Parts& parts) {
  for (const EnergyPart<Parts>& part : list)
    if (parts.*part.value != 0.0) std::printf("    %-22s %16.9g J\n", part.name, parts.*part.value);
  std::printf("  %-24s %16.9g J\n", group, parts.total());
}

template <class Parts, std::size_t n>
nlohmann::json json_of(const EnergyPart<Parts> (&list)[n], const Parts& parts) {
  nlohmann::json json;
  for (const EnergyPart<Parts>& part : list) json[part.name] = parts.*part.value;
  json["total"] = parts.total();
  return json;
}

}  // namespace

void print_energy_table(const EnergyTotals& totals) {
  const EnergyBooks& sum = totals.sum;
  std::printf("energy books of %ld steps (before + work = after + dissipated + numerical):\n", totals.steps);
  print_parts("before", kEnergyParts, sum.before);
  print_parts("work", kWorkParts, sum.work);
  print_parts("after", kEnergyParts, sum.after);
  print_parts("dissipated", kLossParts, sum.dissipated);
  print_parts("numerical", kNumericalParts, sum.numerical);
  std::printf("  %-24s %16.3g J; of a step at most %.2g of its largest entry, at t = %g s\n", "missing",
              sum.error(), totals.largest_error, totals.worst_time);
}

nlohmann::json energy_books_json(const EnergyTotals& totals) {
  const EnergyBooks& sum = totals.sum;
  return {{"before", json_of(kEnergyParts, sum.before)},
          {"work", json_of(kWorkParts, sum.work)},
          {"after", json_of(kEnergyParts, sum.after)},
          {"dissipated", json_of(kLossParts, sum.dissipated)},
          {"numerical", json_of(kNumericalParts, sum.numerical)},
          {"error", sum.error()},
          {"largest_relative_error", totals.largest_error},
          {"worst_time", totals.worst_time}};
}

}  // namespace stiction::cli
