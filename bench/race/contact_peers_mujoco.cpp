#include "bench/race/contact_peers_mujoco.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/race/mujoco_model.h"
#include "stiction/base/check.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/collision/collision_model.h"
#include "stiction/simulation/model_tables.h"

namespace stiction::race {

namespace {

constexpr double kFirmestImpedance = 0.99;
constexpr int kMostIterations = 1000;  // with less than the default tolerance: those that it needs
constexpr double kStiffer = 1.1;       // so that averaged impedances are no softer than ours

// What a geom brings to its contacts.
struct GeomContact {
  double friction = 1.0;
  double solmix = 1.0;
  double solref[mjNREF] = {};
  double solimp[mjNIMP] = {0.9, 0.9, 0.001, 0.5, 2.0};
};

GeomContact our_contact(const PairMaterial& pair, double mass) {
  const double h = kContactStep, tau = pair.relaxation_time < 0.0 ? h : pair.relaxation_time;
  const double R = 1.0 / (h * kStiffer * pair.stiffness * (h + tau)), A = 2.0 / mass, d = A / (A + R);
  GeomContact contact;
  contact.friction = pair.static_friction;
  contact.solref[0] = -d / (h * (h + tau));
  contact.solref[1] = -d / h;
  contact.solimp[0] = contact.solimp[1] = d;
  return contact;
}

class MujocoPile : public Pile {
 public:
  MujocoPile(MujocoModel model, const State& state, const Forest& forest)
      : model_(std::move(model)), data_(mj_makeData(model_.get())) {
    for (const JointIndices& place : forest.joints) {
      // Ours: (quaternion, origin), (angular velocity, velocity of the centre of mass) in the world. Theirs:
      // (origin, quaternion), (velocity of the origin in the world, angular velocity in the body).
      const double *q = state.q.data() + place.q_begin, *v = state.v.data() + place.v_begin;
      const int joint = model_->body_jntadr[place.body];
      double* their_q = data_->qpos + model_->jnt_qposadr[joint];
      double* their_v = data_->qvel + model_->jnt_dofadr[joint];
      std::copy_n(q + 4, 3, their_q);
      std::copy_n(q, 4, their_q + 3);
      const Mat3 R = rotation_from_quaternion<double>(Vec4(q[0], q[1], q[2], q[3]));
      std::copy_n(v + 3, 3, their_v);
      Eigen::Map<Vec3>(their_v + 3) = R.transpose() * Eigen::Map<const Vec3>(v);
    }
  }

  MujocoPile(MujocoModel model, const MujocoRest& rest)
      : model_(std::move(model)), data_(mj_makeData(model_.get())) {
    std::copy(rest.qpos.begin(), rest.qpos.end(), data_->qpos);
    std::copy(rest.qvel.begin(), rest.qvel.end(), data_->qvel);
    std::copy(rest.warm_start.begin(), rest.warm_start.end(), data_->qacc_warmstart);
  }

  MujocoRest rest() const {
    const int nq = model_->nq, nv = model_->nv;
    return {{data_->qpos, data_->qpos + nq},
            {data_->qvel, data_->qvel + nv},
            {data_->qacc_warmstart, data_->qacc_warmstart + nv}};
  }

  void step() override { mj_step(model_.get(), data_.get()); }

  StepFigures figures() override {
    StepFigures figures;
    for (int c = 0; c < data_->ncon; ++c)
      figures.deepest = std::max(figures.deepest, -data_->contact[c].dist);
    figures.contacts = data_->ncon;
    const int islands = std::clamp(data_->nisland, 1, mjNISLAND);
    figures.iterations = *std::max_element(data_->solver_niter, data_->solver_niter + islands);
    figures.residual = residual();
    return figures;
  }

  void add_speeds(std::vector<double>* sums) override {
    sums->resize(static_cast<size_t>(model_->njnt));
    for (int j = 0; j < model_->njnt; ++j) {
      const double* v = data_->qvel + model_->jnt_dofadr[j];
      (*sums)[j] += has_failed() ? INFINITY : std::hypot(v[0], v[1], v[2]);
    }
  }

 private:
  // MuJoCo starts again from the beginning when a number grows too large.
  bool has_failed() const {
    return data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number +
               data_->warning[mjWARN_BADQACC].number + data_->warning[mjWARN_CNSTRFULL].number >
           0;
  }

  double residual() {
    const int n = model_->nv;
    const double h = model_->opt.timestep;
    VecX Ma(n), Mv(n);
    mj_mulM(model_.get(), data_.get(), Ma.data(), data_->qacc);
    mj_mulM(model_.get(), data_.get(), Mv.data(), data_->qvel);
    double gradient = 0.0, momentum = 0.0, impulse = 0.0;
    for (int i = 0; i < n; ++i) {
      const double D2 = 1.0 / model_->dof_M0[i];
      const double g = h * (Ma[i] - data_->qfrc_smooth[i] - data_->qfrc_constraint[i]);
      const double j = h * data_->qfrc_constraint[i];
      gradient += D2 * g * g;
      momentum += D2 * Mv[i] * Mv[i];
      impulse += D2 * j * j;
    }
    const double scale = std::max(momentum, impulse);
    return scale > 0.0 ? std::sqrt(gradient / scale) : 0.0;
  }

  MujocoModel model_;
  MujocoData data_;
};

}  // namespace

std::string MujocoSetting::name() const {
  constexpr const char* kContacts[] = {"our", "default", "firm", "firmest"};
  return fmt::format("{}, {}, {} contact, impratio {:g}, tolerance {:g}", newton ? "Newton" : "CG",
                     elliptic ? "elliptic" : "pyramidal", kContacts[static_cast<int>(contact)], impratio,
                     tolerance);
}

std::string mujoco_version() { return mj_versionString(); }

struct MujocoScene::Implementation {
  std::shared_ptr<const Model> ours;
  MujocoModel model;
  std::vector<GeomContact> contacts;  // of every geom
};

MujocoScene::MujocoScene(std::shared_ptr<const Model> model) : self_(std::make_unique<Implementation>()) {
  mju_user_warning = [](const char*) {};  // a setting that fails is dropped
  self_->ours = model;
  self_->model = compile_mujoco(*model);
  mjModel* compiled = self_->model.get();
  STICTION_USER_CHECK(compiled->nq == model->num_q() && compiled->nv == model->num_v(),
                      "MuJoCo has {} positions, we have {}", compiled->nq, model->num_q());
  self_->contacts.resize(static_cast<size_t>(compiled->ngeom));
  const auto collision = make_collision_model(*model);
  for (size_t i = 0; i < collision->items.size(); ++i) {
    const CollisionItem& item = collision->items[i];
    const int geom = mj_name2id(compiled, mjOBJ_GEOM, model->shapes[item.shape].name.c_str());
    STICTION_USER_CHECK(geom >= 0, "MuJoCo has no geom '{}'", model->shapes[item.shape].name);
    const PairMaterial pair = model->tables().pair(static_cast<int>(i), static_cast<int>(i), kContactStep);
    const double mass = compiled->body_mass[compiled->geom_bodyid[geom]];
    self_->contacts[geom] = our_contact(pair, item.is_static() ? 1.0 : mass);
    if (item.is_static()) self_->contacts[geom].solmix = 0.0;  // what lies on it decides
  }
}
MujocoScene::~MujocoScene() = default;

namespace {

MujocoModel model_with(const MujocoModel& given, const std::vector<GeomContact>& contacts,
                       const MujocoSetting& setting) {
  MujocoModel model(mj_copyModel(nullptr, given.get()));
  mjOption& option = model->opt;
  option.timestep = kContactStep;
  option.solver = setting.newton ? mjSOL_NEWTON : mjSOL_CG;
  option.cone = setting.elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  option.impratio = setting.impratio;
  option.tolerance = setting.tolerance;
  if (setting.tolerance < kDefaultTolerance) option.iterations = std::max(option.iterations, kMostIterations);
  for (int g = 0; g < model->ngeom; ++g) {
    const GeomContact& contact = contacts[g];
    model->geom_condim[g] = 3;
    model->geom_friction[3 * g] = contact.friction;
    double *solref = model->geom_solref + mjNREF * g, *solimp = model->geom_solimp + mjNIMP * g;
    if (setting.contact == MujocoContact::ours) {
      model->geom_solmix[g] = contact.solmix;
      std::copy_n(contact.solref, mjNREF, solref);
      std::copy_n(contact.solimp, mjNIMP, solimp);
    } else if (setting.contact != MujocoContact::defaults) {
      solref[0] = 2.0 * kContactStep;
      solref[1] = 1.0;
      if (setting.contact == MujocoContact::firmest) solimp[0] = solimp[1] = kFirmestImpedance;
    }
  }
  return model;
}

}  // namespace

std::unique_ptr<Pile> make_mujoco_pile(const MujocoScene& scene, const MujocoSetting& setting,
                                       const State& state) {
  return std::make_unique<MujocoPile>(model_with(scene.self_->model, scene.self_->contacts, setting), state,
                                      scene.self_->ours->forest);
}

std::unique_ptr<Pile> make_mujoco_pile(const MujocoScene& scene, const MujocoSetting& setting,
                                       const MujocoRest& rest) {
  return std::make_unique<MujocoPile>(model_with(scene.self_->model, scene.self_->contacts, setting), rest);
}

MujocoRest rest_of(const Pile& pile) { return dynamic_cast<const MujocoPile&>(pile).rest(); }

}  // namespace stiction::race
