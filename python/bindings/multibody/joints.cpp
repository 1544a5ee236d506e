// Joints, materials and other small parts of a model.

#include <variant>

#include <nanobind/stl/variant.h>

#include "python/bindings/bindings.h"
#include "python/bindings/fields.h"
#include "stiction/constraint/material.h"
#include "stiction/multibody/joint.h"

STICTION_WORD_LIST(stiction::JointType, stiction::kJointTypeNames)

namespace stiction::python {
namespace {

using Numbers = std::variant<double, std::vector<double>>;
constexpr const char* kOneOrSix = "float | collections.abc.Sequence[float]";

// One number for all velocities of a joint, or one for each.
PerDof per_dof_from(const Numbers& given) {
  if (const double* one = std::get_if<double>(&given)) return per_dof(*one);
  const auto& many = std::get<std::vector<double>>(given);
  STICTION_USER_CHECK(many.size() <= kMaxJointDofs, "a joint has at most {} velocities, not {}",
                      kMaxJointDofs, many.size());
  PerDof out = per_dof(0.0);
  std::copy(many.begin(), many.end(), out.begin());
  return out;
}

template <PerDof Joint::*member>
void add_per_dof(const char* name, const char* doc, Fields<Joint>* fields) {
  fields->property<Numbers>(
      name, kOneOrSix, [](const Joint& self) { return self.*member; },
      [](Joint& self, const Numbers& given) { self.*member = per_dof_from(given); }, doc);
}

void bind_joint(nb::module_& m) {
  Fields<Mimic>(m, "Mimic", "This joint follows that one: q = multiplier q_other + offset.")
      .field("joint", &Mimic::joint, "Name of the joint that is followed.")
      .field("multiplier", &Mimic::multiplier, "Of the other joint's position.")
      .field("offset", &Mimic::offset, "rad or m.")
      .done();
  Fields<Joint> joint(m, "Joint",
                      "What lets a body B move against its parent; docs/models.md has the kinds.");
  joint.field("name", &Joint::name, "Empty: that of the body.")
      .field("type", &Joint::type, "The kind of joint, as a word.")
      .field("axis", &Joint::axis, "Unit vector in B.")
      .field("axis2", &Joint::axis2,
             "Unit vector in B: second axis of a universal joint, first direction of a "
             "planar one.")
      .field("p_BJ", &Joint::p_BJ, "Anchor in B, m.")
      .field("pitch", &Joint::pitch, "Of a screw, m/rad.")
      .field("reference", &Joint::reference, "Position at which the body is where it was put, rad or m.");
  add_per_dof<&Joint::armature>("armature",
                                "Reflected inertia, kg m^2 or kg; one number, or one by velocity.", &joint);
  add_per_dof<&Joint::damping>("damping", "N m s/rad or N s/m; one number, or one by velocity.", &joint);
  add_per_dof<&Joint::stiffness>("stiffness", "N m/rad or N/m; one number, or one by velocity.", &joint);
  add_per_dof<&Joint::friction_loss>("friction_loss",
                                     "Dry friction, N m or N; one number, or one by velocity.", &joint);
  joint.field("neutral", &Joint::neutral, "Where the spring rests: seven numbers, as in q.")
      .field("limited", &Joint::limited, "Whether lower and upper act.");
  add_per_dof<&Joint::lower>("lower", "Lowest position, rad or m; one number, or one by velocity.", &joint);
  add_per_dof<&Joint::upper>("upper", "Highest position, rad or m; one number, or one by velocity.", &joint);
  joint.field("effort_limit", &Joint::effort_limit, "N m or N; 0: none.")
      .field("velocity_limit", &Joint::velocity_limit, "rad/s or m/s; 0: none.")
      .field("mimic", &Joint::mimic, "The joint that it follows, if any.")
      .done();
}

void bind_material(nb::module_& m) {
  using C = ContactMaterial;
  Fields<C>(m, "ContactMaterial", "What one surface is made of; what is None is left open (docs/contact.md).")
      .field("stiffness", &C::stiffness, "Of linear elasticity, N/m.")
      .field(
          "force_table", &C::force_table,
          "In place of the stiffness: points (overlap in m, normal force in N) from (0, 0) on; empty: none.")
      .field("modulus", &C::modulus, "Young's modulus of Hertz's elasticity, Pa.")
      .field("barrier_stiffness", &C::barrier_stiffness, "kappa of the IPC barrier, N/m.")
      .field("barrier_energy", &C::barrier_energy, "kappa of the logarithmic barrier, J.")
      .field("barrier_distance", &C::barrier_distance, "Where a barrier begins, m.")
      .field("dissipation", &C::dissipation, "Hunt and Crossley's d, s/m.")
      .field("relaxation_time", &C::relaxation_time, "Of Kelvin-Voigt dissipation (sap), s.")
      .field("static_friction", &C::static_friction, "Coulomb's mu at rest.")
      .field("dynamic_friction", &C::dynamic_friction, "Coulomb's mu in motion; None: that at rest.")
      .field("anisotropy_ratio", &C::anisotropy_ratio,
             "Friction across friction_direction over that along it.")
      .field("friction_direction", &C::friction_direction,
             "Of a grain or of grooves, in the axes of the shape.")
      .field("torsional_friction", &C::torsional_friction,
             "Moment about the normal over the normal force, m.")
      .field("rolling_friction", &C::rolling_friction,
             "Moment about the contact plane over the normal force, m.")
      .field("restitution", &C::restitution, "Speed after an impact over that before, of the rigid laws.")
      .field("max_deflection", &C::max_deflection, "Of the compliant layer around a rigid core, m.")
      .field("pressure_modulus", &C::pressure_modulus,
             "Of the pressure field, Pa; None: the shape has none, and touches at points.")
      .field("pressure_depth", &C::pressure_depth,
             "Where the pressure is the modulus, m; None: the radius of the largest ball inside the shape.")
      .field("facets", &C::facets, "Planes in place of a round surface with a pressure field: 7, 19 or 37.")
      .done();
}

}  // namespace

void bind_joints(nb::module_& m) {
  bind_joint(m);
  bind_material(m);
}

}  // namespace stiction::python
