#pragma once
// Parts of the class World that are bound in files of their own, and the conversion of its options.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "python/bindings/simulation/py_world.h"

namespace stiction::python {

using FormulationChoice = std::variant<Formulation, std::string>;

// h: none means the model's own step. formulation: a name, or a Formulation.
WorldOptions options_from(const PyModel& model, const std::optional<double>& h,
                          const std::optional<FormulationChoice>& formulation,
                          const std::optional<std::string>& scheme,
                          const std::optional<std::uint64_t>& sensor_noise);

// Results of the last step: contacts, constraints, sensors, energies.
void bind_world_forces(nb::class_<PyWorld>& c);
// Parameters and switches of one world.
void bind_world_overrides(nb::class_<PyWorld>& c);

}  // namespace stiction::python
