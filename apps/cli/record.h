#pragma once
// The options and the file of a run that is recorded.

#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "apps/cli/parser.h"
#include "stiction/io/recording/recorder.h"

namespace stiction::cli {

struct RecordArguments {
  std::string file;
  int every = 1;
  bool foxglove = false;
};

void add_record_options(const Parser& command, RecordArguments* arguments);

// An optional recording: without a file name it does nothing. While it exists, log messages of the library
// are recorded too.
class RunRecording {
 public:
  // Throws UserError if the file cannot be written. `scene` is the scene argument of the run; if it is a
  // file, a copy of it is attached to the recording.
  RunRecording(const RecordArguments& arguments, const std::string& scene, World* world);
  ~RunRecording();
  RunRecording(const RunRecording&) = delete;
  RunRecording& operator=(const RunRecording&) = delete;

  // Before a step: asks for its certificate if it will be recorded, even if no other output needs it.
  void begin_step(World* world) const;
  // After a step of length h.
  void write(World* world, double h, const StepReport& report);
  void log(LogLevel level, const std::string& message);
  // The end of the file. Throws UserError if something was not written.
  void close(const World& world);

  void print() const;
  // Adds "recording".
  void write(nlohmann::json* json) const;

 private:
  std::string file_;
  bool certifies_ = false;  // every step does
  std::unique_ptr<Recorder> recorder_;
  std::optional<RecorderStatistics> statistics_;
  LogSink sink_before_;
};

}  // namespace stiction::cli
