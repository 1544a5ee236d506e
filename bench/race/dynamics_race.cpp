#include "bench/race/dynamics_race.h"

#include <algorithm>

#include "bench/race/dynamics_check.h"
#include "bench/race/mujoco_peer.h"
#include "bench/race/our_dynamics.h"
#include "bench/race/peer_coordinates.h"
#include "bench/race/pinocchio_peer.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/base/timer.h"

namespace stiction::race {

namespace {

const char* const kScenes[] = {"arm", "quadruped", "humanoid", "hand", "chain", "free_bodies_and_arms"};
const char* const kStages = "dynamics_stages";
const char* const kForward = "forward_dynamics";
const char* const kInverseDerivatives = "inverse_dynamics_derivatives";
const char* const kForwardDerivatives = "forward_dynamics_derivatives";
constexpr double kGoal = 2.0, kDerivativesGoal = 1.5;

std::vector<Contestant> our_contestants(const std::string& race, OurDynamics* ours) {
  if (race == kStages) return ours->dynamics_stages();
  if (race == kForward) return ours->forward_dynamics();
  if (race == kInverseDerivatives) return ours->inverse_dynamics_derivatives();
  if (race == kForwardDerivatives) return ours->forward_dynamics_derivatives();
  throw_user_error(format("there is no race '{}' (races: {}, {}, {}, {})", race, kStages, kForward, kInverseDerivatives,
                          kForwardDerivatives));
}

// One side of a race: who, and the ways it has.
struct Side {
  std::string name, version, remark;
  std::vector<Contestant> ways;
};

struct Fastest {
  double seconds = 0.0;
  std::string way;
};

// Times all ways of all sides in turns; the fastest way of every side.
std::vector<Fastest> fastest_ways(const std::vector<Side>& sides) {
  std::vector<Contestant> all;
  for (const Side& side : sides) all.insert(all.end(), side.ways.begin(), side.ways.end());
  const std::vector<double> seconds = median_seconds(all);
  std::vector<Fastest> fastest;
  size_t next = 0;
  for (const Side& side : sides) {
    const auto begin = seconds.begin() + static_cast<std::ptrdiff_t>(next);
    const auto best = std::min_element(begin, begin + static_cast<std::ptrdiff_t>(side.ways.size()));
    fastest.push_back({*best, side.ways[best - begin].name});
    next += side.ways.size();
  }
  return fastest;
}

void run_race(const std::string& race, const std::string& scene, double goal, OurDynamics* ours,
              std::vector<Side> peers, std::vector<RaceRow>* rows) {
  std::vector<Side> sides = {{"stiction", "", "", our_contestants(race, ours)}};
  sides.insert(sides.end(), peers.begin(), peers.end());
  const std::vector<Fastest> fastest = fastest_ways(sides);
  for (size_t i = 1; i < sides.size(); ++i) {
    std::string note = format("{} dofs", ours->forest().num_v);
    if (sides[0].ways.size() > 1) note += "; ours: " + fastest[0].way;
    if (sides[i].ways.size() > 1) note += "; peer: " + fastest[i].way;
    note += "; " + sides[i].remark;
    rows->push_back({race, scene, sides[i].name, sides[i].version, fastest[0].seconds, fastest[i].seconds, goal, note});
  }
}

void race_scene(const std::string& scene, std::vector<RaceRow>* rows) {
  const Model model = make_scene(scene);
  OurDynamics ours(model);
  const PeerModel plain = make_peer_model(model.forest);
  MujocoPeer mujoco(plain, peer_states(plain, PeerKind::mujoco, ours.states()));
  PinocchioPeer pinocchio(plain, peer_states(plain, PeerKind::pinocchio, ours.states()));

  const auto check = [&](PeerKind kind, auto* peer) {
    Deviations worst;
    for (const int state : {0, 1, 2}) worst.include(deviations(plain, kind, state, peer->answer(state), &ours));
    return worst;
  };
  const Deviations from_mujoco = check(PeerKind::mujoco, &mujoco);
  const Deviations from_pinocchio = check(PeerKind::pinocchio, &pinocchio);
  require_agreement(scene, "mujoco", from_mujoco);
  require_agreement(scene, "pinocchio", from_pinocchio);

  const auto mujoco_side = [&](double deviation, std::vector<Contestant> ways) {
    return Side{"mujoco", MujocoPeer::version(), format("agree to {:.0e}", deviation), std::move(ways)};
  };
  const auto pinocchio_side = [&](double deviation, std::vector<Contestant> ways) {
    return Side{"pinocchio", PinocchioPeer::version(), format("agree to {:.0e}", deviation), std::move(ways)};
  };
  run_race(kStages, scene, kGoal, &ours,
           {mujoco_side(from_mujoco.stages(), mujoco.dynamics_stages()),
            pinocchio_side(from_pinocchio.stages(), pinocchio.dynamics_stages())},
           rows);
  run_race(kForward, scene, kGoal, &ours,
           {mujoco_side(from_mujoco.vdot, mujoco.forward_dynamics()),
            pinocchio_side(from_pinocchio.vdot, pinocchio.forward_dynamics())},
           rows);
  run_race(kInverseDerivatives, scene, kDerivativesGoal, &ours,
           {pinocchio_side(from_pinocchio.tau_derivatives, pinocchio.inverse_dynamics_derivatives())}, rows);
  run_race(kForwardDerivatives, scene, kDerivativesGoal, &ours,
           {pinocchio_side(from_pinocchio.vdot_derivatives, pinocchio.forward_dynamics_derivatives())}, rows);
}

}  // namespace

std::vector<RaceRow> dynamics_race() {
  std::vector<RaceRow> rows;
  for (const char* scene : kScenes) race_scene(scene, &rows);
  std::stable_sort(rows.begin(), rows.end(), [](const RaceRow& a, const RaceRow& b) {
    const auto rank = [](const std::string& race) {
      const std::string order[] = {kStages, kForward, kInverseDerivatives, kForwardDerivatives};
      return std::find(std::begin(order), std::end(order), race) - std::begin(order);
    };
    return rank(a.race) < rank(b.race);
  });
  return rows;
}

void profile_dynamics(const std::string& scene, const std::string& race, double seconds) {
  const Model model = make_scene(scene);
  OurDynamics ours(model);
  for (const Contestant& way : our_contestants(race, &ours)) {
    const Stopwatch watch;
    while (watch.seconds() < seconds) way.run();
  }
}

}  // namespace stiction::race
