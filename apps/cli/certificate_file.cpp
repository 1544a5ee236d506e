#include "apps/cli/certificate_file.h"

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/simulation/certificate.h"

namespace stiction::cli {
namespace {

nlohmann::json json_of(const Error& error) {
  return {{"absolute", error.absolute}, {"relative", error.relative}};
}

}  // namespace

CertificateFile::CertificateFile(const std::string& name) : name_(name) {
  if (name.empty()) return;
  file_.open(name, std::ios::binary);
  STICTION_USER_CHECK(file_.good(), "cannot write the file '{}'", name);
}

void CertificateFile::write(const World& world, const StepReport& report) {
  if (!is_open() || !report.certificate) return;
  const ContactResidual& c = report.certificate->contact;
  nlohmann::json line = {{"time", report.time},
                         {"h", world.record().h},
                         {"status", name_of(report.contact.status)},
                         {"iterations", report.contact.iterations},
                         {"points", world.record().collision.num_contacts()},
                         {"solver_residual", report.contact.residual},
                         {"momentum", json_of(c.momentum)},
                         {"primal", json_of(c.primal)},
                         {"dual", json_of(c.dual)},
                         {"complementarity", json_of(c.complementarity)},
                         {"signorini", json_of(c.signorini)},
                         {"dissipation", json_of(c.dissipation)}};
  if (!report.certificate->dual) line["law"] = json_of(c.law);
  if (c.rows) line["rows"] = json_of(*c.rows);
  if (c.slackness) line["slackness"] = json_of(*c.slackness);
  if (report.certificate->dual) {
    const DualResidual& d = *report.certificate->dual;
    line["impulses"] = {{"primal", json_of(d.primal)},
                        {"dual", json_of(d.dual)},
                        {"complementarity", json_of(d.complementarity)},
                        {"ccp_dual", json_of(d.ccp_dual)},
                        {"ccp_complementarity", json_of(d.ccp_complementarity)},
                        {"signorini", json_of(d.signorini)},
                        {"dissipation", json_of(d.dissipation)},
                        {"natural_velocity", json_of(d.natural_velocity)},
                        {"natural_map", json_of(d.natural_map)},
                        {"law", json_of(d.law)},
                        {"row_primal", json_of(d.row_primal)},
                        {"row_natural", json_of(d.row_natural)},
                        {"momentum", json_of(d.momentum)},
                        {"internal", json_of(d.internal)}};
  }
  file_ << line.dump() << '\n';
}

void CertificateFile::close() {
  if (!is_open()) return;
  file_.close();
  STICTION_USER_CHECK(file_.good(), "cannot write the file '{}'", name_);
}

}  // namespace stiction::cli
