#pragma once
// Protocol buffers (https://protobuf.dev/programming-guides/encoding), as much as recordings need.
//
// A message is a struct that names its fields once, for writing, reading and for its schema:
//
//   struct Ball {
//     static constexpr const char* kPackage = "toys", *kName = "Ball";
//     double radius = 0.0;
//     std::vector<double> stripes;
//     template <class Visit, class Self>
//     static void fields(const Visit& f, Self& m) {
//       f(1, "radius", m.radius);
//       f(2, "stripes", m.stripes);
//     }
//   };
//
//   double, float, bool, int, int64, string        the same in proto3
//   uint64                                         fixed64
//   Bytes                                          bytes
//   vectors of double, float and int, VecX         repeated, packed
//   vector of uint32                               repeated fixed32, packed
//   struct with kEnumName, kWords and an int       enum within the message
//   struct, optional<struct>, vector<struct>       message, message, repeated message
//
// Why our own and not libprotobuf: no generated code, nothing to link, and the numbers of a step go from
// Eigen's vectors to the file without a copy in between. The tests compare the schema with protoc's.

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "stiction/io/recording/proto_wire.h"
#include "stiction/math/matrix.h"

namespace stiction {

template <class M>
concept ProtoMessage = requires {
  M::kName;
};

template <class E>
concept ProtoEnum = requires {
  E::kEnumName;
};

template <class T>
inline constexpr bool kIsPacked =
    std::is_same_v<T, std::vector<std::uint32_t>> || std::is_same_v<T, std::vector<double>> ||
    std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<int>> || std::is_same_v<T, VecX>;
template <class T>
struct ItemOf {
  using type = void;
};
template <ProtoMessage M>
struct ItemOf<std::vector<M>> {
  using type = M;
};
template <ProtoMessage M>
struct ItemOf<std::optional<M>> {
  using type = M;
};

// ---- Writing. Fields that are zero or empty are left out, as in proto3; -0.0 is not zero.

template <ProtoMessage M>
void encode(const M& message, std::string* out);

template <ProtoMessage M>
void put_message(int number, const M& message, std::string* out) {
  put_tag(number, WireType::bytes, out);
  const std::size_t begin = begin_length(out);
  encode(message, out);
  end_length(begin, out);
}

template <class T>
void put_field(int number, const T& value, std::string* out) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, std::uint64_t>) {
    put_fixed(number, value, out);
  } else if constexpr (std::is_integral_v<T>) {
    put_integer(number, static_cast<std::int64_t>(value), out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.empty()) put_bytes(number, value, out);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    if (!value.bytes.empty()) put_bytes(number, value.bytes, out);
  } else if constexpr (ProtoEnum<T>) {
    put_integer(number, value.value, out);
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    put_packed(number, value, out);
  } else if constexpr (kIsPacked<T>) {
    put_packed(number, value.data(), static_cast<std::size_t>(value.size()), out);
  } else if constexpr (ProtoMessage<T>) {
    put_message(number, value, out);
  } else if constexpr (std::is_same_v<T, std::optional<typename ItemOf<T>::type>>) {
    if (value) put_message(number, *value, out);
  } else {
    for (const auto& item : value) put_message(number, item, out);
  }
}

// Appends.
template <ProtoMessage M>
void encode(const M& message, std::string* out) {
  M::fields([&](int number, const char*, const auto& value) { put_field(number, value, out); }, message);
}

// ---- Reading. Unknown fields are skipped; what is broken throws UserError.

template <ProtoMessage M>
void decode_fields(ProtoCursor cursor, M* message);

template <class T>
void take_field(ProtoCursor* cursor, T* value) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, std::uint64_t>) {
    *value = cursor->fixed<T>();
  } else if constexpr (std::is_integral_v<T>) {
    *value = static_cast<T>(cursor->integer());
  } else if constexpr (std::is_same_v<T, std::string>) {
    *value = cursor->bytes();
  } else if constexpr (std::is_same_v<T, Bytes>) {
    value->bytes = cursor->bytes();
  } else if constexpr (ProtoEnum<T>) {
    value->value = static_cast<int>(cursor->integer());
  } else if constexpr (kIsPacked<T>) {
    cursor->packed(value);
  } else if constexpr (ProtoMessage<T>) {
    decode_fields(cursor->message(), value);
  } else if constexpr (std::is_same_v<T, std::optional<typename ItemOf<T>::type>>) {
    value->emplace();
    decode_fields(cursor->message(), &**value);
  } else {
    value->emplace_back();
    decode_fields(cursor->message(), &value->back());
  }
}

template <ProtoMessage M>
void decode_fields(ProtoCursor cursor, M* message) {
  while (cursor.next()) {
    M::fields(
        [&](int number, const char*, auto& value) {
          if (number == cursor.number()) take_field(&cursor, &value);
        },
        *message);
  }
}

template <ProtoMessage M>
void decode(std::string_view bytes, M* message) {
  *message = {};
  decode_fields(ProtoCursor(bytes, M::kName), message);
}

// ---- The schema.

template <ProtoMessage M>
void describe(ProtoSchema* schema);

template <class T>
void describe_field(int number, const char* name, ProtoSchema* schema) {
  using Item = typename ItemOf<T>::type;
  if constexpr (std::is_same_v<T, double>) {
    schema->add_field(number, name, ProtoType::double_number);
  } else if constexpr (std::is_same_v<T, float>) {
    schema->add_field(number, name, ProtoType::float_number);
  } else if constexpr (std::is_same_v<T, bool>) {
    schema->add_field(number, name, ProtoType::boolean);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    schema->add_field(number, name, ProtoType::fixed64);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    schema->add_field(number, name, ProtoType::int64);
  } else if constexpr (std::is_same_v<T, int>) {
    schema->add_field(number, name, ProtoType::int32);
  } else if constexpr (std::is_same_v<T, std::string>) {
    schema->add_field(number, name, ProtoType::string);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    schema->add_field(number, name, ProtoType::bytes);
  } else if constexpr (ProtoEnum<T>) {
    schema->add_enum_field(number, name, T::kEnumName, T::kWords);
  } else if constexpr (std::is_same_v<T, std::vector<std::uint32_t>>) {
    schema->add_field(number, name, ProtoType::fixed32, true);
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    schema->add_field(number, name, ProtoType::int32, true);
  } else if constexpr (std::is_same_v<T, std::vector<float>>) {
    schema->add_field(number, name, ProtoType::float_number, true);
  } else if constexpr (kIsPacked<T>) {
    schema->add_field(number, name, ProtoType::double_number, true);
  } else if constexpr (ProtoMessage<T>) {
    describe<T>(schema);
    schema->add_message_field(number, name, T::kPackage, T::kName, false);
  } else {
    describe<Item>(schema);
    schema->add_message_field(number, name, Item::kPackage, Item::kName,
                              std::is_same_v<T, std::vector<Item>>);
  }
}

// Adds the message, and those that it is made of before it.
template <ProtoMessage M>
void describe(ProtoSchema* schema) {
  if (!schema->begin_message(M::kPackage, M::kName)) return;
  const M message;
  M::fields(
      [&](int number, const char* name, const auto& value) {
        describe_field<std::remove_cvref_t<decltype(value)>>(number, name, schema);
      },
      message);
  schema->end_message();
}

// "stiction.State".
template <ProtoMessage M>
std::string full_name() {
  std::string name = M::kPackage;
  name += '.';
  name += M::kName;
  return name;
}

// The bytes of a google.protobuf.FileDescriptorSet with the message and all it is made of.
template <ProtoMessage M>
std::string descriptor_set() {
  ProtoSchema schema;
  describe<M>(&schema);
  return schema.descriptor_set();
}

}  // namespace stiction
