#include "stiction/contact/file/problem_file.h"

#include <cmath>
#include <cstring>

#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/base/format_version.h"
#include "stiction/base/renamed_keys.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/file/json_place.h"
#include "stiction/contact/file/problem_fields.h"
#include "stiction/contact/law/icf.h"

namespace stiction {
namespace {

using Json = JsonPlace::Json;

// Keys that had another name in version 1.
constexpr RenamedKey kRenamedKeys[] = {{"points", "push_out_share", "recovery_share"},
                                       {"points", "law_numbers", "law_parameters"},
                                       {"points", "stretch", "friction_tensor"},
                                       {"points", "levers", "friction_lengths"}};
constexpr int kMostNumbers = 100'000'000;  // velocities squared, of one tree; more is a mistake

// Files that were written before there were rigid laws, or barriers, do not have these.
bool is_optional(const PhysicalField& field) {
  for (const auto member :
       {&PhysicalPoint::restitution, &PhysicalPoint::recovery_share, &PhysicalPoint::barrier_stiffness,
        &PhysicalPoint::barrier_energy, &PhysicalPoint::barrier_distance, &PhysicalPoint::table,
        &PhysicalPoint::table_scale})
    if (field.member == member) return true;
  return false;
}

int word(const JsonPlace& place, const std::vector<std::string>& words) {
  const std::string given = place.string();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == given) return static_cast<int>(i);
  place.fail(format("'{}' is not known", given));
}

// Those of one tree. All trees have the same number of them.
void read_guesses(const JsonPlace& place, const ProblemTree& tree, bool is_first, ContactProblem* problem) {
  constexpr std::size_t kMostGuesses = 16;
  const std::size_t count = place.has("v_guesses") ? place.at("v_guesses").list_size() : 0;
  if (count > kMostGuesses) place.at("v_guesses").fail(format("{} are more than {}", count, kMostGuesses));
  if (is_first) problem->v_guesses.assign(count, VecX(problem->v_start.size()));
  const std::size_t expected = problem->v_guesses.size();
  if (count != expected) place.fail(format("has {} v_guesses, and the first tree {}", count, expected));
  for (std::size_t i = 0; i < count; ++i)
    place.at("v_guesses")
        .at(i)
        .numbers(static_cast<std::size_t>(tree.num_v), problem->v_guesses[i].data() + tree.v_begin);
}

void read_trees(const JsonPlace& list, ContactProblem* problem) {
  std::vector<ProblemTree> trees;
  for (std::size_t t = 0; t < list.list_size(); ++t) {
    ProblemTree tree;
    tree.is_free_body = list.at(t).at("is_free_body").boolean();
    const std::size_t size = list.at(t).at("A").list_size();
    if (size == 0 || size * size > kMostNumbers)
      list.at(t).at("A").fail(format("{} rows are not possible", size));
    tree.num_v = static_cast<int>(size);
    if (tree.is_free_body && tree.num_v != 6) list.at(t).at("A").fail("a free body has six velocities");
    trees.push_back(tree);
  }
  problem->set_trees(trees);
  std::fill(problem->A.begin(), problem->A.end(), 0.0);
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const ProblemTree& tree = problem->trees[t];
    double* A = problem->A_of(static_cast<int>(t));
    std::vector<double> row(tree.num_v);
    for (int r = 0; r < tree.num_v; ++r) {
      list.at(t).at("A").at(r).numbers(row.size(), row.data());
      for (int c = 0; c < tree.num_v; ++c) A[entry(tree, r, c)] = row[c];
    }
    list.at(t).at("v_free").numbers(row.size(), problem->v_free.data() + tree.v_begin);
    list.at(t).at("v_start").numbers(row.size(), problem->v_start.data() + tree.v_begin);
    read_guesses(list.at(t), tree, t == 0, problem);
  }
}

void read_bodies(const JsonPlace& list, ContactProblem* problem) {
  problem->bodies.emplace_back();
  const int num_trees = static_cast<int>(problem->trees.size());
  for (std::size_t b = 0; b < list.list_size(); ++b) {
    const JsonPlace place = list.at(b);
    ProblemBody body;
    body.tree = place.at("tree").integer(0, num_trees - 1);
    const ProblemTree& tree = problem->trees[body.tree];
    body.column_begin = static_cast<int>(problem->column_dofs.size());
    body.columns = static_cast<int>(place.at("dofs").list_size());
    if (tree.is_free_body && body.columns > 0) place.at("dofs").fail("a free body has no columns");
    if (place.at("columns").list_size() != place.at("dofs").list_size())
      place.at("columns").fail("there must be as many as dofs");
    for (int c = 0; c < body.columns; ++c) {
      double motion[6], column[8] = {};
      place.at("columns").at(c).numbers(6, motion);
      std::memcpy(column, motion, 3 * sizeof(double));
      std::memcpy(column + 4, motion + 3, 3 * sizeof(double));
      problem->columns.insert(problem->columns.end(), column, column + 8);
      problem->column_dofs.push_back(place.at("dofs").at(c).integer(0, tree.num_v - 1));
    }
    problem->bodies.push_back(body);
  }
}

void read_friction_tensor(const JsonPlace& place, int point, ContactProblem* problem) {
  if (problem->friction_tensors.empty())
    problem->friction_tensors.assign(problem->frames.size(), FrictionTensor{});
  FrictionTensor& S = problem->friction_tensors[point];
  place.at("t1").numbers(3, S.t1);
  place.at("t2").numbers(3, S.t2);
  S.s1 = place.at("s1").number();
  S.s2 = place.at("s2").number();
  if (!(S.s1 > 0.0 && S.s2 > 0.0)) place.fail("s1 and s2 must be positive");
}

void read_friction_lengths(const JsonPlace& place, int point, ContactProblem* problem) {
  if (problem->friction_lengths.empty())
    problem->friction_lengths.assign(problem->frames.size(), FrictionLengths{});
  FrictionLengths& L = problem->friction_lengths[point];
  L.slide = place.at("slide").number();
  L.torsion = place.at("torsion").number();
  L.roll = place.at("roll").number();
  place.at("bias").numbers(3, L.bias);
  if (!(L.slide >= 0.0 && L.torsion >= 0.0 && L.roll >= 0.0))
    place.fail("slide, torsion and roll must not be negative");
}

void read_slip_target(const JsonPlace& place, int point, ContactProblem* problem) {
  if (problem->slip_targets.empty()) problem->slip_targets.assign(problem->frames.size(), SlipTarget{});
  place.at("v").numbers(3, problem->slip_targets[point].v);
  place.at("w").numbers(3, problem->slip_targets[point].w);
}

MujocoContact read_mujoco(const JsonPlace& place) {
  MujocoContact x;
  x.is_given = true;
  place.at("solref").numbers(2, x.solref.data());
  if (place.has("solref_friction")) place.at("solref_friction").numbers(2, x.solref_friction.data());
  place.at("solimp").numbers(5, x.solimp.data());
  x.inverse_mass = place.at("inverse_mass").number();
  if (!(x.inverse_mass > 0.0)) place.at("inverse_mass").fail(format("{} is not positive", x.inverse_mass));
  if (place.has("margin")) x.margin = place.at("margin").number();
  if (place.has("impratio")) x.impratio = place.at("impratio").number();
  if (!(x.impratio > 0.0)) place.at("impratio").fail(format("{} is not positive", x.impratio));
  if (place.has("keeps_two_steps")) x.keeps_two_steps = place.at("keeps_two_steps").boolean();
  return x;
}

void read_tables(const JsonPlace& list, ContactProblem* problem) {
  auto tables = std::make_shared<std::vector<ForceTable>>();
  for (std::size_t t = 0; t < list.list_size(); ++t) {
    std::vector<ForceKnot> knots;
    for (std::size_t i = 0; i < list.at(t).list_size(); ++i) {
      const JsonPlace place = list.at(t).at(i);
      double numbers[3];
      place.numbers(3, numbers);
      const bool rises = i == 0 ? numbers[0] == 0.0 : numbers[0] > knots.back().x;
      if (!rises) place.fail("the overlaps of a force table begin at 0 and ascend");
      for (const double number : numbers)
        if (!(number >= 0.0 && std::isfinite(number))) place.fail("is negative or not finite");
      knots.push_back({numbers[0], numbers[1], numbers[2]});
    }
    if (knots.empty()) list.at(t).fail("a force table has points");
    tables->emplace_back(std::move(knots));
  }
  problem->tables = std::move(tables);
}

void read_row(const JsonPlace& place, ContactProblem* problem) {
  RowLaw law;
  law.offset = place.at("offset").number();
  law.slope = place.at("slope").number();
  law.lower = place.at("lower").number();
  law.upper = place.at("upper").number();
  if (place.has("is_drive")) law.is_drive = place.at("is_drive").boolean();
  if (place.has("group")) law.group = place.at("group").integer(0, kMostRowsOfGroup);
  if (law.slope <= 0.0) place.at("slope").fail(format("{} is not positive", law.slope));
  if (law.lower > law.upper) place.fail(format("lower {} is above upper {}", law.lower, law.upper));
  const JsonPlace parts = place.at("parts");
  if (parts.list_size() == 0) parts.fail("a row needs a tree");
  const ProblemRow& row = problem->rows[problem->begin_row(law)];
  for (std::size_t i = 0; i < parts.list_size(); ++i) {
    const JsonPlace part = parts.at(i);
    const int tree = part.at("tree").integer(0, static_cast<int>(problem->trees.size()) - 1);
    for (int k = row.part_begin; k < row.part_end; ++k) {
      if (problem->row_parts[k].tree == tree)
        part.at("tree").fail(format("tree {} has a part in this row already", tree));
    }
    const JsonPlace dofs = part.at("dofs");
    std::vector<double> values(dofs.list_size());
    part.at("values").numbers(values.size(), values.data());
    problem->begin_row_part(tree);
    for (std::size_t e = 0; e < values.size(); ++e)
      problem->add_row_entry(dofs.at(e).integer(0, problem->trees[tree].num_v - 1), values[e]);
  }
}

// Are the rows of every group complete and alike (RowLaw::group)?
void check_row_groups(const JsonPlace& root, const ContactProblem& problem) {
  const int count = static_cast<int>(problem.rows.size());
  const auto part_of = [&](int row, int k) -> const RowPart& {
    return problem.row_parts[problem.rows[row].part_begin + k];
  };
  const auto is_like = [&](int first, int other) {
    const RowLaw &a = problem.row_laws[first], &b = problem.row_laws[other];
    const int parts = problem.rows[first].part_end - problem.rows[first].part_begin;
    if (b.group != 0 || b.slope != a.slope || b.lower != -a.upper || b.upper != a.upper) return false;
    if (problem.rows[other].part_end - problem.rows[other].part_begin != parts) return false;
    for (int k = 0; k < parts; ++k) {
      const RowPart &p = part_of(first, k), &q = part_of(other, k);
      const auto dofs = problem.row_dofs.begin();
      if (p.tree != q.tree || !std::equal(dofs + p.begin, dofs + p.end, dofs + q.begin, dofs + q.end))
        return false;
    }
    return true;
  };
  for (int r = 0; r < count;) {
    const RowLaw& law = problem.row_laws[r];
    const auto fail = [&](int row, const std::string& what) {
      root.at("rows").at(static_cast<std::size_t>(row)).fail(what);
    };
    if (law.group < 1) fail(r, "belongs to no group of rows");
    if (law.group > 1 && law.lower != -law.upper) fail(r, "a group of rows has the bounds -upper and upper");
    if (r + law.group > count) fail(r, format("there are no {} rows of a group", law.group));
    for (int other = r + 1; other < r + law.group; ++other)
      if (!is_like(r, other)) fail(other, format("is not like row {}, with which it is in a group", r));
    r += law.group;
  }
}

void read_patches(const JsonPlace& list, SavedProblem* saved) {
  ContactProblem& problem = saved->problem;
  const int last = static_cast<int>(problem.bodies.size()) - 1;
  std::vector<PatchPlan> plans;
  for (std::size_t k = 0; k < list.list_size(); ++k) {
    PatchPlan plan;
    plan.a = list.at(k).at("a").integer(0, last);
    plan.b = list.at(k).at("b").integer(1, last);
    if (plan.a == plan.b) list.at(k).fail("a body does not touch itself");
    plan.points = static_cast<int>(list.at(k).at("points").list_size());
    plans.push_back(plan);
  }
  problem.set_patches(plans);
  saved->points.assign(problem.frames.size(), {});
  problem.inverse_masses.assign(problem.frames.size(), 0.0);
  int seen = 0;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    if (problem.patch_of_plan[k] < 0) continue;
    const int begin = problem.patches[problem.patch_of_plan[k]].begin;
    const JsonPlace points = list.at(k).at("points");
    for (int i = 0; i < plans[k].points; ++i) {
      const JsonPlace place = points.at(i);
      const int p = begin + i;
      PointFrame frame = {};
      place.at("r_A").numbers(3, frame.r_A);
      place.at("r_B").numbers(3, frame.r_B);
      place.at("n").numbers(3, frame.n);
      place.at("bias").numbers(3, frame.bias);
      problem.frames[p] = frame;
      for (const PhysicalField& field : kPhysicalFields)
        if (place.has(field.key) || !is_optional(field))
          saved->points[p].*field.member = place.at(field.key).number();
      PhysicalPoint& physical = saved->points[p];
      problem.inverse_masses[p] = physical.inverse_mass;
      if (place.has("mujoco")) physical.mujoco = read_mujoco(place.at("mujoco"));
      const double tables = problem.tables == nullptr ? 0.0 : static_cast<double>(problem.tables->size());
      if (!(physical.table >= -1.0 && physical.table < tables &&
            physical.table == std::floor(physical.table)))
        place.at("table").fail(format("there is no force table {}", physical.table));
      if (!(physical.table_scale >= 0.0)) place.at("table_scale").fail("is negative");
      double numbers[kLawParameters];
      place.at("law_parameters").numbers(kLawParameters, numbers);
      for (int n = 0; n < kLawParameters; ++n) problem.law_parameters[n][p] = numbers[n];
      if (place.has("friction_tensor") != !problem.friction_tensors.empty() && seen > 0)
        place.fail("either all points have a 'friction_tensor' or none");
      if (place.has("friction_tensor")) read_friction_tensor(place.at("friction_tensor"), p, &problem);
      if (place.has("friction_lengths") != !problem.friction_lengths.empty() && seen > 0)
        place.fail("either all points have 'friction_lengths' or none");
      if (place.has("friction_lengths")) read_friction_lengths(place.at("friction_lengths"), p, &problem);
      if (place.has("slip_target") != !problem.slip_targets.empty() && seen > 0)
        place.fail("either all points have a 'slip_target' or none");
      if (place.has("slip_target")) read_slip_target(place.at("slip_target"), p, &problem);
      // A point with a table keeps its index among the parameters of the law.
      const bool reads_table =
          problem.elasticity == Elasticity::table && takes_force_table(problem.law) && numbers[kSlope] < 0.0;
      if (reads_table && !(numbers[kBreak] == physical.table && physical.table >= 0.0))
        place.at("law_parameters").fail("name another force table than 'table'");
      ++seen;
    }
  }
}

}  // namespace

SavedProblem problem_from_json(std::string_view text, const std::string& file) {
  Json json = parsed_json(text, file);
  OldKeys old_keys(kRenamedKeys);
  rename_old_keys(file, &json, &old_keys);
  const JsonPlace root(json, file);
  if (root.at("format").string() != kProblemFormat)
    root.fail(format("the format is not '{}'", kProblemFormat));
  check_format_version(kProblemVersions, root.at("version").number(), file);
  SavedProblem saved;
  ContactProblem& problem = saved.problem;
  problem.h = root.at("h").number();
  if (!(problem.h > 0.0 && std::isfinite(problem.h))) root.at("h").fail("is not positive and finite");
  if (root.has("fall_speed")) problem.fall_speed = root.at("fall_speed").number();
  if (!(problem.fall_speed >= 0.0 && std::isfinite(problem.fall_speed)))
    root.at("fall_speed").fail("is negative or not finite");
  std::vector<std::string> laws;
  std::vector<LawKind> kinds;
  for (const LawEntry& law : law_list()) {
    if (is_geometric(law.kind)) continue;
    laws.push_back(law.name);
    kinds.push_back(law.kind);
  }
  problem.law = kinds[word(root.at("law"), laws)];
  problem.elasticity = static_cast<Elasticity>(word(root.at("elasticity"), elasticity_names()));
  saved.dissipation = static_cast<Dissipation>(word(root.at("dissipation"), dissipation_names()));
  saved.v_s = root.at("v_s").number();
  saved.sigma = root.at("sigma").number();
  saved.beta = root.at("beta").number();
  saved.solver = find_in_catalog(name_of(problem.law))->solver;
  if (root.has("solver")) {
    std::vector<std::string> solvers;
    std::vector<const char*> names;
    for (const CatalogEntry& entry : catalog()) {
      if (entry.law != problem.law) continue;
      solvers.push_back(entry.solver);
      names.push_back(entry.solver);
    }
    saved.solver = names[word(root.at("solver"), solvers)];
  }
  read_trees(root.at("trees"), &problem);
  read_bodies(root.at("bodies"), &problem);
  // Before the patches: the islands depend on both.
  const std::size_t rows = root.has("rows") ? root.at("rows").list_size() : 0;
  for (std::size_t r = 0; r < rows; ++r) read_row(root.at("rows").at(r), &problem);
  check_row_groups(root, problem);
  if (root.has("force_tables")) read_tables(root.at("force_tables"), &problem);
  const bool has_tables = problem.tables != nullptr && !problem.tables->empty();
  if (problem.elasticity == Elasticity::table && !has_tables) problem.elasticity = Elasticity::linear;
  read_patches(root.at("patches"), &saved);
  return saved;
}

void save_problem(const SavedProblem& saved, const std::filesystem::path& file) {
  write_file_bytes(file, problem_to_json(saved));
}

SavedProblem load_problem(const std::filesystem::path& file) {
  return problem_from_json(read_file_bytes(file), file.string());
}

}  // namespace stiction
