#pragma once
// Writes an MCAP file (mcap_format.h): schemas and channels as they are added, messages in zstd-compressed
// chunks with their indices, and at the end the summary by which a reader finds everything.
//
// Every chunk reaches the file as soon as it ends, by one system call: what was written before a crash stays
// readable. Where writing fails (a full disk) the file is cut back to its last whole record.

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/io/recording/mcap_format.h"

namespace stiction {

struct McapWriterOptions {
  std::size_t chunk_bytes = std::size_t{1} << 20;  // before compression; a chunk ends where it is reached
  int compression_level = 1;                       // of zstd
};

// All but the destructor throw UserError with the file and the reason where it cannot be written.
class McapWriter {
 public:
  explicit McapWriter(const std::filesystem::path& file, const McapWriterOptions& options = {});
  // Without close() the file has no summary.
  ~McapWriter();
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  // Returns the id.
  int add_schema(std::string_view name, std::string_view encoding, std::string_view data);
  int add_channel(std::string_view topic, std::string_view message_encoding, int schema,
                  const std::map<std::string, std::string>& metadata = {});
  void add_metadata(const McapMetadata& metadata);
  void add_attachment(const McapAttachment& attachment);
  // Time in ns; must not decrease within a channel.
  void write(int channel, std::uint64_t time, std::string_view data);
  // Writes the open chunk, unless it is empty.
  void end_chunk();
  void close();

  bool has_open_chunk() const { return !chunk_.empty(); }
  std::uint64_t message_bytes() const { return message_bytes_; }  // before compression, with their heads
  std::uint64_t file_bytes() const { return written_; }

 private:
  struct ChannelState {
    McapChannel channel;
    std::uint32_t messages = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> index;  // (time, place) in the open chunk
  };
  struct ChunkPlace {
    std::uint64_t begin_time = 0, end_time = 0;  // ns
    std::uint64_t place = 0, length = 0;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> indices;  // place of the index of each channel
    std::uint64_t indices_length = 0, compressed = 0, uncompressed = 0;
  };
  struct Compressor;

  void append(std::string_view bytes);
  void put_summary(std::string* out) const;

  std::string name_;
  McapWriterOptions options_;
  int file_ = -1;
  bool is_closed_ = false;
  std::uint64_t written_ = 0;  // bytes in the file, whole records
  std::uint32_t data_crc_ = 0;
  std::vector<McapSchema> schemas_;
  std::vector<ChannelState> channels_;
  std::vector<ChunkPlace> chunks_;
  std::vector<std::string> attachment_indices_, metadata_indices_;  // records of the summary
  std::uint64_t messages_ = 0, message_bytes_ = 0, begin_time_ = 0, end_time_ = 0;
  std::string chunk_;  // records of the open chunk
  std::uint64_t chunk_begin_ = 0, chunk_end_ = 0;
  std::string out_, compressed_;  // work space
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace stiction
