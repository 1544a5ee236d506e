#pragma once
// Runs a computation in a child process, which can be killed when it takes too long.

#include <functional>
#include <string>

namespace stiction::solvers {

enum class LimitedEnd { done, out_of_time, crashed };

// Runs `work` in a child process for at most `limit_s` of its processor time; what it returns goes to
// `*result`. The child has this thread alone: no loop over several threads may run in it. Once `stops` is
// true, which is looked at now and then, the child is ended as if its time were up.
LimitedEnd run_limited(const std::function<std::string()>& work, double limit_s, std::string* result,
                       const std::function<bool()>& stops = {});

}  // namespace stiction::solvers
