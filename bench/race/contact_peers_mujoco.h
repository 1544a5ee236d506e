#pragma once
// MuJoCo's side of the race with contact: our models as MJCF, with our contact in its terms.
//
// MuJoCo's contact is a spring and damper on accelerations that a regularisation R softens: the force f of a
// point minimises ... + |a + b v + k phi|^2/(2R). With b = 1/h, k = 1/(h (h + tau)) and R = 1/(h K (h + tau))
// this is the force f = -K (phi + (h + tau) v') of a spring K (N/m) with the relaxation time tau, implicit in
// the next velocity v' = v + h a: our own contact but for Hunt & Crossley's factor. MJCF says it as
//
//   solref = (-k d, -b d),   solimp = (d, d),   d = A/(A + R),
//
// with A = 2/m for two bodies of the mass m. A body on the floor, where A = 1/m, so gets twice the stiffness.
// K is 10 % larger than ours, so that pairs of different masses, whose d MuJoCo averages, are hardly softer
// than ours. MuJoCo gives every point of a pair the stiffness K, which we divide among them.

#include <memory>
#include <string>
#include <vector>

#include "bench/race/contact_race_pile.h"

namespace stiction::race {

// How contact is set: as above, or
//   defaults  solref = (0.02, 1), solimp = (0.9, 0.95, 0.001), as in a file that says nothing
//   firm      solref = (2h, 1), the shortest time constant that MuJoCo lets pass, with the default solimp
//   firmest   solref = (2h, 1), solimp = (0.99, 0.99): on the clutter of 40 bodies the best in overlap,
//             creep and time of what was tried by hand
enum class MujocoContact { ours, defaults, firm, firmest };

inline constexpr double kDefaultTolerance = 1e-8;  // of MuJoCo's solvers

struct MujocoSetting {
  bool newton = true;  // or CG
  bool elliptic = false;
  MujocoContact contact = MujocoContact::defaults;
  double impratio = 1.0;  // stiffness of friction against that of the normal
  double tolerance = kDefaultTolerance;

  std::string name() const;
};

class MujocoScene;

// A pile as MuJoCo has it, for another setting to go on from.
struct MujocoRest {
  std::vector<double> qpos, qvel, warm_start;
};

// Starts in the given state, or where another setting left the pile.
std::unique_ptr<Pile> make_mujoco_pile(const MujocoScene& scene, const MujocoSetting& setting,
                                       const State& state);
std::unique_ptr<Pile> make_mujoco_pile(const MujocoScene& scene, const MujocoSetting& setting,
                                       const MujocoRest& rest);
// Of a pile that make_mujoco_pile made.
MujocoRest rest_of(const Pile& pile);

// A model of free bodies, compiled once.
class MujocoScene {
 public:
  explicit MujocoScene(std::shared_ptr<const Model> model);
  ~MujocoScene();

 private:
  friend std::unique_ptr<Pile> make_mujoco_pile(const MujocoScene&, const MujocoSetting&, const State&);
  friend std::unique_ptr<Pile> make_mujoco_pile(const MujocoScene&, const MujocoSetting&, const MujocoRest&);
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

std::string mujoco_version();

}  // namespace stiction::race
