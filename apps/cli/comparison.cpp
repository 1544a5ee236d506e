#include "apps/cli/comparison.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/viewer/stage.h"
#include "stiction/base/html_text.h"

namespace stiction::cli {
namespace {

struct Column {
  const char *name, *explanation;
  std::function<std::string(const Compared&)> text;
  bool is_residual = false;     // shown on demand
  bool is_of_reference = true;  // the reference has it too
};

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// The largest of all pairs, m.
double largest(const Compared& row, double PairMotion::*member) {
  double most = 0.0;
  for (const PairMotion& pair : row.pairs) most = std::max(most, pair.*member);
  return most;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"formulation", "law and solver", [](const Compared& c) { return c.formulation; }},
      {"us/step", "mean time of a whole step", [](const Compared& c) { return number("%.1f", c.step_us); }},
      {"unsolved", "steps above the solver's tolerance",
       [](const Compared& c) { return std::to_string(c.unsolved) + " of " + std::to_string(c.steps); }},
      {"slip mm",
       "path of two surfaces along each other while they touch or almost do, of the pair that slips most",
       [](const Compared& c) { return number("%.4g", 1e3 * largest(c, &PairMotion::slip)); }},
      {"lift mm", "largest gap of two surfaces at the end of a step in which they still press",
       [](const Compared& c) { return number("%.3g", 1e3 * largest(c, &PairMotion::lift)); }},
      {"deepest mm", "largest overlap", [](const Compared& c) { return number("%.3g", 1e3 * c.deepest); }},
      {"energy J", "kinetic and potential energy at the end less that at the start",
       [](const Compared& c) { return number("%.4g", c.energy); }},
      {"drift mm", "mean distance from the reference",
       [](const Compared& c) { return number("%.3g", 1e3 * c.drift); }, false, false},
      {"end mm", "distance from the reference at the end",
       [](const Compared& c) { return number("%.3g", 1e3 * c.end_drift); }, false, false},
      {"us/solve", "time of a step in the contact solver",
       [](const Compared& c) { return number("%.1f", c.solve_us); }, true},
      {"iterations", "mean and most of a step",
       [](const Compared& c) {
         return number("%.1f", c.mean_iterations) + " / " + std::to_string(c.most_iterations);
       },
       true},
      {"momentum", "error of the balance of momentum, relative",
       [](const Compared& c) { return number("%.1e", c.momentum); }, true, false},
      {"cone", "forces outside the friction cone, relative",
       [](const Compared& c) { return number("%.1e", c.primal); }, true, false},
      {"dual", "velocities outside the dual cone, relative",
       [](const Compared& c) { return number("%.1e", c.dual); }, true, false},
      {"compl.", "complementarity of rigid Coulomb contact, relative",
       [](const Compared& c) { return number("%.1e", c.complementarity); }, true, false},
      {"Signorini", "normal force times separation, relative",
       [](const Compared& c) { return number("%.1e", c.signorini); }, true, false},
      {"dissipation", "power that friction falls short of, relative",
       [](const Compared& c) { return number("%.1e", c.dissipation); }, true, false},
      {"law", "how far forces are from those of the formulation's own law, relative",
       [](const Compared& c) { return number("%.1e", c.law); }, true, false},
  };
  return all;
}

// The columns of one of the two tables, each with the names of the formulations.
std::vector<Column> columns_of(bool are_residuals) {
  std::vector<Column> shown = {columns().front()};
  for (std::size_t c = 1; c < columns().size(); ++c)
    if (columns()[c].is_residual == are_residuals) shown.push_back(columns()[c]);
  return shown;
}

std::string reference_name(const Comparison& comparison) {
  return fmt::format("{} at {:g} ms (reference)", comparison.reference.formulation,
                     1e3 * comparison.reference_h);
}

// What a column says of the reference.
std::string text_of_reference(const Column& column, const Comparison& comparison) {
  if (std::string_view(column.name) == "formulation") return reference_name(comparison);
  return column.is_of_reference ? column.text(comparison.reference) : "";
}

// The table of slip: a row for each pair, a column for each formulation and the reference. Pairs that slip most come
// first, and not too many.
struct PairTable {
  std::vector<std::size_t> pairs;  // in Comparison::pairs
  std::size_t left_out = 0;
};

PairTable pair_table(const Comparison& comparison, std::size_t most) {
  PairTable table;
  const auto slip = [&](std::size_t pair) {
    double sum = comparison.reference.pairs[pair].slip;
    for (const Compared& row : comparison.rows) sum = std::max(sum, row.pairs[pair].slip);
    return sum;
  };
  for (std::size_t pair = 0; pair < comparison.pairs.size(); ++pair) table.pairs.push_back(pair);
  std::stable_sort(table.pairs.begin(), table.pairs.end(),
                   [&](std::size_t a, std::size_t b) { return slip(a) > slip(b); });
  table.left_out = table.pairs.size() - std::min(most, table.pairs.size());
  table.pairs.resize(table.pairs.size() - table.left_out);
  return table;
}

std::string motion_text(const PairMotion& motion) {
  return number("%.4g", 1e3 * motion.slip) + " / " + number("%.3g", 1e3 * motion.lift);
}

claims::Figure figure(const Comparison& comparison, const char* title, const char* y_label, bool is_log,
                      const std::function<const std::vector<double>&(const StepSeries&)>& values) {
  claims::Figure out;
  out.title = title;
  out.x_label = "time (s)";
  out.y_label = y_label;
  out.log_y = is_log;
  out.has_legend = false;
  for (std::size_t k = 0; k < comparison.rows.size(); ++k) {
    const Compared& row = comparison.rows[k];
    claims::Curve curve;
    curve.name = row.formulation;
    curve.colour = viewer::track_colour(k);
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
  path.has_legend = false;
  for (std::size_t k = 0; k < c.rows.size(); ++k)
    path.curves.push_back(
        {c.rows[k].formulation, c.rows[k].series.x, c.rows[k].series.y, false, viewer::track_colour(k)});
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

namespace {

// Rows of cells as columns of text, the first one to the left, the others to the right.
void print_cells(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - row[i].size(), ' ');
      line += i == 0 ? row[i] + space : "  " + space + row[i];
    }
    std::printf("%s\n", line.c_str());
  }
}

void print_pairs(const Comparison& comparison) {
  constexpr std::size_t kMostLines = 10;
  if (comparison.pairs.empty()) return;
  const PairTable table = pair_table(comparison, kMostLines);
  std::printf("\nslip / lift of each pair, mm\n");
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const Compared& row : comparison.rows) rows[0].push_back(row.formulation);
  rows[0].push_back("reference");
  for (const std::size_t pair : table.pairs) {
    rows.push_back({comparison.pairs[pair]});
    for (const Compared& row : comparison.rows) rows.back().push_back(motion_text(row.pairs[pair]));
    rows.back().push_back(motion_text(comparison.reference.pairs[pair]));
  }
  print_cells(rows);
  if (table.left_out > 0) std::printf("and %zu pairs that slip less (--json has all)\n", table.left_out);
}

void print_table(const Comparison& comparison, bool of_residuals) {
  std::vector<std::vector<std::string>> rows(2 + comparison.rows.size());
  for (const Column& column : columns_of(of_residuals)) {
    rows.front().emplace_back(column.name);
    for (std::size_t k = 0; k < comparison.rows.size(); ++k)
      rows[k + 1].push_back(column.text(comparison.rows[k]));
    rows.back().push_back(text_of_reference(column, comparison));
  }
  print_cells(rows);
}

}  // namespace

void print(const Comparison& comparison) {
  std::printf("%s, %g s in steps of %g ms; reference: %s at %g ms\n", comparison.scene.c_str(),
              comparison.time, 1e3 * comparison.h, comparison.reference.formulation.c_str(),
              1e3 * comparison.reference_h);
  print_table(comparison, false);
  for (const Compared& row : comparison.rows)
    if (!row.failure.empty()) std::printf("%s: %s\n", row.formulation.c_str(), row.failure.c_str());
  print_pairs(comparison);
  if (!comparison.has_residuals) return;
  std::printf("\n");
  print_table(comparison, true);
}

namespace {

nlohmann::json pairs_json(const Comparison& comparison, const Compared& row) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t pair = 0; pair < row.pairs.size(); ++pair)
    list.push_back({{"bodies", comparison.pairs[pair]},
                    {"slip_m", row.pairs[pair].slip},
                    {"lift_m", row.pairs[pair].lift}});
  return list;
}

}  // namespace

nlohmann::json to_json(const Comparison& comparison) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Compared& row : comparison.rows) {
    rows.push_back({{"formulation", row.formulation},
                    {"stiffness_step", row.stiffness_step},
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
                    {"slip_m", largest(row, &PairMotion::slip)},
                    {"lift_m", largest(row, &PairMotion::lift)},
                    {"energy_change_J", row.energy},
                    {"pairs", pairs_json(comparison, row)},
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
          {"reference",
           {{"formulation", comparison.reference.formulation},
            {"h", comparison.reference_h},
            {"stiffness_step", comparison.reference.stiffness_step},
            {"steps", comparison.reference.steps},
            {"unsolved_steps", comparison.reference.unsolved},
            {"deepest_m", comparison.reference.deepest},
            {"slip_m", largest(comparison.reference, &PairMotion::slip)},
            {"lift_m", largest(comparison.reference, &PairMotion::lift)},
            {"energy_change_J", comparison.reference.energy},
            {"pairs", pairs_json(comparison, comparison.reference)}}},
          {"rows", rows}};
}

namespace {

std::string swatch(std::size_t row) {
  return fmt::format("<i class=\"swatch\" style=\"background:{}\"></i>", viewer::track_colour(row));
}

// A table of all formulations, and the reference below them.
std::string table_html(const Comparison& comparison, bool of_residuals) {
  const std::vector<Column> shown = columns_of(of_residuals);
  std::string head, rows;
  for (const Column& column : shown)
    head += fmt::format("<th title=\"{}\">{}</th>", column.explanation, column.name);
  for (std::size_t k = 0; k < comparison.rows.size(); ++k) {
    const Compared& row = comparison.rows[k];
    rows += "<tr>";
    for (std::size_t c = 0; c < shown.size(); ++c)
      rows += fmt::format("<td>{}{}</td>", c == 0 ? swatch(k) : "", html_text(shown[c].text(row)));
    rows += "</tr>\n";
    if (!row.failure.empty())
      rows += fmt::format("<tr><td colspan=\"{}\" class=\"failed\">{}</td></tr>\n", shown.size(),
                          html_text(row.failure));
  }
  rows += "<tr class=\"reference\">";
  for (const Column& column : shown)
    rows += fmt::format("<td>{}</td>", html_text(text_of_reference(column, comparison)));
  rows += "</tr>\n";
  return fmt::format(
      "<div class=\"scroll\"><table class=\"answers\"><thead><tr>{}</tr></thead><tbody>\n{}</tbody></"
      "table></div>\n",
      head, rows);
}

// Slip and lift of every pair of bodies; a row for each formulation where pairs are few, so that it fits the page.
std::string pairs_html(const Comparison& comparison) {
  constexpr std::size_t kMostRows = 40;
  if (comparison.pairs.empty()) return {};
  const PairTable table = pair_table(comparison, kMostRows);
  std::string head, rows;
  for (std::size_t k = 0; k < comparison.rows.size(); ++k)
    head += fmt::format("<th>{}{}</th>", swatch(k), html_text(comparison.rows[k].formulation));
  for (const std::size_t pair : table.pairs) {
    rows += fmt::format("<tr><td>{}</td>", html_text(comparison.pairs[pair]));
    for (const Compared& row : comparison.rows)
      rows += fmt::format("<td>{}</td>", motion_text(row.pairs[pair]));
    rows += fmt::format("<td>{}</td></tr>\n", motion_text(comparison.reference.pairs[pair]));
  }
  const std::string rest = table.left_out > 0
                               ? fmt::format("<p>and {} pairs that slip less</p>\n", table.left_out)
                               : std::string();
  return fmt::format(
      "<h2>Slip / lift of each pair, mm</h2>\n<div class=\"scroll\"><table class=\"pairs\"><thead><tr>"
      "<th></th>{}<th>reference</th></tr></thead><tbody>\n{}</tbody></table></div>\n{}",
      head, rows, rest);
}

}  // namespace

std::string report_html(const Comparison& comparison) {
  std::string notes, plots, legend;
  for (const bool of_residuals : {false, true}) {
    if (of_residuals && !comparison.has_residuals) continue;
    const std::vector<Column> shown = columns_of(of_residuals);
    for (std::size_t c = of_residuals ? 1 : 0; c < shown.size(); ++c)
      notes += fmt::format("<dt>{}</dt><dd>{}</dd>", shown[c].name, shown[c].explanation);
  }
  for (const claims::Figure& one : figures(comparison)) plots += "<figure>" + one.svg() + "</figure>\n";
  for (std::size_t k = 0; k < comparison.rows.size(); ++k)
    legend += fmt::format("<span>{}{}</span> ", swatch(k), html_text(comparison.rows[k].formulation));
  // Inside another page: nothing here may change what is around it.
  constexpr const char* kStyle =
      ".comparison { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1360px; padding: 0 "
      "1rem; box-sizing: border-box; }\n"
      ".comparison table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; "
      "}\n"
      ".comparison th, .comparison td { padding: .3rem .4rem; text-align: right; vertical-align: bottom; "
      "border-bottom: 1px solid rgba(128, 128, 128, .35); white-space: nowrap; }\n"
      ".comparison .pairs th { white-space: normal; overflow-wrap: anywhere; }\n"
      ".comparison th:first-child, .comparison td:first-child { text-align: left; }\n"
      ".comparison td.failed { color: #c33; text-align: left; }\n"
      ".comparison tr.reference td { opacity: .75; }\n"
      ".comparison tr.reference td:first-child { white-space: normal; }\n"
      ".comparison .swatch { display: inline-block; width: .7em; height: .7em; margin-right: .45em; "
      "border-radius: 2px; }\n"
      ".comparison .legend span { margin-right: 1.2em; white-space: nowrap; }\n"
      ".comparison .scroll { overflow-x: auto; }\n"
      ".comparison .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(540px, 100%), "
      "1fr)); "
      "gap: 1rem; }\n"
      ".comparison figure { margin: 0; background: #fff; }\n"
      ".comparison svg { width: 100%; height: auto; }\n"
      ".comparison dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; font-size: "
      "13px; }\n"
      ".comparison dt { font-weight: 600; }\n"
      ".comparison dd { margin: 0; }\n";
  const std::string errors = comparison.has_residuals ? "<h2>Errors</h2>\n<p>The largest of all steps, "
                                                        "recomputed from the velocities and impulses that a "
                                                        "solver returned.</p>\n" +
                                                            table_html(comparison, true)
                                                      : "";
  return fmt::format(
      "<style>\n{0}</style>\n<div class=\"comparison\">\n<h1>{1}</h1>\n<p>{2:g} s in steps of {3:g} ms. "
      "Drift is "
      "measured from {4} in steps of {5:g} ms.</p>\n{6}{7}{8}<h2>Plots</h2>\n<p "
      "class=\"legend\">{9}</p>\n<div "
      "class=\"plots\">\n{10}</div>\n<h2>Columns</h2>\n<dl>{11}</dl>\n</div>\n",
      kStyle, html_text(comparison.scene), comparison.time, 1e3 * comparison.h,
      html_text(comparison.reference.formulation), 1e3 * comparison.reference_h,
      table_html(comparison, false), pairs_html(comparison), errors, legend, plots, notes);
}

std::string to_html(const Comparison& comparison) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: formulations "
      "compared</title>\n<style>body {{ color: #222; }}</style></head><body>\n{1}</body></html>\n",
      html_text(comparison.scene), report_html(comparison));
}

}  // namespace stiction::cli
