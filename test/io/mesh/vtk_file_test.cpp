#include "stiction/io/mesh/vtk_file.h"

#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mesh/mesh_file.h"
#include "test/geometry/tet_volumes.h"
#include "test/io/mesh/tet_files.h"

namespace stiction {
namespace {

// Numbers that a float holds.
TetVolume ell() { return cubes_volume({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 0.25); }

std::string error_of(const std::string& bytes) {
  MeshReport report;
  try {
    parse_vtk(bytes, "m.vtk", &report);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(VtkFile, ReadsEveryDialect) {
  const TetVolume expected = ell();
  for (const char* version : {"1.0", "2.0", "3.0", "4.2", "5.0", "5.1"})
    for (const bool is_binary : {false, true})
      for (const bool is_double : {false, true})
        for (const bool has_extras : {false, true}) {
          SCOPED_TRACE(format("{} {} {} {}", version, is_binary, is_double, has_extras));
          MeshReport report;
          const TetVolume volume =
              parse_vtk(vtk_text(expected, {version, is_binary, is_double, has_extras}), "m.vtk", &report);
          EXPECT_EQ(volume.vertices, expected.vertices);
          EXPECT_EQ(volume.tets, expected.tets);
          EXPECT_EQ(report.ignored_cells, has_extras ? 1 : 0);
        }
}

TEST(VtkFile, KeepsEveryBitOfADouble) {
  TetVolume volume = ell();
  for (Vec3& v : volume.vertices) v *= 0.1;
  MeshReport report;
  EXPECT_EQ(parse_vtk(vtk_text(volume, {"5.1", true}), "m.vtk", &report).vertices, volume.vertices);
}

TEST(VtkFile, AMeshOfItIsTheSurfaceWithTheTetrahedra) {
  MeshReport report;
  const TriangleMesh mesh = parse_mesh(vtk_text(ell(), {}), "M.VTK", &report);
  ASSERT_NE(mesh.tets, nullptr);
  EXPECT_EQ(mesh.tets->tets.size(), 36u);
  EXPECT_EQ(report.tets, 36);
  EXPECT_NEAR(signed_volume(mesh), 3.0 / 64.0, 1e-15);
}

TEST(VtkFile, TakesWindowsLineEndsAndCapitals) {
  std::string text = vtk_text(ell(), {}), other;
  for (const char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
  other.replace(other.find("double"), 6, "DOUBLE");
  MeshReport report;
  EXPECT_EQ(parse_vtk(other, "m.vtk", &report).tets, ell().tets);
}

const std::string kHead = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string kFour = "POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n";
const std::string kOne = "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";

TEST(VtkFileError, NamesTheLine) {
  EXPECT_EQ(error_of(kHead + kFour + kOne), "");
  EXPECT_EQ(error_of(""), "m.vtk:1: a legacy VTK file begins with '# vtk DataFile Version'");
  EXPECT_EQ(error_of("<?xml version='1.0'?>"),
            "m.vtk:1: a legacy VTK file begins with '# vtk DataFile Version'");
  EXPECT_EQ(error_of("# vtk DataFile Version 6.0\n"), "m.vtk:1: version 6 is not known: 1.0 to 5.1 are read");
  EXPECT_EQ(error_of("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"),
            "m.vtk:4: the dataset 'polydata' is no UNSTRUCTURED_GRID, which has tetrahedra");
  EXPECT_EQ(error_of(kHead + "POINTS 4 float\n0 0 0 1 0 x 0 1 0 0 0 1\n"),
            "m.vtk:6: a coordinate 'x' is not a number");
  EXPECT_EQ(error_of(kHead + "POINTS 4 float\n0 0 0 1 0 0 0\n"),
            "m.vtk:5: 12 coordinates are promised, and there is room for 8 at most");
  EXPECT_EQ(error_of(kHead + "POINTS 99999999999 float\n"),
            "m.vtk:5: POINTS 99999999999, which must be 0 to 16777216");
  EXPECT_EQ(error_of(kHead + "POINTS 4 float3\n"), "m.vtk:5: 'float3' is no type of numbers");
  EXPECT_EQ(error_of(kHead + kFour + "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n"),
            "m.vtk:8: vertex 4 of 4 does not exist");
  EXPECT_EQ(error_of(kHead + kFour + "CELLS 1 5\n4 0 1 2 -1\nCELL_TYPES 1\n10\n"),
            "m.vtk:8: vertex -1 of 4 does not exist");
  EXPECT_EQ(error_of(kHead + kFour + "CELLS 1 5\n5 0 1 2 3\nCELL_TYPES 1\n10\n"),
            "m.vtk:8: cell 0 has 5 vertices, and 4 numbers are left");
  EXPECT_EQ(error_of(kHead + kFour + "CELLS 1 6\n4 0 1 2 3 0\nCELL_TYPES 1\n10\n"),
            "m.vtk:8: 1 numbers are left after the last of 1 CELLS");
  EXPECT_EQ(error_of(kHead + kFour + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n"),
            "m.vtk:11: cell 0 is a tetrahedron with 3 vertices");
  EXPECT_EQ(error_of(kHead + kFour + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n"),
            "m.vtk:11: 1 CELLS have 2 CELL_TYPES");
  EXPECT_EQ(error_of(kHead + kFour), "m.vtk:7: there are no CELLS with their CELL_TYPES");
  EXPECT_EQ(error_of(kHead + kFour + "NONSENSE\n"), "m.vtk:7: 'nonsense' is not known");
}

TEST(VtkFileError, NamesOtherCells) {
  for (const auto& [type, name] : {std::pair(12, "hexahedron"), std::pair(13, "wedge"),
                                   std::pair(24, "quadratic tetrahedron"), std::pair(99, "cell")})
    EXPECT_EQ(error_of(kHead + kFour + format("CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n{}\n", type)),
              format("m.vtk:10: cell 0 is a {} (type {}): only tetrahedra (type 10) are read", name, type));
  EXPECT_EQ(error_of(kHead + kFour + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\n"),
            "m.vtk:11: there are no tetrahedra among its 1 cells");
}

TEST(VtkFileError, NamesTheByteOfABinaryFile) {
  const std::string good = vtk_text(ell(), {"5.1", true});
  // Every beginning of a good file is an error, and none is anything worse.
  for (std::size_t size = 0; size + 2 < good.size(); size += 7) {
    const std::string error = error_of(good.substr(0, size));
    EXPECT_EQ(error.rfind(size > 70 ? "m.vtk: byte " : "m.vtk:", 0), 0u) << size << error;
  }
}

TEST(VtkFileError, OffsetsRiseToTheEnd) {
  const std::string head = "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n" + kFour;
  const auto cells = [&](const std::string& offsets) {
    return error_of(head + "CELLS 2 4\nOFFSETS vtktypeint64\n" + offsets +
                    "\nCONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n10\n");
  };
  EXPECT_EQ(cells("0 4"), "");
  EXPECT_EQ(cells("0 5"), "m.vtk:9: offset 1 of 2 is 5: they must rise from 0 to 4");
  EXPECT_EQ(cells("1 4"), "m.vtk:9: offset 0 of 2 is 1: they must rise from 0 to 4");
  EXPECT_EQ(cells("0 -1"), "m.vtk:9: offset 1 of 2 is -1: they must rise from 0 to 4");
}

}  // namespace
}  // namespace stiction
