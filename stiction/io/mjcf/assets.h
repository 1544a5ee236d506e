#pragma once
// Meshes, height fields, materials and textures of an MJCF model. Meshes are read when something needs them,
// and every file once.
//
// The work on meshes is most of the time that loading a robot takes, and it is done on all threads: before
// the bodies are read read_ahead() reads the files, and after them make_hulls() makes the hulls.

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/io/mjcf/values.h"

namespace stiction {

class MjcfAssets {
 public:
  // Takes an element of an asset section in; its materials and textures go to `elements`.
  void add(const MjcfElement& element, const MjcfOptions& options, Elements* elements);

  // Reads the files of the meshes that geoms in these elements name. One that cannot be read fails later,
  // when it is asked for.
  void read_ahead(const std::vector<const MjcfElement*>& worlds);
  // Fills in the hulls that have been asked for.
  void make_hulls();

  // The surface, its convex hull and its inertia at unit density, all in the frame of the file after
  // scale, refpos and refquat. `asked_by` has the attribute that names it.
  SharedMesh surface(const std::string& name, const MjcfValues& asked_by);
  // The hull is empty until make_hulls().
  SharedHull hull(const std::string& name, const MjcfValues& asked_by);
  const Inertia& unit_inertia(const std::string& name, const MjcfValues& asked_by);
  SharedHeightField height_field(const std::string& name, const MjcfValues& asked_by);
  // Whether a plugin makes its surface, so that we do not have it.
  bool is_made_by_plugin(const std::string& name, const MjcfValues& asked_by);
  // Checks that there is one, and marks it as not needed.
  void skip_mesh(const std::string& name, const MjcfValues& asked_by, std::string_view why);

  // Reports the meshes that nothing asked for as not read.
  void report_unused() const;

 private:
  struct Mesh {
    MjcfValues values;
    MeshInertia mode = MeshInertia::legacy;
    bool used = false;
    SharedMesh surface = nullptr;
    std::shared_ptr<ConvexHull> hull = nullptr;
    std::shared_ptr<const Inertia> unit_inertia = nullptr;
  };
  struct Field {
    MjcfValues values;
    SharedHeightField field = nullptr;
  };

  Mesh& find_mesh(const std::string& name, const MjcfValues& asked_by);
  void add_mesh(const MjcfElement& element);
  TriangleMesh read_surface(const Mesh& mesh) const;
  HullOptions hull_options(const Mesh& mesh) const;
  const MjcfOptions* options_ = nullptr;
  std::map<std::string, Mesh> meshes_;
  std::map<std::filesystem::path, SharedMesh> files_;  // read ahead
  std::map<std::string, Field> fields_;
};

// Where a file of an asset is, folder being compiler's meshdir or texturedir: below it or, if there is no
// such file, in the folder of the included file that names it.
std::filesystem::path asset_path(const MjcfElement& element, const std::string& folder,
                                 const std::string& file);

}  // namespace stiction
