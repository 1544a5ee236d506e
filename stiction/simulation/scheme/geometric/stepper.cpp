#include "stiction/simulation/scheme/geometric/stepper.h"

#include <algorithm>
#include <cmath>

#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

constexpr int kMostRounds = 6;         // of adding pairs and functions
constexpr int kMostTurns = 4;          // of removing the proximal shift
constexpr double kNone = 1e-10;        // fraction of the size: smaller overlaps add no pairs
constexpr double kMostOverlap = 1e-6;  // fraction of the size: more is not a solution
// Allowed shift of sticking and touching contacts, relative to the speed that friction can change and to the
// size.
constexpr double kAllowedProximalShift = 1e-9;

// Attempts of a solve, in this order: proximal regularisation c, method, iterations.
constexpr GeometricStepper::Attempt kAttempts[] = {
    {1e-5, MixedMethod::min_map, 15},  {1e-8, MixedMethod::min_map, 15},  {1e-3, MixedMethod::min_map, 15},
    {1e-5, MixedMethod::automatic, 0}, {1e-8, MixedMethod::automatic, 0}, {1e-3, MixedMethod::automatic, 0}};
constexpr int kMostForAll = 200;  // unknowns: larger problems are attempted by the fast method only

// Sets the proximal centre of a contact to the impulses in z.
void hold(const double* z, double proximal, const ContactLayout& at, ContactSetup* s) {
  s->proximal = proximal;
  s->p0 = z[at.p];
  if (at.w >= 0) s->w0 = Vec3(z[at.w], z[at.w + 1], z[at.w + 2]);
  if (at.turn >= 0) s->turn0 = z[at.turn];
}

// By how much the proximal regularisation has shifted the contact.
double proximal_shift_of(const double* z, const ContactLayout& at, const ContactSetup& s) {
  const double p = z[at.p];
  double shift = kYield * s.h * std::abs(p - s.p0) / (s.mass * s.length);
  if (p > 0.0 && at.w >= 0)
    shift = std::max(shift, s.proximal * (Vec3(z[at.w], z[at.w + 1], z[at.w + 2]) - s.w0).norm());
  if (p > 0.0 && at.turn >= 0) shift = std::max(shift, s.proximal * std::abs(z[at.turn] - s.turn0));
  return shift;
}

// The change of slip that an impulse as large as the normal one makes: that of the bodies, and of layers that yield
// (m/s). At least that of a fraction of the speed, if there is no impulse yet.
double speed_of_pushing(const ContactGuess& guess, const BodyState& A, const BodyState& B,
                        const ContactSetup& s, double speed) {
  constexpr double kLeast = 0.05;
  const bool is_soft = s.soft_A.is_soft || s.soft_B.is_soft;
  double pushed = std::max(0.0, guess.closest.normal.dot(guess.impulse));
  if (is_soft) {
    // Rigid cores bear what they would without layers.
    const bool has_core = s.soft_A.has_core() || s.soft_B.has_core();
    pushed = std::max(has_core ? pushed : 0.0, borne_by_layers(guess, A, B, s)[0]);
  }
  const double of_bodies = std::max(pushed / s.mass, kLeast * speed);
  if (!is_soft) return of_bodies;
  const double shear = 0.5 * layer_compliance(s).bottomRightCorner<2, 2>().trace();
  return of_bodies * (1.0 + s.mass * shear / s.h);
}

}  // namespace

void GeometricStepper::solve(const Model& model, const State& now, const Formulation& f, StepRecord* r,
                             StepWorkspace* w) {
  if (f.contact.law == LawKind::geometric_quasi_rigid) check_layers(model, f.geometric);
  GeometricReport& report = r->report.geometric;
  ContactSolution& solution = r->contact.solution;
  r->geometric_contacts.clear();
  const ContactProblem& problem = r->contact.problem;
  for (int i = 0; i < static_cast<int>(problem.islands.size()); ++i) {
    const Island& island = problem.islands[i];
    if (island.patch_begin == island.patch_end) continue;
    ++report.islands;
    const int iterations = report.iterations;
    const Outcome outcome = solve_island(model, now, f, i, r, w);
    if (outcome == Outcome::solved) {
      solution.islands[i] = {};
      solution.islands[i].iterations = report.iterations - iterations;
      solution.islands[i].residual = residual_;
      continue;
    }
    ++report.fallbacks;
    report.without_functions += outcome == Outcome::has_no_functions;
  }
  report.contacts = static_cast<int>(r->geometric_contacts.size());
  report.missed = count_missed(model, now, *r, w);
  // The worst of all islands, including those without contacts and those that kept the explicit solution.
  solution.report = {};
  solution.report.islands = static_cast<int>(problem.islands.size());
  for (std::size_t i = 0; i < problem.islands.size(); ++i)
    add_to_report(solution.islands[i], problem.island_trees[problem.islands[i].tree_begin], &solution.report);
}

GeometricStepper::Outcome GeometricStepper::solve_island(const Model& model, const State& now,
                                                         const Formulation& f, int island, StepRecord* r,
                                                         StepWorkspace* w) {
  const ContactProblem& problem = r->contact.problem;
  const Island& of = problem.islands[island];
  const CollisionRecord& collision = r->collision;
  const std::vector<CollisionItem>& items = model.tables().collision->items;

  // The pairs and their bodies.
  speed_ = model.forest.gravity.norm() * r->h;
  for (int k = of.tree_begin; k < of.tree_end; ++k) {
    const ProblemTree& tree = problem.trees[problem.island_trees[k]];
    const int first = tree.is_free_body ? 3 : 0, count = tree.num_v - first;
    const auto largest = [&](const VecX& v) {
      return v.segment(tree.v_begin + first, count).lpNorm<Eigen::Infinity>();
    };
    speed_ = std::max({speed_, largest(problem.v_free), largest(now.v)});
  }
  if (!(speed_ > 0.0)) speed_ = 1.0;
  problem_.motion.begin(model.forest, r->kinematics, now.q, r->contact.solution.v, r->h,
                        &w->scheme.theta_kinematics);
  problem_.begin(problem, of, speed_);
  std::size_t count = 0;
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const int index = problem.patch_of_plan[k];
    if (index < of.patch_begin || index >= of.patch_end) continue;
    const ShapePair& pair = collision.pairs[k];
    const CollisionItem &A = items[pair.item_A], &B = items[pair.item_B];
    if (!has_functions(A) || !has_functions(B)) return Outcome::has_no_functions;
    if (candidates_.size() <= count) candidates_.resize(count + 1);
    set_candidate(model, now, f, *r, static_cast<int>(k), &candidates_[count++]);
  }
  candidates_.resize(count);

  // Initial guess of the velocities.
  v_.resize(problem_.motion.num_v);
  const bool is_soft = f.contact.law == LawKind::geometric_quasi_rigid;
  const bool remembers = now.acceleration.size() == now.v.size();
  for (const IslandTree& tree : problem_.motion.trees) {
    const int v_begin = problem.trees[tree.tree].v_begin;
    auto v = v_.segment(tree.begin, tree.size);
    if (!is_soft)
      v = r->contact.solution.v.segment(v_begin, tree.size);
    else if (remembers)
      v = now.v.segment(v_begin, tree.size) + r->h * now.acceleration.segment(v_begin, tree.size);
    else
      v = now.v.segment(v_begin, tree.size);
  }
  if (is_soft) {
    // Soft pairs that would touch in the motion without contact are part of the problem too.
    free_.resize(v_.size());
    for (const IslandTree& tree : problem_.motion.trees)
      free_.segment(tree.begin, tree.size) =
          problem.v_free.segment(problem.trees[tree.tree].v_begin, tree.size);
    problem_.motion.move(free_.data(), false);
    for (ContactCandidate& candidate : candidates_) {
      look(*r, &candidate);
      const ContactPoint& closest = candidate.guess.closest;
      candidate.guess.free_distance = closest.distance;
      candidate.guess.free_velocity = relative_velocity(problem_.motion.bodies[candidate.body_A].state,
                                                        problem_.motion.bodies[candidate.body_B].state,
                                                        closest.p_A, closest.p_B(), candidate.setup);
    }
  }
  problem_.motion.move(v_.data(), false);
  for (ContactCandidate& candidate : candidates_) look(*r, &candidate);

  int choices = f.geometric.most_choices;
  for (int round = 0; round < kMostRounds; ++round) {
    if (!solve_round(f, &choices, r)) return Outcome::failed;
    if (widen(*r)) continue;
    if (choices < f.geometric.most_choices && overlaps(*r)) return Outcome::failed;
    write(island, r);
    return Outcome::solved;
  }
  return Outcome::failed;
}

// choices: how often k may still be chosen again.
bool GeometricStepper::solve_round(const Formulation& f, int* choices, StepRecord* r) {
  problem_.contacts.clear();
  for (ContactCandidate& candidate : candidates_) {
    if (!candidate.takes_part) continue;
    ContactSetup& s = candidate.setup;
    const BodyState &A = problem_.motion.bodies[candidate.body_A].state,
                    &B = problem_.motion.bodies[candidate.body_B].state;
    set_functions(candidate.guess, A, B, &s);
    const auto set_shear = [&](const Vec3& shear, SoftLayer* layer) {
      layer->d0[1] = s.frame.col(1).dot(shear);
      layer->d0[2] = s.frame.col(2).dot(shear);
    };
    set_shear(candidate.guess.shear_A, &s.soft_A);
    set_shear(candidate.guess.shear_B, &s.soft_B);
    if (s.mu > 0.0) s.rho = 1.0 / (s.mu * speed_of_pushing(candidate.guess, A, B, s, speed_));
    IslandContact contact(s);
    contact.body_A = candidate.body_A;
    contact.body_B = candidate.body_B;
    contact.pair = static_cast<int>(&candidate - candidates_.data());
    problem_.contacts.push_back(contact);
  }
  problem_.finish();
  physical_.setZero(problem_.size());
  physical_.head(problem_.motion.num_v) = v_;
  for (const IslandContact& contact : problem_.contacts) {
    guess_unknowns(candidates_[contact.pair].guess, problem_.motion.bodies[contact.body_A].state,
                   problem_.motion.bodies[contact.body_B].state, contact.setup, contact.layout,
                   physical_.data() + contact.begin);
  }
  for (int i = 0; i < problem_.num_rows(); ++i)
    physical_[problem_.row_begin() + i] = r->contact.solution.row_impulses[problem_.row(i)];
  problem_.to_scaled(physical_, &z_);

  GeometricReport& total = r->report.geometric;
  total.unknowns = std::max(total.unknowns, problem_.size());
  start_ = z_;
  for (const Attempt& attempt : kAttempts) {
    if (attempt.method == MixedMethod::automatic && problem_.size() > kMostForAll) break;
    z_ = start_;
    if (!solve_without_proximal_term(f, attempt, &total)) {
      if (*choices == 0 || !choose_again(*r)) continue;
      --*choices;
      ++total.chosen_again;
      return solve_round(f, choices, r);
    }
    problem_.to_physical(z_, &physical_);
    v_ = physical_.head(problem_.motion.num_v);
    problem_.motion.move(v_.data(), false);
    return true;
  }
  return false;
}

// Solves from z, and again from the solution while proximal shifts remain.
bool GeometricStepper::solve_without_proximal_term(const Formulation& f, const Attempt& attempt,
                                                   GeometricReport* total) {
  MixedOptions options;
  options.tolerance = f.geometric.tolerance;
  options.max_iterations =
      attempt.steps > 0 ? std::min(attempt.steps, f.geometric.max_iterations) : f.geometric.max_iterations;
  options.method = attempt.method;
  options.restarts = 0;
  bool is_solved = false;
  double shift = 0.0, residual = 0.0;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    problem_.to_physical(z_, &physical_);
    for (IslandContact& contact : problem_.contacts)
      hold(physical_.data() + contact.begin, attempt.proximal, contact.layout, &contact.setup);
    const MixedReport report = solver_.solve(problem_, options, &z_);
    total->iterations += report.iterations;
    if (report.status != MixedStatus::converged) {
      ended_ = z_;
      z_ = settled_;
      break;
    }
    is_solved = true;
    settled_ = z_;
    residual = report.residual;
    problem_.to_physical(z_, &physical_);
    shift = 0.0;
    for (const IslandContact& contact : problem_.contacts)
      shift =
          std::max(shift, proximal_shift_of(physical_.data() + contact.begin, contact.layout, contact.setup));
    if (shift <= kAllowedProximalShift) break;
  }
  if (!is_solved) return false;
  total->relaxed += shift > kAllowedProximalShift;
  total->residual = std::max(total->residual, residual);
  residual_ = residual;
  return true;
}

// Whether contacts of the solution overlap. The conditions of the closest points also hold at points on the
// far sides of two bodies, which a start from poses that overlap deeply may find.
bool GeometricStepper::overlaps(const StepRecord& r) {
  bool is_found = false;
  for (const IslandContact& contact : problem_.contacts) {
    ContactCandidate& candidate = candidates_[contact.pair];
    const ContactSetup& s = candidate.setup;
    if (s.soft_A.is_soft || s.soft_B.is_soft) continue;
    look(r, &candidate);
    is_found = is_found || candidate.guess.closest.distance < s.target - kMostOverlap * s.length;
  }
  return is_found;
}

// Where the last attempt ended, the closest points may lie on other functions (k) of the shapes than at the
// initial guess. Then moves the initial guess there and returns true.
bool GeometricStepper::choose_again(const StepRecord& r) {
  if (!ended_.allFinite()) return false;
  problem_.to_physical(ended_, &physical_);
  problem_.motion.move(physical_.data(), false);
  bool is_other = false;
  for (const IslandContact& contact : problem_.contacts) {
    ContactCandidate& candidate = candidates_[contact.pair];
    const ContactGuess before = candidate.guess;
    look(r, &candidate);
    ContactSetup s = contact.setup;
    set_functions(candidate.guess, problem_.motion.bodies[contact.body_A].state,
                  problem_.motion.bodies[contact.body_B].state, &s);
    is_other = is_other || s.functions_A.index[0] != contact.setup.functions_A.index[0];
    candidate.guess = before;
  }
  if (!is_other) {
    problem_.motion.move(v_.data(), false);
    return false;
  }
  v_ = physical_.head(problem_.motion.num_v);
  for (ContactCandidate& candidate : candidates_) look(r, &candidate);
  return true;
}

// Adds pairs or functions that should have been part of the problem; whether there were any.
bool GeometricStepper::widen(const StepRecord& r) {
  bool is_wider = false;
  for (const IslandContact& contact : problem_.contacts) {
    ContactCandidate& candidate = candidates_[contact.pair];
    const double* z = physical_.data() + contact.begin;
    const ContactLayout& at = contact.layout;
    is_wider = is_wider || leaves_functions(contact.setup, at, z);
    // The initial guess of the next round.
    const BodyState &A = problem_.motion.bodies[contact.body_A].state,
                    &B = problem_.motion.bodies[contact.body_B].state;
    Vec6 on_A, on_B;
    double F[kMostContactUnknowns];
    contact_conditions<double>(contact.setup, at, A, B, z, F, &on_A, &on_B);
    candidate.guess.impulse = on_B.tail<3>();
    if (at.turn >= 0) candidate.guess.turning = contact.setup.mu_t * z[at.p] * z[at.turn];
  }
  int joined = 0;
  for (ContactCandidate& candidate : candidates_) {
    if (candidate.takes_part) continue;
    candidate.guess.impulse = Vec3::Zero();
    look(r, &candidate);
    // Overlaps of the order of round-off do not count.
    const ContactSetup& s = candidate.setup;
    candidate.takes_part = s.bounces || candidate.guess.closest.distance < s.target - kNone * s.length;
    joined += candidate.takes_part;
  }
  if (!is_wider && joined == 0) return false;
  // Update the contacts that were part of the problem.
  for (const IslandContact& contact : problem_.contacts) look(r, &candidates_[contact.pair]);
  return true;
}

}  // namespace stiction
