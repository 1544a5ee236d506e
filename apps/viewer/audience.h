#pragma once
// The interface to the viewers of a simulation: what they are sent as it runs (docs/viewer_protocol.md).

#include <cstdint>
#include <string>

namespace stiction::viewer {

class Audience {
 public:
  virtual ~Audience() = default;
  // A viewer that joins later gets the newest stage, status and frames first. None of these functions blocks.
  virtual void set_stage(std::string stage_json) = 0;
  virtual void set_status(std::string status_json) = 0;
  // To one viewer, or to all: kEveryone.
  virtual void send_error(std::uint64_t viewer, const std::string& message) = 0;
  // Replaces a frame of the same track that has not been sent yet.
  virtual void send_frame(std::size_t track, std::string bytes) = 0;
};

inline constexpr std::uint64_t kEveryone = 0;

}  // namespace stiction::viewer
