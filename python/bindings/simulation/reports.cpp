// Results of a step: statuses, residuals, energies, forces.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/old_names.h"
#include "stiction/base/format.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/energy.h"
#include "stiction/simulation/inverse_dynamics.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/settle.h"

STICTION_WORDS(stiction::StepStatus,
               "'done', 'not_converged', 'contact_not_converged', 'not_positive_definite', 'not_finite'",
               "done", "not_converged", "contact_not_converged", "not_positive_definite", "not_finite")
STICTION_WORDS(stiction::SolveStatus,
               "'converged', 'round_off', 'stalled', 'max_iterations', 'infeasible', 'not_finite'",
               "converged", "round_off", "stalled", "max_iterations", "infeasible", "not_finite")

namespace stiction::python {
namespace {

void bind_settle_report(nb::module_& m) {
  using S = SettleReport;
  nb::class_<S>(m, "SettleReport", "What World.settle() did.")
      .def_ro("steps", &S::steps, "0: nothing had to move.")
      .def_ro("overlap_before", &S::overlap_before, "Of the deepest pair, m.")
      .def_ro("overlap", &S::overlap, "Of the deepest pair that is left, m.")
      .def_ro("shape1", &S::shape1, "Of that pair; empty where all are parted.")
      .def_ro("shape2", &S::shape2, "Of that pair.")
      .def_ro("violation", &S::violation, "Of the limits and loops that are left, m or rad.")
      .def_ro("moved", &S::moved, "Of the body's origin that moved most, m.")
      .def_ro("body", &S::body, "That body.")
      .def_prop_ro("settled", &S::settled, "Whether nothing is left.")
      .def("__repr__", [](const S& self) { return "SettleReport(" + self.text() + ")"; });
}

void bind_residuals(nb::module_& m) {
  nb::class_<Error>(m, "ResidualError", "One error: absolute, and relative to a physical scale.")
      .def_ro("absolute", &Error::absolute, "In the unit of the figure.")
      .def_ro("relative", &Error::relative, "To the scale.")
      .def("__repr__", [](const Error& self) {
        return format("ResidualError(absolute={}, relative={})", self.absolute, self.relative);
      });
  using R = ContactResidual;
  nb::class_<R>(m, "ContactResidual", "How far a solution is from what it should be (docs/problem_files.md).")
      .def_ro("momentum", &R::momentum, "Balance of momentum, sqrt(J).")
      .def_ro("law", &R::law, "Is the force that of the law at the velocity? N.")
      .def_ro("rows", &R::rows, "The same of scalar rows, N or N m; None without rows.")
      .def_ro("slackness", &R::slackness, "Of sap, J; None of other laws.")
      .def_ro("primal", &R::primal, "Distance of the force from the friction cone, N.")
      .def_ro("dual", &R::dual, "Distance of the velocity from the dual cone, m/s.")
      .def_ro("complementarity", &R::complementarity, "W.")
      .def_ro("signorini", &R::signorini, "W.")
      .def_ro("dissipation", &R::dissipation, "Against the largest dissipation, W.")
      .def_ro("force_scale", &R::force_scale, "N.")
      .def_ro("velocity_scale", &R::velocity_scale, "m/s.")
      .def_ro("cost", &R::cost, "l(v), J.");
  using D = DualResidual;
  nb::class_<D>(m, "DualResidual", "The same in impulses, of the solvers of rigid laws.")
      .def_ro("primal", &D::primal, "Distance of the impulse from the cone, N s.")
      .def_ro("dual", &D::dual, "m/s.")
      .def_ro("complementarity", &D::complementarity, "J.")
      .def_ro("ccp_dual", &D::ccp_dual, "Of the convex relaxation, m/s.")
      .def_ro("ccp_complementarity", &D::ccp_complementarity, "Of the convex relaxation, J.")
      .def_ro("signorini", &D::signorini, "J.")
      .def_ro("dissipation", &D::dissipation, "J.")
      .def_ro("natural_velocity", &D::natural_velocity, "m/s.")
      .def_ro("natural_map", &D::natural_map, "N s.")
      .def_ro("law", &D::law, "Of the law that was solved, m/s.")
      .def_ro("row_primal", &D::row_primal, "Of scalar rows, N s.")
      .def_ro("row_natural", &D::row_natural, "Of scalar rows, m/s.")
      .def_ro("momentum", &D::momentum, "N s.")
      .def_ro("internal", &D::internal, "Impulses that move nothing, N s.");
  using I = InverseDynamics;
  nb::class_<I>(m, "InverseDynamics", "What takes a state to given velocities in one step.")
      .def_ro("joint_forces", &I::joint_forces,
              "By velocity, N m or N, beyond those of the input; zero for free joints.")
      .def_ro("unactuated", &I::unactuated,
              "What free joints would have to be given: (moment, force) in W, N m and N; zero if contact and "
              "inertia give the motion.")
      .def_ro("contact_impulses", &I::contact_impulses,
              "By point of the contact problem, on body B, N s, in W.")
      .def_ro("contact_moments", &I::contact_moments,
              "Likewise, of torsional and rolling friction, N m s; zeros without.")
      .def_ro("row_impulses", &I::row_impulses, "By row of the contact problem, N s or N m s.");
  nb::class_<Certificate>(m, "Certificate",
                          "How accurate a step is, by checks that share no code with a solver.")
      .def_ro("contact", &Certificate::contact, "Of every formulation.")
      .def_ro("dual", &Certificate::dual, "Of the solvers of rigid laws; otherwise None.");
}

void bind_step_report(nb::module_& m) {
  using I = IslandReport;
  nb::class_<I> island(m, "IslandReport", "How a contact solver went on one island.");
  island.def_ro("status", &I::status, "converged, or what was not met.")
      .def_ro("iterations", &I::iterations, "How many.")
      .def_ro("factorisations", &I::factorisations, "How many.")
      .def_ro("line_evaluations", &I::line_evaluations, "How many.")
      .def_ro("products", &I::products, "Of conjugate gradients.")
      .def_ro("dropped_stabilisation", &I::dropped_stabilisation,
              "Points whose overlap or rebound was left out.")
      .def_ro("lagged_fallbacks", &I::lagged_fallbacks,
              "1 where icf_coupled found no solution and the answer is that of icf_lagged.")
      .def_ro("residual", &I::residual, "Relative.")
      .def_ro("regularisation", &I::regularisation, "Added to the diagonal, as a share of it.");
  add_old_names("IslandReport", false, &island);
  using S = SolveReport;
  nb::class_<S> solve(m, "SolveReport", "How a contact solver went.");
  solve.def_ro("status", &S::status, "The worst of all islands.")
      .def_ro("islands", &S::islands, "How many.")
      .def_ro("iterations", &S::iterations, "The most of an island.")
      .def_ro("total_iterations", &S::total_iterations, "Of all islands.")
      .def_ro("factorisations", &S::factorisations, "Of all islands.")
      .def_ro("line_evaluations", &S::line_evaluations, "Of all islands.")
      .def_ro("products", &S::products, "Of conjugate gradients, of all islands.")
      .def_ro("dropped_stabilisation", &S::dropped_stabilisation,
              "Points whose overlap or rebound was left out, of all islands.")
      .def_ro("lagged_fallbacks", &S::lagged_fallbacks,
              "Islands for which icf_coupled found no solution: their answer is that of icf_lagged.")
      .def_ro("residual", &S::residual, "The largest, relative.")
      .def_ro("worst_tree", &S::worst_tree, "Smallest tree of the worst island, -1: none.");
  add_old_names("SolveReport", false, &solve);
  using G = GeometricReport;
  nb::class_<G>(m, "GeometricReport", "How a geometrically implicit step went.")
      .def_ro("islands", &G::islands, "How many.")
      .def_ro("contacts", &G::contacts, "How many.")
      .def_ro("unknowns", &G::unknowns, "The most of an island.")
      .def_ro("iterations", &G::iterations, "Of all islands.")
      .def_ro("residual", &G::residual, "In the units of its problem.")
      .def_ro("chosen_again", &G::chosen_again, "Solves in which k of a contact was chosen again.")
      .def_ro("relaxed", &G::relaxed, "Islands solved with more creep of what sticks.")
      .def_ro("halvings", &G::halvings, "How often a step was taken in two halves.")
      .def_ro("fallbacks", &G::fallbacks, "Islands that took the explicit geometry.")
      .def_ro("without_functions", &G::without_functions,
              "Those among them whose shapes have no implicit functions.")
      .def_ro("missed", &G::missed, "Pairs that overlap at the end though they were far apart at the start.");
  using R = StepReport;
  nb::class_<R>(m, "StepReport", "How a step went.")
      .def_ro("status", &R::status, "done, or what was not met.")
      .def_ro("time", &R::time, "At the start of the step, s.")
      .def_ro("iterations", &R::iterations, "Newton iterations of the free motion.")
      .def_ro("residual", &R::residual, "Of the free motion, relative.")
      .def_ro("dof", &R::dof, "Velocity that the status is about, -1: none.")
      .def_ro("contact", &R::contact, "Of the contact solver.")
      .def_ro("geometric", &R::geometric, "Of a geometrically implicit step.")
      .def_prop_ro(
          "certificate",
          [](const R& self) -> std::optional<Certificate> {
            return self.certificate ? std::optional<Certificate>(*self.certificate) : std::nullopt;
          },
          "Where Formulation.certifies; otherwise None.")
      .def_prop_ro("ok", &R::ok, "Whether the next state means something.")
      .def("__repr__", [](const R& self) {
        return format("StepReport(time={}, ok={}, status='{}', islands={}, iterations={}, residual={:.3g})",
                      self.time, self.ok() ? "True" : "False", nb::cast<std::string>(nb::cast(self.status)),
                      self.contact.islands, self.contact.iterations, self.contact.residual);
      });
}

template <class Parts, std::size_t n>
nb::dict by_name(const EnergyPart<Parts> (&list)[n], const Parts& parts) {
  nb::dict out;
  for (const EnergyPart<Parts>& part : list) out[part.name] = parts.*part.value;
  return out;
}

void bind_forces(nb::module_& m) {
  using F = ContactForce;
  nb::class_<F>(m, "ContactForce",
                "One point of contact of the last step; the force acts on B, minus it on A.")
      .def_ro("shape_A", &F::shape_A, "Number of the shape.")
      .def_ro("shape_B", &F::shape_B, "Number of the shape.")
      .def_ro("body_A", &F::body_A, "Number of the body.")
      .def_ro("body_B", &F::body_B, "Number of the body.")
      .def_prop_ro(
          "p_W", [](const F& self) { return self.p_W; }, "Halfway between the surfaces, in W, m.")
      .def_prop_ro(
          "n", [](const F& self) { return self.n; }, "Unit, in W, from A into B.")
      .def_ro("distance", &F::distance, "At the start of the step, m; negative: overlap.")
      .def_prop_ro(
          "force", [](const F& self) { return self.force; }, "On B, in W, N.")
      .def_prop_ro(
          "moment", [](const F& self) { return self.moment; },
          "Of torsional and rolling friction, on B at the point, in W, N m.");
  nb::class_<Energies>(m, "Energies", "Mechanical energy of a state.")
      .def_ro("kinetic", &Energies::kinetic, "J.")
      .def_ro("gravity", &Energies::gravity, "J.")
      .def_ro("springs", &Energies::springs, "Of joints, J.")
      .def_ro("tendons", &Energies::tendons, "Of the springs of tendons, J.")
      .def_ro("bushings", &Energies::bushings, "J.")
      .def_ro("contacts", &Energies::contacts,
              "Elastic energy of contacts: points with a spring, and layers, J.")
      .def_prop_ro("total", &Energies::total, "J.")
      .def("__repr__", [](const Energies& self) {
        return format("Energies(kinetic={}, gravity={}, springs={}, tendons={}, bushings={}, contacts={})",
                      self.kinetic, self.gravity, self.springs, self.tendons, self.bushings, self.contacts);
      });
  nb::class_<EnergyBooks>(
      m, "EnergyBooks",
      "Every energy, work and loss of a step by name: before + work = after + dissipated + numerical.")
      .def_ro("before", &EnergyBooks::before, "Energies at the start of the step.")
      .def_ro("after", &EnergyBooks::after, "Energies at its end.")
      .def_prop_ro(
          "work", [](const EnergyBooks& self) { return by_name(kWorkParts, self.work); },
          nb::sig("def work(self) -> dict[str, float]"), "Put in from outside, J.")
      .def_prop_ro(
          "dissipated", [](const EnergyBooks& self) { return by_name(kLossParts, self.dissipated); },
          nb::sig("def dissipated(self) -> dict[str, float]"),
          "Taken out by dampers, friction and contacts, J.")
      .def_prop_ro(
          "numerical", [](const EnergyBooks& self) { return by_name(kNumericalParts, self.numerical); },
          nb::sig("def numerical(self) -> dict[str, float]"), "Taken out by the time stepping itself, J.")
      .def_prop_ro("error", &EnergyBooks::error, "What is missing, J.")
      .def_prop_ro("relative_error", &EnergyBooks::relative_error, "Of the largest entry.");
}

}  // namespace

void bind_reports(nb::module_& m) {
  bind_settle_report(m);
  bind_residuals(m);
  bind_step_report(m);
  bind_forces(m);
}

}  // namespace stiction::python
