#pragma once
// Stiction: a simulator for robots in contact. This is the public API; the folders say the rest.

#include "stiction/base/check.h"                         // UserError
#include "stiction/base/log.h"                           // where warnings go
#include "stiction/geometry/shape/shape.h"               // shapes with a closed form
#include "stiction/io/mjcf/export/export.h"              // models as MJCF files
#include "stiction/io/model_file.h"                      // robots from MJCF and URDF files
#include "stiction/io/model_json.h"                      // models as JSON
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
#include "stiction/simulation/model/model_builder.h"     // models in code
#include "stiction/simulation/output/contact_forces.h"   // what pushes what
#include "stiction/simulation/overlap_energy.h"          // what overlaps at the start, in J
#include "stiction/simulation/settle.h"                  // parts it before time begins
#include "stiction/simulation/world.h"                   // model + state + steps
