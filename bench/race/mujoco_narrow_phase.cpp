#include <algorithm>

#include <mujoco/mujoco.h>

#include "bench/race/narrow_phase_peers.h"
#include "stiction/base/check.h"

namespace stiction::race {

namespace {

mjtGeom type_of(PlainShape::Kind kind) {
  switch (kind) {
    case PlainShape::Kind::sphere:
      return mjGEOM_SPHERE;
    case PlainShape::Kind::capsule:
      return mjGEOM_CAPSULE;
    case PlainShape::Kind::ellipsoid:
      return mjGEOM_ELLIPSOID;
    case PlainShape::Kind::cylinder:
      return mjGEOM_CYLINDER;
    case PlainShape::Kind::box:
      return mjGEOM_BOX;
    case PlainShape::Kind::height_field:
      return mjGEOM_HFIELD;
    default:
      return mjGEOM_MESH;
  }
}

void add_asset(mjSpec* spec, const char* name, const PlainShape& shape) {
  if (type_of(shape.kind) == mjGEOM_MESH) {
    mjsMesh* mesh = mjs_addMesh(spec, nullptr);
    mjs_setName(mesh->element, name);
    std::vector<float> numbers;
    for (const auto& v : shape.vertices)
      for (const double x : v) numbers.push_back(static_cast<float>(x));
    mjs_setFloat(mesh->uservert, numbers.data(), static_cast<int>(numbers.size()));
  } else if (shape.kind == PlainShape::Kind::height_field) {
    mjsHField* field = mjs_addHField(spec);
    mjs_setName(field->element, name);
    std::copy_n(shape.size.data(), 3, field->size);
    field->size[3] = 1.0;
    field->nrow = shape.rows;
    field->ncol = shape.cols;
    std::vector<float> numbers(shape.heights.begin(), shape.heights.end());
    mjs_setFloat(field->userdata, numbers.data(), static_cast<int>(numbers.size()));
  }
}

void add_geom(mjSpec* spec, const char* name, const PlainShape& shape, const PlainPose& pose) {
  mjsGeom* geom = mjs_addGeom(mjs_findBody(spec, "world"), nullptr);
  geom->type = type_of(shape.kind);
  std::copy_n(shape.size.data(), 3, geom->size);
  if (geom->type == mjGEOM_MESH) mjs_setString(geom->meshname, name);
  if (geom->type == mjGEOM_HFIELD) mjs_setString(geom->hfieldname, name);
  std::copy_n(pose.p.data(), 3, geom->pos);
  mju_mat2Quat(geom->quat, pose.R.data());
}

}  // namespace

struct MujocoNarrowPhase::Implementation {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  mjfCollision function = nullptr;
  mjPreContact contacts[mjMAXCONPAIR];
};

MujocoNarrowPhase::MujocoNarrowPhase(const PlainShape& A, const PlainShape& B,
                                     const std::vector<PlainPose>& X_WA, const std::vector<PlainPose>& X_WB)
    : self_(std::make_unique<Implementation>()) {
  mjSpec* spec = mj_makeSpec();
  add_asset(spec, "a", A);
  add_asset(spec, "b", B);
  for (std::size_t i = 0; i < X_WA.size(); ++i) {
    add_geom(spec, "a", A, X_WA[i]);
    add_geom(spec, "b", B, X_WB[i]);
  }
  self_->model = mj_compile(spec, nullptr);
  const std::string error = self_->model == nullptr ? mjs_getError(spec) : "";
  mj_deleteSpec(spec);
  STICTION_USER_CHECK(self_->model != nullptr, "MuJoCo does not compile a pair of shapes: {}", error);
  self_->data = mj_makeData(self_->model);
  mj_kinematics(self_->model, self_->data);
  STICTION_USER_CHECK(type_of(A.kind) <= type_of(B.kind), "MuJoCo has this pair the other way round");
  self_->function = mjCOLLISIONFUNC[type_of(A.kind)][type_of(B.kind)];
}

MujocoNarrowPhase::~MujocoNarrowPhase() {
  mj_deleteData(self_->data);
  mj_deleteModel(self_->model);
}

PeerContacts MujocoNarrowPhase::collide(int pose) {
  PeerContacts out;
  out.count = self_->function(self_->model, self_->data, self_->contacts, 2 * pose, 2 * pose + 1, 0.0);
  for (int i = 0; i < out.count; ++i) out.deepest = std::min(out.deepest, self_->contacts[i].dist);
  return out;
}

}  // namespace stiction::race
