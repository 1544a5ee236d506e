#pragma once
// Claims of the papers, and our own, about the simulator, each with a program that tests whether it holds.
//
// A row runs an experiment, compares the result with its criterion, and saves its figures. Papers:
//   S  A. Castro, F. Permenter, X. Han, "An Unconstrained Convex Formulation of Compliant Contact" (SAP)
//   I  A. Castro, X. Han, J. Masterjohn, "Irrotational Contact Fields" (ICF)
//   C  Q. Le Lidec, W. Jallet, L. Montaut, I. Laptev, C. Schmid, J. Carpentier, "Contact Models in Robotics:
//      a Comparative Analysis"
//   G  N. Chakraborty, S. Berard, S. Akella, J. C. Trinkle, "A Geometrically Implicit Time-Stepping Method
//      for Multibody Systems with Intermittent Contact"
// Rows B are claims of our own.

#include <optional>
#include <string>
#include <vector>

#include "bench/claims/figure.h"

namespace stiction::claims {

struct ClaimResult {
  std::string ours;                       // what we measured, or why there is no verdict
  std::optional<bool> holds;              // nothing: not built, not run, or skipped
  std::vector<std::string> figures = {};  // names of the saved ones
};

// What a row gets from outside.
class ClaimContext {
 public:
  // Returns true when the user wants to stop.
  using StopFunction = bool (*)();

  // Names of saved figures are added to `saved`.
  ClaimContext(std::string folder, StopFunction stop, std::vector<std::string>* saved)
      : folder_(std::move(folder)), stop_(stop), saved_(saved) {}

  // Writes NAME.csv and NAME.svg, if there is a folder for them.
  void save(const std::string& name, const Figure& figure) const;
  void save(const std::string& name, const Bars& bars) const;
  // Throws Stopped; to be called at least once a second.
  void check_stop() const;

 private:
  void save(const std::string& name, const std::string& csv, const std::string& svg) const;

  std::string folder_;
  StopFunction stop_;
  std::vector<std::string>* saved_;
};

struct Stopped {};

struct Claim {
  const char* id;
  const char* where;      // in the paper
  const char* setup;      // in SI units unless they are named
  const char* statement;  // what the paper says
  const char* criterion;
  double seconds;                           // about what it takes, for the time left
  ClaimResult (*run)(const ClaimContext&);  // nothing: not built yet
  const char* assumed;                      // what of the set-up is ours, not the paper's
};

// Every claim, in the order of the ledger.
const std::vector<Claim>& claim_list();

struct ClaimRow {
  const Claim* claim;
  ClaimResult result;
};
// holds, differs, skipped, not built, not run.
const char* verdict(const ClaimRow& row);

// A row's last result lies beside its figures, in FOLDER/ID.json, with the set-up and the criterion it was
// measured under.
void store(const std::string& folder, const ClaimRow& row);
// The stored result; where there is none, or one under another set-up or criterion, what is missing.
ClaimResult stored_result(const std::string& folder, const Claim& claim);

// The page: how to read it, a table, and every row with its figures. `figures` is the path of their folder
// from the page's, empty: no figures.
std::string claims_page(const std::vector<ClaimRow>& rows, const std::string& figures);

// The experiments.
ClaimResult energy_without_friction(const ClaimContext& context);  // S1
ClaimResult energy_of_rolling(const ClaimContext& context);        // S2
ClaimResult order_of_rolling(const ClaimContext& context);         // S3
ClaimResult iterations_of_clutter(const ClaimContext& context);    // S4
ClaimResult cost_falls(const ClaimContext& context);               // S5
ClaimResult against_conic_solver(const ClaimContext& context);     // S6
ClaimResult accuracy_of_clutter(const ClaimContext& context);      // S7
ClaimResult slip_at_rest(const ClaimContext& context);             // S8
ClaimResult conditioning_by_sigma(const ClaimContext& context);    // S9
ClaimResult spatula_in_bubbles(const ClaimContext& context);       // S10
ClaimResult near_rigid_point(const ClaimContext& context);         // S12
ClaimResult gliding_of_sap(const ClaimContext& context);           // S13
ClaimResult oscillating_belt(const ClaimContext& context);         // I1
ClaimResult falling_sphere(const ClaimContext& context);           // I2
ClaimResult sliding_rod(const ClaimContext& context);              // I3
ClaimResult iterations_of_icf(const ClaimContext& context);        // I4
ClaimResult stiffness_sweep(const ClaimContext& context);          // I5
std::string turning_slip(double h);                                // printed with I5
ClaimResult table_of_artefacts(const ClaimContext& context);       // I10
ClaimResult anisotropic_path(const ClaimContext& context);         // I11
ClaimResult rolling_polygons(const ClaimContext& context);         // G1
ClaimResult sphere_on_spheres(const ClaimContext& context);        // G2
std::string explicit_geometry(const ClaimContext& context);        // printed with G2
ClaimResult shallow_layer(const ClaimContext& context);            // G3
ClaimResult deep_layer(const ClaimContext& context);               // G4
ClaimResult sliding_path(const ClaimContext& context);             // C1
ClaimResult sliding_energy(const ClaimContext& context);           // C2
ClaimResult dragged_cube(const ClaimContext& context);             // C3
ClaimResult internal_forces(const ClaimContext& context);          // C4
ClaimResult mass_ratios(const ClaimContext& context);              // C5
ClaimResult compliant_quadruped(const ClaimContext& context);      // C6
ClaimResult convergence_of_a_step(const ClaimContext& context);    // C7
ClaimResult cold_and_warm(const ClaimContext& context);            // C8
ClaimResult table_of_ticks(const ClaimContext& context);           // C10
ClaimResult dragged_box(const ClaimContext& context);              // B1
ClaimResult creep_on_slope(const ClaimContext& context);           // B2
ClaimResult cost_per_body(const ClaimContext& context);            // B3
ClaimResult fields_in_closed_form(const ClaimContext& context);    // B4

}  // namespace stiction::claims
