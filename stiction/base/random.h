#pragma once

// Random numbers that are the same bits for the same seed on every compiler and processor.
//
// The generator is xoshiro256++, seeded by splitmix64 (D. Blackman, S. Vigna, "Scrambled linear pseudorandom
// number generators", ACM TOMS 47(4), 2021; https://prng.di.unimi.it). The distributions are our own, because
// those of the standard library differ between implementations: they use only integer operations and +, *, /,
// sqrt and fma, whose rounding IEEE 754 prescribes. Products that are added are written as fma, so that no
// compiler may choose.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace stiction {

// One output of splitmix64; moves the state on.
std::uint64_t splitmix64(std::uint64_t* state);

class Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Random(std::uint64_t seed);
  explicit Random(const State& state) : state_(state) {}  // not all zero
  const State& state() const { return state_; }

  std::uint64_t bits();                     // 64 independent bits
  double uniform();                         // in [0, 1), a multiple of 2^-53
  double uniform(double low, double high);  // in [low, high)
  int uniform_int(int low, int high);       // in low, ..., high, both included, without bias
  double normal();                          // mean 0, standard deviation 1

  // A direction uniform on the unit sphere of N dimensions.
  template <std::size_t N>
  std::array<double, N> unit_vector() {
    std::array<double, N> direction;
    fill_unit_vector(direction);
    return direction;
  }

 private:
  void fill_unit_vector(std::span<double> direction);

  State state_;
};

}  // namespace stiction
