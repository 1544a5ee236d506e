#pragma once
// The records of MCAP, an open container for messages with times (https://mcap.dev/spec), version 0.
//
//   magic, Header, data section, DataEnd, summary section, summary offset section, Footer, magic
//
// A record is one byte (its kind), eight bytes (its length) and that many bytes. Numbers are little-endian,
// texts begin with their length in four bytes. Messages are in Chunks, which are compressed and have a
// checksum; a file without an end is readable up to its last whole chunk.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace stiction {

inline constexpr std::string_view kMcapMagic("\x89MCAP0\r\n", 8);

enum class McapRecord : unsigned char {
  header = 1,
  footer,
  schema,
  channel,
  message,
  chunk,
  message_index,
  chunk_index,
  attachment,
  attachment_index,
  statistics,
  metadata,
  metadata_index,
  summary_offset,
  data_end,
};

inline constexpr std::size_t kMcapRecordHead = 9;  // bytes before the content of a record

// What the messages of a channel look like. Encodings: "protobuf" with a FileDescriptorSet, "jsonschema".
struct McapSchema {
  std::uint16_t id = 0;  // from 1
  std::string name, encoding, data;
};

struct McapChannel {
  std::uint16_t id = 0;
  std::uint16_t schema = 0;  // 0: none
  std::string topic, message_encoding;
  std::map<std::string, std::string> metadata;
};

// Names and values that belong to the file as a whole.
struct McapMetadata {
  std::string name;
  std::map<std::string, std::string> values;
};

// A file within the file.
struct McapAttachment {
  std::uint64_t log_time = 0, create_time = 0;  // ns
  std::string name, media_type, data;
};

}  // namespace stiction
