#pragma once
// Changes an XML text so that it stays well-formed and mostly within its schema: a loader refuses bytes at
// random at the first character, and everything behind its parser would never run.
//
// One to four changes at a time: elements are added as the schema allows, copied, moved, removed and renamed;
// attributes are added, removed, swapped and given other values. Values come from a list of awkward ones,
// from names in the same text, and from what other inputs had in attributes of that name.

#include <cstddef>
#include <cstdint>
#include <string>

#include "stiction/io/xml/xml.h"

namespace stiction::fuzz {

// For LLVMFuzzerCustomMutator: rewrites data[0, size) and returns its new size, at most `max_size`. `root` is
// the schema's type of the root element.
std::size_t mutate_xml(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                       const XmlSchema& schema, const std::string& root);

// For LLVMFuzzerCustomCrossOver: the first text with elements of the second.
std::size_t cross_xml(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
                      std::size_t second_size, std::uint8_t* out, std::size_t max_size, unsigned seed);

}  // namespace stiction::fuzz
