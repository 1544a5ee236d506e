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
#include "stiction/io/mesh/mesh_file.h"

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

std::shared_ptr<TriangleMesh> make_mesh(const MatX& vertices, const MatX& triangles) {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices = points_from(vertices);
  STICTION_USER_CHECK(triangles.cols() == 3, "triangles have 3 vertices each, not {}", triangles.cols());
  for (Eigen::Index i = 0; i < triangles.rows(); ++i) {
    Triangle corners;
    for (int k = 0; k < 3; ++k) {
      const double corner = triangles(i, k);
      STICTION_USER_CHECK(corner >= 0.0 && corner < static_cast<double>(mesh->vertices.size()) &&
                              corner == static_cast<double>(static_cast<int>(corner)),
                          "triangle {} has the vertex {}, but there are {}", i, corner,
                          mesh->vertices.size());
      corners[static_cast<std::size_t>(k)] = static_cast<int>(corner);
    }
    mesh->triangles.push_back(corners);
  }
  const std::string defect = mesh_defect(*mesh);
  STICTION_USER_CHECK(defect.empty(), "{}", defect);
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
      .def(nb::new_(&make_mesh), "vertices"_a, "triangles"_a,
           "Vertices (n, 3) in m; triangles (k, 3) of their "
           "numbers.")
      .def_prop_ro("vertices", &vertices_of<TriangleMesh>, "(n, 3), m; a view.")
      .def_prop_ro("triangles", &triangles_of<TriangleMesh>, "(k, 3), numbers of vertices; a view.")
      .def_prop_ro("volume", &signed_volume, "m^3; negative: inside out.")
      .def(
          "__reduce__",
          [](nb::handle self) {
            return nb::make_tuple(self.type(), nb::make_tuple(self.attr("vertices"), self.attr("triangles")));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  m.def(
      "read_mesh",
      [](const std::filesystem::path& file) { return std::make_shared<TriangleMesh>(read_mesh(file)); },
      "file"_a,
      "Reads and repairs a mesh file: OBJ, STL, MSH or DAE; numbers stay as they are in the file (m).");
  nb::class_<ConvexHull>(m, "ConvexHull", "The convex hull of points; convex_hull() makes one.")
      .def_prop_ro("vertices", &vertices_of<ConvexHull>, "(n, 3), m; a view.")
      .def_prop_ro("triangles", &triangles_of<ConvexHull>, "(k, 3), numbers of vertices; a view.")
      .def_prop_ro(
          "num_faces", [](const ConvexHull& self) { return self.faces.size(); }, "Number of polygons.")
      .def(
          "__reduce__",
          [](nb::handle self) {
            return nb::make_tuple(nb::module_::import_("stiction._core").attr("convex_hull"),
                                  nb::make_tuple(self.attr("vertices")));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
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
  nb::class_<HeightField>(m, "HeightField", "Terrain: heights on a grid; height_field() makes one.")
      .def_ro("rows", &HeightField::rows, "Points along y.")
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
