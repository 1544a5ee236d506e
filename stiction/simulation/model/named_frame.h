#pragma once
// Frames of a model by name.

#include <string>

#include "stiction/constraint/attached_frame.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// Throws UserError with the closest name there is.
inline AttachedFrame frame_place(const Model& model, const std::string& name) {
  const Frame& frame = model.frames[model.frame(name)];
  return place_on(model.forest, frame.body, frame.X_BF);
}

}  // namespace stiction
