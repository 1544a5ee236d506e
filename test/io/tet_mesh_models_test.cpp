// Meshes of tetrahedra through every file that has meshes.

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "stiction/base/check.h"
#include "stiction/geometry/field/pressure_field.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/io/mjcf/export/export.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/io/model_json.h"
#include "stiction/io/scene_file/scene_file.h"
#include "stiction/io/urdf/urdf.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"
#include "test/geometry/tet_volumes.h"
#include "test/io/mesh/tet_files.h"

namespace stiction {
namespace {

TetVolume ell() { return cubes_volume({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 1.0); }

// A folder with ell.vtk and ell.msh of edge 1, gone at the end of the test.
class TetFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("stiction_tets_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    write("ell.vtk", vtk_text(ell(), {}));
    write("ell.msh", gmsh_text(ell(), {"4.1", true}));
    write("box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string error_of_scene(const std::string& text) {
    try {
      load_scene_file(write("s.toml", text)).model.tables();
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

const TriangleMesh& mesh_of(const Model& model, const std::string& shape) {
  return *std::get<SharedMesh>(model.shapes[std::size_t(model.shape(shape))].shape);
}

std::string object(const std::string& file, const std::string& more = "") {
  return "[material.soft]\npressure_modulus = 1e6\n[[ground]]\n[[object]]\nname = 'ell'\nshape = "
         "'mesh'\nfile = '" +
         file + "'\nmaterial = 'soft'\n" + more;
}

TEST_F(TetFiles, ASceneFileHasThemWithTheirScale) {
  for (const char* file : {"ell.vtk", "ell.msh"}) {
    SCOPED_TRACE(file);
    const Scene scene = load_scene_file(write("s.toml", object(file, "scale = 0.02\ndensity = 500\n")));
    const TriangleMesh& mesh = mesh_of(scene.model, "ell");
    ASSERT_NE(mesh.tets, nullptr);
    EXPECT_NEAR(volume_of(*mesh.tets), 3.0 * std::pow(0.02, 3), 1e-18);
    EXPECT_TRUE(is_surface_of(mesh, *mesh.tets));
    EXPECT_NEAR(scene.model.forest.bodies[1].inertia.mass, 500.0 * 3.0 * std::pow(0.02, 3), 1e-15);
    // The field of the deepest vertices, the centres of the cubes.
    const CollisionModel& collision = *scene.model.tables().collision;
    ASSERT_TRUE(collision.has_fields);
    for (const CollisionItem& item : collision.items)
      if (item.geometry.kind == ShapeKind::mesh) {
        ASSERT_NE(item.field->tets, nullptr);
        EXPECT_NEAR(item.field->depth, 0.01, 1e-16);
      }
  }
}

TEST_F(TetFiles, ObjectsOfOneFileShareIt) {
  const std::string again = "[[object]]\nname = 'two'\nshape = 'mesh'\nfile = 'ell.vtk'\nmaterial = 'soft'\n";
  const Scene scene = load_scene_file(write("s.toml", object("ell.vtk") + again + "position = [0, 0, 9]\n"));
  EXPECT_EQ(&mesh_of(scene.model, "ell"), &mesh_of(scene.model, "two"));
  const CollisionModel& collision = *scene.model.tables().collision;
  EXPECT_EQ(collision.items[1].field->tets, collision.items[2].field->tets);
  const Scene scaled = load_scene_file(write("s.toml", object("ell.vtk") + again + "scale = 2\n"));
  EXPECT_NE(&mesh_of(scaled.model, "ell"), &mesh_of(scaled.model, "two"));
}

TEST_F(TetFiles, ASceneFileMayStillAskForTheHull) {
  const Scene scene = load_scene_file(write("s.toml", object("ell.vtk", "convex = true\n")));
  const Shape& shape = scene.model.shapes[std::size_t(scene.model.shape("ell"))].shape;
  EXPECT_NEAR(volume(shape), 3.5, 1e-12);  // an L of three cubes and half of the fourth
}

TEST_F(TetFiles, AMeshWithoutThemCannotBeCompliantAndTheErrorSaysWhatToDo) {
  const std::string error = error_of_scene(object("box.obj", "convex = false\n"));
  EXPECT_NE(error.find("shape 'ell'"), std::string::npos) << error;
  EXPECT_NE(
      error.find("read it from a .vtk or Gmsh .msh file with them, or let it collide as its convex hull"),
      std::string::npos)
      << error;
  EXPECT_EQ(error_of_scene(object("box.obj")), "");
  EXPECT_EQ(error_of_scene(object("ell.vtk")), "");
  write("bad.vtk", vtk_text(ell(), {}).substr(0, 300));
  EXPECT_NE(error_of_scene(object("bad.vtk")).find("bad.vtk:"), std::string::npos);
}

TEST_F(TetFiles, TheModelFileKeepsEveryBitOfThem) {
  const Scene scene = load_scene_file(write("s.toml", object("ell.vtk", "scale = 0.1\n")));
  const std::string text = model_to_json(scene.model);
  const Model again = model_from_json(text);
  const TriangleMesh &before = mesh_of(scene.model, "ell"), &after = mesh_of(again, "ell");
  EXPECT_EQ(after.vertices, before.vertices);
  EXPECT_EQ(after.triangles, before.triangles);
  EXPECT_EQ(after.tets->vertices, before.tets->vertices);
  EXPECT_EQ(after.tets->tets, before.tets->tets);
  EXPECT_EQ(model_to_json(again), text);
  // What is written of a mesh without them is as before.
  const Scene other =
      load_scene_file(write("o.toml", "[[object]]\nname='b'\nshape='mesh'\nfile='box.obj'\nconvex=false\n"));
  EXPECT_EQ(model_to_json(other.model).find("\"tets\""), std::string::npos);
}

TEST_F(TetFiles, AModelFileWhoseTetrahedraAreOthersIsRefused) {
  const Scene scene = load_scene_file(write("s.toml", object("ell.vtk")));
  const std::string text = model_to_json(scene.model);
  const auto error_of = [&](const std::string& from, const std::string& to) -> std::string {
    std::string broken = text;
    const std::size_t tets = broken.find("\"tets\""), place = broken.find(from, tets);
    if (place == std::string::npos) return "not found";
    broken.replace(place, from.size(), to);
    try {
      model_from_json(broken);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(error_of("[0.0,0.0,0.0]", "[-1.0,0.0,0.0]").find("are not the surface of its tetrahedra"),
            std::string::npos);
  EXPECT_NE(error_of("\"tets\": [[", "\"tets\": [[99,0,1,2],[").find("not sound"), std::string::npos);
  EXPECT_NE(error_of("\"tets\": [[", "\"tets\": [[0,1,2],[").find("has 3 elements, not 4"),
            std::string::npos);
}

const std::string kInertial =
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

std::string robot(const std::string& mesh, const std::string& properties) {
  return "<robot name='r'><link name='base'>" + kInertial + "<collision name='c'><geometry>" + mesh +
         "</geometry>" + properties + "</collision></link></robot>";
}
const std::string kCompliant =
    "<drake:proximity_properties><drake:compliant_hydroelastic/><drake:hydroelastic_modulus value='2e6'/>"
    "</drake:proximity_properties>";

TEST_F(TetFiles, AUrdfTakesThemAsDrakeDoes) {
  CompatibilityReport report;
  const Model model = load_urdf(
      write("r.urdf", robot("<mesh filename='ell.vtk' scale='0.1 0.2 -0.1'/>", kCompliant)), {}, &report);
  const TriangleMesh& mesh = mesh_of(model, "c");
  ASSERT_NE(mesh.tets, nullptr);
  EXPECT_NEAR(volume_of(*mesh.tets), 3.0 * 0.002, 1e-15);
  EXPECT_NEAR(signed_volume(mesh), 3.0 * 0.002, 1e-15);
  EXPECT_EQ(model.shapes[0].contact.pressure_modulus, 2e6);
  EXPECT_TRUE(model.tables().collision->has_fields);
  for (const CompatibilityEntry& entry : report.entries)
    EXPECT_FALSE(entry.element == "mesh" && entry.status != Compatibility::honoured) << entry.attribute;
}

TEST_F(TetFiles, AUrdfMayDeclareThemConvex) {
  const Model model = load_urdf(
      write("r.urdf", robot("<mesh filename='ell.vtk'><drake:declare_convex/></mesh>", kCompliant)));
  EXPECT_NEAR(volume(model.shapes[0].shape), 3.5, 1e-12);
}

TEST_F(TetFiles, MjcfTakesAndKeepsTheSurface) {
  const Scene scene = load_scene_file(write("s.toml", object("ell.vtk", "scale = 0.1\n")));
  MjcfExportReport report;
  const std::string text = write_mjcf(scene.model, &report);
  EXPECT_NE(to_text(report).find("the tetrahedra of the mesh: its surface is written"), std::string::npos)
      << to_text(report);
  EXPECT_NE(to_text(report).find("MuJoCo has no pressure fields"), std::string::npos);
  // A colliding mesh is its hull there, a visual one its surface.
  CompatibilityReport loaded;
  const Model model =
      load_mjcf(write("m.xml",
                      "<mujoco><asset><mesh name='e' file='ell.vtk'/></asset><worldbody><geom name='shown' "
                      "type='mesh' mesh='e' "
                      "contype='0' conaffinity='0'/></worldbody></mujoco>"),
                {}, &loaded);
  EXPECT_EQ(mesh_of(model, "shown").tets, nullptr);
  EXPECT_NEAR(signed_volume(mesh_of(model, "shown")), 3.0, 1e-12);
}

TEST_F(TetFiles, ASceneOfThemRuns) {
  const Scene scene =
      load_scene_file(write("s.toml", object("ell.vtk", "scale = 0.05\nposition = [0, 0, 0.001]\n")));
  World world(scene.model, scene.options);
  world.simulate(0.2);
  EXPECT_FALSE(world.record().collision.pressure_points.empty());
  EXPECT_GT(world.body_pose("ell").p.z(), -0.005);
}

}  // namespace
}  // namespace stiction
