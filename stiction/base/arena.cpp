#include "stiction/base/arena.h"

#include <algorithm>
#include <cstring>

namespace stiction {
namespace {

constexpr std::size_t kSmallestBlock = 4096;  // bytes

// All bits set is a NaN in every floating-point type: memory read before it is written shows in the result.
void fill_with_nan([[maybe_unused]] std::byte* first, [[maybe_unused]] std::size_t bytes) {
#ifdef STICTION_COSTLY_CHECKS
  std::memset(first, 0xff, bytes);
#endif
}

}  // namespace

Arena::Arena(std::size_t bytes) {
  if (bytes > 0) add_block(bytes);
}

void Arena::reset() {
  // Blocks that had to be added become one, with room for all that was in them.
  if (blocks_.size() > 1) {
    const std::size_t total = capacity_;
    blocks_.clear();
    capacity_ = 0;
    add_block(total);
  } else if (!blocks_.empty()) {
    next_ = blocks_.front().get();
    fill_with_nan(next_, capacity_);
  }
  used_ = 0;
}

void Arena::add_block(std::size_t at_least) {
  // Doubling: the number of blocks before the first reset grows only with the logarithm of the need.
  std::size_t bytes = std::max({at_least, capacity_, kSmallestBlock});
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  blocks_.emplace_back(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t(kAlignment))));
  next_ = blocks_.back().get();
  end_ = next_ + bytes;
  capacity_ += bytes;
  fill_with_nan(next_, bytes);
}

}  // namespace stiction
