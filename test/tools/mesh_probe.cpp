// Answers questions about mesh files in JSON, for comparison with other engines.
//
//   {"file": "base.stl", "single_precision": false, "modes": ["exact", ...], "repeat": 1}
//     -> counts, repairs, for every mode the mass properties at unit density (or why there are none), the
//        hull's counts, and the shortest times of reading and of the hull in seconds
//
// "single_precision" rounds the vertices first, for engines that store them in single precision.

#include <algorithm>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/base/timer.h"
#include "stiction/geometry/shape/mass_properties.h"
#include "stiction/io/mesh/mesh_file.h"
#include "stiction/math/single_precision.h"
#include "test/tools/probe.h"

namespace stiction {
namespace {

using nlohmann::json;

MeshInertia mode_of(const std::string& name) {
  for (MeshInertia mode :
       {MeshInertia::exact, MeshInertia::legacy, MeshInertia::convex, MeshInertia::shell}) {
    if (name == name_of(mode)) return mode;
  }
  throw_user_error("no such mode: " + name);
}

json describe_inertia(const TriangleMesh& mesh, MeshInertia mode) {
  try {
    const Inertia unit = unit_density_inertia(mesh, mode);
    const Mat3& I = unit.I_com;
    return {
        {"content", unit.mass},
        {"com", {unit.com.x(), unit.com.y(), unit.com.z()}},
        {"inertia", {{I(0, 0), I(0, 1), I(0, 2)}, {I(1, 0), I(1, 1), I(1, 2)}, {I(2, 0), I(2, 1), I(2, 2)}}}};
  } catch (const UserError& error) {
    return {{"error", error.what()}};
  }
}

json describe_hull(const TriangleMesh& mesh) {
  try {
    const Stopwatch watch;
    const ConvexHull hull = convex_hull(mesh.vertices);
    return {{"seconds", watch.seconds()},         {"vertices", hull.vertices.size()},
            {"triangles", hull.triangles.size()}, {"faces", hull.faces.size()},
            {"edges", hull.edges.size()},         {"corners", hull.corners.size()}};
  } catch (const UserError& error) {
    return {{"error", error.what()}};
  }
}

json answer(const json& question) {
  MeshReport report;
  TriangleMesh mesh;
  double read_seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < question.value("repeat", 1); ++i) {
    const Stopwatch watch;
    mesh = read_mesh(question.at("file").get<std::string>(), &report);
    read_seconds = std::min(read_seconds, watch.seconds());
  }
  if (question.value("single_precision", false)) {
    for (Vec3& p : mesh.vertices) p = rounded_to_single(p);
  }
  json modes = json::object();
  for (const std::string name : question.at("modes")) modes[name] = describe_inertia(mesh, mode_of(name));
  return {{"vertices", mesh.vertices.size()},
          {"triangles", mesh.triangles.size()},
          {"watertight", report.is_watertight()},
          {"report", describe(report)},
          {"read_seconds", read_seconds},
          {"hull", describe_hull(mesh)},
          {"modes", modes}};
}

}  // namespace
}  // namespace stiction

int main() {
  return stiction::answer_question([](const nlohmann::json& questions) {
    nlohmann::json answers = nlohmann::json::array();
    for (const nlohmann::json& question : questions) answers.push_back(stiction::answer(question));
    return answers;
  });
}
