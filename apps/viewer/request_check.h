#pragma once
// Checks where a request to the viewer's server comes from (server.h says who may connect).

#include <string>
#include <string_view>

namespace stiction::viewer {

// The path of a target such as "/track/0?token=abc", without the query.
std::string_view path_of(std::string_view target);
// The value of a key of its query; empty if there is none.
std::string_view value_of(std::string_view target, std::string_view key);

// Comparison in constant time.
bool is_same_secret(std::string_view a, std::string_view b);

// 32 hexadecimal digits, 128 bits.
std::string random_token();

// Host as in the header, with or without a port. `machine`: the host name of this machine if it may be used;
// empty: it may not.
bool is_own_host(std::string_view host, std::string_view machine);
// An empty Origin is that of a program that is no browser; it is accepted.
bool is_own_origin(std::string_view origin, std::string_view host);

}  // namespace stiction::viewer
