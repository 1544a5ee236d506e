#include "stiction/io/recording/proto_wire.h"

#include <algorithm>

#include "stiction/base/check.h"

namespace stiction {

// ---- Writing.

void put_varint(std::uint64_t value, std::string* out) {
  for (; value >= 128; value >>= 7) out->push_back(static_cast<char>(value | 128));
  out->push_back(static_cast<char>(value));
}

void put_integer(int number, std::int64_t value, std::string* out) {
  if (value == 0) return;
  put_tag(number, WireType::varint, out);
  put_varint(static_cast<std::uint64_t>(value), out);
}

void put_bytes(int number, std::string_view bytes, std::string* out) {
  put_tag(number, WireType::bytes, out);
  put_varint(bytes.size(), out);
  out->append(bytes);
}

namespace {

template <class Number>
void put_packed_numbers(int number, const Number* values, std::size_t count, std::string* out) {
  if (count == 0) return;
  put_tag(number, WireType::bytes, out);
  put_varint(count * sizeof(Number), out);
  const std::size_t begin = out->size();
  out->resize(begin + count * sizeof(Number));
  std::memcpy(out->data() + begin, values, count * sizeof(Number));
}

// Appends numbers as they lie in memory.
template <class Number>
void append_numbers(std::string_view bytes, std::vector<Number>* values) {
  const std::size_t begin = values->size(), count = bytes.size() / sizeof(Number);
  values->resize(begin + count);
  if (count > 0) std::memcpy(values->data() + begin, bytes.data(), count * sizeof(Number));
}

}  // namespace

void put_packed(int number, const double* values, std::size_t count, std::string* out) {
  put_packed_numbers(number, values, count, out);
}

void put_packed(int number, const float* values, std::size_t count, std::string* out) {
  put_packed_numbers(number, values, count, out);
}

void put_packed(int number, const std::uint32_t* values, std::size_t count, std::string* out) {
  put_packed_numbers(number, values, count, out);
}

void put_packed(int number, const std::vector<int>& values, std::string* out) {
  if (values.empty()) return;
  put_tag(number, WireType::bytes, out);
  const std::size_t begin = begin_length(out);
  for (const int value : values)
    put_varint(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), out);
  end_length(begin, out);
}

std::size_t begin_length(std::string* out) {
  out->push_back('\0');
  return out->size();
}

void end_length(std::size_t begin, std::string* out) {
  const std::size_t length = out->size() - begin;
  if (length < 128) {
    (*out)[begin - 1] = static_cast<char>(length);
    return;
  }
  std::string varint;
  put_varint(length, &varint);
  out->replace(begin - 1, 1, varint);
}

// ---- Reading.

void ProtoCursor::fail() const {
  throw_user_error(format("a message '{}' of the recording is broken", name_));
}

std::uint64_t ProtoCursor::take_varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) fail();
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) return value;
  }
  fail();
}

bool ProtoCursor::next() {
  if (rest_.empty()) return false;
  const std::uint64_t tag = take_varint();
  number_ = static_cast<int>(tag >> 3 & 0x1fffffff);
  type_ = static_cast<WireType>(tag & 7);
  std::uint64_t size = 0;
  switch (type_) {
    case WireType::varint:
      varint_ = take_varint();
      return true;
    case WireType::fixed64:
      size = 8;
      break;
    case WireType::fixed32:
      size = 4;
      break;
    case WireType::bytes:
      size = take_varint();
      break;
    default:
      fail();
  }
  if (size > rest_.size()) fail();
  value_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

std::int64_t ProtoCursor::integer() const {
  if (type_ != WireType::varint) fail();
  return static_cast<std::int64_t>(varint_);
}

std::string_view ProtoCursor::bytes() const {
  if (type_ != WireType::bytes) fail();
  return value_;
}

void ProtoCursor::packed(std::vector<double>* values) const {
  if ((type_ != WireType::bytes && type_ != WireType::fixed64) || value_.size() % sizeof(double) != 0) fail();
  append_numbers(value_, values);
}

void ProtoCursor::packed(std::vector<float>* values) const {
  if ((type_ != WireType::bytes && type_ != WireType::fixed32) || value_.size() % sizeof(float) != 0) fail();
  append_numbers(value_, values);
}

void ProtoCursor::packed(std::vector<std::uint32_t>* values) const {
  if ((type_ != WireType::bytes && type_ != WireType::fixed32) || value_.size() % sizeof(std::uint32_t) != 0)
    fail();
  append_numbers(value_, values);
}

void ProtoCursor::packed(VecX* values) const {
  std::vector<double> all(values->begin(), values->end());
  packed(&all);
  *values = Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size()));
}

void ProtoCursor::packed(std::vector<int>* values) const {
  if (type_ == WireType::varint) {
    values->push_back(static_cast<int>(varint_));
    return;
  }
  ProtoCursor items(bytes(), name_);
  while (!items.rest_.empty()) values->push_back(static_cast<int>(items.take_varint()));
}

// ---- The schema.

namespace {

// Field numbers of google/protobuf/descriptor.proto.
enum FileField { kFileName = 1, kFilePackage = 2, kFileDependency = 3, kFileMessage = 4, kFileSyntax = 12 };
enum MessageField { kMessageName = 1, kMessageField = 2, kMessageEnum = 4 };
enum EnumField { kEnumName = 1, kEnumValue = 2, kValueName = 1, kValueNumber = 2 };
enum DescribedField { kFieldName = 1, kFieldNumber = 3, kFieldLabel = 4, kFieldType = 5, kFieldTypeName = 6 };
constexpr int kOptionalLabel = 1, kRepeatedLabel = 3;

// One file for each package, except that Timestamp and Duration stand where every reader knows them.
std::string file_name(const std::string& package, std::string message) {
  if (package != "google.protobuf") return package + ".proto";
  message[0] = static_cast<char>(message[0] - 'A' + 'a');
  return "google/protobuf/" + message + ".proto";
}

std::string field_bytes(int number, const char* name, ProtoType type, bool is_repeated) {
  std::string field;
  put_bytes(kFieldName, name, &field);
  put_integer(kFieldNumber, number, &field);
  put_integer(kFieldLabel, is_repeated ? kRepeatedLabel : kOptionalLabel, &field);
  put_integer(kFieldType, static_cast<int>(type), &field);
  return field;
}

}  // namespace

bool ProtoSchema::begin_message(const char* package, const char* name) {
  const std::string full = std::string(package) + "." + name;
  if (std::find(known_.begin(), known_.end(), full) != known_.end()) return false;
  known_.push_back(full);
  open_.push_back({package, name, {}, {}});
  return true;
}

void ProtoSchema::add_field(int number, const char* name, ProtoType type, bool is_repeated) {
  put_bytes(kMessageField, field_bytes(number, name, type, is_repeated), &open_.back().fields);
}

void ProtoSchema::add_message_field(int number, const char* name, const char* package, const char* message,
                                    bool is_repeated) {
  std::string field = field_bytes(number, name, ProtoType::message, is_repeated);
  put_bytes(kFieldTypeName, std::string(".") + package + "." + message, &field);
  put_bytes(kMessageField, field, &open_.back().fields);
  File* own = file(open_.back());
  std::vector<std::string>& dependencies = own->dependencies;
  const std::string needed = file_name(package, message);
  if (needed != own->name &&
      std::find(dependencies.begin(), dependencies.end(), needed) == dependencies.end())
    dependencies.push_back(needed);
}

void ProtoSchema::add_enum_field(int number, const char* name, const char* type,
                                 std::span<const char* const> words) {
  Message& message = open_.back();
  std::string field = field_bytes(number, name, ProtoType::enumeration, false);
  put_bytes(kFieldTypeName, "." + message.package + "." + message.name + "." + type, &field);
  put_bytes(kMessageField, field, &message.fields);
  std::string described;
  put_bytes(kEnumName, type, &described);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string value;
    put_bytes(kValueName, words[i], &value);
    // Written also where it is zero: proto2, in which descriptors are written, has no default here.
    put_tag(kValueNumber, WireType::varint, &value);
    put_varint(i, &value);
    put_bytes(kEnumValue, value, &described);
  }
  put_bytes(kMessageEnum, described, &message.enums);
}

void ProtoSchema::end_message() {
  std::string message;
  put_bytes(kMessageName, open_.back().name, &message);
  message += open_.back().fields;
  message += open_.back().enums;
  put_bytes(kFileMessage, message, &file(open_.back())->messages);
  open_.pop_back();
}

ProtoSchema::File* ProtoSchema::file(const Message& message) {
  const std::string name = file_name(message.package, message.name);
  for (File& known : files_)
    if (known.name == name) return &known;
  files_.push_back({name, message.package, {}, {}});
  return &files_.back();
}

std::string ProtoSchema::descriptor_set() const {
  // Files without dependencies first: they are at most two deep.
  std::vector<const File*> order;
  for (const bool has_dependencies : {false, true})
    for (const File& f : files_)
      if (f.dependencies.empty() != has_dependencies) order.push_back(&f);
  std::string set;
  for (const File* f : order) {
    std::string bytes;
    put_bytes(kFileName, f->name, &bytes);
    put_bytes(kFilePackage, f->package, &bytes);
    for (const std::string& dependency : f->dependencies) put_bytes(kFileDependency, dependency, &bytes);
    bytes += f->messages;
    put_bytes(kFileSyntax, "proto3", &bytes);
    put_bytes(1, bytes, &set);
  }
  return set;
}

}  // namespace stiction
