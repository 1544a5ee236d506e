#pragma once
// What touches in a step: the part of the StepRecord that collision detection fills, and what it keeps from step to
// step to be faster.

#include <limits>
#include <memory>
#include <vector>

#include "stiction/geometry/broad_phase/broad_phase.h"
#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/query/time_of_impact.h"
#include "stiction/simulation/collision/collision_model.h"

namespace stiction {

// Two shapes that may touch in this step, A before B in Model::shapes.
struct ShapePair {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  int body_A = 0, body_B = 0;
  int item_A = 0, item_B = 0;  // in CollisionModel::items
  int begin = 0, end = 0;      // their points in CollisionRecord::points, set by find_contacts
  double margin = 0.0;         // m, points up to this distance are there
  bool is_fast = false;        // their relative motion in the step is a visible part of their size
  bool rechecked = false;      // the margin is that of one of them being stopped
  // s from the start of the step, of shapes that may pass each other within it; infinite: they do not touch,
  // or are too slow to be asked.
  double time_of_impact = std::numeric_limits<double>::infinity();
};

struct CollisionRecord {
  explicit CollisionRecord(const CollisionModel& model);

  // find_pairs
  std::vector<ShapeMotion> motions;  // of every item of the CollisionModel
  std::vector<Vec3> centres;         // m, in W, of the items' bounding balls
  std::vector<ShapePair> pairs;      // sorted by (shape_A, shape_B)
  // find_contacts
  ContactPoints points;  // pair by pair; those of pairs that were rechecked come last
};

// Makes collision detection faster and changes none of its results.
struct CollisionWorkspace {
  explicit CollisionWorkspace(const CollisionModel& model);

  BroadPhase broad_phase;
  DisabledContacts disabled;  // that the broad phase's filter leaves out
  std::vector<IndexPair> last_pairs;
  std::vector<PairMemory> memories, last_memories;  // of every pair
  std::vector<ContactPoints> chunks;                // of the threads
  std::vector<char> stopped;                        // by node: it may be stopped in this step
};

// Switches contacts off and on again; nothing happens where nothing changes.
void set_disabled(const DisabledContacts& disabled, const Model& model, CollisionWorkspace* work);

// Nothing touches.
void clear_contacts(CollisionRecord* record);

}  // namespace stiction
