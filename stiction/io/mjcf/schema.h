#pragma once
// The elements and attributes of MJCF, as MuJoCo 4.0 knows them.
//
// The table says what may stand where; what it does not know is an error of the file. `include` is not in it:
// included files are put in place first.

#include "stiction/io/xml/xml.h"

namespace stiction {

const XmlSchema& mjcf_schema();

}  // namespace stiction
