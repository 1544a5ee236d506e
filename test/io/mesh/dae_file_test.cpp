#include "stiction/io/mesh/dae_file.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "stiction/base/check.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 1e-14;  // of a few operations on numbers of order one

// A square of four corners, which `primitive` cuts into triangles, placed by `nodes`.
std::string square(const std::string& primitive, const std::string& nodes = "",
                   const std::string& asset = "") {
  const std::string scene = nodes.empty() ? ""
                                          : "<library_visual_scenes><visual_scene id='scene'>" + nodes +
                                                "</visual_scene></library_visual_scenes>"
                                                "<scene><instance_visual_scene url='#scene'/></scene>";
  return "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset>" + asset +
         "</asset><library_geometries><geometry id='square'><mesh>"
         "<source id='corners'><float_array id='numbers' count='12'>0 0 0  1 0 0  1 1 0  0 1 0</float_array>"
         "<technique_common><accessor source='#numbers' count='4' stride='3'/></technique_common></source>"
         "<vertices id='vertices'><input semantic='POSITION' source='#corners'/></vertices>" +
         primitive + "</mesh></geometry></library_geometries>" + scene + "</COLLADA>";
}

const std::string kInput = "<input semantic='VERTEX' source='#vertices' offset='0'/>";
const std::string kTriangles = "<triangles count='2'>" + kInput + "<p>0 1 2  0 2 3</p></triangles>";

TriangleMesh parse(const std::string& text) { return parse_dae(text, "square.dae"); }

Vec3 doubled_area_of(const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  for (const Triangle& triangle : mesh.triangles) sum += doubled_area(mesh, triangle);
  return sum;
}

TEST(DaeFile, AFileWithoutSceneHasAllItsGeometries) {
  const TriangleMesh mesh = parse(square(kTriangles));
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(doubled_area_of(mesh), Vec3(0, 0, 2));
}

TEST(DaeFile, PolygonsStripsAndFansOfOneSquareHaveItsArea) {
  const std::string list = "<polylist count='1'>" + kInput + "<vcount>4</vcount><p>0 1 2 3</p></polylist>";
  const std::string polygons = "<polygons count='1'>" + kInput + "<p>0 1 2 3</p></polygons>";
  const std::string strip = "<tristrips count='1'>" + kInput + "<p>0 1 3 2</p></tristrips>";
  const std::string fan = "<trifans count='1'>" + kInput + "<p>0 1 2 3</p></trifans>";
  for (const std::string& primitive : {list, polygons, strip, fan}) {
    SCOPED_TRACE(primitive);
    EXPECT_EQ(doubled_area_of(parse(square(primitive))), Vec3(0, 0, 2));
  }
}

TEST(DaeFile, IndicesOfNormalsBesideThoseOfVerticesAreSkipped) {
  const std::string triangles =
      "<triangles count='2'><input semantic='NORMAL' source='#corners' offset='0'/>"
      "<input semantic='VERTEX' source='#vertices' offset='1'/><p>9 0 9 1 9 2  9 0 9 2 9 3</p></triangles>";
  EXPECT_EQ(doubled_area_of(parse(square(triangles))), Vec3(0, 0, 2));
}

TEST(DaeFile, UnitsBecomeMetres) {
  const TriangleMesh mesh = parse(square(kTriangles, "", "<unit name='inch' meter='0.0254'/>"));
  EXPECT_EQ(mesh.vertices[2], Vec3(0.0254, 0.0254, 0));
}

TEST(DaeFile, TheUpwardAxisBecomesZ) {
  const Vec3 from_y = parse(square(kTriangles, "", "<up_axis>Y_UP</up_axis>")).vertices[3];
  EXPECT_EQ(from_y, Vec3(0, 0, 1));
  EXPECT_EQ(doubled_area_of(parse(square(kTriangles, "", "<up_axis>Y_UP</up_axis>"))), Vec3(0, -2, 0));
}

TEST(DaeFile, NodesPlaceGeometriesOuterTransformsLast) {
  const TriangleMesh mesh = parse(square(kTriangles,
                                         "<node><translate>0 0 5</translate><rotate>0 0 1 90</rotate>"
                                         "<node><matrix>2 0 0 1  0 2 0 0  0 0 2 0  0 0 0 1</matrix>"
                                         "<instance_geometry url='#square'/></node></node>"));
  EXPECT_LT((mesh.vertices[0] - Vec3(0, 1, 5)).norm(), kRoundOff);
  EXPECT_LT((mesh.vertices[2] - Vec3(-2, 3, 5)).norm(), kRoundOff);
}

TEST(DaeFile, AMirroringScaleKeepsOutsideOutside) {
  const TriangleMesh mesh =
      parse(square(kTriangles, "<node><scale>-1 1 1</scale><instance_geometry url='#square'/></node>"));
  EXPECT_EQ(doubled_area_of(mesh), Vec3(0, 0, 2));
}

TEST(DaeFile, AGeometryPlacedTwiceIsThereTwice) {
  const std::string node = "<node><instance_geometry url='#square'/></node>";
  EXPECT_EQ(parse(square(kTriangles, node + node)).triangles.size(), 4u);
}

TEST(DaeFile, BrokenFilesAreRefused) {
  const auto triangles = [](const std::string& p) {
    return square("<triangles count='1'>" + kInput + "<p>" + p + "</p></triangles>");
  };
  for (const std::string& text :
       {triangles("0 1 4"), triangles("0 1 -1"), triangles("0 1 x"), triangles("0 1 2 3"), square(""),
        square(kTriangles, "<node id='n'><instance_node url='#n'/></node>"),
        square(kTriangles, "<node><instance_geometry url='other.dae#square'/></node>"),
        std::string("<robot/>")}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(parse(text), UserError);
  }
}

}  // namespace
}  // namespace stiction
