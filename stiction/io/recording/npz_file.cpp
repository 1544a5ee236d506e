#include <fstream>
#include <string_view>

#include "stiction/base/check.h"
#include "stiction/io/recording/crc32.h"
#include "stiction/io/recording/mcap_bytes.h"
#include "stiction/io/recording/tables.h"

// Arrays of NumPy: each a .npy file (a header that Python could read, then the numbers as they lie in
// memory), all of them in one zip file without compression.

namespace stiction {
namespace {

std::string npy_head(std::string_view type, const std::string& shape) {
  std::string dictionary =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + shape + ", }";
  // Magic, version and length are ten bytes; the numbers begin at a multiple of 64.
  const std::size_t unpadded = 10 + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  put_number(static_cast<std::uint16_t>(dictionary.size()), &head);
  return head + dictionary;
}

std::string npy_numbers(const TableGroup& group, std::size_t rows) {
  const std::size_t columns = group.columns.size();
  // One column of one name is a list, not a matrix.
  const bool is_list = columns == 1 && group.columns[0] == group.name;
  std::string bytes = npy_head(group.is_integer ? "<i8" : "<f8",
                               is_list ? format("({},)", rows) : format("({}, {})", rows, columns));
  for (const double value : group.values) {
    if (group.is_integer) {
      put_number(static_cast<std::int64_t>(value), &bytes);
    } else {
      put_number(value, &bytes);
    }
  }
  return bytes;
}

// Code points of UTF-8; bytes that are none stand for themselves.
std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80       ? 1
                               : byte >> 5 == 6  ? 2
                               : byte >> 4 == 14 ? 3
                               : byte >> 3 == 30 ? 4
                                                 : 0;
    if (length == 0 || i + length > text.size()) {
      points += static_cast<char32_t>(byte);
      ++i;
      continue;
    }
    char32_t point = length == 1 ? byte : byte & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k)
      point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fu);
    points += point;
    i += length;
  }
  return points;
}

std::string npy_words(const std::vector<std::string>& words) {
  std::size_t longest = 1;
  std::vector<std::u32string> all;
  for (const std::string& word : words) {
    all.push_back(code_points(word));
    longest = std::max(longest, all.back().size());
  }
  std::string bytes = npy_head(format("<U{}", longest), format("({},)", words.size()));
  for (std::u32string& word : all) {
    word.resize(longest);
    for (const char32_t point : word) put_number(static_cast<std::uint32_t>(point), &bytes);
  }
  return bytes;
}

// Stored, not deflated. The names are ours, and short.
class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& file)
      : name_(file.string()), stream_(file, std::ios::binary) {}

  void add(const std::string& name, const std::string& bytes) {
    STICTION_USER_CHECK(place_ + bytes.size() < kLargest, "'{}' would be larger than 4 GiB; use --csv",
                        name_);
    const auto size = static_cast<std::uint32_t>(bytes.size());
    std::string common;
    put_number(std::uint16_t{20}, &common);          // version 2.0
    put_number(std::uint16_t{1 << 11}, &common);     // names are UTF-8
    put_number(std::uint16_t{0}, &common);           // stored
    put_number(std::uint32_t{0x00210000}, &common);  // time and date: the first day that there is
    put_number(crc32(bytes), &common);
    put_number(size, &common);
    put_number(size, &common);
    put_number(static_cast<std::uint16_t>(name.size()), &common);
    put_number(std::uint16_t{0}, &common);  // no extra field
    directory_ += std::string("PK\x01\x02", 4);
    put_number(std::uint16_t{20}, &directory_);
    directory_ += common;
    directory_.append(10, '\0');  // no comment, first disk, no attributes
    put_number(static_cast<std::uint32_t>(place_), &directory_);
    directory_ += name;
    write(std::string("PK\x03\x04", 4) + common + name);
    write(bytes);
    ++count_;
  }

  void close() {
    const auto begin = static_cast<std::uint32_t>(place_);
    const auto size = static_cast<std::uint32_t>(directory_.size());
    write(directory_);
    std::string end("PK\x05\x06", 4);
    put_number(std::uint32_t{0}, &end);
    put_number(count_, &end);
    put_number(count_, &end);
    put_number(size, &end);
    put_number(begin, &end);
    put_number(std::uint16_t{0}, &end);
    write(end);
    stream_.close();
    STICTION_USER_CHECK(stream_.good(), "cannot write the file '{}'", name_);
  }

 private:
  static constexpr std::uint64_t kLargest = std::uint64_t{0xfff00000};

  void write(const std::string& bytes) {
    stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    place_ += bytes.size();
  }

  std::string name_;
  std::ofstream stream_;
  std::uint64_t place_ = 0;
  std::uint16_t count_ = 0;
  std::string directory_;
};

}  // namespace

void save_npz(const RecordedTables& tables, const std::filesystem::path& file) {
  ZipWriter zip(file);
  zip.add("bodies.npy", npy_words(tables.bodies));
  zip.add("shapes.npy", npy_words(tables.shapes));
  zip.add("joints.npy", npy_words(tables.joints));
  for (const Table& table : tables.tables) {
    for (const TableGroup& group : table.groups) {
      const std::string name = table.name + "_" + group.name;
      zip.add(name + ".npy", npy_numbers(group, table.rows));
      if (group.columns.size() != 1 || group.columns[0] != group.name)
        zip.add(name + "_names.npy", npy_words(group.columns));
    }
  }
  zip.close();
}

}  // namespace stiction
