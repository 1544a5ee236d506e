#pragma once
// The sections of an MJCF model after its bodies: contact, equality, tendon, actuator, sensor, keyframe,
// custom and option. They are kept in Model::elements.

#include "stiction/io/mjcf/bodies.h"
#include "stiction/io/mjcf/expand.h"

namespace stiction {

// Names that sections may refer to, by kind.
class MjcfReferences {
 public:
  void add(const std::string& kind, const std::string& name) { names_.insert({kind, name}); }
  // The attribute's value; throws if it is missing, or if there is nothing of the kind with that name.
  std::string require(const MjcfValues& values, std::string_view attribute, const std::string& kind) const;
  // The same, or empty if the attribute is missing.
  std::string find(const MjcfValues& values, std::string_view attribute, const std::string& kind) const;

 private:
  MjcfNames names_;
};

void read_option(const MjcfElement& element, SimulationOptions* options, Vec3* gravity);
void read_contact(const MjcfElement& element, const MjcfReferences& references, Elements* elements);
void read_tendon(const MjcfElement& element, MjcfReferences* references, Elements* elements);
void read_equality(const MjcfElement& element, const MjcfReferences& references, const MjcfScene& scene,
                   Elements* elements);
// extensions: the sections with the numbers of plugins that actuators refer to.
void read_actuator(const MjcfElement& element, MjcfReferences* references, const MjcfScene& scene,
                   const std::vector<const MjcfElement*>& extensions, Elements* elements);
void read_sensor(const MjcfElement& element, const MjcfReferences& references, const MjcfScene& scene,
                 Elements* elements);
void read_custom(const MjcfElement& element, const MjcfReferences& references, Elements* elements);
// Positions and velocities of a keyframe, which MJCF has in the order of its bodies, in the model's order.
void read_key(const MjcfElement& element, const MjcfScene& scene, const Model& model, Elements* elements);
// In a keyframe of an attached model, everything else is at its initial position.
void read_attached_keys(const MjcfAttachment& attachment, int index, const MjcfScene& scene,
                        const Model& model, Elements* elements);

}  // namespace stiction
