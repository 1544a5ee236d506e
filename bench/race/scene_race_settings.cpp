#include "bench/race/scene_race_settings.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <mujoco/mujoco.h>

#include "bench/race/race.h"
#include "stiction/base/timer.h"

namespace stiction::race {

namespace {

constexpr double kSkip = 1.0;  // s of simulated time before steps are looked at
constexpr int kSteps = 100;
constexpr double kTrialTime = 30.0;  // s, for a solver

// What one setting of MuJoCo's solver does.
struct Trial {
  double residual = 0.0;  // the middle one
  double time_s = 0.0;    // of all steps
};

// No more than most_s are spent on it: its residual is infinite if that is not enough.
Trial try_mujoco(const SceneModels& models, double most_s) {
  MujocoSide side(models);
  std::vector<double> left;
  Trial trial;
  const int skipped = static_cast<int>(kSkip / models.theirs->opt.timestep);
  for (int i = 0; i < skipped + kSteps; ++i) {
    const Stopwatch watch(thread_seconds);
    side.step();
    trial.time_s += watch.seconds();
    if (trial.time_s > most_s) return {std::numeric_limits<double>::infinity(), trial.time_s};
    if (i >= skipped) left.push_back(side.figures().residual);
  }
  trial.residual = median(left);
  return trial;
}

constexpr double kTighter = 1e-2;

// The trial of the first tolerance that is tight enough, from that of the options on; its residual is too
// large if there is none. All of them together take no more than most_s.
Trial tighten(double residual, double most_s, mjOption* options, const SceneModels& models) {
  constexpr int kTries = 6, kMostIterations = 1000;
  options->iterations = std::max(options->iterations, kMostIterations);
  Trial trial;
  for (int i = 0; i < kTries && most_s > 0.0; ++i) {
    if (i > 0) options->tolerance *= kTighter;
    trial = try_mujoco(models, most_s);
    if (trial.residual <= residual) break;
    most_s -= trial.time_s;
  }
  return trial;
}

double impedance(double stiffness, double h, double inverse_mass) {
  return std::min(1.0 - 1.0 / (1.0 + h * h * stiffness * inverse_mass), mjMAXIMP);
}

}  // namespace

SceneModels copy_of(const SceneModels& models) {
  return {models.name, models.ours, MujocoModel(mj_copyModel(nullptr, models.theirs.get()))};
}

bool tighten_mujoco(double residual, SceneModels* models) {
  models->theirs->opt.tolerance *= kTighter;
  return tighten(residual, std::numeric_limits<double>::infinity(), &models->theirs->opt, *models).residual <=
         residual;
}

void stiffen_mujoco(double stiffness, SceneModels* models) {
  mjModel* theirs = models->theirs.get();
  const double h = theirs->opt.timestep;
  const auto inverse_mass = [theirs](int geom) {
    return theirs->body_invweight0[2 * theirs->geom_bodyid[geom]];
  };
  const auto set = [&](double w, mjtNum* solimp) { solimp[0] = solimp[1] = impedance(stiffness, h, w); };
  for (int g = 0; g < theirs->ngeom; ++g) {
    const double w = inverse_mass(g);
    // Where a geom does not move, the other one of a pair alone decides.
    if (w > 0.0)
      set(w, theirs->geom_solimp + mjNIMP * g);
    else
      theirs->geom_solmix[g] = 0.0;
  }
  for (int p = 0; p < theirs->npair; ++p)
    set(inverse_mass(theirs->pair_geom1[p]) + inverse_mass(theirs->pair_geom2[p]),
        theirs->pair_solimp + mjNIMP * p);
}

bool choose_mujoco_solver(double residual, SceneModels* models) {
  mjOption& options = models->theirs->opt;
  const mjOption given = options;
  mjOption best = given;
  bool is_chosen = false;
  double least_s = kTrialTime;
  for (const int solver : {mjSOL_CG, mjSOL_NEWTON, mjSOL_PGS}) {
    options = given;
    options.solver = solver;
    const Trial trial = tighten(residual, kTrialTime, &options, *models);
    if (trial.residual > residual || trial.time_s >= least_s) continue;
    best = options;
    is_chosen = true;
    least_s = trial.time_s;
  }
  options = best;
  return is_chosen;
}

}  // namespace stiction::race
