#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "stiction/base/check.h"
#include "stiction/base/format.h"
#include "stiction/base/parallel.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/io/mjcf/mjcf.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

// A folder with tetrahedra of 1 to 9 m in files 1.obj to 9.obj; gone at the end.
class Tetrahedra {
 public:
  Tetrahedra() : path_(fs::temp_directory_path() / ("stiction_mjcf_assets_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
    for (int i = 1; i <= 9; ++i)
      std::ofstream(path_ / (std::to_string(i) + ".obj"))
          << "v 0 0 0\nv " << i << " 0 0\nv 0 " << i << " 0\nv 0 0 " << i << "\n"
          << "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  }
  ~Tetrahedra() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Tetrahedra(const Tetrahedra&) = delete;
  Tetrahedra& operator=(const Tetrahedra&) = delete;

  const fs::path& path() const { return path_; }

  Model load(const std::string& assets, const std::string& geoms) const {
    return parse_mjcf("<mujoco><asset>" + assets + "</asset><worldbody>" + geoms + "</worldbody></mujoco>",
                      path_ / "model.xml");
  }

 private:
  fs::path path_;
};

const ConvexHull& hull_of(const Model& model, std::size_t shape) {
  return *std::get<SharedHull>(model.shapes[shape].shape);
}

Model load_all(const Tetrahedra& files) {
  std::string assets, geoms;
  for (int i = 1; i <= 9; ++i) {
    assets += format("<mesh file='{}.obj'/>", i);
    geoms += format("<geom type='mesh' mesh='{}'/>", i);
  }
  return files.load(assets, geoms);
}

TEST(MjcfAssets, EveryHullIsThatOfItsOwnFileOnAnyNumberOfThreads) {
  const Tetrahedra files;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const Model model = load_all(files);
    set_thread_count(1);
    ASSERT_EQ(model.shapes.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) {
      const double size = double(i) + 1.0;
      EXPECT_EQ(bounding_box(hull_of(model, i).vertices).max(), Vec3::Constant(size)) << threads;
      EXPECT_EQ(hull_of(model, i).faces.size(), 4u);
    }
  }
}

TEST(MjcfAssets, AFileMayServeMeshesOfDifferentScales) {
  const Tetrahedra files;
  const Model model = files.load("<mesh name='a' file='1.obj'/><mesh name='b' file='1.obj' scale='2 3 4'/>",
                                 "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='b'/>");
  EXPECT_EQ(bounding_box(hull_of(model, 0).vertices).max(), Vec3(1, 1, 1));
  EXPECT_EQ(bounding_box(hull_of(model, 1).vertices).max(), Vec3(2, 3, 4));
}

TEST(MjcfAssets, GeomsThatCollideShareOneHull) {
  const Tetrahedra files;
  const Model model = files.load("<mesh name='a' file='1.obj'/>",
                                 "<geom type='mesh' mesh='a'/><geom type='mesh' mesh='a' pos='9 0 0'/>");
  EXPECT_EQ(std::get<SharedHull>(model.shapes[0].shape), std::get<SharedHull>(model.shapes[1].shape));
}

// What loading throws.
std::string error_of(const Tetrahedra& files, const std::string& assets, const std::string& geoms) {
  try {
    files.load(assets, geoms);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MjcfAssets, AMissingFileIsAnErrorAtItsMeshOnAnyNumberOfThreads) {
  const Tetrahedra files;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const std::string error = error_of(files, "<mesh file='1.obj'/><mesh file='gone.obj'/>",
                                       "<geom type='mesh' mesh='1'/><geom type='mesh' mesh='gone'/>");
    set_thread_count(1);
    EXPECT_NE(error.find("element <mesh>: attribute 'file'"), std::string::npos) << error;
    EXPECT_NE(error.find("gone.obj"), std::string::npos) << error;
  }
}

TEST(MjcfAssets, AFileThatNoGeomUsesIsNotRead) {
  const Tetrahedra files;
  EXPECT_EQ(error_of(files, "<mesh file='gone.obj'/>", "<geom size='1'/>"), "no error");
}

TEST(MjcfAssets, AHullOfAFlatMeshIsAnErrorAtItsMesh) {
  const Tetrahedra files;
  std::ofstream(files.path() / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n";
  const std::string error = error_of(files, "<mesh file='flat.obj'/>", "<geom type='mesh' mesh='flat'/>");
  EXPECT_NE(error.find("element <mesh>"), std::string::npos) << error;
  EXPECT_NE(error.find("span no volume"), std::string::npos) << error;
}

}  // namespace
}  // namespace stiction
