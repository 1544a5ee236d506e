#include "fuzz/json_mutator.h"

#include <vector>

#include <nlohmann/json.hpp>

#include "fuzz/fuzz_random.h"

namespace stiction::fuzz {
namespace {

using Json = nlohmann::ordered_json;

void collect(Json* json, std::vector<Json*>* all) {
  all->push_back(json);
  if (json->is_structured())
    for (Json& child : *json) collect(&child, all);
}

Json awkward(Random* random) {
  static const std::vector<Json> values = {
      0,     1,      -1,      2,   3,    1e300, 1e-300,  0.5,           2147483647,     -2147483648,
      "inf", "nan",  "-inf",  "",  true, false, nullptr, Json::array(), Json::object(), 1e18,
      7,     "free", "world", 1000};
  return random->pick(values);
}

// One change; the places are found anew each time, because a change may delete them.
void change(Json* root, Random* random) {
  std::vector<Json*> all;
  collect(root, &all);
  Json& here = *random->pick(all);
  switch (random->below(6)) {
    case 0:
      here = awkward(random);
      return;
    case 1:  // another value of the same text
      here = Json(*random->pick(all));
      return;
    case 2:
      if (here.is_array() && !here.empty()) here.erase(random->below(here.size()));
      return;
    case 3:
      if (here.is_array() && !here.empty()) here.push_back(Json(random->pick(here)));
      return;
    case 4:
      if (here.is_number()) here = here.get<double>() * -1.5;
      if (here.is_string()) here = *random->pick(all);
      return;
    default:
      if (here.is_number_integer()) here = here.get<long long>() / 2 + (random->below(2) == 0 ? 1 : -1);
      if (here.is_object() && !here.empty())
        here.erase(std::next(here.begin(), long(random->below(here.size()))));
  }
}

}  // namespace

std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  constexpr unsigned kOneInBytes = 10;  // changes that may break the JSON itself
  Json json = Json::parse(data, data + size, nullptr, false);
  if (seed % kOneInBytes == 0 || json.is_discarded()) return LLVMFuzzerMutate(data, size, max_size);
  Random random(seed);
  for (std::size_t i = 1 + random.below(3); i > 0; --i) change(&json, &random);
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::size_t new_size = written(text, data, max_size);
  return new_size > 0 ? new_size : LLVMFuzzerMutate(data, size, max_size);
}

}  // namespace stiction::fuzz
