#include "stiction/io/recording/mcap_reader.h"

#include <algorithm>
#include <cstring>
#include <system_error>

#include <zstd.h>

#include "stiction/base/check.h"
#include "stiction/io/recording/crc32.h"

namespace stiction {
namespace {

// Far larger than any chunk that we write: a corrupt length must not use up all memory.
constexpr std::uint64_t kLargestChunk = std::uint64_t{1} << 30;

}  // namespace

// Takes the fields of a record one after the other.
class McapReader::Fields {
 public:
  Fields(std::string_view bytes, const McapReader* reader) : rest_(bytes), reader_(reader) {}

  template <class Number>
  Number number() {
    Number value;
    const std::string_view bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) reader_->fail("a record is shorter than what it says it holds");
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }
  std::string_view text() { return take(number<std::uint32_t>()); }
  std::map<std::string, std::string> map() {
    std::map<std::string, std::string> values;
    Fields items(text(), reader_);
    while (!items.rest().empty()) {
      const std::string key(items.text());
      values[key] = items.text();
    }
    return values;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  const McapReader* reader_;
};

McapReader::McapReader(const std::filesystem::path& file) : name_(file.string()) {
  std::error_code error;
  size_ = std::filesystem::file_size(file, error);
  STICTION_USER_CHECK(!error, "{}: cannot be read: {}", name_, error.message());
  stream_.open(file, std::ios::binary);
  STICTION_USER_CHECK(stream_.good(), "{}: cannot be read", name_);
  const std::size_t count = std::min<std::uint64_t>(size_, kMcapMagic.size());
  fill(count, &head_);
  STICTION_USER_CHECK(head_ == kMcapMagic.substr(0, count), "{}: is not an MCAP file", name_);
  place_ = read_;
  if (count < kMcapMagic.size()) end_early();
}

void McapReader::fail(std::string_view what) const {
  throw_user_error(format("{}: byte {}: {}", name_, place_, what));
}

void McapReader::end_early() {
  is_at_end_ = true;
  ending_ = format("{} has no end: it was read up to byte {} of {}", name_, place_, size_);
}

// False where the file is shorter.
bool McapReader::fill(std::size_t count, std::string* bytes) {
  if (count > size_ - read_) return false;
  bytes->resize(count);
  stream_.read(bytes->data(), static_cast<std::streamsize>(count));
  if (stream_.gcount() != static_cast<std::streamsize>(count)) fail("cannot be read");
  read_ += count;
  crc_ = crc32(*bytes, crc_);
  return true;
}

bool McapReader::next(McapMessage* message) {
  while (true) {
    if (!chunk_rest_.empty()) {
      if (next_in_chunk(message)) return true;
      continue;
    }
    if (is_at_end_) return false;
    if (read_record(message)) return true;
  }
}

// One record of the file; true where it is a message.
bool McapReader::read_record(McapMessage* message) {
  place_ = read_;
  const std::uint32_t crc_before = crc_;
  if (!fill(kMcapRecordHead, &head_)) {
    end_early();
    return false;
  }
  std::uint64_t length = 0;
  std::memcpy(&length, head_.data() + 1, sizeof length);
  if (length > size_ - read_ || !fill(length, &content_)) {
    end_early();
    return false;
  }
  switch (static_cast<McapRecord>(head_[0])) {
    case McapRecord::schema:
      take_schema(content_);
      break;
    case McapRecord::channel:
      take_channel(content_);
      break;
    case McapRecord::message:
      take_message(content_, message);
      return true;
    case McapRecord::chunk:
      open_chunk();
      break;
    case McapRecord::metadata:
      take_metadata(content_);
      break;
    case McapRecord::attachment:
      take_attachment(content_);
      break;
    case McapRecord::data_end:
      crc_ = crc_before;
      take_data_end(content_);
      break;
    case McapRecord::statistics:
      counted_messages_ = Fields(content_, this).number<std::int64_t>();
      break;
    case McapRecord::footer:
      crc_ = crc_before;
      take_footer(head_, content_);
      break;
    default:
      break;  // indices, and kinds that came later than this reader
  }
  return false;
}

void McapReader::take_schema(std::string_view content) {
  Fields fields(content, this);
  McapSchema schema;
  schema.id = fields.number<std::uint16_t>();
  schema.name = fields.text();
  schema.encoding = fields.text();
  schema.data = fields.text();
  schemas_[schema.id] = std::move(schema);
}

void McapReader::take_channel(std::string_view content) {
  Fields fields(content, this);
  McapChannel channel;
  channel.id = fields.number<std::uint16_t>();
  channel.schema = fields.number<std::uint16_t>();
  channel.topic = fields.text();
  channel.message_encoding = fields.text();
  channel.metadata = fields.map();
  channels_[channel.id] = std::move(channel);
}

void McapReader::take_message(std::string_view content, McapMessage* message) const {
  Fields fields(content, this);
  const int id = fields.number<std::uint16_t>();
  const auto channel = channels_.find(id);
  if (channel == channels_.end()) fail(format("a message of channel {}, which is not described", id));
  message->channel = &channel->second;
  message->sequence = fields.number<std::uint32_t>();
  message->time = fields.number<std::uint64_t>();
  message->publish_time = fields.number<std::uint64_t>();
  message->data = fields.rest();
}

void McapReader::take_metadata(std::string_view content) {
  Fields fields(content, this);
  McapMetadata metadata;
  metadata.name = fields.text();
  metadata.values = fields.map();
  metadata_.push_back(std::move(metadata));
}

void McapReader::take_attachment(std::string_view content) {
  Fields fields(content, this);
  McapAttachment attachment;
  attachment.log_time = fields.number<std::uint64_t>();
  attachment.create_time = fields.number<std::uint64_t>();
  attachment.name = fields.text();
  attachment.media_type = fields.text();
  attachment.data = fields.take(fields.number<std::uint64_t>());
  const std::size_t checked = content.size() - fields.rest().size();
  const auto crc = fields.number<std::uint32_t>();
  if (crc != 0 && crc != crc32(content.substr(0, checked))) fail("an attachment was changed");
  attachments_.push_back(std::move(attachment));
}

void McapReader::open_chunk() {
  Fields fields(content_, this);
  fields.take(16);  // times
  const auto size = fields.number<std::uint64_t>();
  const auto crc = fields.number<std::uint32_t>();
  const std::string_view compression = fields.text();
  const std::string_view bytes = fields.take(fields.number<std::uint64_t>());
  if (size > kLargestChunk) fail(format("a chunk of {} bytes is larger than {}", size, kLargestChunk));
  if (compression.empty()) {
    chunk_ = bytes;
  } else if (compression == "zstd") {
    chunk_.resize(size);
    const std::size_t count = ZSTD_decompress(chunk_.data(), chunk_.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(count) != 0) fail(format("a chunk cannot be read: {}", ZSTD_getErrorName(count)));
    chunk_.resize(count);
  } else {
    fail(format("a chunk is compressed by '{}', not by zstd", compression));
  }
  if (chunk_.size() != size || (crc != 0 && crc != crc32(chunk_))) fail("a chunk was changed");
  chunk_rest_ = chunk_;
}

bool McapReader::next_in_chunk(McapMessage* message) {
  Fields fields(chunk_rest_, this);
  const auto kind = static_cast<McapRecord>(fields.number<unsigned char>());
  const std::string_view content = fields.take(fields.number<std::uint64_t>());
  chunk_rest_ = fields.rest();
  if (kind == McapRecord::schema) take_schema(content);
  if (kind == McapRecord::channel) take_channel(content);
  if (kind != McapRecord::message) return false;
  take_message(content, message);
  return true;
}

void McapReader::take_data_end(std::string_view content) {
  const auto crc = Fields(content, this).number<std::uint32_t>();
  if (crc != 0 && crc != crc_) fail("the data before this place was changed");
  is_in_summary_ = true;
  summary_ = read_;
  crc_ = 0;
}

void McapReader::take_footer(std::string_view head, std::string_view content) {
  Fields fields(content, this);
  const auto begin = fields.number<std::uint64_t>();
  fields.number<std::uint64_t>();
  const std::size_t checked = content.size() - fields.rest().size();
  const auto crc = fields.number<std::uint32_t>();
  const bool has_summary = begin != 0;
  if (!is_in_summary_ || (has_summary && begin != summary_)) fail("the footer is not where it says it is");
  if (has_summary && crc != 0 && crc != crc32(content.substr(0, checked), crc32(head, crc_)))
    fail("the summary was changed");
  place_ = read_;
  is_at_end_ = true;
  if (size_ - read_ < kMcapMagic.size()) {
    end_early();
    return;
  }
  fill(kMcapMagic.size(), &head_);
  if (head_ != kMcapMagic || read_ != size_) fail("the file does not end with the mark of an MCAP file");
  is_complete_ = true;
}

}  // namespace stiction
