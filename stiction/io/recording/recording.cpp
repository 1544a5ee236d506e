#include "stiction/io/recording/recording.h"

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/io/model_json.h"
#include "stiction/io/recording/formulation_json.h"
#include "stiction/io/recording/names.h"
#include "stiction/io/recording/proto_message.h"

namespace stiction {
namespace {

using Json = nlohmann::json;

void set_scene(std::string_view text, const std::string& file, RecordedScene* scene) {
  try {
    const Json json = Json::parse(text);
    STICTION_USER_CHECK(json.at("format") == kRecordingFormat, "{}: is not a recording of stiction", file);
    check_format_version(kRecordingVersions, json.at("version").get<double>(), file);
    scene->program = json.at("program").get<std::string>();
    scene->scene = json.at("scene").get<std::string>();
    scene->command_line = json.at("command_line").get<std::vector<std::string>>();
    scene->h = json.at("h").get<double>();
    scene->formulation =
        formulation_from_json(json.at("formulation").get<std::string>(), file + " (formulation)");
    for (const Json& entry : json.at("pair_overrides")) {
      PairOverride pair;
      pair.shapes = {entry.at("shapes").at(0).get<int>(), entry.at("shapes").at(1).get<int>()};
      for (const PairNumber& row : kPairNumbers)
        if (entry.contains(row.name)) pair.*row.number = entry[row.name].get<double>();
      scene->pair_overrides.push_back(pair);
    }
    const auto stages = json.at("stages").get<std::string>();
    for (std::size_t begin = 0; begin < stages.size();) {
      const std::size_t end = std::min(stages.find(',', begin), stages.size());
      scene->stages.push_back(stages.substr(begin, end - begin));
      begin = end + 1;
    }
  } catch (const Json::exception& error) {
    throw_user_error(format("{}: the scene cannot be read: {}", file, error.what()));
  }
}

template <class Message>
bool take(const McapMessage& from, const char* topic, RecordedMessage* message) {
  if (from.channel->topic != topic) return false;
  if (!std::holds_alternative<Message>(*message)) message->emplace<Message>();
  decode(from.data, &std::get<Message>(*message));
  return true;
}

}  // namespace

RecordingReader::RecordingReader(const std::filesystem::path& file) : reader_(file) { read_scene(); }

// The scene and the model are the first two messages.
void RecordingReader::read_scene() {
  McapMessage message;
  bool has_scene = false;
  while (reader_.next(&message)) {
    if (message.channel->topic == topic::kScene) {
      set_scene(message.data, reader_.file(), &scene_);
      has_scene = true;
    } else if (has_scene && message.channel->topic == topic::kModel) {
      scene_.model = model_from_json(message.data, reader_.file() + " (model)");
      return;
    } else {
      break;
    }
  }
  throw_user_error(format("{}: has no scene and model at its beginning{}{}", reader_.file(),
                          reader_.ending().empty() ? "" : "; ", reader_.ending()));
}

bool RecordingReader::next(RecordedMessage* message) {
  McapMessage read;
  while (reader_.next(&read)) {
    if (take<recorded::State>(read, topic::kState, message) ||
        take<recorded::Snapshot>(read, topic::kSnapshot, message) ||
        take<recorded::Input>(read, topic::kInput, message) ||
        take<recorded::Contacts>(read, topic::kContacts, message) ||
        take<recorded::Patches>(read, topic::kPatches, message) ||
        take<recorded::Residual>(read, topic::kResidual, message) ||
        take<recorded::Energies>(read, topic::kEnergies, message) ||
        take<recorded::Timings>(read, topic::kTimings, message))
      return true;
  }
  return false;
}

}  // namespace stiction
