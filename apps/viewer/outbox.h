#pragma once
// What waits to be sent to those who watch.

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "apps/viewer/stage.h"

namespace stiction::viewer {

// Shared by all clients, never changed.
using Text = std::shared_ptr<const std::string>;

inline constexpr std::size_t kMostErrors = 32;  // that wait for one client

// What waits to be sent to one client, or to all: the newest of each kind, and a few errors.
struct Outbox {
  Text stage, status;
  std::deque<Text> errors;
  std::array<Text, kMostTracks> frames;
  std::size_t last_track = kMostTracks - 1;  // whose frame was taken

  void add_error(const Text& error) {
    if (errors.size() == kMostErrors) errors.pop_front();
    errors.push_back(error);
  }
  // Frames of another stage mean nothing.
  void set_stage(const Text& to) {
    stage = to;
    frames = {};
  }
  // The next message, with whether it is binary; none: nothing waits.
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
    // In turn, so that those of a slow client are not all of the first track.
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
