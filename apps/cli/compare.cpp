#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/comparison.h"
#include "apps/cli/contact_arguments.h"
#include "apps/cli/progress.h"
#include "apps/cli/scene_arguments.h"
#include "apps/cli/start_arguments.h"
#include "apps/viewer/page.h"
#include "apps/viewer/run_track.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/base/parallel.h"
#include "stiction/base/timer.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction::cli {
namespace {

struct Arguments {
  SceneArguments scene;
  std::vector<std::string> formulations;
  std::string keyframe, body, reference, html;
  std::optional<double> time, step;
  int finer = 10;
  std::optional<int> threads;
  ContactArguments contact;
  StartArguments start;
  bool residuals = false, json = false, quiet = false;
};

constexpr double kUsualTime = 2.0;  // s
constexpr int kPlaces = 200;        // times at which all bodies are compared

// The arguments of one run.
struct Task {
  std::string formulation;
  double h = 0.0;
  double stiffness_step = 0.0;  // s, the same in all runs
  long steps = 0;
  bool is_reference = false;
  bool is_viewed = false;  // a track of it is wanted
};

// The page's view: the first formulations in lock step.
struct View {
  std::vector<viewer::StageTrack> names;
  std::vector<viewer::ViewPose> first_poses;
  std::vector<std::string> tracks;
};

std::vector<Vec3> places_of(const World& world) {
  std::vector<Vec3> places;
  const Forest& forest = world.model().forest;
  for (std::size_t b = 1; b < forest.bodies.size(); ++b)
    if (!forest.bodies[b].name.empty()) places.push_back(world.body_pose(forest.bodies[b].name).p);
  return places;
}

// The largest over all steps: the scale of a single step may be almost zero, if bodies only approach each
// other in it.
struct Scale {
  double force = 0.0, velocity = 0.0;  // N, m/s
};

void divide(const Scale& scale, Compared* out) {
  const auto by = [](double size, double* value) { *value = size > 0.0 ? *value / size : 0.0; };
  by(scale.force, &out->primal);
  by(scale.velocity, &out->dual);
  for (double* power : {&out->complementarity, &out->signorini, &out->dissipation})
    by(scale.force * scale.velocity, power);
  for (double& power : out->series.residual) by(scale.force * scale.velocity, &power);
}

void check_step(const World& world, Scale* scale, Compared* out) {
  const StepRecord& record = world.record();
  double residual = 0.0;
  if (!record.contact.problem.islands.empty()) {
    const Formulation& f = world.options().formulation;
    const auto certificate =
        certified(world.model(), record, f.contact, world.workspace().contact.solver, f.dual.pyramid);
    const ContactResidual& r = certificate->contact;
    // Of the law itself: a force that is not that of the velocity, or a rigid law's own conditions.
    out->law = std::max(out->law, certificate->dual ? certificate->dual->law.relative : r.law.relative);
    residual = r.complementarity.absolute;
    out->momentum = std::max(out->momentum, r.momentum.relative);
    out->primal = std::max(out->primal, r.primal.absolute);
    out->dual = std::max(out->dual, r.dual.absolute);
    out->complementarity = std::max(out->complementarity, residual);
    out->signorini = std::max(out->signorini, r.signorini.absolute);
    out->dissipation = std::max(out->dissipation, r.dissipation.absolute);
    scale->force = std::max(scale->force, r.force_scale);
    scale->velocity = std::max(scale->velocity, r.velocity_scale);
  }
  out->series.residual.push_back(residual);
}

// By the bodies' numbers; they are put in the order of the comparison when all runs are done.
using Motions = std::map<std::pair<int, int>, PairMotion>;

Compared run(const Arguments& a, const Scene& scene, const std::shared_ptr<const Model>& model,
             const Task& task, const std::string& body, View* view, Motions* motions) {
  WorldOptions options = scene.options;
  options.h = task.h;
  ContactArguments contact = a.contact;
  contact.formulation = task.formulation;
  apply(contact, &options.formulation);
  // A finer run is of the same model.
  if (!(options.formulation.stiffness_step > 0.0)) options.formulation.stiffness_step = task.stiffness_step;
  options.formulation.times_stages = true;
  World world(model, options);
  Scene as_given = scene;
  as_given.settles = false;
  start_scene(as_given, &world);
  InputSchedule schedule = scene.schedule;
  apply(a.start, &world, &schedule);
  if (scene.settles) {
    const SettleReport settled = settle(&world);
    if (!a.quiet && !a.json && task.is_reference) std::printf("%s\n", settled.text().c_str());
  }
  Compared out;
  out.formulation = formulation_name(options.formulation.contact);
  out.stiffness_step = world.formulation().stiffness_step;
  const double begin = world.time(), start_energy = world.energies().total();
  ContactMotion motion(world.model());
  double iterations = 0.0, wall = 0.0;
  long in_contact = 0;
  Scale scale;
  std::optional<viewer::RunTrack> track;
  if (task.is_viewed) track.emplace(world, world.input());
  Progress progress(!a.quiet, task.formulation + (task.is_reference ? " (reference)" : ""));
  try {
    for (long step = 0; step < task.steps && !interrupted(); ++step) {
      stiction::apply(schedule, &world);
      const Stopwatch one;
      const StepReport report = world.step();
      wall += one.seconds();
      ++out.steps;
      if (track) track->add(world, world.input(), report);
      if (report.status != StepStatus::done) ++out.unsolved;
      if (report.contact.islands > 0) {
        ++in_contact;
        iterations += report.contact.iterations;
      }
      out.most_iterations = std::max(out.most_iterations, report.contact.iterations);
      out.solver_residual = std::max(out.solver_residual, report.contact.residual);
      out.deepest = std::max(out.deepest, deepest_overlap(world.record()));
      motion.add(world.record());
      // The same times for all, whatever the step.
      if ((step + 1) * kPlaces / task.steps > step * kPlaces / task.steps)
        out.places.push_back(places_of(world));
      progress.show(world.time() - begin, static_cast<double>(task.steps) * task.h);
      if (task.is_reference) continue;
      check_step(world, &scale, &out);
      const Vec3 p = world.body_pose(body).p;
      StepSeries& series = out.series;
      series.time.push_back(world.time() - begin);
      series.x.push_back(p[0]);
      series.y.push_back(p[1]);
      series.z.push_back(p[2]);
      series.energy.push_back(world.energies().total());
      series.force.push_back(static_contact_force(world.model(), world.record()).norm());
      series.iterations.push_back(report.contact.iterations);
    }
  } catch (const SimulationError& error) {
    out.failure = error.what();
  }
  if (track) {
    view->names.push_back({out.formulation, task.h});
    view->first_poses = track->first_poses();
    view->tracks.push_back(track->finish(world, world.input()));
  }
  divide(scale, &out);
  out.energy = world.energies().total() - start_energy;
  *motions = motion.pairs();
  const double steps = static_cast<double>(std::max(1L, out.steps));
  out.step_us = 1e6 * wall / steps;
  out.solve_us = 1e6 * world.workspace().timers.seconds(kSolve) / steps;
  out.mean_iterations = iterations / static_cast<double>(std::max(1L, in_contact));
  return out;
}

void set_drift(const Compared& reference, Compared* row) {
  const std::size_t times = std::min(reference.places.size(), row->places.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < times; ++i) {
    double square = 0.0;
    for (std::size_t b = 0; b < row->places[i].size(); ++b)
      square += (row->places[i][b] - reference.places[i][b]).squaredNorm();
    row->end_drift = std::sqrt(square / static_cast<double>(std::max<std::size_t>(1, row->places[i].size())));
    sum += row->end_drift;
  }
  row->drift = sum / static_cast<double>(std::max<std::size_t>(1, times));
}

// The heaviest body that is neither static nor kinematic.
std::string watched_body(const Model& model, const std::string& asked) {
  const Forest& forest = model.forest;
  if (!asked.empty()) {
    for (const Body& body : forest.bodies)
      if (body.name == asked) return asked;
    throw_user_error(format("model '{}' has no body '{}'", model.name, asked));
  }
  std::string heaviest;
  double most = -1.0;
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    const Body& body = forest.bodies[b];
    if (body.joints.empty() || body.name.empty() || !(body.inertia.mass > most)) continue;
    most = body.inertia.mass;
    heaviest = body.name;
  }
  STICTION_USER_CHECK(!heaviest.empty(), "model '{}' has no body that moves", model.name);
  return heaviest;
}

// Every pair of bodies that pressed on each other in any run, and what each run has of it.
void set_pairs(const Model& model, const std::vector<Motions>& motions, Comparison* out) {
  std::set<std::pair<int, int>> pairs;
  for (const Motions& one : motions)
    for (const auto& entry : one) pairs.insert(entry.first);
  const auto name = [&](int body) { return model.forest.bodies[static_cast<std::size_t>(body)].name; };
  for (const auto& [a, b] : pairs) out->pairs.push_back(name(a) + " - " + name(b));
  // The first one is the reference's.
  for (std::size_t k = 0; k < motions.size(); ++k) {
    Compared& row = k == 0 ? out->reference : out->rows[k - 1];
    for (const auto& pair : pairs) {
      const auto found = motions[k].find(pair);
      row.pairs.push_back(found == motions[k].end() ? PairMotion{} : found->second);
    }
  }
}

// The table and the plots below the view, or alone where the viewer was not built.
void write_page(const Arguments& a, const Model& model, const Comparison& comparison, const View& view) {
  if (view.tracks.empty()) return write_file_bytes(a.html, to_html(comparison));
  viewer::StageOptions options;
  options.name = comparison.scene;
  options.tracks = view.names;
  const viewer::ViewedRun run = {viewer::stage_json(model, view.first_poses, options), view.tracks};
  write_file_bytes(a.html, viewer::page_with(viewer::load_page(), run, report_html(comparison)));
}

int compare(const Arguments& a) {
  STICTION_USER_CHECK(!a.time || (std::isfinite(*a.time) && *a.time > 0.0),
                      "--time must be finite and positive, not {}", *a.time);
  STICTION_USER_CHECK(a.finer >= 1 && a.finer <= 10000, "--finer must be from 1 to 10000, not {}", a.finer);
  Scene scene = load(a.scene);
  if (!a.keyframe.empty()) scene.keyframe = a.keyframe;
  const auto model = std::make_shared<const Model>(scene.model);
  const double time = a.time.value_or(is_scene_file(a.scene) ? scene.time : kUsualTime);
  const int threads = a.threads.value_or(scene.threads);
  STICTION_USER_CHECK(threads >= 0, "--threads must not be negative, not {}", threads);
  set_thread_count(threads);
  Comparison comparison;
  comparison.scene = a.scene.name;
  comparison.h = a.step.value_or(scene.options.h);
  STICTION_USER_CHECK(std::isfinite(comparison.h) && comparison.h > 0.0,
                      "--step must be finite and positive, not {}", comparison.h);
  const double count = std::max(1.0, std::round(time / comparison.h));
  constexpr double kMostSteps = 1e7;
  STICTION_USER_CHECK(count * a.finer <= kMostSteps, "{} s are more than {} steps of the reference", time,
                      kMostSteps);
  comparison.time = count * comparison.h;
  comparison.reference_h = comparison.h / a.finer;
  comparison.body = watched_body(*model, a.body);
  std::vector<std::string> names = a.formulations;
  if (names.empty())
    names = {"icf_lagged", "sap", "convex_cone", "coulomb_ncp", "pyramid_lcp"};  // each by its first solver
  for (const std::string& name : names) {
    ContactOptions check;
    set_formulation(name, &check);  // an unknown one is named before anything runs
  }
  const long steps = static_cast<long>(count);
  const bool has_view = !a.html.empty() && viewer::find_page();
  if (!a.html.empty() && !has_view)
    std::fprintf(stderr,
                 "stiction: note: the viewer was not built (make viewer): %s has the table and plots alone\n",
                 a.html.c_str());
  View view;
  const Task task{a.reference.empty() ? names.front() : a.reference,
                  comparison.reference_h,
                  comparison.h,
                  steps * a.finer,
                  true,
                  false};
  std::vector<Motions> motions(1);
  comparison.reference = run(a, scene, model, task, comparison.body, &view, &motions[0]);
  if (!comparison.reference.failure.empty())
    throw SimulationError("the reference failed: " + comparison.reference.failure);
  for (const std::string& name : names) {
    if (interrupted()) break;  // the rows so far are shown
    const bool is_viewed = has_view && comparison.rows.size() < viewer::kMostTracks;
    const Task one{name, comparison.h, comparison.h, steps, false, is_viewed};
    motions.emplace_back();
    comparison.rows.push_back(run(a, scene, model, one, comparison.body, &view, &motions.back()));
    set_drift(comparison.reference, &comparison.rows.back());
  }
  set_pairs(*model, motions, &comparison);
  comparison.has_residuals = a.residuals;
  if (!a.html.empty()) write_page(a, *model, comparison, view);
  if (a.json)
    std::printf("%s\n", to_json(comparison).dump(2).c_str());
  else if (!a.quiet)
    print(comparison);
  if (!a.json && !a.quiet && !a.html.empty()) std::printf("wrote %s: open it in a browser\n", a.html.c_str());
  const bool has_failed = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                                      [](const Compared& row) { return !row.failure.empty(); });
  return interrupted() ? kInterrupted : has_failed ? kSimulationFailed : kDone;
}

}  // namespace

void add_compare(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "compare",
      "Simulates the same scene under several formulations and shows what each gets wrong.\nExample: "
      "stiction "
      "compare sliding_block --formulations coulomb_ncp+pgs,convex_cone,sap --html compare.html");
  add_scene_options(command, &arguments->scene);
  add_settle_option(command, &arguments->scene);
  command
      .add_option("--formulations", &arguments->formulations,
                  "Formulations with commas between them (stiction list formulations)")
      .delimiter(',')
      .type_name("FORMULATION");
  command.add_option("--time", &arguments->time, "Seconds to simulate; the scene file's without it (2)");
  command.add_option("--step", &arguments->step, "Step in seconds; the model's own without it");
  command
      .add_option("--reference", &arguments->reference,
                  "Formulation that drift is measured from; the first one without it")
      .type_name("FORMULATION");
  command.add_option("--finer", &arguments->finer, "Steps of the reference in one step; 1: the same step")
      .capture_default_str();
  command.add_option("--body", &arguments->body, "Body whose path is plotted; the heaviest without it");
  command.add_option("--keyframe", &arguments->keyframe,
                     "Start at this keyframe of the file, by name or number");
  command.add_flag("--residuals", &arguments->residuals,
                   "Columns of the residual checks, of iterations and of the time of the solver too");
  add_start_options(command, &arguments->start);
  add_solver_options(command, &arguments->contact);
  add_stiffness_step_option(command, &arguments->contact);
  command.add_option("--threads", &arguments->threads, "Threads; 0: one per core (1)");
  command
      .add_option("--html", &arguments->html,
                  "Write a page with a view of up to eight of them, the tables and plots to this file")
      .type_name("FILE");
  command.add_flag("--json", &arguments->json, "Print JSON alone on standard output");
  command.add_flag("--quiet", &arguments->quiet, "Print nothing but errors");
  command.callback([arguments, exit_code] { *exit_code = compare(*arguments); });
}

}  // namespace stiction::cli
