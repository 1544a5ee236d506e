// Recordings: written while a world runs, read as arrays, simulated again.

#include <algorithm>
#include <filesystem>
#include <memory>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/interrupts.h"
#include "python/bindings/paths.h"
#include "python/bindings/simulation/py_model.h"
#include "python/bindings/simulation/py_world.h"
#include "stiction/base/check.h"
#include "stiction/io/recording/recorder.h"
#include "stiction/io/recording/recording.h"
#include "stiction/io/recording/replay.h"
#include "stiction/io/recording/tables.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

// Steps a world and records every step. The world lives as long as the recorder (nb::keep_alive).
class PyRecorder {
 public:
  PyRecorder(PyWorld* world, const RecorderOptions& options) : world_(world) {
    STICTION_USER_CHECK(options.snapshot_every >= 1, "every {}-th state cannot come with a snapshot",
                        options.snapshot_every);
    world_->push_inputs();
    recorder_ = std::make_unique<Recorder>(world_->ready(), world_->ready().input(), options);
  }

  StepReport step(std::optional<double> h, int steps) { return world_->step(h, steps, recording()); }
  void simulate(double duration) { world_->simulate_exactly(duration, recording()); }
  void log(const std::string& message) { open().log(LogLevel::kInfo, message); }
  RecorderStatistics close() {
    if (recorder_) {
      statistics_ = recorder_->close(world_->ready());
      recorder_.reset();
    }
    return statistics_;
  }
  std::int64_t steps() { return recorder_ ? recorder_->steps() : statistics_.steps; }

 private:
  Recorder& open() {
    STICTION_USER_CHECK(recorder_ != nullptr, "the recorder has been closed");
    return *recorder_;
  }
  PyWorld::AfterStep recording() {
    return [recorder = &open()](World& world, double h, const StepReport& report) {
      recorder->record(world, world.input(), h, report);
    };
  }

  PyWorld* world_;
  std::unique_ptr<Recorder> recorder_;  // null: closed
  RecorderStatistics statistics_;
};

void bind_recorder(nb::module_& m) {
  using S = RecorderStatistics;
  nb::class_<S>(m, "RecorderStatistics", "Of a recording that was closed.")
      .def_ro("steps", &S::steps, "Taken.")
      .def_ro("states", &S::states, "Recorded.")
      .def_ro("waits", &S::waits, "Times that a step had to wait for the disk.")
      .def_ro("message_bytes", &S::message_bytes, "Before compression.")
      .def_ro("file_bytes", &S::file_bytes, "Of the file.");
  nb::class_<PyRecorder>(m, "Recorder",
                         "Steps a world and records every step in an MCAP file (docs/recording.md): with "
                         "Recorder(world, 'run.mcap') as r: r.step(steps=100). Between two steps change "
                         "nothing but inputs, and replay() finds every bit again.")
      .def(
          "__init__",
          [](PyRecorder* self, PyWorld& world, const std::filesystem::path& file, int every,
             int snapshot_every, bool foxglove, const std::string& scene) {
            RecorderOptions options;
            options.file = file;
            options.every = every;
            options.snapshot_every = snapshot_every;
            options.foxglove = foxglove;
            options.scene = scene;
            new (self) PyRecorder(&world, options);
          },
          "world"_a, "file"_a, "every"_a = 1, "snapshot_every"_a = 64, "foxglove"_a = false, "scene"_a = "",
          nb::keep_alive<1, 2>(),
          "every: steps between recorded states. snapshot_every: states between those from which a replay "
          "can "
          "start. foxglove: also what Foxglove's 3-D panel draws. scene: a name for people.")
      .def("step", &PyRecorder::step, "h"_a = nb::none(), "steps"_a = 1,
           "Steps of the world's options.h, or of h (s), recorded; the report of the last.")
      .def("simulate", &PyRecorder::simulate, "duration"_a,
           "Steps until a time (s) has passed, recorded; the last step is shortened to end there.")
      .def("log", &PyRecorder::log, "message"_a, "A line for people, at the time of the world.")
      .def_prop_ro("steps", &PyRecorder::steps, "Taken so far.")
      .def("close", &PyRecorder::close,
           "The end of the file; raises UserError if something could not be written. Closing again is "
           "nothing.")
      .def(
          "__enter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> Recorder"))
      .def(
          "__exit__", [](PyRecorder& self, const nb::args&) { self.close(); },
          nb::sig("def __exit__(self, *args: object) -> None"));
}

// A recording in memory.
struct Recording {
  nb::dict tables, columns;
  std::vector<std::string> bodies, shapes, joints;
  std::string title, ending;
  PyModel model;
  double h = 0.0;
  Formulation formulation;
};

nb::object array_of(const TableGroup& group, std::size_t rows) {
  const OwnedNumbers numbers(group.values.size());
  std::copy(group.values.begin(), group.values.end(), numbers.data());
  if (group.columns.size() == 1) return nb::cast(numbers.array({rows}));
  return nb::cast(numbers.array({rows, group.columns.size()}));
}

std::unique_ptr<Recording> read_recording(const std::filesystem::path& file) {
  auto out = std::make_unique<Recording>();
  RecordedTables tables;
  RecordedScene scene;
  {
    const nb::gil_scoped_release release;
    read_tables(file, &tables);
    scene = RecordingReader(file).scene();
  }
  for (const Table& table : tables.tables) {
    nb::dict arrays, names;
    for (const TableGroup& group : table.groups) {
      arrays[group.name.c_str()] = array_of(group, table.rows);
      names[group.name.c_str()] = nb::cast(group.columns);
    }
    out->tables[table.name.c_str()] = arrays;
    out->columns[table.name.c_str()] = names;
  }
  out->bodies = tables.bodies;
  out->shapes = tables.shapes;
  out->joints = tables.joints;
  out->title = tables.title;
  out->ending = tables.ending;
  out->model = share(std::move(scene.model));
  out->h = scene.h;
  out->formulation = scene.formulation;
  return out;
}

void bind_recording(nb::module_& m) {
  using R = Recording;
  nb::class_<R>(m, "Recording", "A recording as arrays; read_recording() makes one.")
      .def_prop_ro(
          "tables", [](const R& self) { return self.tables; },
          nb::sig("def tables(self) -> dict[str, dict[str, numpy.typing.NDArray[numpy.float64]]]"),
          "tables['states']['q'] has a row for each recorded state; there are states, inputs, contacts, "
          "energies, residuals, certificates and timings, in the units of docs/recording.md.")
      .def_prop_ro(
          "columns", [](const R& self) { return self.columns; },
          nb::sig("def columns(self) -> dict[str, dict[str, list[str]]]"),
          "Names of the columns of every array.")
      .def_ro("bodies", &R::bodies, "Names, by the numbers in the tables.")
      .def_ro("shapes", &R::shapes, "Names, by the numbers in the tables.")
      .def_ro("joints", &R::joints, "Names, by the numbers in the tables.")
      .def_ro("title", &R::title, "Scene and formulation.")
      .def_ro("ending", &R::ending, "Why the file has no end; empty: it has one.")
      .def_prop_ro(
          "model", [](const R& self) { return self.model; }, "That was simulated.")
      .def_ro("h", &R::h, "Step, s.")
      .def_prop_ro(
          "formulation", [](const R& self) { return Formulation(self.formulation); },
          "How steps were taken; a copy.")
      .def("__repr__", [](const R& self) { return format("Recording('{}')", self.title); });
}

ReplayResult replay_file(const std::filesystem::path& file, double begin) {
  const nb::gil_scoped_release release;
  InterruptWatch watch;
  ReplayOptions options;
  options.from = begin;
  options.proceed = [&watch](double) {
    watch.look();
    return true;
  };
  return replay(file, options);
}

void bind_replay(nb::module_& m) {
  using D = ReplayDifference;
  nb::class_<D>(m, "ReplayDifference", "The first number of a replay that is not the recorded one.")
      .def_ro("step", &D::step, "At whose end it was found.")
      .def_ro("time", &D::time, "s.")
      .def_ro("what", &D::what, "In words.")
      .def_ro("body", &D::body, "Its name; empty: it is not about one.")
      .def_ro("joint", &D::joint, "Its name; empty: it is not about one.")
      .def_ro("recorded", &D::recorded, "The number in the file.")
      .def_ro("replayed", &D::replayed, "The number of the replay.");
  using R = ReplayResult;
  nb::class_<R>(m, "ReplayResult", "How a replay went.")
      .def_ro("begin", &R::begin, "Time of the first state, s.")
      .def_ro("end", &R::end, "Time of the last state, s.")
      .def_ro("steps", &R::steps, "Taken.")
      .def_ro("compared", &R::compared, "States.")
      .def_ro("hash", &R::hash, "Of the last state.")
      .def_ro("difference", &R::difference, "The first number that is not the same; None: there is none.")
      .def_ro("ending", &R::ending, "Why the file has no end; empty: it has one.")
      .def_prop_ro("is_the_same", &R::is_the_same, "Whether every bit was found again.");
}

}  // namespace

void bind_recordings(nb::module_& m) {
  bind_recorder(m);
  bind_recording(m);
  bind_replay(m);
  m.def(
      "read_recording", &read_recording, "file"_a,
      "A recording as arrays. Raises UserError for what cannot be read; a file without an end is read up to "
      "there.");
  m.def(
      "replay", &replay_file, "file"_a, "begin"_a = 0.0,
      "Simulates a recording again, from its last snapshot that is not after a time (s), and compares every "
      "recorded state bit for bit; Ctrl-C stops it.");
}

}  // namespace stiction::python
