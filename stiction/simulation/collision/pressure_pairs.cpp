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

bool is_surface(const PressureField& field) {
  return field.shape.kind == ShapeKind::mesh || field.shape.kind == ShapeKind::height_field;
}

// The same for a mesh, whose deepest point of contact says little about where it is stopped: the normal and the place
// are those of the patch that forms as the motion goes on by `overlap` after the impact.
PressurePoint point_of_surface_impact(const PressureField& A, const ShapeMotion& a, const PressureField& B,
                                      const ShapeMotion& b, const TimeOfImpact& impact, double overlap,
                                      PatchWork* work) {
  const Pose X_A = pose_after(A.shape, a, impact.time);
  Pose X_B = pose_after(B.shape, b, impact.time);
  const Vec3 velocity = b.v - a.v;
  if (!(velocity.norm() > 0.0)) return {};
  const Vec3 along = velocity.normalized();
  X_B.p += overlap * along;
  find_pressure_patch(A, X_A, B, X_B, {}, &work->workspace, &work->patch);
  PressurePoint out;
  Vec3 place = Vec3::Zero(), normal = Vec3::Zero();
  for (const PressurePoint& point : work->patch.points) {
    out.area += point.area;
    out.stiffness += point.stiffness;
    place += point.stiffness * point.p;
    normal += point.stiffness * point.normal;
  }
  const double length = normal.norm();
  if (!(out.stiffness > 0.0 && length > 0.1 * out.stiffness)) return {};  // no side to be stopped at
  // The two points that meet there, at their initial positions.
  place /= out.stiffness;
  const Vec3 p_A = a.X_WS * (X_A.inverse() * place), p_B = b.X_WS * (X_B.inverse() * place);
  out.normal = normal / length;
  out.p = 0.5 * (p_A + p_B);
  out.gradient = out.stiffness / out.area;
  // They touch before they overlap.
  out.pressure = -out.gradient * (p_B - p_A + overlap * along).dot(out.normal);
  out.feature = impact.speculative.feature;
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
    const double overlap = std::min(travel, 0.5 * thickness);
    Vec3 normal = impact.at_impact.normal;
    PressurePoint of_surface;
    if (is_surface(A) || is_surface(B)) {
      of_surface = point_of_surface_impact(A, a, B, b, impact, overlap, work);
      find_patch(model, record, *pair, false, &work->workspace, &work->patch);  // that query took its place
      if (of_surface.stiffness > 0.0) normal = of_surface.normal;
    }
    std::erase_if(found,
                  [&](const PressurePoint& point) { return point.normal.dot(normal) < kCloseNormals; });
    if (found.empty()) {
      const PressurePoint point =
          of_surface.stiffness > 0.0 ? of_surface : point_of_impact(A, a, B, b, impact, overlap, work);
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
