#include "stiction/io/mjcf/pressure_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/io/name_pattern.h"
#include "stiction/simulation/model/overrides.h"

namespace stiction {
namespace {

constexpr std::string_view kName = "stiction:pressure";

double number_in(const MjcfValues& values, std::string_view word, std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(std::isfinite(number) && number > 0.0))
    values.fail("data", format("'{}' needs a positive number", word));
  return number;
}

}  // namespace

bool is_pressure_text(const MjcfElement& element) {
  if (element.tag != "text") return false;
  const std::string name = MjcfValues(element).string("name");
  return name == kName || name.rfind(std::string(kName) + ":", 0) == 0;
}

void read_pressure_text(const MjcfElement& element, Model* model) {
  const MjcfValues values(element);
  const std::vector<std::string> words = words_of(values.string("data"));
  if (words.empty()) values.fail("data", "needs a pattern for names of geoms, and 'modulus=...'");
  ContactMaterial given;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = std::min(words[i].find('='), words[i].size());
    const std::string key = words[i].substr(0, equals);
    const std::string_view text = std::string_view(words[i]).substr(std::min(equals + 1, words[i].size()));
    if (key == "modulus")
      given.pressure_modulus = number_in(values, key, text);
    else if (key == "depth")
      given.pressure_depth = number_in(values, key, text);
    else if (key == "facets")
      given.facets = static_cast<int>(std::min(1e6, number_in(values, key, text)));
    else
      values.fail("data", format("'{}' is none of modulus=, depth=, facets=", words[i]));
  }
  if (!given.pressure_modulus) values.fail("data", "needs 'modulus=...'");
  bool fits = false;
  for (std::size_t s = 0; s < model->shapes.size(); ++s) {
    const std::string name = model->shapes[s].name;
    if (!matches(words[0], name)) continue;
    fits = true;
    ContactMaterial material = model->shapes[s].contact;
    material.pressure_modulus = given.pressure_modulus;
    material.pressure_depth = given.pressure_depth;
    material.facets = given.facets;
    try {
      set_material(name, material, model);
    } catch (const UserError& error) {
      values.fail("data", error.what());
    }
  }
  if (!fits) values.fail("data", format("no geom has a name like '{}'", words[0]));
}

}  // namespace stiction
