#pragma once
// Formulations by name: `law+solver`, or a law alone, as listed in stiction/contact/catalog.h.

#include <string>
#include <string_view>

#include "stiction/contact/catalog.h"
#include "stiction/simulation/step.h"

namespace stiction {

// All throw UserError, which suggests the closest known name.
void set_formulation(std::string_view name, ContactOptions* options);
void set_elasticity(std::string_view name, ContactOptions* options);
void set_dissipation(std::string_view name, ContactOptions* options);
// Sets each of the two that is not empty; throws UserError if the law has no such forces.
void set_forces(std::string_view elasticity, std::string_view dissipation, ContactOptions* options);

// The tolerance, and the most iterations, of whatever solver the formulation uses: on velocities, on
// impulses, or of the geometrically implicit scheme (both its own solve and the guess that it starts from).
// Smaller tolerances of that scheme count as kLeastGeometricTolerance, some hundred roundings of its scaled
// equations.
inline constexpr double kLeastGeometricTolerance = 1e-13;
void set_tolerance(double tolerance, Formulation* formulation);
void set_max_iterations(int most, Formulation* formulation);
// Of the solver that gives the result.
double tolerance_of(const Formulation& formulation);
int max_iterations_of(const Formulation& formulation);

// "icf_lagged+newton".
std::string formulation_name(const ContactOptions& options);

// "linear, hunt_crossley": the elasticity and dissipation that the law uses.
std::string force_name(const ContactOptions& options);

}  // namespace stiction
