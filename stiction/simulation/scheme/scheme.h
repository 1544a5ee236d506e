#pragma once
// How a step moves from (q0, v0) to (q, v): the two-stage scheme of SAP (S, section II-D).
//
// Stage one finds the velocities v_free of the motion without contact and the symmetric positive definite
// matrix A of the momentum linearised about them; contact then solves A (v - v_free) = J' gamma; `advance`
// moves the positions.
//
//   name                    theta  theta_vq   free motion
//   explicit_euler          0      0          M(q0) (v - v0) = h k(q0, v0);  q = q0 + h v0
//   symplectic_euler        0      1          the same;                      q = q0 + h v
//   semi_implicit_euler     -      1          joint springs and dampers at the new state, all else at the old
//                                             (I eq. 1); free bodies rotate by the midpoint rule on Euler's
//                                             equations. The default.
//   implicit_euler          1      1          Newton on S eq. 13
//   midpoint                1/2    1/2        Newton on S eq. 13; second order
//   theta:A,B               A      B          any pair in [0, 1]; as above for A = 0, else by Newton
//   geometrically_implicit  -      1          as semi_implicit_euler; solves the contacts of the geometric
//                                             laws and may halve the step

#include <string_view>
#include <vector>

#include "stiction/constraint/row_laws.h"
#include "stiction/contact/options.h"
#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"
#include "stiction/simulation/step_workspace.h"

namespace stiction {

struct Formulation;

class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual const char* name() const = 0;
  virtual const char* description() const = 0;
  // The time within the step at which forces are evaluated (S eq. 6).
  virtual StepTheta theta() const = 0;
  // Order of accuracy, 1 or 2.
  virtual int order() const = 0;
  // Whether the start of the step alone determines A, whatever forces act: what inverse dynamics needs.
  virtual bool has_given_momentum_matrix() const { return false; }
  // From kinematics and forces at (q0, v0) in the record, sets mass, added_diagonal and v_free.
  virtual void free_motion(const Model& model, const State& now, const Input& input, StepRecord* r,
                           SchemeWorkspace* work) const = 0;
  // Sets the positions of the next state from v_next of the record.
  virtual void advance(const Model& model, const State& now, const StepRecord& r, State* next) const = 0;

  // The law and solver of the contact problem with the points at the start of the step.
  virtual ContactOptions posed_contact(const ContactOptions& asked) const { return asked; }
  // Solves the assembled contact problem of the record; sets the solution and the report's part about
  // contact.
  virtual void solve_contact(const Model& model, const State& now, const Formulation& f, StepRecord* r,
                             StepWorkspace* w) const;
  // Stores what the next step needs of this one's contacts.
  virtual void remember(const Formulation& f, const StepRecord& r, const StepWorkspace& w,
                        ContactMemory* memory) const;
  // The whole step; most schemes take it in one part (single_step of step.h).
  virtual StepReport step(const Model& model, const State& now, const Input& input, double h,
                          const Formulation& f, StepRecord* r, StepWorkspace* w, State* next) const;
};

// All schemes, the default first.
const std::vector<const Scheme*>& scheme_list();
// S eq. 6 with any theta and theta_vq in [0, 1]; throws UserError for others.
const Scheme& theta_scheme(double theta, double theta_vq);
// One of the list, or theta:A,B. Throws UserError with the closest name there is.
const Scheme& find_scheme(std::string_view name);
// The scheme that a formulation uses: the one it asks for, or the one that its law requires.
const Scheme& scheme_of(const Formulation& f);

// Factorises A = M + added_diagonal of the record. Returns false and fills the report if A is not positive
// definite.
bool factorise_momentum(const Forest& forest, StepRecord* r);

}  // namespace stiction
