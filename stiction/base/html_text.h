#pragma once
// Text inside of pages and pictures.

#include <string>
#include <string_view>

namespace stiction {

// Text as HTML and SVG have it between tags and in attributes: & < > and both quotes as entities.
std::string html_text(std::string_view text);

}  // namespace stiction
