#include "test/base/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STICTION_SANITIZER_OWNS_MALLOC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define STICTION_SANITIZER_OWNS_MALLOC
#endif
#endif

namespace stiction {
namespace {

std::atomic<std::int64_t> allocations = 0;

}  // namespace

bool AllocationCounter::is_available() {
#ifdef STICTION_SANITIZER_OWNS_MALLOC
  return false;
#else
  return true;
#endif
}

AllocationCounter::AllocationCounter() : start_(allocations.load()) {}

std::int64_t AllocationCounter::count() const { return allocations.load() - start_; }

}  // namespace stiction

#ifndef STICTION_SANITIZER_OWNS_MALLOC

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
