#pragma once
// Choices of a mutator, from the seed that the fuzzer gives.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

// Of libFuzzer: changes bytes at random, with its dictionary and what it has seen compared.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace stiction::fuzz {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return count == 0 ? 0 : engine_() % count; }
  template <class List>
  auto& pick(List& list) {
    return list[below(list.size())];
  }

 private:
  std::minstd_rand engine_;
};

inline std::string mutated_bytes(std::string text) {
  const std::size_t size = text.size(), room = size + 16;
  text.resize(room);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, room));
  return text;
}

// The text in the fuzzer's buffer, or 0 where it does not fit.
inline std::size_t written(const std::string& text, std::uint8_t* data, std::size_t max_size) {
  if (text.size() > max_size) return 0;
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace stiction::fuzz
