#pragma once
// The arithmetic of the block Cholesky factorisation, one tile at a time. A tile of N <= 6 columns lives in
// 2 N vector registers, rows 0-2 in `angular`, rows 3-5 in `linear` (TileColumn in cholesky_structure.h); N
// is a template argument so that everything is unrolled. Callers are marked gnu::flatten: a call in the
// middle would spill the registers.
//
//   update         C -= A B'        A, B: contiguous columns of two panel rows
//   diagonal tile  C = L L'         right-looking, 1 / d on the critical path, the square roots at the end
//   other tiles    C := C L^-T
//
// The diagonal of a stored L holds 1 / l_cc, so that nothing divides later. Above the diagonal a stored L is
// undefined.

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "stiction/math/cholesky_structure.h"
#include "stiction/math/simd.h"

namespace stiction::cholesky {

using simd::Pack;

// Calls f(0), ..., f(N - 1) with compile-time integers.
template <class F, int... I>
[[gnu::always_inline]] inline void unroll_over(const F& f, std::integer_sequence<int, I...>) {
  (f(std::integral_constant<int, I>()), ...);
}
template <int N, class F>
[[gnu::always_inline]] inline void unroll(const F& f) {
  unroll_over(f, std::make_integer_sequence<int, N>());
}

// Calls f with the size of the tile as a compile-time integer.
template <class F>
[[gnu::always_inline]] inline auto with_size(int size, const F& f) {
  switch (size) {
    case 1:
      return f(std::integral_constant<int, 1>());
    case 2:
      return f(std::integral_constant<int, 2>());
    case 3:
      return f(std::integral_constant<int, 3>());
    case 4:
      return f(std::integral_constant<int, 4>());
    case 5:
      return f(std::integral_constant<int, 5>());
    default:
      return f(std::integral_constant<int, 6>());
  }
}

template <int N>
struct TileRegisters {
  Pack angular[N], linear[N];
};

template <int N>
[[gnu::always_inline]] inline void load_tile(const TileColumn* from, TileRegisters<N>* c) {
  unroll<N>([&](auto m) {
    c->angular[m] = simd::load(from[m].lane);
    c->linear[m] = simd::load(from[m].lane + 4);
  });
}

template <int N>
[[gnu::always_inline]] inline void store_tile(const TileRegisters<N>& c, TileColumn* to) {
  unroll<N>([&](auto m) {
    simd::store(to[m].lane, c.angular[m]);
    simd::store(to[m].lane + 4, c.linear[m]);
  });
}

// The same for a diagonal tile, lower triangle only: columns 3 to 5 have no angular part.
template <int N>
[[gnu::always_inline]] inline void load_triangle(const TileColumn* from, TileRegisters<N>* c) {
  unroll<N>([&](auto m) {
    if constexpr (m < 3) c->angular[m] = simd::load(from[m].lane);
    if constexpr (N > 3) c->linear[m] = simd::load(from[m].lane + 4);
  });
}

template <int N>
[[gnu::always_inline]] inline void store_triangle(const TileRegisters<N>& c, TileColumn* to) {
  unroll<N>([&](auto m) {
    if constexpr (m < 3) simd::store(to[m].lane, c.angular[m]);
    if constexpr (N > 3) simd::store(to[m].lane + 4, c.linear[m]);
  });
}

// C -= A B'
template <int N>
[[gnu::always_inline]] inline void update(const TileColumn* a, const TileColumn* b, int columns,
                                          TileRegisters<N>* c) {
  for (int k = 0; k < columns; ++k) {
    const Pack angular = simd::load(a[k].lane), linear = simd::load(a[k].lane + 4);
    unroll<N>([&](auto m) {
      const Pack factor = simd::broadcast(b[k].lane[lane_of(m)]);
      c->angular[m] -= angular * factor;
      c->linear[m] -= linear * factor;
    });
  }
}

// C -= A A', lower triangle
template <int N>
[[gnu::always_inline]] inline void update_diagonal(const TileColumn* a, int columns, TileRegisters<N>* c) {
  for (int k = 0; k < columns; ++k) {
    const Pack angular = simd::load(a[k].lane), linear = simd::load(a[k].lane + 4);
    unroll<N>([&](auto m) {
      const Pack factor = simd::broadcast(a[k].lane[lane_of(m)]);
      if constexpr (m < 3) c->angular[m] -= angular * factor;
      if constexpr (N > 3) c->linear[m] -= linear * factor;
    });
  }
}

template <int Lane>
[[gnu::always_inline]] inline Pack broadcast_lane(Pack a) {
  return __builtin_shufflevector(a, a, Lane, Lane, Lane, Lane);
}

template <int N, int Row, int Col>
[[gnu::always_inline]] inline Pack broadcast_entry(const TileRegisters<N>& c) {
  if constexpr (Row < 3)
    return broadcast_lane<Row>(c.angular[Col]);
  else
    return broadcast_lane<Row - 3>(c.linear[Col]);
}

[[gnu::always_inline]] inline Pack square_roots(Pack a) {
  return Pack{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}

// (a_0, b_1, c_2, c_3)
[[gnu::always_inline]] inline Pack blend(Pack a, Pack b, Pack c) {
  const Pack ab = __builtin_shufflevector(a, b, 0, 5, 2, 3);
  return __builtin_shufflevector(ab, c, 0, 1, 6, 7);
}

// C = L L' of the lower triangle of C. False if a pivot is not a positive number.
template <int N>
[[gnu::always_inline]] inline bool factorise_diagonal(TileRegisters<N>* c) {
  // C = U D U' with unit U; the columns are left as U D.
  Pack inverse[kTileSize];
  bool is_positive = true;
  unroll<kTileSize>([&](auto k) {
    if constexpr (k < N) {
      const Pack pivot = broadcast_entry<N, k, k>(*c);
      is_positive = is_positive & (pivot[0] > 0.0) & (pivot[0] <= std::numeric_limits<double>::max());
      inverse[k] = 1.0 / pivot;
      unroll<N>([&](auto m) {
        if constexpr (m > k) {
          const Pack factor = broadcast_entry<N, m, k>(*c) * inverse[k];
          if constexpr (m < 3) c->angular[m] -= c->angular[k] * factor;
          if constexpr (N > 3) c->linear[m] -= c->linear[k] * factor;
        }
      });
    } else {
      inverse[k] = simd::zero();
    }
  });

  // L = U D^(1/2) = (U D) D^(-1/2), and D^(-1/2) itself on the diagonal.
  const Pack roots[2] = {square_roots(blend(inverse[0], inverse[1], inverse[2])),
                         square_roots(blend(inverse[3], inverse[4], inverse[5]))};
  unroll<N>([&](auto k) {
    constexpr int lane = k < 3 ? k : k - 3;
    const Pack root = broadcast_lane<lane>(roots[k / 3]);
    if constexpr (k < 3) c->angular[k] *= root;
    if constexpr (N > 3) c->linear[k] *= root;
    (k < 3 ? c->angular[k] : c->linear[k])[lane] = root[lane];
  });
  return is_positive;
}

// C := C L^-T with the tile L of a diagonal block.
template <int N>
[[gnu::always_inline]] inline void solve_row(const TileColumn* l, TileRegisters<N>* c) {
  unroll<N>([&](auto k) {
    const Pack inverse = simd::broadcast(l[k].lane[lane_of(k)]);
    c->angular[k] *= inverse;
    c->linear[k] *= inverse;
    unroll<N>([&](auto m) {
      if constexpr (m > k) {
        const Pack factor = simd::broadcast(l[k].lane[lane_of(m)]);
        c->angular[m] -= c->angular[k] * factor;
        c->linear[m] -= c->linear[k] * factor;
      }
    });
  });
}

// x := L^-1 x for one diagonal tile.
template <int N>
[[gnu::always_inline]] inline void solve_forward(const TileColumn* l, double* x) {
  double y[N];
  unroll<N>([&](auto k) { y[k] = x[lane_of(k)]; });
  unroll<N>([&](auto k) {
    y[k] *= l[k].lane[lane_of(k)];
    unroll<N>([&](auto m) {
      if constexpr (m > k) y[m] -= l[k].lane[lane_of(m)] * y[k];
    });
  });
  unroll<N>([&](auto k) { x[lane_of(k)] = y[k]; });
}

// x := L^-T x for one diagonal tile.
template <int N>
[[gnu::always_inline]] inline void solve_backward(const TileColumn* l, double* x) {
  double y[N];
  unroll<N>([&](auto k) { y[k] = x[lane_of(k)]; });
  unroll<N>([&](auto reversed) {
    constexpr int k = N - 1 - reversed;
    y[k] *= l[k].lane[lane_of(k)];
    unroll<N>([&](auto m) {
      if constexpr (m < k) y[m] -= l[m].lane[lane_of(k)] * y[k];
    });
  });
  unroll<N>([&](auto k) { x[lane_of(k)] = y[k]; });
}

// (sum a, sum b, sum c, 0)
[[gnu::always_inline]] inline Pack sums(Pack a, Pack b, Pack c) {
  const Pack zero = simd::zero();
  const Pack ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack c0 = __builtin_shufflevector(c, zero, 0, 4, 2, 6) + __builtin_shufflevector(c, zero, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, c0, 0, 1, 4, 5) + __builtin_shufflevector(ab, c0, 2, 3, 6, 7);
}

// y_i += B x_j and y_j += B' x_i for one tile B.
template <int N>
[[gnu::always_inline]] inline void multiply(const TileColumn* b, const double* x_i, const double* x_j,
                                            double* y_i, double* y_j) {
  const Pack x_angular = simd::load(x_i), x_linear = simd::load(x_i + 4);
  Pack angular = simd::load(y_i), linear = simd::load(y_i + 4);
  Pack products[kTileSize] = {};
  unroll<N>([&](auto k) {
    const Pack b_angular = simd::load(b[k].lane), b_linear = simd::load(b[k].lane + 4);
    angular += b_angular * x_j[lane_of(k)];
    linear += b_linear * x_j[lane_of(k)];
    products[k] = b_angular * x_angular + b_linear * x_linear;
  });
  simd::store(y_i, angular);
  simd::store(y_i + 4, linear);
  simd::store(y_j, simd::load(y_j) + sums(products[0], products[1], products[2]));
  simd::store(y_j + 4, simd::load(y_j + 4) + sums(products[3], products[4], products[5]));
}

// y += B x for a symmetric tile of which only the lower triangle is read.
template <int N>
[[gnu::always_inline]] inline void multiply_symmetric(const TileColumn* b, const double* x, double* y) {
  double sum[N];
  unroll<N>([&](auto k) { sum[k] = b[k].lane[lane_of(k)] * x[lane_of(k)]; });
  unroll<N>([&](auto k) {
    unroll<N>([&](auto m) {
      if constexpr (m > k) {
        sum[m] += b[k].lane[lane_of(m)] * x[lane_of(k)];
        sum[k] += b[k].lane[lane_of(m)] * x[lane_of(m)];
      }
    });
  });
  unroll<N>([&](auto k) { y[lane_of(k)] += sum[k]; });
}

}  // namespace stiction::cholesky
