#pragma once
// Pressure fields in an MJCF file, which has no words for them, as custom text that MuJoCo keeps and does not read:
//
//   <custom>
//     <text name="stiction:pressure" data="finger* modulus=1e6 depth=0.01 facets=19"/>
//   </custom>
//
// The first word is a pattern for the names of geoms ('*' any letters, '?' one); modulus is needed (Pa), depth (m) and
// facets are not. Names of several texts go on behind a colon: stiction:pressure:palm.

#include "stiction/io/mjcf/values.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

bool is_pressure_text(const MjcfElement& element);

// Throws UserError, with the place, for other words, bad numbers, and patterns that fit no geom.
void read_pressure_text(const MjcfElement& element, Model* model);

}  // namespace stiction
