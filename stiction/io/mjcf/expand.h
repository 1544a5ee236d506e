#pragma once
// Replaces `replicate` and `attach` by what they stand for: frames with copies inside, under new names.
//
//   replicate   copy i stands at the pose X_i with X_0 = 1, p_{i+1} = p_i + R_i offset, R_i = R(i euler); its
//               names get the suffix sep + i, and everything outside that refers to them is copied as well
//   attach      a body, a frame, or all bodies, of another model's file or of the model itself, with the
//               prefix in front of all names, and everything of that model that refers to them

#include <filesystem>
#include <memory>
#include <vector>

#include "stiction/io/mjcf/context.h"
#include "stiction/io/mjcf/tree.h"

namespace stiction {

// The keyframes of an attached model, and which of its positions and controls were attached with it.
struct MjcfAttachment {
  std::string prefix;
  std::vector<MjcfElement> keys;
  int q_before = 0, v_before = 0;  // of its joints in bodies before the part that is attached
  std::vector<bool> has_actuator;  // for each of its actuators: was it attached too
};

// A model's tree with its own context first and then those of the models attached to it.
struct MjcfModel {
  MjcfElement root;
  std::vector<std::shared_ptr<MjcfContext>> contexts;
  std::vector<MjcfAttachment> attachments;  // MjcfElement::attachment counts in them
};

MjcfModel read_mjcf_model(const std::filesystem::path& file, MjcfFiles* files, int depth = 0);
MjcfModel parse_mjcf_model(std::string_view text, const std::filesystem::path& file, MjcfFiles* files);

}  // namespace stiction
