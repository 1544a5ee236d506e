#pragma once
// Small plots, of curves and of bars: written as a table of numbers (CSV) and as a picture (SVG).

#include <string>
#include <vector>

namespace stiction::claims {

struct Curve {
  std::string name;
  std::vector<double> x, y;
  bool is_dashed = false;   // a reference
  std::string colour = {};  // "#rrggbb"; empty: by its place in the figure

  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

struct Figure {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Curve> curves = {};
  bool has_legend = true;  // false: what is around it says which curve is whose

  // One line per point: curve, x, y.
  std::string csv() const;
  // Long curves are thinned out to the lowest and highest value of every column of pixels.
  std::string svg() const;
};

// Bars side by side, one of every series in every group.
struct Bars {
  struct Bar {
    double value = 0.0;
    double low = value, high = value;  // of what the value is the mean of; alike: no line is drawn
  };
  struct Series {
    std::string name;
    std::vector<Bar> bars;  // by group
  };
  std::string title, y_label;
  double exact = 0.0;  // what they should be, a dashed line
  std::vector<std::string> groups;
  std::vector<Series> series = {};

  // One line per bar: series, group, value, low, high.
  std::string csv() const;
  std::string svg() const;
};

}  // namespace stiction::claims
