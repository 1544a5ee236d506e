#include "bench/race/solver_peers_pinocchio.h"

#include <ctime>

#include <pinocchio/algorithm/delassus-operator.hpp>
#include <pinocchio/algorithm/solvers/admm-solver.hpp>
#include <pinocchio/algorithm/solvers/pgs-solver.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/constraints.hpp>
#include <pinocchio/multibody.hpp>

namespace stiction::race {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using Constraint = pinocchio::PointContactConstraintModelTpl<double, pinocchio::context::Options>;

// Where rows (normal, t1, t2) go in (t1, t2, normal).
int place(int row) { return row - row % 3 + (row + 2) % 3; }

double thread_seconds_here() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// A problem in Pinocchio's order and types. The constraints only bring their friction cones.
struct TheirProblem {
  MatrixXd W;
  VectorXd q;
  std::vector<Constraint> models;
  std::vector<Constraint::ConstraintData> datas;

  explicit TheirProblem(const StoredProblem& from) : W(from.rows(), from.rows()), q(from.rows()) {
    const int n = from.rows();
    for (int c = 0; c < n; ++c) {
      q[place(c)] = from.q[static_cast<std::size_t>(c)];
      for (int r = 0; r < n; ++r) W(place(r), place(c)) = from.W[static_cast<std::size_t>(c) * n + r];
    }
    const pinocchio::Model model;
    for (const double mu : from.mu) {
      Constraint constraint(model, 0);
      constraint.setFriction(mu);
      models.push_back(constraint);
      datas.push_back(constraint.createData());
    }
  }
};

using Dense = pinocchio::DelassusOperatorDenseTpl<double, pinocchio::context::Options>;
using Sparse = pinocchio::DelassusOperatorSparseTpl<double, pinocchio::context::Options>;

Dense dense_of(const MatrixXd& W) { return Dense(W); }
Sparse sparse_of(const MatrixXd& W) {
  const Eigen::SparseMatrix<double> entries = W.sparseView();
  return Sparse(entries);
}

template <class Solver, class Settings, class Result, class Delassus>
double timed(const TheirProblem& problem, const Settings& settings, Delassus delassus,
             std::vector<double>* r) {
  Solver solver;
  Result result;
  const double begin = thread_seconds_here();
  solver.solve(delassus, problem.q, problem.models, problem.datas, settings, result);
  const double seconds = thread_seconds_here() - begin;
  VectorXd impulses = VectorXd::Zero(problem.q.size());
  result.retrieveConstraintImpulses(impulses);
  r->resize(static_cast<std::size_t>(impulses.size()));
  for (int i = 0; i < impulses.size(); ++i) (*r)[static_cast<std::size_t>(i)] = impulses[place(i)];
  return seconds;
}

template <class Settings>
void set_tolerance(double tolerance, int max_iterations, Settings* settings) {
  settings->max_iterations = static_cast<std::size_t>(max_iterations);
  settings->absolute_feasibility_tol = settings->relative_feasibility_tol = tolerance;
  settings->absolute_complementarity_tol = settings->relative_complementarity_tol = tolerance;
}

class PinocchioSolver : public SolverPeer {
 public:
  std::string library() const override { return "pinocchio"; }
  std::string version() const override { return PINOCCHIO_VERSION; }
};

class PinocchioAdmm : public PinocchioSolver {
 public:
  PinocchioAdmm(pinocchio::ADMMUpdateRule rule, const char* rule_name, bool is_accelerated, bool is_sparse)
      : rule_(rule), rule_name_(rule_name), is_accelerated_(is_accelerated), is_sparse_(is_sparse) {}

  std::string name() const override {
    return std::string("ADMM, ") + rule_name_ + " penalty" + (is_accelerated_ ? ", Anderson 10" : "") +
           (is_sparse_ ? ", sparse W" : ", dense W");
  }
  double solve(const StoredProblem& problem, double tolerance, int max_iterations,
               std::vector<double>* r) override {
    const TheirProblem theirs(problem);
    pinocchio::ADMMSolverSettings settings;
    set_tolerance(tolerance, max_iterations, &settings);
    settings.admm_update_rule = rule_;
    settings.anderson_capacity = is_accelerated_ ? 10 : 0;
    using Solver = pinocchio::ADMMConstraintSolver;
    using Result = pinocchio::ADMMSolverResult;
    return is_sparse_ ? timed<Solver, pinocchio::ADMMSolverSettings, Result>(theirs, settings,
                                                                             sparse_of(theirs.W), r)
                      : timed<Solver, pinocchio::ADMMSolverSettings, Result>(theirs, settings,
                                                                             dense_of(theirs.W), r);
  }

 private:
  pinocchio::ADMMUpdateRule rule_;
  const char* rule_name_;
  bool is_accelerated_, is_sparse_;
};

class PinocchioPgs : public PinocchioSolver {
 public:
  std::string name() const override { return "PGS, dense W"; }
  double solve(const StoredProblem& problem, double tolerance, int max_iterations,
               std::vector<double>* r) override {
    const TheirProblem theirs(problem);
    pinocchio::PGSSolverSettings settings;
    set_tolerance(tolerance, max_iterations, &settings);
    return timed<pinocchio::PGSConstraintSolver, pinocchio::PGSSolverSettings, pinocchio::PGSSolverResult>(
        theirs, settings, dense_of(theirs.W), r);
  }
};

}  // namespace

SolverPeers pinocchio_solver_peers() {
  using Rule = pinocchio::ADMMUpdateRule;
  struct Named {
    Rule rule;
    const char* name;
  };
  SolverPeers peers;
  for (const Named& named :
       {Named{Rule::OSQP, "OSQP"}, Named{Rule::SPECTRAL, "spectral"}, Named{Rule::LINEAR, "linear"}})
    for (const bool is_accelerated : {true, false})
      for (const bool is_sparse : {false, true})
        peers.push_back(std::make_unique<PinocchioAdmm>(named.rule, named.name, is_accelerated, is_sparse));
  peers.push_back(std::make_unique<PinocchioPgs>());
  return peers;
}

}  // namespace stiction::race
