#pragma once
// The list of sensor kinds, for code that iterates over it.

#include <span>

#include "stiction/simulation/output/sensor_kinds.h"

namespace stiction {

// In the order of SensorKind.
std::span<const SensorKindRow> sensor_kind_list();

}  // namespace stiction
