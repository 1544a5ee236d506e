// Every stage of the dynamics on every robot of the catalog, alone.

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <benchmark/benchmark.h>

#include "scenes/catalog.h"
#include "stiction/base/random.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/forward_dynamics.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

struct Bench {
  explicit Bench(const char* scene)
      : model(make_scene(scene)),
        forest(model.forest),
        kinematics(forest),
        mass(forest),
        forces(forest),
        bodies(forest),
        inverse(forest),
        forward(forest),
        q(model.num_q()),
        v(model.num_v()),
        x(model.num_v()) {
    Random random(1);
    for (double& a : q) a = random.uniform(-1.0, 1.0);
    for (double& a : v) a = random.uniform(-1.0, 1.0);
    normalise_quaternions(forest, q.data());
    x = v;
    compute_positions(forest, q.data(), &kinematics);
    compute_velocities(forest, v.data(), &kinematics);
    compute_mass_matrix(forest, kinematics, &mass);
    factorise(forest, nullptr, &mass);
    eliminate(forest, kinematics, nullptr, &bodies);
    inverse_dynamics_derivatives(forest, kinematics, v.data(), &inverse);
    for (size_t t = 0; t < forest.trees.size(); ++t)
      dense.push_back(dense_mass_matrix(forest, mass, static_cast<int>(t)));
    dense_factor.resize(dense.size());
  }

  Model model;
  const Forest& forest;
  Kinematics kinematics;
  MassMatrix mass;
  NodeForces forces;
  ArticulatedBodies bodies;
  InverseDynamicsDerivatives inverse;
  ForwardDynamicsDerivatives forward;
  std::vector<MatX> dense;
  std::vector<Eigen::LLT<MatX>> dense_factor;
  AlignedVector<double> poses;
  VecX q, v, x;
};

using Stage = void (*)(Bench&);

struct NamedStage {
  const char* name;
  Stage run;
};

const NamedStage kStages[] = {
    {"positions", [](Bench& b) { compute_positions(b.forest, b.q.data(), &b.kinematics); }},
    {"velocities", [](Bench& b) { compute_velocities(b.forest, b.v.data(), &b.kinematics); }},
    {"body_poses", [](Bench& b) { compute_body_poses(b.forest, b.kinematics, &b.poses); }},
    {"bias", [](Bench& b) { compute_bias(b.forest, b.kinematics, &b.forces, b.x.data()); }},
    {"mass_matrix", [](Bench& b) { compute_mass_matrix(b.forest, b.kinematics, &b.mass); }},
    {"factorise", [](Bench& b) { benchmark::DoNotOptimize(factorise(b.forest, nullptr, &b.mass)); }},
    // What the branch-sparse factor is measured against: a dense one of every tree.
    {"dense_factorise",
     [](Bench& b) {
       for (size_t t = 0; t < b.dense.size(); ++t) b.dense_factor[t].compute(b.dense[t]);
     }},
    {"solve",
     [](Bench& b) {
       b.x = b.v;
       solve(b.forest, b.mass, b.x.data());
     }},
    {"eliminate",
     [](Bench& b) { benchmark::DoNotOptimize(eliminate(b.forest, b.kinematics, nullptr, &b.bodies)); }},
    {"articulated_solve",
     [](Bench& b) {
       b.x = b.v;
       solve(b.forest, b.kinematics, &b.bodies, b.x.data());
     }},
    {"inverse_derivatives",
     [](Bench& b) { inverse_dynamics_derivatives(b.forest, b.kinematics, b.v.data(), &b.inverse); }},
    {"forward_derivatives",
     [](Bench& b) { forward_dynamics_derivatives(b.forest, b.inverse, b.mass, &b.forward); }},
};

const bool kRegistered = [] {
  for (const char* scene : {"arm", "quadruped", "humanoid", "hand", "chain", "free_bodies_and_arms"}) {
    for (const NamedStage& stage : kStages) {
      const Stage run = stage.run;
      benchmark::RegisterBenchmark((std::string("dynamics/") + scene + "/" + stage.name).c_str(),
                                   [scene, run](benchmark::State& state) {
                                     const auto bench = std::make_unique<Bench>(scene);
                                     for (auto _ : state) {
                                       run(*bench);
                                       benchmark::ClobberMemory();
                                     }
                                   });
    }
    benchmark::RegisterBenchmark((std::string("step/") + scene).c_str(), [scene](benchmark::State& state) {
      World world(make_scene(scene));
      for (auto _ : state) world.step();
    });
  }
  return true;
}();

}  // namespace
}  // namespace stiction
