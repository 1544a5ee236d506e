// The writing half of problem_file.h.

#include <cmath>

#include "stiction/contact/catalog.h"
#include "stiction/contact/file/json_place.h"
#include "stiction/contact/file/problem_fields.h"
#include "stiction/contact/file/problem_file.h"

namespace stiction {
namespace {

using Json = JsonPlace::Json;

// JSON has no infinities.
Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return value;
}

Json numbers_json(const double* values, int count) {
  Json list = Json::array();
  for (int i = 0; i < count; ++i) list.push_back(number_json(values[i]));
  return list;
}

Json tree_json(const ContactProblem& problem, int t) {
  const ProblemTree& tree = problem.trees[t];
  const double* A = problem.A_of(t);
  Json rows = Json::array();
  for (int r = 0; r < tree.num_v; ++r) {
    Json row = Json::array();
    for (int c = 0; c < tree.num_v; ++c) row.push_back(number_json(A[entry(tree, r, c)]));
    rows.push_back(std::move(row));
  }
  Json json = {{"is_free_body", tree.is_free_body},
               {"A", std::move(rows)},
               {"v_free", numbers_json(problem.v_free.data() + tree.v_begin, tree.num_v)},
               {"v_start", numbers_json(problem.v_start.data() + tree.v_begin, tree.num_v)}};
  for (const VecX& guess : problem.v_guesses)
    json["v_guesses"].push_back(numbers_json(guess.data() + tree.v_begin, tree.num_v));
  return json;
}

Json body_json(const ContactProblem& problem, const ProblemBody& body, int tree) {
  Json dofs = Json::array(), columns = Json::array();
  for (int c = body.column_begin; c < body.column_begin + body.columns; ++c) {
    const double* S = problem.columns.data() + 8 * c;
    const double motion[6] = {S[0], S[1], S[2], S[4], S[5], S[6]};
    dofs.push_back(problem.column_dofs[c]);
    columns.push_back(numbers_json(motion, 6));
  }
  return {{"tree", tree}, {"dofs", std::move(dofs)}, {"columns", std::move(columns)}};
}

// The numbers of law/mujoco_law.h.
Json mujoco_json(const MujocoContact& x) {
  return {{"solref", numbers_json(x.solref.data(), 2)},
          {"solref_friction", numbers_json(x.solref_friction.data(), 2)},
          {"solimp", numbers_json(x.solimp.data(), 5)},
          {"inverse_mass", number_json(x.inverse_mass)},
          {"margin", number_json(x.margin)},
          {"impratio", number_json(x.impratio)},
          {"keeps_two_steps", x.keeps_two_steps}};
}

Json point_json(const SavedProblem& saved, int p) {
  const PointFrame& frame = saved.problem.frames[p];
  Json point = {{"r_A", numbers_json(frame.r_A, 3)},
                {"r_B", numbers_json(frame.r_B, 3)},
                {"n", numbers_json(frame.n, 3)},
                {"bias", numbers_json(frame.bias, 3)}};
  for (const PhysicalField& field : kPhysicalFields)
    point[field.key] = number_json(saved.points[p].*field.member);
  if (saved.points[p].mujoco.is_given) point["mujoco"] = mujoco_json(saved.points[p].mujoco);
  if (!saved.problem.slip_targets.empty()) {
    const SlipTarget& target = saved.problem.slip_targets[p];
    point["slip_target"] = {{"v", numbers_json(target.v, 3)}, {"w", numbers_json(target.w, 3)}};
  }
  double numbers[kLawParameters];
  for (int i = 0; i < kLawParameters; ++i) numbers[i] = saved.problem.law_parameters[i][p];
  point["law_parameters"] = numbers_json(numbers, kLawParameters);
  if (!saved.problem.friction_tensors.empty()) {
    const FrictionTensor& S = saved.problem.friction_tensors[p];
    point["friction_tensor"] = {{"t1", numbers_json(S.t1, 3)},
                                {"t2", numbers_json(S.t2, 3)},
                                {"s1", number_json(S.s1)},
                                {"s2", number_json(S.s2)}};
  }
  if (!saved.problem.friction_lengths.empty()) {
    const FrictionLengths& L = saved.problem.friction_lengths[p];
    point["friction_lengths"] = {{"slide", number_json(L.slide)},
                                 {"torsion", number_json(L.torsion)},
                                 {"roll", number_json(L.roll)},
                                 {"bias", numbers_json(L.bias, 3)}};
  }
  return point;
}

Json row_json(const ContactProblem& problem, int r, const std::vector<int>& tree_place) {
  const RowLaw& law = problem.row_laws[r];
  Json parts = Json::array();
  for (int i = problem.rows[r].part_begin; i < problem.rows[r].part_end; ++i) {
    const RowPart& part = problem.row_parts[i];
    Json dofs = Json::array();
    for (int e = part.begin; e < part.end; ++e) dofs.push_back(problem.row_dofs[e]);
    parts.push_back(
        {{"tree", tree_place[part.tree]},
         {"dofs", std::move(dofs)},
         {"values", numbers_json(problem.row_values.data() + part.begin, part.end - part.begin)}});
  }
  Json row = {{"offset", number_json(law.offset)}, {"slope", number_json(law.slope)},
              {"lower", number_json(law.lower)},   {"upper", number_json(law.upper)},
              {"is_drive", law.is_drive},          {"parts", std::move(parts)}};
  if (law.group != 1) row["group"] = law.group;
  return row;
}

// Tables as lists of (overlap, force, slope).
Json tables_json(const std::vector<ForceTable>& tables) {
  Json list = Json::array();
  for (const ForceTable& table : tables) {
    Json knots = Json::array();
    for (const ForceKnot& knot : table.knots()) {
      const double numbers[] = {knot.x, knot.f, knot.slope};
      knots.push_back(numbers_json(numbers, 3));
    }
    list.push_back(std::move(knots));
  }
  return list;
}

}  // namespace

std::string problem_to_json(const SavedProblem& saved) {
  const ContactProblem& problem = saved.problem;
  // Only what is touched: trees of islands, and the bodies on them, in their order.
  std::vector<int> tree_place(problem.trees.size(), -1), body_place(problem.bodies.size(), 0);
  for (const int t : problem.island_trees) tree_place[t] = 0;
  Json trees = Json::array(), bodies = Json::array(), patches = Json::array();
  for (std::size_t t = 0; t < problem.trees.size(); ++t) {
    if (tree_place[t] < 0) continue;
    tree_place[t] = static_cast<int>(trees.size());
    trees.push_back(tree_json(problem, static_cast<int>(t)));
  }
  for (std::size_t b = 1; b < problem.bodies.size(); ++b) {
    const ProblemBody& body = problem.bodies[b];
    if (body.tree < 0 || tree_place[body.tree] < 0) continue;
    bodies.push_back(body_json(problem, body, tree_place[body.tree]));
    body_place[b] = static_cast<int>(bodies.size());
  }
  for (const Patch& patch : problem.patches) {
    Json points = Json::array();
    for (int p = patch.begin; p < patch.end; ++p) points.push_back(point_json(saved, p));
    patches.push_back(
        {{"a", body_place[patch.a]}, {"b", body_place[patch.b]}, {"points", std::move(points)}});
  }
  Json json = {{"format", kProblemFormat},
               {"version", kProblemVersions.version},
               {"h", number_json(problem.h)},
               {"fall_speed", number_json(problem.fall_speed)},
               {"law", name_of(problem.law)},
               {"elasticity", name_of(problem.elasticity)},
               {"dissipation", name_of(saved.dissipation)},
               {"v_s", number_json(saved.v_s)},
               {"sigma", number_json(saved.sigma)},
               {"beta", number_json(saved.beta)},
               {"solver", saved.solver},
               {"trees", std::move(trees)},
               {"bodies", std::move(bodies)},
               {"patches", std::move(patches)}};
  if (problem.tables != nullptr && !problem.tables->empty())
    json["force_tables"] = tables_json(*problem.tables);
  for (std::size_t r = 0; r < problem.rows.size(); ++r)
    json["rows"].push_back(row_json(problem, static_cast<int>(r), tree_place));
  return json.dump(1) + "\n";
}

}  // namespace stiction
