#include "stiction/contact/complementarity/box_pivoting.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kNone = 1e299;  // a bound beyond this is none
// Round-off of x and w, relative to the largest |q|.
constexpr double kSlack = 1e-12;
// Rates and pivots (1 for a pair alone) below which they count as zero: for pairs that depend on others they
// are round-off, up to 1e-16 times the condition number of the others.
constexpr double kZeroRate = 1e-8, kZeroPivot = 1e-8;
constexpr double kSingular = 1e-14;
constexpr double kDrift = 100.0;  // times the slack: too much round-off of the exchanges, rebuild
constexpr int kFewPivots = 64;    // between rebuilds, at least
constexpr int kMostTurns = 10;    // exchanges of a drive, per pair: more are a cycle
constexpr int kMostPasses = 4;    // over the pairs, to correct what round-off has moved

}  // namespace

void BoxPivoting::begin(const MatX& M, const VecX& q, const VecX& start) {
  n_ = static_cast<int>(q.size());
  M_ = &M;
  q_ = q;
  tableau_.T = M;
  tableau_.t = q;
  tableau_.begin();
  since_rebuild_ = 0;
  slack_ = kSlack * (n_ > 0 ? q.cwiseAbs().maxCoeff() : 0.0);
  value_.setZero(2 * n_);
  place_.resize(n_);
  is_right_.resize(n_);
  for (int k = 0; k < n_; ++k) {
    const bool has_lower = lower[k] > -kNone, has_upper = upper[k] < kNone;
    const bool is_nearer_to_lower = start[k] - lower[k] <= upper[k] - start[k];
    place_[k] = has_lower && (is_nearer_to_lower || !has_upper) ? Place::lower
                : has_upper                                     ? Place::upper
                                                                : Place::between;
    value_[x_of(k)] = start[k];
  }
}

void BoxPivoting::set_q(int k, double value) {
  // The rows hold w_k - q_k: a basic w_k changes with q_k; where w_k is a column, so does its multiple.
  const double change = value - q_[k];
  q_[k] = value;
  if (tableau_.is_basic(w_of(k)))
    tableau_.t[tableau_.row_of(w_of(k))] += change;
  else
    tableau_.t -= change * tableau_.T.col(tableau_.column_of(w_of(k)));
}

int BoxPivoting::wrong_side(int k) const {
  const double at = x(k), speed = w(k);
  if (at < lower[k] - slack_) return 1;
  if (at > upper[k] + slack_) return -1;
  if (speed < -slack_ && at < upper[k] - slack_) return 1;
  if (speed > slack_ && at > lower[k] + slack_) return -1;
  return 0;
}

// Distance of pair r from its staircase along (dx, dw).
double BoxPivoting::distance_to_staircase(int r, double dx, double dw) const {
  double nearest = HUGE_VAL;
  const auto consider = [&](double distance, bool is_on_it) {
    if (distance >= 0.0 && is_on_it) nearest = std::min(nearest, distance);
  };
  if (dw != 0.0) {
    const double distance = -w(r) / dw, there = x(r) + distance * dx;
    consider(distance, there >= lower[r] - slack_ && there <= upper[r] + slack_);
  }
  if (dx != 0.0 && upper[r] < kNone) {
    const double distance = (upper[r] - x(r)) / dx;
    consider(distance, w(r) + distance * dw <= slack_);
  }
  if (dx != 0.0 && lower[r] > -kNone) {
    const double distance = (lower[r] - x(r)) / dx;
    consider(distance, w(r) + distance * dw >= -slack_);
  }
  return nearest;
}

// How far a drive may go before the basic variable of the right pair k, changing at `rate`, reaches a corner.
double BoxPivoting::distance_to_corner(int k, double rate) const {
  if (is_free(k)) {
    const double bound = rate > 0.0 ? upper[k] : lower[k];
    return std::abs(bound) < kNone ? std::max(0.0, (bound - x(k)) / rate) : HUGE_VAL;
  }
  if (!(lower[k] < upper[k])) return HUGE_VAL;
  if (place_[k] == Place::between) return 0.0;
  const bool is_towards_zero = place_[k] == Place::lower ? rate < 0.0 : rate > 0.0;
  return is_towards_zero ? std::max(0.0, -w(k) / rate) : HUGE_VAL;
}

// Sets the basic variable of pair k exactly to the corner it has reached.
void BoxPivoting::settle(int k) {
  if (!is_free(k)) {
    value_[w_of(k)] = 0.0;
    return;
  }
  const bool is_at_upper = std::abs(x(k) - upper[k]) < std::abs(x(k) - lower[k]);
  place_[k] = is_at_upper ? Place::upper : Place::lower;
  value_[x_of(k)] = is_at_upper ? upper[k] : lower[k];
}

// Exchanges the variables of pair k, or those of k and r crosswise. False if there is no pivot for either.
bool BoxPivoting::turn(int k, int r) {
  const auto basic = [&](int i) { return tableau_.row_of(is_free(i) ? x_of(i) : w_of(i)); };
  const auto nonbasic = [&](int i) { return tableau_.column_of(is_free(i) ? w_of(i) : x_of(i)); };
  const int row = basic(k), column = nonbasic(k);
  const double least = kZeroPivot * std::max(1.0, tableau_.T.row(row).cwiseAbs().maxCoeff());
  ++report_.pivots;
  ++since_rebuild_;
  if (tableau_.T(row, column) > least) {
    tableau_.exchange(row, column);
    return true;
  }
  if (k == r) return false;
  const int row_r = basic(r), column_r = nonbasic(r);
  const MatX& T = tableau_.T;
  if (!(std::abs(T(row, column_r)) > least)) return false;
  const double second = T(row_r, column) - T(row_r, column_r) * T(row, column) / T(row, column_r);
  if (!(std::abs(second) > kZeroPivot * std::max(1.0, T.row(row_r).cwiseAbs().maxCoeff()))) return false;
  tableau_.exchange(row, column_r);
  tableau_.exchange(row_r, column);
  return true;
}

LcpStatus BoxPivoting::drive(int r, int max_pivots) {
  const int most_pivots = report_.pivots + kMostTurns * n_;
  while (true) {
    const int side = wrong_side(r);
    if (side == 0) return LcpStatus::solved;
    if (report_.pivots >= max_pivots) return LcpStatus::max_pivots;
    if (report_.pivots >= most_pivots) return LcpStatus::singular;
    const bool drives_x = !is_free(r);
    const int driver = drives_x ? x_of(r) : w_of(r);
    const int column = tableau_.column_of(driver);
    basic_ = side * tableau_.T.col(column);
    const double target_rate = basic_[tableau_.row_of(drives_x ? w_of(r) : x_of(r))];
    const double own = distance_to_staircase(r, drives_x ? side : target_rate, drives_x ? target_rate : side);

    // Which pair stops it? First how far all may go, with some slack; then the best pivot of those in the
    // way.
    const double least_rate = kZeroRate * std::max(1.0, basic_.cwiseAbs().maxCoeff());
    double furthest = HUGE_VAL, best_pivot = -1.0, distance = own;
    for (int i = 0; i < n_; ++i) {
      const int k = tableau_.row_variable(i) % n_;
      if (k == r || !is_right_[k] || !(std::abs(basic_[i]) > least_rate)) continue;
      furthest = std::min(furthest, distance_to_corner(k, basic_[i]) + slack_ / std::abs(basic_[i]));
    }
    int stopped_by = -1;
    for (int k = 0; k < n_ && own > furthest; ++k) {
      if (k == r || !is_right_[k]) continue;
      const int row = tableau_.row_of(is_free(k) ? x_of(k) : w_of(k));
      if (!(std::abs(basic_[row]) > least_rate)) continue;
      const double corner = distance_to_corner(k, basic_[row]);
      const double pivot = std::abs(tableau_.T(row, tableau_.column_of(is_free(k) ? w_of(k) : x_of(k))));
      if (corner > furthest || pivot <= best_pivot) continue;
      best_pivot = pivot;
      stopped_by = k;
      distance = corner;
    }
    if (!std::isfinite(distance)) return std::isnan(distance) ? LcpStatus::not_finite : LcpStatus::ray;

    for (int i = 0; i < n_; ++i) value_[tableau_.row_variable(i)] += distance * basic_[i];
    value_[driver] += distance * side;
    if (stopped_by >= 0) {
      settle(stopped_by);
      if (!turn(stopped_by, r)) return LcpStatus::singular;
    } else {
      // On the staircase: x is nonbasic at a bound, w in between; in a corner either may be.
      const bool is_above_lower = x(r) > lower[r] + slack_, is_below_upper = x(r) < upper[r] - slack_;
      const bool is_still = std::abs(w(r)) <= slack_;
      if (is_still && !drives_x) {
        value_[w_of(r)] = 0.0;
      } else if (is_still && is_above_lower && is_below_upper) {
        value_[w_of(r)] = 0.0;
        place_[r] = Place::between;
        turn(r, r);  // without a pivot x stays nonbasic between its bounds
      } else {
        const bool is_at_upper = std::abs(x(r) - upper[r]) < std::abs(x(r) - lower[r]);
        place_[r] = is_at_upper ? Place::upper : Place::lower;
        value_[x_of(r)] = is_at_upper ? upper[r] : lower[r];
        if (!drives_x && !turn(r, r)) return LcpStatus::singular;
      }
    }
    if (since_rebuild_ >= std::max(kFewPivots, n_ / 2)) {
      if (!tableau_.rebuild(*M_, q_, kSingular)) return LcpStatus::singular;
      ++report_.rebuilds;
      since_rebuild_ = 0;
      compute_basic();
    }
    if (stopped_by < 0) return LcpStatus::solved;
  }
}

// Nonbasic x follow their bounds.
void BoxPivoting::place_nonbasic() {
  for (int k = 0; k < n_; ++k) {
    if (is_free(k)) {
      value_[w_of(k)] = 0.0;
      continue;
    }
    if (place_[k] == Place::between) {
      const double clamped = std::clamp(x(k), lower[k], upper[k]);
      if (clamped != x(k)) place_[k] = clamped == lower[k] ? Place::lower : Place::upper;
      value_[x_of(k)] = clamped;
    } else {
      value_[x_of(k)] = place_[k] == Place::lower ? lower[k] : upper[k];
    }
  }
}

void BoxPivoting::compute_basic() {
  nonbasic_.resize(n_);
  for (int j = 0; j < n_; ++j) nonbasic_[j] = value_[tableau_.column_variable(j)];
  basic_.noalias() = tableau_.T * nonbasic_;
  basic_ += tableau_.t;
  for (int i = 0; i < n_; ++i) value_[tableau_.row_variable(i)] = basic_[i];
}

LcpReport BoxPivoting::solve(const std::vector<int>& order, int max_pivots) {
  report_ = {};
  for (int pass = 0; pass < kMostPasses; ++pass) {
    place_nonbasic();
    compute_basic();
    report_.status = LcpStatus::solved;
    for (int k = 0; k < n_; ++k) is_right_[k] = wrong_side(k) == 0;
    for (std::size_t i = 0; i < order.size() && report_.status == LcpStatus::solved; ++i) {
      if (!is_right_[order[i]]) report_.status = drive(order[i], max_pivots);
      is_right_[order[i]] = true;
    }
    // Is the tableau still consistent with M and q? If not, or if a pivot was missing, rebuild it and
    // continue from the present basis.
    nonbasic_ = value_.tail(n_);
    basic_ = q_ - value_.head(n_);
    basic_.noalias() += *M_ * nonbasic_;
    const bool has_drifted = n_ > 0 && basic_.cwiseAbs().maxCoeff() > kDrift * slack_;
    if (report_.status != LcpStatus::singular && (report_.status != LcpStatus::solved || !has_drifted)) break;
    ++report_.rebuilds;
    since_rebuild_ = 0;
    if (!tableau_.rebuild(*M_, q_, kSingular)) {
      report_.status = LcpStatus::singular;
      break;
    }
  }
  return report_;
}

void BoxPivoting::solution(VecX* x) const { *x = value_.tail(n_).cwiseMax(lower).cwiseMin(upper); }

}  // namespace stiction
