#include "stiction/io/mesh/msh_file.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

template <class Number>
void append(const std::vector<Number>& numbers, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

// Integers and floats as they lie in a file.
std::string msh(const std::vector<std::int32_t>& counts, const std::vector<float>& numbers,
                const std::vector<std::int32_t>& corners) {
  std::string bytes;
  append(counts, &bytes);
  append(numbers, &bytes);
  append(corners, &bytes);
  return bytes;
}

const std::vector<float> kCorners = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

std::string error_of(const std::string& bytes) {
  try {
    parse_msh(bytes, "mesh.msh");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(MshFile, ReadsVerticesAndTriangles) {
  const TriangleMesh mesh = parse_msh(msh({4, 0, 0, 1}, kCorners, {0, 1, 3}), "mesh.msh");
  EXPECT_EQ(mesh.vertices[3], Vec3(0, 0, 1));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 3}}));
}

TEST(MshFile, SkipsNormalsAndTextureCoordinates) {
  std::vector<float> numbers = kCorners;
  numbers.resize(12 + 12 + 8, 0.5f);
  EXPECT_EQ(parse_msh(msh({4, 4, 4, 1}, numbers, {0, 1, 3}), "mesh.msh").triangles[0], (Triangle{0, 1, 3}));
}

TEST(MshFileError, NamesTheByte) {
  EXPECT_EQ(error_of("abc"), "mesh.msh: byte 0: the file ends too early");
  EXPECT_EQ(error_of(msh({-1, 0, 0, 0}, {}, {})),
            "mesh.msh: byte 4: -1 vertices, which must be 0 to 16777216");
  EXPECT_EQ(error_of(msh({4, 0, 0, 1}, kCorners, {0, 1})),
            "mesh.msh: byte 16: 56 bytes follow where the counts say 60");
  EXPECT_EQ(error_of(msh({4, 0, 0, 1}, kCorners, {0, 1, 4})),
            "mesh.msh: byte 76: vertex 4 of 4 does not exist");
}

}  // namespace
}  // namespace stiction
