#pragma once
// Transmissions of tendons and actuators: their lengths, and the rows that map velocities to rates of lengths
// (moment arms).
//
//   fixed tendon     length = sum c_j q_j
//                    row    = c_j on the velocity of joint j
//   spatial tendon   length = sum of straight and wrapped parts
//                    row    = sum d' (J_to - J_from) over the straight parts, d their direction;
//                             wrapped parts contribute nothing
//   actuator         length = gear . (length or angle of what it acts on)
//                    row    likewise
//
// Velocities that move both ends of a part as one rigid body do not change its length and are not among its
// columns. Lengths and rows are those of MJCF's tendons and transmissions: joint, jointinparent, tendon, site
// with and without a reference site, slider-crank. A `body` (adhesion) has no row here, because it acts on
// contacts.

#include <optional>
#include <vector>

#include "stiction/constraint/attached_frame.h"
#include "stiction/constraint/moment_rows.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/simulation/actuation/tendon_wrap.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// The velocities that move a frame, and where each of them is in the values of a row.
struct Reach {
  int begin = 0, end = 0;  // in Transmissions' entries
  int tree = -1;
};

// Between two frames: the velocities that move one of them and not the other.
struct Span {
  Reach to, from;
};

class Transmissions;

// Lengths and rows at one position of a model.
struct TransmissionState {
  explicit TransmissionState(const Transmissions& transmissions);
  std::vector<double> tendon_lengths, actuator_lengths;  // m or rad
  MomentRows tendon_rows, actuator_rows;
};

// Tendons and actuators with their names looked up, once per model.
class Transmissions {
 public:
  // Throws UserError, which names the tendon or actuator, if a name does not exist or does not fit.
  explicit Transmissions(const Model& model);

  int num_tendons() const { return tendon_rows_.num_rows(); }
  int num_actuators() const { return actuator_rows_.num_rows(); }
  // The initial rows of a TransmissionState: the columns, and the values that never change.
  const MomentRows& tendon_rows() const { return tendon_rows_; }
  const MomentRows& actuator_rows() const { return actuator_rows_; }
  // The tendon that an actuator acts on, -1: something else.
  int tendon_of(int actuator) const { return actuators_[actuator].tendon; }
  // Lengths that are angles repeat with this period (rad); 0: not an angle.
  double period(int actuator) const { return actuators_[actuator].period; }

  // Computes lengths and rows at q; the kinematics must be those of q.
  void compute(const Kinematics& kinematics, const double* q, TransmissionState* state) const;
  // Adds the wrenches of spatial tendons on the bodies along their paths, for given tendon forces (N,
  // positive: pushes the ends apart). On the joints this amounts to row' force.
  void add_tendon_wrenches(const Kinematics& kinematics, const double* forces,
                           std::vector<BodyWrench>* wrenches) const;

 private:
  // length += coefficient q
  struct FixedTerm {
    int tendon = 0, q = 0;
    double coefficient = 1.0;
  };
  // From one frame to the next, around a sphere or cylinder if there is one in the way.
  struct TendonPart {
    int tendon = 0;
    AttachedFrame from, to;
    double divisor = 1.0;  // of the pulley before it
    Span direct;
    bool has_shape = false, is_cylinder = false, has_side = false;
    double radius = 0.0;  // m
    AttachedFrame shape, side;
    Span first, second;  // to and from the shape
  };
  struct Entry {
    int dof = 0;
    int slot = 0;  // in MomentRows::values
  };
  enum class Kind { constant, joint, ball, free, tendon, site, site_to_site, slider_crank };
  struct ActuatorPlan {
    Kind kind = Kind::constant;
    bool in_parent = false;  // ball, free
    int q = 0;               // first position of the joint
    int tendon = -1;
    AttachedFrame site, reference;
    Span span;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // gear, split into force and torque
    double gear = 1.0;                                 // of a single length
    double crank_length = 0.0;                         // m
    double period = 0.0;
  };

  void compute_tendons(const Kinematics& k, const double* q, TransmissionState* state) const;
  void compute_actuators(const Kinematics& k, const double* q, TransmissionState* state) const;
  void add_tendon(const Model& model, const Tendon& tendon);
  void add_actuator(const Model& model, const Actuator& actuator);
  Reach make_reach(const std::vector<int>& dofs, const Forest& forest, int row, const MomentRows& rows);
  Span make_span(const Forest& forest, const AttachedFrame& from, const AttachedFrame& to, int row,
                 const MomentRows& rows);
  void pull(const Kinematics& k, const Reach& reach, const Vec3& p_W, const Vec3& torque, const Vec3& force,
            double* values) const;
  double straight(const Kinematics& k, const Span& span, const Vec3& from, const Vec3& to, double divisor,
                  double* values) const;
  static std::optional<TendonWrapPath> wrap(const Kinematics& k, const TendonPart& part, const Vec3& from,
                                            const Vec3& to);
  double slider_crank(const Kinematics& k, const ActuatorPlan& a, double* values) const;

  std::vector<FixedTerm> fixed_;
  std::vector<TendonPart> parts_;  // tendon by tendon
  std::vector<int> spatial_;       // tendons
  std::vector<ActuatorPlan> actuators_;
  std::vector<int> moving_;  // actuators with rows that change
  std::vector<Entry> entries_;
  MomentRows tendon_rows_, actuator_rows_;
};

}  // namespace stiction
