#include "bench/race/collision_stage_race.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/race/mujoco_model.h"
#include "stiction/base/check.h"
#include "stiction/base/shared_files.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/collision/collision.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/state.h"

namespace stiction::race {

namespace {

constexpr double kGoal = 1.5;
constexpr int kSettlingSteps = 200, kStates = 16;

constexpr const char* kFiles[] = {
    "mujoco/humanoid/humanoid.xml",
    "mujoco/humanoid/22_humanoids.xml",
    "pal_talos/scene_motor.xml",
    "shadow_hand/scene_right.xml",
};

// MuJoCo's model in successive states of a motion, with the kinematics of each.
struct MujocoStates {
  MujocoModel model;
  std::vector<MujocoData> states;

  explicit MujocoStates(const std::filesystem::path& file) : model(load_mujoco(file)) {
    const MujocoData motion(mj_makeData(model.get()));
    if (model->nkey > 0) mj_resetDataKeyframe(model.get(), motion.get(), 0);
    for (int step = 0; step < kSettlingSteps + kStates; ++step) {
      mj_step(model.get(), motion.get());
      if (step < kSettlingSteps) continue;
      states.emplace_back(mj_copyData(nullptr, model.get(), motion.get()));
      mj_kinematics(model.get(), states.back().get());
      mj_comPos(model.get(), states.back().get());
    }
  }

  int count_contacts() const {
    int contacts = 0;
    for (const auto& state : states) {
      mj_collision(model.get(), state.get());
      contacts += state->ncon;
    }
    return contacts;
  }
};

class OurStates {
 public:
  OurStates(const std::filesystem::path& file, const MujocoStates& theirs)
      : model_(load_model_file(file)),
        h_(theirs.model->opt.timestep),
        collision_(*model_.tables().collision),
        work_(*model_.tables().collision) {
    STICTION_USER_CHECK(model_.num_q() == theirs.model->nq && model_.num_v() == theirs.model->nv,
                        "MuJoCo has {} positions, we have {}", theirs.model->nq, model_.num_q());
    for (const auto& data : theirs.states) {
      const State state = state_from_mujoco(model_, theirs.model.get(), data.get());
      kinematics_.emplace_back(model_.forest);
      compute_positions(model_.forest, state.q.data(), &kinematics_.back());
      compute_velocities(model_.forest, state.v.data(), &kinematics_.back());
    }
  }

  // There or back, in turn: every state is near the one before it.
  int count_points() {
    int points = 0;
    for (int s = 0; s < kStates; ++s) {
      Kinematics& kinematics = kinematics_[is_back_ ? kStates - 1 - s : s];
      find_pairs(model_, kinematics, h_, {}, &collision_, &work_);
      find_contacts(model_, h_, {}, &collision_, &work_);
      points += static_cast<int>(collision_.points.size());
    }
    is_back_ = !is_back_;
    return points;
  }
  int count_touching() {
    int touching = 0;
    for (Kinematics& kinematics : kinematics_) {
      find_pairs(model_, kinematics, h_, {}, &collision_, &work_);
      find_contacts(model_, h_, {}, &collision_, &work_);
      for (const ContactPoint& point : collision_.points) touching += point.distance <= 0.0;
    }
    return touching;
  }

 private:
  Model model_;
  double h_;  // s
  CollisionRecord collision_;
  CollisionWorkspace work_;
  std::vector<Kinematics> kinematics_;
  bool is_back_ = false;
};

RaceRow race_file(const std::filesystem::path& file) {
  const std::string scene = file.parent_path().filename().string() + "/" + file.stem().string();
  try {
    const MujocoStates mujoco(file);
    OurStates ours(file, mujoco);
    const int touching = ours.count_touching(), points = ours.count_points(),
              contacts = mujoco.count_contacts();
    int sum = 0;
    const std::vector<Times> seconds = times_in_turns({
        {"ours", [&] { sum += ours.count_points(); }, kStates},
        {"mujoco", [&] { sum += mujoco.count_contacts(); }, kStates},
    });
    const std::string note =
        fmt::format("points a step: {:.1f}, {:.1f} of them touch; mujoco {:.1f}", 1.0 * points / kStates,
                    1.0 * touching / kStates, 1.0 * contacts / kStates);
    return {"collision_stage", scene, "mujoco", mj_versionString(), seconds[0], seconds[1], kGoal, note};
  } catch (const UserError& error) {
    return failed_row("collision_stage", scene, "mujoco", mj_versionString(), kGoal, error.what());
  }
}

}  // namespace

std::vector<RaceRow> race_collision_stage() {
  std::vector<RaceRow> rows;
  for (const char* name : kFiles) {
    const auto file = shared_file(std::string("models/") + name);
    if (file) rows.push_back(race_file(*file));
  }
  return rows;
}

}  // namespace stiction::race
