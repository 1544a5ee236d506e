// A disc that rolls: as polygons, with contact points at the start of the step (Stewart and Trinkle's LCP),
// and as a disc, with those at its end (G sections 1 and 6.1).
//
// The paper has curves without numbers; the criteria here are numbers read from them.

#include <cmath>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/geometric.h"
#include "stiction/simulation/formulation.h"

namespace stiction::claims {
namespace {

constexpr double kEnd = 5.0;       // s
constexpr double kKinetic = 6.75;  // J, at the start
constexpr int kSides[] = {10, 30, 100, 300, 1000, 3000};

double kinetic_energy(const World& world) {
  const double x = world.velocity("x"), z = world.velocity("z"), turn = world.velocity("turn");
  return 0.5 * (x * x + z * z) + 0.25 * turn * turn;
}

Curve roll(const ClaimContext& context, const Model& model, const std::string& formulation, double h,
           const std::string& name) {
  WorldOptions options;
  options.h = h;
  set_formulation(formulation, &options.formulation.contact);
  World world(model, options);
  Curve curve{name, {}, {}};
  curve.add(0.0, kKinetic);
  run_until(context, kEnd, &world,
            [&](const StepReport&) { curve.add(world.time(), kinetic_energy(world)); });
  return curve;
}

}  // namespace

ClaimResult rolling_polygons(const ClaimContext& context) {
  // As the vertices grow many.
  Figure by_sides{"Kinetic energy of a rolling disc, h 0.01 s", "t (s)", "energy (J)", false, false, {}};
  std::vector<double> left;  // J
  for (const int sides : kSides) {
    by_sides.curves.push_back(roll(context, scenes::rolling_polygon(sides), "pyramid_lcp+lemke", 0.01,
                                   fmt::format("{} vertices", sides)));
    left.push_back(by_sides.curves.back().y.back());
  }
  by_sides.curves.push_back(roll(context, scenes::rolling_disc(), "geometric_ncp", 0.01, "implicit disc"));
  double lost = 0.0;
  for (const double energy : by_sides.curves.back().y) lost = std::max(lost, std::abs(energy - kKinetic));
  const double limit = std::abs(left[left.size() - 1] - left[left.size() - 2]);
  const bool grows = left.back() > left.front();

  // As the step falls.
  Figure by_step{"Kinetic energy of 1000 rolling vertices", "t (s)", "energy (J)", false, false, {}};
  std::vector<double> of_step;
  for (const double h : {1e-2, 5e-3, 1e-3, 5e-4}) {
    by_step.curves.push_back(
        roll(context, scenes::rolling_polygon(1000), "pyramid_lcp+lemke", h, fmt::format("h {} s", h)));
    of_step.push_back(by_step.curves.back().y.back());
  }
  bool is_monotone = true;
  for (std::size_t i = 1; i < of_step.size(); ++i) is_monotone = is_monotone && of_step[i] >= of_step[i - 1];
  context.save("G1", by_sides);
  context.save("G1_steps", by_step);
  std::string numbers;
  for (std::size_t i = 0; i < left.size(); ++i)
    numbers += fmt::format("{}{}: {:.3f}", i == 0 ? "" : ", ", kSides[i], left[i]);
  std::string steps;
  for (const double energy : of_step) steps += fmt::format("{}{:.4f}", steps.empty() ? "" : ", ", energy);
  return {
      fmt::format("of {} J after {} s, vertices: J left {}; 1000 vertices at h 0.01, 0.005, 0.001, 0.0005: "
                  "{} J; the last two numbers of vertices differ by {:.1e} J; implicit disc within {:.1e} J. "
                  "The paper's curve is a picture: its limit is not compared",
                  kKinetic, kEnd, numbers, steps, limit, lost),
      grows && is_monotone && lost < 1e-6};
}

}  // namespace stiction::claims
