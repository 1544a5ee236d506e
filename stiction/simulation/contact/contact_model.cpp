#include "stiction/simulation/contact/contact_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/format.h"
#include "stiction/base/log.h"

namespace stiction {
namespace {

double mixed(double a, double b, double share_a) { return share_a * a + (1.0 - share_a) * b; }

// kg, of two bodies; the mass of a fixed one is 0.
double reduced_mass(double a, double b) {
  const double inverse = (a > 0.0 ? 1.0 / a : 0.0) + (b > 0.0 ? 1.0 / b : 0.0);
  return inverse > 0.0 ? 1.0 / inverse : 0.0;
}

// Stiffness and damping from MJCF's solref and dmax; mass: m_eff. A positive solref gives no stiffness: the pair has
// the default one (default_stiffness.h), and a solref softer than that would replace it here.
void set_elasticity(const SolverReference& solref, double dmax, double mass, double gravity,
                    PairMaterial* pair) {
  const double weight = mass * gravity;
  if (solref[0] < 0.0) {
    const double damping = std::max(-solref[1], 0.0);
    pair->stiffness = -solref[0];
    pair->stiffness_is_given = true;
    pair->relaxation_time = damping / pair->stiffness;
    if (weight > 0.0) pair->dissipation = damping / weight;
    return;
  }
  const double time = solref[0] * dmax;
  if (!(time > 0.0 && solref[1] > 0.0 && mass > 0.0)) return;
  if (weight > 0.0) pair->dissipation = std::max(kDefaultDissipation, 2.0 * mass / time / weight);
}

void set_friction(int condim, const std::array<double, 3>& mu, PairMaterial* pair) {
  pair->static_friction = pair->dynamic_friction = condim == 1 ? 0.0 : mu[0];
  pair->torsional_friction = condim >= 4 ? mu[1] : 0.0;
  pair->rolling_friction = condim >= 6 ? mu[2] : 0.0;
}

// The part of MuJoCo's numbers that a pair has itself.
void set_mujoco_numbers(const SolverReference& solref, const SolverReference& solref_friction,
                        const SolverImpedance& solimp, double margin, PairMaterial* pair) {
  pair->mujoco.is_given = true;
  pair->mujoco.solref = solref;
  pair->mujoco.solref_friction = solref_friction;
  pair->mujoco.solimp = solimp;
  pair->mujoco.margin = margin;
}

PairMaterial mujoco_pair(const ContactItem& a, const ContactItem& b, double gravity) {
  const bool a_decides = a.priority > b.priority, b_decides = b.priority > a.priority;
  PairMaterial pair;
  std::array<double, 3> mu;
  for (int i = 0; i < 3; ++i)
    mu[i] = a_decides ? a.friction[i] : b_decides ? b.friction[i] : std::max(a.friction[i], b.friction[i]);
  set_friction(a_decides ? a.condim : b_decides ? b.condim : std::max(a.condim, b.condim), mu, &pair);

  // MuJoCo mixes solref by solmix, unless one of them is negative: then it takes the smaller.
  const double sum = a.solmix + b.solmix;
  const double share = a_decides ? 1.0 : b_decides ? 0.0 : sum > 0.0 ? a.solmix / sum : 0.5;
  SolverReference solref;
  const bool any_direct = a.solref[0] <= 0.0 || b.solref[0] <= 0.0;
  for (int i = 0; i < 2; ++i) {
    solref[i] = any_direct && !a_decides && !b_decides ? std::min(a.solref[i], b.solref[i])
                                                       : mixed(a.solref[i], b.solref[i], share);
  }
  SolverImpedance solimp;
  for (std::size_t i = 0; i < solimp.size(); ++i) solimp[i] = mixed(a.solimp[i], b.solimp[i], share);
  set_mujoco_numbers(solref, {0, 0}, solimp, a.margin + b.margin, &pair);
  set_elasticity(solref, solimp[1], reduced_mass(a.mass, b.mass), gravity, &pair);
  return pair;
}

// The parameters of a pair in MJCF's contact section; MJCF has no restitution, and materials of ours may.
PairMaterial listed_pair(const ContactPair& listed, const ContactItem& a, const ContactItem& b,
                         double gravity) {
  PairMaterial pair;
  // We use one rolling coefficient for both directions.
  const std::array<double, 5>& mu = listed.friction;
  set_friction(listed.condim, {mu[0], mu[2], 0.5 * (mu[3] + mu[4])}, &pair);
  set_mujoco_numbers(listed.solref, listed.solref_friction, listed.solimp, listed.margin, &pair);
  pair.restitution = combine(a.material, b.material).restitution;
  set_elasticity(listed.solref, listed.solimp[1], reduced_mass(a.mass, b.mass), gravity, &pair);
  return pair;
}

// The material of a shape from an MJCF file that touches a shape with a ContactMaterial.
ContactMaterial material_of(const ContactItem& item, bool by_mujoco_rules) {
  ContactMaterial material = item.material;
  if (!by_mujoco_rules || item.has_material) return material;
  material.static_friction = item.condim == 1 ? 0.0 : item.friction[0];
  if (item.condim >= 4) material.torsional_friction = item.friction[1];
  if (item.condim >= 6) material.rolling_friction = item.friction[2];
  return material;
}

void finish(const ContactItem& a, const ContactItem& b, PairMaterial* pair) {
  set_barriers(a.material, b.material, pair);
  const double curvature = (a.radius > 0.0 ? 1.0 / a.radius : 0.0) + (b.radius > 0.0 ? 1.0 / b.radius : 0.0);
  const auto modulus = combined_modulus(a.material, b.material);
  if (modulus && curvature > 0.0) {
    pair->hertz_stiffness = 4.0 / 3.0 * *modulus / std::sqrt(curvature);
    pair->hertz_follows = false;
    return;
  }
  const double sag = a.sag > 0.0 && b.sag > 0.0 ? std::min(a.sag, b.sag) : std::max(a.sag, b.sag);
  pair->hertz_follows = true;
  pair->hertz_stiffness = pair->stiffness / std::sqrt(sag > 0.0 ? sag : kLargestSag);
}

ContactItem make_item(const Model& model, const CollisionItem& item) {
  ContactItem out;
  out.material = model.shapes[item.shape].contact;
  out.has_material = gives_friction(out.material);
  const double thickness = item.geometry.thickness;
  if (std::isfinite(thickness) && thickness > 0.0) {
    out.sag = kLargestSag * thickness;
    out.radius = 0.5 * thickness;
  }
  if (item.node >= 0) out.mass = model.forest.constants[item.node].mass;
  if (model.elements.shapes.empty()) return out;
  const ShapeProperties& properties = model.elements.shapes[item.shape];
  out.priority = properties.priority;
  out.solmix = properties.solmix;
  out.solref = properties.solref;
  out.solimp = properties.solimp;
  out.friction = properties.friction;
  out.condim = properties.condim;
  out.margin = properties.margin;
  return out;
}

}  // namespace

std::string why_friction_does_not_act(const ContactModel& model, int item, int on_item,
                                      const std::string& other_name) {
  const ContactItem &a = model.items[item], &b = model.items[on_item];
  if (!model.by_mujoco_rules || a.has_material || b.has_material) return {};
  if (b.priority > a.priority) return format("'{}' has the higher priority", other_name);
  const bool is_larger = b.priority == a.priority && b.condim > 1 && b.friction[0] > a.friction[0];
  if (is_larger)
    return format("a pair has the larger friction of the two, and '{}' has {}", other_name, b.friction[0]);
  return {};
}

PairMaterial ContactModel::pair(int i, int j) const {
  if (!listed.empty()) {
    const IndexPair wanted{std::min(i, j), std::max(i, j)};
    const auto found = std::lower_bound(listed.begin(), listed.end(), wanted);
    if (found != listed.end() && *found == wanted) return listed_materials[found - listed.begin()];
  }
  PairMaterial pair =
      by_kinds.empty() ? combined(items[i], items[j]) : by_kinds[kind_of_item[i] * kinds + kind_of_item[j]];
  soft.set(i, j, &pair);
  return pair;
}

PairMaterial ContactModel::combined(const ContactItem& a, const ContactItem& b) const {
  const bool is_mujoco = by_mujoco_rules && !a.has_material && !b.has_material;
  PairMaterial pair = combine(material_of(a, by_mujoco_rules), material_of(b, by_mujoco_rules));
  if (is_mujoco) {
    const PairMaterial given = std::exchange(pair, mujoco_pair(a, b, gravity));
    if (given.stiffness_is_given) {
      pair.stiffness = given.stiffness;
      pair.stiffness_is_given = true;
    }
    if (a.material.dissipation || b.material.dissipation) pair.dissipation = given.dissipation;
    if (a.material.relaxation_time || b.material.relaxation_time)
      pair.relaxation_time = given.relaxation_time;
    pair.restitution = given.restitution;
  }
  pair.mujoco.impratio = impratio;
  pair.mujoco.keeps_two_steps = keeps_two_steps;
  finish(a, b, &pair);
  return pair;
}

// An upper bound for all pairs: no combination rule gives two items more friction or relaxation time than one
// of them has with its like, with the largest condim for all.
void ContactModel::bound(const PairMaterial& pair) {
  const double across = std::max(1.0, pair.anisotropy_ratio);
  largest_friction =
      std::max({largest_friction, across * pair.static_friction, across * pair.dynamic_friction});
  largest_friction_length =
      std::max({largest_friction_length, pair.torsional_friction, pair.rolling_friction});
  largest_relaxation_time = std::max(largest_relaxation_time, pair.relaxation_time);
  largest_barrier_distance = std::max(largest_barrier_distance, pair.barrier_distance);
  has_default_relaxation = has_default_relaxation || pair.relaxation_time < 0.0;
}

namespace {

// s: the gap that the law leaves below a sliding body, divided by mu |slip|.
double gap_time(const ContactModel& model, const ContactOptions& options, double h) {
  switch (law_row(options.law).sliding_gap) {
    case SlidingGapTime::none:
      return 0.0;
    case SlidingGapTime::step:
      return h;
    case SlidingGapTime::step_and_relaxation:
      return h + std::max(model.largest_relaxation_time, model.has_default_relaxation ? h : 0.0);
  }
  return 0.0;
}

}  // namespace

SlidingGap sliding_gap(const ContactModel& model, const ContactOptions& options,
                       const std::vector<Vec3>& surface_velocities, double h) {
  const double time = gap_time(model, options, h);
  double fastest = 0.0;
  for (const Vec3& v : surface_velocities) fastest = std::max(fastest, v.norm());
  return {model.largest_friction * time, model.largest_friction_length * time,
          fastest + model.largest_friction * model.gravity * h,
          uses_barrier(options.law, options.elasticity) ? model.largest_barrier_distance : 0.0,
          takes_pressure_fields(options)};
}

void ContactModel::tabulate() {
  constexpr std::size_t kMostKinds = 64;
  int largest_condim = 1;
  for (const ContactItem& item : items) largest_condim = std::max(largest_condim, item.condim);
  for (ContactItem item : items) {
    item.condim = largest_condim;
    bound(combined(item, item));
  }
  std::vector<int> first;  // first item of every kind
  for (int i = 0; i < static_cast<int>(items.size()); ++i) {
    const auto same = std::find_if(first.begin(), first.end(), [&](int k) { return items[k] == items[i]; });
    kind_of_item.push_back(static_cast<int>(same - first.begin()));
    if (same == first.end()) first.push_back(i);
    if (first.size() > kMostKinds) return;
  }
  kinds = static_cast<int>(first.size());
  for (const int i : first) {
    for (const int j : first) by_kinds.push_back(combined(items[i], items[j]));
  }
}

namespace {

// What the curve of a pair depends on; `cone` is the model's. A surface of MuJoCo's default numbers differs from
// another by its friction alone, and that only counts where the edges of a pyramid share the force.
ContactItem without_what_no_curve_needs(ContactItem item, const std::string& cone) {
  ContactMaterial material;
  material.force_table = item.material.force_table;
  material.stiffness = item.material.stiffness;
  item.material = material;
  item.mass = item.sag = item.radius = item.margin = 0.0;
  item.friction[1] = item.friction[2] = 0.0;
  if (cone == "elliptic" || item.has_material) item.friction[0] = 0.0;
  return item;
}

bool is_usual(const ContactItem& item) {
  return item.material.force_table.empty() && item.solref == kDefaultSolref && item.solimp == kDefaultSolimp;
}

}  // namespace

// Items whose pairs have the same curve are of one kind; nothing else counts here.
void ContactModel::tabulate_curves(const Model& model) {
  constexpr std::size_t kMostKinds = 2048;
  const SimulationOptions& options = model.elements.options;
  auto tables = std::make_shared<std::vector<ForceTable>>();
  soft.tables = tables;
  if (std::all_of(items.begin(), items.end(), is_usual)) return;
  std::vector<ContactItem> distinct;
  for (const ContactItem& full : items) {
    const ContactItem item = without_what_no_curve_needs(full, options.cone);
    const auto same = std::find(distinct.begin(), distinct.end(), item);
    soft.kind_of_item.push_back(static_cast<int>(same - distinct.begin()));
    if (same == distinct.end()) distinct.push_back(item);
    if (distinct.size() > kMostKinds) {
      warn_once(
          "curves " + model.name,
          format("model '{}' has more than {} kinds of surfaces: soft ones have the stiffness of others",
                 model.name, kMostKinds));
      return;
    }
  }
  soft.kinds = static_cast<int>(distinct.size());
  std::vector<PairCurve> curves;
  for (const ContactItem& a : distinct) {
    for (const ContactItem& b : distinct) {
      if (is_usual(a) && is_usual(b)) {
        curves.push_back({});
        continue;
      }
      const auto points = combined_force_table(a.material, b.material);
      const int condim = a.priority > b.priority   ? a.condim
                         : b.priority > a.priority ? b.condim
                                                   : std::max(a.condim, b.condim);
      curves.push_back(
          points.empty() ? mujoco_curve(combined(a, b), condim, options.cone, options.timestep, tables.get())
                         : curve_of_points(points, tables.get()));
    }
  }
  if (!soft.tables->empty()) soft.by_kinds = std::move(curves);
}

// Sets the parameters of one pair; replaces those of a pair that is listed already.
void ContactModel::list(const IndexPair& pair, const PairMaterial& material) {
  const auto at = std::lower_bound(listed.begin(), listed.end(), pair);
  const auto place = listed_materials.begin() + (at - listed.begin());
  if (at != listed.end() && *at == pair) {
    *place = material;
  } else {
    listed_materials.insert(place, material);
    listed.insert(at, pair);
  }
  bound(material);
}

std::shared_ptr<const ContactModel> make_contact_model(const Model& model, const CollisionModel& collision) {
  auto contact = std::make_shared<ContactModel>();
  contact->by_mujoco_rules = model.elements.mujoco_contact;
  contact->gravity = collision.gravity;
  for (const CollisionItem& item : collision.items) {
    contact->items.push_back(make_item(model, item));
    contact->masses.push_back(contact->items.back().mass);
  }
  const auto& off = model.elements.options.disabled;
  contact->impratio = model.elements.options.impratio;
  contact->keeps_two_steps = std::find(off.begin(), off.end(), "refsafe") == off.end();
  contact->tabulate();
  if (collision.items.empty()) return contact;
  set_inverse_masses(model, collision, &contact->soft);
  contact->tabulate_curves(model);

  const auto item_of = [&](int shape) {
    const auto found = std::lower_bound(collision.shapes.begin(), collision.shapes.end(), shape);
    const bool is_there = found != collision.shapes.end() && *found == shape;
    return is_there ? static_cast<int>(found - collision.shapes.begin()) : -1;
  };
  if (contact->by_mujoco_rules) {
    // If a pair is listed twice, the first entry counts.
    for (auto listed = model.elements.pairs.rbegin(); listed != model.elements.pairs.rend(); ++listed) {
      const int i = item_of(model.shape(listed->shape1)), j = item_of(model.shape(listed->shape2));
      const ContactItem &a = contact->items[i], &b = contact->items[j];
      PairMaterial pair = listed_pair(*listed, a, b, contact->gravity);
      pair.mujoco.impratio = contact->impratio;
      pair.mujoco.keeps_two_steps = contact->keeps_two_steps;
      finish(a, b, &pair);
      auto tables = std::make_shared<std::vector<ForceTable>>(*contact->soft.tables);
      const SimulationOptions& options = model.elements.options;
      const PairCurve curve =
          mujoco_curve(pair, listed->condim, options.cone, options.timestep, tables.get());
      contact->soft.tables = std::move(tables);
      contact->soft.set(curve, i, j, &pair);
      contact->list({std::min(i, j), std::max(i, j)}, pair);
    }
  }
  for (const PairOverride& given : model.pair_overrides) {
    const int i = item_of(given.shapes.first), j = item_of(given.shapes.second);
    if (i < 0 || j < 0) continue;
    PairMaterial pair = contact->pair(i, j);
    if (given.friction) pair.static_friction = pair.dynamic_friction = *given.friction;
    if (given.stiffness) {
      pair.stiffness = *given.stiffness;
      pair.stiffness_is_given = true;
      pair.table = -1;
    }
    pair.dissipation = given.dissipation.value_or(pair.dissipation);
    pair.relaxation_time = given.relaxation_time.value_or(pair.relaxation_time);
    pair.restitution = given.restitution.value_or(pair.restitution);
    finish(contact->items[i], contact->items[j], &pair);
    contact->list({i, j}, pair);
  }
  return contact;
}

}  // namespace stiction
