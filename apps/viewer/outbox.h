#pragma once
// Messages waiting to be sent to viewers.

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "apps/viewer/stage.h"

namespace stiction::viewer {

// Shared by all clients, immutable.
using Text = std::shared_ptr<const std::string>;

inline constexpr std::size_t kMostErrors = 32;  // waiting for one client

// Messages waiting for one client, or for all: the newest of each kind, and a few errors.
struct Outbox {
  Text stage, status;
  std::deque<Text> errors;
  std::array<Text, kMostTracks> frames;
  std::size_t last_track = kMostTracks - 1;  // of the last frame that was taken

  void add_error(const Text& error) {
    if (errors.size() == kMostErrors) errors.pop_front();
    errors.push_back(error);
  }
  // Frames of another stage are obsolete.
  void set_stage(const Text& to) {
    stage = to;
    frames = {};
  }
  // The next message, and whether it is binary; null: nothing is waiting.
  Text take(bool* is_binary) {
    *is_binary = false;
    if (stage) return std::exchange(stage, nullptr);
    if (!errors.empty()) {
      Text error = errors.front();
      errors.pop_front();
      return error;
    }
    if (status) return std::exchange(status, nullptr);
    *is_binary = true;
    // One track after the other, so that a slow client does not get frames of the first track only.
    for (std::size_t i = 1; i <= frames.size(); ++i) {
      const std::size_t track = (last_track + i) % frames.size();
      if (!frames[track]) continue;
      last_track = track;
      return std::exchange(frames[track], nullptr);
    }
    return nullptr;
  }
};

}  // namespace stiction::viewer
