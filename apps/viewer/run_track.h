#pragma once
// What the viewer shows of a run: collected while a world runs, or read from a recording.

#include <filesystem>
#include <memory>
#include <string>

#include "apps/viewer/frame.h"
#include "apps/viewer/page.h"
#include "apps/viewer/stage.h"
#include "apps/viewer/track_packer.h"

namespace stiction::viewer {

inline constexpr double kUsualFps = 60.0;  // frames per second of simulated time

// Selects the times that are frames: the first one at or after each multiple of 1/fps.
class FrameClock {
 public:
  explicit FrameClock(double fps) : interval_(1.0 / fps) {}
  bool wants(double time);

 private:
  double interval_, begin_ = 0.0;  // s
  std::int64_t count_ = 0;
};

// Frames of a world that runs.
class RunTrack {
 public:
  // Takes the state before the first step. Throws UserError for an invalid number of frames per second.
  RunTrack(const World& world, const Input& input, double fps = kUsualFps);

  // Adds the step that the world has just taken with this input.
  void add(const World& world, const Input& input, const StepReport& report);
  // Adds the last state if it is not a frame yet, and returns the packed track.
  std::string finish(const World& world, const Input& input);

  const std::vector<ViewPose>& first_poses() const { return first_poses_; }
  std::size_t frames() const { return packer_->frames(); }

 private:
  void add_frame(const World& world, const Input& input);

  FrameMaker maker_;
  FrameClock clock_;
  std::vector<ViewPose> first_poses_;
  std::unique_ptr<TrackPacker> packer_;
  ViewFrame frame_;
  StepReport last_report_;
  bool is_pending_ = false;  // the last step is not packed
  std::int64_t step_ = 0;
};

// Reads a recording. Throws UserError if it cannot be read.
ViewedRun read_run(const std::filesystem::path& recording, double fps = kUsualFps);

// Whether the file begins as a recording does.
bool is_recording(const std::filesystem::path& file);

// Throws UserError unless it is from 1 to 1000.
void check_fps(double fps);

}  // namespace stiction::viewer
