// Results of rows as files, so that a page can be written without running all rows again.

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/claims/claim.h"
#include "stiction/base/check.h"

namespace stiction::claims {

namespace {

std::string path_of(const std::string& folder, const Claim& claim) {
  return fmt::format("{}/{}.json", folder, claim.id);
}

ClaimResult not_run(const std::string& why) { return {"not run: " + why, {}}; }

}  // namespace

const char* verdict(const ClaimRow& row) {
  if (!row.claim->run) return "not built";
  if (!row.result.holds) return row.result.ours.starts_with("not run") ? "not run" : "skipped";
  return *row.result.holds ? "holds" : "differs";
}

void store(const std::string& folder, const ClaimRow& row) {
  const nlohmann::ordered_json out = {
      {"id", row.claim->id},     {"setup", row.claim->setup},  {"criterion", row.claim->criterion},
      {"ours", row.result.ours}, {"holds", *row.result.holds}, {"figures", row.result.figures}};
  const std::string path = path_of(folder, *row.claim);
  std::ofstream file(path);
  file << out.dump(2) << "\n";
  file.close();
  STICTION_USER_CHECK(!file.fail(), "cannot write '{}'", path);
}

ClaimResult stored_result(const std::string& folder, const Claim& claim) {
  if (!claim.run) return {"not built", {}};
  const std::string path = path_of(folder, claim);
  std::ifstream file(path);
  if (folder.empty() || !file) return not_run("no result of it is stored");
  try {
    const nlohmann::json stored = nlohmann::json::parse(file);
    if (stored.at("setup") != claim.setup || stored.at("criterion") != claim.criterion)
      return not_run("its set-up or criterion has changed since");
    return {stored.at("ours"), stored.at("holds").get<bool>(), stored.at("figures")};
  } catch (const nlohmann::json::exception& error) {
    STICTION_USER_CHECK(false, "'{}' is not a stored row: {}", path, error.what());
  }
  return {};
}

}  // namespace stiction::claims
