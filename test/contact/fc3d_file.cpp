#include "test/contact/fc3d_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/base/shared_files.h"

namespace stiction {
namespace {

// Where the rows (normal, t1, t2) of a file go in a block.
constexpr std::array<int, 3> kPlace{2, 0, 1};

}  // namespace

DualProblem load_fc3d(const std::filesystem::path& file) {
  std::ifstream stream(file);
  STICTION_USER_CHECK(stream.good(), "cannot read {}", file.string());
  const auto json = nlohmann::json::parse(stream);
  STICTION_USER_CHECK(json.at("format") == "fc-json/1" && json.at("dim") == 3, "{}: not a problem in space",
                      file.string());
  const int contacts = json.at("nc").get<int>(), rows = 3 * contacts;
  const auto friction = json.at("mu").get<std::vector<double>>();
  const auto q = json.at("q").get<std::vector<double>>();
  const auto& entries = json.at("W").at("data");
  STICTION_USER_CHECK(static_cast<int>(friction.size()) == contacts && static_cast<int>(q.size()) == rows,
                      "{}: {} contacts, {} of mu, {} of q", file.string(), contacts, friction.size(),
                      q.size());

  std::vector<DualBlock> blocks(static_cast<std::size_t>(contacts));
  VecX r(rows);
  for (int c = 0; c < contacts; ++c) {
    blocks[c].tangents = 2;
    blocks[c].friction = friction[c];
    for (int i = 0; i < 3; ++i) r[3 * c + kPlace[i]] = q[3 * c + i];
  }

  // Entries by block; the diagonal blocks are there even if nothing is in them.
  std::map<std::pair<int, int>, std::array<double, 9>> values;
  for (int c = 0; c < contacts; ++c) values[{c, c}].fill(0.0);
  for (const auto& entry : entries) {
    const int i = entry.at(0).get<int>(), j = entry.at(1).get<int>();
    STICTION_USER_CHECK(0 <= i && i < rows && 0 <= j && j < rows, "{}: W({}, {}) of {} rows", file.string(),
                        i, j, rows);
    auto& block = values.try_emplace({i / 3, j / 3}, std::array<double, 9>{}).first->second;
    block[3 * kPlace[i % 3] + kPlace[j % 3]] += entry.at(2).get<double>();
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
  problem.begin_explicit(blocks, W, r, VecX::Zero(rows));
  return problem;
}

std::vector<std::filesystem::path> fc3d_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = shared_file("data/fc3d");
  if (!folder) return files;
  for (const auto& entry : std::filesystem::directory_iterator(*folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace stiction
