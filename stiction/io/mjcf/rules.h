#pragma once
// What MJCF asks of the attributes of an element beyond knowing them (schema.h): which ones it cannot do without,
// which exclude each other, which words and numbers they take. Elements that we only pass over are checked too: what
// is wrong in a file is said, and not kept quiet because we do not need it.

#include <string>

#include "stiction/io/mjcf/tree.h"

namespace stiction {

// Throws UserError with the place of what is wrong. `type` is that of the element in the schema.
void check_rules(const MjcfElement& element, const std::string& type);

}  // namespace stiction
