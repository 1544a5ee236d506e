#pragma once

#include "stiction/simulation/model/model.h"

namespace stiction::scenes {

// An arm of seven hinges on a fixed base that reaches 1.1 m and ends in a bare flange.
Model arm();

}  // namespace stiction::scenes
