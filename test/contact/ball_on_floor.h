#pragma once
// A ball of 2 kg that touches the floor at one point below its centre and is posed under any law, with every kind of
// numbers that a point can have; and changes of a solution that leave momentum balanced.

#include <span>

#include "stiction/contact/file/problem_file.h"
#include "stiction/contact/options.h"
#include "stiction/contact/residual.h"
#include "stiction/contact/solution.h"

namespace stiction {

inline constexpr double kBallMass = 2.0, kBallInertia = 0.008;  // kg, kg m^2
inline const Vec3 kBallArm(0.0, 0.0, -0.1);                     // m, from the centre to the point

// It falls or slides. Under sap.
SavedProblem ball_on_floor(const Vec3& v_free);
// The same ball with torsional and rolling friction.
SavedProblem turning_ball_on_floor(const Vec3& v_free, const Vec3& w_free);

// Rest, rest under load, sliding with spin, separation: the ball's free motion.
struct BallMotion {
  Vec3 v, w;  // m/s, rad/s
};
std::span<const BallMotion> ball_motions();

// Numbers of a point that a law may read beside those of every point.
struct PointKind {
  const char* name;
  double mu, torsional, rolling;  // 1, m, m
  bool has_direction = false;     // friction of another coefficient across a direction
  bool has_mujoco_numbers = false;
  // The force and stiffness of the point are its own, those of a point of a pressure patch.
  bool is_of_patch = false;
};
std::span<const PointKind> point_kinds();
// Whether the law of the options has such points.
bool takes(const ContactOptions& options, const PointKind& kind);

// The ball with such a point, under the law and for the solver of the options.
SavedProblem ball_of_kind(const PointKind& kind, const BallMotion& motion, const ContactOptions& options);

// Four numbers a point, of which the first point has these three.
AlignedVector<double> impulses_of(const SavedProblem& saved, const Vec3& gamma);

// Adds an impulse and a moment at a point, and the velocities that they make.
void add_in_balance(const ContactProblem& problem, int point, const PointImpulse& change,
                    ContactSolution* solution);

}  // namespace stiction
