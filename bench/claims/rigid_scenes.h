#pragma once
// Worlds under rigid laws, and the scenes of C section IV: a cube on its four corners, one cube on another,
// robots that stand and are pushed.

#include <memory>
#include <string>
#include <vector>

#include "bench/claims/measure.h"
#include "stiction/contact/dual/residual.h"

namespace stiction::claims {

inline constexpr double kGravity = 9.81;                      // m/s^2
inline constexpr double kCubeEdge = 0.2, kCubeMass = 1.0;     // m, kg
inline constexpr double kCubeFriction = 0.4;                  // C IV-A
inline constexpr double kBraking = kCubeFriction * kGravity;  // m/s^2, what friction slows a cube by
inline constexpr double kSpeed = 1.0;                         // m/s, at the start of a slide
inline constexpr double kRigidStep = 1e-3;                    // s, C IV
inline constexpr int kRigidIterations = 10000;                // C IV

// Solved to `tolerance`, relative to the free velocities, by dual solvers and by Newton's method alike.
WorldOptions rigid_options(std::string_view formulation, double h, double tolerance);

// Body "cube" on the plane z = 0; its inertia may be other than that of a solid cube.
Model cube_on_floor(double inertia_factor = 1.0);
// "light" below "heavy", edges as above; friction 0.9 on the floor and 0.95 between them.
Model two_cubes(double light, double heavy);

// A force on a body at its origin, in place of all others. To be set again when the body moves.
void push(std::string_view body, const Vec3& force, World* world);

// A robot, the force that pushes it and the time after which it has settled (rigid_robots.cpp): those of the
// paper where the shared folder has them, else our own of scenes/driven_robots.h.
struct PushedRobot {
  const char *name, *kind;  // kind: quadruped, humanoid, hand
  std::shared_ptr<const Model> model;
  const char* body;  // pushed; empty: nothing is
  double force;      // N, along x
  double settled;    // s
  bool is_of_paper = false;
};
const std::vector<PushedRobot>& pushed_robots();
// Which of them are not the paper's, as the end of a sentence; empty: all are.
std::string which_robots();
// In its first pose, or that of its file's first keyframe.
World world_of(const PushedRobot& robot, const WorldOptions& options);
// It stands, settled under coulomb_ncp.
World standing(const ClaimContext& context, const PushedRobot& robot, double h);

// The dual problem of the last step's first island with contacts, and its answer.
struct DualAnswer {
  const DualProblem* problem = nullptr;  // none: nothing touches
  const VecX* lambda = nullptr;
};
DualAnswer dual_of(const World& world);

// N s: the part of the contact impulses that moves nothing, with drives and limits left out: what lies in
// null(J') of the rows of contact alone.
double internal_impulse(const DualProblem& problem, const VecX& lambda);

// The laws by C's short names, which fit beside a figure: ncp+pgs.
std::string figure_name(std::string_view formulation);

// The rows of the catalog whose laws are rigid, also those of solvers that are kept as the paper has them.
std::vector<std::string> all_rigid_formulations();
bool is_per_contact(std::string_view formulation);  // Gauss-Seidel and bisection
bool is_newton(std::string_view formulation);
// pgs_plain and admm_spectral: the algorithms step by step as C prints them, kept for comparison.
bool is_literal(std::string_view formulation);

// The error that one step of two cubes ends with, from rest and from zero impulses, after at most that many
// iterations. NCP and CCP: the largest of the distances from the cone and its dual and of the complementarity
// (C eqs. 15 to 17) by dual/residual.h, relative to m g h and g h; what the solver reports for
// the other laws, and e_m (S eq. 32) for Newton's method.
double stack_residual(std::string_view formulation, double mass_ratio, int iterations);

// Internal impulses of a cube that sticks while it is pulled ever harder, by step.
struct Stiction {
  std::vector<double> time, internal;  // s; relative to m g h
  double median = 0.0, largest = 0.0;
};
// is_cold: every step starts from zeros, and ADMM from its first penalty.
Stiction internal_at_stiction(const ClaimContext& context, std::string_view formulation,
                              bool is_cold = false);

double median(std::vector<double> values);

// C Fig. 12: velocity of the cube that is pulled, and the y components of the forces on its four corners, by
// solvers of ours and by the paper's own. Saves the figures under this name; the text says what they show.
std::string corner_forces(const ClaimContext& context, const std::string& name);

}  // namespace stiction::claims
