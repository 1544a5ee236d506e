#include "stiction/io/recording/recorder_writer.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "stiction/base/format.h"
#include "stiction/io/model_json.h"
#include "stiction/io/recording/formulation_json.h"
#include "stiction/io/recording/mcap_bytes.h"
#include "stiction/io/recording/names.h"
#include "stiction/io/recording/proto_message.h"
#include "stiction/simulation/contact/contact_model.h"
#include "stiction/simulation/energy.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

constexpr std::string_view kAnyObject = R"({"type": "object"})";
// As foxglove.Log, so that its log panel shows it.
constexpr std::string_view kLogSchema = R"({"title": "foxglove.Log", "type": "object", "properties": {
"timestamp": {"type": "object", "title": "time",
              "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}},
"level": {"type": "integer"}, "message": {"type": "string"}, "name": {"type": "string"},
"file": {"type": "string"}, "line": {"type": "integer"}}})";

std::string stage_names(const StageTimers& timers) {
  std::string names;
  for (int s = 0; s < timers.stage_count(); ++s) names += std::string(s > 0 ? "," : "") + timers.name(s);
  return names;
}

// Numbers of pairs that were set in the world.
nlohmann::ordered_json pair_overrides(const Model& model) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PairOverride& pair : model.pair_overrides) {
    nlohmann::ordered_json entry = {{"shapes", {pair.shapes.first, pair.shapes.second}}};
    for (const PairNumber& row : kPairNumbers)
      if (pair.*row.number) entry[row.name] = *(pair.*row.number);
    list.push_back(entry);
  }
  return list;
}

}  // namespace

template <class Message>
int RecorderWriter::add_channel(const char* topic, const std::map<std::string, std::string>& metadata) {
  const int schema = file_.add_schema(full_name<Message>(), "protobuf", descriptor_set<Message>());
  return file_.add_channel(topic, "protobuf", schema, metadata);
}

int RecorderWriter::add_json_channel(const char* topic, const char* name, std::string_view schema) {
  return file_.add_channel(topic, "json", file_.add_schema(name, "jsonschema", schema));
}

template <class Message>
void RecorderWriter::put(int channel, std::uint64_t time, const Message& message) {
  bytes_.clear();
  encode(message, &bytes_);
  file_.write(channel, time, bytes_);
}

RecorderWriter::RecorderWriter(const World& world, const RecorderOptions& options)
    : model_(world.model()), file_(options.file, {.chunk_bytes = options.chunk_bytes}) {
  const StageTimers& timers = world.workspace().timers;
  stages_ = timers.stage_count();
  scene_ = add_json_channel(topic::kScene, "stiction.Scene", kAnyObject);
  model_channel_ = add_json_channel(topic::kModel, "stiction.Model", kAnyObject);
  log_ = add_json_channel(topic::kLog, "foxglove.Log", kLogSchema);
  state_ = add_channel<recorded::State>(topic::kState);
  snapshot_ = add_channel<recorded::Snapshot>(topic::kSnapshot);
  input_ = add_channel<recorded::Input>(topic::kInput);
  contacts_ = add_channel<recorded::Contacts>(topic::kContacts);
  patches_ = add_channel<recorded::Patches>(topic::kPatches);
  residual_ = add_channel<recorded::Residual>(topic::kResidual);
  energies_ = add_channel<recorded::Energies>(topic::kEnergies);
  timings_ = add_channel<recorded::Timings>(topic::kTimings, {{"stages", stage_names(timers)}});
  if (options.foxglove) foxglove_ = std::make_unique<FoxgloveScene>(model_, &file_);
  write_scene(world, options);
  for (const McapAttachment& attachment : options.attachments) file_.add_attachment(attachment);
}

void RecorderWriter::write_scene(const World& world, const RecorderOptions& options) {
  const Formulation f = world.formulation();
  std::string command;
  for (const std::string& word : options.command_line) command += (command.empty() ? "" : " ") + word;
  file_.add_metadata({"stiction",
                      {{"format", kRecordingFormat},
                       {"format_version", format("{}", kRecordingVersions.version)},
                       {"version", kRecordingProgram},
                       {"scene", options.scene},
                       {"model", model_.name},
                       {"command_line", command},
                       {"scheme", f.scheme->name()},
                       {"formulation", formulation_name(f.contact)},
                       {"h", format("{}", world.options().h)}}});
  nlohmann::ordered_json scene = {{"format", kRecordingFormat},
                                  {"version", kRecordingVersions.version},
                                  {"program", kRecordingProgram},
                                  {"scene", options.scene},
                                  {"command_line", options.command_line},
                                  {"h", world.options().h},
                                  {"every", options.every},
                                  {"stages", stage_names(world.workspace().timers)},
                                  {"formulation", formulation_to_json(f)},
                                  {"pair_overrides", pair_overrides(model_)}};
  const std::uint64_t time = nanoseconds(world.time());
  // Names of files may hold bytes that are no text.
  file_.write(scene_, time, scene.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  file_.write(model_channel_, time, model_to_json(model_));
  if (foxglove_) foxglove_->write_shapes(time, &file_);
}

void RecorderWriter::write(const RecorderFrame& frame) {
  if (frame.has_step) write_input(frame);
  if (frame.has_snapshot) {
    recorded::set_snapshot(frame.state, frame.step, &snapshot_message_);
    put(snapshot_, nanoseconds(frame.state.time), snapshot_message_);
    last_hash_ = snapshot_message_.hash;
    last_time_ = frame.state.time;
  }
  if (frame.has_state) write_state(frame);
  if (frame.has_step && frame.has_state) write_step(frame);
}

// Written when the input changes. It is compared as bytes, with time and step set to zero.
void RecorderWriter::write_input(const RecorderFrame& frame) {
  recorded::set_input(frame.input, &input_message_);
  input_message_.h = frame.h;
  input_message_.time = 0.0;
  input_message_.step = 0;
  input_bytes_.clear();
  encode(input_message_, &input_bytes_);
  if (input_bytes_ == last_input_) return;
  last_input_ = input_bytes_;
  input_message_.time = frame.begin_time;
  input_message_.step = frame.step - 1;
  put(input_, nanoseconds(frame.begin_time), input_message_);
}

void RecorderWriter::write_state(const RecorderFrame& frame) {
  const State& state = frame.state;
  const std::uint64_t time = nanoseconds(state.time);
  state_message_.time = state.time;
  state_message_.step = frame.step;
  state_message_.q = state.q;
  state_message_.v = state.v;
  state_message_.activations = state.activations;
  put(state_, time, state_message_);
  const Energies e = energies(model_, state);
  put(energies_, time, recorded::Energies{state.time, frame.step, e.kinetic, e.gravity, e.springs});
  if (foxglove_) foxglove_->write_poses(state, frame.input.prescribed, time, &file_);
}

void RecorderWriter::write_step(const RecorderFrame& frame) {
  const std::uint64_t time = nanoseconds(frame.state.time);
  // As a Contacts or a Patches message, from the first ones of the frame's list.
  const auto write_list = [&](int channel, const auto& list, int count) {
    bytes_.clear();
    put_field(1, frame.state.time, &bytes_);
    put_field(2, frame.step, &bytes_);
    for (int i = 0; i < count; ++i) put_message(3, list[static_cast<std::size_t>(i)], &bytes_);
    file_.write(channel, time, bytes_);
  };
  write_list(contacts_, frame.contacts, frame.num_contacts);
  if (model_.tables().collision->has_fields) write_list(patches_, frame.patches, frame.num_patches);

  recorded::Residual residual;
  residual.time = frame.state.time;
  residual.step = frame.step;
  residual.status = name_of(frame.solve.status);
  residual.islands = frame.solve.islands;
  residual.iterations = frame.solve.iterations;
  residual.residual = frame.solve.residual;
  if (frame.certificate) recorded::set_certificate(*frame.certificate, &residual.certificate.emplace());
  put(residual_, time, residual);

  timings_message_.time = frame.state.time;
  timings_message_.step = frame.step;
  timings_message_.seconds.clear();
  for (std::size_t s = 0; s < static_cast<std::size_t>(stages_); ++s)
    timings_message_.seconds.push_back(frame.seconds[s] - last_seconds_[s]);
  last_seconds_ = frame.seconds;
  put(timings_, time, timings_message_);
  if (foxglove_) foxglove_->write_contacts(frame, time, &file_);
}

void RecorderWriter::write_log(double time, LogLevel level, std::string_view message) {
  const std::uint64_t at = nanoseconds(time);
  // Levels of foxglove.Log: 1 debug, 2 info, 3 warning, 4 error.
  const nlohmann::ordered_json line = {
      {"timestamp", {{"sec", at / kNanoseconds}, {"nsec", at % kNanoseconds}}},
      {"level", static_cast<int>(level) + 1},
      {"message", message},
      {"name", "stiction"},
      {"file", ""},
      {"line", 0}};
  file_.write(log_, at, line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void RecorderWriter::close(std::int64_t steps) {
  file_.end_chunk();
  file_.add_metadata({"end",
                      {{"steps", format("{}", steps)},
                       {"time", format("{}", last_time_)},
                       {"hash", format("{}", last_hash_)}}});
  file_.close();
}

}  // namespace stiction
