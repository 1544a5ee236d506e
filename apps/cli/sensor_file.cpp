#include "apps/cli/sensor_file.h"

#include <charconv>
#include <span>

#include "stiction/base/check.h"

namespace stiction::cli {
namespace {

std::string digits(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace

SensorFile::SensorFile(const std::string& name, const World& world, const std::vector<int>& sensors,
                       int every)
    : name_(name), sensors_(sensors), every_(every) {
  if (name.empty()) return;
  const std::vector<Sensor>& all = world.model().elements.sensors;
  STICTION_USER_CHECK(!all.empty(), "--sensors {}: the scene has no sensors", name);
  const std::vector<ResolvedSensor>& resolved = world.sensor_model().sensors;
  if (sensors_.empty())
    for (std::size_t i = 0; i < all.size(); ++i)
      if (resolved[i].is_simulated) sensors_.push_back(static_cast<int>(i));
  file_.open(name, std::ios::binary);
  STICTION_USER_CHECK(file_.good(), "cannot write the file '{}'", name);
  file_ << "time";
  for (const int i : sensors_) {
    const std::string column =
        all[std::size_t(i)].name.empty() ? std::to_string(i) : all[std::size_t(i)].name;
    const int size = resolved[std::size_t(i)].size;
    for (int k = 0; k < size; ++k) {
      file_ << ',' << column;
      if (size > 1) file_ << '[' << k << ']';
    }
  }
  file_ << '\n';
}

void SensorFile::write(const World& world, long step) {
  if (!is_open() || step % every_ != 0) return;
  const std::span<const double> values = world.sensors();
  std::string line = digits(world.time());
  for (const int i : sensors_) {
    const ResolvedSensor& sensor = world.sensor_model().sensors[std::size_t(i)];
    for (int k = 0; k < sensor.size; ++k) {
      line += ',';
      line += digits(values[std::size_t(sensor.begin + k)]);
    }
  }
  file_ << line << '\n';
}

void SensorFile::close() {
  if (!is_open()) return;
  file_.close();
  STICTION_USER_CHECK(file_.good(), "cannot write the file '{}'", name_);
}

}  // namespace stiction::cli
