#include "stiction/io/recording/formulation_json.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/base/renamed_keys.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/formulation.h"

namespace stiction {
namespace {

using Json = nlohmann::ordered_json;

// Keys that had another name in recordings of version 1.
constexpr RenamedKey kRenamedKeys[] = {{"", "push_out", "penetration_recovery"},
                                       {"", "fastest_push_out", "fastest_recovery"}};

// Keys that recordings made before they were there do not have: the number is then the default.
constexpr std::string_view kLaterKeys[] = {
    "dual_absolute_tolerance", "minimum_norm",   "most_choices",
    "relaxation_time",         "stiffness_step", "material_compliance"};

// The numbers, one list for writing and reading. Scheme, law, solver and the laws of force are written by
// name.
template <class Visit, class F>
void fields(const Visit& f, F& x) {
  f("finds_contacts", x.finds_contacts);
  f("stiffness_step", x.stiffness_step);
  f("v_s", x.contact.v_s);
  f("sigma", x.contact.sigma);
  f("beta", x.contact.beta);
  f("penetration_recovery", x.contact.rigid.penetration_recovery);
  f("fastest_recovery", x.contact.rigid.fastest_recovery);
  f("restitution_speed", x.contact.rigid.restitution_speed);
  f("normal_compliance", x.contact.rigid.normal_compliance);
  f("tangential_compliance", x.contact.rigid.tangential_compliance);
  f("impedance", x.contact.rigid.impedance);
  f("material_compliance", x.contact.rigid.material_compliance);
  f("constraint_beta", x.constraints.beta);
  f("minimum_period", x.constraints.minimum_period);
  f("relaxation_time", x.constraints.relaxation_time);
  f("relative_tolerance", x.newton.relative_tolerance);
  f("absolute_tolerance", x.newton.absolute_tolerance);
  f("max_iterations", x.newton.max_iterations);
  f("full_steps", x.newton.full_steps);
  f("line_search", x.newton.line_search);
  f("linear_solver", x.newton.linear_solver);
  f("reuse_factor", x.newton.reuse_factor);
  f("use_islands", x.newton.use_islands);
  f("dual_tolerance", x.dual.tolerance);
  f("dual_absolute_tolerance", x.dual.absolute_tolerance);
  f("dual_max_iterations", x.dual.max_iterations);
  f("relaxation", x.dual.relaxation);
  f("accelerates", x.dual.accelerates);
  f("minimum_norm", x.dual.minimum_norm);
  f("uses_delassus", x.dual.uses_delassus);
  f("facets", x.dual.pyramid.facets);
  f("is_inscribed", x.dual.pyramid.is_inscribed);
  f("geometric_tolerance", x.geometric.tolerance);
  f("geometric_max_iterations", x.geometric.max_iterations);
  f("most_halvings", x.geometric.most_halvings);
  f("most_choices", x.geometric.most_choices);
}

// JSON has no infinities.
Json json_of(double value) {
  if (std::isfinite(value)) return value;
  return value > 0.0 ? "inf" : value < 0.0 ? "-inf" : "nan";
}

double number_of(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

Json json_of(const Mat3& matrix) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < matrix.size(); ++i) list.push_back(json_of(matrix.data()[i]));
  return list;
}

Mat3 matrix_of(const Json& json) {
  Mat3 matrix;
  for (Eigen::Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = number_of(json.at(static_cast<std::size_t>(i)));
  return matrix;
}

}  // namespace

std::string formulation_to_json(const Formulation& formulation) {
  Json json = {{"scheme", formulation.scheme->name()},
               {"formulation", formulation_name(formulation.contact)},
               {"elasticity", name_of(formulation.contact.elasticity)},
               {"dissipation", name_of(formulation.contact.dissipation)}};
  fields(
      [&](const char* key, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, double>) {
          json[key] = json_of(value);
        } else if constexpr (std::is_enum_v<T>) {
          json[key] = static_cast<int>(value);
        } else {
          json[key] = value;
        }
      },
      formulation);
  json["layers"] = Json::array();
  for (const QuasiRigidLayer& layer : formulation.geometric.layers)
    json["layers"].push_back({{"shape", layer.shape},
                              {"K", json_of(layer.K)},
                              {"C", json_of(layer.C)},
                              {"max_deflection", json_of(layer.max_deflection)}});
  return json.dump();
}

Formulation formulation_from_json(std::string_view text, const std::string& file) {
  Formulation formulation;
  const char* at = "";
  try {
    Json json = Json::parse(text);
    OldKeys old_keys(kRenamedKeys);
    rename_old_keys(file, &json, &old_keys);
    const auto word = [&](const char* key) {
      at = key;
      return json.at(key).get<std::string>();
    };
    formulation.scheme = &find_scheme(word("scheme"));
    set_formulation(word("formulation"), &formulation.contact);
    set_elasticity(word("elasticity"), &formulation.contact);
    set_dissipation(word("dissipation"), &formulation.contact);
    at = "layers";
    for (const Json& entry : json.at("layers")) {
      QuasiRigidLayer layer;
      layer.shape = entry.at("shape").get<int>();
      layer.K = matrix_of(entry.at("K"));
      layer.C = matrix_of(entry.at("C"));
      layer.max_deflection = number_of(entry.at("max_deflection"));
      formulation.geometric.layers.push_back(layer);
    }
    std::size_t keys = 5;
    fields(
        [&](const char* key, auto& value) {
          using T = std::remove_cvref_t<decltype(value)>;
          at = key;
          const bool is_later = std::ranges::find(kLaterKeys, std::string_view(key)) != std::end(kLaterKeys);
          if (is_later && !json.contains(key)) return;
          ++keys;
          const Json& found = json.at(key);
          if constexpr (std::is_same_v<T, double>) {
            value = number_of(found);
          } else if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(found.get<int>());
          } else {
            value = found.get<T>();
          }
        },
        formulation);
    STICTION_USER_CHECK(json.size() == keys, "the formulation has {} keys, but {} are known", json.size(),
                        keys);
  } catch (const Json::exception& error) {
    throw_user_error(format("the formulation cannot be read at '{}': {}", at, error.what()));
  }
  return formulation;
}

}  // namespace stiction
