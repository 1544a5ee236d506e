#include "bench/race/contact_race_pile.h"

#include <algorithm>

#include "stiction/base/timer.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction::race {

namespace {

constexpr int kTurn = 10;  // steps

WorldOptions options_of(LawKind law, double tolerance) {
  WorldOptions options;
  options.h = kContactStep;
  options.formulation.contact.law = law;
  set_tolerance(tolerance, &options.formulation);
  return options;
}

double timed_step(Pile* pile) {
  const Stopwatch watch(thread_seconds);
  pile->step();
  return std::max(watch.seconds() - clock_seconds(), 0.0);
}

}  // namespace

OurPile::OurPile(std::shared_ptr<const Model> model, LawKind law, double tolerance)
    : world_(std::move(model), options_of(law, tolerance)) {}

OurPile::OurPile(std::shared_ptr<const Model> model, LawKind law, const State& state, double tolerance)
    : OurPile(std::move(model), law, tolerance) {
  world_.set_state(state);
}

StepFigures OurPile::figures() {
  const StepRecord& record = world_.record();
  const SolveReport& report = record.report.contact;
  const auto touches = [](const ContactPoint& point) { return point.distance <= 0.0; };
  const ContactPoints& points = record.collision.points;
  return {deepest_overlap(record), report.residual,
          static_cast<int>(std::count_if(points.begin(), points.end(), touches)), report.iterations};
}

void OurPile::add_speeds(std::vector<double>* sums) {
  const std::vector<JointIndices>& joints = world_.model().forest.joints;
  sums->resize(joints.size());
  for (size_t j = 0; j < joints.size(); ++j)
    (*sums)[j] += world_.state().v.segment<3>(joints[j].v_begin + 3).norm();
}

std::vector<double> step_times(Pile* pile, int steps, double most_s) {
  std::vector<double> times;
  double sum = 0.0;
  while (static_cast<int>(times.size()) < steps && sum < most_s) {
    times.push_back(timed_step(pile));
    sum += times.back();
  }
  return times;
}

double creep_of(std::vector<double> speed_sums, int steps) { return median(std::move(speed_sums)) / steps; }

RestFigures measure_rest(Pile* pile, int steps, double most_s) {
  RestFigures rest;
  std::vector<double> times, overlaps, speeds;
  double sum = 0.0;
  while (rest.steps < steps && (sum < most_s || rest.steps == 0)) {
    times.push_back(timed_step(pile));
    sum += times.back();
    ++rest.steps;
    const StepFigures figures = pile->figures();
    overlaps.push_back(figures.deepest);
    rest.residual = std::max(rest.residual, figures.residual);
    rest.contacts += figures.contacts;
    rest.iterations += figures.iterations;
    pile->add_speeds(&speeds);
  }
  rest.step_s = times_of(times);
  rest.deepest = median(overlaps);
  rest.creep = creep_of(speeds, rest.steps);
  rest.contacts /= rest.steps;
  rest.iterations /= rest.steps;
  return rest;
}

TwoTimes race_in_turns(Pile* ours, Pile* peer, int steps, double most_s) {
  std::vector<double> our_times, peer_times;
  const Stopwatch watch(thread_seconds);
  while (static_cast<int>(peer_times.size()) < steps && (watch.seconds() < most_s || peer_times.empty())) {
    for (int i = 0; i < kTurn; ++i) our_times.push_back(timed_step(ours));
    for (int i = 0; i < kTurn && (i == 0 || watch.seconds() < most_s); ++i)
      peer_times.push_back(timed_step(peer));
  }
  return {static_cast<int>(peer_times.size()), times_of(our_times), times_of(peer_times)};
}

}  // namespace stiction::race
