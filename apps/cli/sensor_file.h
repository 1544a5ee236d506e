#pragma once
// A table of sensor readings over time: comma-separated values, with a line of names.

#include <fstream>
#include <string>
#include <vector>

#include "stiction/simulation/world.h"

namespace stiction::cli {

class SensorFile {
 public:
  // Empty name: no file. Of `sensors` (in Elements::sensors), or of all simulated ones if there are none,
  // once every so many steps. Throws UserError if it cannot be written or there is nothing to write.
  SensorFile(const std::string& name, const World& world, const std::vector<int>& sensors, int every);
  bool is_open() const { return file_.is_open(); }
  // What the sensors read now, after `step` steps.
  void write(const World& world, long step);
  // Throws UserError if something was not written.
  void close();

 private:
  std::string name_;
  std::ofstream file_;
  std::vector<int> sensors_;
  int every_ = 1;
};

}  // namespace stiction::cli
