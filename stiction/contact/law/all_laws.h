#pragma once
// The law of a problem at one point, by its name; loops over many points choose once, outside
// (stiction/contact/newton/point_sweeps.cpp).

#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/sap.h"

namespace stiction {

template <class T>
LawValue<T> law_value(LawKind law, Elasticity elasticity, double h, const LawParameters<T>& numbers, const T& vn,
                      const T& vt2) {
  if (law == LawKind::sap || law == LawKind::convex_cone) return sap(numbers, vn, vt2);
  const bool is_hertz = elasticity == Elasticity::hertz;
  if (law == LawKind::icf_similar)
    return is_hertz ? icf_similar_hertz(numbers, vn, vt2, h) : icf_similar(numbers, vn, vt2);
  return is_hertz ? icf_lagged_hertz(numbers, vn, vt2, h) : icf_lagged(numbers, vn, vt2);
}

}  // namespace stiction
