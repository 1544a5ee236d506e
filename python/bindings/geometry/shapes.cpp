// Shapes, meshes, hulls and terrains.

#include <filesystem>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/fields.h"
#include "python/bindings/paths.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/geometry/shape/tet_volume.h"
#include "stiction/io/mesh/mesh_file.h"
#include "stiction/io/model_json.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

std::vector<Vec3> points_from(const MatX& rows) {
  STICTION_USER_CHECK(rows.cols() == 3 || rows.size() == 0, "points have 3 numbers each, not {}",
                      rows.cols());
  std::vector<Vec3> points(static_cast<std::size_t>(rows.rows()));
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    points[static_cast<std::size_t>(i)] = rows.row(i).transpose();
  return points;
}

// Rows of numbers of vertices, of which there are `count`.
template <std::size_t N>
std::vector<std::array<int, N>> corners_from(const MatX& rows, std::size_t count, const char* what) {
  STICTION_USER_CHECK(rows.cols() == static_cast<Eigen::Index>(N), "a {} has {} vertices, not {}", what, N,
                      rows.cols());
  std::vector<std::array<int, N>> all(static_cast<std::size_t>(rows.rows()));
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (std::size_t k = 0; k < N; ++k) {
      const double corner = rows(i, static_cast<Eigen::Index>(k));
      STICTION_USER_CHECK(corner >= 0.0 && corner < static_cast<double>(count) &&
                              corner == static_cast<double>(static_cast<int>(corner)),
                          "{} {} has the vertex {}, but there are {}", what, i, corner, count);
      all[static_cast<std::size_t>(i)][k] = static_cast<int>(corner);
    }
  }
  return all;
}

std::shared_ptr<TriangleMesh> make_tet_mesh(const MatX& vertices, const MatX& tets) {
  TetVolume volume;
  volume.vertices = points_from(vertices);
  volume.tets = corners_from<4>(tets, volume.vertices.size(), "tetrahedron");
  return std::make_shared<TriangleMesh>(mesh_of_tets(std::move(volume)));
}

// With tetrahedra if they are given: as a mesh that was pickled.
std::shared_ptr<TriangleMesh> make_mesh(const MatX& vertices, const MatX& triangles, const MatX& tet_vertices,
                                        const MatX& tets) {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices = points_from(vertices);
  mesh->triangles = corners_from<3>(triangles, mesh->vertices.size(), "triangle");
  const std::string defect = mesh_defect(*mesh);
  STICTION_USER_CHECK(defect.empty(), "{}", defect);
  if (tets.rows() == 0) return mesh;
  TetVolume volume;
  volume.vertices = points_from(tet_vertices);
  volume.tets = corners_from<4>(tets, volume.vertices.size(), "tetrahedron");
  STICTION_USER_CHECK(is_surface_of(*mesh, volume),
                      "the triangles are not the surface of the tetrahedra; tet_mesh() makes it");
  mesh->tets = std::make_shared<const TetVolume>(std::move(volume));
  return mesh;
}

template <class Mesh>
ReadOnlyArray vertices_of(nb::handle self) {
  const Mesh& mesh = nb::cast<const Mesh&>(self);
  return read_only(mesh.vertices.empty() ? nullptr : mesh.vertices[0].data(), {mesh.vertices.size(), 3},
                   self);
}

template <class Mesh>
IntArray triangles_of(nb::handle self) {
  const Mesh& mesh = nb::cast<const Mesh&>(self);
  return IntArray(mesh.triangles.empty() ? nullptr : mesh.triangles[0].data(), {mesh.triangles.size(), 3},
                  self);
}

IntArray tets_of_mesh(nb::handle self) {
  const TriangleMesh& mesh = nb::cast<const TriangleMesh&>(self);
  const bool has_tets = mesh.tets != nullptr && !mesh.tets->tets.empty();
  return IntArray(has_tets ? mesh.tets->tets[0].data() : nullptr, {has_tets ? mesh.tets->tets.size() : 0, 4},
                  self);
}

ReadOnlyArray tet_vertices_of(nb::handle self) {
  const TriangleMesh& mesh = nb::cast<const TriangleMesh&>(self);
  const bool has_tets = mesh.tets != nullptr && !mesh.tets->tets.empty();
  return read_only(has_tets ? mesh.tets->vertices[0].data() : nullptr,
                   {has_tets ? mesh.tets->vertices.size() : 0, 3}, self);
}

// Pickled, and so copied, with every member, as in the JSON of models.
template <class T>
void pickle_as_json(nb::class_<T>* c) {
  using Shared = std::shared_ptr<const T>;
  c->def("__getstate__", [](const T& self) { return shape_to_json(Shared(std::shared_ptr<void>(), &self)); });
  c->def("__setstate__", [](T& self, const std::string& text) {
    const Shape shape = shape_from_json(text);
    STICTION_USER_CHECK(std::holds_alternative<Shared>(shape), "this is the state of a {}", name_of(shape));
    new (&self) T(*std::get<Shared>(shape));
  });
}

void bind_closed_forms(nb::module_& m) {
  Fields<Sphere>(m, "Sphere", "A ball about the origin of its frame.")
      .field("radius", &Sphere::radius, "m.")
      .done(true);
  Fields<Box>(m, "Box", "A box about the origin of its frame.")
      .field("half_extents", &Box::half_extents, "Half its edges, m.")
      .done(true);
  Fields<Cylinder>(m, "Cylinder", "A cylinder along z about the origin of its frame.")
      .field("radius", &Cylinder::radius, "m.")
      .field("length", &Cylinder::length, "m.")
      .done(true);
  Fields<Capsule>(m, "Capsule", "A cylinder along z with round caps.")
      .field("radius", &Capsule::radius, "m.")
      .field("length", &Capsule::length, "Without the caps, m.")
      .done(true);
  Fields<Ellipsoid>(m, "Ellipsoid", "An ellipsoid about the origin of its frame.")
      .field("radii", &Ellipsoid::radii, "m.")
      .done(true);
  Fields<HalfSpace>(m, "HalfSpace", "Everything below z = 0 of its frame.").done(true);
  Fields<Superellipsoid>(m, "Superellipsoid",
                         "(|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) <= 1 with radii (a, b, c).")
      .field("radii", &Superellipsoid::radii, "m.")
      .field("e1", &Superellipsoid::e1, "From 0.1 to 1.")
      .field("e2", &Superellipsoid::e2, "From 0.1 to 1.")
      .done(true);
}

void bind_meshes(nb::module_& m) {
  nb::class_<TriangleMesh>(m, "TriangleMesh", "A surface of triangles, counter-clockwise seen from outside.")
      .def(nb::new_(&make_mesh), "vertices"_a, "triangles"_a, "tet_vertices"_a = MatX(0, 3),
           "tets"_a = MatX(0, 4),
           "Vertices (n, 3) in m; triangles (k, 3) of their numbers; tetrahedra that they bound, if any.")
      .def_prop_ro("vertices", &vertices_of<TriangleMesh>, "(n, 3), m; a view.")
      .def_prop_ro("triangles", &triangles_of<TriangleMesh>, "(k, 3), numbers of vertices; a view.")
      .def_prop_ro("volume", &signed_volume, "m^3; negative: inside out.")
      .def_prop_ro(
          "tets", &tets_of_mesh,
          "(m, 4), the tetrahedra that the surface bounds, as numbers of tet_vertices; none (0, 4) of a "
          "surface alone; a view.")
      .def_prop_ro("tet_vertices", &tet_vertices_of, "(n, 3), m, inner ones among them; a view.")
      .def(
          "__reduce__",
          [](nb::handle self) {
            return nb::make_tuple(self.type(), nb::make_tuple(self.attr("vertices"), self.attr("triangles"),
                                                              self.attr("tet_vertices"), self.attr("tets")));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  m.def(
      "read_mesh",
      [](const std::filesystem::path& file) { return std::make_shared<TriangleMesh>(read_mesh(file)); },
      "file"_a,
      "Reads and repairs a mesh file: OBJ, STL, MSH, or tetrahedra from VTK or Gmsh's MSH; numbers stay as "
      "they are in the file (m).");
  m.def("tet_mesh", &make_tet_mesh, "vertices"_a, "tets"_a,
        "The surface of tetrahedra, with them: vertices (n, 3) in m, tets (k, 4) of their numbers in either "
        "order. With a material that has a pressure_modulus such a mesh is compliant.");
  nb::class_<ConvexHull> hull(m, "ConvexHull", "The convex hull of points; convex_hull() makes one.");
  hull.def_prop_ro("vertices", &vertices_of<ConvexHull>, "(n, 3), m; a view.")
      .def_prop_ro("triangles", &triangles_of<ConvexHull>, "(k, 3), numbers of vertices; a view.")
      .def_prop_ro(
          "num_faces", [](const ConvexHull& self) { return self.faces.size(); }, "Number of polygons.");
  pickle_as_json(&hull);
  m.def(
      "convex_hull",
      [](const MatX& points, int max_vertices) {
        STICTION_USER_CHECK(max_vertices == 0 || max_vertices >= 4,
                            "a hull has at least 4 vertices (0: no limit), not {}", max_vertices);
        HullOptions options;
        options.max_vertices = max_vertices;
        return std::make_shared<ConvexHull>(convex_hull(points_from(points), options));
      },
      "points"_a, "max_vertices"_a = 0, "The hull of points (n, 3), m; max_vertices 0: no limit.");
  nb::class_<HeightField> terrain(m, "HeightField", "Terrain: heights on a grid; height_field() makes one.");
  terrain.def_ro("rows", &HeightField::rows, "Points along y.")
      .def_ro("cols", &HeightField::cols, "Points along x.")
      .def_prop_ro(
          "heights",
          [](nb::handle self) {
            const HeightField& field = nb::cast<const HeightField&>(self);
            return read_only(field.heights.data(),
                             {static_cast<std::size_t>(field.rows), static_cast<std::size_t>(field.cols)},
                             self);
          },
          "(rows, cols), m; row 0 lies at y = -radius_y; a view.");
  pickle_as_json(&terrain);
  m.def(
      "height_field",
      [](const MatX& picture, double radius_x, double radius_y, double elevation, double base) {
        std::vector<double> numbers;
        for (Eigen::Index r = 0; r < picture.rows(); ++r)
          for (Eigen::Index c = 0; c < picture.cols(); ++c) numbers.push_back(picture(r, c));
        return std::make_shared<HeightField>(height_field(static_cast<int>(picture.rows()),
                                                          static_cast<int>(picture.cols()), numbers,
                                                          {radius_x, radius_y, elevation, base}));
      },
      "picture"_a, "radius_x"_a, "radius_y"_a, "elevation"_a, "base"_a,
      "Heights from any numbers (rows, cols), scaled to [0, elevation]; the first row lies at y = +radius_y. "
      "All "
      "sizes in m.");
}

}  // namespace

void bind_shapes(nb::module_& m) {
  bind_closed_forms(m);
  bind_meshes(m);
  m.def("volume", nb::overload_cast<const Shape&>(&volume), "shape"_a, "m^3; infinite for a half-space.");
  m.def(
      "solid_inertia",
      [](const Shape& shape, double density) {
        const std::string defect = shape_defect(shape);
        STICTION_USER_CHECK(defect.empty(), "{}", defect);
        return solid_inertia(shape, density);
      },
      "shape"_a, "density"_a, "Mass properties of a shape filled with a density (kg/m^3), in its frame.");
}

}  // namespace stiction::python
