#pragma once
// What Foxglove's 3-D panel draws, with its own messages: the frames of the bodies (/tf,
// foxglove.FrameTransforms), the shapes on them (/shapes) and an arrow for the force at every contact
// (/contact_arrows, both foxglove.SceneUpdate). docs.foxglove.dev describes them.

#include <string>
#include <vector>

#include "stiction/io/recording/mcap_writer.h"
#include "stiction/io/recording/recorder_frame.h"

namespace stiction {

class FoxgloveScene {
 public:
  // Adds the channels. The model must live as long.
  FoxgloveScene(const Model& model, McapWriter* file);

  // Once, before the rest; time in ns.
  void write_shapes(std::uint64_t time, McapWriter* file);
  void write_poses(const State& state, const std::vector<PrescribedMotion>& prescribed, std::uint64_t time,
                   McapWriter* file);
  void write_contacts(const RecorderFrame& frame, std::uint64_t time, McapWriter* file);

 private:
  const Model& model_;
  Kinematics kinematics_;
  std::vector<std::string> frames_;  // by body
  double metres_per_newton_ = 0.0;   // of the arrows
  int transforms_ = 0, shapes_ = 0, arrows_ = 0;
  std::string bytes_;
};

}  // namespace stiction
