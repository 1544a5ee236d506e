#include "bench/race/scene_race_sides.h"

#include <algorithm>
#include <iterator>

#include <mujoco/mujoco.h>

#include "scenes/piles.h"
#include "stiction/base/check.h"
#include "stiction/base/shared_files.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction::race {

namespace {

struct SceneFile {
  const char* name;
  const char* file;
};

constexpr const char* kTwoPandas = "two_pandas_clutter";
constexpr const char* kPanda = "franka_emika_panda/panda.xml";

constexpr SceneFile kFiles[] = {
    {"humanoid", "mujoco/humanoid/humanoid.xml"},
    {"22_humanoids", "mujoco/humanoid/22_humanoids.xml"},
    {"100_humanoids", "mujoco/humanoid/100_humanoids.xml"},
    {"cards", "mujoco/cards/cards.xml"},
    {"stonehenge", "mujoco/replicate/stonehenge.xml"},
    {"bowl", "mujoco/replicate/bowl.xml"},
    {"particle", "mujoco/replicate/particle.xml"},
    {"particle_free", "mujoco/replicate/particle_free.xml"},
    {"newton_cradle", "mujoco/replicate/newton_cradle.xml"},
    {"car", "mujoco/car/car.xml"},
    {"panda", "franka_emika_panda/scene.xml"},
    {"iiwa14", "kuka_iiwa_14/scene.xml"},
    {"gen3", "kinova_gen3/scene.xml"},
    {"2f85", "robotiq_2f85/scene.xml"},
    {"allegro_right", "wonik_allegro/scene_right.xml"},
    {"shadow_right", "shadow_hand/scene_right.xml"},
    {"barkour", "google_barkour_vb/scene.xml"},
    {"cassie", "agility_cassie/scene.xml"},
    {"talos_position", "pal_talos/scene_position.xml"},
    {"talos_motor", "pal_talos/scene_motor.xml"},
};

std::filesystem::path model_file(const std::string& name) {
  const std::string relative = "models/" + name;
  const auto file = shared_file(relative);
  STICTION_USER_CHECK(file.has_value(), "{}", missing_shared_file(relative));
  return *file;
}

// Two arms face each other across a low box, their hands above its edge; 40 bodies fall into it between them.
Model two_pandas_over_clutter() {
  constexpr double kFar = 0.9, kSide = 0.8, kWall = 0.05, kHigh = 0.3;  // m
  const Model panda = load_model_file(model_file(kPanda));
  const Model bodies = scenes::clutter({.walls = false});
  ModelBuilder builder(kTwoPandas);
  builder.attach(bodies, "world", {}, "");
  for (int i = 0; i < 4; ++i) {
    const double out = (i % 2 == 0 ? 1.0 : -1.0) * (kSide / 2.0 + kWall), along = kSide / 2.0 + 2.0 * kWall;
    const Vec3 place = i < 2 ? Vec3(out, 0.0, kHigh / 2.0) : Vec3(0.0, out, kHigh / 2.0);
    const Vec3 half = i < 2 ? Vec3(kWall, along, kHigh / 2.0) : Vec3(along, kWall, kHigh / 2.0);
    const std::string name = "wall" + std::to_string(i);
    builder.add_shape(name, "world", translation(place), Box{half});
    builder.set_material(name, bodies.shapes[bodies.shape("floor")].contact);
  }
  const Pose turned = {rotation_exp<double>(Vec3(0.0, 0.0, M_PI)), Vec3(kFar, 0.0, 0.0)};
  builder.attach(panda, "world", translation(-kFar, 0.0, 0.0), "left/");
  builder.attach(panda, "world", turned, "right/");

  Model model = builder.build();
  const Keyframe& home = panda.elements.keyframes.at(0);
  Keyframe start;
  start.name = "home";
  start.q = model.q0;
  for (const std::string prefix : {"left/", "right/"}) {
    for (int j = 0; j < static_cast<int>(panda.forest.joints.size()); ++j) {
      const JointIndices& from = panda.forest.joints[j];
      const JointIndices& to = model.forest.joints[model.joint(prefix + panda.forest.joint(j).name)];
      start.q.segment(to.q_begin, to.num_q) = home.q.segment(from.q_begin, from.num_q);
    }
    start.controls.insert(start.controls.end(), home.controls.begin(), home.controls.end());
  }
  model.elements.keyframes.push_back(start);
  return model;
}

void start_again(const mjModel* model, mjData* data) {
  if (model->nkey > 0) {
    mj_resetDataKeyframe(model, data, 0);
  } else {
    mj_resetData(model, data);
  }
}

WorldOptions options_of(const SceneModels& models, const std::string& formulation, double tolerance) {
  WorldOptions options;
  if (!formulation.empty()) set_formulation(formulation, &options.formulation.contact);
  if (tolerance > 0.0) set_tolerance(tolerance, &options.formulation);
  options.h = models.theirs->opt.timestep;
  return options;
}

}  // namespace

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const SceneFile& scene : kFiles) names.push_back(scene.name);
  names.push_back(kTwoPandas);
  return names;
}

SceneModels make_scene_models(const std::string& name) {
  SceneModels models;
  models.name = name;
  if (name == kTwoPandas) {
    models.ours = std::make_shared<const Model>(two_pandas_over_clutter());
    models.theirs = compile_mujoco(*models.ours);
  } else {
    const auto scene = std::find_if(std::begin(kFiles), std::end(kFiles),
                                    [&](const SceneFile& file) { return name == file.name; });
    std::string known;
    for (const std::string& other : scene_names()) known += " " + other;
    STICTION_USER_CHECK(scene != std::end(kFiles), "no scene '{}' in the race; there are{}", name, known);
    const std::filesystem::path file = model_file(scene->file);
    models.ours = std::make_shared<const Model>(load_model_file(file));
    models.theirs = load_mujoco(file);
  }
  const Model& ours = *models.ours;
  STICTION_USER_CHECK(models.theirs->nq == ours.num_q() && models.theirs->nv == ours.num_v(),
                      "MuJoCo has {} positions, we have {}", models.theirs->nq, ours.num_q());
  STICTION_USER_CHECK(models.theirs->nu == static_cast<int>(ours.elements.actuators.size()),
                      "MuJoCo has {} actuators, we have {}", models.theirs->nu,
                      ours.elements.actuators.size());
  return models;
}

OurSide::OurSide(const SceneModels& models, const std::string& formulation, double tolerance)
    : world_(models.ours, options_of(models, formulation, tolerance)) {
  if (!world_.sensor_model().is_disabled)
    for (const ResolvedSensor& sensor : world_.sensor_model().sensors) num_sensors_ += sensor.is_simulated;
  restart();
}

void OurSide::restart() {
  if (world_.model().elements.keyframes.empty()) {
    world_.reset();
  } else {
    world_.reset_to_keyframe("0");
  }
}

void OurSide::set_controls(const std::vector<double>& controls) {
  world_.input().controls = Eigen::Map<const VecX>(controls.data(), Eigen::Index(controls.size()));
}

SceneFigures OurSide::figures() const {
  const StepRecord& record = world_.record();
  double touching = 0.0;
  for_each_contact(record.collision,
                   [&](const ShapePair&, const ContactPoint& point) { touching += point.distance <= 0.0; });
  return {touching, deepest_overlap(record), static_cast<double>(record.report.contact.iterations),
          record.report.contact.residual};
}

MujocoSide::MujocoSide(const SceneModels& models)
    : model_(models.theirs.get()), data_(mj_makeData(models.theirs.get())) {
  mju_user_warning = [](const char*) {};  // failures() tells
  restart();
}

void MujocoSide::restart() { start_again(model_, data_.get()); }

void MujocoSide::set_controls(const std::vector<double>& controls) {
  std::copy(controls.begin(), controls.end(), data_->ctrl);
}

void MujocoSide::step() { mj_step(model_, data_.get()); }

SceneFigures MujocoSide::figures() const {
  SceneFigures figures;
  for (int c = 0; c < data_->ncon; ++c) figures.deepest = std::max(figures.deepest, -data_->contact[c].dist);
  figures.contacts = data_->ncon;
  const int islands = std::clamp(data_->nisland, 1, mjNISLAND);
  figures.iterations = *std::max_element(data_->solver_niter, data_->solver_niter + islands);
  figures.residual = residual();
  return figures;
}

// All of it is still that of the step, except for the velocities, which are those at its end. The forces of
// constraints are those of its laws at its accelerations, which a dual solver meets only at its end.
double MujocoSide::residual() const {
  const Eigen::Index n = model_->nv;
  const auto vector = [&](const mjtNum* numbers) { return Eigen::Map<const VecX>(numbers, n); };
  mjData* data = data_.get();
  VecX constraint_forces = VecX::Zero(n);
  if (data->nefc > 0) {
    const VecX kept_sum = vector(data->qfrc_constraint);
    const VecX kept_forces = Eigen::Map<const VecX>(data->efc_force, data->nefc);
    const std::vector<int> kept_states(data->efc_state, data->efc_state + data->nefc);
    VecX rates(data->nefc);
    mj_mulJacVec(model_, data, rates.data(), data->qacc);
    rates -= Eigen::Map<const VecX>(data->efc_aref, data->nefc);
    mj_constraintUpdate(model_, data, rates.data(), nullptr, 0);
    constraint_forces = vector(data->qfrc_constraint);
    std::copy_n(kept_sum.data(), n, data->qfrc_constraint);
    std::copy_n(kept_forces.data(), data->nefc, data->efc_force);
    std::copy_n(kept_states.data(), data->nefc, data->efc_state);
  }
  VecX Ma(n), Mv(n);
  mj_mulM(model_, data_.get(), Ma.data(), data_->qacc);
  mj_mulM(model_, data_.get(), Mv.data(), data_->qvel);
  const VecX scale = vector(model_->dof_M0).cwiseSqrt().cwiseInverse();
  const double size = std::max(Mv.cwiseProduct(scale).norm() / model_->opt.timestep,
                               constraint_forces.cwiseProduct(scale).norm());
  const VecX left = Ma - vector(data_->qfrc_smooth) - constraint_forces;
  return size > 0.0 ? left.cwiseProduct(scale).norm() / size : 0.0;
}

int MujocoSide::failures() const {
  return data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number +
         data_->warning[mjWARN_BADQACC].number;
}

ControlNoise::ControlNoise(const SceneModels& models) : random_(1) {
  const mjModel* theirs = models.theirs.get();
  const MujocoData data(mj_makeData(theirs));
  start_again(theirs, data.get());
  centre_.assign(data->ctrl, data->ctrl + theirs->nu);
  for (int i = 0; i < theirs->nu; ++i) {
    const double range = theirs->actuator_ctrlrange[2 * i + 1] - theirs->actuator_ctrlrange[2 * i];
    half_range_.push_back(range > 0.0 ? range / 2.0 : 1.0);
  }
  wave_.assign(centre_.size(), 0.0);
  controls_ = centre_;
}

const std::vector<double>& ControlNoise::next() {
  constexpr double kKept = 0.9, kNoise = 0.01;
  for (size_t i = 0; i < wave_.size(); ++i) {
    wave_[i] = kKept * wave_[i] + kNoise * random_.normal();
    controls_[i] = centre_[i] + half_range_[i] * wave_[i];
  }
  return controls_;
}

}  // namespace stiction::race
