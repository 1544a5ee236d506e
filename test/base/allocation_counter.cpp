#include "test/base/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#include "test/base/fewer.h"

namespace stiction {
namespace {

std::atomic<std::int64_t> allocations = 0;

}  // namespace

bool AllocationCounter::is_available() { return !kSanitized; }

AllocationCounter::AllocationCounter() : start_(allocations.load()) {}

std::int64_t AllocationCounter::count() const { return allocations.load() - start_; }

}  // namespace stiction

#if !STICTION_TEST_IS_SANITIZED

// glibc's functions under their second names. Ours replace them in the whole process; free stays as it is.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  stiction::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  stiction::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  stiction::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  stiction::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  void* memory = memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}
}

#endif
