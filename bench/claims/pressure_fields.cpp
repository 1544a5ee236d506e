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

// Drake's figures on the same scenes, by field_reference.py; empty if it cannot be run.
std::string beside_drake() {
  if (std::system((python() + " -c 'import pydrake' > /dev/null 2>&1").c_str()) != 0) return {};
  const std::string command =
      fmt::format("{} '{}/bench/claims/field_reference.py' 2> /dev/null", python(), STICTION_SOURCE_DIR);
  std::string text;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    char part[4096];
    while (const std::size_t size = std::fread(part, 1, sizeof part, pipe)) text.append(part, size);
    pclose(pipe);
  }
  const auto answer = nlohmann::json::parse(text, nullptr, false);
  if (answer.is_discarded()) return {};
  const auto number = [](const nlohmann::json& value) { return value.get<double>(); };
  std::string out = fmt::format("Drake {} on the same scenes: force over the exact one",
                                answer.at("version").get<std::string>());
  const auto& forces = answer.at("force");
  for (std::size_t i = 0; i < 2; ++i)
    out += fmt::format("{} {:.3f} at {} mm ({:.3f} to {:.3f} as the ball is turned)", i == 0 ? "" : ",",
                       number(forces.at(i).at(0)), i == 0 ? 1 : 5, number(forces.at(i).at(1)),
                       number(forces.at(i).at(2)));
  out += fmt::format("; rocking {:.3f}; cube", number(answer.at("rocking")));
  for (const auto& speed : answer.at("speeds")) out += fmt::format(" {:.1e}", number(speed));
  return out + " m/s";
}

}  // namespace

ClaimResult fields_in_closed_form(const ClaimContext& context) {
  const PressureField plane = rigid_field(collision_shape(HalfSpace{})),
                      ball = compliant_field(collision_shape(Sphere{kRadius}), kModulus),
                      cube = compliant_field(collision_shape(Box{Vec3::Constant(0.5 * kEdge)}), kModulus);
  bool holds = true;
  std::string forces;
  for (const double d : {1e-3, 5e-3}) {
    const double exact = std::numbers::pi * kModulus * d * d * (1.0 - 2.0 * d / (3.0 * kRadius));
    const double ratio = patch_of(plane, ball, kRadius - d).wrench()[5] / exact;
    forces += fmt::format("{}{:.12f} at {:g} mm", forces.empty() ? "" : ", ", ratio, 1e3 * d);
    holds = holds && std::abs(ratio - 1.0) < 0.03;
  }
  const double d = 1e-5, kappa = 2.0 * kModulus / kEdge;
  double rocking = 0.0;
  for (const PressurePoint& point : patch_of(plane, cube, 0.5 * kEdge - d).points)
    rocking += point.area * point.gradient * point.p.y() * point.p.y();
  rocking /= kappa * std::pow(kEdge, 4) / 12.0;
  holds = holds && std::abs(rocking - 1.0) < 0.01;
  std::string speeds;
  for (const double h : {1e-3, 5e-3, 1e-2, 2e-2}) {
    const double by_default = speed_at_rest(context, h, 1e-6), exact = speed_at_rest(context, h, 1e-10);
    speeds += fmt::format("{}{:.1e} ({:.1e}) m/s at h {:g} ms", speeds.empty() ? "" : ", ", exact, by_default,
                          1e3 * h);
    holds = holds && exact < 1e-9;
  }
  const std::string drake = beside_drake();
  return {fmt::format("force over the exact one {}; rocking stiffness {:.4f} of the exact one; cube at rest, "
                      "the solver's "
                      "tolerance 1e-10 (1e-6, the default): {}. {}",
                      forces, rocking, speeds, drake.empty() ? "Drake is not installed" : drake),
          holds};
}

}  // namespace stiction::claims
