#pragma once
// Bytes as text (RFC 4648, section 4), for what is put into a page.

#include <string>
#include <string_view>

namespace stiction::viewer {

std::string base64(std::string_view bytes);

// The bytes of such a text; throws UserError for a character that is none of it.
std::string bytes_of_base64(std::string_view text);

}  // namespace stiction::viewer
