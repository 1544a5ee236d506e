#include "stiction/base/random.h"

#include <bit>
#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// Natural logarithm of x > 0 to a few units in the last place. std::log is not rounded the same way
// everywhere.
//
//   x = m 2^e,   m in [sqrt(1/2), sqrt(2))
//   log m = 2 atanh z = 2 (z + z^3/3 + z^5/5 + ...),   z = (m - 1)/(m + 1)
double portable_log(double x) {
  constexpr double kLog2 = 0.693147180559945309417;
  constexpr double kSqrtHalf = 0.707106781186547524401;
  constexpr int kHighestPower = 23;  // |z| < 0.172, so the first term left out is below 2^-60 of the sum

  int exponent;
  double m = std::frexp(x, &exponent);
  if (m < kSqrtHalf) {
    m *= 2;
    --exponent;
  }
  const double z = (m - 1) / (m + 1);
  const double z2 = z * z;
  double sum = 0;
  for (int power = kHighestPower; power >= 1; power -= 2) sum = std::fma(sum, z2, 1.0 / power);
  return std::fma(exponent, kLog2, 2 * z * sum);
}

}  // namespace

std::uint64_t splitmix64(std::uint64_t* state) {
  *state += 0x9e3779b97f4a7c15;
  std::uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(&seed);
}

std::uint64_t Random::bits() {
  State& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::uniform(double low, double high) {
  STICTION_ASSERT(low < high);
  while (true) {
    const double x = std::fma(high - low, uniform(), low);
    if (x < high) return x;  // rounding can reach high
  }
}

int Random::uniform_int(int low, int high) {
  STICTION_ASSERT(low <= high);
  // Draw as many bits as the range needs and draw again outside it: two draws on average at worst.
  const std::uint64_t range = static_cast<std::uint64_t>(static_cast<std::int64_t>(high) - low);
  const int bit_count = std::bit_width(range);
  if (bit_count == 0) return low;
  while (true) {
    const std::uint64_t draw = bits() >> (64 - bit_count);
    if (draw <= range) return static_cast<int>(low + static_cast<std::int64_t>(draw));
  }
}

double Random::normal() {
  // Marsaglia's polar method. The second number of the pair is dropped, so that there is no state beside the
  // generator's.
  while (true) {
    const double x = std::fma(2, uniform(), -1);
    const double y = std::fma(2, uniform(), -1);
    const double r2 = std::fma(x, x, y * y);
    if (0 < r2 && r2 < 1) return x * std::sqrt(-2 * portable_log(r2) / r2);
  }
}

void Random::fill_unit_vector(std::span<double> direction) {
  // Normal coordinates have no preferred direction; too short a vector would lose digits when divided by its
  // length.
  constexpr double kShortestSquared = 1e-12;
  double squared;
  do {
    squared = 0;
    for (double& x : direction) {
      x = normal();
      squared = std::fma(x, x, squared);
    }
  } while (squared < kShortestSquared);
  const double length = std::sqrt(squared);
  for (double& x : direction) x /= length;
}

}  // namespace stiction
