#pragma once
// The scenes of the race with pressure fields, and how Drake is told of them.

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "stiction/geometry/shape/tet_volume.h"
#include "stiction/simulation/model/model.h"

namespace stiction::race {

inline constexpr double kDefaultHint = 0.02;  // m, of Drake's parser and of its examples

// How Drake makes a shape.
struct DrakeMesh {
  double hint = kDefaultHint;  // m, the resolution of its mesh
  std::string file;            // of a mesh
};

struct FieldScene {
  std::string name;
  Model model;
  double h, duration;                           // s
  double goal, cenic_goal;                      // of the ratios of a step
  nlohmann::json grip = {};                     // of a gripper, see drake_fields.py
  std::map<std::string, DrakeMesh> drake = {};  // by the name of a shape; all others: the default hint
};

inline constexpr const char* kFieldScenes[] = {"clutter", "bubble_gripper", "ring_in_bowl"};

// One of the names above. folder: for the files of tetrahedra that both sides read.
FieldScene field_scene(const std::string& name, const std::string& folder);

ContactMaterial field_material(double modulus, double dissipation);  // modulus 0: rigid

// A ring (torus) around z: `around` segments of a circle of the large radius; its sections have a vertex in the middle and
// `across` corners on each of `layers` circles up to the small radius. Prisms of three tetrahedra.
TetVolume ring_volume(double large, double small, int around, int across, int layers);
// What is between two spheres around the origin, below the plane z = -inner cos(angle): a bowl with its hole upwards.
TetVolume bowl_volume(double inner, double outer, double angle, int around, int rings);
// A legacy VTK file, ASCII, with all digits.
void write_vtk(const TetVolume& volume, const std::string& file);

// Of all shapes that drake_fields.py makes: the fixed ones, then body by body. Indices in Model::shapes.
std::vector<int> shapes_in_order(const Model& model);
// A shape at a pose, as drake_fields.py reads it.
nlohmann::json shape_json(const Shape& shape, const Pose& X, const ContactMaterial& material,
                          const DrakeMesh& drake);
nlohmann::json scene_json(const FieldScene& scene, const char* law, double most_s);

}  // namespace stiction::race
