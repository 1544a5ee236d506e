#include "stiction/simulation/pressure_notes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "stiction/base/format.h"
#include "stiction/geometry/field/rest_depth.h"
#include "stiction/geometry/shape/tet_volume.h"
#include "stiction/simulation/collision/collision.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

constexpr double kDeep = 0.03;  // of the depth of a field, from where on a rest depth is worth a warning

// How the shapes stand at the start.
std::vector<ShapeMotion> start_poses(const Model& model) {
  constexpr double kNoStep = 0.0;
  const CollisionModel& shapes = *model.tables().collision;
  CollisionRecord record(shapes);
  CollisionWorkspace work(shapes);
  Kinematics kinematics(model.forest);
  compute_positions(model.forest, model.q0.data(), &kinematics);
  const VecX at_rest = VecX::Zero(model.num_v());
  compute_velocities(model.forest, at_rest.data(), &kinematics);
  find_pairs(model, kinematics, kNoStep, {}, &record, &work);
  return record.motions;
}

double kappa_of(const PressureField& field) { return field.is_rigid() ? 0.0 : field.kappa(); }

// Depths under the weights of a model, each computed once: many pairs of a heap have the same.
class RestDepths {
 public:
  explicit RestDepths(const Model& model)
      : collision_(*model.tables().collision),
        masses_(model.tables().contact->masses),
        down_(model.forest.gravity.normalized()),
        motions_(start_poses(model)) {}

  // Sets what belongs to the weight of one of two items.
  void set(int i, int j, FieldPair* pair) {
    // The lighter of those that move rests on the other one.
    const double m_i = masses_[std::size_t(i)], m_j = masses_[std::size_t(j)];
    const int resting = m_i > 0.0 && (!(m_j > 0.0) || m_i <= m_j) ? i : j, other = resting == i ? j : i;
    const double weight = collision_.gravity * masses_[std::size_t(resting)];
    if (!(weight > 0.0)) return;
    pair->resting = item(resting).shape;
    const Vec3 side = side_of(resting, down_), support = side_of(other, -down_);
    const double own = depth(resting, side, kappa_of(*item(other).field), weight);
    // What is not convex is taken for a plane: it may carry with any part of it.
    const double below = item(other).geometry.is_convex()
                             ? depth(other, support, kappa_of(*item(resting).field), weight)
                             : 0.0;
    const bool add_up = !is_flat(item(resting).geometry, side) && !is_flat(item(other).geometry, support);
    pair->rest_depth = add_up ? std::hypot(own, below) : std::max(own, below);
    for (const int k : {resting, other}) {
      const PressureField& field = *item(k).field;
      if (field.is_rigid()) continue;
      // Two fields in series give way in proportion to their softness.
      const double share = pair->rest_depth * pair->modulus / field.kappa() / field.depth;
      if (share < pair->rest_share) continue;
      pair->rest_share = share;
      pair->extent = field.depth;
    }
  }

 private:
  using Key = std::array<double, 6>;

  const CollisionItem& item(int i) const { return collision_.items[std::size_t(i)]; }

  // Unit, in the item's own axes.
  Vec3 side_of(int i, const Vec3& direction) const {
    return side_below(item(i).geometry, motions_[std::size_t(i)].X_WS.R.transpose() * direction);
  }

  double depth(int i, const Vec3& side, double kappa, double weight) {
    const auto [found, is_new] =
        known_.try_emplace(Key{double(i), side[0], side[1], side[2], kappa, weight}, 0.0);
    if (is_new) found->second = rest_depth(*item(i).field, side, kappa, weight);
    return found->second;
  }

  const CollisionModel& collision_;
  const std::vector<double>& masses_;
  Vec3 down_;
  std::vector<ShapeMotion> motions_;
  std::map<Key, double> known_;
};

std::string quoted_pair(const Model& model, const FieldPair& pair) {
  return format("'{}' and '{}'", model.shapes[std::size_t(pair.shape_A)].name,
                model.shapes[std::size_t(pair.shape_B)].name);
}

// Every body that rests too deep, on what it does so most.
std::string deep_note(const Model& model, const std::vector<FieldPair>& pairs) {
  constexpr double kMore = 1.01;  // times, beyond round-off: of equal depths the first shape is named
  std::map<int, const FieldPair*> deepest;  // by body
  for (const FieldPair& pair : pairs) {
    if (!(pair.rest_share > kDeep)) continue;
    const FieldPair*& of_body = deepest[model.shapes[std::size_t(pair.resting)].body];
    if (of_body == nullptr || pair.rest_share > kMore * of_body->rest_share) of_body = &pair;
  }
  if (deepest.empty()) return "";
  std::string bodies;
  for (const auto& [body, pair] : deepest) {
    const int below = pair->resting == pair->shape_A ? pair->shape_B : pair->shape_A;
    bodies += bodies.empty() ? "" : "; ";
    bodies += format("'{}' on '{}' ", model.forest.bodies[std::size_t(body)].name,
                     model.shapes[std::size_t(below)].name);
    bodies += std::isfinite(pair->rest_depth)
                  ? format("about {:.3g} mm, {:.3g} % of {:.3g} mm", 1e3 * pair->rest_share * pair->extent,
                           100.0 * pair->rest_share, 1e3 * pair->extent)
                  : format("without end: no depth carries it");
  }
  return format(
      "{} would rest deeper than {:.0f} % of the depth of a pressure field: {}; a larger "
      "pressure_modulus makes it less",
      deepest.size() == 1 ? "1 body" : format("{} bodies", deepest.size()), 100.0 * kDeep, bodies);
}

// Every shape that cannot have a field.
std::string note_without_fields(const Model& model) {
  std::string shapes;
  int count = 0;
  for (const CollisionItem& item : model.tables().collision->items) {
    if (item.field != nullptr) continue;
    shapes += format("{}'{}', a {}", count++ > 0 ? "; " : "", model.shapes[std::size_t(item.shape)].name,
                     name_of(item.geometry.kind));
  }
  if (count == 0) return "";
  return format("{} touch{} at points, also where the other shape has a pressure field: {}",
                count == 1 ? "1 shape" : format("{} shapes", count), count == 1 ? "es" : "", shapes);
}

}  // namespace

std::vector<FieldPair> field_pairs(const Model& model) {
  const CollisionModel& collision = *model.tables().collision;
  std::vector<FieldPair> pairs;
  if (!collision.has_fields) return pairs;
  RestDepths depths(model);
  const int count = static_cast<int>(collision.items.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (!collision.makes_patch(i, j)) continue;
      const IndexPair both{i, j};
      const bool is_forced =
          std::binary_search(collision.filter.forced.begin(), collision.filter.forced.end(), both);
      if (!is_forced && !collision.filter.allows(i, j)) continue;
      FieldPair pair;
      pair.shape_A = collision.items[std::size_t(i)].shape;
      pair.shape_B = collision.items[std::size_t(j)].shape;
      double softness = 0.0;
      for (const int item : {i, j}) {
        const PressureField& field = *collision.items[std::size_t(item)].field;
        if (!field.is_rigid()) softness += 1.0 / field.kappa();
      }
      pair.modulus = 1.0 / softness;
      depths.set(i, j, &pair);
      pairs.push_back(pair);
    }
  }
  return pairs;
}

std::vector<std::string> tet_notes(const Model& model) {
  std::vector<std::string> notes;
  std::set<const TetVolume*> seen;
  for (const PlacedShape& placed : model.shapes) {
    const auto* mesh = std::get_if<SharedMesh>(&placed.shape);
    if (mesh == nullptr || (*mesh)->tets == nullptr || !seen.insert((*mesh)->tets.get()).second) continue;
    MeshReport report;
    inspect(*(*mesh)->tets, &report);
    std::string note = format("shape '{}' is a volume of {} tetrahedra with {} triangles on its surface",
                              placed.name, report.tets, (*mesh)->triangles.size());
    note += placed.contact.pressure_modulus ? ", compliant" : ", rigid without a pressure_modulus";
    const std::string defects = describe(report);
    if (!defects.empty()) note += "; " + defects;
    if (report.flat_tets + report.crowded_sides > 0) note += "; it cannot have a pressure field";
    notes.push_back(note);
  }
  return notes;
}

std::vector<std::string> pressure_notes(const Model& model, const ContactOptions& options) {
  const CollisionModel& collision = *model.tables().collision;
  std::vector<std::string> notes;
  if (!collision.has_fields) return notes;
  const std::vector<FieldPair> pairs = field_pairs(model);
  if (!takes_pressure_fields(options)) {
    notes.push_back(
        format("{} takes no pressure fields: their shapes touch at points", formulation_name(options)));
    return notes;
  }
  if (pairs.empty()) {
    notes.emplace_back("no pair of shapes that may collide touches by pressure fields");
    return notes;
  }
  constexpr std::size_t kMostNames = 4;
  std::string names;
  for (std::size_t k = 0; k < std::min(kMostNames, pairs.size()); ++k)
    names += (k > 0 ? "; " : "") + quoted_pair(model, pairs[k]);
  if (pairs.size() > kMostNames) names += "; ...";
  notes.push_back(
      format("{} pair{} of shapes touch{} by pressure fields ({}); two shapes without a pressure modulus "
             "touch at points",
             pairs.size(), pairs.size() == 1 ? "" : "s", pairs.size() == 1 ? "es" : "", names));
  const std::string deep = deep_note(model, pairs);
  if (!deep.empty()) notes.push_back(deep);
  int spinning = 0;
  for (const PlacedShape& shape : model.shapes)
    spinning += shape.contact.pressure_modulus && shape.contact.torsional_friction.value_or(0.0) > 0.0;
  if (spinning > 0)
    notes.push_back(
        format("the torsional friction of {} shape{} is not used between pressure fields: the patch itself "
               "resists spinning",
               spinning, spinning == 1 ? "" : "s"));
  const std::string without = note_without_fields(model);
  if (!without.empty()) notes.push_back(without);
  return notes;
}

}  // namespace stiction
