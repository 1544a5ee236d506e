#include "bench/claims/figure.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "bench/claims/claim.h"
#include "stiction/base/check.h"
#include "stiction/base/html_text.h"

namespace stiction::claims {
namespace {

constexpr double kWidth = 560, kHeight = 340;                                       // pixels
constexpr double kLeft = 78, kLegend = 150, kMargin = 20, kTop = 34, kBottom = 48;  // around the axes
constexpr const char* kColours[] = {"#1f6fb4", "#d1495b", "#2e8b57", "#c77d1e",
                                    "#7a4fa3", "#5b5b5b", "#0f8b8d", "#a03c78"};

struct Axis {
  bool is_log = false;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double begin = 0.0, length = 1.0;  // pixels

  bool shows(double value) const { return std::isfinite(value) && (!is_log || value > 0.0); }
  double scaled(double value) const { return is_log ? std::log10(value) : value; }
  void include(double value) {
    if (!shows(value)) return;
    low = std::min(low, scaled(value));
    high = std::max(high, scaled(value));
  }
  void finish() {
    if (!(low <= high)) low = 0.0, high = 1.0;
    const double least = is_log ? 0.5 : std::max(1e-12, 1e-6 * std::abs(high));
    if (high - low < least) low -= least, high += least;
    if (!is_log) {
      const double room = 0.05 * (high - low);
      low -= room;
      high += room;
    }
  }
  double at(double value) const { return begin + length * (scaled(value) - low) / (high - low); }

  std::vector<double> ticks() const {
    std::vector<double> values;
    if (is_log) {
      const int step = std::max(1, static_cast<int>(std::ceil((high - low) / 6.0)));
      for (int e = static_cast<int>(std::ceil(low - 1e-9)); e <= high + 1e-9; e += step)
        values.push_back(std::pow(10.0, e));
      return values;
    }
    const double raw = (high - low) / 5.0, power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = power * (raw / power < 2.0 ? 2.0 : raw / power < 5.0 ? 5.0 : 10.0);
    for (double v = std::ceil(low / step) * step; v <= high; v += step)
      values.push_back(std::abs(v) < 1e-9 * step ? 0.0 : v);
    return values;
  }
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     html_text(text));
}

// The beginning of a picture, with its title.
std::string head_of(const std::string& title) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
             "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{0}\" height=\"{1}\" "
             "fill=\"#ffffff\"/>\n",
             kWidth, kHeight) +
         text_at(kLeft, 20.0, "start", title);
}

// The lines and numbers of the vertical axis; x: the horizontal one.
std::string scale_of(const Axis& y, const Axis& x) {
  std::string out;
  for (const double value : y.ticks()) {
    const double at = y.at(value);
    out += fmt::format("<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"#dddddd\"/>\n", x.begin, at,
                       x.begin + x.length);
    out += text_at(x.begin - 5.0, at + 4.0, "end", fmt::format("{:.4g}", value));
  }
  return out;
}

// The two axes themselves and what they show.
std::string frame_of(const Axis& x, const Axis& y, const std::string& x_label, const std::string& y_label) {
  const double top = y.begin + y.length, right = x.begin + x.length;
  return fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#333333\"/>\n", x.begin,
                     top, y.begin, right) +
         text_at(0.5 * (x.begin + right), kHeight - 12.0, "middle", x_label) +
         fmt::format("<g transform=\"translate(14 {:.1f}) rotate(-90)\">{}</g>\n", 0.5 * (top + y.begin),
                     text_at(0.0, 0.0, "middle", y_label));
}

std::string rectangle(double left, double top, double width, double height, const char* colour) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                     left, top, width, height, colour);
}

// Points of a curve in pixels; at most four a column.
std::vector<std::pair<double, double>> thinned(const Curve& curve, const Axis& x, const Axis& y) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (x.shows(curve.x[i]) && y.shows(curve.y[i])) points.emplace_back(x.at(curve.x[i]), y.at(curve.y[i]));
  }
  constexpr std::size_t kFew = 400;
  if (points.size() <= kFew) return points;
  std::vector<std::pair<double, double>> kept;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin;
    while (end < points.size() && std::floor(points[end].first) == std::floor(points[begin].first)) ++end;
    const auto by_height = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto [lowest, highest] =
        std::minmax_element(points.begin() + begin, points.begin() + end, by_height);
    kept.push_back(std::min(*lowest, *highest));
    if (lowest != highest) kept.push_back(std::max(*lowest, *highest));
    begin = end;
  }
  return kept;
}

}  // namespace

std::string Figure::csv() const {
  std::string out = fmt::format("curve,{},{}\n", x_label, y_label);
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      out += fmt::format("{},{:.9g},{:.9g}\n", curve.name, curve.x[i], curve.y[i]);
  }
  return out;
}

std::string Figure::svg() const {
  Axis x{log_x}, y{log_y};
  for (const Curve& curve : curves) {
    for (const double value : curve.x) x.include(value);
    for (const double value : curve.y) y.include(value);
  }
  x.finish();
  y.finish();
  x.begin = kLeft;
  x.length = kWidth - kLeft - (has_legend ? kLegend : kMargin);
  y.begin = kHeight - kBottom;
  y.length = kTop + kBottom - kHeight;

  std::string out = head_of(title);
  const double right = x.begin + x.length, top = y.begin + y.length;
  for (const double value : x.ticks()) {
    const double at = x.at(value);
    out += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#dddddd\"/>\n", at, y.begin, top);
    out += text_at(at, y.begin + 15.0, "middle", fmt::format("{:g}", value));
  }
  out += scale_of(y, x);
  out += frame_of(x, y, x_label, y_label);

  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::string colour =
        curves[c].colour.empty() ? kColours[c % std::size(kColours)] : curves[c].colour;
    const auto points = thinned(curves[c], x, y);
    std::string path;
    for (const auto& [px, py] : points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', px, py);
    const char* dash = curves[c].is_dashed ? " stroke-dasharray=\"5 4\"" : "";
    if (!path.empty())
      out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"{}/>\n", path,
                         colour, dash);
    constexpr std::size_t kMarkers = 30;
    if (!curves[c].is_dashed && points.size() <= kMarkers) {
      for (const auto& [px, py] : points)
        out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" fill=\"{}\"/>\n", px, py, colour);
    }
    if (!has_legend) continue;
    const double legend = top + 8.0 + 16.0 * static_cast<double>(c);
    out += fmt::format("<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"1.4\"{}/>\n", right + 8.0,
                       legend, colour, dash);
    out += text_at(right + 30.0, legend + 4.0, "start", curves[c].name);
  }
  return out + "</svg>\n";
}

std::string Bars::csv() const {
  std::string out = fmt::format("series,group,{},low,high\n", y_label);
  for (const Series& one : series)
    for (std::size_t g = 0; g < groups.size(); ++g)
      out += fmt::format("{},{},{:.9g},{:.9g},{:.9g}\n", one.name, groups[g], one.bars[g].value,
                         one.bars[g].low, one.bars[g].high);
  return out;
}

std::string Bars::svg() const {
  Axis x, y;
  x.begin = kLeft;
  x.length = kWidth - kLeft - kLegend;
  y.begin = kHeight - kBottom;
  y.length = kTop + kBottom - kHeight;
  y.include(0.0);
  y.include(exact);
  for (const Series& one : series)
    for (const Bar& bar : one.bars) y.include(bar.high);
  y.finish();
  y.low = 0.0;  // bars stand on the axis

  std::string out = head_of(title) + scale_of(y, x);
  const double right = x.begin + x.length, top = y.begin + y.length;
  const double group_width = x.length / static_cast<double>(groups.size());
  const auto count = static_cast<double>(series.size());
  const double width = 0.7 * group_width / count;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double middle = x.begin + (static_cast<double>(g) + 0.5) * group_width;
    out += text_at(middle, y.begin + 15.0, "middle", groups[g]);
    for (std::size_t i = 0; i < series.size(); ++i) {
      const Bar& bar = series[i].bars[g];
      const double left = middle + (static_cast<double>(i) - 0.5 * count) * width, at = y.at(bar.value);
      out += rectangle(left, at, width, y.begin - at, kColours[i % std::size(kColours)]);
      if (bar.low < bar.high)
        out += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#333333\" stroke-width=\"1.4\"/>\n",
                           left + 0.5 * width, y.at(bar.low), y.at(bar.high));
      out += text_at(left + 0.5 * width, y.at(bar.high) - 4.0, "middle", fmt::format("{:.3g}", bar.value));
    }
  }
  out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#333333\" stroke-dasharray=\"5 4\"/>\n",
                     x.begin, y.at(exact), right);
  out += frame_of(x, y, "", y_label);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double legend = top + 8.0 + 16.0 * static_cast<double>(i);
    out += rectangle(right + 8.0, legend - 5.0, 18.0, 9.0, kColours[i % std::size(kColours)]);
    out += text_at(right + 30.0, legend + 4.0, "start", series[i].name);
  }
  return out + "</svg>\n";
}

void ClaimContext::save(const std::string& name, const Figure& figure) const {
  if (!folder_.empty()) save(name, figure.csv(), figure.svg());
}

void ClaimContext::save(const std::string& name, const Bars& bars) const {
  if (!folder_.empty()) save(name, bars.csv(), bars.svg());
}

void ClaimContext::save(const std::string& name, const std::string& csv, const std::string& svg) const {
  saved_->push_back(name);
  for (const auto& [ending, text] : {std::pair{".csv", &csv}, std::pair{".svg", &svg}}) {
    const std::string path = folder_ + "/" + name + ending;
    std::ofstream file(path);
    file << *text;
    file.close();
    STICTION_USER_CHECK(!file.fail(), "cannot write '{}'", path);
  }
}

void ClaimContext::check_stop() const {
  if (stop_ && stop_()) throw Stopped();
}

}  // namespace stiction::claims
