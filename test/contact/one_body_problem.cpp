#include "test/contact/one_body_problem.h"

#include <algorithm>
#include <vector>

namespace stiction {

ContactProblem one_body_problem(const OneBody& body) {
  ContactProblem problem;
  problem.h = body.h;
  problem.law = body.law;
  ProblemTree tree;
  tree.num_v = 6;
  tree.is_free_body = true;
  problem.set_trees(std::vector<ProblemTree>{tree});
  std::fill(problem.A.begin(), problem.A.end(), 0.0);
  for (int i = 0; i < 3; ++i) {
    problem.A_of(0)[8 * i + i] = body.inertia;
    problem.A_of(0)[8 * (3 + i) + 4 + i] = body.mass;
  }
  problem.v_free << 0.0, 0.0, 0.0, body.v_free;
  problem.v_start = problem.v_free;
  problem.bodies.resize(2);
  problem.bodies[1].tree = 0;
  PatchPlan plan;
  plan.b = 1;
  plan.points = 1;
  problem.set_patches(std::vector<PatchPlan>{plan});
  PointFrame& frame = problem.frames[0];
  frame = PointFrame{};
  for (int i = 0; i < 3; ++i) {
    frame.r_A[i] = frame.r_B[i] = body.arm[i];
    frame.n[i] = body.normal[i];
  }
  return problem;
}

}  // namespace stiction
