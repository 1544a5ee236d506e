#include "apps/cli/comparison.h"

#include <cstdio>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stiction::cli {
namespace {

struct Column {
  const char *name, *explanation;
  std::function<std::string(const Compared&)> text;
};

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"formulation", "law and solver", [](const Compared& c) { return c.formulation; }},
      {"us/step", "mean time of a whole step", [](const Compared& c) { return number("%.1f", c.step_us); }},
      {"us/solve", "of which the contact solver",
       [](const Compared& c) { return number("%.1f", c.solve_us); }},
      {"iterations", "mean and most of a step",
       [](const Compared& c) {
         return number("%.1f", c.mean_iterations) + " / " + std::to_string(c.most_iterations);
       }},
      {"unsolved", "steps above the solver's tolerance",
       [](const Compared& c) { return std::to_string(c.unsolved) + " of " + std::to_string(c.steps); }},
      {"momentum", "error of the balance of momentum, relative",
       [](const Compared& c) { return number("%.1e", c.momentum); }},
      {"cone", "forces outside the friction cone, relative",
       [](const Compared& c) { return number("%.1e", c.primal); }},
      {"dual", "velocities outside the dual cone, relative",
       [](const Compared& c) { return number("%.1e", c.dual); }},
      {"compl.", "complementarity of rigid Coulomb contact, relative",
       [](const Compared& c) { return number("%.1e", c.complementarity); }},
      {"Signorini", "normal force times separation, relative",
       [](const Compared& c) { return number("%.1e", c.signorini); }},
      {"dissipation", "power that friction falls short of, relative",
       [](const Compared& c) { return number("%.1e", c.dissipation); }},
      {"law", "how far forces are from those of the formulation's own law, relative",
       [](const Compared& c) { return number("%.1e", c.law); }},
      {"deepest mm", "largest overlap", [](const Compared& c) { return number("%.3g", 1e3 * c.deepest); }},
      {"drift mm", "mean distance from the reference",
       [](const Compared& c) { return number("%.3g", 1e3 * c.drift); }},
      {"end mm", "distance from the reference at the end",
       [](const Compared& c) { return number("%.3g", 1e3 * c.end_drift); }},
  };
  return all;
}

claims::Figure figure(const Comparison& comparison, const char* title, const char* y_label, bool is_log,
                      const std::function<const std::vector<double>&(const StepSeries&)>& values) {
  claims::Figure out;
  out.title = title;
  out.x_label = "time (s)";
  out.y_label = y_label;
  out.log_y = is_log;
  for (const Compared& row : comparison.rows) {
    claims::Curve curve;
    curve.name = row.formulation;
    const std::vector<double>& y = values(row.series);
    for (std::size_t i = 0; i < y.size(); ++i) curve.add(row.series.time[i], y[i]);
    out.curves.push_back(std::move(curve));
  }
  return out;
}

std::vector<claims::Figure> figures(const Comparison& c) {
  std::vector<claims::Figure> list;
  claims::Figure path;
  path.title = "Path of " + c.body + ", from above";
  path.x_label = "x (m)";
  path.y_label = "y (m)";
  for (const Compared& row : c.rows)
    path.curves.push_back({row.formulation, row.series.x, row.series.y, false});
  list.push_back(std::move(path));
  const std::string height = "Height of " + c.body;
  list.push_back(figure(
      c, height.c_str(), "z (m)", false, [](const StepSeries& s) -> const auto& { return s.z; }));
  list.push_back(figure(
      c, "Energy", "kinetic and potential (J)", false,
      [](const StepSeries& s) -> const auto& { return s.energy; }));
  list.push_back(figure(
      c, "Force of static bodies", "N", false, [](const StepSeries& s) -> const auto& { return s.force; }));
  list.push_back(figure(
      c, "Complementarity of rigid Coulomb contact", "relative", true,
      [](const StepSeries& s) -> const auto& { return s.residual; }));
  list.push_back(figure(
      c, "Iterations", "in a step", false, [](const StepSeries& s) -> const auto& { return s.iterations; }));
  return list;
}

}  // namespace

void print(const Comparison& comparison) {
  std::vector<std::size_t> widths;
  for (const Column& column : columns()) {
    std::size_t width = std::string(column.name).size();
    for (const Compared& row : comparison.rows) width = std::max(width, column.text(row).size());
    widths.push_back(width);
  }
  const auto line = [&](const std::function<std::string(const Column&)>& text) {
    std::string out;
    for (std::size_t i = 0; i < columns().size(); ++i) {
      const std::string cell = text(columns()[i]), space(widths[i] - cell.size(), ' ');
      out += (i == 0 ? cell + space : "  " + space + cell);
    }
    std::printf("%s\n", out.c_str());
  };
  std::printf("%s, %g s in steps of %g ms; reference: %s at %g ms\n", comparison.scene.c_str(),
              comparison.time, 1e3 * comparison.h, comparison.reference.c_str(),
              1e3 * comparison.reference_h);
  line([](const Column& column) { return std::string(column.name); });
  for (const Compared& row : comparison.rows) {
    line([&](const Column& column) { return column.text(row); });
    if (!row.failure.empty()) std::printf("  %s\n", row.failure.c_str());
  }
}

nlohmann::json to_json(const Comparison& comparison) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Compared& row : comparison.rows) {
    rows.push_back({{"formulation", row.formulation},
                    {"steps", row.steps},
                    {"unsolved_steps", row.unsolved},
                    {"step_us", row.step_us},
                    {"solve_us", row.solve_us},
                    {"iterations", {{"mean", row.mean_iterations}, {"max", row.most_iterations}}},
                    {"solver_residual", row.solver_residual},
                    {"residuals",
                     {{"momentum", row.momentum},
                      {"primal", row.primal},
                      {"dual", row.dual},
                      {"complementarity", row.complementarity},
                      {"signorini", row.signorini},
                      {"dissipation", row.dissipation},
                      {"law", row.law}}},
                    {"deepest_m", row.deepest},
                    {"drift_m", row.drift},
                    {"end_drift_m", row.end_drift},
                    {"series",
                     {{"time", row.series.time},
                      {"x", row.series.x},
                      {"y", row.series.y},
                      {"z", row.series.z},
                      {"energy", row.series.energy},
                      {"force", row.series.force},
                      {"residual", row.series.residual},
                      {"iterations", row.series.iterations}}}});
    if (!row.failure.empty()) rows.back()["failure"] = row.failure;
  }
  return {{"scene", comparison.scene},
          {"simulated_s", comparison.time},
          {"h", comparison.h},
          {"body", comparison.body},
          {"reference", {{"formulation", comparison.reference}, {"h", comparison.reference_h}}},
          {"rows", rows}};
}

std::string report_html(const Comparison& comparison) {
  std::string rows, head, notes;
  for (const Column& column : columns())
    head += fmt::format("<th title=\"{}\">{}</th>", column.explanation, column.name);
  for (const Compared& row : comparison.rows) {
    rows += "<tr>";
    for (const Column& column : columns())
      rows += fmt::format("<td>{}</td>", claims::escaped(column.text(row)));
    rows += "</tr>\n";
    if (!row.failure.empty())
      rows += fmt::format("<tr><td colspan=\"{}\" class=\"failed\">{}</td></tr>\n", columns().size(),
                          claims::escaped(row.failure));
  }
  for (const Column& column : columns())
    notes += fmt::format("<dt>{}</dt><dd>{}</dd>", column.name, column.explanation);
  std::string plots;
  for (const claims::Figure& one : figures(comparison)) plots += "<figure>" + one.svg() + "</figure>\n";
  // Inside another page: nothing here may change what is around it.
  constexpr const char* kStyle =
      ".comparison { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1240px; padding: 0 "
      "1rem; }\n"
      ".comparison table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; "
      "}\n"
      ".comparison th, .comparison td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid "
      "rgba(128, 128, 128, .35); white-space: nowrap; }\n"
      ".comparison th:first-child, .comparison td:first-child { text-align: left; }\n"
      ".comparison td.failed { color: #c33; text-align: left; }\n"
      ".comparison .scroll { overflow-x: auto; }\n"
      ".comparison .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(540px, 100%), "
      "1fr)); "
      "gap: 1rem; }\n"
      ".comparison figure { margin: 0; background: #fff; }\n"
      ".comparison svg { max-width: 100%; height: auto; }\n"
      ".comparison dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; font-size: "
      "13px; }\n"
      ".comparison dt { font-weight: 600; }\n"
      ".comparison dd { margin: 0; }\n";
  return fmt::format(
      "<style>\n{9}</style>\n<div class=\"comparison\">\n<h1>{0}</h1>\n<p>{1} s in steps of {2} ms. Drift is "
      "measured "
      "from {3} in steps of {4} ms. Errors are the largest of all steps, recomputed from the velocities and "
      "impulses "
      "that a solver returned.</p>\n<div "
      "class=\"scroll\"><table><thead><tr>{5}</tr></thead><tbody>\n{6}</tbody></"
      "table></div>\n<h2>Plots</h2>\n<div "
      "class=\"plots\">\n{7}</div>\n<h2>Columns</h2>\n<dl>{8}</dl>\n</div>\n",
      claims::escaped(comparison.scene), comparison.time, 1e3 * comparison.h,
      claims::escaped(comparison.reference), 1e3 * comparison.reference_h, head, rows, plots, notes, kStyle);
}

std::string to_html(const Comparison& comparison) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: formulations "
      "compared</title>\n<style>body {{ color: #222; }}</style></head><body>\n{1}</body></html>\n",
      claims::escaped(comparison.scene), report_html(comparison));
}

}  // namespace stiction::cli
