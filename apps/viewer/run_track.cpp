#include "apps/viewer/run_track.h"

#include <cmath>
#include <fstream>

#include "apps/viewer/stage_shapes.h"
#include "stiction/base/check.h"
#include "stiction/io/recording/mcap_format.h"
#include "stiction/io/recording/recording.h"
#include "stiction/simulation/formulation.h"

namespace stiction::viewer {
namespace {

// Packs the frames of a recording.
class RecordingTrack {
 public:
  RecordingTrack(const RecordedScene& scene, double fps)
      : scene_(scene), world_(make_world(scene)), maker_(world_, false), clock_(fps) {}

  void take(const recorded::Input& message) { recorded::set_input(message, &world_.input()); }

  void take(const recorded::State& message) {
    finish_frame();
    State state = world_.state();
    state.time = message.time;
    state.q = message.q;
    state.v = message.v;
    state.activations = message.activations;
    world_.set_state(state);
    is_wanted_ = clock_.wants(message.time);
    is_open_ = true;
    frame_.step = message.step;
    contacts_.clear();
    patches_.clear();
    has_solve_ = has_energies_ = false;
  }
  void take(const recorded::Contacts& message) { contacts_ = message.contacts; }
  void take(const recorded::Patches& message) { patches_ = message.patches; }
  void take(const recorded::Residual& message) {
    solve_ = message;
    has_solve_ = true;
  }
  void take(const recorded::Energies& message) {
    energies_ = message;
    has_energies_ = true;
  }
  template <class Other>
  void take(const Other&) {}

  ViewedRun result() {
    // The last state is a frame too.
    is_wanted_ = true;
    finish_frame();
    STICTION_USER_CHECK(packer_ != nullptr, "the recording has no state");
    StageOptions options;
    options.name = scene_.scene.empty() ? scene_.model.name : scene_.scene;
    options.tracks = {{formulation_name(scene_.formulation.contact), scene_.h}};
    return {stage_json(scene_.model, first_poses_, options), {packer_->finish()}};
  }

 private:
  static World make_world(const RecordedScene& scene) {
    WorldOptions options;
    options.h = scene.h;
    options.formulation = scene.formulation;
    World world(scene.model, options);
    const auto name = [&](int shape) -> const std::string& {
      const int shapes = static_cast<int>(scene.model.shapes.size());
      STICTION_USER_CHECK(shape >= 0 && shape < shapes, "the recording speaks of shape {}, but there are {}",
                          shape, shapes);
      return scene.model.shapes[static_cast<std::size_t>(shape)].name;
    };
    for (const PairOverride& pair : scene.pair_overrides) {
      const std::string &a = name(pair.shapes.first), &b = name(pair.shapes.second);
      if (pair.friction) world.set_pair_friction(a, b, *pair.friction);
      if (pair.stiffness) world.set_pair_stiffness(a, b, *pair.stiffness);
      if (pair.dissipation) world.set_pair_dissipation(a, b, *pair.dissipation);
      if (pair.relaxation_time) world.set_pair_relaxation_time(a, b, *pair.relaxation_time);
      if (pair.restitution) world.set_pair_restitution(a, b, *pair.restitution);
    }
    return world;
  }

  void finish_frame() {
    if (!is_open_ || !is_wanted_) return;
    is_open_ = false;
    maker_.set_state(world_, world_.input(), &frame_);
    for (const recorded::Contact& contact : contacts_) check(contact);
    maker_.set_contacts(contacts_.data(), contacts_.size(), &frame_);
    for (const recorded::Patch& patch : patches_) check(patch);
    maker_.set_patches(patches_.data(), patches_.size(), &frame_);
    if (has_solve_) FrameMaker::set_solve(solve_.residual, solve_.iterations, solve_.status, &frame_);
    if (has_energies_) {
      frame_.values[0] = energies_.kinetic;
      frame_.values[1] = energies_.gravity;
      frame_.values[2] = energies_.springs;
    }
    if (!packer_) {
      first_poses_ = frame_.poses;
      const double radius = view_ball(scene_.model, first_poses_).radius;
      packer_ = std::make_unique<TrackPacker>(maker_.value_names(), track_scales(scene_.model, radius));
    }
    packer_->add(frame_);
  }

  void check(const recorded::Contact& contact) const {
    const int bodies = static_cast<int>(scene_.model.forest.bodies.size());
    for (const int body : {contact.body_a, contact.body_b})
      STICTION_USER_CHECK(body >= 0 && body < bodies,
                          "a contact of the recording is of body {}, but there are {}", body, bodies);
  }

  void check(const recorded::Patch& patch) const {
    const int bodies = static_cast<int>(scene_.model.forest.bodies.size()),
              shapes = static_cast<int>(scene_.model.shapes.size());
    for (const int body : {patch.body_a, patch.body_b})
      STICTION_USER_CHECK(body >= 0 && body < bodies,
                          "a patch of the recording is of body {}, but there are {}", body, bodies);
    for (const int shape : {patch.shape_a, patch.shape_b})
      STICTION_USER_CHECK(shape >= 0 && shape < shapes,
                          "a patch of the recording is of shape {}, but there are {}", shape, shapes);
    std::size_t corners = 0;
    for (const int count : patch.corner_counts) {
      STICTION_USER_CHECK(count >= 0, "a polygon of the recording has {} corners", count);
      corners += static_cast<std::size_t>(count);
    }
    STICTION_USER_CHECK(patch.pressures.size() == corners && patch.corners.size() == 3 * corners,
                        "a patch of the recording has {} corners with {} pressures and {} coordinates",
                        corners, patch.pressures.size(), patch.corners.size());
  }

  const RecordedScene& scene_;
  World world_;
  FrameMaker maker_;
  FrameClock clock_;
  std::vector<ViewPose> first_poses_;
  std::unique_ptr<TrackPacker> packer_;
  ViewFrame frame_;
  bool is_open_ = false, is_wanted_ = false;
  std::vector<recorded::Contact> contacts_;
  std::vector<recorded::Patch> patches_;
  recorded::Residual solve_;
  recorded::Energies energies_;
  bool has_solve_ = false, has_energies_ = false;
};

}  // namespace

bool FrameClock::wants(double time) {
  // Times are sums and products of steps.
  constexpr double kRoundOff = 1e-6;
  if (count_ == 0) begin_ = time;
  if (time < begin_ + (static_cast<double>(count_) - kRoundOff) * interval_) return false;
  count_ = std::max(count_ + 1,
                    static_cast<std::int64_t>(std::floor((time - begin_) / interval_ + kRoundOff)) + 1);
  return true;
}

RunTrack::RunTrack(const World& world, const Input& input, double fps) : maker_(world, true), clock_(fps) {
  check_fps(fps);
  maker_.set_state(world, input, &frame_);
  clock_.wants(frame_.time);
  first_poses_ = frame_.poses;
  const double radius = view_ball(world.model(), first_poses_).radius;
  packer_ = std::make_unique<TrackPacker>(maker_.value_names(), track_scales(world.model(), radius));
  packer_->add(frame_);
}

void RunTrack::add(const World& world, const Input& input, const StepReport& report) {
  ++step_;
  last_report_ = report;
  is_pending_ = true;
  if (clock_.wants(world.time())) add_frame(world, input);
}

void RunTrack::add_frame(const World& world, const Input& input) {
  frame_.step = step_;
  maker_.set_state(world, input, &frame_);
  maker_.set_step(world.record(), last_report_, &frame_);
  packer_->add(frame_);
  is_pending_ = false;
}

std::string RunTrack::finish(const World& world, const Input& input) {
  if (is_pending_) add_frame(world, input);
  return packer_->finish();
}

ViewedRun read_run(const std::filesystem::path& recording, double fps) {
  check_fps(fps);
  RecordingReader reader(recording);
  RecordingTrack track(reader.scene(), fps);
  RecordedMessage message;
  while (reader.next(&message)) std::visit([&](const auto& one) { track.take(one); }, message);
  return track.result();
}

bool is_recording(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::ifstream stream(file, std::ios::binary);
  std::string begin(kMcapMagic.size(), '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return stream.gcount() == static_cast<std::streamsize>(begin.size()) && begin == kMcapMagic;
}

void check_fps(double fps) {
  STICTION_USER_CHECK(std::isfinite(fps) && fps >= 1.0 && fps <= 1000.0,
                      "frames per second must be from 1 to 1000, not {}", fps);
}

}  // namespace stiction::viewer
