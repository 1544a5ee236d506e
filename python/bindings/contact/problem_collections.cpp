// Problems of collections that others share: contact with friction (fc-json/1), and linear complementarity
// problems (lcp-json/1).

#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/paths.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/file/fc3d_conversion.h"
#include "stiction/contact/file/lcp_file.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/simulation/formulation.h"

STICTION_WORD_LIST(stiction::LinearMethod, stiction::kLinearMethodNames)
STICTION_WORDS(stiction::LinearStatus,
               "'solved', 'ray', 'infeasible', 'stalled', 'max_iterations', 'zero_diagonal', 'not_finite'",
               "solved", "ray", "infeasible", "stalled", "max_iterations", "zero_diagonal", "not_finite")

namespace stiction::python {
namespace {

using namespace nb::literals;

// Impulses and velocities by contact (normal, t1, t2), a row each.
MatX by_contact(const VecX& rows) {
  MatX out(rows.size() / 3, 3);
  for (Eigen::Index c = 0; c < out.rows(); ++c) out.row(c) = rows.segment<3>(3 * c).transpose();
  return out;
}

struct SolvedFc3d {
  std::string formulation;
  MatX r, u;
  IslandReport report;
  DualResidual residual;
};

SolvedFc3d solve_fc3d(const Fc3dProblem& problem, const FormulationChoice& choice) {
  Formulation formulation;
  if (const std::string* name = std::get_if<std::string>(&choice))
    set_formulation(*name, &formulation.contact);
  else
    formulation = std::get<Formulation>(choice);
  const ContactOptions& contact = formulation.contact;
  const std::unique_ptr<DualSolver> solver = make_dual_solver(contact.law, solver_of(contact));
  STICTION_USER_CHECK(solver != nullptr, "{} does not work on impulses, and '{}' has nothing else",
                      formulation_name(contact), problem.name);
  SolvedFc3d out;
  out.formulation = formulation_name(contact);
  VecX s;
  {
    const nb::gil_scoped_release release;
    const DualProblem dual = dual_of(problem);
    VecX lambda = VecX::Zero(dual.num_rows());
    out.report = solver->solve(dual, formulation.dual, &lambda);
    dual.velocities(lambda, &s);
    // The residual of the law decides, not the status of the solver.
    constexpr double kSlack = 10.0;
    if (is_solved(out.report.status) && !law_row(contact.law).has_own_criterion &&
        !(dual.error(formulation.dual.measure(contact.law), lambda, s) <= kSlack * formulation.dual.goal()))
      out.report.status = SolveStatus::stalled;
    out.residual = check_dual_residual(dual, lambda);
    out.r = by_contact(in_file_order(lambda));
    out.u = by_contact(in_file_order(s));
  }
  return out;
}

MatX dense(const SparseEntries& sparse) {
  MatX out = MatX::Zero(sparse.rows, sparse.columns);
  for (const SparseEntries::Entry& entry : sparse.entries) out(entry.row, entry.column) += entry.value;
  return out;
}

Fc3dProblem make_fc3d(const MatX& W, const VecX& q, const std::vector<double>& friction,
                      const std::string& name) {
  const auto n = static_cast<Eigen::Index>(3 * friction.size());
  STICTION_USER_CHECK(W.rows() == n && W.cols() == n && q.size() == n,
                      "{} contacts have W of ({}, {}) and {} numbers q, not ({}, {}) and {}", friction.size(),
                      n, n, n, W.rows(), W.cols(), q.size());
  Fc3dProblem problem;
  problem.name = name;
  problem.friction = friction;
  problem.q = q;
  problem.W.rows = problem.W.columns = static_cast<int>(n);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      if (W(r, c) != 0.0) problem.W.entries.push_back({r, c, W(r, c)});
  // Checks what a file reader would refuse: numbers that are not finite, negative friction.
  return fc3d_from_json(fc3d_to_json(problem), name);
}

Fc3dProblem fc3d_of_saved(const SavedProblem& saved, const std::string& name) {
  SavedProblem coulomb = saved;
  ContactOptions options = options_of(coulomb);
  set_formulation(name_of(LawKind::coulomb_ncp), &options);
  apply_law(options, &coulomb);
  return fc3d_of(coulomb.problem, name);
}

void bind_fc3d(nb::module_& m) {
  using S = SolvedFc3d;
  nb::class_<S>(m, "SolvedFc3d", "What a solver answered to an Fc3dProblem, and its residuals.")
      .def_ro("formulation", &S::formulation, "law+solver.")
      .def_prop_ro(
          "r", [](const S& self) { return self.r; }, "Impulses, (contacts, 3): normal, t1, t2; N s.")
      .def_prop_ro(
          "u", [](const S& self) { return self.u; }, "Velocities W r + q, likewise, m/s.")
      .def_ro("report", &S::report, "How the solver went.")
      .def_ro("residual", &S::residual, "By a check that shares no code with a solver.");
  using P = Fc3dProblem;
  nb::class_<P>(m, "Fc3dProblem",
                "Contact with Coulomb friction, u = W r + q by contact (normal, t1, t2), in the format of "
                "collections (docs/problem_files.md).")
      .def(
          "__init__",
          [](P* self, const MatX& W, const VecX& q, const std::vector<double>& friction,
             const std::string& name) { new (self) P(make_fc3d(W, q, friction, name)); },
          "W"_a, "q"_a, "friction"_a, "name"_a = "problem",
          "W: (3 contacts, 3 contacts), 1/kg; q: m/s; friction: mu by contact.")
      .def_static("from_problem", &fc3d_of_saved, "problem"_a, "name"_a = "problem",
                  "A SavedProblem under Coulomb's law; raises UserError for rows with two bounds.")
      .def_ro("name", &P::name, "Of the problem.")
      .def_ro("friction", &P::friction, "mu, by contact.")
      .def_prop_ro("num_contacts", &P::num_contacts, "How many.")
      .def_prop_ro(
          "W", [](const P& self) { return dense(self.W); }, "The dense matrix, 1/kg.")
      .def_prop_ro(
          "q", [](const P& self) { return self.q; }, "Velocities without impulses, m/s.")
      .def("solve", &solve_fc3d, "formulation"_a = "coulomb_ncp",
           nb::sig("def solve(self, formulation: Formulation | str = 'coulomb_ncp') -> SolvedFc3d"),
           "By a rigid law and a solver that works on impulses, from zeros.")
      .def("to_json", &fc3d_to_json, "Every number with all its bits.")
      .def_static(
          "from_json", [](const std::string& text) { return fc3d_from_json(text, "problem.json"); }, "text"_a,
          "A problem from to_json() or of a collection.")
      .def("__getstate__", &fc3d_to_json)
      .def("__setstate__",
           [](P& self, const std::string& text) { new (&self) P(fc3d_from_json(text, "pickled problem")); });
  m.def("load_fc3d", &load_fc3d_problem, "file"_a, "An Fc3dProblem from a JSON file (fc-json/1).");
  m.def("save_fc3d", &save_fc3d, "problem"_a, "file"_a, "Writes an Fc3dProblem to a JSON file (fc-json/1).");
}

struct SolvedLcp {
  VecX z, w;
  LinearReport report;
};

SavedLcp make_lcp(const MatX& M, const VecX& q, const std::optional<std::vector<bool>>& complementary,
                  const std::string& name) {
  const Eigen::Index n = q.size();
  STICTION_USER_CHECK(M.rows() == n && M.cols() == n, "M is ({}, {}) and q has {} numbers", M.rows(),
                      M.cols(), n);
  STICTION_USER_CHECK(!complementary || static_cast<Eigen::Index>(complementary->size()) == n,
                      "complementary has {} marks for {} unknowns", complementary ? complementary->size() : 0,
                      n);
  SavedLcp made;
  made.name = name;
  made.is_complementary.assign(static_cast<std::size_t>(n), 1);
  if (complementary) std::copy(complementary->begin(), complementary->end(), made.is_complementary.begin());
  made.problem.M = M;
  made.problem.q = q;
  made.problem.set_bounds(made.is_complementary);
  return lcp_from_json(lcp_to_json(made), name);
}

SolvedLcp solve_lcp(const SavedLcp& self, LinearMethod method, double tolerance,
                    const std::optional<VecX>& start) {
  const LinearComplementarity& problem = self.problem;
  STICTION_USER_CHECK(!start || start->size() == problem.q.size(), "the start has {} numbers for {} unknowns",
                      start ? start->size() : 0, problem.q.size());
  STICTION_USER_CHECK(tolerance > 0.0, "the tolerance must be positive, not {}", tolerance);
  SolvedLcp out;
  out.z = start ? *start : VecX(VecX::Zero(problem.q.size()));
  LinearOptions options;
  options.method = method;
  options.tolerance = tolerance;
  const nb::gil_scoped_release release;
  out.report = solve_linear_complementarity(problem, options, &out.z);
  out.w = problem.M * out.z + problem.q;
  return out;
}

void bind_lcp(nb::module_& m) {
  using S = SolvedLcp;
  nb::class_<S>(m, "SolvedLcp", "What a method answered to a SavedLcp.")
      .def_prop_ro(
          "z", [](const S& self) { return self.z; }, "The unknowns.")
      .def_prop_ro(
          "w", [](const S& self) { return self.w; }, "M z + q.")
      .def_prop_ro(
          "status", [](const S& self) { return self.report.status; }, "solved, or what was not met.")
      .def_prop_ro(
          "method", [](const S& self) { return self.report.method; }, "That found the answer.")
      .def_prop_ro(
          "residual", [](const S& self) { return self.report.residual; }, "Largest |min(z, w)|.")
      .def_prop_ro(
          "pivots", [](const S& self) { return self.report.pivots; }, "Of lemke and pivoting.")
      .def_prop_ro(
          "sweeps", [](const S& self) { return self.report.sweeps; }, "Of pgs.")
      .def_prop_ro(
          "newton_steps", [](const S& self) { return self.report.newton_steps; }, "Of newton.");
  using P = SavedLcp;
  nb::class_<P>(m, "SavedLcp",
                "A linear complementarity problem: w = M z + q, and 0 <= z perp w >= 0 or w = 0 by unknown "
                "(docs/problem_files.md).")
      .def(
          "__init__",
          [](P* self, const MatX& M, const VecX& q, const std::optional<std::vector<bool>>& complementary,
             const std::string& name) { new (self) P(make_lcp(M, q, complementary, name)); },
          "M"_a, "q"_a, "complementary"_a = nb::none(), "name"_a = "problem",
          "complementary: False for an equation with a free unknown; None: all are complementary.")
      .def_ro("name", &P::name, "Of the problem.")
      .def_prop_ro(
          "M", [](const P& self) { return self.problem.M; }, "The matrix.")
      .def_prop_ro(
          "q", [](const P& self) { return self.problem.q; }, "The vector.")
      .def_prop_ro(
          "complementary",
          [](const P& self) {
            return std::vector<bool>(self.is_complementary.begin(), self.is_complementary.end());
          },
          "By unknown; False: an equation.")
      .def_ro("solutions", &P::solutions, "Those that are known.")
      .def("solve", &solve_lcp, "method"_a = LinearMethod::automatic, "tolerance"_a = 1e-10,
           "start"_a = nb::none(),
           nb::sig(
               "def solve(self, method: typing.Literal['automatic', 'lemke', 'pivoting', 'pgs', 'newton'] = "
               "'automatic', tolerance: float = 1e-10, start: numpy.typing.ArrayLike | None = None) -> "
               "SolvedLcp"),
           "start: of pgs and newton; None: zeros.")
      .def("to_json", &lcp_to_json, "Every number with all its bits.")
      .def_static(
          "from_json", [](const std::string& text) { return lcp_from_json(text, "problem.json"); }, "text"_a,
          "A problem from to_json() or of a collection.")
      .def("__getstate__", &lcp_to_json)
      .def("__setstate__",
           [](P& self, const std::string& text) { new (&self) P(lcp_from_json(text, "pickled problem")); });
  m.def("load_lcp", &load_lcp, "file"_a, "A SavedLcp from a JSON file (lcp-json/1).");
  m.def("save_lcp", &save_lcp, "problem"_a, "file"_a, "Writes a SavedLcp to a JSON file (lcp-json/1).");
}

}  // namespace

void bind_problem_collections(nb::module_& m) {
  bind_fc3d(m);
  bind_lcp(m);
}

}  // namespace stiction::python
