#include "stiction/simulation/contact/contact_memory.h"

#include <algorithm>
#include <tuple>

#include "stiction/simulation/collision/collision_record.h"
#include "stiction/simulation/constraint/constraint_record.h"
#include "stiction/simulation/contact/contact_record.h"

namespace stiction {
namespace {

constexpr int kMostPoints = 64;  // of a pair; further ones are not looked up
constexpr double kNear = 0.1;    // times the extent of a pair's points
constexpr double kLost = 1.0;    // a solution with a larger relative error is no good guess

bool is_before(const RememberedPoint& point, const ShapePair& pair) {
  return std::tie(point.shape_A, point.shape_B) < std::tie(pair.shape_A, pair.shape_B);
}

bool is_of(const RememberedPoint& point, const ShapePair& pair) {
  return point.shape_A == pair.shape_A && point.shape_B == pair.shape_B;
}

}  // namespace

void recall(const ContactMemory& memory, double h, const CollisionRecord& collision,
            const ConstraintRecord& constraints, ContactRecord* contact) {
  const ContactProblem& problem = contact->problem;
  ImpulseGuess& guess = contact->guess;
  guess.impulses.assign(4 * problem.frames.size(), 0.0);
  guess.moments.assign(4 * problem.friction_lengths.size(), 0.0);
  guess.rows.assign(problem.rows.size(), 0.0);
  auto begin = memory.points.begin();
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const ShapePair& pair = collision.pairs[k];
    const ContactPairMap& place = contact->places[k];
    if (place.begin < 0) continue;
    begin = std::lower_bound(begin, memory.points.end(), pair, is_before);
    auto end = begin;
    while (end != memory.points.end() && is_of(*end, pair)) ++end;
    const double impulse = (place.is_swapped ? -1.0 : 1.0) * h;
    const auto take = [&](int i, const RememberedPoint& point) {
      const int p = place.begin + i;
      Eigen::Map<Vec3>(guess.impulses.data() + 4 * p) = impulse * point.force;
      if (!guess.moments.empty()) Eigen::Map<Vec3>(guess.moments.data() + 4 * p) = impulse * point.moment;
    };
    const int points = std::min(pair.end - pair.begin, kMostPoints);
    const int known = static_cast<int>(std::min<std::ptrdiff_t>(end - begin, kMostPoints));
    bool is_found[kMostPoints] = {}, is_taken[kMostPoints] = {};
    for (int i = 0; i < points && known > 0; ++i) {
      const std::uint64_t feature = collision.contact(pair, pair.begin + i).feature;
      for (int m = 0; m < known && !is_found[i]; ++m) {
        if (begin[m].feature != feature) continue;
        is_found[i] = is_taken[m] = true;
        take(i, begin[m]);
      }
    }
    // By position, within a fraction of the extent of the pair's points.
    double extent = 0.0;
    for (int m = 1; m < known; ++m)
      extent = std::max(extent, (begin[m].place - begin[0].place).squaredNorm());
    for (int i = 0; i < points; ++i) {
      if (is_found[i]) continue;
      const Vec3 here = collision.contact(pair, pair.begin + i).p_A;
      int nearest = -1;
      double least = kNear * kNear * extent;
      for (int m = 0; m < known; ++m) {
        const double gap = (begin[m].place - here).squaredNorm();
        if (is_taken[m] || !(gap <= least)) continue;
        least = gap;
        nearest = m;
      }
      if (nearest < 0) continue;
      is_taken[nearest] = true;
      take(i, begin[nearest]);
    }
    begin = end;
  }
  guess.penalties.assign(problem.trees.size(), 0.0);
  for (const RememberedPenalty& penalty : memory.penalties)
    if (penalty.tree < static_cast<int>(problem.trees.size())) guess.penalties[penalty.tree] = penalty.rho;
  const std::vector<RowOwner>& owners = constraints.owners;
  std::size_t at = 0;
  for (std::size_t i = 0; i < std::min(owners.size(), guess.rows.size()) && !memory.rows.empty(); ++i) {
    // Rows come in the same order from step to step; some are new, some have gone.
    for (std::size_t tries = 0; tries < memory.rows.size(); ++tries) {
      const RememberedRow& row = memory.rows[(at + tries) % memory.rows.size()];
      if (row.kind != static_cast<int>(owners[i].kind) || row.index != owners[i].index ||
          row.component != owners[i].component)
        continue;
      guess.rows[i] = h * row.force;
      at = (at + tries + 1) % memory.rows.size();
      break;
    }
  }
}

void remember(double h, const CollisionRecord& collision, const ConstraintRecord& constraints,
              const ContactRecord& contact, ContactMemory* memory) {
  memory->points.clear();
  memory->rows.clear();
  memory->penalties.clear();
  const ContactSolution& solution = contact.solution;
  // If the problem has no solution, forces that cancel each other would grow from step to step.
  if (!is_solved(solution.report.status) && !(solution.report.residual < kLost)) return;
  for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
    const ShapePair& pair = collision.pairs[k];
    const ContactPairMap& place = contact.places[k];
    if (place.begin < 0) continue;
    const double rate = (place.is_swapped ? -1.0 : 1.0) / h;
    for (int i = pair.begin; i < pair.end; ++i) {
      const int p = place.begin + i - pair.begin;
      RememberedPoint point;
      point.shape_A = pair.shape_A;
      point.shape_B = pair.shape_B;
      const ContactPoint at = collision.contact(pair, i);
      point.feature = at.feature;
      point.place = at.p_A;
      point.force = rate * Eigen::Map<const Vec3>(solution.impulses.data() + 4 * p);
      if (!solution.moments.empty())
        point.moment = rate * Eigen::Map<const Vec3>(solution.moments.data() + 4 * p);
      if (!point.force.isZero(0.0) || !point.moment.isZero(0.0)) memory->points.push_back(point);
    }
  }
  const ContactProblem& problem = contact.problem;
  for (std::size_t i = 0; i < std::min(problem.islands.size(), solution.islands.size()); ++i)
    if (solution.islands[i].penalty > 0.0)
      memory->penalties.push_back(
          {problem.island_trees[problem.islands[i].tree_begin], solution.islands[i].penalty});
  const std::vector<RowOwner>& owners = constraints.owners;
  for (std::size_t i = 0; i < std::min(owners.size(), solution.row_impulses.size()); ++i)
    memory->rows.push_back({static_cast<int>(owners[i].kind), owners[i].index, owners[i].component,
                            solution.row_impulses[i] / h});
}

}  // namespace stiction
