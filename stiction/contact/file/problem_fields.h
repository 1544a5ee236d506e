#pragma once
// What the writer and the reader of problem files share.

#include "stiction/base/format_version.h"
#include "stiction/contact/residual.h"

namespace stiction {

inline constexpr const char* kProblemFormat = "stiction_contact_problem";
inline constexpr FileFormat kProblemVersions = {.plural = "stiction contact problems", .version = 2};

// The numbers of a PhysicalPoint, one list for writing and reading.
struct PhysicalField {
  const char* key;
  double PhysicalPoint::*member;
};
inline constexpr PhysicalField kPhysicalFields[] = {{"distance", &PhysicalPoint::distance},
                                                    {"stiffness", &PhysicalPoint::stiffness},
                                                    {"hertz_stiffness", &PhysicalPoint::hertz_stiffness},
                                                    {"barrier_stiffness", &PhysicalPoint::barrier_stiffness},
                                                    {"barrier_energy", &PhysicalPoint::barrier_energy},
                                                    {"barrier_distance", &PhysicalPoint::barrier_distance},
                                                    {"dissipation", &PhysicalPoint::dissipation},
                                                    {"relaxation_time", &PhysicalPoint::relaxation_time},
                                                    {"friction", &PhysicalPoint::friction},
                                                    {"vn0", &PhysicalPoint::vn0},
                                                    {"inverse_mass", &PhysicalPoint::inverse_mass},
                                                    {"restitution", &PhysicalPoint::restitution},
                                                    {"recovery_share", &PhysicalPoint::recovery_share},
                                                    {"table", &PhysicalPoint::table},
                                                    {"table_scale", &PhysicalPoint::table_scale}};

// Where entry (r, c) of a tree's block is.
inline int entry(const ProblemTree& tree, int r, int c) {
  return tree.is_free_body ? 8 * c + (r < 3 ? r : r + 1) : c * tree.num_v + r;
}

}  // namespace stiction
