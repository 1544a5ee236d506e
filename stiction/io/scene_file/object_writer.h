#pragma once
// The bodies of a model as sections of a scene file, where they are objects: shapes of the world, and free
// bodies of one solid shape each.

#include <string>

#include "stiction/simulation/model/model.h"

namespace stiction {

// [material.NAME], [[ground]] and [[object]]. Throws UserError, naming the body or shape, for what they
// cannot describe. Some differences, such as other names, are found only by reading the text back.
std::string objects_text(const Model& model);

}  // namespace stiction
