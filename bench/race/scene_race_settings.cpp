#include "bench/race/scene_race_settings.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/race/race.h"
#include "stiction/base/check.h"
#include "stiction/base/timer.h"
#include "stiction/simulation/model_tables.h"

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

// Sets solref and solimp of a contact of inverse mass w (1/kg) so that it has the stiffness of a pair of ours.
void stiffen(const PairMaterial& pair, double w, int condim, const mjOption& option, mjtNum* solref,
             mjtNum* solimp) {
  // With a force table ours is as soft as the file; a negative solref is a stiffness of the file that we have too.
  if (pair.table >= 0 || solref[0] <= 0.0) return;
  const double mu = std::max(pair.static_friction, 1e-3);
  const bool has_edges = option.cone == mjCONE_PYRAMIDAL && condim > 1;
  const double c = has_edges ? (condim - 1) / (mu * mu / option.impratio * (1.0 + mu * mu)) : 1.0;
  solref[0] = std::min<double>(solref[0], 2.0 * option.timestep);
  solref[1] = 1.0;
  const double d = 1.0 - c / (pair.stiffness * w * solref[0] * solref[0]);
  for (const int i : {0, 1}) solimp[i] = std::clamp<double>(d, solimp[i], mjMAXIMP);
}

// Our collision item of every geom of theirs, -1 where it has none. Both have the same bodies in the same order;
// we name geoms without a name by their place in the body.
std::vector<int> items_of_geoms(const SceneModels& models) {
  const Model& ours = *models.ours;
  const std::vector<CollisionItem>& items = ours.tables().collision->items;
  std::map<std::string, int> by_name;
  for (int i = 0; i < static_cast<int>(items.size()); ++i) by_name[ours.shapes[items[i].shape].name] = i;
  const mjModel* theirs = models.theirs.get();
  std::vector<int> out(static_cast<std::size_t>(theirs->ngeom), -1);
  for (int g = 0; g < theirs->ngeom; ++g) {
    const int body = theirs->geom_bodyid[g];
    const char* given = mj_id2name(theirs, mjOBJ_GEOM, g);
    const std::string name =
        given != nullptr && *given != '\0'
            ? std::string(given)
            : fmt::format("{}/geom{}", ours.forest.bodies[body].name, g - theirs->body_geomadr[body]);
    const auto found = by_name.find(name);
    if (found != by_name.end()) out[g] = found->second;
    const bool collides = theirs->geom_contype[g] != 0 || theirs->geom_conaffinity[g] != 0;
    STICTION_USER_CHECK(found != by_name.end() || !collides, "no shape '{}' of ours for a geom of MuJoCo's",
                        name);
  }
  return out;
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

void stiffen_mujoco(SceneModels* models) {
  mjModel* theirs = models->theirs.get();
  const double h = theirs->opt.timestep;
  const ModelTables& tables = models->ours->tables();
  const std::vector<CollisionItem>& items = tables.collision->items;
  const std::vector<int> item_of = items_of_geoms(*models);
  const auto fixed =
      std::find_if(items.begin(), items.end(), [](const CollisionItem& item) { return item.is_static(); });
  const auto inverse_mass = [theirs](int geom) {
    return theirs->body_invweight0[2 * theirs->geom_bodyid[geom]];
  };
  for (int g = 0; g < theirs->ngeom; ++g) {
    if (item_of[g] < 0) continue;
    const int partner = fixed == items.end() ? item_of[g] : static_cast<int>(fixed - items.begin());
    const double w = inverse_mass(g);
    // Where a geom does not move, the other one of a pair alone decides.
    if (w > 0.0)
      stiffen(tables.pair(item_of[g], partner, h), fixed == items.end() ? 2.0 * w : w, theirs->geom_condim[g],
              theirs->opt, theirs->geom_solref + mjNREF * g, theirs->geom_solimp + mjNIMP * g);
    else
      theirs->geom_solmix[g] = 0.0;
  }
  for (int p = 0; p < theirs->npair; ++p) {
    const int a = theirs->pair_geom1[p], b = theirs->pair_geom2[p];
    if (item_of[a] < 0 || item_of[b] < 0) continue;
    stiffen(tables.pair(item_of[a], item_of[b], h), inverse_mass(a) + inverse_mass(b), theirs->pair_dim[p],
            theirs->opt, theirs->pair_solref + mjNREF * p, theirs->pair_solimp + mjNIMP * p);
  }
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
