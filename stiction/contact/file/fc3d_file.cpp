#include "stiction/contact/file/fc3d_file.h"

#include <array>
#include <map>
#include <utility>

#include "stiction/base/file_bytes.h"
#include "stiction/contact/file/json_place.h"
#include "stiction/math/supernodal_lu.h"

namespace stiction {
namespace {

using Json = JsonPlace::Json;

constexpr int kMostContacts = 1'000'000, kMostVelocities = 3'000'000;  // more is a mistake

// Where the rows (normal, t1, t2) of a file go in a block.
constexpr std::array<int, 3> kPlace{2, 0, 1};

VecX read_vector(const JsonPlace& list, int size) {
  if (list.list_size() != static_cast<std::size_t>(size))
    list.fail(format("is not a list of {} numbers", size));
  VecX out(size);
  for (int i = 0; i < size; ++i) out[i] = list.at(static_cast<std::size_t>(i)).finite_number();
  return out;
}

SparseEntries read_matrix(const JsonPlace& place, int rows, int columns) {
  SparseEntries out{
      place.at("rows").integer(0, kMostVelocities), place.at("cols").integer(0, kMostVelocities), {}};
  if (out.rows != rows || out.columns != columns)
    place.fail(format("is {} x {}, not {} x {}", out.rows, out.columns, rows, columns));
  const JsonPlace data = place.at("data");
  const std::size_t count = data.list_size();
  out.entries.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const JsonPlace entry = data.at(k);
    if (entry.list_size() != 3) entry.fail("is not (row, column, value)");
    out.entries.push_back({entry.at(std::size_t{0}).integer(0, rows - 1), entry.at(1).integer(0, columns - 1),
                           entry.at(2).finite_number()});
  }
  return out;
}

Fc3dProblem::Global read_global(const JsonPlace& place, int contact_rows) {
  const int velocities = place.at("M").at("rows").integer(1, kMostVelocities);
  Fc3dProblem::Global global;
  global.f = read_vector(place.at("f"), velocities);
  global.w = read_vector(place.at("w"), contact_rows);
  global.M = read_matrix(place.at("M"), velocities, velocities);
  global.H = read_matrix(place.at("H"), velocities, contact_rows);
  return global;
}

using Sparse = Eigen::SparseMatrix<double>;

Sparse sparse(const SparseEntries& from) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const SparseEntries::Entry& e : from.entries) entries.emplace_back(e.row, e.column, e.value);
  Sparse out(from.rows, from.columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// W and q of a global problem.
void reduce(const JsonPlace& place, Fc3dProblem* problem) {
  const Fc3dProblem::Global& global = *problem->global;
  const Sparse M = sparse(global.M), H = sparse(global.H);
  SupernodalLu factor;
  if (!factor.factorise(M)) place.at("M").fail("is singular");
  problem->q = H.transpose() * factor.solve(global.f) + global.w;
  problem->W.rows = problem->W.columns = static_cast<int>(H.cols());
  for (int c = 0; c < H.cols(); ++c) {
    const VecX column = H.transpose() * factor.solve(H.col(c));
    for (int r = 0; r < column.size(); ++r)
      if (column[r] != 0.0) problem->W.entries.push_back({r, c, column[r]});
  }
  bool is_finite = problem->q.allFinite();
  for (const SparseEntries::Entry& e : problem->W.entries) is_finite = is_finite && std::isfinite(e.value);
  if (!is_finite) place.at("M").fail("is singular");
}

Json matrix_json(const SparseEntries& matrix) {
  Json data = Json::array();
  for (const SparseEntries::Entry& e : matrix.entries) data.push_back({e.row, e.column, e.value});
  return {{"rows", matrix.rows}, {"cols", matrix.columns}, {"data", std::move(data)}};
}

std::vector<double> list_of(const VecX& x) { return {x.begin(), x.end()}; }

void check_dimension(const JsonPlace& place) {
  const int dimension = place.integer(0, kMostContacts);
  if (dimension == 2) place.fail("2: problems in the plane are not known, only those in space (3)");
  if (dimension == 5)
    place.fail("5: rolling friction with a cone of its own is not known, only sliding friction (3)");
  if (dimension != 3) place.fail(format("{} is not 3", dimension));
}

}  // namespace

Fc3dProblem fc3d_from_json(std::string_view text, const std::string& file) {
  const Json json = parsed_json(text, file);
  const JsonPlace root(json, file);
  if (root.at("format").string() != kFc3dFormat) root.at("format").fail(format("is not '{}'", kFc3dFormat));
  check_dimension(root.at("dim"));
  Fc3dProblem problem;
  if (root.has("name")) problem.name = root.at("name").string();
  const int contacts = root.at("nc").integer(1, kMostContacts), rows = 3 * contacts;
  const VecX friction = read_vector(root.at("mu"), contacts);
  for (int c = 0; c < contacts; ++c)
    if (friction[c] < 0.0)
      root.at("mu").at(static_cast<std::size_t>(c)).fail(format("{} is negative", friction[c]));
  problem.friction = list_of(friction);
  if (root.has("global")) problem.global = read_global(root.at("global"), rows);
  if (problem.global && !root.has("W")) {
    reduce(root.at("global"), &problem);
  } else {
    problem.q = read_vector(root.at("q"), rows);
    problem.W = read_matrix(root.at("W"), rows, rows);
  }
  return problem;
}

std::string fc3d_to_json(const Fc3dProblem& problem) {
  Json json = {{"format", kFc3dFormat},
               {"name", problem.name},
               {"kind", problem.global ? "global" : "local"},
               {"dim", 3},
               {"nc", problem.num_contacts()},
               {"mu", problem.friction}};
  if (problem.global)
    json["global"] = {{"M", matrix_json(problem.global->M)},
                      {"H", matrix_json(problem.global->H)},
                      {"f", list_of(problem.global->f)},
                      {"w", list_of(problem.global->w)}};
  json["q"] = list_of(problem.q);
  json["W"] = matrix_json(problem.W);
  return json.dump() + "\n";
}

Fc3dProblem load_fc3d_problem(const std::filesystem::path& file) {
  return fc3d_from_json(read_file_bytes(file), file.string());
}

void save_fc3d(const Fc3dProblem& problem, const std::filesystem::path& file) {
  write_file_bytes(file, fc3d_to_json(problem));
}

DualProblem dual_of(const Fc3dProblem& from) {
  const int contacts = from.num_contacts(), rows = 3 * contacts;
  std::vector<DualBlock> blocks(static_cast<std::size_t>(contacts));
  for (int c = 0; c < contacts; ++c) {
    blocks[c].tangents = 2;
    blocks[c].friction = from.friction[c];
  }

  // Entries by block; the diagonal blocks are there even if nothing is in them.
  std::map<std::pair<int, int>, std::array<double, 9>> values;
  for (int c = 0; c < contacts; ++c) values[{c, c}].fill(0.0);
  for (const SparseEntries::Entry& e : from.W.entries) {
    auto& block = values.try_emplace({e.row / 3, e.column / 3}, std::array<double, 9>{}).first->second;
    block[3 * kPlace[e.row % 3] + kPlace[e.column % 3]] += e.value;
  }
  DualMatrix W;
  W.row_begin.assign(1, 0);
  for (const auto& [at, block] : values) {
    while (static_cast<int>(W.row_begin.size()) <= at.first)
      W.row_begin.push_back(static_cast<int>(W.columns.size()));
    W.columns.push_back(at.second);
    W.begin.push_back(static_cast<int>(W.values.size()));
    W.values.insert(W.values.end(), block.begin(), block.end());
  }
  W.row_begin.push_back(static_cast<int>(W.columns.size()));

  DualProblem problem;
  problem.begin_explicit(blocks, W, in_dual_order(from.q), VecX::Zero(rows));
  return problem;
}

DualProblem load_fc3d(const std::filesystem::path& file) { return dual_of(load_fc3d_problem(file)); }

VecX in_file_order(const VecX& rows) {
  VecX out(rows.size());
  for (int i = 0; i < rows.size(); ++i) out[i] = rows[i - i % 3 + kPlace[i % 3]];
  return out;
}

VecX in_dual_order(const VecX& rows) {
  VecX out(rows.size());
  for (int i = 0; i < rows.size(); ++i) out[i - i % 3 + kPlace[i % 3]] = rows[i];
  return out;
}

}  // namespace stiction
