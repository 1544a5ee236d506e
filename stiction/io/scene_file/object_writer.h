#pragma once
// The bodies of a model as sections of a scene file, where they are objects: shapes of the world, and free
// bodies of one solid shape each.

#include <string>

#include "stiction/simulation/model/model.h"

namespace stiction {

// [material.NAME], [[ground]] and [[object]]. Throws UserError, naming the body or shape, for what is more
// than that; what only the whole of a model tells, such as names that differ, shows when the text is read
// back.
std::string objects_text(const Model& model);

}  // namespace stiction
