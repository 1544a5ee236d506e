#include "apps/cli/run_statistics.h"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "stiction/base/format.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction::cli {
namespace {

constexpr double kSupportTime = 0.1;  // s

long touching_points(const World& world) {
  long count = 0;
  for_each_contact(world.record().collision,
                   [&](const ShapePair&, const ContactPoint& point) { count += point.distance <= 0.0; });
  return count;
}

}  // namespace

void RunStatistics::add(const World& world, const StepReport& report) {
  const StepRecord& record = world.record();
  ++steps_;
  points_ += static_cast<double>(record.collision.num_contacts());
  if (report.contact.islands > 0) {
    ++steps_in_contact_;
    iterations_ += report.contact.iterations;
    residual_ += report.contact.residual;
    most_iterations_ = std::max(most_iterations_, report.contact.iterations);
    largest_residual_ = std::max(largest_residual_, report.contact.residual);
  }
  if (report.status != StepStatus::done) ++unconverged_;
  dropped_ += report.contact.dropped_stabilisation > 0;
  islands_ += report.contact.islands;
  lagged_fallbacks_ += report.contact.lagged_fallbacks;
  near_rigid_points_ += record.contact.near_rigid_points;
  const double deepest = deepest_overlap(record);
  if (deepest > deepest_) {
    deepest_ = deepest;
    deepest_at_ = report.time;
  }
  supports_.push_back({report.time, record.h, static_contact_force(world.model(), record)});
  const double oldest = report.time + record.h - kSupportTime * (1.0 + 1e-9);
  while (supports_.size() > 1 && supports_.front().begin < oldest) supports_.pop_front();
}

Vec3 RunStatistics::support() const {
  Vec3 impulse = Vec3::Zero();
  double time = 0.0;
  for (const Support& support : supports_) {
    impulse += support.h * support.force;
    time += support.h;
  }
  return time > 0.0 ? Vec3(impulse / time) : Vec3(Vec3::Zero());
}

double RunStatistics::mean_points() const { return points_ / static_cast<double>(std::max(1L, steps_)); }
double RunStatistics::mean_iterations() const {
  return iterations_ / static_cast<double>(std::max(1L, steps_in_contact_));
}
double RunStatistics::mean_residual() const {
  return residual_ / static_cast<double>(std::max(1L, steps_in_contact_));
}

std::string RunStatistics::verdict() const {
  if (unconverged_ > 0) return format("warning: {} of {} steps did not converge", unconverged_, steps_);
  if (steps_in_contact_ == 0) return "nothing touched";
  return "every step was solved";
}

void RunStatistics::print(const World& world) const {
  std::printf(
      "  contacts: %zu points in the last step, %.1f on average; deepest overlap %.3g mm, at %.4g s; "
      "%.3g mm in the last step\n",
      world.record().collision.num_contacts(), mean_points(), 1e3 * deepest_, deepest_at_,
      1e3 * deepest_overlap(world.record()));
  if (steps_in_contact_ > 0) {
    const Vec3 force = support();
    std::printf("  solver: %.2f iterations on average, %d at most; residual %.1e on average, %.1e at most\n",
                mean_iterations(), most_iterations_, mean_residual(), largest_residual_);
    std::printf("  support: (%.4g, %.4g, %.4g) N from what does not move, over the last 0.1 s\n", force[0],
                force[1], force[2]);
  }
  if (near_rigid_points_ > 0)
    std::printf("  sap: the stiffness of %.1f points a step gave way to the near-rigid limit\n",
                static_cast<double>(near_rigid_points_) / static_cast<double>(steps_));
  if (dropped_ > 0)
    std::printf("  warning: in %ld of %ld steps overlaps were left, for want of a motion that ends them\n",
                dropped_, steps_);
  if (lagged_fallbacks_ > 0)
    std::printf("  warning: %ld of %ld islands have the answer of icf_lagged, for want of their own law's\n",
                lagged_fallbacks_, islands_);
  const StageTimers& timers = world.workspace().timers;
  std::printf("  time:");
  for (int s = 0; s < timers.stage_count(); ++s)
    std::printf("%s %s %.0f %%", s > 0 ? "," : "", timers.name(s),
                100.0 * timers.seconds(s) / std::max(timers.total_seconds(), 1e-12));
  std::printf("\n");
}

void RunStatistics::write(const World& world, nlohmann::json* json) const {
  const Vec3 force = support();
  nlohmann::json stages = nlohmann::json::object();
  const StageTimers& timers = world.workspace().timers;
  for (int s = 0; s < timers.stage_count(); ++s) stages[timers.name(s)] = timers.seconds(s);
  (*json)["contacts"] = {{"last", world.record().collision.num_contacts()},
                         {"last_touching", touching_points(world)},
                         {"mean", mean_points()}};
  (*json)["force_W"] = {force[0], force[1], force[2]};
  (*json)["iterations"] = {{"mean", mean_iterations()}, {"max", most_iterations_}};
  (*json)["residual"] = {{"mean", mean_residual()}, {"max", largest_residual_}};
  (*json)["unconverged_steps"] = unconverged_;
  (*json)["steps_with_dropped_stabilisation"] = dropped_;
  (*json)["withdrawn_steps"] = dropped_;  // the old name
  (*json)["lagged_fallbacks"] = lagged_fallbacks_;
  (*json)["islands"] = islands_;
  (*json)["near_rigid_points"] = near_rigid_points_;
  (*json)["deepest_m"] = deepest_;
  (*json)["deepest_at_s"] = deepest_at_;
  (*json)["stages_s"] = stages;
}

}  // namespace stiction::cli
