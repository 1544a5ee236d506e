#include "apps/viewer/base64.h"

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction::viewer {
namespace {

TEST(Base64, HasTheTestVectorsOfItsStandard) {
  // RFC 4648, section 10.
  const std::pair<const char*, const char*> pairs[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : pairs) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(bytes_of_base64(text), bytes);
  }
}

TEST(Base64, RefusesOtherCharacters) { EXPECT_THROW(bytes_of_base64("Zm9*"), UserError); }

}  // namespace
}  // namespace stiction::viewer
