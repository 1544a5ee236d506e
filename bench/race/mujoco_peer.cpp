#include "bench/race/mujoco_peer.h"

#include <algorithm>
#include <cmath>

#include <mujoco/mujoco.h>

#include "stiction/base/check.h"

namespace stiction::race {

namespace {

void add_joint(const PeerJoint& joint, mjsBody* body) {
  mjsJoint* out = mjs_addJoint(body, nullptr);
  out->type = joint.kind == PeerJointKind::hinge   ? mjJNT_HINGE
              : joint.kind == PeerJointKind::slide ? mjJNT_SLIDE
                                                   : mjJNT_FREE;
  std::copy(joint.axis.begin(), joint.axis.end(), out->axis);
  std::copy(joint.anchor.begin(), joint.anchor.end(), out->pos);
  out->ref = joint.reference;
  out->armature = joint.armature;
  out->align = mjALIGNFREE_FALSE;  // our own frame, so that the states mean the same
}

// Diagonal where it is diagonal to round-off: MuJoCo then has less to do.
void set_inertia(const PeerBody& body, mjsBody* out) {
  constexpr double kRoundOff = 1e-13;  // of the sum of the principal moments
  const std::array<double, 6>& I = body.inertia;
  const double trace = I[0] + I[1] + I[2];
  out->mass = body.mass;
  std::copy(body.com.begin(), body.com.end(), out->ipos);
  if (std::max({std::abs(I[3]), std::abs(I[4]), std::abs(I[5])}) <= kRoundOff * trace) {
    std::copy(I.begin(), I.begin() + 3, out->inertia);
  } else {
    std::copy(I.begin(), I.end(), out->fullinertia);
  }
  out->explicitinertial = true;
}

mjModel* make_model(const PeerModel& model) {
  mjSpec* spec = mj_makeSpec();
  spec->compiler.degree = false;
  std::copy(model.gravity.begin(), model.gravity.end(), spec->option.gravity);
  std::vector<mjsBody*> bodies;
  for (const PeerBody& body : model.bodies) {
    mjsBody* parent = body.parent < 0 ? mjs_findBody(spec, "world") : bodies[body.parent];
    mjsBody* out = mjs_addBody(parent, nullptr);
    mju_mat2Quat(out->quat, body.rotation.data());
    std::copy(body.place.begin(), body.place.end(), out->pos);
    set_inertia(body, out);
    for (const PeerJoint& joint : body.joints) add_joint(joint, out);
    bodies.push_back(out);
  }
  mjModel* compiled = mj_compile(spec, nullptr);
  const std::string error = compiled ? "" : mjs_getError(spec);
  mj_deleteSpec(spec);
  STICTION_USER_CHECK(compiled, "MuJoCo does not compile the model: {}", error);
  return compiled;
}

}  // namespace

struct MujocoPeer::Implementation {
  Implementation(const PeerModel& plain, const PeerStates& given)
      : model(make_model(plain)), data(mj_makeData(model)), states(given), x(plain.num_v) {
    STICTION_USER_CHECK(model->nq == plain.num_q && model->nv == plain.num_v,
                        "MuJoCo has {} positions and {} velocities, we have {} and {}", model->nq, model->nv,
                        plain.num_q, plain.num_v);
  }
  ~Implementation() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }

  // The state is read where it lies: nothing is copied on any side.
  void set_state(int i) {
    data->qpos = states.q.data() + i * model->nq;
    data->qvel = states.v.data() + i * model->nv;
  }

  void run_stages() {
    mj_kinematics(model, data);
    mj_comPos(model, data);
    mj_crb(model, data);
    mj_factorM(model, data);
    mj_comVel(model, data);
    mj_rne(model, data, 0, data->qfrc_bias);
  }

  // vdot in x.
  void run_forward_dynamics(int i) {
    run_stages();
    const double* tau = states.tau.data() + i * model->nv;
    for (int k = 0; k < model->nv; ++k) x[k] = tau[k] - data->qfrc_bias[k];
    mj_solveM(model, data, x.data(), x.data(), 1);
  }

  mjModel* model;
  mjData* data;
  PeerStates states;
  std::vector<double> x;
};

MujocoPeer::MujocoPeer(const PeerModel& model, const PeerStates& states)
    : self_(std::make_unique<Implementation>(model, states)) {}
MujocoPeer::~MujocoPeer() = default;

std::string MujocoPeer::version() { return mj_versionString(); }

PeerAnswer MujocoPeer::answer(int state) {
  self_->set_state(state);
  self_->run_forward_dynamics(state);
  const size_t nv = self_->x.size();
  PeerAnswer answer;
  answer.M.resize(nv * nv);
  mj_fullM(self_->model, self_->data, answer.M.data());
  answer.bias.assign(self_->data->qfrc_bias, self_->data->qfrc_bias + nv);
  answer.vdot = self_->x;
  return answer;
}

std::vector<Contestant> MujocoPeer::dynamics_stages() {
  Implementation* s = self_.get();
  const auto run = [s] {
    for (int i = 0; i < s->states.count; ++i) {
      s->set_state(i);
      s->run_stages();
    }
  };
  return {{"kinematics, comPos, crb, factorM, comVel, rne", run, s->states.count}};
}

std::vector<Contestant> MujocoPeer::forward_dynamics() {
  Implementation* s = self_.get();
  const auto run = [s] {
    for (int i = 0; i < s->states.count; ++i) {
      s->set_state(i);
      s->run_forward_dynamics(i);
    }
  };
  return {{"kinematics, comPos, crb, factorM, comVel, rne, solveM", run, s->states.count}};
}

}  // namespace stiction::race
