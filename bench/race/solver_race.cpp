#include "bench/race/solver_race.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "bench/race/solver_peers_pinocchio.h"
#include "bench/race/solver_peers_siconos.h"
#include "bench/race/solver_problems.h"
#include "bench/solvers/checked_solve.h"
#include "bench/solvers/limited_run.h"
#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/contact/file/fc3d_file.h"

namespace stiction::race {
namespace {

struct Target {
  const char* race;
  double accuracy;
};
constexpr Target kTargets[] = {{"contact_solver_1e-6", 1e-6}, {"contact_solver_1e-9", 1e-9}};
constexpr double kLoosest = 1e-3, kTightest = 1e-15;  // tolerances that a solver is tried with
// Processor time for a method to find its tolerance on a problem: in all, for a peer in times of ours, and
// once another of its library has reached the accuracy, in times of that one.
constexpr double kLimit = 5.0, kLeastLimit = 0.05;  // s
constexpr double kHopelessPeer = 2000.0, kHopeless = 50.0;
constexpr double kRepeatSeconds = 0.02;
constexpr int kMostRepeats = 50;
constexpr int kMostIterations = 1'000'000;  // time is the limit
constexpr int kMostMisses = 2;              // problems, before a method is given up
constexpr double kTooSlow = 20.0;           // times the fastest method of the library on the first problem
constexpr double kGoal = 1.0;               // no figure was promised

// One of our solvers behind the interface of the peers.
class OurSolver : public SolverPeer {
 public:
  OurSolver(const CatalogEntry& entry, bool by_trees) : entry_(entry), by_trees_(by_trees) {}

  std::string library() const override { return "ours"; }
  std::string version() const override { return ""; }
  std::string name() const override {
    return std::string(entry_.solver) + (by_trees_ ? ", A and J" : ", sparse W");
  }
  void set_problem(const SolverProblem* problem) { problem_ = problem; }
  double solve(const StoredProblem&, double tolerance, int max_iterations, std::vector<double>* r) override {
    const DualProblem& dual = by_trees_ ? problem_->trees : problem_->matrix;
    DualOptions options;
    options.tolerance = tolerance;
    options.max_iterations = max_iterations;
    VecX lambda = VecX::Zero(dual.num_rows());
    const auto solver = make_dual_solver(entry_.law, entry_.solver);
    const double begin = thread_seconds();
    solver->solve(dual, options, &lambda);
    const double seconds = thread_seconds() - begin;
    if (by_trees_) {
      *r = problem_->contacts_of(lambda);
    } else {
      const VecX in_order = in_file_order(lambda);
      r->assign(in_order.begin(), in_order.end());
    }
    return seconds;
  }

 private:
  CatalogEntry entry_;
  bool by_trees_;
  const SolverProblem* problem_ = nullptr;
};

std::vector<std::unique_ptr<OurSolver>> our_solvers() {
  std::vector<std::unique_ptr<OurSolver>> list;
  for (const CatalogEntry* entry : solvers::dual_formulations())
    for (const bool by_trees : {true, false})
      if (entry->law == LawKind::coulomb_ncp) list.push_back(std::make_unique<OurSolver>(*entry, by_trees));
  return list;
}

// What a method did with a problem at a target.
struct Attempt {
  bool reached = false;
  double seconds = 0.0;    // of the fastest run that reached it, else of the most accurate
  double tolerance = 0.0;  // its own
  double residual = std::numeric_limits<double>::infinity();  // the best
};

double checked(const SolverProblem& problem, const std::vector<double>& r) {
  const VecX lambda = in_dual_order(Eigen::Map<const VecX>(r.data(), static_cast<int>(r.size())));
  if (!lambda.allFinite()) return std::numeric_limits<double>::infinity();
  return solvers::law_error(LawKind::coulomb_ncp, {}, problem.matrix, lambda);
}

Attempt attempt_here(SolverPeer* solver, const SolverProblem& problem, double target) {
  Attempt attempt;
  std::vector<double> r;
  for (double tolerance = kLoosest; tolerance >= kTightest; tolerance *= 0.1) {
    const double seconds = solver->solve(problem.stored, tolerance, kMostIterations, &r);
    const double residual = checked(problem, r);
    if (residual < attempt.residual) attempt = {false, seconds, tolerance, residual};
    if (residual > target) continue;
    attempt = {true, seconds, tolerance, residual};
    double spent = seconds;
    for (int i = 0; i < kMostRepeats && spent < kRepeatSeconds; ++i) {
      const double again = solver->solve(problem.stored, tolerance, kMostIterations, &r);
      attempt.seconds = std::min(attempt.seconds, again);
      spent += again;
    }
    break;
  }
  return attempt;
}

// In a process of its own: some peers never return, or take all memory.
Attempt attempt(SolverPeer* solver, const SolverProblem& problem, double target, double limit) {
  Attempt result;
  std::string text;
  const auto work = [&] {
    // Some complain of every singular matrix.
    if (std::freopen("/dev/null", "w", stdout) == nullptr ||
        std::freopen("/dev/null", "w", stderr) == nullptr)
      return std::string();
    const Attempt found = attempt_here(solver, problem, target);
    return std::string(reinterpret_cast<const char*>(&found), sizeof(found));
  };
  if (solvers::run_limited(work, limit, &text) == solvers::LimitedEnd::done && text.size() == sizeof(result))
    std::memcpy(&result, text.data(), sizeof(result));
  else
    result.seconds = limit;
  return result;
}

// A method on all problems of a set, by target.
struct Entry {
  std::string name;
  std::vector<Attempt> attempts;
  bool is_given_up = false;

  int reached() const {
    return static_cast<int>(
        std::count_if(attempts.begin(), attempts.end(), [](const Attempt& a) { return a.reached; }));
  }
  double seconds() const {
    double sum = 0.0;
    for (const Attempt& a : attempts) sum += a.seconds;
    return sum;
  }
  double worst() const {
    double worst = 0.0;
    for (const Attempt& a : attempts) worst = std::max(worst, a.residual);
    return worst;
  }
};

struct Side {
  std::string library, version;
  std::vector<Entry> entries;

  // Most problems first, then the least time.
  const Entry& best() const {
    return *std::max_element(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      if (a.reached() != b.reached()) return a.reached() < b.reached();
      return a.seconds() > b.seconds();
    });
  }
};

Side run_side(const std::vector<SolverPeer*>& methods, const std::vector<OurSolver*>& ours,
              const SolverSet& set, double target, const Side* before) {
  Side side{methods.front()->library(), methods.front()->version(), {}};
  for (SolverPeer* method : methods) side.entries.push_back({method->name(), {}, false});
  for (std::size_t p = 0; p < set.problems.size(); ++p) {
    for (OurSolver* solver : ours) solver->set_problem(&set.problems[p]);
    double fastest = std::numeric_limits<double>::infinity();
    const double bound = before != nullptr ? kHopelessPeer * before->best().attempts[p].seconds : kLimit;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      Entry& entry = side.entries[m];
      Attempt one;
      const double limit = std::clamp(std::min(bound, kHopeless * fastest), kLeastLimit, kLimit);
      if (entry.is_given_up)
        one.seconds = limit;
      else
        one = attempt(methods[m], set.problems[p], target, limit);
      if (one.reached) fastest = std::min(fastest, one.seconds);
      entry.attempts.push_back(one);
    }
    for (Entry& entry : side.entries) {
      const int missed = static_cast<int>(p) + 1 - entry.reached();
      const bool is_slow =
          p == 0 && entry.attempts[0].reached && entry.attempts[0].seconds > kTooSlow * fastest;
      entry.is_given_up = entry.is_given_up || missed >= kMostMisses || is_slow;
    }
  }
  return side;
}

std::string text_of(const Entry& entry, const SolverSet& set) {
  const std::size_t all = set.problems.size();
  std::string text = entry.name;
  if (entry.reached() < static_cast<int>(all))
    text += fmt::format(
        ", not reached on {} of {}, {}", static_cast<int>(all) - entry.reached(), all,
        std::isfinite(entry.worst()) ? fmt::format("worst {:.0e}", entry.worst()) : "no answer in time");
  return text;
}

// What our other solvers took.
std::string others_of(const Side& side, const SolverSet& set) {
  std::string text;
  for (const Entry& entry : side.entries) {
    if (&entry == &side.best()) continue;
    const bool is_whole = entry.reached() == static_cast<int>(set.problems.size());
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", entry.name,
                        is_whole ? fmt::format("{:.0f} us", 1e6 * entry.seconds())
                        : entry.is_given_up && entry.reached() > 0 ? "slow"
                                                                   : "not reached");
  }
  return text;
}

RaceRow row_of(const Side& ours, const Side& peer, const SolverSet& set, const Target& target) {
  const Entry &mine = ours.best(), &theirs = peer.best();
  // Over the problems that both solved; over all, where the peer solved none.
  std::vector<double> ours_s, peer_s;
  const bool is_compared = theirs.reached() > 0 && mine.reached() > 0;
  for (std::size_t p = 0; p < set.problems.size(); ++p) {
    if (is_compared && !(mine.attempts[p].reached && theirs.attempts[p].reached)) continue;
    ours_s.push_back(mine.attempts[p].seconds);
    peer_s.push_back(theirs.attempts[p].seconds);
  }
  const std::string note = fmt::format(
      "{}; ours: {} (others: {}); {}: {}{}", set.size(), text_of(mine, set), others_of(ours, set),
      peer.library, text_of(theirs, set),
      theirs.reached() == 0 ? "; its time is that of its most accurate run, or of the limit" : "");
  if (ours_s.empty()) return failed_row(target.race, set.name, peer.library, peer.version, kGoal, note);
  return {target.race, set.name, peer.library, peer.version, times_of(ours_s), times_of(peer_s), kGoal, note};
}

std::vector<SolverPeer*> pointers(const SolverPeers& peers) {
  std::vector<SolverPeer*> list;
  for (const auto& peer : peers) list.push_back(peer.get());
  return list;
}

}  // namespace

std::vector<RaceRow> race_solvers(const std::string& only) {
  const std::vector<std::string> names = solver_set_names();
  STICTION_USER_CHECK(only.empty() || std::find(names.begin(), names.end(), only) != names.end(),
                      "no set of problems '{}' in the race", only);
  const int threads = thread_count();
  set_thread_count(1);
  const auto ours = our_solvers();
  std::vector<OurSolver*> settable;
  std::vector<SolverPeer*> our_methods;
  for (const auto& solver : ours) {
    settable.push_back(solver.get());
    our_methods.push_back(solver.get());
  }
  const SolverPeers siconos = siconos_peers(), pinocchio = pinocchio_solver_peers();
  std::vector<RaceRow> rows;
  for (const std::string& name : names) {
    if (!only.empty() && only != name) continue;
    const SolverSet set = make_solver_set(name);
    std::fprintf(stderr, "contact_solver %s: %s\n", name.c_str(), set.size().c_str());
    for (const Target& target : kTargets) {
      const Side mine = run_side(our_methods, settable, set, target.accuracy, nullptr);
      for (const SolverPeers* peers : {&siconos, &pinocchio})
        rows.push_back(
            row_of(mine, run_side(pointers(*peers), {}, set, target.accuracy, &mine), set, target));
    }
  }
  set_thread_count(threads);
  return rows;
}

}  // namespace stiction::race
