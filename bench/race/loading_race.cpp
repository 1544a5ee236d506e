#include "bench/race/loading_race.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/base/shared_files.h"
#include "stiction/base/timer.h"
#include "stiction/io/model_file.h"

namespace stiction::race {

namespace {

namespace fs = std::filesystem;

constexpr double kGoal = 1.0;
constexpr const char* kRace = "loading";
constexpr double kTurnsSeconds = 0.5;  // for the turns of one file
constexpr int kLeastTurns = 3, kMostTurns = 60;

struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteSpec {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};
using MujocoModel = std::unique_ptr<mjModel, DeleteModel>;
using MujocoSpec = std::unique_ptr<mjSpec, DeleteSpec>;

// Null where MuJoCo does not load the file.
MujocoModel load_with_mujoco(const fs::path& file) {
  char error[1000] = "";
  return MujocoModel(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
}

std::vector<mjsElement*> elements_of(const mjSpec* spec, mjtObj type) {
  std::vector<mjsElement*> elements;
  for (mjsElement* at = mjs_firstElement(spec, type); at != nullptr; at = mjs_nextElement(spec, at))
    elements.push_back(at);
  return elements;
}

MujocoModel load_without_textures(const fs::path& file) {
  char error[1000] = "";
  const MujocoSpec spec(mj_parseXML(file.c_str(), nullptr, error, sizeof error));
  STICTION_USER_CHECK(spec != nullptr, "MuJoCo does not parse {}: {}", file.string(), error);
  for (mjsElement* material : elements_of(spec.get(), mjOBJ_MATERIAL))
    for (int role = 0; role < mjNTEXROLE; ++role)
      mjs_setInStringVec(mjs_asMaterial(material)->textures, role, "");
  for (mjsElement* texture : elements_of(spec.get(), mjOBJ_TEXTURE)) mjs_delete(spec.get(), texture);
  MujocoModel model(mj_compile(spec.get(), nullptr));
  STICTION_USER_CHECK(model != nullptr, "MuJoCo does not compile {}: {}", file.string(),
                      mjs_getError(spec.get()));
  return model;
}

Model load_with_us(const fs::path& file) {
  CompatibilityReport report;
  return load_model_file(file, {}, &report);
}

// Processor time of all threads of this process.
double processor_seconds() {
  timespec time{};
  STICTION_ASSERT(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Of one file, or of all.
struct LoadTimes {
  Times seconds;                   // on the clock
  double processor_seconds = 0.0;  // of all threads, which other programs disturb less; median

  void add(const LoadTimes& other) {
    seconds.median += other.seconds.median;
    seconds.mean += other.seconds.mean;
    processor_seconds += other.processor_seconds;
  }
};

// The turns of one way to load a file.
struct Turns {
  std::vector<double> seconds, processor_seconds;

  LoadTimes times() const { return {times_of(seconds), median(processor_seconds)}; }
};

// What is loaded is thrown away outside the time.
template <class Load>
void take_turn(const Load& load, const fs::path& file, Turns* turns) {
  const Stopwatch clock, processor(processor_seconds);
  const auto model = load(file);
  turns->seconds.push_back(clock.seconds());
  turns->processor_seconds.push_back(processor.seconds());
}

struct FileTimes {
  LoadTimes ours, with_textures, without_textures, warm;  // MuJoCo's but for the first

  const LoadTimes& mujoco() const {
    return with_textures.seconds.median < without_textures.seconds.median ? with_textures : without_textures;
  }
};

FileTimes race_file(const fs::path& file) {
  Turns ours, with_textures, without_textures, warm;
  int turns = 0;
  mjCache* cache = mj_getCache();
  const std::size_t capacity = mj_getCacheCapacity(cache);
  mj_setCacheCapacity(cache, 0);
  const Stopwatch watch;
  while (turns < kLeastTurns || (turns < kMostTurns && watch.seconds() < kTurnsSeconds)) {
    take_turn(load_with_us, file, &ours);
    take_turn(load_with_mujoco, file, &with_textures);
    take_turn(load_without_textures, file, &without_textures);
    ++turns;
  }
  mj_setCacheCapacity(cache, capacity);
  load_without_textures(file);
  for (int turn = 0; turn < turns; ++turn) take_turn(load_without_textures, file, &warm);
  mj_clearCache(cache);
  return {ours.times(), with_textures.times(), without_textures.times(), warm.times()};
}

// Both sides must find the same joints and the same mass. Empty if they do.
std::string difference(const Model& ours, const mjModel& theirs) {
  constexpr double kRoundOff = 1e-6;  // relative; MuJoCo keeps the corners of meshes in single precision
  double mass = 0.0;
  for (const Body& body : ours.forest.bodies) mass += body.inertia.mass;
  double mass_there = 0.0;
  for (int body = 0; body < theirs.nbody; ++body) mass_there += theirs.body_mass[body];
  const int joints = static_cast<int>(ours.forest.joints.size());
  if (ours.forest.num_v != theirs.nv || joints != theirs.njnt)
    return fmt::format("{} joints and {} dofs here, {} and {} there", joints, ours.forest.num_v, theirs.njnt,
                       theirs.nv);
  if (std::abs(mass - mass_there) > kRoundOff * mass_there)
    return fmt::format("{} kg here, {} there", mass, mass_there);
  return "";
}

RaceRow row_of(const std::string& scene, const LoadTimes& ours, const LoadTimes& mujoco,
               const std::string& what) {
  RaceRow row{kRace, scene, "mujoco", mj_versionString(), ours.seconds, mujoco.seconds, kGoal, ""};
  row.note =
      fmt::format("{}; processor time {:.2f} times", what, mujoco.processor_seconds / ours.processor_seconds);
  return row;
}

std::string other_times(const LoadTimes& with_textures, const LoadTimes& warm) {
  return fmt::format("; MuJoCo with textures {:.0f} us, with its cache {:.0f}",
                     1e6 * with_textures.seconds.median, 1e6 * warm.seconds.median);
}

std::vector<fs::path> model_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string scene_of(const fs::path& file, const fs::path& folder) {
  return file.lexically_relative(folder).replace_extension().string();
}

}  // namespace

std::vector<RaceRow> race_loading() {
  const auto folder = shared_file("models");
  if (!folder) {
    std::fprintf(stderr, "loading is not raced: %s\n", missing_shared_file("models").c_str());
    return {};
  }
  mju_user_warning = [](const char*) {};  // the same ones in every turn
  const int threads = thread_count();
  set_thread_count(0);
  std::vector<RaceRow> rows;
  LoadTimes ours, mujoco, with_textures, warm;
  for (const fs::path& file : model_files(*folder)) {
    const MujocoModel theirs = load_with_mujoco(file);
    if (theirs == nullptr) continue;  // a part of a model
    const std::string scene = scene_of(file, *folder);
    try {
      const std::string differs = difference(load_with_us(file), *theirs);
      STICTION_USER_CHECK(differs.empty(), "the models differ: {}", differs);
    } catch (const UserError& error) {
      rows.push_back(failed_row(kRace, scene, "mujoco", mj_versionString(), kGoal, error.what()));
      continue;
    }
    const FileTimes times = race_file(file);
    const std::string what = fmt::format("{} dofs, {} meshes", theirs->nv, theirs->nmesh);
    rows.push_back(row_of(scene, times.ours, times.mujoco(), what));
    rows.back().note += other_times(times.with_textures, times.warm);
    ours.add(times.ours);
    mujoco.add(times.mujoco());
    with_textures.add(times.with_textures);
    warm.add(times.warm);
  }
  set_thread_count(threads);
  rows.push_back(row_of("all_files", ours, mujoco, fmt::format("{} files", rows.size())));
  rows.back().note += other_times(with_textures, warm);
  return rows;
}

void profile_loading(const std::string& scene, double seconds) {
  const auto folder = shared_file("models");
  STICTION_USER_CHECK(folder.has_value(), "{}", missing_shared_file("models"));
  const fs::path file = *folder / (scene + ".xml");
  const Stopwatch watch;
  while (watch.seconds() < seconds) load_with_us(file);
}

}  // namespace stiction::race
