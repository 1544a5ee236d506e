#include <limits>

#include "stiction/io/scene_file/parts.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/overrides.h"

namespace stiction {

void read_simulation(const SceneSource& source, Scene* scene) {
  WorldOptions& options = scene->options;
  options.h = scene->model.elements.options.timestep;
  const std::optional<SceneTable> table = source.table("simulation");
  if (!table) return;
  if (const auto time = table->not_negative("time")) scene->time = *time;
  if (const auto h = table->positive("step")) options.h = *h;
  if (const auto name = table->text("scheme"))
    options.formulation.scheme = table->located("scheme", [&] { return &find_scheme(*name); });
  constexpr int kMostThreads = 1024;
  if (const auto threads = table->whole("threads", 0, kMostThreads)) scene->threads = *threads;
  if (const auto seed = table->whole("seed", 0, std::numeric_limits<int>::max()))
    options.sensor_noise = static_cast<std::uint64_t>(*seed);
  if (const auto gravity = table->vector("gravity")) set_gravity(*gravity, &scene->model);
}

void read_contact(const SceneSource& source, Scene* scene) {
  const std::optional<SceneTable> table = source.table("contact");
  if (!table) return;
  Formulation& f = scene->options.formulation;
  ContactOptions& contact = f.contact;
  if (const auto name = table->text("formulation"))
    table->located("formulation", [&] { set_formulation(*name, &contact); });
  const std::string elasticity = table->text("elasticity").value_or("");
  const std::string dissipation = table->text("dissipation").value_or("");
  table->located(elasticity.empty() ? "dissipation" : "elasticity",
                 [&] { set_forces(elasticity, dissipation, &contact); });
  contact.v_s = table->positive("stiction_tolerance").value_or(contact.v_s);
  contact.sigma = table->positive("sigma").value_or(contact.sigma);
  contact.beta = table->not_negative("beta").value_or(contact.beta);
  f.stiffness_step = table->positive("stiffness_step").value_or(f.stiffness_step);
  if (const auto tolerance = table->not_negative("tolerance")) set_tolerance(*tolerance, &f);
  f.dual.absolute_tolerance = table->not_negative("absolute_tolerance").value_or(f.dual.absolute_tolerance);
  if (const auto most = table->whole("max_iterations", 0, std::numeric_limits<int>::max()))
    set_max_iterations(*most, &f);
  if (const auto facets = table->whole("facets", 4, 1000)) {
    if (*facets % 2 != 0) table->fail("facets", format("'facets' must be even, not {}", *facets));
    f.dual.pyramid.facets = *facets;
  }
  f.dual.minimum_norm = table->flag("minimum_norm").value_or(false);
  f.dual.pyramid.is_inscribed = table->flag("inscribed").value_or(false);
  RigidOptions& rigid = contact.rigid;
  rigid.penetration_recovery =
      table->not_negative("penetration_recovery").value_or(rigid.penetration_recovery);
  rigid.fastest_recovery = table->not_negative("fastest_recovery").value_or(rigid.fastest_recovery);
  rigid.restitution_speed = table->not_negative("restitution_speed").value_or(rigid.restitution_speed);
  rigid.normal_compliance = table->not_negative("normal_compliance").value_or(rigid.normal_compliance);
  rigid.tangential_compliance =
      table->not_negative("tangential_compliance").value_or(rigid.tangential_compliance);
  if (const auto impedance = table->positive("impedance")) {
    if (*impedance >= 1.0)
      table->fail("impedance", format("'impedance' must be below 1, not {}", *impedance));
    rigid.impedance = *impedance;
  }
}

}  // namespace stiction
