#include "apps/viewer/request_check.h"

#include <set>

#include <gtest/gtest.h>

namespace stiction::viewer {
namespace {

TEST(RequestCheck, TakesAddressesApart) {
  EXPECT_EQ(path_of("/track/0?token=abc"), "/track/0");
  EXPECT_EQ(path_of("/"), "/");
  EXPECT_EQ(value_of("/track/0?token=abc", "token"), "abc");
  EXPECT_EQ(value_of("/?a=1&token=abc&b=2", "token"), "abc");
  EXPECT_EQ(value_of("/?a=1&xtoken=abc", "token"), "");
  EXPECT_EQ(value_of("/?token", "token"), "");
  EXPECT_EQ(value_of("/", "token"), "");
}

TEST(RequestCheck, TokensHave128BitsAndDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(random_token());
  EXPECT_EQ(seen.size(), 100u);
  for (const std::string& token : seen) {
    EXPECT_EQ(token.size(), 32u);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
}

TEST(RequestCheck, SecretsAreTheSameOnlyWhole) {
  EXPECT_TRUE(is_same_secret("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "bbc"}) EXPECT_FALSE(is_same_secret("abc", other));
}

TEST(RequestCheck, HostsAreAddressesOrThisMachine) {
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:8000", "localhost", "LocalHost:80", "[::1]:8000", "192.0.2.7:80"})
    EXPECT_TRUE(is_own_host(host, "")) << host;
  for (const char* host : {"", "evil.example", "evil.example:8000", "localhost.evil.example",
                           "127.0.0.1.evil.example", "[::1", "desk"})
    EXPECT_FALSE(is_own_host(host, "")) << host;
  EXPECT_TRUE(is_own_host("desk:8000", "Desk"));
  EXPECT_FALSE(is_own_host("dusk:8000", "desk"));
}

TEST(RequestCheck, OriginsAreThoseOfThePageItself) {
  const char* host = "127.0.0.1:8000";
  EXPECT_TRUE(is_own_origin("", host));
  EXPECT_TRUE(is_own_origin("http://127.0.0.1:8000", host));
  for (const char* origin : {"null", "file://", "http://127.0.0.1:8001", "http://127.0.0.1",
                             "http://evil.example", "http://127.0.0.1:8000.evil.example"})
    EXPECT_FALSE(is_own_origin(origin, host)) << origin;
}

}  // namespace
}  // namespace stiction::viewer
