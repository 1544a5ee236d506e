#pragma once
// Turns frames into messages of an MCAP file. Used by one thread.

#include <memory>
#include <string>
#include <string_view>

#include "stiction/io/recording/foxglove.h"
#include "stiction/io/recording/mcap_writer.h"
#include "stiction/io/recording/recorder.h"
#include "stiction/io/recording/recorder_frame.h"

namespace stiction {

class RecorderWriter {
 public:
  // Writes what describes the file: schemas, channels, the model, how steps are taken.
  RecorderWriter(const World& world, const RecorderOptions& options);

  void write(const RecorderFrame& frame);
  void write_log(double time, LogLevel level, std::string_view message);
  void end_chunk() { file_.end_chunk(); }
  bool has_open_chunk() const { return file_.has_open_chunk(); }
  void close(std::int64_t steps);

  std::uint64_t message_bytes() const { return file_.message_bytes(); }
  std::uint64_t file_bytes() const { return file_.file_bytes(); }

 private:
  template <class Message>
  int add_channel(const char* topic, const std::map<std::string, std::string>& metadata = {});
  int add_json_channel(const char* topic, const char* name, std::string_view schema);
  template <class Message>
  void put(int channel, std::uint64_t time, const Message& message);
  void write_scene(const World& world, const RecorderOptions& options);
  void write_input(const RecorderFrame& frame);
  void write_step(const RecorderFrame& frame);
  void write_state(const RecorderFrame& frame);

  Model model_;
  McapWriter file_;
  int scene_ = 0, model_channel_ = 0, log_ = 0, state_ = 0, snapshot_ = 0, input_ = 0, contacts_ = 0,
      patches_ = 0;
  int residual_ = 0, energies_ = 0, timings_ = 0;
  int stages_ = 0;
  std::unique_ptr<FoxgloveScene> foxglove_;
  std::uint64_t last_hash_ = 0;
  double last_time_ = 0.0;
  std::array<double, StageTimers::kMaxStages> last_seconds_ = {};
  // Work space, and what was written last.
  std::string bytes_, input_bytes_, last_input_;
  recorded::State state_message_;
  recorded::Snapshot snapshot_message_;
  recorded::Input input_message_;
  recorded::Timings timings_message_;
};

}  // namespace stiction
