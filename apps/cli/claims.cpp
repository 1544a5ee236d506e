#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "bench/claims/claim.h"
#include "stiction/base/check.h"
#include "stiction/base/log.h"
#include "stiction/base/timer.h"

namespace stiction::cli {

namespace {

using claims::Claim;
using claims::ClaimResult;
using claims::ClaimRow;

struct Arguments {
  std::vector<std::string> only;
  bool json = false, quiet = false;
  std::string out, page;
};

std::vector<const Claim*> chosen(const std::vector<std::string>& only) {
  std::vector<const Claim*> rows;
  for (const std::string& id : only) {
    const auto& list = claims::claim_list();
    const bool is_known = std::any_of(list.begin(), list.end(), [&](const Claim& c) { return c.id == id; });
    std::string ids;
    for (const Claim& claim : list) ids += (ids.empty() ? "" : ", ") + std::string(claim.id);
    STICTION_USER_CHECK(is_known, "there is no claim '{}'; there are {}", id, ids);
  }
  for (const Claim& claim : claims::claim_list()) {
    if (only.empty() || std::find(only.begin(), only.end(), claim.id) != only.end()) rows.push_back(&claim);
  }
  return rows;
}

std::string minutes(double seconds) {
  return seconds < 90.0 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60.0);
}

// Progress goes to stderr; the time left follows from how long the rows so far took against what they usually
// take.
class Progress {
 public:
  Progress(const std::vector<const Claim*>& rows, bool quiet) : count_(rows.size()), quiet_(quiet) {
    for (const Claim* claim : rows) left_ += claim->seconds;
  }
  void begin(const Claim& claim) {
    ++index_;
    if (quiet_) return;
    const double pace = usual_ > 0.0 ? watch_.seconds() / usual_ : 1.0;
    std::fprintf(stderr, "[%zu/%zu] %-4s about %s left\n", index_, count_, claim.id,
                 minutes(left_ * pace).c_str());
  }
  void end(const Claim& claim) {
    usual_ += claim.seconds;
    left_ -= claim.seconds;
  }

 private:
  std::size_t index_ = 0, count_;
  bool quiet_;
  double left_ = 0.0, usual_ = 0.0;  // s, by the list
  Stopwatch watch_;
};

std::string shouted(const ClaimRow& row) {
  return row.result.holds == false ? "DIFFERS" : claims::verdict(row);
}

void print(const ClaimRow& row) {
  std::printf("%-4s %-8s %s\n     says:      %s\n     criterion: %s\n     ours:      %s\n", row.claim->id,
              shouted(row).c_str(), row.claim->where, row.claim->statement, row.claim->criterion,
              row.result.ours.c_str());
  std::fflush(stdout);
}

// How many rows there are of every verdict.
void print_counts(const std::vector<ClaimRow>& rows) {
  const auto count = [&](std::string_view what) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](const ClaimRow& row) { return claims::verdict(row) == what; });
  };
  std::printf("%zu rows: %ld hold, %ld differ, %ld skipped, %ld not built\n", rows.size(),
              static_cast<long>(count("holds")), static_cast<long>(count("differs")),
              static_cast<long>(count("skipped")), static_cast<long>(count("not built")));
}

nlohmann::json to_json(const ClaimRow& row) {
  nlohmann::json out = {
      {"id", row.claim->id},     {"statement", row.claim->statement}, {"paper", row.claim->where},
      {"ours", row.result.ours}, {"criterion", row.claim->criterion}, {"holds", nullptr}};
  if (row.result.holds) out["holds"] = *row.result.holds;
  return out;
}

// All rows: those of this run, the others as they were last stored.
std::vector<ClaimRow> rows_of_page(const std::vector<ClaimRow>& fresh, const std::string& folder) {
  std::vector<ClaimRow> rows;
  for (const Claim& claim : claims::claim_list()) {
    const auto found =
        std::find_if(fresh.begin(), fresh.end(), [&](const ClaimRow& row) { return row.claim == &claim; });
    const bool has_run = found != fresh.end() && found->result.holds;
    rows.push_back(has_run ? *found : ClaimRow{&claim, claims::stored_result(folder, claim)});
    // A skipped row that was never run says why it was skipped.
    if (!rows.back().result.holds && found != fresh.end()) rows.back() = *found;
  }
  return rows;
}

void write_page(const Arguments& arguments, const std::vector<ClaimRow>& rows) {
  namespace fs = std::filesystem;
  std::string figures;
  if (!arguments.out.empty())
    figures =
        fs::path(arguments.out).lexically_relative(fs::path(arguments.page).parent_path()).generic_string();
  std::ofstream file(arguments.page);
  file << claims::claims_page(rows_of_page(rows, arguments.out), figures);
  file.close();
  STICTION_USER_CHECK(!file.fail(), "cannot write '{}'", arguments.page);
}

int run(const Arguments& arguments) {
  const std::vector<const Claim*> chosen_rows = chosen(arguments.only);
  if (!arguments.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.out, error);
    STICTION_USER_CHECK(!error, "cannot make the folder '{}': {}", arguments.out, error.message());
  }
  std::vector<std::string> figures;
  const claims::ClaimContext context(arguments.out, interrupted, &figures);
  // Scenes of claims run under laws that ignore some of their numbers.
  if (arguments.quiet) set_log_level(LogLevel::kError);
  Progress progress(chosen_rows, arguments.quiet);
  std::vector<ClaimRow> rows;
  bool stopped = false;
  for (const Claim* claim : chosen_rows) {
    progress.begin(*claim);
    figures.clear();
    try {
      rows.push_back({claim, claim->run ? claim->run(context) : ClaimResult{"not built", {}}});
    } catch (const claims::Stopped&) {
      stopped = true;
      break;
    }
    rows.back().result.figures = figures;
    if (!arguments.out.empty() && rows.back().result.holds) claims::store(arguments.out, rows.back());
    progress.end(*claim);
    if (!arguments.json) print(rows.back());
  }
  if (arguments.json) {
    nlohmann::json out = nlohmann::json::array();
    for (const ClaimRow& row : rows) out.push_back(to_json(row));
    std::printf("%s\n", out.dump(2).c_str());
  } else {
    print_counts(rows);
  }
  if (!arguments.page.empty()) write_page(arguments, rows);
  return stopped ? kInterrupted : kDone;
}

}  // namespace

void add_claims(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command("claims",
                                         "Checks what the papers behind the contact laws say, and what we "
                                         "say.\nExample: stiction claims --only S12,I11");
  command.add_option("--only", &arguments->only, "Rows to run, as S4,I1; without it, all").delimiter(',');
  command.add_flag("--json", &arguments->json,
                   "Print JSON: a list of {id, statement, paper, ours, criterion, holds}");
  command.add_option("--out", &arguments->out, "Folder for the figures (CSV and SVG) and results (JSON)");
  command.add_option("--page", &arguments->page,
                     "File to write the page of all rows to (Markdown); rows that are not run are those "
                     "last stored in --out");
  command.add_flag("--quiet", &arguments->quiet, "No progress on stderr");
  command.callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
