#include "stiction/io/recording/recorder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "stiction/base/check.h"
#include "stiction/io/recording/recorder_frame.h"
#include "stiction/io/recording/recorder_writer.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

// The ring of frames between the two threads has as many as fit into this memory. Compressing a chunk takes a
// few milliseconds, in which the ring must not fill up.
constexpr int kMostFrames = 256, kFewestFrames = 4;
constexpr std::size_t kFrameMemory = std::size_t{32} << 20;  // bytes
constexpr std::size_t kContactBytes = 200;                   // some four points a body

// How often the writer looks whether there is something to do: waking it for every frame would cost the
// stepping thread more than the frame itself. It is woken where half of the ring is full.
constexpr std::chrono::milliseconds kLook(5);

int frame_count(const Model& model) {
  const std::size_t state = sizeof(double) * static_cast<std::size_t>(model.num_q() + 4 * model.num_v());
  const std::size_t bytes = state + 4 * kContactBytes * (1 + model.shapes.size());
  return std::clamp(static_cast<int>(kFrameMemory / bytes), kFewestFrames, kMostFrames);
}

}  // namespace

struct Recorder::Frame : RecorderFrame {};

// The ring, and the thread that empties it. The only thread of the library outside of parallel_for: it waits
// for the disk.
class Recorder::Writer {
 public:
  // The first frame is in the file, with the scene, before anything else happens.
  Writer(const World& world, const RecorderOptions& options, const Frame& first)
      : writer_(world, options),
        frames_(static_cast<std::size_t>(frame_count(world.model())), first),
        chunk_time_(options.chunk_seconds) {
    writer_.write(first);
    writer_.end_chunk();
    time_ = world.time();
    thread_ = std::thread([this] { work(); });
  }

  ~Writer() { stop(); }

  // A frame to fill in; waits where there is none.
  Frame* free_frame() {
    std::unique_lock lock(mutex_);
    if (count_ == frames_.size()) {
      ++waits_;
      has_work_.notify_one();
      has_space_.wait(lock, [this] { return count_ < frames_.size(); });
    }
    if (!error_.empty()) throw_user_error(error_);
    return &frames_[(begin_ + count_) % frames_.size()];
  }

  void publish(double time) {
    time_ = time;
    std::size_t count = 0;
    {
      const std::scoped_lock lock(mutex_);
      count = ++count_;
    }
    if (2 * count >= frames_.size()) has_work_.notify_one();
  }

  void log(LogLevel level, std::string_view message) {
    const std::scoped_lock lock(mutex_);
    lines_.push_back({time_, level, std::string(message)});
  }

  // Writes what is left and ends the file.
  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::scoped_lock lock(mutex_);
      is_ending_ = true;
    }
    has_work_.notify_one();
    thread_.join();
  }

  std::atomic<std::int64_t> steps = 0;
  std::int64_t waits() const { return waits_; }
  const std::string& error() const { return error_; }
  const RecorderWriter& file() const { return writer_; }

 private:
  struct Line {
    double time = 0.0;  // s
    LogLevel level = LogLevel::kInfo;
    std::string text;
  };

  void work() {
    std::vector<Line> lines;
    bool is_ending = false;
    while (!is_ending) {
      std::size_t begin = 0, count = 0;
      {
        std::unique_lock lock(mutex_);
        has_work_.wait_for(lock, kLook, [this] { return is_ending_ || 2 * count_ >= frames_.size(); });
        begin = begin_;
        count = count_;
        is_ending = is_ending_;
        lines.swap(lines_);
      }
      write(begin, count, lines, is_ending);
      lines.clear();
      {
        const std::scoped_lock lock(mutex_);
        begin_ = (begin_ + count) % frames_.size();
        count_ -= count;
      }
      if (count > 0) has_space_.notify_one();
    }
  }

  // Once something could not be written, frames are discarded until the stepping thread has seen the error.
  void write(std::size_t begin, std::size_t count, const std::vector<Line>& lines, bool is_ending) {
    if (has_failed_) return;
    try {
      for (std::size_t i = 0; i < count; ++i) writer_.write(frames_[(begin + i) % frames_.size()]);
      for (const Line& line : lines) writer_.write_log(line.time, line.level, line.text);
      end_old_chunk();
      if (is_ending) writer_.close(steps);
    } catch (const std::exception& error) {
      has_failed_ = true;
      const std::scoped_lock lock(mutex_);
      error_ = error.what();
    }
  }

  void end_old_chunk() {
    if (!writer_.has_open_chunk()) {
      chunk_clock_.restart();
    } else if (chunk_clock_.seconds() >= chunk_time_) {
      writer_.end_chunk();
      chunk_clock_.restart();
    }
  }

  // Of the writing thread.
  RecorderWriter writer_;
  Stopwatch chunk_clock_;
  bool has_failed_ = false;
  // Frames [begin_, begin_ + count_) belong to the writing thread, the others to the stepping one.
  std::vector<Frame> frames_;
  double chunk_time_;
  std::mutex mutex_;
  std::condition_variable has_work_, has_space_;
  std::size_t begin_ = 0, count_ = 0;
  std::int64_t waits_ = 0;
  bool is_ending_ = false;
  std::string error_;
  std::vector<Line> lines_;
  std::atomic<double> time_ = 0.0;
  std::thread thread_;
};

Recorder::Recorder(const World& world, const Input& input, const RecorderOptions& options)
    : options_(options), time_(world.time()) {
  STICTION_USER_CHECK(options.every >= 1, "every {}-th step cannot be recorded", options.every);
  STICTION_ASSERT(options.snapshot_every >= 1);
  Frame first;
  first.input = input;
  copy_state(world, &first);
  writer_ = std::make_unique<Writer>(world, options, first);
}

Recorder::~Recorder() = default;

void Recorder::copy_state(const World& world, Frame* frame) {
  frame->step = step_;
  frame->has_state = true;
  frame->has_snapshot = states_ % options_.snapshot_every == 0;
  const State& state = world.state();
  if (frame->has_snapshot) {
    frame->state = state;
  } else {
    frame->state.time = state.time;
    frame->state.q = state.q;
    frame->state.v = state.v;
    frame->state.activations = state.activations;
  }
  last_state_ = step_;
  has_last_snapshot_ = frame->has_snapshot;
  ++states_;
}

void Recorder::copy_step(const World& world, const StepReport& report, Frame* frame) {
  const StepRecord& record = world.record();
  frame->solve = report.contact;
  frame->certificate = report.certificate;
  copy_contacts(record, frame);
  copy_patches(*world.model().tables().collision, record, &patches_, frame);
  const StageTimers& timers = world.workspace().timers;
  for (int s = 0; s < timers.stage_count(); ++s)
    frame->seconds[static_cast<std::size_t>(s)] = timers.seconds(s);
}

void Recorder::record(const World& world, const Input& input, double h, const StepReport& report) {
  Frame* frame = writer_->free_frame();
  frame->step = ++step_;
  frame->has_step = true;
  frame->has_state = frame->has_snapshot = has_last_snapshot_ = false;
  frame->begin_time = time_;
  frame->h = h;
  frame->input = input;
  if (step_ % options_.every == 0) {
    copy_state(world, frame);
    copy_step(world, report, frame);
  }
  time_ = world.time();
  writer_->steps = step_;
  writer_->publish(time_);
}

void Recorder::log(LogLevel level, std::string_view message) { writer_->log(level, message); }

RecorderStatistics Recorder::close(const World& world) {
  if (!has_last_snapshot_) {
    Frame* frame = writer_->free_frame();
    frame->step = step_;
    frame->has_step = false;
    frame->has_state = last_state_ != step_;
    frame->has_snapshot = has_last_snapshot_ = true;
    frame->state = world.state();
    if (frame->has_state) ++states_;
    writer_->publish(world.time());
  }
  writer_->stop();
  if (!writer_->error().empty()) throw_user_error(writer_->error());
  RecorderStatistics statistics;
  statistics.steps = step_;
  statistics.states = states_;
  statistics.waits = writer_->waits();
  statistics.message_bytes = writer_->file().message_bytes();
  statistics.file_bytes = writer_->file().file_bytes();
  return statistics;
}

}  // namespace stiction
