#pragma once

// Memory for one step: taken piece by piece, given back all at once, kept for the next step.
//
//   arena.reset();                                     // at the start of a step
//   std::span<double> depths = arena.array<double>(n);  // as often as needed
//
// A piece costs a few instructions. When the block is full the arena opens another one; the next reset() puts
// all blocks together into one, so after the first rounds nothing allocates. Not for use by several threads
// at once.

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace stiction {

class Arena {
 public:
  // Every piece starts on a cache line, which is also enough for any vector instruction.
  static constexpr std::size_t kAlignment = 64;

  explicit Arena(std::size_t bytes = 0);

  // Pieces hold pointers into the blocks, so an arena stays where it is.
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // An array that lives until reset(). Plain numbers and Eigen's fixed-size types are not initialised.
  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena never runs destructors");
    static_assert(alignof(T) <= kAlignment);
    T* first = static_cast<T*>(take(count * sizeof(T)));
    std::uninitialized_default_construct_n(first, count);
    return {first, count};
  }

  // The same, with every element a copy of `value`.
  template <class T>
  std::span<T> array(std::size_t count, const T& value) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena never runs destructors");
    static_assert(alignof(T) <= kAlignment);
    T* first = static_cast<T*>(take(count * sizeof(T)));
    std::uninitialized_fill_n(first, count, value);
    return {first, count};
  }

  // Everything taken so far is dead; the memory stays. Debug and sanitize builds fill it with NaN.
  void reset();

  std::size_t used() const { return used_; }          // bytes taken since the last reset
  std::size_t capacity() const { return capacity_; }  // bytes held
  std::size_t block_count() const { return blocks_.size(); }

 private:
  struct AlignedDelete {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(kAlignment)); }
  };
  using Block = std::unique_ptr<std::byte[], AlignedDelete>;

  void* take(std::size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > static_cast<std::size_t>(end_ - next_)) add_block(bytes);
    void* piece = next_;
    next_ += bytes;
    used_ += bytes;
    return piece;
  }
  void add_block(std::size_t at_least);

  std::vector<Block> blocks_;  // pieces are cut from the last one
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t used_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace stiction
