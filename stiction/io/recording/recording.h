#pragma once
// Reads a recording (recorder.h) message by message.
//
//   RecordingReader reader("run.mcap");
//   RecordedMessage message;
//   while (reader.next(&message))
//     if (const auto* state = std::get_if<recorded::State>(&message)) plot(state->time, state->q);

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "stiction/io/recording/mcap_reader.h"
#include "stiction/io/recording/messages.h"
#include "stiction/simulation/contact/contact_model.h"
#include "stiction/simulation/step.h"

namespace stiction {

// What was simulated, and how.
struct RecordedScene {
  std::string scene;                      // as it was named at the command line
  std::vector<std::string> command_line;  // the program first
  std::string program;
  double h = 0.0;  // s
  Formulation formulation;
  std::vector<std::string> stages;  // of Timings
  Model model;
  std::vector<PairOverride> pair_overrides;
};

using RecordedMessage =
    std::variant<recorded::State, recorded::Snapshot, recorded::Input, recorded::Contacts, recorded::Patches,
                 recorded::Residual, recorded::Energies, recorded::Timings>;

// All throw UserError for what cannot be read.
class RecordingReader {
 public:
  explicit RecordingReader(const std::filesystem::path& file);

  const RecordedScene& scene() const { return scene_; }
  // False at the end. Messages of other topics are passed over.
  bool next(RecordedMessage* message);
  // As of McapReader.
  bool is_complete() const { return reader_.is_complete(); }
  const std::string& ending() const { return reader_.ending(); }

 private:
  void read_scene();

  McapReader reader_;
  RecordedScene scene_;
};

}  // namespace stiction
