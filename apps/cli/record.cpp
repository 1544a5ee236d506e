#include "apps/cli/record.h"

#include <cstdio>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/simulation/contact/default_stiffness.h"

namespace stiction::cli {
namespace {

constexpr double kMebibyte = 1 << 20;                                    // bytes
constexpr std::uintmax_t kLargestAttachment = std::uintmax_t{16} << 20;  // bytes

std::string media_type(const std::string& ending) {
  if (ending == "xml" || ending == "mjcf" || ending == "urdf" || ending == "sdf") return "application/xml";
  if (ending == "json" || ending == "toml") return "application/" + ending;
  return "application/octet-stream";
}

// The file that the scene was read from, if it is one and not too large.
std::vector<McapAttachment> scene_file(const std::string& scene, double time) {
  std::error_code error;
  const std::filesystem::path path = scene;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kLargestAttachment) return {};
  McapAttachment attachment;
  attachment.log_time = attachment.create_time = static_cast<std::uint64_t>(std::max(0.0, time) * 1e9);
  attachment.name = path.filename().string();
  attachment.media_type = media_type(lower_case_ending(attachment.name));
  attachment.data = read_file_bytes(path);
  return {attachment};
}

}  // namespace

void add_record_options(const Parser& command, RecordArguments* arguments) {
  command.add_option("--record", &arguments->file,
                     "Record states, inputs, contacts, residuals and energies to this MCAP file (stiction "
                     "replay, export, plot)");
  command.add_option("--record-every", &arguments->every, "Record every N-th step")
      .capture_default_str()
      .type_name("N");
  command.add_flag("--foxglove", &arguments->foxglove,
                   "Record also what Foxglove's 3-D panel draws: frames, shapes, arrows of forces");
}

RunRecording::RunRecording(const RecordArguments& arguments, const std::string& scene, World* world)
    : file_(arguments.file) {
  STICTION_USER_CHECK(arguments.every >= 1, "--record-every must be at least 1, not {}", arguments.every);
  if (file_.empty()) {
    STICTION_USER_CHECK(arguments.every == 1 && !arguments.foxglove, "{} goes with --record FILE",
                        arguments.foxglove ? "--foxglove" : "--record-every");
    return;
  }
  RecorderOptions options;
  options.file = file_;
  options.every = arguments.every;
  options.foxglove = arguments.foxglove;
  options.scene = scene;
  options.command_line = command_line();
  options.attachments = scene_file(scene, world->time());
  certifies_ = world->options().formulation.certifies;
  recorder_ = std::make_unique<Recorder>(*world, world->input(), options);
  for (const std::string& note : stiffness_notes(world->model(), world->formulation().stiffness_step))
    recorder_->log(LogLevel::kInfo, note);
  sink_before_ = set_log_sink([this](LogLevel level, std::string_view message) {
    if (sink_before_) {
      sink_before_(level, message);
    } else {
      std::fprintf(stderr, "stiction: %s: %.*s\n", to_string(level), static_cast<int>(message.size()),
                   message.data());
    }
    recorder_->log(level, message);
  });
}

RunRecording::~RunRecording() {
  if (recorder_) set_log_sink(sink_before_);
}

void RunRecording::begin_step(World* world) const {
  if (recorder_) world->options().formulation.certifies = certifies_ || recorder_->next_has_snapshot();
}

void RunRecording::write(World* world, double h, const StepReport& report) {
  if (!recorder_) return;
  recorder_->record(*world, world->input(), h, report);
  if (report.status != StepStatus::done)
    recorder_->log(LogLevel::kWarning, format("step {} did not converge: {}", recorder_->steps(),
                                              describe(world->model(), report)));
}

void RunRecording::log(LogLevel level, const std::string& message) {
  if (recorder_) recorder_->log(level, message);
}

void RunRecording::close(const World& world) {
  if (recorder_ && !statistics_) statistics_ = recorder_->close(world);
}

void RunRecording::print() const {
  if (!statistics_) return;
  const RecorderStatistics& s = *statistics_;
  std::printf("  recording: %s, %lld states, %.2f MiB (%.2f MiB before compression)", file_.c_str(),
              static_cast<long long>(s.states), static_cast<double>(s.file_bytes) / kMebibyte,
              static_cast<double>(s.message_bytes) / kMebibyte);
  if (s.waits > 0) std::printf("; %lld steps waited for the file", static_cast<long long>(s.waits));
  std::printf("\n");
}

void RunRecording::write(nlohmann::json* json) const {
  if (!statistics_) return;
  (*json)["recording"] = {{"file", file_},
                          {"states", statistics_->states},
                          {"file_bytes", statistics_->file_bytes},
                          {"message_bytes", statistics_->message_bytes},
                          {"waits", statistics_->waits}};
}

}  // namespace stiction::cli
