#pragma once
// A file with the certificate of every step, one JSON object a line.

#include <fstream>
#include <string>

#include "stiction/simulation/world.h"

namespace stiction::cli {

class CertificateFile {
 public:
  // Empty: no file. Throws UserError if it cannot be written.
  explicit CertificateFile(const std::string& name);
  bool is_open() const { return file_.is_open(); }
  void write(const World& world, const StepReport& report);
  // Throws UserError if something was not written.
  void close();

 private:
  std::string name_;
  std::ofstream file_;
};

}  // namespace stiction::cli
