#pragma once
// A simulation that people watch and change while it runs: a thread that steps worlds in real time, takes
// commands from a queue, and informs its audience.
//
// A step that fails pauses the simulation and reports the error. The scene file is read again when it changes
// on disk; if it has an error, the old scene continues and the audience gets the message with file and line.

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "apps/viewer/audience.h"
#include "apps/viewer/file_watch.h"
#include "apps/viewer/live_worlds.h"
#include "stiction/base/timer.h"

namespace stiction::viewer {

struct LiveOptions {
  std::string name;                       // of the scene, for display
  std::function<Scene()> load;            // throws UserError
  std::vector<std::string> formulations;  // empty: the scene's own
  std::filesystem::path watched;          // its file; empty: none
  double speed = 1.0;                     // times real time
  bool runs = true;                       // starts as soon as somebody watches
};

class LiveSession {
 public:
  // Loads the scene. Throws UserError. The audience must live longer.
  LiveSession(LiveOptions options, Audience* audience);
  ~LiveSession();

  // May be called from any thread. The simulation runs only while there are viewers.
  void viewer_joined();
  void viewer_left();
  // A message of the page. An invalid one is answered with an error and changes nothing.
  void receive(std::uint64_t viewer, std::string message);

 private:
  struct Command {
    std::uint64_t viewer = kEveryone;
    std::string text;
  };

  void work();
  void execute(const Command& command);
  void advance();
  void reload();
  void publish_stage();
  void publish_status();
  void publish_frames();
  void restart_clock();

  LiveOptions options_;
  Audience* audience_;
  std::unique_ptr<LiveWorlds> worlds_;
  FileWatch watch_;
  // Used by the session's thread only.
  bool runs_ = false, has_viewer_ = false;
  double speed_ = 1.0;
  std::string failure_, file_error_;  // of a step, of the scene file; empty: none
  bool frame_is_old_ = true, status_is_old_ = true;
  double wall_begin_ = 0.0, time_begin_ = 0.0;                       // s, origin of the clock
  double factor_wall_ = 0.0, factor_time_ = 0.0, factor_ = 0.0;      // of real time
  double last_frame_ = -1.0, last_status_ = -1.0, last_look_ = 0.0;  // s
  ViewFrame frame_;

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<Command> commands_;
  bool is_ending_ = false;
  int num_viewers_ = 0;
  std::thread thread_;
};

}  // namespace stiction::viewer
