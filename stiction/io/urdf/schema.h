#pragma once
// The elements and attributes of URDF and of the extensions that robots in the field carry.

#include "stiction/io/xml/xml.h"

namespace stiction {

const XmlSchema& urdf_schema();

}  // namespace stiction
