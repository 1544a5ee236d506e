#include "apps/viewer/live_worlds.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/overrides.h"

namespace stiction::viewer {
namespace {

// Number of states to step back to, limited by memory.
constexpr std::size_t kMostKept = 1000, kFewestKept = 10;
constexpr std::size_t kKeptMemory = std::size_t{256} << 20;  // bytes

// Of one state, with some contacts for each shape.
std::size_t state_bytes(const Model& model) {
  constexpr std::size_t kPerShape = 4 * 160;
  return sizeof(State) + sizeof(double) * static_cast<std::size_t>(model.num_q() + 3 * model.num_v()) +
         kPerShape * model.shapes.size();
}

constexpr double kShortestStep = 1e-6, kLongestStep = 0.1;  // s, of a person's slider

}  // namespace

LiveWorlds::LiveWorlds(const Scene& scene, const std::vector<std::string>& formulations) : scene_(scene) {
  const std::vector<std::string> names = formulations.empty() ? std::vector<std::string>{""} : formulations;
  STICTION_USER_CHECK(names.size() <= kMostTracks, "at most {} formulations are shown at once, not {}",
                      kMostTracks, names.size());
  const auto model = std::make_shared<const Model>(scene.model);
  for (const std::string& name : names) {
    WorldOptions options = scene.options;
    if (!name.empty()) stiction::set_formulation(name, &options.formulation.contact);
    Track track;
    track.world = std::make_unique<World>(model, options);
    start_scene(scene_, track.world.get());
    track.maker = std::make_unique<FrameMaker>(*track.world, true);
    tracks_.push_back(std::move(track));
  }
  time_ = tracks_.front().world->time();
  materials_ = first_materials(scene.model);
  const std::size_t most = kKeptMemory / (names.size() * state_bytes(scene.model));
  ring_.resize(std::clamp(most, kFewestKept, kMostKept));
}

double LiveWorlds::h() const {
  double longest = 0.0;
  for (const Track& track : tracks_) longest = std::max(longest, track.world->options().h);
  return longest;
}

std::vector<std::string> LiveWorlds::formulations() const {
  std::vector<std::string> names;
  for (const Track& track : tracks_)
    names.push_back(formulation_name(track.world->options().formulation.contact));
  return names;
}

void LiveWorlds::keep() {
  Kept& kept = ring_[ring_end_];
  kept.states.resize(tracks_.size());
  for (std::size_t t = 0; t < tracks_.size(); ++t) kept.states[t] = tracks_[t].world->state();
  kept.time = time_;
  kept.steps = steps_;
  ring_end_ = (ring_end_ + 1) % ring_.size();
  num_kept_ = std::min(num_kept_ + 1, ring_.size());
}

void LiveWorlds::restore(const Kept& kept) {
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    tracks_[t].world->set_state(kept.states[t]);
    tracks_[t].has_step = false;
  }
  time_ = kept.time;
  steps_ = kept.steps;
}

bool LiveWorlds::back() {
  if (num_kept_ == 0) return false;
  ring_end_ = (ring_end_ + ring_.size() - 1) % ring_.size();
  --num_kept_;
  restore(ring_[ring_end_]);
  return true;
}

void LiveWorlds::step() {
  keep();
  const double end = time_ + h();
  for (Track& track : tracks_) {
    World& world = *track.world;
    const double own = world.options().h;
    try {
      // A remainder shorter than this fraction of h is round-off.
      while (end - world.time() > 1e-6 * own) {
        world.input().wrenches.clear();
        apply(scene_.schedule, &world);
        if (drag_.body >= 0) world.input().wrenches.push_back(drag_wrench(world, drag_, own));
        track.report = world.step(std::min(own, end - world.time() + 1e-9 * own));
      }
      track.has_step = true;
    } catch (const SimulationError& error) {
      back();
      throw SimulationError(formulation_name(world.options().formulation.contact) + ": " + error.what());
    } catch (...) {
      back();
      throw;
    }
  }
  time_ = end;
  ++steps_;
}

void LiveWorlds::reset(const std::optional<std::string>& keyframe) {
  std::optional<double> time;
  for (Track& track : tracks_) {
    World& world = *track.world;
    if (keyframe) {
      world.reset_to_keyframe(*keyframe);
    } else {
      world.reset();
      Scene start = scene_;
      start.pairs.clear();  // the world has them
      start_scene(start, &world);
    }
    world.input().wrenches.clear();
    track.has_step = false;
    if (!time) time = world.time();
  }
  time_ = *time;
  steps_ = 0;
  num_kept_ = 0;
  drop();
}

std::vector<LiveWorlds::Track*> LiveWorlds::chosen(std::optional<std::size_t> track) {
  STICTION_USER_CHECK(!track || *track < tracks_.size(), "there is no track {}, only {}", *track,
                      tracks_.size());
  std::vector<Track*> out;
  for (std::size_t t = 0; t < tracks_.size(); ++t)
    if (!track || *track == t) out.push_back(&tracks_[t]);
  return out;
}

void LiveWorlds::set_formulation(const std::string& name, std::optional<std::size_t> track) {
  for (Track* one : chosen(track))
    stiction::set_formulation(name, &one->world->options().formulation.contact);
}

void LiveWorlds::set_h(double h, std::optional<std::size_t> track) {
  STICTION_USER_CHECK(std::isfinite(h) && h >= kShortestStep && h <= kLongestStep,
                      "the step must be from {} to {} s, not {}", kShortestStep, kLongestStep, h);
  for (Track* one : chosen(track)) one->world->options().h = h;
}

void LiveWorlds::set_scheme(const std::string& name, std::optional<std::size_t> track) {
  const Scheme& scheme = find_scheme(name);
  for (Track* one : chosen(track)) one->world->options().formulation.scheme = &scheme;
}

void LiveWorlds::apply_pairs(World* world) const {
  for (const ScenePair& pair : scene_.pairs) {
    if (pair.friction && !has_own_friction_)
      world->set_pair_friction(pair.shape1, pair.shape2, *pair.friction);
    if (pair.stiffness) world->set_pair_stiffness(pair.shape1, pair.shape2, *pair.stiffness);
  }
}

// The motion continues from the present state.
void LiveWorlds::replace_model(Model model) {
  const auto shared = std::make_shared<const Model>(std::move(model));
  for (Track& track : tracks_) {
    auto world = std::make_unique<World>(shared, track.world->options());
    world->set_state(track.world->state());
    world->input() = track.world->input();
    apply_pairs(world.get());
    track.maker = std::make_unique<FrameMaker>(*world, true);
    track.world = std::move(world);
    track.has_step = false;
  }
}

void LiveWorlds::set_friction(double mu) {
  constexpr double kMost = 100.0;
  STICTION_USER_CHECK(std::isfinite(mu) && mu >= 0.0 && mu <= kMost, "friction must be from 0 to {}, not {}",
                      kMost, mu);
  Model model = tracks_.front().world->model();
  for (const PlacedShape& shape : tracks_.front().world->model().shapes)
    stiction::set_friction(shape.name, mu, &model);
  has_own_friction_ = true;
  replace_model(std::move(model));
  materials_.friction = mu;
}

void LiveWorlds::set_stiffness(double stiffness) {
  Model model = tracks_.front().world->model();
  for (const PlacedShape& shape : tracks_.front().world->model().shapes)
    stiction::set_stiffness(shape.name, stiffness, &model);
  replace_model(std::move(model));
  materials_.stiffness = stiffness;
}

void LiveWorlds::set_gravity(const Vec3& gravity) {
  Model model = tracks_.front().world->model();
  stiction::set_gravity(gravity, &model);
  replace_model(std::move(model));
}

void LiveWorlds::set_joint(const std::string& joint, double q) {
  STICTION_USER_CHECK(std::isfinite(q), "joint '{}' cannot be at {}", joint, q);
  for (Track& track : tracks_) {
    track.world->set_position(joint, q);
    track.world->set_velocity(joint, 0.0);
    track.has_step = false;
  }
}

void LiveWorlds::set_control(const std::string& actuator, double control) {
  STICTION_USER_CHECK(std::isfinite(control), "actuator '{}' cannot be told {}", actuator, control);
  const int index = world(0).model().actuator(actuator);
  std::erase_if(scene_.schedule.controls, [index](const ControlInput& one) { return one.actuator == index; });
  for (Track& track : tracks_) track.world->set_control(actuator, control);
}

void LiveWorlds::drag(const DragSpring& drag) {
  check_drag(world(0).model(), drag);
  drag_ = drag;
}

std::string LiveWorlds::stage(const std::string& name) {
  ViewFrame frame;
  make_frame(0, &frame);
  StageOptions options;
  options.name = name;
  options.live = true;
  options.values = tracks_.front().maker->value_names();
  const std::vector<std::string> names = formulations();
  for (std::size_t t = 0; t < tracks_.size(); ++t)
    options.tracks.push_back({names[t], tracks_[t].world->options().h});
  return stage_json(world(0).model(), frame.poses, options);
}

void LiveWorlds::make_frame(std::size_t track, ViewFrame* frame) {
  Track& one = tracks_[track];
  one.maker->set_state(*one.world, one.world->input(), frame);
  frame->step = steps_;
  if (one.has_step) one.maker->set_step(one.world->record(), one.report, frame);
}

}  // namespace stiction::viewer
