#pragma once
// Reads an MCAP file (mcap_format.h) from its beginning, message by message, and holds one chunk in memory at
// a time.
//
//   McapReader reader("run.mcap");
//   McapMessage message;
//   while (reader.next(&message)) use(message.channel->topic, message.time, message.data);
//   if (!reader.is_complete()) std::cerr << reader.ending();
//
// A file that was cut off anywhere, for example because its writer was killed, is read up to its last whole
// record. Bytes that were changed are found by the checks of the file and throw UserError with the place.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/io/recording/mcap_format.h"

namespace stiction {

struct McapMessage {
  const McapChannel* channel = nullptr;
  std::uint64_t time = 0, publish_time = 0;  // ns
  std::uint32_t sequence = 0;
  std::string_view data;  // until the next message is read
};

class McapReader {
 public:
  // Throws UserError if it cannot be read or is no MCAP file.
  explicit McapReader(const std::filesystem::path& file);

  // False where there are no more.
  bool next(McapMessage* message);
  // Whether the file has its end; known when next() has said false.
  bool is_complete() const { return is_complete_; }
  // How an incomplete file ends, as a message; empty for a complete one.
  const std::string& ending() const { return ending_; }
  const std::string& file() const { return name_; }

  // What was read so far.
  const std::map<int, McapSchema>& schemas() const { return schemas_; }
  const std::map<int, McapChannel>& channels() const { return channels_; }
  const std::vector<McapMetadata>& metadata() const { return metadata_; }
  const std::vector<McapAttachment>& attachments() const { return attachments_; }
  // Messages as the summary counts them; -1: the file has none or was not read to its end.
  std::int64_t counted_messages() const { return counted_messages_; }

 private:
  class Fields;

  bool read_record(McapMessage* message);
  bool fill(std::size_t count, std::string* bytes);
  void end_early();
  void open_chunk();
  bool next_in_chunk(McapMessage* message);
  void take_schema(std::string_view content);
  void take_channel(std::string_view content);
  void take_message(std::string_view content, McapMessage* message) const;
  void take_metadata(std::string_view content);
  void take_attachment(std::string_view content);
  void take_data_end(std::string_view content);
  void take_footer(std::string_view head, std::string_view content);
  [[noreturn]] void fail(std::string_view what) const;

  std::string name_;
  std::ifstream stream_;
  std::uint64_t size_ = 0, place_ = 0;  // bytes; place_: of the record that is being read
  std::uint64_t read_ = 0;
  std::uint32_t crc_ = 0;  // of what was read since the beginning, or since the data section ended
  std::uint64_t summary_ = 0;
  bool is_at_end_ = false, is_complete_ = false, is_in_summary_ = false;
  std::string ending_;
  std::map<int, McapSchema> schemas_;
  std::map<int, McapChannel> channels_;
  std::vector<McapMetadata> metadata_;
  std::vector<McapAttachment> attachments_;
  std::int64_t counted_messages_ = -1;
  std::string head_, content_;
  std::string chunk_;
  std::string_view chunk_rest_;
};

}  // namespace stiction
