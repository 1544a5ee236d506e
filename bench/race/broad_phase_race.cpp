#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/race/coal_broad_phase.h"
#include "bench/race/collision_stage_race.h"
#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/geometry/broad_phase/broad_phase.h"

namespace stiction::race {

namespace {

constexpr double kGoal = 1.5;
constexpr double kHalf = 0.1, kSpacing = 0.25, kJitter = 0.01, kWobble = 0.004;  // m
constexpr double kStep = 2e-3;                                                   // s
constexpr int kStepsOfARun = 40;  // enough for several sweeps of ours, which come every ten steps or so
constexpr int kTurnAround = 500;  // steps

// Where the cubes are in a step; they drift together, each with a wobble of its own, and come back.
class Crowd {
 public:
  explicit Crowd(int count) {
    Random random(1);
    const int side = static_cast<int>(std::ceil(std::cbrt(count)));
    for (int i = 0; i < count; ++i) {
      const std::array<int, 3> cell = {i % side, i / side % side, i / side / side};
      for (const int k : cell) places_.push_back(kSpacing * k + random.uniform(-kJitter, kJitter));
      for (int k = 0; k < 3; ++k) rates_.push_back(random.uniform(-20.0, 20.0));
    }
    positions_ = places_;
  }

  int count() const { return static_cast<int>(places_.size() / 3); }
  const double* positions() const { return positions_.data(); }

  void advance() {
    if (step_ + direction_ < 0 || step_ + direction_ > kTurnAround) direction_ = -direction_;
    step_ += direction_;
    const double time = kStep * step_;
    constexpr std::array<double, 3> kDrift = {0.9, 0.3, 0.3};  // m/s
    for (size_t i = 0; i < places_.size(); ++i) {
      // A triangle wave costs less than a sine and moves as fast.
      const double phase = rates_[i] * time, turn = phase - std::floor(phase);
      positions_[i] = places_[i] + kDrift[i % 3] * time + kWobble * (4.0 * std::abs(turn - 0.5) - 1.0);
    }
  }

 private:
  std::vector<double> places_, rates_, positions_;
  int step_ = 0, direction_ = 1;
};

class OurBroadPhase {
 public:
  explicit OurBroadPhase(int count)
      : broad_phase_(filter(count), std::vector<Extent>(count, Extent::moving)) {}

  int count_pairs(const Crowd& crowd) {
    const Vec3 half = Vec3::Constant(kHalf);
    for (int i = 0; i < crowd.count(); ++i) {
      const Eigen::Map<const Vec3> centre(crowd.positions() + 3 * i);
      broad_phase_.set_box(i, centre - half, centre + half);
    }
    return static_cast<int>(broad_phase_.find_pairs().size());
  }
  const BroadPhase::Counts& counts() const { return broad_phase_.counts(); }

 private:
  static PairFilter filter(int count) {
    PairFilter out;
    out.items.resize(count);
    for (int i = 0; i < count; ++i) out.items[i].group = i;
    return out;
  }
  BroadPhase broad_phase_;
};

// The crowd in a few of its steps, ready for mj_collision.
class MujocoBroadPhase {
 public:
  MujocoBroadPhase(Crowd crowd, bool moves) {
    mjSpec* spec = mj_makeSpec();
    for (int i = 0; i < crowd.count(); ++i) {
      mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), nullptr);
      std::copy_n(crowd.positions() + 3 * i, 3, body->pos);
      mjs_addJoint(body, nullptr)->type = mjJNT_SLIDE;
      mjsGeom* geom = mjs_addGeom(body, nullptr);
      geom->type = mjGEOM_BOX;
      std::fill_n(geom->size, 3, kHalf);
    }
    model_ = mj_compile(spec, nullptr);
    mj_deleteSpec(spec);
    STICTION_USER_CHECK(model_ != nullptr, "MuJoCo does not compile {} boxes", crowd.count());
    const int num_states = moves ? 4 : 1;
    for (int s = 0; s < num_states; ++s) {
      // Geoms are moved where they are: the kinematics is not part of the race.
      mjData* data = mj_makeData(model_);
      mj_kinematics(model_, data);
      mj_comPos(model_, data);
      for (int i = 0; i < crowd.count(); ++i) {
        std::copy_n(crowd.positions() + 3 * i, 3, data->xpos + 3 * (i + 1));
        std::copy_n(crowd.positions() + 3 * i, 3, data->xipos + 3 * (i + 1));
        std::copy_n(crowd.positions() + 3 * i, 3, data->geom_xpos + 3 * i);
      }
      data_.push_back(data);
      for (int k = 0; k < 100; ++k) crowd.advance();
    }
  }
  MujocoBroadPhase(const MujocoBroadPhase&) = delete;
  MujocoBroadPhase& operator=(const MujocoBroadPhase&) = delete;
  ~MujocoBroadPhase() {
    for (mjData* data : data_) mj_deleteData(data);
    mj_deleteModel(model_);
  }

  int num_states() const { return static_cast<int>(data_.size()); }
  int count_contacts() {
    int contacts = 0;
    for (mjData* data : data_) {
      mj_collision(model_, data);
      contacts += data->ncon;
    }
    return contacts;
  }

 private:
  mjModel* model_ = nullptr;
  std::vector<mjData*> data_;
};

RaceRow row_of(const std::string& scene, const std::string& peer, const std::string& version,
               const Times& ours, const Times& theirs, const std::string& note) {
  return {"broad_phase", scene, peer, version, ours, theirs, kGoal, note};
}

void race_crowd(int count, bool moves, std::vector<RaceRow>* rows) {
  const std::string scene = fmt::format("{} boxes {}", count, moves ? "moving" : "at rest");
  Crowd ours_crowd(count), tree_crowd(count), sweep_crowd(count);
  OurBroadPhase ours(count);
  CoalBroadPhase tree(CoalBroadPhase::Method::dynamic_tree, count, kHalf);
  CoalBroadPhase sweep(CoalBroadPhase::Method::sweep, count, kHalf);
  MujocoBroadPhase mujoco(Crowd(count), moves);
  tree.move(tree_crowd.positions());
  sweep.move(sweep_crowd.positions());
  STICTION_USER_CHECK(ours.count_pairs(ours_crowd) == 0 && tree.count_pairs() == 0 &&
                          sweep.count_pairs() == 0 && mujoco.count_contacts() == 0,
                      "boxes that should be apart overlap");

  int checksum = 0;
  const int steps = moves ? kStepsOfARun : 1;
  const auto coal = [&](CoalBroadPhase* peer, Crowd* crowd) {
    for (int step = 0; step < steps; ++step) {
      // At rest they are told so, box by box, as we are.
      if (moves) crowd->advance();
      peer->move(crowd->positions());
      checksum += peer->count_pairs();
    }
  };
  const std::vector<Contestant> contestants = {
      {"ours",
       [&] {
         for (int step = 0; step < steps; ++step) {
           if (moves) ours_crowd.advance();
           checksum += ours.count_pairs(ours_crowd);
         }
       },
       steps},
      {"mujoco", [&] { checksum += mujoco.count_contacts(); }, mujoco.num_states()},
      {"coal tree", [&] { coal(&tree, &tree_crowd); }, steps},
      {"coal sweep", [&] { coal(&sweep, &sweep_crowd); }, steps},
  };
  const std::vector<Times> seconds = times_in_turns(contestants);
  const BroadPhase::Counts& counts = ours.counts();
  const std::string note = fmt::format("{} sweeps in {} calls", counts.sweeps, counts.calls);
  rows->push_back(row_of(scene, "mujoco", mj_versionString(), seconds[0], seconds[1], note));
  const bool tree_wins = seconds[2].median < seconds[3].median;
  rows->push_back(row_of(scene, "coal", CoalBroadPhase::version(), seconds[0],
                         tree_wins ? seconds[2] : seconds[3],
                         fmt::format("coal: {}", tree_wins ? "dynamic tree" : "sweep and prune")));
  STICTION_USER_CHECK(checksum == 0, "boxes that should be apart overlap");
}

}  // namespace

std::vector<RaceRow> race_broad_phase() {
  std::vector<RaceRow> rows;
  for (const int count : {1000, 10000})
    for (const bool moves : {false, true}) race_crowd(count, moves, &rows);
  return rows;
}

}  // namespace stiction::race
