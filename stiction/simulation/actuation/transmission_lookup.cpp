// Looks up the names of tendons and actuators, and sets the columns of their rows.

#include <algorithm>
#include <iterator>
#include <numbers>

#include "stiction/base/check.h"
#include "stiction/simulation/actuation/transmission.h"
#include "stiction/simulation/model/named_frame.h"

namespace stiction {
namespace {

// The velocities that move a frame, ascending.
std::vector<int> movers(const Forest& forest, const AttachedFrame& place) {
  std::vector<int> dofs;
  for (int n = place.node; n >= 0; n = forest.nodes[n].parent)
    for (int d = 0; d < forest.nodes[n].num_v; ++d) dofs.push_back(forest.nodes[n].v_begin + d);
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

// The velocities that move `a` and not `b`.
std::vector<int> movers_of_first(const Forest& forest, const AttachedFrame& a, const AttachedFrame& b) {
  const std::vector<int> of_a = movers(forest, a), of_b = movers(forest, b);
  std::vector<int> out;
  std::set_difference(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(out));
  return out;
}

void merge(const std::vector<int>& from, std::vector<int>* into) {
  std::vector<int> out;
  std::set_union(into->begin(), into->end(), from.begin(), from.end(), std::back_inserter(out));
  *into = std::move(out);
}

void merge_span(const Forest& forest, const AttachedFrame& from, const AttachedFrame& to,
                std::vector<int>* into) {
  merge(movers_of_first(forest, to, from), into);
  merge(movers_of_first(forest, from, to), into);
}

Vec3 axis_of(const std::array<double, 6>& gear, int first) {
  return Vec3(gear[first], gear[first + 1], gear[first + 2]);
}

int tendon_index(const Model& model, const Actuator& actuator) {
  const std::vector<Tendon>& all = model.elements.tendons;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Tendon& t) { return t.name == actuator.target; });
  STICTION_USER_CHECK(found != all.end(), "actuator '{}': there is no tendon '{}'", actuator.name,
                      actuator.target);
  return static_cast<int>(found - all.begin());
}

}  // namespace

Transmissions::Transmissions(const Model& model) {
  for (const Tendon& tendon : model.elements.tendons) add_tendon(model, tendon);
  for (const Actuator& actuator : model.elements.actuators) add_actuator(model, actuator);
}

Reach Transmissions::make_reach(const std::vector<int>& dofs, const Forest& forest, int row,
                                const MomentRows& rows) {
  Reach reach;
  reach.begin = static_cast<int>(entries_.size());
  for (const int dof : dofs) entries_.push_back({dof, rows.place(row, dof)});
  reach.end = static_cast<int>(entries_.size());
  if (!dofs.empty()) reach.tree = forest.nodes[forest.dofs[dofs.front()].node].tree;
  return reach;
}

Span Transmissions::make_span(const Forest& forest, const AttachedFrame& from, const AttachedFrame& to,
                              int row, const MomentRows& rows) {
  Span span;
  span.to = make_reach(movers_of_first(forest, to, from), forest, row, rows);
  span.from = make_reach(movers_of_first(forest, from, to), forest, row, rows);
  return span;
}

void Transmissions::add_tendon(const Model& model, const Tendon& tendon) {
  const Forest& forest = model.forest;
  const int index = tendon_rows_.num_rows();
  std::vector<int> columns;
  std::vector<FixedTerm> terms;
  std::vector<TendonPart> parts;
  double divisor = 1.0;
  for (std::size_t i = 0; i < tendon.wraps.size(); ++i) {
    const TendonWrap& wrap = tendon.wraps[i];
    if (wrap.kind == WrapKind::joint) {
      const JointIndices& joint = forest.joints[model.joint(wrap.name)];
      STICTION_USER_CHECK(joint.num_v == 1,
                          "tendon '{}': joint '{}' has {} velocities, a fixed tendon needs one", tendon.name,
                          wrap.name, joint.num_v);
      terms.push_back({index, joint.q_begin, wrap.coefficient});
      merge({joint.v_begin}, &columns);
    } else if (wrap.kind == WrapKind::pulley) {
      STICTION_USER_CHECK(wrap.coefficient > 0.0, "tendon '{}': the divisor of a pulley must be positive",
                          tendon.name);
      divisor = wrap.coefficient;
    }
    const bool is_last = i + 1 == tendon.wraps.size();
    if (wrap.kind != WrapKind::site || is_last || tendon.wraps[i + 1].kind == WrapKind::pulley) continue;

    // From this site to the next; a wrapping shape may lie between the two.
    TendonPart part;
    part.tendon = index;
    part.divisor = divisor;
    part.from = frame_place(model, wrap.name);
    part.has_shape = tendon.wraps[i + 1].kind == WrapKind::shape;
    const std::size_t next = part.has_shape ? i + 2 : i + 1;
    STICTION_USER_CHECK(next < tendon.wraps.size() && tendon.wraps[next].kind == WrapKind::site,
                        "tendon '{}' must go on at a site after '{}'", tendon.name, wrap.name);
    part.to = frame_place(model, tendon.wraps[next].name);
    merge_span(forest, part.from, part.to, &columns);
    if (part.has_shape) {
      const TendonWrap& around = tendon.wraps[i + 1];
      const PlacedShape& placed = model.shapes[model.shape(around.name)];
      const Sphere* sphere = std::get_if<Sphere>(&placed.shape);
      const Cylinder* cylinder = std::get_if<Cylinder>(&placed.shape);
      STICTION_USER_CHECK(sphere || cylinder,
                          "tendon '{}' cannot wrap around '{}', which is neither sphere nor cylinder",
                          tendon.name, around.name);
      part.shape = place_on(forest, placed.body, placed.X_BS);
      part.is_cylinder = cylinder != nullptr;
      part.radius = sphere ? sphere->radius : cylinder->radius;
      part.has_side = !around.side_site.empty();
      if (part.has_side) part.side = frame_place(model, around.side_site);
      merge_span(forest, part.from, part.shape, &columns);
      merge_span(forest, part.shape, part.to, &columns);
      ++i;
    }
    parts.push_back(part);
  }

  tendon_rows_.append(columns);
  for (const FixedTerm& term : terms) fixed_.push_back(term);
  for (const TendonWrap& wrap : tendon.wraps)
    if (wrap.kind == WrapKind::joint)
      tendon_rows_.values[tendon_rows_.place(index, forest.joints[model.joint(wrap.name)].v_begin)] +=
          wrap.coefficient;
  for (TendonPart& part : parts) {
    part.direct = make_span(forest, part.from, part.to, index, tendon_rows_);
    if (part.has_shape) {
      part.first = make_span(forest, part.from, part.shape, index, tendon_rows_);
      part.second = make_span(forest, part.shape, part.to, index, tendon_rows_);
    }
    parts_.push_back(part);
  }
  if (!parts.empty()) spatial_.push_back(index);
}

void Transmissions::add_actuator(const Model& model, const Actuator& actuator) {
  const Forest& forest = model.forest;
  const int index = actuator_rows_.num_rows();
  const std::array<double, 6>& gear = actuator.gear;
  ActuatorPlan plan;
  plan.gear = gear[0];
  plan.crank_length = actuator.crank_length;
  std::vector<int> columns;
  const auto turns = [](const Vec3& axis) { return 2.0 * std::numbers::pi * axis.norm(); };
  switch (actuator.transmission) {
    case TransmissionKind::joint:
    case TransmissionKind::joint_in_parent: {
      const int j = model.joint(actuator.target);
      const JointIndices& place = forest.joints[j];
      const JointType type = forest.joint(j).type;
      STICTION_USER_CHECK(place.num_v > 0, "actuator '{}': joint '{}' does not move", actuator.name,
                          actuator.target);
      plan.kind = type == JointType::ball ? Kind::ball : type == JointType::free ? Kind::free : Kind::joint;
      plan.in_parent = actuator.transmission == TransmissionKind::joint_in_parent;
      plan.q = place.q_begin;
      const int count = plan.kind == Kind::joint ? 1 : place.num_v;
      for (int d = 0; d < count; ++d) columns.push_back(place.v_begin + d);
      plan.torque = axis_of(gear, plan.kind == Kind::ball ? 0 : 3);
      plan.force = axis_of(gear, 0);
      if (plan.kind == Kind::ball) plan.period = turns(plan.torque);
      if (plan.kind == Kind::free) plan.site = place_on(forest, place.body, {});
      break;
    }
    case TransmissionKind::tendon: {
      plan.kind = Kind::tendon;
      plan.tendon = tendon_index(model, actuator);
      const auto of_tendon = tendon_rows_.columns_of(plan.tendon);
      columns.assign(of_tendon.begin(), of_tendon.end());
      break;
    }
    case TransmissionKind::site:
    case TransmissionKind::slider_crank: {
      const bool is_site = actuator.transmission == TransmissionKind::site;
      const std::string& other = is_site ? actuator.reference_site : actuator.slider_site;
      STICTION_USER_CHECK(is_site || !other.empty(), "actuator '{}': a slider-crank needs a slider site",
                          actuator.name);
      plan.site = frame_place(model, actuator.target);
      plan.force = axis_of(gear, 0);
      plan.torque = axis_of(gear, 3);
      plan.kind = !is_site ? Kind::slider_crank : other.empty() ? Kind::site : Kind::site_to_site;
      if (plan.kind == Kind::site) {
        columns = movers(forest, plan.site);
        break;
      }
      plan.reference = frame_place(model, other);
      if (is_site && plan.force.isZero(0.0)) plan.period = turns(plan.torque);
      merge_span(forest, plan.reference, plan.site, &columns);
      break;
    }
    case TransmissionKind::body:
      model.body(actuator.target);
      break;
  }
  actuator_rows_.append(columns);
  if (plan.kind == Kind::free || plan.kind == Kind::site)
    plan.span.to = make_reach(columns, forest, index, actuator_rows_);
  if (plan.kind == Kind::site_to_site || plan.kind == Kind::slider_crank)
    plan.span = make_span(forest, plan.reference, plan.site, index, actuator_rows_);

  // Values that never change.
  double* values = actuator_rows_.values.data() + actuator_rows_.begin[index];
  if (plan.kind == Kind::joint) values[0] = plan.gear;
  if (plan.kind == Kind::ball && !plan.in_parent) Eigen::Map<Vec3>(values, 3) = plan.torque;
  if (plan.kind == Kind::tendon)
    for (std::size_t i = 0; i < columns.size(); ++i)
      values[i] = plan.gear * tendon_rows_.values_of(plan.tendon)[i];
  const bool is_spatial =
      plan.kind == Kind::tendon && std::binary_search(spatial_.begin(), spatial_.end(), plan.tendon);
  if (plan.kind == Kind::free || plan.kind >= Kind::site || (plan.kind == Kind::ball && plan.in_parent) ||
      is_spatial)
    moving_.push_back(index);
  actuators_.push_back(plan);
}

}  // namespace stiction
