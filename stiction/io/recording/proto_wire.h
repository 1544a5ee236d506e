#pragma once
// The bytes of protocol buffers: tags, numbers, lengths, and the description of messages. Users include
// proto_message.h, which is built on this.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

struct Bytes {
  std::string bytes;
};

enum class WireType : unsigned char { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

// ---- Writing: all append.

void put_varint(std::uint64_t value, std::string* out);
inline void put_tag(int number, WireType type, std::string* out) {
  put_varint(static_cast<std::uint64_t>(number) << 3 | static_cast<std::uint64_t>(type), out);
}
void put_integer(int number, std::int64_t value, std::string* out);
void put_bytes(int number, std::string_view bytes, std::string* out);
void put_packed(int number, const double* values, std::size_t count, std::string* out);
void put_packed(int number, const float* values, std::size_t count, std::string* out);
void put_packed(int number, const std::uint32_t* values, std::size_t count, std::string* out);
void put_packed(int number, const std::vector<int>& values, std::string* out);

// Leaves room for the length of what follows, and fills it in once it is known. Lengths below 128 are one
// byte.
std::size_t begin_length(std::string* out);
void end_length(std::size_t begin, std::string* out);

// double, float or uint64.
template <class Number>
void put_fixed(int number, Number value, std::string* out) {
  char bytes[sizeof value], zeros[sizeof value] = {};
  std::memcpy(bytes, &value, sizeof value);
  if (std::memcmp(bytes, zeros, sizeof value) == 0) return;
  put_tag(number, sizeof value == 8 ? WireType::fixed64 : WireType::fixed32, out);
  out->append(bytes, sizeof value);
}

// ---- Reading.

// Walks through the fields of a message. Throws UserError, with the message's name, where bytes are missing
// or a field is of another type than asked for.
class ProtoCursor {
 public:
  ProtoCursor(std::string_view bytes, const char* name) : rest_(bytes), name_(name) {}

  // The next field, whether or not the last one was taken; false at the end.
  bool next();
  int number() const { return number_; }

  // The value of the field.
  template <class Number>
  Number fixed() const {
    if (type_ != (sizeof(Number) == 8 ? WireType::fixed64 : WireType::fixed32)) fail();
    Number value;
    std::memcpy(&value, value_.data(), sizeof value);
    return value;
  }
  std::int64_t integer() const;
  std::string_view bytes() const;
  ProtoCursor message() const { return {bytes(), name_}; }
  // Appends; also where every number has a field of its own.
  void packed(std::vector<double>* values) const;
  void packed(std::vector<float>* values) const;
  void packed(VecX* values) const;
  void packed(std::vector<int>* values) const;
  void packed(std::vector<std::uint32_t>* values) const;

 private:
  std::uint64_t take_varint();
  [[noreturn]] void fail() const;

  std::string_view rest_, value_;
  std::uint64_t varint_ = 0;
  WireType type_ = WireType::varint;
  int number_ = 0;
  const char* name_;
};

// ---- The schema: FileDescriptorSet of google/protobuf/descriptor.proto, one file for each package.

// Numbers as in FieldDescriptorProto.Type.
enum class ProtoType : unsigned char {
  double_number = 1,
  float_number = 2,
  int64 = 3,
  int32 = 5,
  fixed64 = 6,
  fixed32 = 7,
  boolean = 8,
  string = 9,
  message = 11,
  bytes = 12,
  enumeration = 14,
};

class ProtoSchema {
 public:
  // False where the message is described already. Messages may be begun inside each other.
  bool begin_message(const char* package, const char* name);
  void add_field(int number, const char* name, ProtoType type, bool is_repeated = false);
  void add_message_field(int number, const char* name, const char* package, const char* message,
                         bool is_repeated);
  // An enum of the message that is open, numbered from 0.
  void add_enum_field(int number, const char* name, const char* type, std::span<const char* const> words);
  void end_message();
  std::string descriptor_set() const;

 private:
  struct Message {
    std::string package, name, fields, enums;
  };
  struct File {
    std::string name, package;
    std::string messages;                   // as fields of the file
    std::vector<std::string> dependencies;  // file names
  };
  File* file(const Message& message);

  std::vector<std::string> known_;  // full names
  std::vector<Message> open_;
  std::vector<File> files_;
};

}  // namespace stiction
