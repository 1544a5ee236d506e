#include "stiction/io/recording/recorder_frame.h"

#include <algorithm>
#include <limits>

#include "stiction/simulation/collision/pressure_pairs.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction {
namespace {

// Friction counts as sliding from this share of its limit on: regularised laws come close to the limit but do
// not reach it.
constexpr double kSlidingShare = 0.99;

recorded::Vector3 floats(const Vec3& x) {
  return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
}

// Of anisotropic friction, the smaller coefficient.
double friction_of(const PairMaterial& material) {
  return material.dynamic_friction *
         (material.friction_direction_side == 0 ? 1.0 : std::min(1.0, material.anisotropy_ratio));
}

// The geometrically implicit step has its own list of contacts.
bool is_geometric(const StepRecord& record, int pair) {
  return std::any_of(record.geometric_contacts.begin(), record.geometric_contacts.end(),
                     [pair](const GeometricContact& contact) { return contact.pair == pair; });
}

recorded::Contact* next_contact(const ShapePair& pair, RecorderFrame* frame) {
  const auto at = static_cast<std::size_t>(frame->num_contacts++);
  if (at == frame->contacts.size()) frame->contacts.emplace_back();
  recorded::Contact* contact = &frame->contacts[at];
  contact->body_a = pair.body_A;
  contact->body_b = pair.body_B;
  contact->shape_a = pair.shape_A;
  contact->shape_b = pair.shape_B;
  contact->moment.reset();
  return contact;
}

void set_place(const Vec3& point, const Vec3& normal, double distance, recorded::Contact* contact) {
  contact->point = floats(point);
  contact->normal = floats(normal);
  contact->distance = static_cast<float>(distance);
}

void set_force(const Vec3& force, const Vec3& n, double mu, recorded::Contact* contact) {
  contact->force = floats(force);
  const double normal = force.dot(n), limit = kSlidingShare * mu * normal, squared = force.squaredNorm();
  contact->sliding = squared > 0.0 && squared - normal * normal >= limit * limit;
}

// A pressure patch as one contact. It slides where its friction, point by point, is at its limit.
void copy_patch(const StepRecord& record, std::size_t k, double share, double mu, RecorderFrame* frame) {
  const ShapePair& pair = record.collision.pairs[k];
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero(), pushed = Vec3::Zero(), pushed_normal = Vec3::Zero();
  Vec3 middle = Vec3::Zero(), normal = Vec3::Zero();
  double pushes = 0.0, slides = 0.0, area = 0.0, distance = std::numeric_limits<double>::infinity();
  for (int i = pair.begin; i < pair.end; ++i) {
    const PressurePoint& point = record.collision.pressure_points[static_cast<std::size_t>(i)];
    const Vec3 f = share * contact_force(record, static_cast<int>(k), i - pair.begin);
    const double push = f.dot(point.normal);
    force += f;
    moment += point.p.cross(f) + share * contact_moment(record, static_cast<int>(k), i - pair.begin);
    pushes += push;
    slides += (f - push * point.normal).norm();
    pushed += push * point.p;
    pushed_normal += push * point.normal;
    area += point.area;
    middle += point.area * point.p;
    normal += point.area * point.normal;
    distance = std::min(distance, -point.force() / point.stiffness);
  }
  if (distance > 0.0 && force.squaredNorm() == 0.0) return;
  const Vec3 at = pushes > 0.0 ? Vec3(pushed / pushes) : Vec3(middle / area);
  recorded::Contact* out = next_contact(pair, frame);
  set_place(at, (pushes > 0.0 ? pushed_normal : normal).normalized(), distance, out);
  out->force = floats(force);
  out->sliding = slides > 0.0 && slides >= kSlidingShare * mu * pushes;
  out->moment = floats(moment - at.cross(force));
}

// share: of the step's time that the part took.
void copy_contacts_of_part(const StepRecord& record, double share, RecorderFrame* frame) {
  const CollisionRecord& collision = record.collision;
  const std::size_t places = std::min(collision.pairs.size(), record.contact.places.size());
  const bool has_moments = !record.contact.solution.moments.empty();
  for (std::size_t k = 0; k < places; ++k) {
    if (record.contact.places[k].begin < 0 || is_geometric(record, static_cast<int>(k))) continue;
    const ShapePair& pair = collision.pairs[k];
    const double mu = friction_of(record.contact.materials[k]);
    if (pair.has_patch) {
      if (pair.end > pair.begin) copy_patch(record, k, share, mu, frame);
      continue;
    }
    for (int i = pair.begin; i < pair.end; ++i) {
      const ContactPoint& point = collision.points[static_cast<std::size_t>(i)];
      const Vec3 force = share * contact_force(record, static_cast<int>(k), i - pair.begin);
      if (point.distance > 0.0 && force.squaredNorm() == 0.0) continue;
      recorded::Contact* out = next_contact(pair, frame);
      set_place(point.p_A + 0.5 * point.distance * point.normal, point.normal, point.distance, out);
      set_force(force, point.normal, mu, out);
      if (has_moments)
        out->moment = floats(share * contact_moment(record, static_cast<int>(k), i - pair.begin));
    }
  }
  for (const GeometricContact& contact : record.geometric_contacts) {
    const auto k = static_cast<std::size_t>(contact.pair);
    recorded::Contact* out = next_contact(collision.pairs[k], frame);
    const double mu = k < record.contact.materials.size() ? friction_of(record.contact.materials[k]) : 0.0;
    set_place(0.5 * (contact.a_A + contact.a_B), contact.n, contact.gap, out);
    set_force(share * (contact.impulse / record.h), contact.n, mu, out);
    if (contact.moment.squaredNorm() > 0.0) out->moment = floats(share * (contact.moment / record.h));
  }
}

}  // namespace

void copy_contacts(const StepRecord& record, RecorderFrame* frame) {
  frame->num_contacts = 0;
  for_each_part(record,
                [frame](const StepRecord& part, double share) { copy_contacts_of_part(part, share, frame); });
}

void copy_patches(const CollisionModel& model, const StepRecord& record, PatchWork* work,
                  RecorderFrame* frame) {
  frame->num_patches = 0;
  for (const ShapePair& pair : record.collision.pairs) {
    if (!pair.has_patch || pair.begin == pair.end) continue;
    find_patch(model, record.collision, pair, false, &work->workspace, &work->patch);
    const auto at = static_cast<std::size_t>(frame->num_patches);
    if (at == frame->patches.size()) frame->patches.emplace_back();
    recorded::Patch& out = frame->patches[at];
    out.body_a = pair.body_A;
    out.body_b = pair.body_B;
    out.shape_a = pair.shape_A;
    out.shape_b = pair.shape_B;
    out.corner_counts.clear();
    out.corners.clear();
    out.pressures.clear();
    double area = 0.0;
    for (const PressureFace& face : work->patch.faces) {
      if (!(face.pressure > 0.0)) continue;
      area += face.area;
      out.corner_counts.push_back(face.end - face.begin);
      for (int c = face.begin; c < face.end; ++c) {
        const Vec3& corner = work->patch.corners[static_cast<std::size_t>(c)];
        for (const double x : corner) out.corners.push_back(static_cast<float>(x));
        const double pressure = face.pressure + face.pressure_slope.dot(corner - face.centroid);
        out.pressures.push_back(static_cast<float>(std::max(0.0, pressure)));
      }
    }
    out.area = static_cast<float>(area);
    if (!out.corner_counts.empty()) ++frame->num_patches;
  }
}

}  // namespace stiction
