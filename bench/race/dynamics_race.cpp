#include "bench/race/dynamics_race.h"

#include <algorithm>
#include <iterator>

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
  throw_user_error(format("there is no race '{}' (races: {}, {}, {}, {})", race, kStages, kForward,
                          kInverseDerivatives, kForwardDerivatives));
}

// One side of a race: who, the ways it has, and how far its answers are from ours.
struct Side {
  std::string name, version;
  std::vector<Contestant> ways;
  double deviation = 0.0, tolerance = 0.0;
};

struct Fastest {
  Times seconds;
  std::string way;
};

// Times all ways of all sides in turns; the fastest way of every side.
std::vector<Fastest> fastest_ways(const std::vector<Side>& sides) {
  std::vector<Contestant> all;
  for (const Side& side : sides) all.insert(all.end(), side.ways.begin(), side.ways.end());
  const std::vector<Times> seconds = times_in_turns(all);
  const auto is_faster = [](const Times& a, const Times& b) { return a.median < b.median; };
  std::vector<Fastest> fastest;
  size_t next = 0;
  for (const Side& side : sides) {
    const auto begin = seconds.begin() + static_cast<std::ptrdiff_t>(next);
    const auto best =
        std::min_element(begin, begin + static_cast<std::ptrdiff_t>(side.ways.size()), is_faster);
    fastest.push_back({*best, side.ways[best - begin].name});
    next += side.ways.size();
  }
  return fastest;
}

void run_race(const std::string& race, const std::string& scene, double goal, const std::vector<Side>& peers,
              OurDynamics* ours, std::vector<RaceRow>* rows) {
  std::vector<Side> sides = {{"stiction", "", our_contestants(race, ours)}};
  for (const Side& peer : peers) {
    if (peer.deviation <= peer.tolerance) {
      sides.push_back(peer);
    } else {
      rows->push_back(
          failed_row(race, scene, peer.name, peer.version, goal,
                     format("answers differ by {:.1e}, more than {:.0e}", peer.deviation, peer.tolerance)));
    }
  }
  const std::vector<Fastest> fastest = fastest_ways(sides);
  for (size_t i = 1; i < sides.size(); ++i) {
    std::string note = format("{} dofs", ours->forest().num_v);
    if (sides[0].ways.size() > 1) note += "; ours: " + fastest[0].way;
    if (sides[i].ways.size() > 1) note += "; peer: " + fastest[i].way;
    note += format("; answers agree to {:.0e}", sides[i].deviation);
    rows->push_back(
        {race, scene, sides[i].name, sides[i].version, fastest[0].seconds, fastest[i].seconds, goal, note});
  }
}

void race_scene(const std::string& scene, std::vector<RaceRow>* rows) {
  const Model model = make_scene(scene);
  OurDynamics ours(model);
  const PeerModel plain = make_peer_model(model.forest);
  MujocoPeer mujoco(plain, peer_states(plain, PeerKind::mujoco, ours.states()));
  PinocchioPeer pinocchio(plain, peer_states(plain, PeerKind::pinocchio, ours.states()));

  const auto worst_deviations = [&](PeerKind kind, auto* peer) {
    Deviations worst;
    for (const int state : {0, 1, 2})
      worst.include(deviations(plain, kind, state, peer->answer(state), &ours));
    return worst;
  };
  const Deviations from_mujoco = worst_deviations(PeerKind::mujoco, &mujoco);
  const Deviations from_pinocchio = worst_deviations(PeerKind::pinocchio, &pinocchio);

  const std::string v_mujoco = MujocoPeer::version(), v_pinocchio = PinocchioPeer::version();
  run_race(
      kStages, scene, kGoal,
      {{"mujoco", v_mujoco, mujoco.dynamics_stages(), from_mujoco.stages(), kForceTolerance},
       {"pinocchio", v_pinocchio, pinocchio.dynamics_stages(), from_pinocchio.stages(), kForceTolerance}},
      &ours, rows);
  run_race(
      kForward, scene, kGoal,
      {{"mujoco", v_mujoco, mujoco.forward_dynamics(), from_mujoco.vdot, kAccelerationTolerance},
       {"pinocchio", v_pinocchio, pinocchio.forward_dynamics(), from_pinocchio.vdot, kAccelerationTolerance}},
      &ours, rows);
  run_race(kInverseDerivatives, scene, kDerivativesGoal,
           {{"pinocchio", v_pinocchio, pinocchio.inverse_dynamics_derivatives(),
             from_pinocchio.tau_derivatives, kForceTolerance}},
           &ours, rows);
  run_race(kForwardDerivatives, scene, kDerivativesGoal,
           {{"pinocchio", v_pinocchio, pinocchio.forward_dynamics_derivatives(),
             from_pinocchio.vdot_derivatives, kAccelerationTolerance}},
           &ours, rows);
}

}  // namespace

std::vector<RaceRow> race_dynamics() {
  std::vector<RaceRow> rows;
  for (const char* scene : kScenes) race_scene(scene, &rows);
  // One race after the other, each in the order of the scenes.
  std::vector<RaceRow> sorted;
  for (const char* race : {kStages, kForward, kInverseDerivatives, kForwardDerivatives})
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(sorted),
                 [race](const RaceRow& row) { return row.race == race; });
  return sorted;
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
