#pragma once
// Stiction: a simulator for robots in contact. This is the public API; the folders say the rest.

#include "stiction/base/check.h"                         // UserError
#include "stiction/base/log.h"                           // where warnings go
#include "stiction/geometry/shape/shape.h"               // shapes with a closed form
#include "stiction/geometry/shape/tet_volume.h"          // solids of tetrahedra
#include "stiction/io/compatibility_report.h"            // what became of every element of a file
#include "stiction/io/mesh/mesh_file.h"                  // read_mesh
#include "stiction/io/mjcf/export/export.h"              // models as MJCF files
#include "stiction/io/mjcf/mjcf.h"                       // load_mjcf
#include "stiction/io/mjcf/mujoco_order.h"               // q and v from MuJoCo's qpos and qvel, and back
#include "stiction/io/model_file.h"                      // robots from a file of any format
#include "stiction/io/model_json.h"                      // models as JSON
#include "stiction/io/recording/recorder.h"              // runs as files
#include "stiction/io/recording/replay.h"                // the same run again, bit for bit
#include "stiction/io/scene_file/scene_file.h"           // scenes in TOML
#include "stiction/io/urdf/urdf.h"                       // load_urdf
#include "stiction/math/rotation.h"                      // rotations, quaternions
#include "stiction/math/spatial.h"                       // poses, inertias
#include "stiction/multibody/dynamics_derivatives.h"     // d tau / d(q, v), d vdot / d(q, v, tau)
#include "stiction/multibody/forward_dynamics.h"         // vdot in O(n)
#include "stiction/multibody/inverse_dynamics.h"         // bias forces, tau, joint reactions
#include "stiction/multibody/jacobian.h"                 // Jacobians, centre of mass, momentum, energies
#include "stiction/multibody/kinematics.h"               // poses, velocities, accelerations
#include "stiction/multibody/mass_matrix.h"              // M and its factor
#include "stiction/multibody/positions.h"                // q as points of a manifold
#include "stiction/simulation/actuation/transmission.h"  // tendons and actuators: lengths, moment arms
#include "stiction/simulation/energy.h"                  // energies of a state, energy books
#include "stiction/simulation/formulation.h"             // contact laws and solvers by name
#include "stiction/simulation/input_schedule.h"          // controls and wrenches over time
#include "stiction/simulation/inverse_dynamics.h"        // joint forces of a given motion under contact
#include "stiction/simulation/model/model_builder.h"     // models in code
#include "stiction/simulation/model/servos.h"            // motors, position and velocity servos
#include "stiction/simulation/output/contact_forces.h"   // what pushes what
#include "stiction/simulation/output/sensors.h"          // readings without a World
#include "stiction/simulation/overlap_energy.h"          // what overlaps at the start, in J
#include "stiction/simulation/override_list.h"           // numbers of one world by words
#include "stiction/simulation/saved_problem.h"           // the contact problem of a step
#include "stiction/simulation/settle.h"                  // parts it before time begins
#include "stiction/simulation/world.h"                   // model + state + steps
