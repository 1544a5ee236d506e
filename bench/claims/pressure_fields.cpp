// Pressure fields against their closed forms (docs/models/pressure_fields.md).

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/claims/conic.h"
#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::claims {
namespace {

constexpr double kModulus = 1e7, kRadius = 0.05, kEdge = 0.1;  // Pa, m, m

PressurePatch patch_of(const PressureField& A, const PressureField& B, double z) {
  PressureWorkspace workspace;
  PressurePatch patch;
  find_pressure_patch(A, {}, B, translation(0, 0, z), {}, &workspace, &patch);
  return patch;
}

// m/s: of a cube of 1 kg that was dropped by 2 mm, tilted by 0.01 rad, three seconds before.
double speed_at_rest(const ClaimContext& context, double h, double tolerance) {
  ModelBuilder builder("cube");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  const Mat3 tilt = Eigen::AngleAxisd(0.01, Vec3(1.0, 0.3, 0.0).normalized()).toRotationMatrix();
  builder.add_free_body("cube", {tilt, Vec3(0, 0, 0.5 * kEdge + 2e-3)}, Inertia{});
  builder.add_solid("cube", "cube", {}, Box{Vec3::Constant(0.5 * kEdge)}, 1000.0);
  ContactMaterial material;
  material.pressure_modulus = kModulus;
  builder.set_material("cube", material);
  WorldOptions options = with_law(LawKind::icf_lagged, h);
  set_tolerance(tolerance, &options.formulation);
  World world(builder.build(), options);
  run_until(context, 3.0, &world);
  return world.body_velocity("cube").tail<3>().norm();
}

// Drake's figures on the same scenes, by field_reference.py.
struct DrakeFields {
  std::string text = "Drake is not installed";
  std::vector<Bars::Bar> bars;  // force over the exact one at 1 and 5 mm, rocking; empty: it cannot be run
};
DrakeFields beside_drake() {
  DrakeFields out;
  if (std::system((python() + " -c 'import pydrake' > /dev/null 2>&1").c_str()) != 0) return out;
  const std::string command =
      fmt::format("{} '{}/bench/claims/field_reference.py' 2> /dev/null", python(), STICTION_SOURCE_DIR);
  std::string text;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    char part[4096];
    while (const std::size_t size = std::fread(part, 1, sizeof part, pipe)) text.append(part, size);
    pclose(pipe);
  }
  const auto answer = nlohmann::json::parse(text, nullptr, false);
  if (answer.is_discarded()) {
    out.text = "field_reference.py failed";
    return out;
  }
  const auto number = [](const nlohmann::json& value) { return value.get<double>(); };
  out.text = fmt::format("Drake {} on the same scenes: force over the exact one",
                         answer.at("version").get<std::string>());
  for (const char* depth : {"1 mm", "5 mm"}) {
    const auto& force = answer.at("force").at(out.bars.size());
    out.bars.push_back({number(force.at(0)), number(force.at(1)), number(force.at(2))});
    const Bars::Bar& bar = out.bars.back();
    out.text += fmt::format("{} {:.3f} at {} ({:.3f} to {:.3f} as the ball is turned)",
                            out.bars.size() == 1 ? "" : ",", bar.value, depth, bar.low, bar.high);
  }
  const double rocking = number(answer.at("rocking"));
  out.bars.push_back({rocking, rocking, rocking});
  out.text += fmt::format("; rocking {:.3f}; cube", rocking);
  for (const auto& speed : answer.at("speeds")) out.text += fmt::format(" {:.1e}", number(speed));
  out.text += " m/s";
  return out;
}

}  // namespace

ClaimResult fields_in_closed_form(const ClaimContext& context) {
  const PressureField plane = rigid_field(collision_shape(HalfSpace{})),
                      ball = compliant_field(collision_shape(Sphere{kRadius}), kModulus),
                      cube = compliant_field(collision_shape(Box{Vec3::Constant(0.5 * kEdge)}), kModulus);
  constexpr double kDefault = 1e-6, kExact = 1e-10;  // tolerances of the solver
  constexpr double kAtRest = 1e-9;                   // m/s
  bool holds = true;
  std::string forces;
  std::vector<Bars::Bar> bars;
  for (const double d : {1e-3, 5e-3}) {
    const double exact = std::numbers::pi * kModulus * d * d * (1.0 - 2.0 * d / (3.0 * kRadius));
    const double ratio = patch_of(plane, ball, kRadius - d).wrench()[5] / exact;
    forces += fmt::format("{}{:.12f} at {:g} mm", forces.empty() ? "" : ", ", ratio, 1e3 * d);
    bars.push_back({ratio, ratio, ratio});
    holds = holds && std::abs(ratio - 1.0) < 0.03;
  }
  const double d = 1e-5, kappa = 2.0 * kModulus / kEdge;
  double rocking = 0.0;
  for (const PressurePoint& point : patch_of(plane, cube, 0.5 * kEdge - d).points)
    rocking += point.area * point.gradient * point.p.y() * point.p.y();
  rocking /= kappa * std::pow(kEdge, 4) / 12.0;
  bars.push_back({rocking, rocking, rocking});
  holds = holds && std::abs(rocking - 1.0) < 0.01;
  std::string speeds, by_default, above;
  for (const double h : {1e-3, 5e-3, 1e-2, 2e-2}) {
    const double exact = speed_at_rest(context, h, kExact), usual = speed_at_rest(context, h, kDefault);
    speeds += fmt::format("{}{:.1e} m/s at h {:g} ms", speeds.empty() ? "" : ", ", exact, 1e3 * h);
    by_default += fmt::format("{}{:.1e}", by_default.empty() ? "" : ", ", usual);
    if (!(usual < kAtRest)) above += fmt::format("{}{:g} ms", above.empty() ? "" : ", ", 1e3 * h);
    holds = holds && exact < kAtRest;
  }
  constexpr double kGravity = 9.81, kFinest = 1e-3;  // m/s^2, s
  const DrakeFields drake = beside_drake();
  Bars figure{"Pressure fields: force and rocking stiffness over the exact ones",
              "over the exact one",
              1.0,
              {"force, 1 mm deep", "force, 5 mm deep", "rocking"}};
  figure.series.push_back({"ours", bars});
  if (!drake.bars.empty()) figure.series.push_back({"Drake, default mesh", drake.bars});
  context.save("B4", figure);
  return {
      fmt::format(
          "force over the exact one {}; rocking stiffness {:.4f} of the exact one; cube at rest, judged with "
          "the solver's tolerance at {:g}: {}; by the default tolerance, {:g}, which is not judged: {} m/s{} "
          "(it lets a step end with {:g} of the momentum of the weight, {:g} g h = {:.0e} m/s at h 1 ms). {}",
          forces, rocking, kExact, speeds, kDefault, by_default,
          above.empty() ? "" : fmt::format(", above {:g} m/s at h {}", kAtRest, above), kDefault, kDefault,
          kDefault * kGravity * kFinest, drake.text),
      holds};
}

}  // namespace stiction::claims
