#pragma once
// Up to eight worlds of one scene, each with its own formulation, that step together: what a live session
// shows and changes. No clock and no threads.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/viewer/drag_spring.h"
#include "apps/viewer/frame.h"
#include "apps/viewer/stage.h"
#include "stiction/io/scene_file/scene_file.h"
#include "stiction/simulation/world.h"

namespace stiction::viewer {

class LiveWorlds {
 public:
  // Formulations by name. An empty name is the scene's formulation; an empty list means one world with it.
  // Throws UserError.
  LiveWorlds(const Scene& scene, const std::vector<std::string>& formulations);

  std::size_t count() const { return tracks_.size(); }
  const World& world(std::size_t track) const { return *tracks_[track].world; }
  double time() const { return time_; }  // s
  double h() const;                      // s, the longest step
  std::int64_t steps() const { return steps_; }
  // Names of the formulations as they run.
  std::vector<std::string> formulations() const;
  const StageMaterials& materials() const { return materials_; }

  // One step of the longest h for all; worlds with shorter ones take several. Throws SimulationError, which
  // names the formulation, and leaves everything as it was before.
  void step();
  // Goes back to the state before the last stored step; false: there is none.
  bool back();
  // To the start of the scene, or to a keyframe.
  void reset(const std::optional<std::string>& keyframe = {});

  // All throw UserError and change nothing if the value is not valid. Without a track: in all worlds.
  void set_formulation(const std::string& name, std::optional<std::size_t> track);
  void set_h(double h, std::optional<std::size_t> track);
  void set_scheme(const std::string& name, std::optional<std::size_t> track);
  void set_friction(double mu);           // of all surfaces
  void set_stiffness(double stiffness);   // N/m, likewise
  void set_gravity(const Vec3& gravity);  // m/s^2, in the world
  // The joint is at rest there.
  void set_joint(const std::string& joint, double q);
  // From then on the scene's own signals do not change this control.
  void set_control(const std::string& actuator, double control);
  void drag(const DragSpring& drag);
  void drop() { drag_ = {}; }

  std::string stage(const std::string& name);
  void make_frame(std::size_t track, ViewFrame* frame);

 private:
  struct Track {
    std::unique_ptr<World> world;
    std::unique_ptr<FrameMaker> maker;
    StepReport report;
    bool has_step = false;  // the record is of the step that led to the state
  };
  // States to step back to; a ring buffer.
  struct Kept {
    std::vector<State> states;
    double time = 0.0;
    std::int64_t steps = 0;
  };

  void keep();
  void restore(const Kept& kept);
  void replace_model(Model model);
  void apply_pairs(World* world) const;
  std::vector<Track*> chosen(std::optional<std::size_t> track);

  Scene scene_;
  std::vector<Track> tracks_;
  StageMaterials materials_;
  bool has_own_friction_ = false;  // replaces that of the scene's pairs too
  double time_ = 0.0;              // s
  std::int64_t steps_ = 0;
  std::vector<Kept> ring_;
  std::size_t ring_end_ = 0, num_kept_ = 0;
  DragSpring drag_;
};

}  // namespace stiction::viewer
