#pragma once
// How the surfaces of two bodies move on each other.

#include <map>
#include <utility>

#include "stiction/simulation/step_record.h"

namespace stiction::cli {

struct PairMotion {
  // m, the path of one surface along the other, from the first touch on, in all steps that find points of contact,
  // be they a little apart; of several points their mean by normal force.
  double slip = 0.0;
  // m, the largest gap, likewise, at the end of a step in which the pair still presses.
  double lift = 0.0;
};

class ContactMotion {
 public:
  explicit ContactMotion(const Model& model) : model_(model), moving_(model.forest) {}

  // The step that has just been taken.
  void add(const StepRecord& record);
  // By the numbers of the two bodies, the smaller first.
  const std::map<std::pair<int, int>, PairMotion>& pairs() const { return pairs_; }

 private:
  void add_part(const StepRecord& part);

  const Model& model_;
  Kinematics moving_;
  std::map<std::pair<int, int>, PairMotion> pairs_;
};

}  // namespace stiction::cli
