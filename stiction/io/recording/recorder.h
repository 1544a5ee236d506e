#pragma once
// Records a world while it runs, as an MCAP file (docs/recording.md).
//
//   Recorder recorder(world, world.input(), {.file = "run.mcap"});
//   while (...) {
//     const StepReport report = world.step(h);
//     recorder.record(world, world.input(), h, report);
//   }
//   recorder.close(world);
//
// The stepping thread copies numbers into one of a few frames that are used again and again; a second thread
// encodes, compresses and writes. It waits only where all frames are full, and the statistics count how
// often. Recording changes nothing in the motion.
//
// A chunk ends when it is large or old enough and goes to the file at once, so that a program that is killed
// leaves a file that is readable up to there.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/log.h"
#include "stiction/io/recording/mcap_format.h"
#include "stiction/simulation/world.h"

namespace stiction {

struct RecorderOptions {
  std::filesystem::path file;
  int every = 1;            // steps between recorded states; inputs are recorded whenever they change
  int snapshot_every = 64;  // recorded states between snapshots, from which a replay can start
  std::size_t chunk_bytes = std::size_t{1} << 20;  // before compression
  double chunk_seconds = 1.0;                      // wall-clock time
  bool foxglove = false;                           // also what Foxglove's 3-D panel draws
  // What a person reads about the run.
  std::string scene;
  std::vector<std::string> command_line;
  std::vector<McapAttachment> attachments;
};

struct RecorderStatistics {
  std::int64_t steps = 0, states = 0;  // steps taken, states recorded
  std::int64_t waits = 0;              // times that the stepping thread had to wait for a free frame
  std::uint64_t message_bytes = 0;     // before compression
  std::uint64_t file_bytes = 0;
};

class Recorder {
 public:
  // Writes the model, how steps are taken and the state before the first one. Throws UserError if the file
  // cannot be written.
  Recorder(const World& world, const Input& input, const RecorderOptions& options);
  // Ends the file if close() was not called; errors are not reported.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // The step of length h that the world has just taken, under this input. Throws UserError once the file
  // could not be written; what was written stays readable.
  void record(const World& world, const Input& input, double h, const StepReport& report);
  // Whether the next step that is recorded comes with a snapshot: the step to do what is costly, such as a
  // certificate.
  bool next_has_snapshot() const {
    return (step_ + 1) % options_.every == 0 && states_ % options_.snapshot_every == 0;
  }
  std::int64_t steps() const { return step_; }
  // A line for a person. From any thread.
  void log(LogLevel level, std::string_view message);
  // The last state, with a snapshot, and the end of the file. Throws UserError if something was not written.
  RecorderStatistics close(const World& world);

 private:
  class Writer;
  struct Frame;

  PatchWork patches_;
  void copy_state(const World& world, Frame* frame);
  void copy_step(const World& world, const StepReport& report, Frame* frame);

  RecorderOptions options_;
  double time_ = 0.0;               // s, now
  std::int64_t step_ = 0;           // taken
  std::int64_t states_ = 0;         // recorded
  std::int64_t last_state_ = 0;     // step of the last one
  bool has_last_snapshot_ = false;  // of the last step
  std::unique_ptr<Writer> writer_;
};

}  // namespace stiction
