#include "stiction/io/recording/replay.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "stiction/base/check.h"
#include "stiction/io/recording/recording.h"
#include "stiction/simulation/model/overrides.h"

namespace stiction {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// The joint that a position or velocity belongs to.
const JointIndices* owner(const Forest& forest, int index, bool is_position, int* joint) {
  for (std::size_t j = 0; j < forest.joints.size(); ++j) {
    const JointIndices& place = forest.joints[j];
    const int begin = is_position ? place.q_begin : place.v_begin;
    const int count = is_position ? place.num_q : place.num_v;
    if (index < begin || index >= begin + count) continue;
    *joint = static_cast<int>(j);
    return &place;
  }
  return nullptr;
}

// The model as the recorded world had it.
Model with_overrides(const RecordedScene& scene) {
  Model model = scene.model;
  model.pair_overrides = scene.pair_overrides;
  return model;
}

class Replay {
 public:
  // Begins at the snapshot of this step.
  Replay(const RecordedScene& scene, const ReplayOptions& options, std::int64_t first_step)
      : scene_(scene),
        options_(options),
        model_(with_overrides(scene)),
        record_(model_),
        workspace_(model_),
        now_(model_),
        next_(model_),
        step_(first_step) {}

  // False where nothing more is to be done.
  bool take(const recorded::Snapshot& message) {
    if (!is_begun_) {
      if (message.step != step_) return true;
      recorded::set_state(message, &now_);
      check_sizes();
      STICTION_USER_CHECK(message.hash == hash(now_), "the snapshot of step {} does not have its hash",
                          message.step);
      is_begun_ = true;
      result_.begin = now_.time;
      return true;
    }
    if (!advance(message.step)) return false;
    recorded::set_state(message, &given_);
    return compare(given_, message.step) && compare_hash(message.hash, message.step);
  }

  bool take(const recorded::Input& message) {
    if (is_begun_ && !advance(message.step)) return false;
    recorded::set_input(message, &input_);
    check_input(scene_.model, input_);
    h_ = message.h;
    STICTION_USER_CHECK(std::isfinite(h_) && h_ > 0.0, "a step of the recording is {} s long", h_);
    return true;
  }

  bool take(const recorded::State& message) {
    if (!is_begun_) return true;
    if (!advance(message.step)) return false;
    given_.time = message.time;
    given_.q = message.q;
    given_.v = message.v;
    given_.activations = message.activations;
    if (!compare(given_, message.step)) return false;
    ++result_.compared;
    return !options_.proceed || options_.proceed(now_.time);
  }

  ReplayResult result() {
    STICTION_USER_CHECK(is_begun_, "the recording has no snapshot to begin with");
    result_.end = now_.time;
    result_.hash = hash(now_);
    return result_;
  }

 private:
  void check_sizes() const {
    const Model& model = scene_.model;
    STICTION_USER_CHECK(now_.q.size() == model.num_q() && now_.v.size() == model.num_v() &&
                            now_.activations.size() == model.num_activations() &&
                            now_.acceleration.size() == now_.last_acceleration.size() &&
                            (now_.acceleration.size() == model.num_v() || now_.acceleration.size() == 0),
                        "a snapshot of the recording does not fit its model '{}'", model.name);
  }

  bool advance(std::int64_t step) {
    STICTION_USER_CHECK(h_ > 0.0 || step <= step_, "the recording has no input before step {}", step);
    for (; step_ < step; ++step_) {
      const StepReport report =
          stiction::step(model_, now_, input_, h_, scene_.formulation, &record_, &workspace_, &next_);
      ++result_.steps;
      if (!report.ok()) {
        result_.difference = {step_ + 1, now_.time, describe(scene_.model, report), {}, {}, 0.0, 0.0};
        return false;
      }
      std::swap(now_, next_);
    }
    return true;
  }

  bool differs(std::int64_t step, const std::string& what, double given, double own, int joint = -1) {
    if (same_bits(given, own)) return false;
    ReplayDifference difference{step, now_.time, what, {}, {}, given, own};
    if (joint >= 0) {
      const Forest& forest = scene_.model.forest;
      difference.joint = forest.joint(joint).name;
      difference.body = forest.bodies[forest.joints[static_cast<std::size_t>(joint)].body].name;
      difference.what += format(" of joint '{}' (body '{}')", difference.joint, difference.body);
    }
    result_.difference = std::move(difference);
    return true;
  }

  bool compare_numbers(const VecX& given, const VecX& own, std::int64_t step, const char* what,
                       bool is_position, bool has_joints) {
    if (differs(step, std::string("number of ") + what + "s", static_cast<double>(given.size()),
                static_cast<double>(own.size())))
      return false;
    for (int i = 0; i < static_cast<int>(own.size()); ++i) {
      if (same_bits(given[i], own[i])) continue;
      int joint = -1;
      const JointIndices* place = has_joints ? owner(scene_.model.forest, i, is_position, &joint) : nullptr;
      const int within = place == nullptr ? i : i - (is_position ? place->q_begin : place->v_begin);
      return !differs(step, format("{} {}", what, within), given[i], own[i], joint);
    }
    return true;
  }

  bool compare(const State& given, std::int64_t step) {
    return !differs(step, "the time", given.time, now_.time) &&
           compare_numbers(given.q, now_.q, step, "position", true, true) &&
           compare_numbers(given.v, now_.v, step, "velocity", false, true) &&
           compare_numbers(given.activations, now_.activations, step, "activation", false, false);
  }

  // Positions and velocities are the same, so a different hash means different warm-start memory.
  bool compare_hash(std::uint64_t given, std::int64_t step) {
    if (given == hash(now_)) return true;
    result_.difference = {step, now_.time, "what the contact solver remembers", {}, {}, 0.0, 0.0};
    return false;
  }

  const RecordedScene& scene_;
  const ReplayOptions& options_;
  Model model_;
  StepRecord record_;
  StepWorkspace workspace_;
  State now_, next_, given_;
  Input input_;
  double h_ = 0.0;  // s
  std::int64_t step_ = 0;
  bool is_begun_ = false;
  ReplayResult result_;
};

// Step of the last snapshot that is not after the time, or of the first one.
std::int64_t snapshot_before(const std::filesystem::path& file, double time) {
  RecordingReader reader(file);
  RecordedMessage message;
  std::int64_t step = -1;
  while (reader.next(&message)) {
    const auto* snapshot = std::get_if<recorded::Snapshot>(&message);
    if (snapshot == nullptr) continue;
    if (step >= 0 && snapshot->time > time) break;
    step = snapshot->step;
  }
  return std::max<std::int64_t>(step, 0);
}

}  // namespace

ReplayResult replay(const std::filesystem::path& file, const ReplayOptions& options) {
  STICTION_USER_CHECK(!std::isnan(options.from), "a replay cannot begin at {} s", options.from);
  RecordingReader reader(file);
  Replay replay(reader.scene(), options, options.from > 0.0 ? snapshot_before(file, options.from) : 0);
  RecordedMessage message;
  bool goes_on = true;
  while (goes_on && reader.next(&message)) {
    if (const auto* state = std::get_if<recorded::State>(&message)) goes_on = replay.take(*state);
    if (const auto* input = std::get_if<recorded::Input>(&message)) goes_on = replay.take(*input);
    if (const auto* snapshot = std::get_if<recorded::Snapshot>(&message)) goes_on = replay.take(*snapshot);
  }
  ReplayResult result = replay.result();
  result.ending = reader.ending();
  return result;
}

}  // namespace stiction
