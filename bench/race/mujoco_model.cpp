#include "bench/race/mujoco_model.h"

#include <algorithm>
#include <string>

#include <mujoco/mujoco.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/export/export.h"
#include "stiction/math/rotation.h"

namespace stiction::race {

void DeleteMujoco::operator()(mjModel* model) const { mj_deleteModel(model); }
void DeleteMujoco::operator()(mjData* data) const { mj_deleteData(data); }

MujocoModel load_mujoco(const std::filesystem::path& file) {
  char error[1000] = "";
  MujocoModel model(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  STICTION_USER_CHECK(model != nullptr, "MuJoCo does not load {}: {}", file.string(), error);
  return model;
}

MujocoModel compile_mujoco(const Model& model) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(write_mjcf(model).c_str(), nullptr, error, sizeof error);
  STICTION_USER_CHECK(spec != nullptr, "MuJoCo does not read {}: {}", model.name, error);
  MujocoModel compiled(mj_compile(spec, nullptr));
  const std::string why = compiled ? "" : mjs_getError(spec);
  mj_deleteSpec(spec);
  STICTION_USER_CHECK(compiled != nullptr, "MuJoCo does not compile {}: {}", model.name, why);
  return compiled;
}

State state_from_mujoco(const Model& model, const mjModel* theirs, const mjData* data) {
  State state(model);
  const Forest& forest = model.forest;
  for (int j = 0; j < static_cast<int>(forest.joints.size()); ++j) {
    const JointIndices& place = forest.joints[j];
    const int index = theirs->body_jntadr[place.body] + place.index_in_body;
    const double *q = data->qpos + theirs->jnt_qposadr[index], *v = data->qvel + theirs->jnt_dofadr[index];
    double *our_q = state.q.data() + place.q_begin, *our_v = state.v.data() + place.v_begin;
    if (forest.joint(j).type == JointType::free) {
      // Theirs: (position, quaternion), (velocity of the origin in the world, angular in the body).
      std::copy_n(q + 3, 4, our_q);
      std::copy_n(q, 3, our_q + 4);
      const Mat3 R = rotation_from_quaternion<double>(Vec4(q[3], q[4], q[5], q[6]));
      const Vec3 com = Eigen::Map<const Vec3>(forest.constants[place.node_begin].p);
      const Vec3 w = R * Eigen::Map<const Vec3>(v + 3);
      Eigen::Map<Vec3> angular(our_v), linear(our_v + 3);
      angular = w;
      linear = Eigen::Map<const Vec3>(v) + w.cross(R * com);
    } else {
      std::copy_n(q, place.num_q, our_q);
      std::copy_n(v, place.num_v, our_v);
    }
  }
  return state;
}

}  // namespace stiction::race
