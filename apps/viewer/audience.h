#pragma once
// Those who watch a simulation: what they are told as it goes on (docs/viewer_protocol.md).

#include <cstdint>
#include <string>

namespace stiction::viewer {

class Audience {
 public:
  virtual ~Audience() = default;
  // Who comes later gets the newest stage, status and frames first. None of these waits for anybody.
  virtual void set_stage(std::string stage_json) = 0;
  virtual void set_status(std::string status_json) = 0;
  // To one of them, or to all: kEveryone.
  virtual void send_error(std::uint64_t viewer, const std::string& message) = 0;
  // Replaces a frame of the same track that nobody has sent yet.
  virtual void send_frame(std::size_t track, std::string bytes) = 0;
};

inline constexpr std::uint64_t kEveryone = 0;

}  // namespace stiction::viewer
