#pragma once
// The kinds of sensors, for those who list them.

#include <span>

#include "stiction/simulation/output/sensor_kinds.h"

namespace stiction {

// In the order of SensorKind.
std::span<const SensorKindRow> sensor_kind_list();

}  // namespace stiction
