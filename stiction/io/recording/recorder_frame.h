#pragma once
// What the stepping thread hands to the thread that writes: copies of numbers, in buffers that are used again
// and again.

#include <array>
#include <memory>
#include <vector>

#include "stiction/io/recording/messages.h"
#include "stiction/simulation/world.h"

namespace stiction {

struct RecorderFrame {
  std::int64_t step = 0;  // of the state
  bool has_step = false;  // the frame is about a step that was taken, under this input
  bool has_state = false;
  bool has_snapshot = false;
  // Of the step.
  double begin_time = 0.0, h = 0.0;  // s
  Input input;
  // Of the step, where has_state.
  SolveReport solve;
  std::shared_ptr<const Certificate> certificate;
  std::vector<recorded::Contact> contacts;
  int num_contacts = 0;  // the first ones of `contacts`
  std::vector<recorded::Patch> patches;
  int num_patches = 0;                                       // the first ones of `patches`
  std::array<double, StageTimers::kMaxStages> seconds = {};  // by stage, of all steps so far
  // Time, positions, velocities and activations where has_state; all of it where has_snapshot.
  State state;
};

// The contacts of the step that the record holds, those that push or overlap. A pressure patch is one of them, at its
// centre of pressure, with its whole moment about it.
void copy_contacts(const StepRecord& record, RecorderFrame* frame);

// The polygons under pressure of the patches at the start of the step (of its last part, if it was taken in parts).
void copy_patches(const CollisionModel& model, const StepRecord& record, PatchWork* work,
                  RecorderFrame* frame);

}  // namespace stiction
