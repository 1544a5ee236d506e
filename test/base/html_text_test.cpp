#include "stiction/base/html_text.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(HtmlText, WhatWouldEndATextOrAnAttributeIsWrittenAsAnEntity) {
  EXPECT_EQ(html_text("a<b>c&d"), "a&lt;b&gt;c&amp;d");
  EXPECT_EQ(html_text("0; url=\"x\" y='z'"), "0; url=&quot;x&quot; y=&#39;z&#39;");
}

TEST(HtmlText, AnEntityIsATextLikeAnyOther) { EXPECT_EQ(html_text("&lt;"), "&amp;lt;"); }

TEST(HtmlText, OtherTextStaysAsItIs) { EXPECT_EQ(html_text("mu 0.4, \xc3\xa9\n"), "mu 0.4, \xc3\xa9\n"); }

}  // namespace
}  // namespace stiction
