#include <algorithm>

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/contact_patch.h>
#include <coal/hfield.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include "bench/race/narrow_phase_peers.h"

namespace stiction::race {

namespace {

using Geometry = std::shared_ptr<coal::CollisionGeometry>;

Geometry hull_of(const PlainShape& shape) {
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  for (const auto& v : shape.vertices) points->emplace_back(v[0], v[1], v[2]);
  auto triangles = std::make_shared<std::vector<coal::Triangle>>();
  for (const auto& t : shape.triangles) triangles->emplace_back(t[0], t[1], t[2]);
  return std::make_shared<coal::Convex<coal::Triangle>>(points, points->size(), triangles, triangles->size());
}

Geometry mesh_of(const PlainShape& shape) {
  auto model = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  model->beginModel();
  for (const auto& t : shape.triangles) {
    const auto corner = [&](int i) {
      const auto& v = shape.vertices[t[i]];
      return coal::Vec3s(v[0], v[1], v[2]);
    };
    model->addTriangle(corner(0), corner(1), corner(2));
  }
  model->endModel();
  return model;
}

// Its first row lies at the largest y.
Geometry field_of(const PlainShape& shape) {
  coal::MatrixXs heights(shape.rows, shape.cols);
  for (int r = 0; r < shape.rows; ++r)
    for (int c = 0; c < shape.cols; ++c) heights(r, c) = shape.heights[(shape.rows - 1 - r) * shape.cols + c];
  return std::make_shared<coal::HeightField<coal::AABB>>(2.0 * shape.size[0], 2.0 * shape.size[1], heights,
                                                         -1.0);
}

Geometry geometry_of(const PlainShape& shape) {
  const auto& s = shape.size;
  switch (shape.kind) {
    case PlainShape::Kind::sphere:
      return std::make_shared<coal::Sphere>(s[0]);
    case PlainShape::Kind::capsule:
      return std::make_shared<coal::Capsule>(s[0], 2.0 * s[1]);
    case PlainShape::Kind::ellipsoid:
      return std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]);
    case PlainShape::Kind::cylinder:
      return std::make_shared<coal::Cylinder>(s[0], 2.0 * s[1]);
    case PlainShape::Kind::box:
      return std::make_shared<coal::Box>(2.0 * s[0], 2.0 * s[1], 2.0 * s[2]);
    case PlainShape::Kind::hull:
      return hull_of(shape);
    case PlainShape::Kind::mesh:
      return mesh_of(shape);
    default:
      return field_of(shape);
  }
}

coal::Transform3s transform_of(const PlainPose& pose) {
  coal::Matrix3s R;
  for (int i = 0; i < 9; ++i) R(i / 3, i % 3) = pose.R[i];
  return {R, coal::Vec3s(pose.p[0], pose.p[1], pose.p[2])};
}

}  // namespace

struct CoalNarrowPhase::Implementation {
  Geometry a, b;
  std::vector<coal::Transform3s> X_WA, X_WB;
  std::unique_ptr<coal::ComputeCollision> compute;
  std::unique_ptr<coal::ComputeContactPatch> compute_patch;
  coal::CollisionRequest request;
  coal::CollisionResult result;
  coal::ContactPatchRequest patch_request;
  coal::ContactPatchResult patches;
};

CoalNarrowPhase::CoalNarrowPhase(const PlainShape& A, const PlainShape& B, const std::vector<PlainPose>& X_WA,
                                 const std::vector<PlainPose>& X_WB, int max_contacts)
    : self_(std::make_unique<Implementation>()) {
  self_->a = geometry_of(A);
  self_->b = geometry_of(B);
  for (const PlainPose& pose : X_WA) self_->X_WA.push_back(transform_of(pose));
  for (const PlainPose& pose : X_WB) self_->X_WB.push_back(transform_of(pose));
  self_->compute = std::make_unique<coal::ComputeCollision>(self_->a.get(), self_->b.get());
  const auto has_patch = [](const PlainShape& shape) {
    return shape.kind != PlainShape::Kind::mesh && shape.kind != PlainShape::Kind::height_field;
  };
  if (has_patch(A) && has_patch(B))
    self_->compute_patch = std::make_unique<coal::ComputeContactPatch>(self_->a.get(), self_->b.get());
  self_->request = coal::CollisionRequest(coal::CONTACT, max_contacts);
}

CoalNarrowPhase::~CoalNarrowPhase() = default;

PeerContacts CoalNarrowPhase::collide(int pose) {
  self_->result.clear();
  (*self_->compute)(self_->X_WA[pose], self_->X_WB[pose], self_->request, self_->result);
  PeerContacts out;
  out.count = static_cast<int>(self_->result.numContacts());
  for (int i = 0; i < out.count; ++i)
    out.deepest = std::min(out.deepest, self_->result.getContact(i).penetration_depth);
  return out;
}

PeerContacts CoalNarrowPhase::collide_with_patch(int pose) {
  PeerContacts out = collide(pose);
  if (out.count == 0 || !self_->compute_patch) return out;
  self_->patches.clear();
  (*self_->compute_patch)(self_->X_WA[pose], self_->X_WB[pose], self_->result, self_->patch_request,
                          self_->patches);
  out.count = 0;
  for (std::size_t i = 0; i < self_->patches.numContactPatches(); ++i)
    out.count += static_cast<int>(self_->patches.getContactPatch(i).size());
  return out;
}

}  // namespace stiction::race
