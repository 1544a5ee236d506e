#include "stiction/io/model_file.h"

#include "stiction/base/check.h"
#include "stiction/io/mjcf.h"
#include "stiction/io/urdf.h"
#include "stiction/io/xml.h"

namespace stiction {

Model load_model_file(const std::filesystem::path& file, const ModelFileOptions& options,
                      CompatibilityReport* report) {
  const XmlDocument document = read_xml_file(file);
  const XmlElement root = document.root();
  if (root.name() == "robot")
    return load_urdf(file, {.floating_base = options.floating_base, .package_paths = options.package_paths},
                     report);
  if (root.name() == "mujoco") return load_mjcf(file, {}, report);
  root.fail("is not the root of a model; <robot> (URDF) and <mujoco> (MJCF) are");
}

}  // namespace stiction
