#pragma once
// Bytes as text (RFC 4648, section 4), for data embedded in a page.

#include <string>
#include <string_view>

namespace stiction::viewer {

std::string base64(std::string_view bytes);

// Decodes base64; throws UserError for a character outside its alphabet.
std::string bytes_of_base64(std::string_view text);

}  // namespace stiction::viewer
