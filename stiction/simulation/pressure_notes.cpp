#include "stiction/simulation/pressure_notes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "stiction/base/format.h"
#include "stiction/geometry/shape/tet_volume.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

constexpr double kDeep = 0.03;  // of the extent, from where on a rest depth is worth a warning

// m, at rest under a weight (N) on a foundation kappa (Pa/m).
double rest_depth(const CollisionShape& shape, double weight, double kappa) {
  if (shape.kind == ShapeKind::sphere) return std::sqrt(weight / (std::numbers::pi * kappa * shape.size[0]));
  const Vec3 extent = 2.0 * shape.box_half;
  const double area = extent.prod() / extent.minCoeff();
  return area > 0.0 && std::isfinite(area) ? weight / (kappa * area) : 0.0;
}

std::string quoted_pair(const Model& model, const FieldPair& pair) {
  return format("'{}' and '{}'", model.shapes[std::size_t(pair.shape_A)].name,
                model.shapes[std::size_t(pair.shape_B)].name);
}

}  // namespace

std::vector<FieldPair> field_pairs(const Model& model) {
  const CollisionModel& collision = *model.tables().collision;
  const ContactModel& contact = *model.tables().contact;
  std::vector<FieldPair> pairs;
  if (!collision.has_fields) return pairs;
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
        if (field.is_rigid()) continue;
        softness += 1.0 / field.kappa();
        pair.extent = pair.extent > 0.0 ? std::min(pair.extent, field.depth) : field.depth;
      }
      pair.modulus = 1.0 / softness;
      // The lighter of those that move rests on the other one.
      const double m_i = contact.masses[std::size_t(i)], m_j = contact.masses[std::size_t(j)];
      const int moving = m_i > 0.0 && (!(m_j > 0.0) || m_i <= m_j) ? i : j;
      const double weight = collision.gravity * contact.masses[std::size_t(moving)];
      if (weight > 0.0)
        pair.rest_depth = rest_depth(collision.items[std::size_t(moving)].geometry, weight, pair.modulus);
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
  const FieldPair* deepest = nullptr;
  int deep = 0, spinning = 0;
  for (const FieldPair& pair : pairs) {
    const double share = pair.rest_depth / pair.extent;
    if (share > kDeep && deep++ == 0) deepest = &pair;
    if (share > kDeep && share > deepest->rest_depth / deepest->extent) deepest = &pair;
  }
  if (deepest != nullptr)
    notes.push_back(
        format("{} pair{} of pressure fields would rest deeper than {:.0f} % of the depth of the field: "
               "{} about {:.3g} mm of {:.3g} mm; a larger pressure_modulus makes it less",
               deep, deep == 1 ? "" : "s", 100.0 * kDeep, quoted_pair(model, *deepest),
               1e3 * deepest->rest_depth, 1e3 * deepest->extent));
  for (const PlacedShape& shape : model.shapes)
    spinning += shape.contact.pressure_modulus && shape.contact.torsional_friction.value_or(0.0) > 0.0;
  if (spinning > 0)
    notes.push_back(
        format("the torsional friction of {} shape{} is not used between pressure fields: the patch itself "
               "resists spinning",
               spinning, spinning == 1 ? "" : "s"));
  for (const CollisionItem& item : collision.items) {
    if (item.field != nullptr) continue;
    notes.push_back(
        format("shape '{}' is a {} and touches at points, also where the other shape has a pressure field",
               model.shapes[std::size_t(item.shape)].name, name_of(item.geometry.kind)));
    break;
  }
  return notes;
}

}  // namespace stiction
