// Contact problems on their own: files, solvers, residuals.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/paths.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/rigid_solver.h"
#include "stiction/contact/file/problem_file.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/formulation.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

// Points that belong to a patch, in the order of the patches.
std::vector<int> owned_points(const ContactProblem& problem) {
  std::vector<int> points;
  for (const Patch& patch : problem.patches)
    for (int p = patch.begin; p < patch.end; ++p) points.push_back(p);
  return points;
}

// Vectors of four numbers a point as rows of three.
MatX rows_of(const ContactProblem& problem, const AlignedVector<double>& vectors) {
  const std::vector<int> points = owned_points(problem);
  MatX out = MatX::Zero(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size() && !vectors.empty(); ++i)
    out.row(static_cast<Eigen::Index>(i)) =
        Eigen::Map<const Eigen::RowVector3d>(vectors.data() + 4 * points[i]);
  return out;
}

struct SolvedProblem {
  std::string formulation;
  VecX v;
  MatX impulses, moments;
  std::vector<double> row_impulses;
  SolveReport report;
  std::vector<IslandReport> islands;
  ContactResidual residual;
};

SolvedProblem solve(SavedProblem saved, const std::optional<FormulationChoice>& choice) {
  Formulation formulation;
  formulation.contact = options_of(saved);
  if (choice) {
    if (const std::string* name = std::get_if<std::string>(&*choice))
      set_formulation(*name, &formulation.contact);
    else
      formulation = std::get<Formulation>(*choice);
    STICTION_USER_CHECK(!is_geometric(formulation.contact.law),
                        "{} poses no contact problem that can be solved alone",
                        name_of(formulation.contact.law));
    apply_law(formulation.contact, &saved);
  }
  ContactSolution solution;
  SolvedProblem out;
  {
    const nb::gil_scoped_release release;
    if (solves_primal(formulation.contact))
      NewtonSolver().solve(saved.problem, formulation.newton, &solution);
    else
      RigidSolver().solve(saved.problem, solver_of(formulation.contact), formulation.dual, {}, &solution);
    out.residual = check_residual(saved.problem, saved.points, solution.v, solution.impulses,
                                  solution.moments, solution.row_impulses);
  }
  out.formulation = formulation_name(formulation.contact);
  out.impulses = rows_of(saved.problem, solution.impulses);
  out.moments = rows_of(saved.problem, solution.moments);
  out.v = std::move(solution.v);
  out.row_impulses = std::move(solution.row_impulses);
  out.report = solution.report;
  out.islands = std::move(solution.islands);
  return out;
}

void bind_solved(nb::module_& m) {
  using S = SolvedProblem;
  nb::class_<S>(m, "SolvedProblem", "What a solver answered, and its residuals.")
      .def_ro("formulation", &S::formulation, "law+solver.")
      .def_prop_ro(
          "v", [](const S& self) { return self.v; }, "Velocities, rad/s or m/s.")
      .def_prop_ro(
          "impulses", [](const S& self) { return self.impulses; }, "(points, 3), on B, in W, N s.")
      .def_prop_ro(
          "moments", [](const S& self) { return self.moments; },
          "(points, 3), of torsional and rolling friction on B, in W, N m s.")
      .def_ro("row_impulses", &S::row_impulses, "By row, N s or N m s.")
      .def_ro("report", &S::report, "How the solver went.")
      .def_ro("islands", &S::islands, "The same by island.")
      .def_ro("residual", &S::residual, "By a check that shares no code with a solver.");
}

}  // namespace

void bind_problems(nb::module_& m) {
  bind_solved(m);
  using P = SavedProblem;
  nb::class_<P>(m, "SavedProblem",
                "A contact problem that can be saved and solved alone (docs/problem_files.md).")
      .def_prop_ro(
          "h", [](const P& self) { return self.problem.h; }, "Step, s.")
      .def_prop_ro(
          "formulation", [](const P& self) { return formulation_name(options_of(self)); },
          "The law+solver that posed it.")
      .def_prop_ro(
          "num_points", [](const P& self) { return owned_points(self.problem).size(); }, "Points of contact.")
      .def_prop_ro(
          "num_rows", [](const P& self) { return self.problem.rows.size(); },
          "Scalar rows: limits, loop closures, friction in joints, drives.")
      .def_prop_ro(
          "num_trees", [](const P& self) { return self.problem.trees.size(); },
          "Trees that something touches.")
      .def_prop_ro(
          "v_free", [](const P& self) { return self.problem.v_free; },
          "Velocities if nothing touched, rad/s or m/s.")
      .def_prop_ro(
          "distances",
          [](const P& self) {
            const std::vector<int> points = owned_points(self.problem);
            VecX out(static_cast<Eigen::Index>(points.size()));
            for (std::size_t i = 0; i < points.size(); ++i)
              out[static_cast<Eigen::Index>(i)] = self.points[static_cast<std::size_t>(points[i])].distance;
            return out;
          },
          "Of the points, m; negative: overlap.")
      .def("solve", &solve, "formulation"_a = nb::none(),
           "Solves it under its own law, or under a name of formulations() or a Formulation, and checks the "
           "answer.")
      .def(
          "to_json", [](const P& self) { return problem_to_json(self); }, "Every number with all its bits.")
      .def_static(
          "from_json", [](const std::string& text) { return problem_from_json(text, "problem.json"); },
          "text"_a, "A problem from to_json().")
      .def("__getstate__", [](const P& self) { return problem_to_json(self); })
      .def("__setstate__", [](P& self, const std::string& text) {
        new (&self) P(problem_from_json(text, "pickled problem"));
      });
  m.def("load_problem", &load_problem, "file"_a, "A contact problem from a JSON file.");
  m.def("save_problem", &save_problem, "problem"_a, "file"_a, "Writes a contact problem to a JSON file.");
}

}  // namespace stiction::python
