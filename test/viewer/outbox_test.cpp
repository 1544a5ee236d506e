#include "apps/viewer/outbox.h"

#include <gtest/gtest.h>

namespace stiction::viewer {
namespace {

Text text(const std::string& words) { return std::make_shared<const std::string>(words); }

std::string next(Outbox* outbox, bool is_binary = false) {
  bool binary = false;
  const Text message = outbox->take(&binary);
  if (message) {
    EXPECT_EQ(binary, is_binary);
  }
  return message ? *message : "";
}

TEST(Outbox, OfEachKindHasTheNewestAlone) {
  Outbox outbox;
  for (const char* words : {"a", "b", "c"}) {
    outbox.status = text(std::string("status ") + words);
    outbox.frames[1] = text(std::string("frame ") + words);
  }
  EXPECT_EQ(next(&outbox), "status c");
  EXPECT_EQ(next(&outbox, true), "frame c");
  EXPECT_EQ(next(&outbox), "");
}

TEST(Outbox, AStageComesFirstAndTakesTheFramesOfTheOneBeforeAway) {
  Outbox outbox;
  outbox.frames[0] = text("old frame");
  outbox.set_stage(text("stage"));
  outbox.frames[0] = text("new frame");
  outbox.add_error(text("error"));
  EXPECT_EQ(next(&outbox), "stage");
  EXPECT_EQ(next(&outbox), "error");
  EXPECT_EQ(next(&outbox, true), "new frame");
  EXPECT_EQ(next(&outbox), "");
}

TEST(Outbox, TakesTheFramesOfTracksInTurn) {
  Outbox outbox;
  std::string order;
  for (int i = 0; i < 6; ++i) {
    for (const std::size_t track : {0, 1, 2}) outbox.frames[track] = text(std::to_string(track));
    order += next(&outbox, true);
  }
  EXPECT_EQ(order, "012012");
}

TEST(Outbox, KeepsTheLastErrorsOfMany) {
  Outbox outbox;
  for (int i = 0; i < 100; ++i) outbox.add_error(text(std::to_string(i)));
  EXPECT_EQ(outbox.errors.size(), kMostErrors);
  EXPECT_EQ(next(&outbox), std::to_string(100 - kMostErrors));
}

}  // namespace
}  // namespace stiction::viewer
