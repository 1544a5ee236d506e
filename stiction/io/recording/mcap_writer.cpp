#include "stiction/io/recording/mcap_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include "stiction/base/check.h"
#include "stiction/io/recording/crc32.h"
#include "stiction/io/recording/mcap_bytes.h"

namespace stiction {
namespace {

constexpr std::string_view kCompression = "zstd";

void put_schema(const McapSchema& schema, std::string* out) {
  put_record(McapRecord::schema, out, [&](std::string* o) {
    put_number(schema.id, o);
    put_text(schema.name, o);
    put_text(schema.encoding, o);
    put_text(schema.data, o);
  });
}

void put_channel(const McapChannel& channel, std::string* out) {
  put_record(McapRecord::channel, out, [&](std::string* o) {
    put_number(channel.id, o);
    put_number(channel.schema, o);
    put_text(channel.topic, o);
    put_text(channel.message_encoding, o);
    put_map(channel.metadata, o);
  });
}

}  // namespace

struct McapWriter::Compressor {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ~Compressor() { ZSTD_freeCCtx(context); }
};

McapWriter::McapWriter(const std::filesystem::path& file, const McapWriterOptions& options)
    : name_(file.string()), options_(options), compressor_(std::make_unique<Compressor>()) {
  file_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  STICTION_USER_CHECK(file_ >= 0, "cannot write the file '{}': {}", name_, std::strerror(errno));
  out_ = kMcapMagic;
  put_record(McapRecord::header, &out_, [](std::string* o) {
    put_text("", o);  // no profile
    put_text("stiction", o);
  });
  append(out_);
}

McapWriter::~McapWriter() {
  if (file_ >= 0) ::close(file_);
}

void McapWriter::append(std::string_view bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count > 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    const std::string reason = count < 0 ? std::strerror(errno) : "nothing could be written";
    const bool is_cut = ::ftruncate(file_, static_cast<off_t>(written_)) == 0;
    throw_user_error(format("cannot write the file '{}': {}; its first {} bytes are {}", name_, reason,
                            written_, is_cut ? "kept" : "whole"));
  }
  data_crc_ = crc32(bytes, data_crc_);
  written_ += bytes.size();
}

int McapWriter::add_schema(std::string_view name, std::string_view encoding, std::string_view data) {
  McapSchema schema;
  schema.id = static_cast<std::uint16_t>(schemas_.size() + 1);
  schema.name = name;
  schema.encoding = encoding;
  schema.data = data;
  schemas_.push_back(std::move(schema));
  out_.clear();
  put_schema(schemas_.back(), &out_);
  append(out_);
  return schemas_.back().id;
}

int McapWriter::add_channel(std::string_view topic, std::string_view message_encoding, int schema,
                            const std::map<std::string, std::string>& metadata) {
  ChannelState state;
  state.channel.id = static_cast<std::uint16_t>(channels_.size());
  state.channel.schema = static_cast<std::uint16_t>(schema);
  state.channel.topic = topic;
  state.channel.message_encoding = message_encoding;
  state.channel.metadata = metadata;
  channels_.push_back(std::move(state));
  out_.clear();
  put_channel(channels_.back().channel, &out_);
  append(out_);
  return channels_.back().channel.id;
}

void McapWriter::add_metadata(const McapMetadata& metadata) {
  out_.clear();
  put_record(McapRecord::metadata, &out_, [&](std::string* o) {
    put_text(metadata.name, o);
    put_map(metadata.values, o);
  });
  std::string index;
  put_record(McapRecord::metadata_index, &index, [&](std::string* o) {
    put_number(written_, o);
    put_number(std::uint64_t{out_.size()}, o);
    put_text(metadata.name, o);
  });
  append(out_);
  metadata_indices_.push_back(std::move(index));
}

void McapWriter::add_attachment(const McapAttachment& attachment) {
  out_.clear();
  put_record(McapRecord::attachment, &out_, [&](std::string* o) {
    const std::size_t begin = o->size();
    put_number(attachment.log_time, o);
    put_number(attachment.create_time, o);
    put_text(attachment.name, o);
    put_text(attachment.media_type, o);
    put_number(std::uint64_t{attachment.data.size()}, o);
    o->append(attachment.data);
    put_number(crc32(std::string_view(*o).substr(begin)), o);
  });
  std::string index;
  put_record(McapRecord::attachment_index, &index, [&](std::string* o) {
    put_number(written_, o);
    put_number(std::uint64_t{out_.size()}, o);
    put_number(attachment.log_time, o);
    put_number(attachment.create_time, o);
    put_number(std::uint64_t{attachment.data.size()}, o);
    put_text(attachment.name, o);
    put_text(attachment.media_type, o);
  });
  append(out_);
  attachment_indices_.push_back(std::move(index));
}

void McapWriter::write(int channel, std::uint64_t time, std::string_view data) {
  ChannelState& state = channels_[static_cast<std::size_t>(channel)];
  if (chunk_.empty()) {
    chunk_begin_ = std::numeric_limits<std::uint64_t>::max();
    chunk_end_ = 0;
  }
  const std::size_t place = chunk_.size();
  state.index.emplace_back(time, place);
  put_record(McapRecord::message, &chunk_, [&](std::string* o) {
    put_number(state.channel.id, o);
    put_number(state.messages, o);
    put_number(time, o);
    put_number(time, o);
    o->append(data);
  });
  message_bytes_ += chunk_.size() - place;
  chunk_begin_ = std::min(chunk_begin_, time);
  chunk_end_ = std::max(chunk_end_, time);
  begin_time_ = messages_ == 0 ? time : std::min(begin_time_, time);
  end_time_ = std::max(end_time_, time);
  ++state.messages;
  ++messages_;
  if (chunk_.size() >= options_.chunk_bytes) end_chunk();
}

void McapWriter::end_chunk() {
  if (chunk_.empty()) return;
  compressed_.resize(ZSTD_compressBound(chunk_.size()));
  const std::size_t size = ZSTD_compressCCtx(compressor_->context, compressed_.data(), compressed_.size(),
                                             chunk_.data(), chunk_.size(), options_.compression_level);
  STICTION_ASSERT(ZSTD_isError(size) == 0);
  compressed_.resize(size);

  ChunkPlace chunk;
  chunk.begin_time = chunk_begin_;
  chunk.end_time = chunk_end_;
  chunk.place = written_;
  chunk.compressed = size;
  chunk.uncompressed = chunk_.size();
  out_.clear();
  put_record(McapRecord::chunk, &out_, [&](std::string* o) {
    put_number(chunk.begin_time, o);
    put_number(chunk.end_time, o);
    put_number(chunk.uncompressed, o);
    put_number(crc32(chunk_), o);
    put_text(kCompression, o);
    put_number(chunk.compressed, o);
    o->append(compressed_);
  });
  chunk.length = out_.size();
  for (ChannelState& state : channels_) {
    if (state.index.empty()) continue;
    chunk.indices.emplace_back(state.channel.id, written_ + out_.size());
    put_record(McapRecord::message_index, &out_, [&](std::string* o) {
      put_number(state.channel.id, o);
      put_number(static_cast<std::uint32_t>(16 * state.index.size()), o);
      for (const auto& [time, place] : state.index) {
        put_number(time, o);
        put_number(place, o);
      }
    });
    state.index.clear();
  }
  chunk.indices_length = out_.size() - chunk.length;
  chunk_.clear();
  append(out_);
  chunks_.push_back(std::move(chunk));
}

// The summary, the offsets of its groups and the footer.
void McapWriter::put_summary(std::string* out) const {
  const std::uint64_t begin = written_;
  struct Group {
    McapRecord kind;
    std::uint64_t begin, length;
  };
  std::vector<Group> groups;
  const auto group = [&](McapRecord kind, const auto& write) {
    const std::uint64_t at = begin + out->size();
    write();
    const std::uint64_t length = begin + out->size() - at;
    if (length > 0) groups.push_back({kind, at, length});
  };
  group(McapRecord::schema, [&] {
    for (const McapSchema& schema : schemas_) put_schema(schema, out);
  });
  group(McapRecord::channel, [&] {
    for (const ChannelState& state : channels_) put_channel(state.channel, out);
  });
  group(McapRecord::statistics, [&] {
    put_record(McapRecord::statistics, out, [&](std::string* o) {
      put_number(messages_, o);
      put_number(static_cast<std::uint16_t>(schemas_.size()), o);
      put_number(static_cast<std::uint32_t>(channels_.size()), o);
      put_number(static_cast<std::uint32_t>(attachment_indices_.size()), o);
      put_number(static_cast<std::uint32_t>(metadata_indices_.size()), o);
      put_number(static_cast<std::uint32_t>(chunks_.size()), o);
      put_number(begin_time_, o);
      put_number(end_time_, o);
      put_number(static_cast<std::uint32_t>(10 * channels_.size()), o);
      for (const ChannelState& state : channels_) {
        put_number(state.channel.id, o);
        put_number(std::uint64_t{state.messages}, o);
      }
    });
  });
  group(McapRecord::chunk_index, [&] {
    for (const ChunkPlace& chunk : chunks_) {
      put_record(McapRecord::chunk_index, out, [&](std::string* o) {
        put_number(chunk.begin_time, o);
        put_number(chunk.end_time, o);
        put_number(chunk.place, o);
        put_number(chunk.length, o);
        put_number(static_cast<std::uint32_t>(10 * chunk.indices.size()), o);
        for (const auto& [channel, place] : chunk.indices) {
          put_number(channel, o);
          put_number(place, o);
        }
        put_number(chunk.indices_length, o);
        put_text(kCompression, o);
        put_number(chunk.compressed, o);
        put_number(chunk.uncompressed, o);
      });
    }
  });
  group(McapRecord::attachment_index, [&] {
    for (const std::string& index : attachment_indices_) *out += index;
  });
  group(McapRecord::metadata_index, [&] {
    for (const std::string& index : metadata_indices_) *out += index;
  });
  const std::uint64_t offsets = begin + out->size();
  for (const Group& g : groups) {
    put_record(McapRecord::summary_offset, out, [&](std::string* o) {
      put_number(g.kind, o);
      put_number(g.begin, o);
      put_number(g.length, o);
    });
  }
  // The check covers the footer up to itself.
  put_record(McapRecord::footer, out, [&](std::string* o) {
    put_number(begin, o);
    put_number(offsets, o);
    put_number(std::uint32_t{0}, o);
  });
  const std::uint32_t crc = crc32(std::string_view(*out).substr(0, out->size() - sizeof crc));
  std::memcpy(out->data() + out->size() - sizeof crc, &crc, sizeof crc);
  out->append(kMcapMagic);
}

void McapWriter::close() {
  if (is_closed_) return;
  end_chunk();
  out_.clear();
  put_record(McapRecord::data_end, &out_, [&](std::string* o) { put_number(data_crc_, o); });
  append(out_);
  std::string summary;
  put_summary(&summary);
  append(summary);
  is_closed_ = true;
  const int file = std::exchange(file_, -1);
  STICTION_USER_CHECK(::close(file) == 0, "cannot write the file '{}': {}", name_, std::strerror(errno));
}

}  // namespace stiction
