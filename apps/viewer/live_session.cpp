#include "apps/viewer/live_session.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <nlohmann/json.hpp>

#include "apps/viewer/binary_frame.h"
#include "apps/viewer/live_command.h"
#include "stiction/base/check.h"

namespace stiction::viewer {
namespace {

// s of wall-clock time.
constexpr double kFrameTime = 1.0 / 60.0, kStatusTime = 0.5, kLookTime = 0.25;
constexpr double kLongestAdvance = 0.015;  // during which no command is read
constexpr double kLargestLag = 0.1;        // larger lags are not caught up with
constexpr double kNap = 0.004, kRest = 0.05;
constexpr std::size_t kMostCommands = 4096;  // that wait

}  // namespace

LiveSession::LiveSession(LiveOptions options, Audience* audience)
    : options_(std::move(options)),
      audience_(audience),
      worlds_(std::make_unique<LiveWorlds>(options_.load(), options_.formulations)),
      watch_(options_.watched),
      runs_(options_.runs),
      speed_(options_.speed) {
  publish_stage();
  publish_status();
  publish_frames();
  thread_ = std::thread([this] { work(); });
}

LiveSession::~LiveSession() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  has_work_.notify_one();
  thread_.join();
}

void LiveSession::viewer_joined() {
  {
    const std::scoped_lock lock(mutex_);
    ++num_viewers_;
  }
  has_work_.notify_one();
}

void LiveSession::viewer_left() {
  const std::scoped_lock lock(mutex_);
  --num_viewers_;
}

void LiveSession::receive(std::uint64_t viewer, std::string message) {
  bool is_full = false;
  {
    const std::scoped_lock lock(mutex_);
    is_full = commands_.size() >= kMostCommands;
    if (!is_full) commands_.push_back({viewer, std::move(message)});
  }
  if (is_full) audience_->send_error(viewer, "too many commands wait");
  has_work_.notify_one();
}

void LiveSession::work() {
  std::deque<Command> commands;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      const std::chrono::duration<double> nap(runs_ && has_viewer_ ? kNap : kRest);
      has_work_.wait_for(lock, nap, [this] {
        return is_ending_ || !commands_.empty() || (num_viewers_ > 0) != has_viewer_;
      });
      if (is_ending_) return;
      commands.swap(commands_);
      if ((num_viewers_ > 0) != has_viewer_) {
        has_viewer_ = !has_viewer_;
        restart_clock();
      }
    }
    for (const Command& command : commands) execute(command);
    commands.clear();
    const double now = steady_seconds();
    if (now - last_look_ >= kLookTime) {
      last_look_ = now;
      if (watch_.has_changed()) reload();
    }
    if (runs_ && has_viewer_) advance();
    if (frame_is_old_ && steady_seconds() - last_frame_ >= kFrameTime) publish_frames();
    if (status_is_old_ || steady_seconds() - last_status_ >= kStatusTime) publish_status();
  }
}

void LiveSession::restart_clock() {
  wall_begin_ = factor_wall_ = steady_seconds();
  time_begin_ = factor_time_ = worlds_->time();
}

void LiveSession::execute(const Command& command) {
  try {
    const LiveChange change = apply_command(command.text, worlds_.get());
    if (change.runs) runs_ = *change.runs;
    if (change.speed) speed_ = *change.speed;
    if (change.runs || change.speed || change.time_is_other) restart_clock();
    // After a failure, try again.
    if (change.runs || change.time_is_other) failure_.clear();
    for (int i = 0; i < change.steps; ++i) worlds_->step();
    if (change.formulation_is_other) {
      options_.formulations = worlds_->formulations();
      publish_stage();
    }
  } catch (const SimulationError& error) {
    failure_ = error.what();
    runs_ = false;
    audience_->send_error(kEveryone, failure_);
  } catch (const std::exception& error) {
    audience_->send_error(command.viewer, error.what());
  }
  frame_is_old_ = status_is_old_ = true;
}

void LiveSession::advance() {
  const double begin = steady_seconds();
  const double target = time_begin_ + speed_ * (begin - wall_begin_);
  try {
    while (worlds_->time() + worlds_->h() <= target && steady_seconds() - begin < kLongestAdvance) {
      worlds_->step();
      frame_is_old_ = true;
    }
  } catch (const std::exception& error) {
    failure_ = error.what();
    runs_ = false;
    status_is_old_ = true;
    audience_->send_error(kEveryone, failure_);
  }
  // Slower than requested: the lost time is not caught up with.
  if (target - worlds_->time() > kLargestLag * std::max(1.0, speed_)) {
    wall_begin_ = begin;
    time_begin_ = worlds_->time();
  }
}

void LiveSession::reload() {
  try {
    auto worlds = std::make_unique<LiveWorlds>(options_.load(), options_.formulations);
    worlds_ = std::move(worlds);
    file_error_.clear();
    failure_.clear();
    publish_stage();
  } catch (const std::exception& error) {
    file_error_ = error.what();
    audience_->send_error(kEveryone, file_error_);
  }
  restart_clock();
  frame_is_old_ = status_is_old_ = true;
}

void LiveSession::publish_stage() {
  audience_->set_stage(worlds_->stage(options_.name));
  frame_is_old_ = true;
}

void LiveSession::publish_frames() {
  for (std::size_t t = 0; t < worlds_->count(); ++t) {
    worlds_->make_frame(t, &frame_);
    audience_->send_frame(t, binary_frame(static_cast<std::uint32_t>(t), frame_));
  }
  last_frame_ = steady_seconds();
  frame_is_old_ = false;
}

void LiveSession::publish_status() {
  const double now = steady_seconds();
  if (now - factor_wall_ >= 0.5 * kStatusTime) {
    factor_ = (worlds_->time() - factor_time_) / (now - factor_wall_);
    factor_wall_ = now;
    factor_time_ = worlds_->time();
  }
  const WorldOptions& options = worlds_->world(0).options();
  const Vec3& gravity = worlds_->world(0).model().forest.gravity;
  nlohmann::json status = {{"type", "status"},
                           {"running", runs_},
                           {"speed", speed_},
                           {"time", worlds_->time()},
                           {"step", worlds_->steps()},
                           {"formulation", worlds_->formulations()},
                           {"h", options.h},
                           {"scheme", options.formulation.scheme->name()},
                           {"friction", worlds_->materials().friction},
                           {"stiffness", worlds_->materials().stiffness},
                           {"gravity", {gravity.x(), gravity.y(), gravity.z()}},
                           {"error", nullptr},
                           {"real_time_factor", runs_ ? factor_ : 0.0}};
  if (!failure_.empty() || !file_error_.empty()) status["error"] = failure_.empty() ? file_error_ : failure_;
  audience_->set_status(status.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  last_status_ = now;
  status_is_old_ = false;
}

}  // namespace stiction::viewer
