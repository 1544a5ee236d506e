#include "stiction/simulation/collision/pressure_pairs.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// The normals of points that hold two shapes apart as well as their impact does: within 26 degrees, as for points.
constexpr double kCloseNormals = 0.9;

bool presses(const PressurePoint& point) { return point.pressure > 0.0; }

// The point of an impact, with the stiffness that the shapes have when they overlap by `overlap`.
PressurePoint point_of_impact(const PressureField& A, const ShapeMotion& a, const PressureField& B,
                              const ShapeMotion& b, const TimeOfImpact& impact, double overlap,
                              PatchWork* work) {
  Pose X_A = pose_after(A.shape, a, impact.time), X_B = pose_after(B.shape, b, impact.time);
  X_B.p -= overlap * impact.at_impact.normal;
  find_pressure_patch(A, X_A, B, X_B, {}, &work->workspace, &work->patch);
  PressurePoint out;
  for (const PressurePoint& point : work->patch.points) {
    out.area += point.area;
    out.stiffness += point.stiffness;
  }
  const ContactPoint& first = impact.speculative;
  if (!(out.stiffness > 0.0)) return out;
  out.normal = first.normal;
  out.p = first.p_A + 0.5 * first.distance * first.normal;
  out.gradient = out.stiffness / out.area;
  out.pressure = -out.gradient * first.distance;
  out.feature = first.feature;
  return out;
}

}  // namespace

void find_patch(const CollisionModel& model, const CollisionRecord& record, const ShapePair& pair,
                bool wants_energy, PressureWorkspace* workspace, PressurePatch* patch) {
  const auto &A = model.items[static_cast<std::size_t>(pair.item_A)],
             &B = model.items[static_cast<std::size_t>(pair.item_B)];
  PressureOptions options;
  options.margin = pair.margin;
  options.is_fine = A.field->rings == FacetRings::three || B.field->rings == FacetRings::three;
  options.wants_energy = wants_energy;
  find_pressure_patch(*A.field, record.motions[static_cast<std::size_t>(pair.item_A)].X_WS, *B.field,
                      record.motions[static_cast<std::size_t>(pair.item_B)].X_WS, options, workspace, patch);
}

void collide_fields(const CollisionModel& model, const CollisionRecord& record, double travel, double h,
                    PatchWork* work, std::vector<PressurePoint>* points, ShapePair* pair) {
  find_patch(model, record, *pair, false, &work->workspace, &work->patch);
  std::vector<PressurePoint>& found = work->patch.points;
  const PressureField &A = *model.items[static_cast<std::size_t>(pair->item_A)].field,
                      &B = *model.items[static_cast<std::size_t>(pair->item_B)].field;
  const double thickness = std::min(A.shape.thickness, B.shape.thickness);
  const bool may_pass = travel > thickness && A.shape.kind != ShapeKind::half_space &&
                        B.shape.kind != ShapeKind::half_space &&
                        std::none_of(found.begin(), found.end(), presses);
  if (may_pass) {
    const ShapeMotion &a = record.motions[static_cast<std::size_t>(pair->item_A)],
                      &b = record.motions[static_cast<std::size_t>(pair->item_B)];
    const TimeOfImpact impact = time_of_impact(A.shape, a, B.shape, b, h);
    if (impact.status == ImpactStatus::none) return;
    pair->time_of_impact = impact.time;
    const Vec3& normal = impact.at_impact.normal;
    std::erase_if(found,
                  [&](const PressurePoint& point) { return point.normal.dot(normal) < kCloseNormals; });
    if (found.empty()) {
      const PressurePoint point =
          point_of_impact(A, a, B, b, impact, std::min(travel, 0.5 * thickness), work);
      found.assign(1, point);
    }
  }
  for (const PressurePoint& point : found)
    if (point.stiffness > 0.0) points->push_back(point);
  pair->end = static_cast<int>(points->size());
}

double pressure_energy(const CollisionModel& model, const CollisionRecord& record) {
  PressureWorkspace workspace;
  PressurePatch patch;
  double energy = 0.0;
  for (const ShapePair& pair : record.pairs) {
    if (!pair.has_patch || pair.begin == pair.end) continue;
    find_patch(model, record, pair, true, &workspace, &patch);
    energy += patch.energy;
  }
  return energy;
}

}  // namespace stiction
