#pragma once
// Fewer samples where the sanitizers are on, under which a test takes some ten to thirty times as long. The plain build
// asks for all of them; the sanitizers look for wrong memory, which a few samples of each kind show too.

#include <algorithm>

// -D STICTION_TEST_IS_SANITIZED=true tries the smaller numbers without a sanitizer.
#ifndef STICTION_TEST_IS_SANITIZED
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STICTION_TEST_IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define STICTION_TEST_IS_SANITIZED true
#endif
#endif
#endif
#ifndef STICTION_TEST_IS_SANITIZED
#define STICTION_TEST_IS_SANITIZED false
#endif

namespace stiction {

inline constexpr bool kSanitized = STICTION_TEST_IS_SANITIZED;

// n, or one `share`-th of it under the sanitizers, at least 1.
constexpr int fewer(int n, int share = 10) { return kSanitized ? std::max(n / share, 1) : n; }

inline constexpr const char* kTooLongSanitized =
    "a long simulation whose answer the plain build checks; the sanitizers see the same code elsewhere";

}  // namespace stiction
