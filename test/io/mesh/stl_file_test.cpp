#include "stiction/io/mesh/stl_file.h"

#include <cstdint>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

template <class Number>
std::string bytes_of(Number value) {
  std::string bytes(sizeof(Number), '\0');
  std::memcpy(bytes.data(), &value, sizeof(Number));
  return bytes;
}

std::string binary_stl(const TriangleMesh& mesh, const std::string& title) {
  std::string bytes = title;
  bytes.resize(80, '\0');
  bytes += bytes_of(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    bytes += std::string(12, '\0');
    for (int v : t)
      for (int i = 0; i < 3; ++i) bytes += bytes_of(static_cast<float>(mesh.vertices[v][i]));
    bytes += std::string(2, '\0');
  }
  return bytes;
}

std::string text_stl(const TriangleMesh& mesh) {
  std::string text = "solid cube of facets\n";
  for (const Triangle& t : mesh.triangles) {
    text += "  facet normal nan 0 1\n    outer loop\n";
    for (int v : t)
      text +=
          format("      vertex {} {} {}\n", mesh.vertices[v].x(), mesh.vertices[v].y(), mesh.vertices[v].z());
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid cube\n";
}

TriangleMesh unit_cube() { return box_mesh(Vec3::Zero(), Vec3::Ones()); }

void expect_unit_cube(const TriangleMesh& mesh) {
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(signed_volume(mesh), 1.0);
}

std::string error_of(const std::string& bytes) {
  try {
    parse_stl(bytes, "mesh.stl");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(StlFile, ReadsBinaryAndWeldsTheCorners) {
  expect_unit_cube(parse_stl(binary_stl(unit_cube(), "made by hand"), "mesh.stl"));
}

TEST(StlFile, ReadsText) { expect_unit_cube(parse_stl(text_stl(unit_cube()), "mesh.stl")); }

TEST(StlFile, ReadsTextInCapitalsWithOtherLineEnds) {
  std::string text;
  for (char c : text_stl(unit_cube())) text += c == '\n' ? "\r\n" : std::string(1, char(std::toupper(c)));
  expect_unit_cube(parse_stl(text, "mesh.stl"));
}

TEST(StlFile, ReadsTwoSolidsOfOneText) {
  const TriangleMesh other = box_mesh(Vec3::Constant(2.0), Vec3::Constant(3.0));
  EXPECT_EQ(parse_stl(text_stl(unit_cube()) + text_stl(other), "mesh.stl").triangles.size(), 24u);
}

TEST(StlFile, TakesABinaryFileThatBeginsWithSolidForBinary) {
  expect_unit_cube(parse_stl(binary_stl(unit_cube(), "solid cube"), "mesh.stl"));
  // Even if its title is padded with blanks and something follows the triangles.
  expect_unit_cube(parse_stl(binary_stl(unit_cube(), "solid" + std::string(75, ' ')) + "tail", "mesh.stl"));
}

TEST(StlFileError, SaysThatTrianglesAreMissing) {
  std::string bytes = binary_stl(unit_cube(), "cut");
  bytes.resize(bytes.size() - 1);
  EXPECT_EQ(error_of(bytes), "mesh.stl: byte 84: 12 triangles are promised, and there is room for 11");
  bytes[83] = '\x7f';
  EXPECT_NE(error_of(bytes).find("room for 11"), std::string::npos);
  EXPECT_EQ(error_of("short"), "mesh.stl: byte 0: the file ends too early");
  EXPECT_EQ(error_of(""), "mesh.stl: byte 0: the file ends too early");
}

TEST(StlFileError, NamesTheLineOfText) {
  EXPECT_EQ(error_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n"), "mesh.stl:4: z is missing");
  EXPECT_EQ(error_of("solid a\nfacet\nvertex 0 0 0\nendfacet\n"), "mesh.stl:4: a facet has 1 vertices");
  EXPECT_EQ(error_of("solid a\nvertex 0 0 0\n"), "mesh.stl:3: the file ends inside a facet");
  EXPECT_EQ(error_of("solid a\nface 1 2 3\n"), "mesh.stl:2: 'face' is not known");
}

}  // namespace
}  // namespace stiction
