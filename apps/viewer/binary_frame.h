#pragma once
// One frame of a live simulation in the binary format of the page (docs/viewer_protocol.md).

#include <cstdint>
#include <string>

#include "apps/viewer/frame.h"

namespace stiction::viewer {

std::string binary_frame(std::uint32_t track, const ViewFrame& frame);

}  // namespace stiction::viewer
