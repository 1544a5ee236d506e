#include "bench/solvers/solver_profile.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stiction/base/html_text.h"
#include "stiction/contact/catalog.h"

namespace stiction::solvers {
namespace {

// What a formulation did with all problems.
struct Summary {
  std::string formulation;
  LawKind law = LawKind::coulomb_ncp;
  int problems = 0, solved = 0, coulomb = 0;
  double seconds = 0.0, worst = 0.0;  // of those solved; largest error of those with an answer
};

std::vector<Summary> summaries(const SolverBench& bench) {
  std::vector<Summary> list;
  for (const SolverRun& run : bench.runs) {
    auto found = std::find_if(list.begin(), list.end(),
                              [&](const Summary& s) { return s.formulation == run.formulation; });
    if (found == list.end()) {
      list.push_back({run.formulation, run.law});
      found = list.end() - 1;
    }
    ++found->problems;
    if (run.holds) {
      ++found->solved;
      found->seconds += run.seconds;
    }
    if (run.coulomb <= bench.tolerance) ++found->coulomb;
    if (run.error > found->worst) found->worst = run.error;
  }
  return list;
}

// Ratios to the fastest, infinite where unsolved, by formulation; problems that nobody solved count too.
std::map<std::string, std::vector<double>> ratios(const SolverBench& bench, LawKind law) {
  std::map<std::string, double> fastest;
  for (const SolverRun& run : bench.runs) {
    if (run.law != law || !run.holds) continue;
    auto [at, is_new] = fastest.try_emplace(run.problem, run.seconds);
    if (!is_new) at->second = std::min(at->second, run.seconds);
  }
  std::map<std::string, std::vector<double>> list;
  for (const SolverRun& run : bench.runs) {
    if (run.law != law) continue;
    list[run.formulation].push_back(run.holds ? run.seconds / fastest.at(run.problem)
                                              : std::numeric_limits<double>::infinity());
  }
  return list;
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "-"; }

// JSON has no NaN.
nlohmann::json json_number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

std::vector<Profile> profiles(const SolverBench& bench) {
  std::vector<Profile> list;
  for (const LawEntry& law : law_list()) {
    auto by_solver = ratios(bench, law.kind);
    if (by_solver.size() < 2) continue;
    double last = 10.0;
    for (auto& [name, values] : by_solver) {
      std::sort(values.begin(), values.end());
      for (const double value : values)
        if (std::isfinite(value)) last = std::max(last, value);
    }
    claims::Figure figure;
    figure.title = fmt::format("{} to {:.0e}: share of problems solved", law.name, bench.tolerance);
    figure.x_label = "time over that of the fastest";
    figure.y_label = "share of the problems";
    figure.log_x = true;
    for (const auto& [name, values] : by_solver) {
      claims::Curve curve;
      curve.name = name.substr(name.find('+') + 1);
      double share = 0.0;
      curve.add(1.0, 0.0);
      for (const double value : values) {
        if (!std::isfinite(value)) break;
        curve.add(value, share);
        share += 1.0 / static_cast<double>(values.size());
        curve.add(value, share);
      }
      curve.add(2.0 * last, share);
      figure.curves.push_back(std::move(curve));
    }
    list.push_back({law.name, std::move(figure)});
  }
  return list;
}

void print(const SolverBench& bench) {
  std::size_t wide = 7, broad = 11;
  for (const SolverRun& run : bench.runs) {
    wide = std::max(wide, run.problem.size());
    broad = std::max(broad, run.formulation.size());
  }
  fmt::print("{:<{}} {:>8}  {:<{}} {:<15} {:>9} {:>9} {:>10} {:>10}\n", "problem", wide, "contacts",
             "formulation", broad, "status", "error", "Coulomb", "iterations", "time ms");
  for (const SolverRun& run : bench.runs)
    fmt::print("{:<{}} {:>8}  {:<{}} {:<15} {:>9} {:>9} {:>10} {:>10.3f}\n", run.problem, wide, run.contacts,
               run.formulation, broad, run.status, number(run.error), number(run.coulomb), run.iterations,
               1e3 * run.seconds);
  fmt::print("\n{:<{}} {:>9} {:>9} {:>9} {:>12}\n", "formulation", broad, "solved", "Coulomb", "worst",
             "time ms");
  for (const Summary& s : summaries(bench))
    fmt::print("{:<{}} {:>9} {:>9} {:>9} {:>12.3f}\n", s.formulation, broad,
               fmt::format("{}/{}", s.solved, s.problems), s.coulomb, number(s.worst), 1e3 * s.seconds);
  fmt::print(
      "solved: the law of the formulation to {:g} in {:g} s; Coulomb: its law to {:g}; worst: largest error "
      "of an answer; time: of those solved\n",
      bench.tolerance, bench.limit_s, bench.tolerance);
}

nlohmann::json to_json(const SolverBench& bench) {
  nlohmann::json runs = nlohmann::json::array(), curves = nlohmann::json::array();
  for (const SolverRun& run : bench.runs)
    runs.push_back({{"problem", run.problem},
                    {"contacts", run.contacts},
                    {"formulation", run.formulation},
                    {"status", run.status},
                    {"holds", run.holds},
                    {"error", json_number(run.error)},
                    {"coulomb", json_number(run.coulomb)},
                    {"iterations", run.iterations},
                    {"time_s", run.seconds}});
  for (const Profile& profile : profiles(bench))
    for (const claims::Curve& curve : profile.figure.curves)
      curves.push_back({{"law", profile.name}, {"solver", curve.name}, {"tau", curve.x}, {"share", curve.y}});
  return {{"folder", bench.folder},
          {"tolerance", bench.tolerance},
          {"time_limit_s", bench.limit_s},
          {"runs", runs},
          {"profiles", curves}};
}

std::string to_html(const SolverBench& bench) {
  std::string totals, rows, plots;
  for (const Summary& s : summaries(bench))
    totals += fmt::format("<tr><td>{}</td><td>{} / {}</td><td>{}</td><td>{}</td><td>{:.3f}</td></tr>\n",
                          html_text(s.formulation), s.solved, s.problems, s.coulomb, number(s.worst),
                          1e3 * s.seconds);
  for (const SolverRun& run : bench.runs)
    rows += fmt::format(
        "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.3f}</td>"
        "</tr>\n",
        run.holds ? "" : " class=\"failed\"", html_text(run.problem), run.contacts,
        html_text(run.formulation), html_text(run.status), number(run.error), number(run.coulomb),
        run.iterations, 1e3 * run.seconds);
  for (const Profile& profile : profiles(bench)) plots += "<figure>" + profile.figure.svg() + "</figure>\n";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Solvers on {0}</title>\n"
      "<style>\nbody {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1240px; padding: "
      "0 1rem; color: #222; }}\ntable {{ border-collapse: collapse; font-size: 13px; font-variant-numeric: "
      "tabular-nums; }}\nth, td {{ padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #ddd; "
      "white-space: nowrap; }}\nth:first-child, td:first-child {{ text-align: left; }}\ntr.failed {{ color: "
      "#a22; }}\n.plots {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(540px, 1fr)); gap: "
      "1rem; }}\nfigure {{ margin: 0; }}\nsvg {{ max-width: 100%; height: auto; "
      "}}\n</style></head><body>\n<h1>Solvers on {0}</h1>\n<p>Tolerance {1:g} of the natural map, at most "
      "{2:g} s a problem. A profile shows the share of the problems that a solver solves in at most so many "
      "times the time of the fastest.</p>\n<div class=\"plots\">\n{3}</div>\n<h2>Formulations</h2>\n<table>"
      "<thead><tr><th>formulation</th><th>solved</th><th>to Coulomb's law</th><th>worst error</th><th>ms"
      "</th></tr></thead><tbody>\n{4}</tbody></table>\n<h2>Runs</h2>\n<table><thead><tr><th>problem</th><th>"
      "contacts</th><th>formulation</th><th>status</th><th>error</th><th>Coulomb</th><th>iterations</th><th>"
      "ms</th></tr></thead><tbody>\n{5}</tbody></table>\n</body></html>\n",
      html_text(bench.folder), bench.tolerance, bench.limit_s, plots, totals, rows);
}

}  // namespace stiction::solvers
