#pragma once
// Forward dual numbers: a value and its derivative along one direction, carried through every operation.
//
//   f(x + e d) = f(x) + e f'(x) d,   e^2 = 0
//
// Run a template on Dual with derivatives set on its inputs and read the directional derivative of its
// outputs; tests check hand-written derivatives this way. Comparisons look at values only.

#include <cmath>

#include <Eigen/Core>

namespace stiction {

struct Dual {
  double value = 0.0;
  double derivative = 0.0;

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): constants mix freely with duals
  Dual(double v, double d) : value(v), derivative(d) {}

  Dual& operator+=(const Dual& b) { return *this = Dual(value + b.value, derivative + b.derivative); }
  Dual& operator-=(const Dual& b) { return *this = Dual(value - b.value, derivative - b.derivative); }
  Dual& operator*=(const Dual& b) {
    return *this = Dual(value * b.value, derivative * b.value + value * b.derivative);
  }
  Dual& operator/=(const Dual& b) {
    const double quotient = value / b.value;
    return *this = Dual(quotient, (derivative - quotient * b.derivative) / b.value);
  }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator-(const Dual& a) { return Dual(-a.value, -a.derivative); }
  friend Dual operator+(const Dual& a) { return a; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
};

inline Dual sin(const Dual& a) { return {std::sin(a.value), std::cos(a.value) * a.derivative}; }
inline Dual cos(const Dual& a) { return {std::cos(a.value), -std::sin(a.value) * a.derivative}; }
inline Dual tan(const Dual& a) {
  const double t = std::tan(a.value);
  return {t, (1.0 + t * t) * a.derivative};
}
inline Dual exp(const Dual& a) {
  const double e = std::exp(a.value);
  return {e, e * a.derivative};
}
inline Dual log(const Dual& a) { return {std::log(a.value), a.derivative / a.value}; }
inline Dual sqrt(const Dual& a) {
  const double root = std::sqrt(a.value);
  return {root, 0.5 * a.derivative / root};
}
inline Dual pow(const Dual& a, double n) {
  return {std::pow(a.value, n), n * std::pow(a.value, n - 1.0) * a.derivative};
}
inline Dual atan2(const Dual& y, const Dual& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value), (x.value * y.derivative - y.value * x.derivative) / r2};
}
inline Dual asin(const Dual& a) {
  return {std::asin(a.value), a.derivative / std::sqrt(1.0 - a.value * a.value)};
}
inline Dual acos(const Dual& a) {
  return {std::acos(a.value), -a.derivative / std::sqrt(1.0 - a.value * a.value)};
}
inline Dual abs(const Dual& a) { return a.value < 0.0 ? -a : a; }
inline Dual abs2(const Dual& a) { return a * a; }
inline bool isfinite(const Dual& a) { return std::isfinite(a.value) && std::isfinite(a.derivative); }

}  // namespace stiction

template <>
struct Eigen::NumTraits<stiction::Dual> : Eigen::NumTraits<double> {
  using Real = stiction::Dual;
  using NonInteger = stiction::Dual;
  using Nested = stiction::Dual;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 6
  };
};
