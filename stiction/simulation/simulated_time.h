#pragma once
// The time after a step, without the rounding of a long sum.
//
// t + h is rounded at every step, and a million steps of 1 ms end 1e-8 s beside 1000 s. But a time is nearly
// always a multiple of the step, or a decimal fraction of a second: where the sum is such a number within the
// rounding of one addition, it is that number, so that errors do not add up. It depends on t and h alone, so
// that a run continues from a saved state with the same bits.

namespace stiction {

double time_after(double time, double h);  // s

}  // namespace stiction
