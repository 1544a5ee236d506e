#include "stiction/simulation/law_notes.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "stiction/base/format.h"
#include "stiction/base/log.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

bool has_springs(const ContactOptions& o) {
  return takes_elasticity(o.law) || o.law == LawKind::sap ||
         (is_rigid(o.law) && o.rigid.material_compliance) || o.law == LawKind::geometric_quasi_rigid;
}

bool is_elastic(const ContactOptions& o, Elasticity elasticity) {
  return takes_elasticity(o.law) && o.elasticity == elasticity;
}

// What a number of a material is for. A material may give numbers for several laws: one that has none of the numbers
// for something that the law uses has been misunderstood, one that has them all has not.
enum class Purpose { spring, damping, layer, field };

// A number of a material: whether one has it, which laws use it, and what has it used.
struct MaterialNumber {
  const char* name;
  Purpose purpose;
  bool (*is_given)(const ContactMaterial&);
  bool (*is_used)(const ContactOptions&);
  const char* who;
};

constexpr MaterialNumber kNumbers[] = {
    {"stiffness", Purpose::spring, [](const ContactMaterial& m) { return m.stiffness.has_value(); },
     has_springs, "compliant laws use it, and rigid ones with material_compliance"},
    {"force table", Purpose::spring, [](const ContactMaterial& m) { return !m.force_table.empty(); },
     has_springs, "the icf laws use it"},
    {"modulus", Purpose::spring, [](const ContactMaterial& m) { return m.modulus.has_value(); },
     [](const ContactOptions& o) { return is_elastic(o, Elasticity::hertz); },
     "compliant laws with the elasticity hertz use it"},
    {"barrier stiffness", Purpose::spring,
     [](const ContactMaterial& m) { return m.barrier_stiffness.has_value(); },
     [](const ContactOptions& o) { return is_elastic(o, Elasticity::ipc_barrier); },
     "compliant laws with the elasticity ipc_barrier use it"},
    {"barrier energy", Purpose::spring, [](const ContactMaterial& m) { return m.barrier_energy.has_value(); },
     [](const ContactOptions& o) { return is_elastic(o, Elasticity::log_barrier); },
     "compliant laws with the elasticity log_barrier use it"},
    {"barrier distance", Purpose::spring,
     [](const ContactMaterial& m) { return m.barrier_distance.has_value(); },
     [](const ContactOptions& o) { return uses_barrier(o.law, o.elasticity); },
     "compliant laws with a barrier use it"},
    {"dissipation", Purpose::damping, [](const ContactMaterial& m) { return m.dissipation.has_value(); },
     [](const ContactOptions& o) {
       return takes_elasticity(o.law) && o.dissipation == Dissipation::hunt_crossley;
     },
     "compliant laws with the dissipation hunt_crossley use it"},
    {"relaxation time", Purpose::damping,
     [](const ContactMaterial& m) { return m.relaxation_time.has_value(); },
     [](const ContactOptions& o) {
       return has_springs(o) && (!takes_elasticity(o.law) || o.dissipation == Dissipation::kelvin_voigt);
     },
     "sap uses it, and icf laws with the dissipation kelvin_voigt"},
    {"restitution", Purpose::damping,
     [](const ContactMaterial& m) { return m.restitution.has_value() && *m.restitution > 0.0; },
     [](const ContactOptions& o) { return is_rigid(o.law) || is_geometric(o.law); }, "rigid laws use it"},
    {"maximum deflection", Purpose::layer,
     [](const ContactMaterial& m) { return m.max_deflection.has_value(); },
     [](const ContactOptions& o) { return o.law == LawKind::geometric_quasi_rigid; },
     "geometric_quasi_rigid uses it"},
    {"pressure modulus", Purpose::field,
     [](const ContactMaterial& m) { return m.pressure_modulus.has_value(); }, takes_pressure_fields,
     "compliant laws with the elasticity linear use it; here the shapes touch at points"},
};

struct Ignored {
  const MaterialNumber* number;
  int shapes = 0;
  std::string first;
};

// Whether the law uses another number of the material for the same.
bool has_another(const ContactMaterial& material, const ContactOptions& options, Purpose purpose) {
  return std::any_of(std::begin(kNumbers), std::end(kNumbers), [&](const MaterialNumber& number) {
    return number.purpose == purpose && number.is_used(options) && number.is_given(material);
  });
}

std::vector<Ignored> find_ignored(const Model& model, const ContactOptions& options) {
  std::vector<Ignored> found;
  for (const MaterialNumber& number : kNumbers) {
    if (number.is_used(options)) continue;
    Ignored item{&number, 0, {}};
    for (const PlacedShape& shape : model.shapes) {
      if (!number.is_given(shape.contact) || has_another(shape.contact, options, number.purpose)) continue;
      if (item.shapes++ == 0) item.first = shape.name;
    }
    if (item.shapes > 0) found.push_back(std::move(item));
  }
  return found;
}

std::string description(const Model& model, const Ignored& item, const ContactOptions& options) {
  const std::string forces =
      takes_elasticity(options.law) ? format(" ({})", force_name(options)) : std::string();
  return format("{}{} ignores the {} of {} shape{} of '{}' ('{}'{}): {}", formulation_name(options), forces,
                item.number->name, item.shapes, item.shapes == 1 ? "" : "s", model.name, item.first,
                item.shapes == 1 ? "" : ", ...", item.number->who);
}

}  // namespace

std::vector<std::string> ignored_numbers(const Model& model, const ContactOptions& options) {
  std::vector<std::string> notes;
  for (const Ignored& item : find_ignored(model, options)) notes.push_back(description(model, item, options));
  return notes;
}

void say_ignored_numbers(const Model& model, const ContactOptions& options) {
  for (const Ignored& item : find_ignored(model, options))
    warn_once(
        format("ignored {} {} {} {}", formulation_name(options), item.number->name, model.name, item.first),
        description(model, item, options));
  const std::string powerless = powerless_actuators(model);
  if (!powerless.empty()) warn_once("powerless " + model.name, powerless);
}

std::vector<std::string> soft_contact_notes(const Model& model, const ContactOptions& options) {
  const CollisionModel& collision = *model.tables().collision;
  const ContactModel& contact = *model.tables().contact;
  const std::string law = formulation_name(options);
  // Shapes that are soft against one of their like or against the first shape, which often is the floor.
  std::vector<std::string> soft;
  for (int i = 0; i < static_cast<int>(contact.items.size()); ++i)
    if (contact.pair(i, i).table >= 0 || (i > 0 && contact.pair(0, i).table >= 0))
      soft.push_back(model.shapes[collision.items[i].shape].name);
  std::vector<std::string> notes;
  if (!soft.empty()) {
    const bool is_rigid_here = is_rigid(options.law) || is_geometric(options.law);
    const bool is_mujoco = solver_form(options).regularisation == Regularisation::mujoco;
    const char* what = uses_tables(options)   ? "has their force by depth"
                       : is_mujoco            ? "has MuJoCo's own law where a file gives it"
                       : has_springs(options) ? "takes the stiffness that they have under the load"
                       : is_rigid_here        ? "is rigid and takes nothing of it"
                                              : "takes nothing of it";
    notes.push_back(format("{} shape{} soft by solref, solimp or a force table ('{}'{}): {} {}", soft.size(),
                           soft.size() == 1 ? " is" : "s are", soft.front(), soft.size() == 1 ? "" : ", ...",
                           law, what));
  }
  if (contact.by_mujoco_rules && !contact.items.empty()) {
    const bool is_mujoco = solver_form(options).regularisation == Regularisation::mujoco;
    notes.push_back(
        is_mujoco
            ? format("{} takes solref, solimp, impratio and margin as MuJoCo does", law)
            : format("{} takes friction, condim and soft surfaces of the file; solref, solimp, impratio "
                     "and margin as MuJoCo has them count under convex_cone+newton_mujoco",
                     law));
  }
  return notes;
}

std::string powerless_actuators(const Model& model) {
  std::string names, why;
  int count = 0;
  for (const Actuator& actuator : model.elements.actuators) {
    const std::string missing = missing_part(actuator);
    if (missing.empty()) continue;
    constexpr int kMostNames = 8;
    if (count < kMostNames) names += format("{}'{}'", count > 0 ? ", " : "", actuator.name);
    if (count == kMostNames) names += ", ...";
    if (count == 0) why = missing;
    ++count;
  }
  if (count == 0) return {};
  return format("{} of {} actuators have no force, because {} is not simulated: {}", count,
                model.elements.actuators.size(), why, names);
}

}  // namespace stiction
