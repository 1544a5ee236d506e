#include "stiction/geometry/shape/tet_volume.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/math/rotation.h"
#include "test/geometry/tet_volumes.h"

namespace stiction {
namespace {

// Two cubes beside each other and one above: an L of edge 1.
TetVolume ell() { return cubes_volume({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 1.0); }

TEST(TetVolume, TheSurfaceIsClosedOutwardAndHasTheVolume) {
  for (const TetVolume& volume : {centred_box_volume(Vec3(1, 2, 3)), ell(), torus_volume(0.3, 0.1, 16, 9, 2),
                                  torus_volume(1, 0.2, 7, 3)}) {
    MeshReport report;
    const TriangleMesh mesh = mesh_of_tets(volume, &report);
    EXPECT_TRUE(report.is_watertight()) << describe(report);
    EXPECT_EQ(report.components, 1);
    EXPECT_EQ(report.tets, int(volume.tets.size()));
    EXPECT_FALSE(report.turned_inside_out);
    EXPECT_NEAR(signed_volume(mesh), volume_of(volume), 1e-13 * volume_of(volume));
    EXPECT_TRUE(is_surface_of(mesh, *mesh.tets));
    EXPECT_EQ(tet_volume_defect(*mesh.tets), "");
  }
}

TEST(TetVolume, TheSurfaceOfAnLHasTheTrianglesOfItsSquares) {
  // Three cubes have 18 squares, of which 2 * 2 are inside.
  EXPECT_EQ(mesh_of_tets(ell()).triangles.size(), 2u * 14u);
  EXPECT_EQ(mesh_of_tets(ell()).vertices.size(), 16u);  // the centres are inside
}

// Mass, centre and inertia of a tetrahedron by its corners: integral of x x' = V/20 (sum a a' + (sum a)(sum a)').
Inertia sum_over_tets(const TetVolume& volume, double density) {
  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Tet& tet : volume.tets) {
    const double V = density * std::abs(six_volumes(volume.vertices, tet)) / 6.0;
    Vec3 sum = Vec3::Zero();
    Mat3 squares = Mat3::Zero();
    for (const int v : tet) {
      const Vec3& p = volume.vertices[std::size_t(v)];
      sum += p;
      squares += p * p.transpose();
    }
    mass += V;
    first += 0.25 * V * sum;
    second += V / 20.0 * (squares + sum * sum.transpose());
  }
  Inertia inertia;
  inertia.mass = mass;
  inertia.com = first / mass;
  const Mat3 about = second - mass * inertia.com * inertia.com.transpose();
  inertia.I_com = about.trace() * Mat3::Identity() - about;
  return inertia;
}

TEST(TetVolume, WeighsAsTheSumOfItsTetrahedra) {
  for (const TetVolume& volume : {ell(), torus_volume(0.3, 0.1, 12, 7)}) {
    const Inertia expected = sum_over_tets(volume, 700.0);
    const Inertia inertia = solid_inertia(shared_mesh_of(volume), 700.0);
    EXPECT_NEAR(inertia.mass, expected.mass, 1e-12 * expected.mass);
    EXPECT_LT((inertia.com - expected.com).norm(), 1e-12);
    EXPECT_LT((inertia.I_com - expected.I_com).norm(), 1e-12 * expected.I_com.norm());
  }
}

TEST(TetVolume, TetrahedraInEitherOrderHaveTheSameSurface) {
  TetVolume volume = ell();
  const TriangleMesh before = mesh_of_tets(volume);
  for (Tet& tet : volume.tets) std::swap(tet[0], tet[1]);
  MeshReport report, other;
  EXPECT_EQ(mesh_of_tets(volume, &report).triangles, before.triangles);
  inspect(*before.tets, &other);
  EXPECT_GT(other.inverted_tets, 0);
  EXPECT_EQ(report.inverted_tets, int(volume.tets.size()) - other.inverted_tets);
}

TEST(TetVolume, RepairsWhatHasNoMeaning) {
  TetVolume volume = centred_box_volume(Vec3::Ones());
  // A corner there twice, one that is not finite, one that does not exist, and one that nobody has.
  const int twin = int(volume.vertices.size());
  volume.vertices.push_back(volume.vertices[0]);
  volume.vertices.emplace_back(std::numeric_limits<double>::quiet_NaN(), 0, 0);
  volume.vertices.emplace_back(9, 9, 9);
  for (int& v : volume.tets[0])
    if (v == 0) v = twin;
  volume.tets.push_back({0, 1, 2, twin + 1});
  volume.tets.push_back({0, 1, 2, 99});
  volume.tets.push_back({0, 1, twin, 8});
  MeshReport report;
  const TriangleMesh mesh = mesh_of_tets(volume, &report);
  EXPECT_EQ(report.nonfinite_tets, 1);
  EXPECT_EQ(report.out_of_range_tets, 1);
  EXPECT_EQ(report.degenerate_tets, 1);
  EXPECT_EQ(report.welded_vertices, 1);
  EXPECT_EQ(report.unused_vertices, 2);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(signed_volume(mesh), 8.0, 1e-14);
}

TEST(TetVolume, NamesItsDefects) {
  TetVolume flat = centred_box_volume(Vec3::Ones());
  flat.tets.push_back({0, 1, 2, 3});  // a side of the box
  EXPECT_EQ(tet_volume_defect(flat), "has a tetrahedron 12 (0, 1, 2, 3) without volume");
  TetVolume crowded = centred_box_volume(Vec3::Ones());
  crowded.vertices.emplace_back(0.1, 0.2, 0.3);
  const Tet first = crowded.tets[0];
  crowded.tets.push_back({first[1], first[2], 8, 9});  // behind a side that two have already
  EXPECT_NE(tet_volume_defect(crowded).find("that 3 tetrahedra share"), std::string::npos);
  MeshReport report;
  inspect(flat, &report);
  EXPECT_EQ(report.flat_tets, 1);
  inspect(crowded, &report);
  EXPECT_EQ(report.crowded_sides, 1);
  EXPECT_NE(describe(report).find("1 triangles of more than two tetrahedra"), std::string::npos);
  EXPECT_EQ(tet_volume_defect({}), "has no tetrahedra");
  EXPECT_THROW(mesh_of_tets({}), UserError);
}

TEST(TetVolume, MovesAndIsMirroredWithItsSurface) {
  Random random(3);
  for (const double sign : {1.0, -1.0}) {
    const auto q = random.unit_vector<4>();
    const Mat3 A =
        rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])) * Vec3(2.0, sign * 3.0, 0.5).asDiagonal();
    const TriangleMesh before = mesh_of_tets(ell()), mesh = transformed(before, A, Vec3(1, 2, 3));
    EXPECT_NEAR(signed_volume(mesh), 3.0 * std::abs(A.determinant()), 1e-12);
    EXPECT_NEAR(volume_of(*mesh.tets), 3.0 * std::abs(A.determinant()), 1e-12);
    EXPECT_TRUE(is_surface_of(mesh, *mesh.tets));
    EXPECT_FALSE(is_surface_of(before, *mesh.tets));
    // Those in one order stay so.
    MeshReport a, b;
    inspect(*before.tets, &a);
    inspect(*mesh.tets, &b);
    EXPECT_EQ(a.inverted_tets, b.inverted_tets);
  }
}

}  // namespace
}  // namespace stiction
