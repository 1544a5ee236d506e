// The MCAP writer and reader. That files are what others understand is shown by test/apps/recording_test.py
// with the official reader; here they meet each other, cut off and changed at every byte.
#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/io/recording/crc32.h"
#include "stiction/io/recording/mcap_reader.h"
#include "stiction/io/recording/mcap_writer.h"
#include "test/base/fewer.h"
#include "test/io/recording/temporary_file.h"

namespace stiction {
namespace {

constexpr int kMessages = 20, kMessagesInAChunk = 5;

// Twenty messages on two channels in four chunks, with metadata and an attachment.
std::string small_file() {
  const TemporaryFile file("small.mcap");
  McapWriter writer(file.path);
  const int schema = writer.add_schema("toys.Ball", "jsonschema", R"({"type": "object"})");
  const int red = writer.add_channel("/red", "json", schema, {{"colour", "red"}});
  const int blue = writer.add_channel("/blue", "json", schema);
  writer.add_metadata({"toys", {{"made", "here"}}});
  for (int i = 0; i < kMessages; ++i) {
    writer.write(i % 2 == 0 ? red : blue, 100u * i, "message " + std::to_string(i));
    if (i % kMessagesInAChunk == kMessagesInAChunk - 1) writer.end_chunk();
  }
  McapAttachment attachment;
  attachment.name = "box.txt";
  attachment.media_type = "text/plain";
  attachment.data = "a box";
  writer.add_attachment(attachment);
  writer.close();
  return read_file_bytes(file.path);
}

// The messages that can be read, each checked against what was written.
int readable_messages(const std::filesystem::path& file, bool* is_complete = nullptr) {
  McapReader reader(file);
  McapMessage message;
  int count = 0;
  for (; reader.next(&message); ++count) {
    EXPECT_EQ(message.data, "message " + std::to_string(count));
    EXPECT_EQ(message.time, 100u * count);
    EXPECT_EQ(message.channel->topic, count % 2 == 0 ? "/red" : "/blue");
  }
  if (is_complete != nullptr) *is_complete = reader.is_complete();
  return count;
}

TEST(Crc32, IsThatOfItsCheckValue) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);  // of every description of this check
  EXPECT_EQ(crc32(""), 0u);
}

TEST(Crc32, GoesOnFromWhatCameBefore) {
  const std::string text = "some bytes of a length that is no multiple of eight.";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc32(text.substr(cut), crc32(text.substr(0, cut))), crc32(text));
}

TEST(Mcap, WhatIsWrittenIsRead) {
  const TemporaryFile file("whole.mcap", small_file());
  McapReader reader(file.path);
  McapMessage message;
  int count = 0;
  while (reader.next(&message)) EXPECT_EQ(message.sequence, static_cast<std::uint32_t>(count++ / 2));
  EXPECT_EQ(count, kMessages);
  EXPECT_TRUE(reader.is_complete());
  EXPECT_EQ(reader.counted_messages(), kMessages);
  ASSERT_EQ(reader.schemas().size(), 1u);
  EXPECT_EQ(reader.schemas().begin()->second.name, "toys.Ball");
  ASSERT_EQ(reader.channels().size(), 2u);
  EXPECT_EQ(reader.channels().begin()->second.metadata.at("colour"), "red");
  ASSERT_EQ(reader.metadata().size(), 1u);
  EXPECT_EQ(reader.metadata()[0].values.at("made"), "here");
  ASSERT_EQ(reader.attachments().size(), 1u);
  EXPECT_EQ(reader.attachments()[0].data, "a box");
}

TEST(Mcap, AFileCutOffAtAnyByteIsReadUpToItsLastWholeChunk) {
  const std::string whole = small_file();
  int last = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const TemporaryFile file("cut.mcap", whole.substr(0, size));
    bool is_complete = true;
    const int count = readable_messages(file.path, &is_complete);
    EXPECT_FALSE(is_complete) << size;
    EXPECT_EQ(count % kMessagesInAChunk, 0) << size;
    EXPECT_GE(count, last) << size;
    last = count;
  }
  EXPECT_EQ(last, kMessages);
}

TEST(Mcap, AnyChangedByteIsFound) {
  const std::string whole = small_file();
  // The sanitizers see every seventh byte.
  for (std::size_t at = 0; at < whole.size(); at += kSanitized ? 7 : 1) {
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const TemporaryFile file("changed.mcap", changed);
      bool is_complete = true;
      try {
        McapReader reader(file.path);
        McapMessage message;
        while (reader.next(&message)) {
        }
        is_complete = reader.is_complete();
      } catch (const UserError& error) {
        is_complete = false;
        EXPECT_NE(std::string(error.what()).find(file.path.string()), std::string::npos) << error.what();
      }
      EXPECT_FALSE(is_complete) << "byte " << at;
    }
  }
}

TEST(Mcap, AFileThatIsNoneIsRefused) {
  const TemporaryFile file("none.mcap", "<mujoco/> and some more text");
  EXPECT_THROW(McapReader{file.path}, UserError);
  EXPECT_THROW(McapReader{file.path / "missing"}, UserError);
}

TEST(Mcap, AChunkEndsWhereItIsLargeEnough) {
  const TemporaryFile file("chunks.mcap");
  McapWriter writer(file.path, {.chunk_bytes = 1000});
  const int channel = writer.add_channel("/text", "json", 0);
  const std::uint64_t before = writer.file_bytes();
  writer.write(channel, 0, std::string(500, 'a'));
  EXPECT_EQ(writer.file_bytes(), before);
  EXPECT_TRUE(writer.has_open_chunk());
  writer.write(channel, 1, std::string(500, 'b'));
  EXPECT_GT(writer.file_bytes(), before);
  EXPECT_FALSE(writer.has_open_chunk());
  EXPECT_EQ(writer.file_bytes(), std::filesystem::file_size(file.path));  // it is in the file already
}

TEST(Mcap, AFullDiskIsAUserErrorWithTheReason) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  try {
    McapWriter writer("/dev/full");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stiction
