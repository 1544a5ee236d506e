#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/cli/commands.h"
#include "bench/solvers/checked_solve.h"
#include "bench/solvers/limited_run.h"
#include "bench/solvers/solver_profile.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/base/parallel.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/file/fc3d_file.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {
namespace {

using namespace solvers;

namespace fs = std::filesystem;

struct Arguments {
  std::string folder, html, images;
  std::vector<std::string> solvers;
  double tolerance = 1e-8, limit_s = 10.0;
  bool json = false, quiet = false;
};

constexpr int kNoLimit = 1'000'000'000;  // of iterations: time is the limit
// Short runs are repeated, and the fastest counts.
constexpr int kRepeats = 5;
constexpr double kShort = 0.02;  // s

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The islands of a problem under Coulomb's law without compliance, which is what the solvers of impulses have
// in common.
struct BenchProblem {
  std::string name;
  std::vector<DualProblem> islands;
  int contacts = 0;
};

BenchProblem load_bench_problem(const fs::path& file) {
  BenchProblem out;
  out.name = file.stem().string();
  std::ifstream stream(file, std::ios::binary);
  char head[256] = {};
  stream.read(head, sizeof(head) - 1);
  if (std::string_view(head).find(kFc3dFormat) != std::string_view::npos) {
    out.islands.push_back(load_fc3d(file));
  } else {
    SavedProblem saved = load_problem(file);
    ContactOptions options = options_of(saved);
    set_formulation(name_of(LawKind::coulomb_ncp), &options);
    apply_law(options, &saved);
    for (const Island& island : saved.problem.islands)
      out.islands.emplace_back().begin(saved.problem, island);
  }
  for (const DualProblem& island : out.islands)
    out.contacts +=
        static_cast<int>(std::count_if(island.blocks.begin(), island.blocks.end(),
                                       [](const DualBlock& block) { return block.is_contact(); }));
  return out;
}

std::vector<BenchProblem> load_folder(const std::string& folder) {
  STICTION_USER_CHECK(fs::is_directory(folder), "'{}' is no folder", folder);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<BenchProblem> problems;
  for (const fs::path& file : files) {
    try {
      problems.push_back(load_bench_problem(file));
    } catch (const UserError& error) {
      std::fprintf(stderr, "left out: %s\n", error.what());
    }
  }
  STICTION_USER_CHECK(!problems.empty(), "there is no contact problem in '{}'", folder);
  return problems;
}

std::vector<const CatalogEntry*> chosen(const std::vector<std::string>& names) {
  if (names.empty()) return dual_formulations();
  std::vector<const CatalogEntry*> entries;
  for (const std::string& name : names) {
    ContactOptions options;
    set_formulation(name, &options);  // an unknown one is named with the closest there is
    const CatalogEntry* entry = find_in_catalog(name);
    STICTION_USER_CHECK(is_rigid(entry->law) && make_dual_solver(entry->law, entry->solver) != nullptr,
                        "{} does not solve a rigid law on impulses; of the bench are those that do",
                        entry->name());
    entries.push_back(entry);
  }
  return entries;
}

// Numbers of an answer, as they go through a pipe.
struct Figures {
  SolveStatus status = SolveStatus::converged;
  double error = 0.0, coulomb = 0.0, seconds = 0.0;
  int iterations = 0;
  bool is_other_law = false;
};

std::string measured(const CatalogEntry& entry, const BenchProblem& problem, const DualOptions& options) {
  Figures figures;
  figures.seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats && (i == 0 || figures.seconds < kShort); ++i) {
    const CheckedAnswer answer = solve_and_check(entry, problem.islands, options, processor_seconds);
    figures.status = answer.status;
    figures.error = answer.error;
    figures.coulomb = answer.coulomb;
    figures.iterations = answer.iterations;
    figures.is_other_law = status_name(answer, options.tolerance) == "solved_its_law";
    figures.seconds = std::min(figures.seconds, answer.seconds);
  }
  return {reinterpret_cast<const char*>(&figures), sizeof(figures)};
}

SolverRun run_one(const CatalogEntry& entry, const BenchProblem& problem, const Arguments& a) {
  SolverRun run;
  run.problem = problem.name;
  run.contacts = problem.contacts;
  run.formulation = entry.name();
  run.law = entry.law;
  DualOptions options;
  options.tolerance = a.tolerance;
  options.max_iterations = kNoLimit;
  std::string text;
  const LimitedEnd end =
      run_limited([&] { return measured(entry, problem, options); }, a.limit_s, &text, interrupted);
  Figures figures;
  if (end == LimitedEnd::done && text.size() == sizeof(figures)) {
    std::memcpy(&figures, text.data(), sizeof(figures));
    run.holds = is_solved(figures.status);
    run.status = figures.is_other_law ? "solved_its_law" : name_of(figures.status);
    run.error = figures.error;
    run.coulomb = figures.coulomb;
    run.iterations = figures.iterations;
    run.seconds = figures.seconds;
    return run;
  }
  run.status = end == LimitedEnd::out_of_time ? "out_of_time" : "crashed";
  run.error = run.coulomb = std::numeric_limits<double>::quiet_NaN();
  run.seconds = end == LimitedEnd::out_of_time ? a.limit_s : 0.0;
  return run;
}

void show(const SolverRun* last, std::size_t done, std::size_t all, const Stopwatch& clock) {
  const double left =
      done > 0 ? clock.seconds() / static_cast<double>(done) * static_cast<double>(all - done) : 0.0;
  std::fprintf(stderr, "\r\033[K  %zu of %zu, about %.0f s left", done, all, left);
  if (last != nullptr) std::fprintf(stderr, "  (%s, %s)", last->problem.c_str(), last->formulation.c_str());
}

int bench_solvers(const Arguments& a) {
  STICTION_USER_CHECK(std::isfinite(a.tolerance) && a.tolerance > 0.0,
                      "--tolerance must be finite and positive, not {}", a.tolerance);
  STICTION_USER_CHECK(std::isfinite(a.limit_s) && a.limit_s > 0.0,
                      "--time-limit must be finite and positive, not {}", a.limit_s);
  const std::vector<const CatalogEntry*> entries = chosen(a.solvers);
  const std::vector<BenchProblem> problems = load_folder(a.folder);
  set_thread_count(1);
  SolverBench bench;
  bench.folder = a.folder;
  bench.tolerance = a.tolerance;
  bench.limit_s = a.limit_s;
  const bool shows = !a.quiet && isatty(STDERR_FILENO) != 0;
  const std::size_t all = problems.size() * entries.size();
  const Stopwatch clock;
  for (const BenchProblem& problem : problems) {
    for (const CatalogEntry* entry : entries) {
      if (interrupted()) break;
      if (shows) show(bench.runs.empty() ? nullptr : &bench.runs.back(), bench.runs.size(), all, clock);
      bench.runs.push_back(run_one(*entry, problem, a));
    }
  }
  if (shows) std::fprintf(stderr, "\r\033[K");
  if (interrupted()) return kInterrupted;
  if (a.json) std::printf("%s\n", to_json(bench).dump(1).c_str());
  if (!a.html.empty()) write_file_bytes(a.html, to_html(bench));
  if (!a.images.empty()) {
    fs::create_directories(a.images);
    for (const Profile& profile : profiles(bench))
      write_file_bytes((fs::path(a.images) / ("profile_" + profile.name + ".svg")).string(),
                       profile.figure.svg());
  }
  if (!a.quiet && !a.json) print(bench);
  return kDone;
}

}  // namespace

void add_bench(const Parser& app, int* exit_code) {
  const Parser command = app.add_command(
      "bench",
      "Measures solvers of contact problems.\nExample: stiction run "
      "slope --time 0.004 --dump-problems problems "
      "&& stiction bench solvers problems --solvers coulomb_ncp+pgs,coulomb_ncp+admm --time-limit 1");
  command.require_command();
  auto arguments = std::make_shared<Arguments>();
  const Parser solvers = command.add_command(
      "solvers",
      "Solves all problems of a folder by all rigid formulations and draws performance profiles.\nExample: "
      "stiction run slope --time 0.004 --dump-problems problems && stiction bench solvers problems --solvers "
      "coulomb_ncp+pgs,coulomb_ncp+admm --time-limit 1 --html solvers.html");
  solvers.add_option("folder", &arguments->folder, "Folder with problem files (.json), ours or fc-json/1")
      .required();
  solvers.add_option("--tolerance", &arguments->tolerance, "Of the natural map, relative to the impulses")
      .capture_default_str();
  solvers.add_option("--time-limit", &arguments->limit_s, "Seconds for one problem and one solver")
      .capture_default_str();
  solvers
      .add_option("--solvers", &arguments->solvers,
                  "Formulations with commas between them (stiction list formulations)")
      .delimiter(',');
  solvers.add_option("--html", &arguments->html, "Write a page with tables and profiles to this file");
  solvers.add_flag("--json", &arguments->json, "Print all figures as JSON, and nothing else");
  solvers.add_option("--images", &arguments->images, "Write the profiles as SVG to this folder");
  solvers.add_flag("--quiet", &arguments->quiet, "Print nothing but errors");
  solvers.callback([arguments, exit_code] { *exit_code = bench_solvers(*arguments); });
}

}  // namespace stiction::cli
