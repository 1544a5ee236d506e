#pragma once
// Whether a request to the viewer's server comes from where it should (server.h says who may).

#include <string>
#include <string_view>

namespace stiction::viewer {

// The path of a target such as "/track/0?token=abc", without the question.
std::string_view path_of(std::string_view target);
// The value of a key of its question; empty if it has none.
std::string_view value_of(std::string_view target, std::string_view key);

// A comparison that takes as long wherever the two differ.
bool is_same_secret(std::string_view a, std::string_view b);

// 32 digits, 128 bits.
std::string random_token();

// Host as in the header, with or without a port. `machine`: the name under which this machine may be called;
// empty: none.
bool is_own_host(std::string_view host, std::string_view machine);
// An Origin that is empty is of a program that is no browser.
bool is_own_origin(std::string_view origin, std::string_view host);

}  // namespace stiction::viewer
