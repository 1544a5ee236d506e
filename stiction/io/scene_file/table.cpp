#include "stiction/io/scene_file/table.h"

#include <algorithm>
#include <cmath>

#include "stiction/io/scene_file/schema.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

std::string header_of(const char* section) {
  for (const SceneSection& one : scene_sections())
    if (std::string_view(one.name) == section) return one.header;
  return section;
}

}  // namespace

double finite_number(const TomlValue& value, const std::string& file, std::string_view what) {
  if (!value.is_number())
    fail_at(file, value.place, format("{} must be numbers, not {}", what, name_of(value.kind)));
  if (!std::isfinite(value.number)) fail_at(file, value.place, format("{} must be finite", what));
  return value.number;
}

SceneTable::SceneTable(const TomlValue& table, const char* section, const std::string& file)
    : table_(table), section_(section), file_(file) {
  const std::string header = header_of(section);
  if (table.kind != TomlValue::Kind::table)
    fail_at(file, table.place, format("{} must be a table, not {}", header, name_of(table.kind)));
  std::vector<std::string> known = keys_of_section(section);
  if (section[0] == '\0')
    for (const std::string& name : section_names()) known.push_back(name);
  for (const TomlEntry& entry : table.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::string closest = closest_name(entry.key, known);
    fail_at(file, entry.place,
            format("'{}' is not a key of {}{}", entry.key, section[0] == '\0' ? "a scene" : header,
                   closest.empty() ? "" : "; did you mean '" + closest + "'?"));
  }
}

const TomlEntry* SceneTable::entry(const char* key) const { return find(table_, key); }

const TomlEntry* SceneTable::entry(const char* key, TomlValue::Kind kind) const {
  const TomlEntry* found = entry(key);
  if (found == nullptr) return nullptr;
  const bool fits = found->value.kind == kind || (kind == TomlValue::Kind::real && found->value.is_number());
  if (!fits)
    fail_at(file_, found->value.place,
            format("'{}' must be {}, not {}", key, name_of(kind), name_of(found->value.kind)));
  return found;
}

void SceneTable::fail(const char* key, std::string_view message) const {
  const TomlEntry* found = entry(key);
  fail_at(file_, found == nullptr ? table_.place : found->value.place, message);
}

void SceneTable::fail(std::string_view message) const { fail_at(file_, table_.place, message); }

void SceneTable::rethrow(const char* key, const UserError& error) const {
  if (std::string_view(error.what()).starts_with(file_ + ":")) throw error;
  fail(key, error.what());
}

const TomlValue* SceneTable::value(const char* key) const {
  const TomlEntry* found = entry(key);
  return found == nullptr ? nullptr : &found->value;
}

std::optional<double> SceneTable::number(const char* key) const {
  const TomlEntry* found = entry(key, TomlValue::Kind::real);
  if (found == nullptr) return std::nullopt;
  if (!std::isfinite(found->value.number)) fail(key, format("'{}' must be finite", key));
  return found->value.number;
}

std::optional<double> SceneTable::positive(const char* key) const {
  const std::optional<double> x = number(key);
  if (x && *x <= 0.0) fail(key, format("'{}' must be positive, not {}", key, *x));
  return x;
}

std::optional<double> SceneTable::not_negative(const char* key) const {
  const std::optional<double> x = number(key);
  if (x && *x < 0.0) fail(key, format("'{}' must not be negative, not {}", key, *x));
  return x;
}

std::optional<int> SceneTable::whole(const char* key, int lowest, int highest) const {
  const TomlEntry* found = entry(key, TomlValue::Kind::integer);
  if (found == nullptr) return std::nullopt;
  const std::int64_t n = found->value.integer;
  if (n < lowest || n > highest)
    fail(key, format("'{}' must be from {} to {}, not {}", key, lowest, highest, n));
  return static_cast<int>(n);
}

std::optional<bool> SceneTable::flag(const char* key) const {
  const TomlEntry* found = entry(key, TomlValue::Kind::boolean);
  return found == nullptr ? std::nullopt : std::optional<bool>(found->value.boolean);
}

std::optional<std::string> SceneTable::text(const char* key) const {
  const TomlEntry* found = entry(key, TomlValue::Kind::text);
  if (found == nullptr) return std::nullopt;
  if (found->value.text.empty()) fail(key, format("'{}' must not be empty", key));
  return found->value.text;
}

std::optional<std::vector<double>> SceneTable::numbers(const char* key, std::size_t count) const {
  const TomlEntry* found = entry(key, TomlValue::Kind::list);
  if (found == nullptr) return std::nullopt;
  if (found->value.items.size() != count)
    fail(key, format("'{}' must be {} numbers, not {}", key, count, found->value.items.size()));
  std::vector<double> list;
  for (const TomlValue& item : found->value.items)
    list.push_back(finite_number(item, file_, format("the items of '{}'", key)));
  return list;
}

std::optional<Vec3> SceneTable::vector(const char* key) const {
  const std::optional<std::vector<double>> list = numbers(key, 3);
  return list ? std::optional<Vec3>(Vec3((*list)[0], (*list)[1], (*list)[2])) : std::nullopt;
}

std::vector<std::string> SceneTable::texts(const char* key) const {
  const TomlEntry* found = entry(key);
  if (found == nullptr) return {};
  if (found->value.kind == TomlValue::Kind::text) return {*text(key)};
  entry(key, TomlValue::Kind::list);
  std::vector<std::string> list;
  for (const TomlValue& item : found->value.items) {
    if (item.kind != TomlValue::Kind::text)
      fail_at(file_, item.place, format("the items of '{}' must be texts, not {}", key, name_of(item.kind)));
    list.push_back(item.text);
  }
  return list;
}

std::string SceneTable::needed_text(const char* key) const {
  const std::optional<std::string> found = text(key);
  if (!found) fail(format("{} needs '{}'", header_of(section_), key));
  return *found;
}

double SceneTable::needed_positive(const char* key) const {
  const std::optional<double> found = positive(key);
  if (!found) fail(format("{} needs '{}' here", header_of(section_), key));
  return *found;
}

Pose SceneTable::pose() const {
  Pose X;
  if (const auto p = vector("position")) X.p = *p;
  const int ways = int(has("rpy")) + int(has("quaternion")) + int(has("rotation"));
  if (ways > 1) fail("only one of 'rpy', 'quaternion' and 'rotation' may say how it is turned");
  if (const auto rpy = vector("rpy")) X.R = rotation_from_roll_pitch_yaw((*rpy)[0], (*rpy)[1], (*rpy)[2]);
  if (const auto q = numbers("quaternion", 4)) {
    const Vec4 quaternion((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    constexpr double kShortest = 1e-6, kLongest = 1e6;  // outside of this it is a mistake
    if (!(quaternion.norm() > kShortest && quaternion.norm() < kLongest))
      fail("quaternion", format("a quaternion of length {} is no rotation", quaternion.norm()));
    X.R = rotation_from_quaternion<double>(quaternion);
  }
  if (const TomlEntry* rows = entry("rotation", TomlValue::Kind::list)) {
    if (rows->value.items.size() != 3) fail("rotation", "'rotation' must have 3 rows");
    for (int i = 0; i < 3; ++i) {
      const TomlValue& row = rows->value.items[std::size_t(i)];
      if (row.kind != TomlValue::Kind::list || row.items.size() != 3)
        fail_at(file_, row.place, "a row of 'rotation' must be 3 numbers");
      for (int j = 0; j < 3; ++j)
        X.R(i, j) = finite_number(row.items[std::size_t(j)], file_, "rows of 'rotation'");
    }
  }
  return X;
}

}  // namespace stiction
