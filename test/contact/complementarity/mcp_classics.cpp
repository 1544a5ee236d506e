#include "test/contact/complementarity/mcp_classics.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "test/contact/complementarity/mixed_problem.h"

namespace stiction {
namespace {

template <class T>
T power(const T& x, double exponent) {
  using std::exp;
  using std::log;
  return x > T(0.0) ? exp(T(exponent) * log(x)) : T(0.0);
}

struct Billups {
  template <class T>
  static void evaluate(const VecXT<T>& x, VecXT<T>* F) {
    (*F)[0] = (x[0] - T(1.0)) * (x[0] - T(1.0)) - T(1.01);
  }
};

struct Josephy {
  template <class T>
  static void evaluate(const VecXT<T>& x, VecXT<T>* F) {
    const T a = x[0], b = x[1], c = x[2], d = x[3];
    (*F)[0] = 3.0 * a * a + 2.0 * a * b + 2.0 * b * b + c + 3.0 * d - 6.0;
    (*F)[1] = 2.0 * a * a + a + b * b + 3.0 * c + 2.0 * d - 2.0;
    (*F)[2] = 3.0 * a * a + a * b + 2.0 * b * b + 2.0 * c + 3.0 * d - 1.0;
    (*F)[3] = a * a + 3.0 * b * b + 2.0 * c + 3.0 * d - 3.0;
  }
};

struct KojimaShindo {
  template <class T>
  static void evaluate(const VecXT<T>& x, VecXT<T>* F) {
    const T a = x[0], b = x[1], c = x[2], d = x[3];
    (*F)[0] = 3.0 * a * a + 2.0 * a * b + 2.0 * b * b + c + 3.0 * d - 6.0;
    (*F)[1] = 2.0 * a * a + a + b * b + 10.0 * c + 2.0 * d - 2.0;
    (*F)[2] = 3.0 * a * a + a * b + 2.0 * b * b + 2.0 * c + 9.0 * d - 9.0;
    (*F)[3] = a * a + 3.0 * b * b + 2.0 * c + 3.0 * d - 3.0;
  }
};

struct Mathiesen {
  template <class T>
  static void evaluate(const VecXT<T>& x, VecXT<T>* F) {
    (*F)[0] = -x[1] + x[2] + x[3];
    (*F)[1] = x[0] - (4.5 * x[2] + 2.7 * x[3]) / (x[1] + 1.0);
    (*F)[2] = 5.0 - x[0] - (0.5 * x[2] + 0.3 * x[3]) / (x[2] + 1.0);
    (*F)[3] = 3.0 - x[0];
  }
};

// Firms that choose what they produce: cost c_i q_i + ..., price (5000 / Q)^(1 / gamma).
template <class T>
void evaluate_nash(const double* c, const double* beta, double inverse_L, double gamma, const VecXT<T>& q,
                   VecXT<T>* F) {
  T Q = 0.0;
  for (int i = 0; i < q.size(); ++i) Q = Q + q[i];
  const T p = power(T(5000.0) / Q, 1.0 / gamma);
  for (int i = 0; i < q.size(); ++i)
    (*F)[i] = c[i] + power(T(q[i] * inverse_L), 1.0 / beta[i]) - p * (1.0 - q[i] / (gamma * Q));
}

struct Nash5 {
  template <class T>
  static void evaluate(const VecXT<T>& q, VecXT<T>* F) {
    constexpr double kCost[] = {10, 8, 6, 4, 2}, kBeta[] = {1.2, 1.1, 1.0, 0.9, 0.8};
    evaluate_nash<T>(kCost, kBeta, 1.0 / 5.0, 1.1, q, F);
  }
};

struct Nash10 {
  template <class T>
  static void evaluate(const VecXT<T>& q, VecXT<T>* F) {
    constexpr double kCost[] = {5, 3, 8, 5, 1, 3, 7, 4, 6, 3};
    constexpr double kBeta[] = {1.2, 1.0, 0.9, 0.6, 1.5, 1.0, 0.7, 1.1, 0.95, 0.75};
    evaluate_nash<T>(kCost, kBeta, 10.0, 1.2, q, F);
  }
};

struct Hs35 {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    const T x = z[0], y = z[1], w = z[2], m = z[3];
    (*F)[0] = -8.0 + 4.0 * x + 2.0 * y + 2.0 * w + m;
    (*F)[1] = -6.0 + 4.0 * y + 2.0 * x + m;
    (*F)[2] = -4.0 + 2.0 * w + 2.0 * x + 2.0 * m;
    (*F)[3] = 3.0 - x - y - 2.0 * w;
  }
};

struct Hs76 {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    const T a = z[0], b = z[1], c = z[2], d = z[3], k = z[4], l = z[5], m = z[6];
    (*F)[0] = 2.0 * a - c - 1.0 + k + 3.0 * l;
    (*F)[1] = b - 3.0 + 2.0 * k + l - m;
    (*F)[2] = 2.0 * c - a + d + 1.0 + k + 2.0 * l - 4.0 * m;
    (*F)[3] = d + c - 1.0 + k - l;
    (*F)[4] = 5.0 - a - 2.0 * b - c - d;
    (*F)[5] = 4.0 - 3.0 * a - b - 2.0 * c + d;
    (*F)[6] = b + 4.0 * c - 1.5;
  }
};

// min of weights . x with x2 >= exp(x1), x3 >= exp(x2).
template <class T>
void evaluate_exponentials(double w1, double w3, const VecXT<T>& z, VecXT<T>* F) {
  using std::exp;
  const T e1 = exp(z[0]), e2 = exp(z[1]);
  (*F)[0] = w1 + z[3] * e1;
  (*F)[1] = -z[3] + z[4] * e2;
  (*F)[2] = w3 - z[4];
  (*F)[3] = z[1] - e1;
  (*F)[4] = z[2] - e2;
}

struct Hs66 {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    evaluate_exponentials<T>(-0.8, 0.2, z, F);
  }
};

struct Hs34 {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    evaluate_exponentials<T>(-1.0, 0.0, z, F);
  }
};

// Colville's first problem: min e.x + x'Cx + sum d_j x_j^3, A x >= b.
struct Colville {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    constexpr double e[] = {-15, -27, -36, -18, -12}, d[] = {4, 8, 10, 6, 2};
    constexpr double C[5][5] = {{30, -20, -10, 32, -10},
                                {-20, 39, -6, -31, 32},
                                {-10, -6, 10, -6, -10},
                                {32, -31, -6, 39, -20},
                                {-10, 32, -10, -20, 30}};
    constexpr double A[10][5] = {{-16, 2, 0, 1, 0},    {0, -2, 0, 0.4, 2},   {-3.5, 0, 2, 0, 0},
                                 {0, -2, 0, -4, -1},   {0, -9, -2, 1, -2.8}, {2, 0, -4, 0, 0},
                                 {-1, -1, -1, -1, -1}, {-1, -2, -3, -2, -1}, {1, 2, 3, 4, 5},
                                 {1, 1, 1, 1, 1}};
    constexpr double b[] = {-40, -2, -0.25, -4, -4, -1, -40, -60, 5, 1};
    for (int j = 0; j < 5; ++j) {
      T sum = e[j] + 3.0 * d[j] * z[j] * z[j];
      for (int k = 0; k < 5; ++k) sum = sum + 2.0 * C[j][k] * z[k];
      for (int i = 0; i < 10; ++i) sum = sum - A[i][j] * z[5 + i];
      (*F)[j] = sum;
    }
    for (int i = 0; i < 10; ++i) {
      T sum = -b[i];
      for (int j = 0; j < 5; ++j) sum = sum + A[i][j] * z[j];
      (*F)[5 + i] = sum;
    }
  }
};

struct Gould {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    (*F)[0] = -4.0 * (z[0] - 0.25) + z[2] + 6.0 * z[3];
    (*F)[1] = 4.0 * (z[1] - 0.5) + z[2] + 2.0 * z[3];
    (*F)[2] = 1.0 - z[0] - z[1];
    (*F)[3] = 3.0 - 6.0 * z[0] - 2.0 * z[1];
  }
};

struct Bimatrix {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    (*F)[0] = 30.0 * z[2] + 20.0 * z[3] - 1.0;
    (*F)[1] = 10.0 * z[2] + 25.0 * z[3] - 1.0;
    (*F)[2] = 30.0 * z[0] + 20.0 * z[1] - 1.0;
    (*F)[3] = 10.0 * z[0] + 25.0 * z[1] - 1.0;
  }
};

struct Tridiagonal {
  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    for (int i = 0; i < 10; ++i) {
      T sum = 2.0 * z[i] + (7.0 - i);
      if (i > 0) sum = sum + z[i - 1];
      if (i < 9) sum = sum + z[i + 1];
      (*F)[i] = sum;
    }
  }
};

VecX vector(std::initializer_list<double> numbers) {
  VecX out(static_cast<int>(numbers.size()));
  int i = 0;
  for (const double number : numbers) out[i++] = number;
  return out;
}

template <class Function>
Classic make(const char* name, VecX start, std::vector<VecX> solutions, double known_to = 1e-14) {
  Classic classic;
  classic.name = name;
  classic.problem = std::make_unique<DualMixedProblem<Function>>(static_cast<int>(start.size()));
  classic.start = std::move(start);
  classic.solutions = std::move(solutions);
  classic.known_to = known_to;
  return classic;
}

}  // namespace

std::vector<Classic> mcp_classics() {
  std::vector<Classic> all;
  const double ln10 = std::log(10.0), root6 = std::sqrt(6.0);
  all.push_back(make<Billups>("billups", vector({0}), {vector({1.0 + std::sqrt(1.01)})}));
  all.push_back(make<Josephy>("josephy", vector({0, 0, 0, 0}), {vector({root6 / 2, 0, 0, 0.5})}));
  all.push_back(make<KojimaShindo>("kojshin", vector({0, 0, 0, 0}),
                                   {vector({root6 / 2, 0, 0, 0.5}), vector({1, 0, 3, 0})}));
  all.push_back(make<Mathiesen>("mathiesen", vector({1, 1, 1, 1}), {}));
  all.back().is_continuum = true;
  // Five and seven figures of the literature.
  all.push_back(make<Nash5>("nash5", vector({10, 10, 10, 10, 10}),
                            {vector({36.93251, 41.81814, 43.70658, 42.65924, 39.17895})}, 1e-6));
  all.push_back(make<Nash10>(
      "nash10", VecX::Ones(10),
      {vector({7.44155, 4.09781, 2.59064, 0.93539, 17.94895, 4.09781, 1.30473, 5.59008, 3.22218, 1.67709})},
      6e-6));
  all.push_back(
      make<Hs35>("hs35", VecX::Constant(4, 0.5), {vector({4.0 / 3.0, 7.0 / 9.0, 4.0 / 9.0, 2.0 / 9.0})}));
  all.push_back(make<Hs76>("hs76", VecX::Constant(7, 0.5),
                           {vector({3.0 / 11.0, 23.0 / 11.0, 0, 6.0 / 11.0, 5.0 / 11.0, 0, 0})}));
  all.push_back(make<Hs66>("hs66", vector({0, 1.05, 2.9, 0, 0}),
                           {vector({0.18412649, 1.20216787, 3.32732232, 0.66546446, 0.2})}, 1e-8));
  all.back().problem->upper.head(3) << 100.0, 100.0, 10.0;
  all.push_back(make<Hs34>("hs34", vector({0, 1.05, 2.9, 0, 0}),
                           {vector({std::log(ln10), ln10, 10, 1.0 / ln10, 0.1 / ln10})}));
  all.back().problem->upper.head(3) << 100.0, 100.0, 10.0;
  all.push_back(make<Colville>("colvnlp", vector({0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                               {vector({0.3, 0.33346761, 0.4, 0.42831010, 0.22396487, 0, 0, 5.1740407, 0,
                                        3.0611087, 11.8395457, 0, 0, 0.1038962, 0})},
                               1e-7));
  all.push_back(make<Gould>("gould", VecX::Constant(4, 0.3),
                            {vector({0, 0.5, 0, 0}), vector({0.25, 0.5, 0, 0}),
                             vector({11.0 / 32.0, 15.0 / 32.0, 0, 1.0 / 16.0})}));
  all.push_back(make<Bimatrix>("bimatrix", VecX::Constant(4, 0.1),
                               {vector({0, 0.05, 0.1, 0}), vector({0.1, 0, 0, 0.05}),
                                vector({1.0 / 110, 4.0 / 110, 1.0 / 110, 4.0 / 110})}));
  all.push_back(
      make<Tridiagonal>("tridiagonal", VecX::Zero(10), {vector({-3.5, 0, -2.5, 0, -1.5, 0, 0, 0, 0, 1})}));
  all.back().problem->lower.head(5).setConstant(-kNoBound);
  return all;
}

Classic mcp_classic(const std::string& name) {
  for (Classic& classic : mcp_classics())
    if (classic.name == name) return std::move(classic);
  throw std::runtime_error("no classic problem '" + name + "'");
}

}  // namespace stiction
