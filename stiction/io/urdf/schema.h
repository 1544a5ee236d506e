#pragma once
// The elements and attributes of URDF and of the extensions in common use.

#include "stiction/io/xml/xml.h"

namespace stiction {

const XmlSchema& urdf_schema();

}  // namespace stiction
