#include "stiction/io/mesh/gmsh_file.h"

#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mesh/mesh_file.h"
#include "test/geometry/tet_volumes.h"
#include "test/io/mesh/tet_files.h"

namespace stiction {
namespace {

TetVolume ell() { return cubes_volume({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 0.1); }

std::string error_of(const std::string& bytes) {
  MeshReport report;
  try {
    parse_gmsh(bytes, "m.msh", &report);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(GmshFile, ReadsEveryDialect) {
  const TetVolume expected = ell();
  for (const char* version : {"2.2", "4.1"})
    for (const bool is_binary : {false, true})
      for (const std::endian order : {std::endian::little, std::endian::big})
        for (const bool has_extras : {false, true}) {
          SCOPED_TRACE(format("{} {} {} {}", version, is_binary, order == std::endian::big, has_extras));
          MeshReport report;
          const TetVolume volume =
              parse_gmsh(gmsh_text(expected, {version, is_binary, order, has_extras}), "m.msh", &report);
          EXPECT_EQ(volume.vertices, expected.vertices);
          EXPECT_EQ(volume.tets, expected.tets);
          EXPECT_EQ(report.ignored_cells, has_extras ? 1 : 0);
        }
}

TEST(GmshFile, IsToldFromMujocosFormatByItsFirstBytes) {
  const std::string text = gmsh_text(ell(), {});
  EXPECT_TRUE(is_gmsh(text));
  ASSERT_NE(parse_mesh(text, "m.msh").tets, nullptr);
  EXPECT_EQ(parse_mesh(text, "m.msh").tets->tets, ell().tets);
  // 36 vertices are a '$'; as many as "$Mes" says are too many.
  std::string mujoco;
  for (const std::int32_t count : {36, 0, 0, 0}) put(count, std::endian::little, &mujoco);
  for (int i = 0; i < 36; ++i)
    for (const double x : {std::cos(i), std::sin(2.0 * i), std::cos(3.0 * i)})
      put(float(x), std::endian::little, &mujoco);
  EXPECT_FALSE(is_gmsh(mujoco));
  EXPECT_EQ(parse_mesh(mujoco, "m.msh").tets, nullptr);
}

std::string two(const std::string& nodes, const std::string& elements) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + nodes + "$EndNodes\n$Elements\n" + elements +
         "$EndElements\n";
}
const std::string kFour = "4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";

TEST(GmshFileError, NamesTheLine) {
  EXPECT_EQ(error_of(two(kFour, "1\n1 4 2 0 1 1 2 3 4\n")), "");
  EXPECT_EQ(error_of(""), "m.msh:1: there is no $MeshFormat");
  EXPECT_EQ(error_of("$MeshFormat\n4 0 8\n"),
            "m.msh:2: version 4 of Gmsh's files is not read: 2.0 to 2.2 and 4.1 are");
  EXPECT_EQ(error_of("$MeshFormat\n4.1 0 8\n"), "m.msh:2: there is no $EndMeshFormat");
  EXPECT_EQ(error_of("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$ParametricNodes\n"),
            "m.msh:4: $ParametricNodes are not read: save the file without them, or as version 4.1");
  EXPECT_EQ(error_of("$NOD\n4\n"), "m.msh:1: $NOD comes before $MeshFormat");
  EXPECT_EQ(error_of(two("4\n1 0 0 0\n2 1 0 0\n2 0 1 0\n4 0 0 1\n", "")), "m.msh:9: there are two nodes 2");
  EXPECT_EQ(error_of(two("4\n1 0 0 0\n2 1 0 zero\n", "")), "m.msh:7: z 'zero' is not a number");
  EXPECT_EQ(error_of(two("99999999999\n", "")), "m.msh:5: nodes 99999999999, which must be 0 to 16777216");
  EXPECT_EQ(error_of(two(kFour, "1\n1 4 2 0 1 1 2 3 5\n")), "m.msh:13: there is no node 5");
  EXPECT_EQ(error_of(two(kFour, "1\n1 4 -2 0 1 1 2 3 5\n")), "m.msh:13: an element has -2 tags");
  EXPECT_EQ(error_of(two(kFour, "1\n1 2 0 1 2 3\n")),
            "m.msh:15: there are no tetrahedra among the $Elements");
}

TEST(GmshFileError, NamesOtherElements) {
  EXPECT_EQ(error_of(two(kFour, "1\n1 5 0 1 2 3 4 1 2 3 4\n")),
            "m.msh:13: an element is a hexahedron (type 5): only tetrahedra (type 4) are read");
  EXPECT_EQ(
      error_of(two(kFour, "1\n1 11 0 1 2 3 4 1 2 3 4 1 2\n")),
      "m.msh:13: an element is a tetrahedron of second order (type 11): only tetrahedra (type 4) are read");
  EXPECT_EQ(error_of(two(kFour, "1\n1 77 0 1 2 3 4\n")), "m.msh:13: elements of type 77 are not known");
}

TEST(GmshFileError, EveryBeginningOfAFileIsAnError) {
  for (const char* version : {"2.2", "4.1"}) {
    for (const bool is_binary : {false, true}) {
      const std::string good = gmsh_text(ell(), {version, is_binary});
      for (std::size_t size = 0; size + 15 < good.size(); size += 7)
        EXPECT_EQ(error_of(good.substr(0, size)).rfind("m.msh:", 0), 0u) << size;
    }
  }
}

}  // namespace
}  // namespace stiction
