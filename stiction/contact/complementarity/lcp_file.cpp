#include "stiction/contact/complementarity/lcp_file.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"

namespace stiction {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "lcp-json/1";
constexpr int kMostUnknowns = 10'000;  // M is dense: more is a mistake

// A value of the file, and how to name it to a user.
struct Place {
  const Json* json;
  std::string name;

  [[noreturn]] void fail(const std::string& what) const { throw_user_error(format("{}: {}", name, what)); }

  bool has(const char* key) const { return json->is_object() && json->contains(key); }
  Place at(const char* key) const {
    if (!has(key)) fail(format("there is no '{}'", key));
    return {&(*json)[key], name + "." + key};
  }
  Place at(std::size_t index) const { return {&(*json)[index], name + format("[{}]", index)}; }
  std::size_t list_size() const {
    if (!json->is_array()) fail("is not a list");
    return json->size();
  }
  std::string string() const {
    if (!json->is_string()) fail("is not text");
    return json->get<std::string>();
  }
  double number() const {
    const double value = json->is_number() ? json->get<double>() : std::nan("");
    if (!std::isfinite(value)) fail("is not a finite number");
    return value;
  }
  int integer(int smallest, int largest) const {
    const double value = number();
    if (!(value >= smallest && value <= largest) || value != std::floor(value))
      fail(format("{} is not a whole number from {} to {}", value, smallest, largest));
    return static_cast<int>(value);
  }
  void check_size(int n) const {
    if (list_size() != static_cast<std::size_t>(n))
      fail(format("has {} entries, not n = {}", list_size(), n));
  }
  VecX numbers(int n) const {
    check_size(n);
    VecX out(n);
    for (int i = 0; i < n; ++i) out[i] = at(static_cast<std::size_t>(i)).number();
    return out;
  }
};

Json numbers_json(const VecX& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number);
  return list;
}

}  // namespace

SavedLcp lcp_from_json(std::string_view text, const std::string& file) {
  Json json;
  try {
    json = Json::parse(text.begin(), text.end());
  } catch (const Json::exception& error) {
    throw_user_error(format("{}: {}", file, error.what()));
  }
  const Place root = {&json, file};
  if (root.at("format").string() != kFormat)
    root.at("format").fail(format("'{}' is not '{}'", root.at("format").string(), kFormat));
  const int n = root.at("n").integer(0, kMostUnknowns);
  SavedLcp saved;
  saved.name = root.has("name") ? root.at("name").string() : "";
  saved.is_complementary.assign(n, 1);
  if (root.has("comp")) {
    root.at("comp").check_size(n);
    for (int i = 0; i < n; ++i) {
      const Place place = root.at("comp").at(static_cast<std::size_t>(i));
      saved.is_complementary[i] = static_cast<char>(place.integer(0, 1));
    }
  }
  // Sizes before memory: n alone says nothing about how much there is.
  const Place rows = root.at("M");
  rows.check_size(n);
  for (int i = 0; i < n; ++i) rows.at(static_cast<std::size_t>(i)).check_size(n);
  saved.problem.M.resize(n, n);
  for (int i = 0; i < n; ++i)
    saved.problem.M.row(i) = rows.at(static_cast<std::size_t>(i)).numbers(n).transpose();
  saved.problem.q = root.at("q").numbers(n);
  saved.problem.set_bounds(saved.is_complementary);
  if (root.has("solutions")) {
    const Place list = root.at("solutions");
    for (std::size_t i = 0; i < list.list_size(); ++i) saved.solutions.push_back(list.at(i).numbers(n));
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
  std::ofstream stream(file, std::ios::binary);
  stream << lcp_to_json(saved);
  stream.close();
  STICTION_USER_CHECK(stream.good(), "cannot write the file '{}'", file.string());
}

SavedLcp load_lcp(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  STICTION_USER_CHECK(stream.good(), "cannot read the file '{}'", file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return lcp_from_json(text.str(), file.string());
}

}  // namespace stiction
