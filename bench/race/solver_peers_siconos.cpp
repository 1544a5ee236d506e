#include "bench/race/solver_peers_siconos.h"

#include <algorithm>
#include <cstdlib>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <dlfcn.h>

#include "bench/race/race.h"

namespace stiction::race {
namespace {

// What Siconos calls for linear algebra takes all cores otherwise.
void use_one_thread() {
  using SetThreads = void (*)(int);
  const auto set_threads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_threads != nullptr) set_threads(1);
}

enum class Storage { dense, block };

// As Siconos keeps it; blocks of zeros are left out of the block storage.
NumericsMatrix* matrix_of(const StoredProblem& problem, Storage storage) {
  const int n = problem.rows();
  if (storage == Storage::dense) {
    NumericsMatrix* dense = NM_create(NM_DENSE, n, n);
    std::copy(problem.W.begin(), problem.W.end(), dense->matrix0);
    return dense;
  }
  NumericsMatrix* triplets = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(triplets, n);
  for (int c = 0; c < n; ++c) {
    for (int r = 0; r < n; ++r) {
      const double value = problem.W[static_cast<std::size_t>(c) * n + r];
      if (value != 0.0) NM_entry(triplets, r, c, value);
    }
  }
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, n, n);
  SBM_from_csparse(3, NM_csc(triplets), blocks->matrix1);
  NM_clear(triplets);
  std::free(triplets);
  return blocks;
}

class SiconosPeer : public SolverPeer {
 public:
  SiconosPeer(int id, const char* name, Storage storage) : id_(id), name_(name), storage_(storage) {}

  std::string library() const override { return "siconos"; }
  std::string version() const override { return STICTION_RACE_SICONOS_VERSION; }
  std::string name() const override {
    return std::string(name_) + (storage_ == Storage::dense ? ", dense W" : ", blocks of W");
  }
  double solve(const StoredProblem& problem, double tolerance, int max_iterations,
               std::vector<double>* r) override {
    numerics_set_verbose(0);
    std::vector<double> q = problem.q, mu = problem.mu, u(problem.q.size(), 0.0);
    r->assign(problem.q.size(), 0.0);
    FrictionContactProblem theirs{3, problem.contacts, matrix_of(problem, storage_), q.data(), mu.data()};
    SolverOptions* options = solver_options_create(id_);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
    const double begin = thread_seconds();
    fc3d_driver(&theirs, r->data(), u.data(), options);
    const double seconds = thread_seconds() - begin;
    solver_options_delete(options);
    NM_clear(theirs.M);
    std::free(theirs.M);
    return seconds;
  }

 private:
  int id_;
  const char* name_;
  Storage storage_;
};

}  // namespace

SolverPeers siconos_peers() {
  use_one_thread();
  struct Method {
    int id;
    const char* name;
  };
  SolverPeers peers;
  for (const Method& method :
       {Method{SICONOS_FRICTION_3D_NSN_AC, "NSN_AC"}, Method{SICONOS_FRICTION_3D_NSGS, "NSGS"},
        Method{SICONOS_FRICTION_3D_PROX, "PROX"}, Method{SICONOS_FRICTION_3D_ADMM, "ADMM"}})
    for (const Storage storage : {Storage::dense, Storage::block})
      peers.push_back(std::make_unique<SiconosPeer>(method.id, method.name, storage));
  return peers;
}

}  // namespace stiction::race
