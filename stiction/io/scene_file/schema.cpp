#include "stiction/io/scene_file/schema.h"

#include "stiction/base/format.h"

namespace stiction {

const std::vector<SceneSection>& scene_sections() {
  static const std::vector<SceneSection> sections = {
      {"", "the file itself", "What stands before the first section."},
      {"simulation", "[simulation]", "How long, in which steps, under which gravity."},
      {"contact", "[contact]", "How contact is modelled and solved (contact.md)."},
      {"material", "[material.NAME]",
       "What surfaces are made of; a number that is not given has the default of a pair (contact.md)."},
      {"model", "[[model]]", "A robot or anything else from a model file."},
      {"ground", "[[ground]]", "A half-space that does not move: all below its plane is solid."},
      {"object", "[[object]]", "A body of one shape that moves freely, or a shape fixed to the world."},
      {"assign", "[[assign]]",
       "Gives shapes a material; later sections win over earlier ones and over what objects say."},
      {"pair", "[[pair]]", "What counts between shapes whatever their materials say."},
      {"drive", "[[drive]]", "A motor or servo for every joint of a name."},
      {"setpoint", "[[setpoint]]",
       "What actuators are told over time: a signal. Those of one actuator add up."},
      {"disturbance", "[[disturbance]]", "A wrench on a body over time: force and moment times a signal."},
      {"sine", "sine = { ... }", "A signal a sin(2 pi (t - from)/period + phase) + offset."},
      {"start", "[start]", "Where the simulation starts."},
      {"sensor", "[[sensor]]", "A sensor beside those of the model files (sensors.md)."},
      {"record", "[record]", "Which sensors `stiction run --sensors FILE` writes."},
  };
  return sections;
}

namespace {

constexpr const char* kPattern = "pattern";  // of names: '*' any letters, '?' one
constexpr const char* kNeeded = "needed";

std::vector<SceneKey> make_keys() {
  std::vector<SceneKey> keys = {
      {"", "name", "text", "", "that of the file", "Name of the model."},

      {"simulation", "time", "number", "s", "5", "Time to simulate, unless the command line says otherwise."},
      {"simulation", "step", "number", "s", "the model file's, or 0.002", "Step size."},
      {"simulation", "scheme", "text", "", "semi_implicit_euler", "Time stepping scheme (schemes.md)."},
      {"simulation", "threads", "whole number", "", "1",
       "Threads; 0: one per core. Bits do not depend on it."},
      {"simulation", "seed", "whole number", "", "none", "Seed of the noise of sensors; none: no noise."},
      {"simulation", "relaxation_time", "number", "s", "the model's, or 0.05",
       "In which joints outside their limits and open loops return (constraints.md)."},
      {"simulation", "gravity", "3 numbers", "m/s^2", "the model file's, or [0, 0, -9.81]", "Gravity."},

      {"contact", "formulation", "text", "", "icf_lagged+newton", "`law+solver`, or a law alone."},
      {"contact", "elasticity", "text", "", "linear",
       "`linear`, `hertz`, `log_barrier`, `ipc_barrier` or `table` (as linear); compliant laws."},
      {"contact", "dissipation", "text", "", "hunt_crossley",
       "`none`, `kelvin_voigt` or `hunt_crossley`; compliant laws."},
      {"contact", "stiction_tolerance", "number", "m/s", "1e-4", "Slip at rest under load; compliant laws."},
      {"contact", "sigma", "number", "", "1e-3",
       "Tangential regularisation of sap, of icf_lagged in impacts."},
      {"contact", "beta", "number", "", "1", "Near-rigid limit of sap."},
      {"contact", "stiffness_step", "number", "s", "the step",
       "Step that the stiffness of pairs without a given one is made for (contact.md)."},
      {"contact", "tolerance", "number", "", "1e-6",
       "Relative tolerance of the solver; 1e-10 under the geometric laws."},
      {"contact", "absolute_tolerance", "number", "N, m/s^2", "0",
       "In its place, if not 0, for solvers of impulses: largest error of a contact (contact.md)."},
      {"contact", "max_iterations", "whole number", "", "1000",
       "Most iterations of an island; 40 under the geometric laws."},
      {"contact", "minimum_norm", "true or false", "", "false",
       "No internal forces between points that stick (contact.md); solvers of impulses."},
      {"contact", "facets", "whole number", "", "4",
       "Facets of the friction pyramid (pyramid_lcp); even, 4 or more."},
      {"contact", "inscribed", "true or false", "", "false", "The pyramid lies within the cone."},
      {"contact", "penetration_recovery", "number", "", "0.2",
       "Share of an overlap that a step takes back; rigid laws."},
      {"contact", "fastest_recovery", "number", "m/s", "0.5", "Its largest speed; rigid laws."},
      {"contact", "restitution_speed", "number", "m/s", "0.05", "Slower impacts do not bounce; rigid laws."},
      {"contact", "normal_compliance", "number", "1/kg", "0", "R of the normal row; rigid laws."},
      {"contact", "tangential_compliance", "number", "1/kg", "0", "R of the tangential rows; rigid laws."},
      {"contact", "impedance", "number", "", "0.95",
       "d of MuJoCo's rule where a pair has no solimp of a file; newton_mujoco."},
      {"contact", "material_compliance", "true or false", "", "false",
       "Points yield by the stiffness and the relaxation time of their material; rigid laws."},

      {"material", "stiffness", "number", "N/m", "1e6", "Linear elasticity."},
      {"material", "force_table", "list of [m, N]", "", "none",
       "In place of the stiffness: overlaps and normal forces, from [0, 0] on, both ascending."},
      {"material", "modulus", "number", "Pa", "from the stiffness", "Young's modulus, for Hertz's law."},
      {"material", "barrier_stiffness", "number", "N/m", "the stiffness", "kappa of ipc_barrier."},
      {"material", "barrier_energy", "number", "J", "from the stiffness", "kappa of log_barrier."},
      {"material", "barrier_distance", "number", "m", "1e-3", "Where a barrier begins."},
      {"material", "dissipation", "number", "s/m", "50", "Hunt & Crossley's d."},
      {"material", "relaxation_time", "number", "s", "one step", "Kelvin-Voigt dissipation (sap)."},
      {"material", "friction", "number", "", "0.5",
       "Coulomb's mu at rest and in motion; the same as static_friction alone."},
      {"material", "static_friction", "number", "", "0.5", "mu at rest."},
      {"material", "dynamic_friction", "number", "", "that at rest", "mu in motion."},
      {"material", "anisotropy_ratio", "number", "", "1",
       "Friction across the friction direction over that along it."},
      {"material", "friction_direction", "3 numbers", "", "[1, 0, 0]",
       "Direction of the surface that friction depends on (a grain, grooves), in the axes of the shape."},
      {"material", "torsional_friction", "number", "m", "0",
       "Largest moment about the normal over the force."},
      {"material", "rolling_friction", "number", "m", "0",
       "Largest moment about the contact plane over the force."},
      {"material", "restitution", "number", "", "0", "Speed after an impact over that before; rigid laws."},
      {"material", "max_deflection", "number", "m", "no core",
       "Of the compliant layer around a rigid core; geometric_quasi_rigid."},
      {"material", "pressure_modulus", "number", "Pa", "no field",
       "Of the pressure field of the shape; compliant laws."},
      {"material", "pressure_depth", "number", "m", "from the shape",
       "Where the pressure is the modulus; a half-space needs it."},
      {"material", "facets", "7, 19 or 37", "", "19",
       "Planes in place of a round surface with a pressure field; 37 also takes four times the points."},

      {"model", "file", "text", "", kNeeded,
       "MJCF, URDF or JSON file, beside the scene file unless the path is absolute."},
      {"model", "name", "text", "", "none",
       "Goes before every name of the model, with a slash: `left/elbow`."},
      {"model", "parent", "text", "", "world", "Body or frame of an earlier model that it is attached to."},
      {"model", "keyframe", "text", "", "none", "Keyframe of the file to start at, with its controls."},
      {"model", "floating_base", "true or false", "", "false", "Frees the root link of a URDF file."},
      {"model", "package_paths", "list of texts", "", "[]", "Folders with packages of a URDF file."},

      {"ground", "name", "text", "", "ground", "Name of the shape."},
      {"ground", "normal", "3 numbers", "", "[0, 0, 1]", "Points out of the ground; of any length."},

      {"object", "name", "text", "", kNeeded,
       "Of the body, its joint and its shape; several get numbers behind it."},
      {"object", "shape", "text", "", kNeeded,
       "`box`, `sphere`, `capsule`, `cylinder`, `ellipsoid`, `superellipsoid` or `mesh`."},
      {"object", "size", "3 numbers", "m", "needed by a box", "Edges of a box."},
      {"object", "radius", "number", "m", "needed by a sphere, capsule, cylinder", "Radius."},
      {"object", "length", "number", "m", "needed by a capsule, cylinder",
       "Along z; that of a capsule without its caps."},
      {"object", "radii", "3 numbers", "m", "needed by an ellipsoid, superellipsoid", "Semi-axes."},
      {"object", "exponents", "2 numbers", "", "[1, 1]", "e1, e2 of a superellipsoid, from 0.1 to 1."},
      {"object", "file", "text", "", "needed by a mesh", "OBJ, STL, MSH or VTK file, beside the scene file."},
      {"object", "scale", "number", "", "1", "Of the mesh: 0.001 for a file in millimetres."},
      {"object", "convex", "true or false", "", "true without tetrahedra",
       "The mesh collides as its convex hull; false: as it is."},
      {"object", "rounding", "number", "m", "0",
       "Added around the shape for collisions (Minkowski sum with a ball of this radius)."},
      {"object", "density", "number", "kg/m^3", "1000", "Of the solid shape; or else its mass."},
      {"object", "mass", "number", "kg", "from the density", "Spread evenly over the solid shape."},
      {"object", "fixed", "true or false", "", "false", "A shape of the world, which does not move."},
      {"object", "velocity", "3 numbers", "m/s", "[0, 0, 0]", "Of the centre of mass at the start."},
      {"object", "angular_velocity", "3 numbers", "rad/s", "[0, 0, 0]", "At the start, in world axes."},
      {"object", "count", "3 whole numbers", "", "[1, 1, 1]", "Copies on a grid along x, y and z."},
      {"object", "spacing", "3 numbers", "m", "needed by copies", "Distances between them."},

      {"assign", "shapes", kPattern, "", "none", "Shapes by name; a list has several patterns."},
      {"assign", "bodies", kPattern, "", "none", "All shapes of these bodies."},
      {"assign", "material", "text", "", kNeeded, "Name of a [material.NAME]."},

      {"pair", "shapes", "2 patterns", "", kNeeded, "Shapes of the one side and of the other."},
      {"pair", "friction", "number", "", "as combined", "mu of the pair, at rest and in motion."},
      {"pair", "stiffness", "number", "N/m", "as combined", "Stiffness of the pair."},
      {"pair", "collides", "true or false", "", "true", "Whether they touch at all."},

      {"drive", "joint", kPattern, "", kNeeded, "Joints of one position each."},
      {"drive", "name", "text", "", "that of the joint", "Of the actuator; for one joint only."},
      {"drive", "kind", "text", "", "position",
       "`position`: f = kp (u - q) - kv v; `velocity`: f = kv (u - v); `force`: f = u."},
      {"drive", "kp", "number", "N m/rad or N/m", "needed by position", "Stiffness."},
      {"drive", "kv", "number", "N m s/rad or N s/m", "0; needed by velocity", "Damping."},
      {"drive", "effort", "number", "N m or N", "none", "Bounds the force."},

      {"setpoint", "actuator", kPattern, "", kNeeded, "Actuators by name."},
      {"disturbance", "body", "text", "", kNeeded, "Body that is pushed."},
      {"disturbance", "point", "3 numbers", "m", "the centre of mass", "Where, in the body's frame."},
      {"disturbance", "force", "3 numbers", "N", "[0, 0, 0]", "In world axes."},
      {"disturbance", "moment", "3 numbers", "N m", "[0, 0, 0]", "In world axes."},

      {"sine", "amplitude", "number", "", "1", "a; of a set-point in its unit, of a disturbance a factor."},
      {"sine", "period", "number", "s", "1", "Or else its frequency."},
      {"sine", "frequency", "number", "Hz", "1", "Or else its period."},
      {"sine", "phase", "number", "rad", "0", "At `from`, or at t = 0."},
      {"sine", "offset", "number", "", "0", "Added."},
      {"sine", "half", "true or false", "", "false", "The negative half of the wave is zero."},

      {"start", "keyframe", "text", "", "none",
       "By name or number; of several models, with the name of the model in front: left/home."},
      {"start", "positions", "table", "m, rad", "the model's",
       "Joint = position; a list where a joint has several."},
      {"start", "velocities", "table", "m/s, rad/s", "0", "Joint = velocity."},
      {"start", "settle", "true or false", "", "false",
       "Overlaps, violated limits and open loops are removed before time begins (contact.md)."},

      {"sensor", "name", "text", "", kNeeded, "Name."},
      {"sensor", "kind", "text", "", kNeeded, "`stiction list sensors`."},
      {"sensor", "object_type", "text", "", "by the kind", "`site`, `body`, `xbody`, `geom`, `joint`, ..."},
      {"sensor", "object", "text", "", "none", "Name of what it is on."},
      {"sensor", "reference_type", "text", "", "none", "Of the frame it is seen from."},
      {"sensor", "reference", "text", "", "the world", "Name of that frame."},
      {"sensor", "cutoff", "number", "that of the sensor", "0", "Keeps values within; 0: no bound."},
      {"sensor", "noise", "number", "that of the sensor", "0", "Standard deviation, where there is a seed."},

      {"record", "sensors", kPattern, "", "none", "Sensors by name; a list has several patterns."},
      {"record", "every", "whole number", "steps", "1", "Once in so many steps."},
  };
  const auto add_to = [&](std::initializer_list<const char*> sections, const SceneKey& key) {
    for (const char* section : sections) {
      SceneKey copy = key;
      copy.section = section;
      keys.push_back(copy);
    }
  };
  // Poses: one of the ways to say an orientation.
  const auto posed = {"model", "ground", "object"};
  add_to(posed,
         {"", "position", "3 numbers", "m", "[0, 0, 0]", "Of its origin in the world, or its parent."});
  add_to(posed, {"", "rpy", "3 numbers", "rad", "[0, 0, 0]",
                 "Roll, pitch, yaw: rotations about x, y, z of the world."});
  add_to(posed,
         {"", "quaternion", "4 numbers", "", "[1, 0, 0, 0]", "w, x, y, z, of any length; in place of rpy."});
  add_to(posed, {"", "rotation", "3 x 3 numbers", "", "the identity", "Rows of R; in place of rpy."});
  // Surfaces.
  const auto surfaces = {"ground", "object"};
  add_to(surfaces, {"", "material", "text", "", "none", "Name of a [material.NAME]."});
  add_to(surfaces, {"", "surface_velocity", "3 numbers", "m/s", "[0, 0, 0]",
                    "A running belt: of the surface against its body, in the body's axes."});
  // Signals.
  const auto signals = {"setpoint", "disturbance"};
  add_to(signals, {"", "value", "number", "", "1", "A constant; for a disturbance a factor."});
  add_to(signals, {"", "table", "list of rows", "s, ...", "none",
                   "Rows [time, value], on straight lines between; a disturbance may have rows of [time, "
                   "fx, fy, fz] or [time, fx, fy, fz, mx, my, mz] in N and N m instead."});
  add_to(signals,
         {"", "hold", "true or false", "", "false", "Values of the table hold until the next time."});
  add_to(signals, {"", "sine", "table", "", "none", "See sine below."});
  add_to(signals, {"", "from", "number", "s", "always", "0 before this time."});
  add_to(signals, {"", "until", "number", "s", "for ever", "0 from this time on."});
  return keys;
}

}  // namespace

std::span<const RenamedKey> renamed_scene_keys() {
  static constexpr RenamedKey keys[] = {{"contact", "push_out", "penetration_recovery"},
                                        {"contact", "fastest_push_out", "fastest_recovery"},
                                        {"material", "cross_friction", "anisotropy_ratio"},
                                        {"material", "grain", "friction_direction"}};
  return keys;
}

const std::vector<SceneKey>& scene_keys() {
  static const std::vector<SceneKey> keys = make_keys();
  return keys;
}

std::vector<std::string> keys_of_section(std::string_view section) {
  std::vector<std::string> names;
  for (const SceneKey& key : scene_keys())
    if (section == key.section) names.push_back(key.key);
  return names;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const SceneSection& section : scene_sections())
    if (section.header[0] == '[') names.push_back(section.name);
  return names;
}

std::string scene_schema_markdown() {
  std::string text;
  for (const SceneSection& section : scene_sections()) {
    const char* mark = section.name[0] == '\0' ? "" : "`";
    text +=
        format("### {}{}{}\n{}\n\n| key | type | unit | default | what it says |\n|---|---|---|---|---|\n",
               mark, section.header, mark, section.description);
    for (const SceneKey& key : scene_keys()) {
      if (std::string_view(section.name) != key.section) continue;
      text += format("| `{}` | {} | {} | {} | {} |\n", key.key, key.type, key.unit, key.fallback,
                     key.description);
    }
    text += "\n";
  }
  return text;
}

}  // namespace stiction
