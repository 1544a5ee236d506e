#pragma once
// Changes single parameters of a finished model, by name. The result is the model that would have been built
// with the new values: masses of welded bodies, strengths of muscles and the contact stiffness derived from
// weights are updated. Damping ratios, and springs that a file gives as time constants, were converted to
// coefficients when the file was read and do not change.
//
// A function throws UserError, and changes nothing, for an unknown name or a value that is not allowed. World
// has the same functions for its own copy of a model (stiction/simulation/world.h).

#include <span>
#include <string_view>
#include <vector>

#include "stiction/simulation/model/model.h"

namespace stiction {

// kg, positive; the moments of inertia are scaled with it.
void set_mass(std::string_view body, double mass, Model* model);
// In the body's frame.
void set_inertia(std::string_view body, const Inertia& inertia, Model* model);
// m, in the body's frame; mass and moments about the centre do not change.
void set_centre_of_mass(std::string_view body, const Vec3& com, Model* model);

// For all velocities of a joint, not negative; the rotors of actuators are included in the first two.
void set_joint_damping(std::string_view joint, double damping, Model* model);      // N m s/rad or N s/m
void set_joint_armature(std::string_view joint, double armature, Model* model);    // kg m^2 or kg
void set_joint_stiffness(std::string_view joint, double stiffness, Model* model);  // N m/rad or N/m
void set_joint_friction(std::string_view joint, double force, Model* model);       // N m or N

// Coulomb's mu of a surface, static and kinetic. By MuJoCo's rules
// (stiction/simulation/contact/contact_model.h) a pair has the larger of two, and a surface of condim 1 gets
// condim 3 if mu is positive.
void set_friction(std::string_view shape, double mu, Model* model);
// N/m, positive; the damping does not change.
void set_stiffness(std::string_view shape, double stiffness, Model* model);
// Hunt & Crossley's d (s/m), tau_d of Kelvin-Voigt (s), speed after an impact over that before it. They replace
// what MuJoCo's rules derive from solref; friction still combines by those rules.
void set_dissipation(std::string_view shape, double dissipation, Model* model);
void set_relaxation_time(std::string_view shape, double time, Model* model);
void set_restitution(std::string_view shape, double restitution, Model* model);
// Whether a material says more than how a surface springs back: stiffness, dissipation, relaxation time,
// restitution, pressure field. The shapes of an MJCF file leave friction to MuJoCo's rules otherwise.
bool gives_friction(const ContactMaterial& material);
// Everything, as ModelBuilder::set_material does.
void set_material(std::string_view shape, const ContactMaterial& material, Model* model);

// m: radius of a sphere, half extents of a box, radius and length of a cylinder or capsule, radii of an
// ellipsoid or superellipsoid. The mass of the body does not change. Meshes, hulls, height fields and
// half-spaces have none.
void set_size(std::string_view shape, std::span<const double> size, Model* model);

// The factor of the control, positive. The feedback of a servo follows: kp of a position servo, kv of a
// velocity servo. Only for actuators with a fixed gain.
void set_gain(std::string_view actuator, double gain, Model* model);
// Of a position servo.
void set_gain(std::string_view actuator, double kp, double kv, Model* model);
// N or N m; infinite: no bound on that side.
void set_force_range(std::string_view actuator, double lower, double upper, Model* model);
void set_actuator_active(std::string_view actuator, bool active, Model* model);

// m/s^2
void set_gravity(const Vec3& gravity, Model* model);

// The velocity of a free body is that of its centre of mass. If a changed mass has moved that point in the
// body, v is corrected so that the body moves as before.
std::vector<Vec3> centres_of_free_bodies(const Forest& forest);  // m, in the body, by node; others zero
void keep_motion(const Forest& forest, const std::vector<Vec3>& centres_before, const VecX& q, VecX* v);

}  // namespace stiction
