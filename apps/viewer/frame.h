#pragma once
// What the viewer shows of a world at one time: poses, contacts, and the numbers that it plots.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stiction/io/recording/recorder_frame.h"
#include "stiction/simulation/world.h"

namespace stiction::viewer {

// Quaternion (w, x, y, z), then the origin (m), in W.
using ViewPose = std::array<double, 7>;

// A contact point with a force or an overlap. n points from a into b, the force acts on b.
struct ViewContact {
  int body_a = 0, body_b = 0, shape_a = 0, shape_b = 0;
  std::array<float, 3> point = {}, normal = {}, force = {};  // m, 1, N
  float gap = 0.0f;                                          // m, negative: overlap
  bool sliding = false;
  float mu = 0.0f;
};

// The polygons of pressure patches, one after another.
struct ViewPolygons {
  std::vector<std::uint32_t> counts;  // corners of each
  std::vector<float> corners;         // x, y, z (m) and pressure (Pa) of each
  std::vector<float> slips;           // m/s, of each corner: how fast b slides over a there
  std::size_t num_corners() const { return corners.size() / 4; }
  void clear() {
    counts.clear();
    corners.clear();
    slips.clear();
  }
};

struct ViewFrame {
  double time = 0.0;  // s
  std::int64_t step = 0;
  std::vector<ViewPose> poses;                    // of all bodies
  std::vector<std::array<double, 6>> velocities;  // (angular, linear of the origin) in W, likewise
  std::vector<double> values;                     // in the order of FrameMaker::value_names
  std::vector<ViewContact> contacts;
  ViewPolygons polygons;
};

// Whether the record of a world is that of the step that led to its present state.
bool has_step(const World& world);

// Names of the "status" of a frame, which is an index into this list.
const std::vector<std::string>& status_names();

// The coefficient of sliding friction of two shapes, independent of the state.
class PairFriction {
 public:
  PairFriction(std::shared_ptr<const CollisionModel> collision, std::shared_ptr<const ContactModel> contact);
  double operator()(int shape_a, int shape_b) const;
  const CollisionModel& collision() const { return *collision_; }

 private:
  std::shared_ptr<const CollisionModel> collision_;
  std::shared_ptr<const ContactModel> contact_;
  std::vector<int> items_;  // by shape, -1: it cannot collide
};

class FrameMaker {
 public:
  // `has_steps`: the world steps itself, so that sensors of forces and accelerations have values. To be
  // constructed again when parameters of the model change.
  FrameMaker(const World& world, bool has_steps);

  // "kinetic", "gravity", "springs" (J), "residual", "iterations", "status", then "joint:NAME" of joints with
  // one position, "sensor:NAME[i]" and "control:NAME".
  const std::vector<std::string>& value_names() const { return names_; }

  // Sets time, poses, velocities and values (those of the solver are 0); no contacts.
  void set_state(const World& world, const Input& input, ViewFrame* frame);
  // Adds the results of the step that led to this state.
  void set_step(const StepRecord& record, const StepReport& report, ViewFrame* frame);
  // The contacts and the patches of a recording.
  void set_contacts(const recorded::Contact* contacts, std::size_t count, ViewFrame* frame) const;
  // After set_state: how fast they slip is that of the state.
  void set_patches(const recorded::Patch* patches, std::size_t count, ViewFrame* frame) const;
  static void set_solve(double residual, int iterations, const std::string& status, ViewFrame* frame);

 private:
  // m/s in W, of the surface of a shape at a place.
  Vec3 surface_motion(int body, int shape, const Vec3& x, const ViewFrame& frame) const;

  PairFriction friction_;
  Kinematics kinematics_;
  std::vector<Vec3> belts_;  // m/s in W, by shape: motion of its surface against the body; empty: none moves
  RecorderFrame touching_;
  PatchWork patches_;
  std::vector<std::string> names_;
  std::vector<int> joints_;                   // positions in q
  std::vector<std::pair<int, int>> sensors_;  // begin and size among all values of sensors
};

}  // namespace stiction::viewer
