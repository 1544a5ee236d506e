// The scales by which solvers of rigid laws stop, on robots: the errors of contacts are measured against
// motions of contacts, whatever drives and joints do beside them.

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/shared_files.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/world.h"
#include "test/base/fewer.h"

namespace stiction {
namespace {

// Of one island: the largest velocity of a contact, g h or that of its free motion (J v_free, with moving
// surfaces) or of what it is asked for (recovery, restitution); and of the largest natural map error.
struct OfContacts {
  double velocity = 0.0, error = 0.0;  // m/s
};

OfContacts of_contacts(const World& world, LawKind law, int island) {
  const ContactProblem& problem = world.record().contact.problem;
  const RigidSolver& solver = world.workspace().contact.solver.dual_islands();
  const DualProblem& dual = solver.dual(problem, island);
  const VecX& lambda = solver.lambda(problem, island);
  VecX s;
  dual.velocities(lambda, &s);
  OfContacts out;
  out.velocity = world.model().forest.gravity.norm() * world.record().h;
  for (const DualBlock& block : dual.blocks) {
    if (!block.is_contact() || !(block.rho > 0.0)) continue;
    const double reference = problem.law_parameters[kReference][block.source];
    for (int i = 0; i < block.size(); ++i) {
      const double asked = i == block.tangents ? reference : 0.0;
      out.velocity = std::max({out.velocity, std::abs(dual.r[block.begin + i] + asked), asked});
    }
    out.error = std::max(out.error, natural_error(law, {}, block.friction, block.tangents, block.rho,
                                                  lambda.data() + block.begin, s.data() + block.begin));
  }
  return out;
}

// The largest error of a contact, relative to the velocities of contacts, in the steps that converged.
double worst_error(Model model, const std::string& formulation, int steps, int* converged) {
  WorldOptions options;
  options.h = model.elements.options.timestep;
  set_formulation(formulation, &options.formulation.contact);
  World world(std::move(model), options);
  if (!world.model().elements.keyframes.empty()) world.reset_to_keyframe("0");
  double worst = 0.0;
  for (int k = 0; k < steps; ++k) {
    world.step();
    const ContactRecord& contact = world.record().contact;
    for (std::size_t i = 0; i < contact.problem.islands.size(); ++i) {
      const IslandReport& report = contact.solution.islands[i];
      const Island& island = contact.problem.islands[i];
      if (island.patch_begin == island.patch_end || report.status != SolveStatus::converged ||
          report.dropped_stabilisation > 0)
        continue;
      ++*converged;
      const OfContacts of = of_contacts(world, options.formulation.contact.law, static_cast<int>(i));
      worst = std::max(worst, of.error / of.velocity);
    }
  }
  return worst;
}

void expect_tolerance(const std::string& name, const Model& model, int steps) {
  for (const char* formulation : {"coulomb_ncp+admm", "coulomb_ncp+pgs", "convex_cone+admm"}) {
    int converged = 0;
    const double worst = worst_error(model, formulation, steps, &converged);
    EXPECT_GT(converged, 20) << name << " " << formulation;
    // The factor is for the round-off of impulses that have been to the world's axes and back.
    EXPECT_LE(worst, 1.01 * DualOptions().tolerance) << name << " " << formulation;
  }
}

TEST(StoppingScale, ContactsOfRobotsMeetTheToleranceAgainstTheirOwnVelocities) {
  for (const char* scene : {"quadruped_standing", "humanoid_standing", "hand_with_ball"})
    expect_tolerance(scene, make_scene(scene), 150);
}

TEST(StoppingScale, ContactsOfRealRobotsMeetItToo) {
  for (const char* robot :
       {"google_barkour_vb/scene.xml", "pal_talos/scene_position.xml", "agility_cassie/scene.xml",
        "unitree_go1/scene.xml", "anybotics_anymal_c/scene.xml"}) {
    const auto file = shared_file(std::string("models/") + robot);
    if (!file) GTEST_SKIP() << missing_shared_file(std::string("models/") + robot);
    expect_tolerance(robot, load_model_file(*file), kSanitized ? 40 : 150);
  }
}

// C's own criterion, its three errors recomputed by the residual check, which shares no code with it: forces in
// N, accelerations in m/s^2.
TEST(StoppingScale, AnAbsoluteToleranceBoundsForcesAndAccelerations) {
  constexpr double kTolerance = 1e-4;
  for (const char* formulation : {"coulomb_ncp+admm", "coulomb_ncp+pgs", "coulomb_ncp+staggered",
                                  "coulomb_ncp+semismooth_newton", "convex_cone+admm", "convex_cone+pgs"}) {
    SCOPED_TRACE(formulation);
    WorldOptions options;
    set_formulation(formulation, &options.formulation.contact);
    options.formulation.dual.absolute_tolerance = kTolerance;
    options.formulation.dual.max_iterations = 5000;
    options.formulation.certifies = true;
    World world(make_scene("quadruped_standing"), options);
    int converged = 0;
    double largest = 0.0;
    for (int k = 0; k < 100; ++k) {
      const StepReport report = world.step();
      if (report.contact.status != SolveStatus::converged || !report.certificate->dual ||
          report.contact.dropped_stabilisation > 0)
        continue;
      ++converged;
      const double h = world.record().h;
      const DualResidual& d = *report.certificate->dual;
      const bool is_cone = options.formulation.contact.law == LawKind::convex_cone;
      const double dual = (is_cone ? d.ccp_dual : d.dual).absolute / h;
      const double power = (is_cone ? d.ccp_complementarity : d.complementarity).absolute / (h * h);
      const double worst = std::max({d.primal.absolute / h, dual, power});
      EXPECT_LE(worst, 1.01 * kTolerance) << "step " << k;
      EXPECT_LE(report.contact.residual, kTolerance);
      largest = std::max(largest, worst);
    }
    EXPECT_GT(converged, 40);
    EXPECT_GT(largest, 1e-9);  // it is used: nobody asked for more
  }
}

// A robot that stands, solved to an absolute tolerance: `error` of every contact after every step that converged,
// the largest; and the mean iterations of a step.
struct Standing {
  double largest = 0.0, iterations = 0.0;
  int converged = 0;
};
template <class Error>
Standing stand(const char* formulation, double tolerance, const Error& error) {
  WorldOptions options;
  set_formulation(formulation, &options.formulation.contact);
  options.formulation.dual.absolute_tolerance = tolerance;
  options.formulation.dual.max_iterations = 5000;
  World world(make_scene("quadruped_standing"), options);
  Standing out;
  constexpr int kSteps = 100;
  for (int k = 0; k < kSteps; ++k) {
    const StepReport report = world.step();
    out.iterations += static_cast<double>(report.contact.iterations) / kSteps;
    const ContactProblem& problem = world.record().contact.problem;
    if (report.contact.status != SolveStatus::converged || report.contact.dropped_stabilisation > 0) continue;
    const RigidSolver& solver = world.workspace().contact.solver.dual_islands();
    for (std::size_t i = 0; i < problem.islands.size(); ++i) {
      const DualProblem& dual = solver.dual(problem, static_cast<int>(i));
      const VecX& lambda = solver.lambda(problem, static_cast<int>(i));
      VecX s;
      dual.velocities(lambda, &s);
      for (const DualBlock& block : dual.blocks) {
        if (!block.is_contact() || block.is_group || block.tangents != 2) continue;
        ++out.converged;
        const double h = world.record().h;
        const Vec3 force = lambda.segment<3>(block.begin) / h, acceleration = s.segment<3>(block.begin) / h;
        out.largest = std::max(out.largest, error(block, force, acceleration));
      }
    }
  }
  return out;
}

// C has the criterion for the cone. On the pyramid of four facets around it, |f_x| <= mu f_n and |f_y| <= mu f_n,
// what dissipates the most at the acceleration a has f . a = -mu f_n (|a_x| + |a_y|).
TEST(StoppingScale, AnAbsoluteToleranceIsThatOfThePyramid) {
  const auto error = [](const DualBlock& block, const Vec3& f, const Vec3& a) {
    const double mu = block.friction;
    // Each face is the plane |f_x| = mu f_n: how far it is violated, over the length of its normal (1, mu).
    const double side = std::max(std::abs(f.x()), std::abs(f.y())) - mu * f.z();
    const double primal = std::max({0.0, side / std::hypot(1.0, mu), -f.z()}), dual = std::max(0.0, -a.z());
    const double power = std::abs(
        f.dot(a) + mu * f.z() * (std::abs(a.x()) + std::abs(a.y())));  // of f and a~ = a + mu |a_t|_1 n
    return std::max({primal, dual, power});
  };
  for (const char* formulation :
       {"pyramid_lcp+pgs", "pyramid_lcp+staggered", "pyramid_lcp+lemke", "pyramid_lcp+dantzig"}) {
    SCOPED_TRACE(formulation);
    const Standing coarse = stand(formulation, 1e-1, error), fine = stand(formulation, 1e-5, error);
    for (const auto& [standing, tolerance] : {std::pair{coarse, 1e-1}, std::pair{fine, 1e-5}}) {
      EXPECT_GT(standing.converged, 160) << tolerance;  // four feet, 40 steps
      EXPECT_LE(standing.largest, 1.01 * tolerance);    // round-off, as above
    }
    // Those that pivot have nothing between none and all.
    const std::string_view name = formulation;
    if (name.ends_with("+pgs") || name.ends_with("+staggered")) {
      EXPECT_LT(coarse.iterations, fine.iterations);
    }
  }
}

// raisim measures the change d of an impulse when its contact is solved alone: d/h in N and d/(rho h) in m/s^2 are
// within the tolerance. A foot that sticks is at rest after that, so that its velocity now is at most |W_ii| d,
// |W_ii| <= trace = 3/rho: an acceleration of three times the tolerance. One that has opened pushes with d at most.
TEST(StoppingScale, AnAbsoluteToleranceOfRaisimBoundsTheChangeOfAnImpulse) {
  const auto error = [](const DualBlock& block, const Vec3& f, const Vec3& a) {
    const double inside = block.friction * f.z() - f.head<2>().norm();  // N
    const bool sticks = inside > 0.1 * f.z();  // its friction is well within the cone
    return sticks ? a.norm() / 3.0 : std::max(0.0, -a.z()) / 3.0;
  };
  const Standing coarse = stand("raisim+bisection", 1e-1, error),
                 fine = stand("raisim+bisection", 1e-5, error);
  for (const auto& [standing, tolerance] : {std::pair{coarse, 1e-1}, std::pair{fine, 1e-5}}) {
    EXPECT_GT(standing.converged, 160) << tolerance;
    EXPECT_LE(standing.largest, 1.01 * tolerance);
  }
  EXPECT_LT(coarse.iterations, fine.iterations);
}

}  // namespace
}  // namespace stiction
