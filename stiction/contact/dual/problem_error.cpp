// What the error of impulses is: scales of the kinds of rows, and the measures of problem.h.

#include <algorithm>
#include <cmath>

#include "stiction/contact/dual/problem.h"

namespace stiction {
namespace {

// m/s: of slower motions the squares have no digits. Nothing moves.
constexpr double kNoMotion = 1e-100;

// The lengths by which velocities of scalar rows become velocities of contacts (see velocity_scale()).
class RowLengths {
 public:
  explicit RowLengths(const std::vector<DualBlock>& blocks) {
    for (const DualBlock& block : blocks) {
      if (!block.is_contact() || block.is_group || !(block.rho > 0.0)) continue;
      mobility_ += 1.0 / block.rho;
      ++contacts_;
    }
  }
  // m; 1 for contacts.
  double of(const DualBlock& block) const {
    return block.is_contact() || contacts_ == 0 ? 1.0 : std::sqrt(block.rho * mobility_ / contacts_);
  }

 private:
  double mobility_ = 0.0;  // 1/kg
  int contacts_ = 0;
};

}  // namespace

// Explicit problems (nullptr) have no free motion and no gravity apart from r.
void DualProblem::set_scales(const ContactProblem* problem) {
  enum Kind { kContacts, kDrives, kJoints, kKinds };
  const auto kind_of = [](const DualBlock& block) {
    if (block.is_contact() && !block.is_group) return kContacts;
    return block.is_drive ? kDrives : kJoints;
  };
  const RowLengths lengths(blocks);
  const double fall = problem ? problem->fall_speed : 0.0;
  double scales[kKinds] = {fall, fall, fall};
  bool is_there[kKinds] = {};
  for (const DualBlock& block : blocks) {
    if (!(block.rho > 0.0)) continue;
    // Without impulses s = r: the velocity of the free motion less the one that is asked for.
    double velocity = 0.0;
    for (int i = 0; i < block.size(); ++i) {
      const int row = block.begin + i;
      double asked = 0.0;
      if (block.is_group && i == block.tangents) {
        // The radius of the ball as a velocity: what the friction of the group can change, like g h of a
        // contact.
        velocity = std::max(velocity, std::abs(r[row]));
        continue;
      }
      if (problem && (!block.is_contact() || block.is_group)) {
        const RowLaw& law = problem->row_laws[block.source + i];
        asked = law.offset / law.slope;
      } else if (problem && i == block.tangents) {
        asked = problem->law_parameters[kReference][block.source];
      }
      // A limit or a contact that may close asks for no motion.
      const bool is_one_sided = kind_of(block) == kContacts || block.lower == 0.0;
      const double demand = is_one_sided ? std::max(asked, 0.0) : std::abs(asked);
      const double own = block.is_drive ? std::abs(r[row]) : std::max(std::abs(r[row] + asked), demand);
      velocity = std::max(velocity, own);
    }
    const Kind kind = kind_of(block);
    is_there[kind] = true;
    scales[kind] = std::max(scales[kind], lengths.of(block) * velocity);
  }
  double largest = 0.0;
  for (int k = 0; k < kKinds; ++k)
    if (is_there[k]) largest = std::max(largest, scales[k]);
  if (!(largest > kNoMotion)) largest = 1.0;
  for (double& scale : scales) scale = std::max(scale, kLeastScale * largest);
  velocity_scale_ = is_there[kContacts] ? scales[kContacts] : largest;
  for (DualBlock& block : blocks)
    block.weight =
        kind_of(block) == kContacts ? 1.0 : velocity_scale_ * lengths.of(block) / scales[kind_of(block)];
}

double DualProblem::motion_scale() const {
  double energy = 0.0;
  for (std::size_t t = 0; t < tree_sizes.size(); ++t) {
    const int n = tree_sizes[t];
    const double *M = A.data() + A_begin[t], *v = v_free.data() + tree_offsets[t];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) energy += v[i] * M[j * n + i] * v[j];
  }
  const RowLengths lengths(blocks);
  double largest = velocity_scale();
  for (const DualBlock& block : blocks)
    if (block.rho > 0.0) largest = std::max(largest, velocity_scale() * lengths.of(block) / block.weight);
  for (const DualBlock& block : blocks) {
    if (!(block.rho > 0.0)) continue;
    const double velocity = largest / lengths.of(block);
    energy += block.rho * velocity * velocity;
  }
  return std::sqrt(energy);
}

double DualProblem::natural_error(LawKind law, const Pyramid& pyramid, const VecX& lambda,
                                  const VecX& s) const {
  return velocity_scale() * error({law, pyramid}, lambda, s);
}

double DualProblem::error(const ErrorMeasure& measure, const VecX& lambda, const VecX& s) const {
  double worst = 0.0;
  for (int b = 0; b < num_blocks(); ++b) {
    if (!(blocks[b].rho > 0.0)) continue;
    keep_worst(block_error(measure, b, lambda.data() + blocks[b].begin, s.data() + blocks[b].begin), &worst);
  }
  return worst;
}

double DualProblem::block_error(const ErrorMeasure& measure, int b, const double* x, const double* s) const {
  const DualBlock& block = blocks[b];
  if (!measure.is_absolute) {
    const double error = block.is_contact()
                             ? stiction::natural_error(block.law_under(measure.law), measure.pyramid,
                                                       block.friction, block.tangents, block.rho, x, s)
                             : stiction::natural_error(block.lower, block.upper, block.rho, *x, *s);
    return error * block.weight / velocity_scale();
  }
  if (!block.is_contact()) return absolute_error(block.lower / h, block.upper / h, *x / h, *s / h);
  double force[kMostRows], acceleration[kMostRows];
  for (int i = 0; i < block.size(); ++i) {
    force[i] = x[i] / h;
    acceleration[i] = s[i] / h;
  }
  return absolute_error(block.law_under(measure.law), measure.pyramid, block.friction, block.tangents, force,
                        acceleration);
}

double DualProblem::error_of_velocity(const ErrorMeasure& measure, const DualBlock& block, double velocity,
                                      double x) const {
  if (!measure.is_absolute) return velocity * block.weight / velocity_scale();
  return velocity / h * std::max(1.0, x / h);
}

double DualProblem::round_off(const ErrorMeasure& measure, const VecX& lambda) const {
  constexpr double kRoundOff = 16.0 * std::numeric_limits<double>::epsilon();
  double most = 0.0, most_relative = 0.0;
  for (const DualBlock& block : blocks) {
    if (!(block.rho > 0.0)) continue;
    const double size = norm_of(lambda.data() + block.begin, block.size());
    const double velocity = kRoundOff * size / block.rho;
    most = std::max(most, error_of_velocity(measure, block, velocity, size));
    most_relative =
        std::max(most_relative, error_of_velocity({measure.law, measure.pyramid}, block, velocity, size));
  }
  return most_relative <= kMostRoundOff ? most : 0.0;
}

DualProblem::NaturalMap DualProblem::natural_map(LawKind law, const VecX& lambda, const VecX& s) const {
  NaturalMap sum;
  double x[kMostRows];
  for (const DualBlock& block : blocks) {
    if (!(block.rho > 0.0)) continue;
    const double *l = lambda.data() + block.begin, *v = s.data() + block.begin;
    const int m = block.tangents;
    for (int i = 0; i < block.size(); ++i) x[i] = l[i] - block.rho * v[i];
    if (block.is_contact()) {
      if (block.law_under(law) != LawKind::convex_cone) x[m] -= block.rho * block.friction * norm_of(v, m);
      project_on_cone(block.friction, m, x);
    } else {
      x[0] = std::clamp(x[0], block.lower, block.upper);
    }
    for (int i = 0; i < block.size(); ++i) {
      sum.map += (l[i] - x[i]) * (l[i] - x[i]);
      sum.lambda += l[i] * l[i];
    }
  }
  return sum;
}

}  // namespace stiction
