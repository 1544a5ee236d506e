#include "stiction/io/mesh/obj_file.h"

#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
const std::vector<Triangle> kTwoHalves = {{0, 1, 2}, {0, 2, 3}};

std::string error_of(const std::string& text) {
  try {
    parse_obj(text, "mesh.obj");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(ObjFile, ReadsVerticesInTheOrderAndPrecisionOfTheText) {
  const TriangleMesh mesh = parse_obj("v 0.1 -2.5e-3 +3\nv 1 2 3 1.0\nv 4 5 6 0.5 0.5 0.5\n", "mesh.obj");
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{Vec3(0.1, -2.5e-3, 3), Vec3(1, 2, 3), Vec3(4, 5, 6)}));
}

TEST(ObjFile, CutsAPolygonAroundItsFirstCorner) {
  EXPECT_EQ(parse_obj(kSquare + "f 1 2 3 4\n", "mesh.obj").triangles, kTwoHalves);
}

TEST(ObjFile, ReadsEveryFormOfACorner) {
  for (const char* face :
       {"f 1 2 3 4", "f 1/1 2/1 3/1 4/1", "f 1//1 2//1 3//1 4//1", "f 1/1/1 2/1/1 3/1/1 4/1/1",
        "f -4 -3 -2 -1", "f -4//-1 2/7 +3/1/1 -1", "\tf  1 2\t3   4  ", "f 1 2 3 4 # a square"}) {
    SCOPED_TRACE(face);
    EXPECT_EQ(parse_obj(kSquare + "vt 0 0\nvn 0 0 1\n" + face, "mesh.obj").triangles, kTwoHalves);
  }
}

TEST(ObjFile, CountsNegativeCornersFromTheLastVertexSoFar) {
  const TriangleMesh mesh = parse_obj(kSquare + "f -4 -3 -2\nv 9 9 9\nf -5 -4 -3\n", "mesh.obj");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}}));
}

TEST(ObjFile, ReadsFacesBeforeTheirVertices) {
  EXPECT_EQ(parse_obj("f 1 2 3 4\n" + kSquare, "mesh.obj").triangles, kTwoHalves);
}

TEST(ObjFile, KnowsAllEndsOfLinesAndContinuedLines) {
  const std::string text = kSquare + "f 1 2 \\\n3 4\n";
  for (const char* line_end : {"\n", "\r\n", "\r"}) {
    std::string other;
    for (char c : text) other += c == '\n' ? std::string(line_end) : std::string(1, c);
    EXPECT_EQ(parse_obj(other, "mesh.obj").triangles, kTwoHalves);
  }
}

TEST(ObjFile, CountsWhatItIgnores) {
  MeshReport report;
  parse_obj("# by hand\nmtllib a.mtl\no thing\ng part\nusemtl red\ns off\n" + kSquare + "f 1 2 3\nf 1 2\n",
            "mesh.obj", &report);
  EXPECT_EQ(report.ignored_statements, 5);
  EXPECT_EQ(report.degenerate_triangles, 1);
}

TEST(ObjFile, ReadsAllGroups) {
  EXPECT_EQ(parse_obj(kSquare + "g a\nf 1 2 3\ng b\nf 1 3 4\n", "mesh.obj").triangles, kTwoHalves);
}

TEST(ObjFileError, NamesFileAndLine) {
  EXPECT_EQ(error_of("v 1 2\n"), "mesh.obj:1: z is missing");
  EXPECT_EQ(error_of("\n\nv 1 2 x3\n"), "mesh.obj:3: z 'x3' is not a number");
  EXPECT_EQ(error_of("v 1 2 \\\n 3,0\n"), "mesh.obj:2: z '3,0' is not a number");
  EXPECT_EQ(error_of("v 1e999 0 0\n"), "mesh.obj:1: x '1e999' is too large or too small");
  EXPECT_EQ(error_of(kSquare + "f 1 2 5\nf 1 2 3"), "mesh.obj:5: vertex 5 of 4 does not exist");
  EXPECT_EQ(error_of(kSquare + "f 1 2 -5\n"), "mesh.obj:5: vertex -5 of 4 so far does not exist");
  EXPECT_EQ(error_of(kSquare + "f 0 1 2\n"), "mesh.obj:5: '0' is no corner of a face");
  EXPECT_EQ(error_of(kSquare + "f 1 2 99999999999\n"), "mesh.obj:5: '99999999999' is no corner of a face");
  EXPECT_EQ(error_of(kSquare + "f /1 2 3\n"), "mesh.obj:5: '/1' is no corner of a face");
}

}  // namespace
}  // namespace stiction
