// Options of a step: schemes, laws, solvers and their parameters.

#include <nanobind/stl/optional.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/fields.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/world.h"

STICTION_WORD_LIST(stiction::LawFamily, stiction::kLawFamilyNames)
STICTION_WORDS(stiction::LineSearch, "'exact', 'armijo'", "exact", "armijo")
STICTION_WORDS(stiction::LinearSolver, "'automatic', 'direct', 'conjugate_gradient'", "automatic", "direct",
               "conjugate_gradient")

namespace stiction::python {
namespace {

using namespace nb::literals;

void bind_law_options(nb::module_& m) {
  using R = RigidOptions;
  Fields<R>(m, "RigidOptions", "Of the rigid laws: where the normal velocity has to be at the end of a step.")
      .field("penetration_recovery", &R::penetration_recovery,
             "Share of an overlap that is taken back in a step.")
      .field("fastest_recovery", &R::fastest_recovery, "Its largest speed, m/s.")
      .field("restitution_speed", &R::restitution_speed, "Slower impacts do not bounce, m/s.")
      .field("normal_compliance", &R::normal_compliance, "1/kg.")
      .field("tangential_compliance", &R::tangential_compliance, "1/kg.")
      .field("impedance", &R::impedance,
             "d of MuJoCo's rule, for the solver newton_mujoco and pairs without solimp of a file.")
      .field("material_compliance", &R::material_compliance,
             "Points yield by the stiffness (N/m) and the relaxation time of their material.")
      .done();
  using C = ContactOptions;
  Fields<C>(m, "ContactOptions", "How contact is modelled.")
      .property<std::string>(
          "formulation", "str", [](const C& self) { return formulation_name(self); },
          [](C& self, const std::string& name) { set_formulation(name, &self); },
          "law+solver, or a law alone for its first solver: formulations() lists them.")
      .property<std::string>(
          "elasticity", "str", [](const C& self) { return std::string(name_of(self.elasticity)); },
          [](C& self, const std::string& name) { set_elasticity(name, &self); },
          "linear, hertz, log_barrier or ipc_barrier.")
      .property<std::string>(
          "dissipation", "str", [](const C& self) { return std::string(name_of(self.dissipation)); },
          [](C& self, const std::string& name) { set_dissipation(name, &self); },
          "none, kelvin_voigt or hunt_crossley.")
      .field("v_s", &C::v_s, "Stiction tolerance, m/s.")
      .field("sigma", &C::sigma, "Share of w: tangential regularisation.")
      .field("beta", &C::beta, "Near-rigid rule of sap, in steps.")
      .field("rigid", &C::rigid, "Of the rigid laws.")
      .done()
      .def_prop_ro(
          "law", [](const C& self) { return std::string(name_of(self.law)); }, "The law alone.")
      .def_prop_ro(
          "solver", [](const C& self) { return std::string(solver_of(self)); }, "The solver alone.");
  Fields<ConstraintOptions>(m, "ConstraintOptions", "How rigid constraints without a stiffness are.")
      .field("beta", &ConstraintOptions::beta, "Period of a rigid constraint, in steps.")
      .field("minimum_period", &ConstraintOptions::minimum_period, "s.")
      .field(
          "relaxation_time", &ConstraintOptions::relaxation_time,
          "s in which violated limits and open loops return; 0: within a step; negative: that of the model.")
      .done();
}

void bind_solver_options(nb::module_& m) {
  using N = NewtonOptions;
  Fields<N>(m, "NewtonOptions", "Of Newton's method on the compliant laws.")
      .field("relative_tolerance", &N::relative_tolerance, "Of the momentum.")
      .field("absolute_tolerance", &N::absolute_tolerance, "sqrt(J).")
      .field("max_iterations", &N::max_iterations, "Of an island.")
      .field("full_steps", &N::full_steps, "At most, before steps are shortened by the line search.")
      .field("line_search", &N::line_search, "exact or armijo.")
      .field("linear_solver", &N::linear_solver, "automatic, direct or conjugate_gradient.")
      .field("reuse_factor", &N::reuse_factor, "Use an old factor while the gradient falls fast.")
      .field("use_islands", &N::use_islands, "False: all trees in one system, as a reference.")
      .done();
  using D = DualOptions;
  Fields<D>(m, "DualOptions", "Of the solvers of rigid laws.")
      .field("tolerance", &D::tolerance, "Of velocities, relative to those of the kind of row.")
      .field("absolute_tolerance", &D::absolute_tolerance,
             "In its place, if not 0: the largest error of a contact, as force (N), acceleration (m/s^2) and "
             "their "
             "product.")
      .field("max_iterations", &D::max_iterations, "Sweeps, iterations or rounds.")
      .field("relaxation", &D::relaxation, "Of Gauss-Seidel.")
      .field("accelerates", &D::accelerates, "Sweeps of Gauss-Seidel, by Anderson's method.")
      .field("minimum_norm", &D::minimum_norm,
             "Takes away impulses between sticking contacts that move nothing, as far as the cones allow.")
      .field("uses_delassus", &D::uses_delassus, "Gauss-Seidel on the rows of W.")
      .property<int>(
          "facets", "int", [](const D& self) { return self.pyramid.facets; },
          [](D& self, int facets) {
            STICTION_USER_CHECK(facets >= 4 && facets <= 1000 && facets % 2 == 0,
                                "facets must be even and from 4 to 1000, not {}", facets);
            self.pyramid.facets = facets;
          },
          "Of the friction pyramid (pyramid_lcp); even, 4 or more.")
      .property<bool>(
          "is_inscribed", "bool", [](const D& self) { return self.pyramid.is_inscribed; },
          [](D& self, bool inscribed) { self.pyramid.is_inscribed = inscribed; },
          "The pyramid lies within the friction cone, not around it.")
      .done();
  using L = QuasiRigidLayer;
  Fields<L>(m, "QuasiRigidLayer",
            "The compliant layer of a shape around its rigid core: impulse = h K d + C (d - d0) on the "
            "deflection d (normal, first tangent, second tangent).")
      .field("shape", &L::shape, "Its number, Model.shape(name).")
      .field("K", &L::K, "Stiffness, (3, 3), N/m; positive definite.")
      .field("C", &L::C, "Damping, (3, 3), N s/m.")
      .field("max_deflection", &L::max_deflection, "Where the core begins, m.")
      .done();
  using G = GeometricOptions;
  Fields<G>(m, "GeometricOptions", "Of the geometric laws.")
      .field("tolerance", &G::tolerance, "Of the mixed complementarity problem, in its own units.")
      .field("max_iterations", &G::max_iterations, "Of one solve.")
      .field("most_halvings", &G::most_halvings, "Of the step, before the explicit geometry is taken.")
      .field("most_choices", &G::most_choices,
             "How often k of a contact is chosen again where an attempt fails; 0: as at the initial guess.")
      .field("layers", &G::layers, "Of shapes, in place of what their materials say.")
      .done();
}

void bind_formulation(nb::module_& m) {
  using F = Formulation;
  Fields<F>(m, "Formulation", "How a step is taken.")
      .property<std::string>(
          "scheme", "str", [](const F& self) { return std::string(self.scheme->name()); },
          [](F& self, const std::string& name) { self.scheme = &find_scheme(name); },
          "Time stepping scheme; schemes() lists them.")
      .field("finds_contacts", &F::finds_contacts, "False: nothing touches.")
      .field("stiffness_step", &F::stiffness_step,
             "Step that the stiffness of pairs without a given one is made for, s; 0: that of the World as "
             "it was "
             "made.")
      .field("contact", &F::contact, "Law, solver and their numbers.")
      .field("constraints", &F::constraints, "How rigid constraints are.")
      .field("newton", &F::newton, "Of Newton's method.")
      .field("dual", &F::dual, "Of the solvers of rigid laws.")
      .field("geometric", &F::geometric, "Of the geometric laws.")
      .field("times_stages", &F::times_stages, "Time the stages of every step.")
      .field("certifies", &F::certifies, "Every step has its certificate in the report.")
      .done();
  Fields<WorldOptions>(m, "WorldOptions", "Of a world: step size, formulation, noise of sensors.")
      .field("h", &WorldOptions::h, "Step, s.")
      .field("formulation", &WorldOptions::formulation, "How a step is taken.")
      .field("sensor_noise", &WorldOptions::sensor_noise, "Seed; None: sensors have no noise.")
      .done();
}

nb::list rows_of(const std::vector<std::pair<const char*, const char*>>& rows) {
  nb::list out;
  for (const auto& row : rows) out.append(nb::make_tuple(row.first, row.second));
  return out;
}

void bind_catalogs(nb::module_& m) {
  m.def(
      "laws",
      [](std::optional<LawFamily> family) {
        std::vector<std::pair<const char*, const char*>> rows;
        for (const LawRow& row : kLawRows)
          if (!family || row.family == *family) rows.emplace_back(row.name, row.description);
        return rows_of(rows);
      },
      "family"_a = nb::none(),
      nb::sig("def laws(family: typing.Literal['compliant', 'rigid', 'geometric'] | None = None) -> "
              "list[tuple[str, str]]"),
      "Contact laws with a description each, the default first. family: those of one family alone.");
  m.def(
      "solvers",
      [] {
        std::vector<std::pair<const char*, const char*>> rows;
        for (const SolverRow& entry : solver_list()) rows.emplace_back(entry.name, entry.description);
        return rows_of(rows);
      },
      nb::sig("def solvers() -> list[tuple[str, str]]"), "Solvers with a description each.");
  m.def(
      "formulations",
      [] {
        std::vector<std::string> names;
        for (const CatalogEntry& entry : catalog()) names.push_back(entry.name());
        return names;
      },
      "Every law+solver that works, the default first.");
  m.def(
      "schemes",
      [] {
        std::vector<std::pair<const char*, const char*>> rows;
        for (const Scheme* scheme : scheme_list()) rows.emplace_back(scheme->name(), scheme->description());
        return rows_of(rows);
      },
      nb::sig("def schemes() -> list[tuple[str, str]]"),
      "Time stepping schemes with a description each, the default first.");
}

}  // namespace

void bind_options(nb::module_& m) {
  bind_law_options(m);
  bind_solver_options(m);
  bind_formulation(m);
  bind_catalogs(m);
}

}  // namespace stiction::python
