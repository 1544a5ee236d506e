#include "stiction/contact/file/lcp_file.h"

#include "stiction/base/file_bytes.h"
#include "stiction/contact/file/json_place.h"

namespace stiction {
namespace {

using Json = JsonPlace::Json;

constexpr const char* kFormat = "lcp-json/1";
constexpr int kMostUnknowns = 10'000;  // M is dense: more is a mistake

VecX numbers_of(const JsonPlace& place, int n) {
  place.check_size(static_cast<std::size_t>(n));
  VecX out(n);
  for (int i = 0; i < n; ++i) out[i] = place.at(static_cast<std::size_t>(i)).finite_number();
  return out;
}

Json numbers_json(const VecX& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number);
  return list;
}

}  // namespace

SavedLcp lcp_from_json(std::string_view text, const std::string& file) {
  const Json json = parsed_json(text, file);
  const JsonPlace root(json, file);
  if (root.at("format").string() != kFormat)
    root.at("format").fail(format("'{}' is not '{}'", root.at("format").string(), kFormat));
  const int n = root.at("n").integer(0, kMostUnknowns);
  SavedLcp saved;
  saved.name = root.has("name") ? root.at("name").string() : "";
  saved.is_complementary.assign(n, 1);
  if (root.has("comp")) {
    root.at("comp").check_size(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      const JsonPlace place = root.at("comp").at(static_cast<std::size_t>(i));
      saved.is_complementary[i] = static_cast<char>(place.integer(0, 1));
    }
  }
  // The sizes of M and q are checked before memory for n unknowns is allocated.
  const JsonPlace rows = root.at("M");
  rows.check_size(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) rows.at(static_cast<std::size_t>(i)).check_size(static_cast<std::size_t>(n));
  saved.problem.M.resize(n, n);
  for (int i = 0; i < n; ++i)
    saved.problem.M.row(i) = numbers_of(rows.at(static_cast<std::size_t>(i)), n).transpose();
  saved.problem.q = numbers_of(root.at("q"), n);
  saved.problem.set_bounds(saved.is_complementary);
  if (root.has("solutions")) {
    const JsonPlace list = root.at("solutions");
    for (std::size_t i = 0; i < list.list_size(); ++i) saved.solutions.push_back(numbers_of(list.at(i), n));
  }
  return saved;
}

std::string lcp_to_json(const SavedLcp& saved) {
  const LinearComplementarity& problem = saved.problem;
  Json comp = Json::array(), rows = Json::array(), solutions = Json::array();
  for (int i = 0; i < problem.size(); ++i) {
    comp.push_back(static_cast<int>(saved.is_complementary[i]));
    rows.push_back(numbers_json(problem.M.row(i).transpose()));
  }
  for (const VecX& solution : saved.solutions) solutions.push_back(numbers_json(solution));
  const Json json = {{"format", kFormat},
                     {"name", saved.name},
                     {"n", problem.size()},
                     {"comp", std::move(comp)},
                     {"M", std::move(rows)},
                     {"q", numbers_json(problem.q)},
                     {"solutions", std::move(solutions)}};
  return json.dump() + "\n";
}

void save_lcp(const SavedLcp& saved, const std::filesystem::path& file) {
  write_file_bytes(file, lcp_to_json(saved));
}

SavedLcp load_lcp(const std::filesystem::path& file) {
  return lcp_from_json(read_file_bytes(file), file.string());
}

}  // namespace stiction
