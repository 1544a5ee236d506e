#pragma once
// The contact points of a step: the part of the StepRecord that collision detection fills, and the data it
// keeps from step to step to be faster.
//
// A pair of shapes touches at points, or by its pressure fields at the points of a patch; each kind has a list of its
// own. Whoever wants the contacts of a step, whatever their kind, takes CollisionRecord::contact(pair, i) for i from
// pair.begin to pair.end.

#include <limits>
#include <memory>
#include <vector>

#include "stiction/geometry/broad_phase/broad_phase.h"
#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/query/time_of_impact.h"
#include "stiction/simulation/collision/collision_model.h"

namespace stiction {

// Two shapes that may touch in this step; A comes before B in Model::shapes.
struct ShapePair {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  int body_A = 0, body_B = 0;
  int item_A = 0, item_B = 0;  // in CollisionModel::items
  // Their points in CollisionRecord::points, or in pressure_points; set by find_contacts.
  int begin = 0, end = 0;
  double margin = 0.0;     // m, points up to this distance were found
  bool is_fast = false;    // their relative motion in the step is a noticeable fraction of their size
  bool rechecked = false;  // the margin assumes that one of them is stopped by an impact
  bool has_patch = false;  // they touch by their pressure fields
  // s from the start of the step, for shapes fast enough to pass through each other within it; infinite: they
  // do not touch, or are slower than that.
  double time_of_impact = std::numeric_limits<double>::infinity();
};

// A point of a pressure patch as a contact point: the distance is that of a spring of its stiffness and force.
inline ContactPoint as_contact_point(const PressurePoint& point) {
  const double distance = -point.force() / point.stiffness;
  return {point.p - 0.5 * distance * point.normal, point.normal, distance, 1.0, point.feature};
}

struct CollisionRecord {
  explicit CollisionRecord(const CollisionModel& model);

  // find_pairs
  std::vector<ShapeMotion> motions;  // of every item of the CollisionModel
  std::vector<Vec3> centres;         // m, in W, of the items' bounding balls
  std::vector<ShapePair> pairs;      // sorted by (shape_A, shape_B)
  // find_contacts
  // Pair by pair; those of pairs that were rechecked come last.
  ContactPoints points;
  std::vector<PressurePoint> pressure_points;  // of pairs with a patch; all with a positive stiffness

  ContactPoint contact(const ShapePair& pair, int i) const {
    return pair.has_patch ? as_contact_point(pressure_points[static_cast<std::size_t>(i)])
                          : points[static_cast<std::size_t>(i)];
  }
  std::size_t num_contacts() const { return points.size() + pressure_points.size(); }
};

// Calls use(pair, contact point) for all contacts.
template <class Use>
void for_each_contact(const CollisionRecord& record, const Use& use) {
  for (const ShapePair& pair : record.pairs)
    for (int i = pair.begin; i < pair.end; ++i) use(pair, record.contact(pair, i));
}

// Of one thread: points that it has found, and buffers.
struct PatchWork {
  std::vector<PressurePoint> points;
  PressureWorkspace workspace;
  PressurePatch patch;
};

// Makes collision detection faster and changes none of its results.
struct CollisionWorkspace {
  explicit CollisionWorkspace(const CollisionModel& model);

  BroadPhase broad_phase;
  DisabledContacts disabled;  // contacts that the broad phase's filter leaves out
  std::vector<IndexPair> last_pairs;
  std::vector<PairMemory> memories, last_memories;  // of every pair
  std::vector<ContactPoints> chunks;                // of the threads
  std::vector<PatchWork> patches;                   // likewise
  std::vector<char> stopped;                        // by node: it may be stopped by an impact in this step
};

// Switches contacts off and on again; does nothing if nothing has changed.
void set_disabled(const DisabledContacts& disabled, const Model& model, CollisionWorkspace* work);

// Removes all pairs and points.
void clear_contacts(CollisionRecord* record);

}  // namespace stiction
