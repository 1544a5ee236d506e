#include "stiction/io/recording/proto_message.h"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/recording/messages.h"

namespace stiction {
namespace {

// All kinds of fields.
struct Toy {
  static constexpr const char *kPackage = "toys", *kName = "Toy";
  std::int64_t number = 0;
  int small = 0;
  bool is_red = false;
  double weight = 0.0;
  std::string name;
  std::vector<int> parts;
  std::vector<double> sizes;
  std::vector<Toy> inner;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "number", m.number);
    f(2, "small", m.small);
    f(3, "is_red", m.is_red);
    f(4, "weight", m.weight);
    f(5, "name", m.name);
    f(6, "parts", m.parts);
    f(7, "sizes", m.sizes);
    f(8, "inner", m.inner);
  }
};

TEST(ProtoMessage, IsKnownByItsPackageAndName) { EXPECT_EQ(full_name<Toy>(), "toys.Toy"); }

std::string encoded(const Toy& toy) {
  std::string bytes;
  encode(toy, &bytes);
  return bytes;
}

TEST(ProtoMessage, HasTheBytesOfTheEncodingGuide) {
  Toy toy;
  toy.number = 150;
  EXPECT_EQ(encoded(toy), "\x08\x96\x01");  // the guide's first example
  toy = {};
  toy.name = "testing";
  EXPECT_EQ(encoded(toy), "\x2a\x07testing");  // its second one, with field 5
  toy = {};
  toy.parts = {3, 270, 86942};
  EXPECT_EQ(encoded(toy), "\x32\x06\x03\x8e\x02\x9e\xa7\x05");  // its packed numbers
  EXPECT_EQ(encoded(Toy{}), "");
}

TEST(ProtoMessage, KeepsEveryBitOfAwkwardNumbers) {
  const double awkward[] = {-0.0, 1e-310, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN(), 1.0 / 3.0};
  for (const double x : awkward) {
    Toy toy, read;
    toy.weight = x;
    toy.sizes = {x, 0.0, x};
    decode(encoded(toy), &read);
    EXPECT_EQ(std::memcmp(&read.weight, &x, sizeof x), 0) << x;
    ASSERT_EQ(read.sizes.size(), 3u);
    EXPECT_EQ(std::memcmp(read.sizes.data(), toy.sizes.data(), 3 * sizeof x), 0) << x;
  }
}

TEST(ProtoMessage, KeepsNegativeIntegersAndMessagesInMessages) {
  Toy toy, read;
  toy.number = std::numeric_limits<std::int64_t>::min();
  toy.small = -7;
  toy.parts = {-1, 0, std::numeric_limits<int>::max()};
  toy.inner.resize(2);
  toy.inner[1].name = std::string(1000, 'x');  // longer than a length of one byte
  toy.inner[1].inner.resize(1);
  toy.inner[1].inner[0].is_red = true;
  decode(encoded(toy), &read);
  EXPECT_EQ(read.number, toy.number);
  EXPECT_EQ(read.small, -7);
  EXPECT_EQ(read.parts, toy.parts);
  ASSERT_EQ(read.inner.size(), 2u);
  EXPECT_EQ(read.inner[1].name, toy.inner[1].name);
  ASSERT_EQ(read.inner[1].inner.size(), 1u);
  EXPECT_TRUE(read.inner[1].inner[0].is_red);
}

TEST(ProtoMessage, UnknownFieldsArePassedOver) {
  Toy toy, read;
  toy.small = 5;
  std::string bytes =
      "\xa2\x06\x03"
      "abc" +
      encoded(toy);  // field 100, three bytes
  decode(bytes, &read);
  EXPECT_EQ(read.small, 5);
}

TEST(ProtoMessage, BrokenBytesAreAUserErrorAndNothingElse) {
  Toy toy;
  toy.number = 150;
  toy.weight = 2.5;
  toy.name = "name";
  toy.parts = {1, 2, 300};
  toy.sizes = {1.5, 2.5};
  toy.inner.resize(1);
  toy.inner[0].name = "inner";
  const std::string whole = encoded(toy);
  const auto read = [](const std::string& bytes) {
    Toy out;
    try {
      decode(bytes, &out);
    } catch (const UserError&) {
    }
  };
  for (std::size_t size = 0; size < whole.size(); ++size) read(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = whole;
      changed[at] = static_cast<char>(byte);
      read(changed);
    }
  }
  Toy out;
  EXPECT_THROW(decode(whole.substr(0, whole.size() - 1), &out), UserError);
}

TEST(RecordedInput, ComesBackWithTheSameBits) {
  Input input;
  input.controls = VecX::Constant(2, 1.0 / 3.0);
  input.joint_forces = VecX::Constant(3, -0.1);
  input.wrenches.push_back({2, Vec3(1, 2, 3), Vec6::Constant(0.7)});
  PrescribedMotion motion;
  motion.X_WB.R << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  motion.X_WB.p = Vec3(0.1, 0.2, 0.3);
  motion.V = Vec6::Constant(-0.3);
  motion.A = Vec6::Constant(0.9);
  input.prescribed.push_back(motion);
  input.disabled_contacts = {{1, 2}, {3}, {{4, 5}, {6, 7}}, {{0, -1, true}}};
  input.constraints.active = {1, 0, 1};
  input.constraints.locks.push_back({3, {0.5}});
  input.constraints.unlimited_joints = {8};
  input.surface_velocities.push_back({9, Vec3(0.4, 0.5, 0.6)});
  recorded::Input message, again;
  recorded::set_input(input, &message);
  std::string bytes, bytes_again;
  encode(message, &bytes);
  decode(bytes, &again);
  Input read;
  recorded::set_input(again, &read);
  EXPECT_EQ(read.controls, input.controls);
  EXPECT_EQ(read.joint_forces, input.joint_forces);
  ASSERT_EQ(read.wrenches.size(), 1u);
  EXPECT_EQ(read.wrenches[0].wrench, input.wrenches[0].wrench);
  ASSERT_EQ(read.prescribed.size(), 1u);
  EXPECT_EQ(read.prescribed[0].X_WB.R, motion.X_WB.R);
  EXPECT_EQ(read.prescribed[0].A, motion.A);
  EXPECT_EQ(read.disabled_contacts, input.disabled_contacts);
  EXPECT_EQ(read.constraints.active, input.constraints.active);
  EXPECT_EQ(read.constraints.locks, input.constraints.locks);
  EXPECT_EQ(read.constraints.unlimited_joints, input.constraints.unlimited_joints);
  EXPECT_EQ(read.surface_velocities, input.surface_velocities);
  encode(again, &bytes_again);
  EXPECT_EQ(bytes_again, bytes);
}

}  // namespace
}  // namespace stiction
