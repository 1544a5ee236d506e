#pragma once
// A whole file in memory, and back.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace stiction {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

// Throws UserError if the file cannot be read, with the closest name there is, or is larger than kMaxFileBytes.
std::string read_file_bytes(const std::filesystem::path& file);
// Throws UserError if not all of it can be written.
void write_file_bytes(const std::filesystem::path& file, std::string_view bytes);

// What follows the last dot of the name, in lower case and without the dot; empty if there is none.
std::string lower_case_ending(std::string_view file_name);

}  // namespace stiction
