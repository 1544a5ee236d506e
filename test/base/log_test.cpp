#include "stiction/base/log.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace stiction {
namespace {

// Catches what is logged during a test and puts everything back afterwards.
class LogTest : public testing::Test {
 protected:
  void SetUp() override {
    forget_warnings();
    level_ = log_level();
    sink_ = set_log_sink([this](LogLevel level, std::string_view message) {
      lines_.push_back(std::string(to_string(level)) + ": " + std::string(message));
    });
  }
  void TearDown() override {
    set_log_sink(sink_);
    set_log_level(level_);
  }

  std::vector<std::string> lines_;

 private:
  LogLevel level_;
  LogSink sink_;
};

TEST_F(LogTest, HandsLevelAndMessageToTheSink) {
  log_message(LogLevel::kWarning, "mesh 'cup' has 3 open edges");
  EXPECT_EQ(lines_, std::vector<std::string>{"warning: mesh 'cup' has 3 open edges"});
}

TEST_F(LogTest, DropsMessagesBelowTheLevel) {
  set_log_level(LogLevel::kWarning);
  log_message(LogLevel::kDebug, "a");
  log_message(LogLevel::kInfo, "b");
  log_message(LogLevel::kWarning, "c");
  log_message(LogLevel::kError, "d");
  EXPECT_EQ(lines_, (std::vector<std::string>{"warning: c", "error: d"}));
}

TEST_F(LogTest, SaysDebugMessagesWhenAsked) {
  set_log_level(LogLevel::kDebug);
  log_message(LogLevel::kDebug, "detail");
  EXPECT_EQ(lines_, std::vector<std::string>{"debug: detail"});
}

TEST_F(LogTest, WarnsOncePerKey) {
  for (int step = 0; step < 3; ++step) {
    warn_once("mesh cup", "cup is open");
    warn_once("mesh pot", "pot is open");
  }
  EXPECT_EQ(lines_, (std::vector<std::string>{"warning: cup is open", "warning: pot is open"}));
}

TEST_F(LogTest, WarnsAgainAfterForgetting) {
  warn_once("mesh cup", "cup is open");
  forget_warnings();
  warn_once("mesh cup", "cup is open");
  EXPECT_EQ(lines_.size(), 2u);
}

TEST_F(LogTest, LosesNoMessageOfManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) log_message(LogLevel::kInfo, "line");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lines_.size(), 400u);
}

TEST_F(LogTest, WritesToStderrWithoutASink) {
  set_log_sink({});
  testing::internal::CaptureStderr();
  log_message(LogLevel::kError, "no such file");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "stiction: error: no such file\n");
}

}  // namespace
}  // namespace stiction
