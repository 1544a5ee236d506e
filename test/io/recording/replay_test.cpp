// Recorded runs take the same steps again, bit for bit: every formulation, scheme, scene, kind of input and override,
// and files that were cut off or changed. One file, since all of them share the scenes and the recorder below.

#include "stiction/io/recording/replay.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/io/recording/formulation_json.h"
#include "stiction/io/recording/mcap_writer.h"
#include "stiction/io/recording/recorder.h"
#include "stiction/io/recording/recorder_frame.h"
#include "stiction/io/recording/recording.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/overrides.h"
#include "stiction/simulation/model_tables.h"
#include "test/base/allocation_counter.h"
#include "test/base/caught_warnings.h"
#include "test/base/fewer.h"
#include "test/constraint/pressure_laws.h"
#include "test/io/recording/temporary_file.h"

namespace stiction {
namespace {

// A ball above a cube, which drop onto the ground.
Model small_scene() {
  ModelBuilder builder("small");
  builder.add_shape("ground", "world", {}, HalfSpace{});
  builder.add_free_body("cube", translation(0, 0, 0.06), solid_box(1.0, Vec3::Constant(0.05)));
  builder.add_shape("cube", "cube", {}, Box{Vec3::Constant(0.05)});
  builder.add_free_body("ball", translation(0.03, 0, 0.18), solid_sphere(0.5, 0.05));
  builder.add_shape("ball", "ball", {}, Sphere{0.05});
  return builder.build();
}

World small_world(const Formulation& formulation = {}) {
  WorldOptions options;
  options.formulation = formulation;
  World world(small_scene(), options);
  world.set_body_velocity("cube", (Vec6() << 0.5, 1.0, -0.3, 0.4, 0.1, 0.0).finished());
  return world;
}

// What pushes, different in every step.
void push(int step, World* world) {
  BodyWrench wrench;
  wrench.body = world->model().body("cube");
  wrench.p_W = Vec3(0, 0, 0.05);
  wrench.wrench << 0, 0, 0, 0.5 + 0.01 * step, 0, 0;
  world->input().wrenches = {wrench};
}

void take_step(double h, World* world, Recorder* recorder) {
  const StepReport report = world->step(h);
  recorder->record(*world, world->input(), h, report);
}

// Records steps under a changing push; the hash of the last state.
std::uint64_t record_steps(int steps, const RecorderOptions& options, World* world) {
  Recorder recorder(*world, world->input(), options);
  for (int i = 0; i < steps; ++i) {
    push(i, world);
    take_step(world->options().h, world, &recorder);
  }
  recorder.close(*world);
  return hash(world->state());
}

RecorderOptions to_file(const TemporaryFile& file) {
  RecorderOptions options;
  options.file = file.path;
  return options;
}

TEST(Replay, HasTheSameBitsUnderEveryFormulationOfTheCatalog) {
  constexpr int kSteps = fewer(100, 5);  // 0.2 s
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    const TemporaryFile file("catalog.mcap");
    Formulation formulation;
    set_formulation(entry.name(), &formulation.contact);
    World world = small_world(formulation);
    const std::uint64_t end = record_steps(kSteps, to_file(file), &world);
    const ReplayResult result = replay(file.path);
    EXPECT_TRUE(result.is_the_same()) << (result.difference ? result.difference->what : "");
    EXPECT_EQ(result.hash, end);
    EXPECT_EQ(result.steps, kSteps);
    EXPECT_EQ(result.compared, kSteps + 1);
  }
}

TEST(Replay, HasTheSameBitsWithPressureFields) {
  Model model = small_scene();
  ContactMaterial soft;
  soft.pressure_modulus = 1e6;
  for (const char* shape : {"cube", "ball"}) set_material(shape, soft, &model);
  for (const LawKind law : pressure_laws()) {
    SCOPED_TRACE(name_of(law));
    const TemporaryFile file("fields.mcap");
    WorldOptions options;
    options.formulation.contact.law = law;
    World world(model, options);
    const std::uint64_t end = record_steps(100, to_file(file), &world);
    EXPECT_FALSE(world.record().collision.pressure_points.empty());
    const ReplayResult result = replay(file.path);
    EXPECT_TRUE(result.is_the_same()) << (result.difference ? result.difference->what : "");
    EXPECT_EQ(result.hash, end);
  }
}

TEST(Replay, HasTheSameBitsInEveryScene) {
  for (const SceneEntry& scene : scene_catalog()) {
    SCOPED_TRACE(scene.name);
    const TemporaryFile file("scene.mcap");
    World world(scene.make());
    {
      Recorder recorder(world, world.input(), to_file(file));
      for (int i = 0; i < fewer(10, 3); ++i) take_step(world.options().h, &world, &recorder);
      recorder.close(world);
    }
    const ReplayResult result = replay(file.path);
    EXPECT_TRUE(result.is_the_same()) << (result.difference ? result.difference->what : "");
    EXPECT_EQ(result.hash, hash(world.state()));
  }
}

TEST(Replay, HasTheStiffnessOfTheStepThatTheWorldWasMadeFor) {
  // A cube of 10 g: at 4 ms it gets 2.5e4 N/m, at the steps of 1 ms that follow it would get 4e5.
  ModelBuilder builder;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("cube", translation(0, 0, 0.0099), solid_box(0.01, Vec3::Constant(0.01)));
  builder.add_shape("cube", "cube", {}, Box{Vec3::Constant(0.01)});
  World world(builder.build(), {.h = 4e-3});
  world.options().h = 1e-3;
  const TemporaryFile file("stiffness.mcap");
  const std::uint64_t end = record_steps(50, to_file(file), &world);
  EXPECT_EQ(world.record().contact.materials.at(0).stiffness,
            world.model().tables().pair(0, 1, 4e-3).stiffness);
  const ReplayResult result = replay(file.path);
  EXPECT_TRUE(result.is_the_same()) << (result.difference ? result.difference->what : "");
  EXPECT_EQ(result.hash, end);
}

TEST(Replay, BeginsAtTheLastSnapshotBeforeATime) {
  const TemporaryFile file("from.mcap");
  Formulation formulation;
  set_formulation("coulomb_ncp+pgs", &formulation.contact);
  World world = small_world(formulation);
  RecorderOptions options = to_file(file);
  options.snapshot_every = 16;
  const std::uint64_t end = record_steps(100, options, &world);
  ReplayOptions from;
  from.from = 0.1;  // 50 steps of 2 ms; snapshots at 0, 16, 32, 48, ...
  const ReplayResult result = replay(file.path, from);
  EXPECT_TRUE(result.is_the_same());
  EXPECT_NEAR(result.begin, 48 * 2e-3, 1e-12);
  EXPECT_EQ(result.steps, 100 - 48);
  EXPECT_EQ(result.hash, end);
}

TEST(Replay, KnowsInputsThatChangedBetweenRecordedStates) {
  const TemporaryFile file("every.mcap");
  World world = small_world();
  RecorderOptions options = to_file(file);
  options.every = 7;
  const std::uint64_t end = record_steps(100, options, &world);
  const ReplayResult result = replay(file.path);
  EXPECT_TRUE(result.is_the_same());
  EXPECT_EQ(result.compared, 1 + 100 / 7 + 1);  // the first, every seventh, the last
  EXPECT_EQ(result.hash, end);
}

TEST(Replay, KnowsStepsOfDifferentLengthAndNumbersOfPairs) {
  const TemporaryFile file("lengths.mcap");
  World world = small_world();
  world.set_pair_friction("ground", "cube", 0.05);
  world.set_pair_stiffness("cube", "ball", 3e5);
  {
    Recorder recorder(world, world.input(), to_file(file));
    for (int i = 0; i < 50; ++i) take_step(i % 2 == 0 ? 1e-3 : 3e-3, &world, &recorder);
    recorder.close(world);
  }
  const ReplayResult result = replay(file.path);
  EXPECT_TRUE(result.is_the_same()) << (result.difference ? result.difference->what : "");
  EXPECT_EQ(result.hash, hash(world.state()));
}

TEST(Replay, NamesTheFirstNumberThatDiffers) {
  const TemporaryFile file("differs.mcap");
  World world = small_world();
  {
    Recorder recorder(world, world.input(), to_file(file));
    for (int i = 0; i < 40; ++i) {
      // Somebody moves the ball by less than anything can be seen.
      if (i == 30) {
        State state = world.state();
        const int at = world.model().forest.joints[std::size_t(1)].q_begin + 5;
        state.q[at] = std::nextafter(state.q[at], 1.0);
        world.set_state(state);
      }
      take_step(world.options().h, &world, &recorder);
    }
    recorder.close(world);
  }
  const ReplayResult result = replay(file.path);
  ASSERT_FALSE(result.is_the_same());
  EXPECT_EQ(result.difference->step, 31);
  EXPECT_EQ(result.difference->body, "ball");
  EXPECT_NE(result.difference->what.find("position 5"), std::string::npos) << result.difference->what;
  EXPECT_NE(result.difference->recorded, result.difference->replayed);
}

TEST(Recorder, ChangesNothingInTheMotion) {
  const TemporaryFile file("nothing.mcap");
  World recorded = small_world(), plain = small_world();
  const std::uint64_t end = record_steps(100, to_file(file), &recorded);
  for (int i = 0; i < 100; ++i) {
    push(i, &plain);
    plain.step();
  }
  EXPECT_EQ(hash(plain.state()), end);
}

TEST(Recorder, TheSteppingThreadAllocatesNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(make_scene("box_stack"));
  Input input;
  input.controls = VecX::Ones(3);
  RecorderFrame frame;
  std::int64_t allocations = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    const AllocationCounter counter;
    frame.input = input;
    frame.state = world.state();
    copy_contacts(world.record(), &frame);
    if (i >= 50) allocations += counter.count();  // buffers have their sizes by then
  }
  EXPECT_GT(frame.num_contacts, 0);
  EXPECT_EQ(allocations, 0);
}

TEST(Recorder, SaysWhatItWroteAndItIsThere) {
  const TemporaryFile file("said.mcap");
  World world = small_world();
  Recorder recorder(world, world.input(), to_file(file));
  for (int i = 0; i < 10; ++i) take_step(world.options().h, &world, &recorder);
  const RecorderStatistics statistics = recorder.close(world);
  EXPECT_EQ(statistics.steps, 10);
  EXPECT_EQ(statistics.states, 11);
  EXPECT_EQ(statistics.file_bytes, std::filesystem::file_size(file.path));
}

TEST(Recorder, WritesTheWeightOnTheGroundAndTheEnergies) {
  const TemporaryFile file("weight.mcap");
  World world(make_scene("box_stack"));
  {
    Recorder recorder(world, world.input(), to_file(file));
    for (int i = 0; i < 500; ++i) take_step(world.options().h, &world, &recorder);
    recorder.close(world);
  }
  double weight = 0.0, last = 0.0;
  const Model& model = world.model();
  for (const Body& body : model.forest.bodies) weight += body.inertia.mass * 9.81;
  RecordingReader reader(file.path);
  RecordedMessage message;
  recorded::Energies energies;
  while (reader.next(&message)) {
    if (const auto* e = std::get_if<recorded::Energies>(&message)) energies = *e;
    const auto* contacts = std::get_if<recorded::Contacts>(&message);
    if (contacts == nullptr) continue;
    last = 0.0;
    for (const recorded::Contact& c : contacts->contacts) {
      if (c.body_a == 0) last += c.force.z;
      if (c.body_b == 0) last -= c.force.z;
    }
  }
  EXPECT_NEAR(last, weight, 1e-3 * weight);  // at rest, after a second; forces are floats
  EXPECT_EQ(energies.kinetic, world.energies().kinetic);
  EXPECT_EQ(energies.gravity, world.energies().gravity);
  EXPECT_EQ(reader.scene().model.name, model.name);
}

// A cube of 1 kg that rests on the floor by its pressure field.
World resting_cube() {
  ModelBuilder builder("cube");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("cube", translation(0, 0, 0.05), Inertia{});
  builder.add_solid("cube", "cube", {}, Box{Vec3::Constant(0.05)}, 1000.0);
  ContactMaterial soft;
  soft.pressure_modulus = 1e6;
  builder.set_material("cube", soft);
  return World(builder.build());
}

TEST(Recorder, WritesAPatchAsOneContactWithItsMomentAndItsPolygons) {
  const TemporaryFile file("patch.mcap");
  World world = resting_cube();
  {
    Recorder recorder(world, world.input(), to_file(file));
    for (int i = 0; i < 500; ++i) take_step(world.options().h, &world, &recorder);
    // Pushed at its height z: the centre of pressure moves by z F/(m g), where there is no moment.
    BodyWrench push;
    push.body = world.model().body("cube");
    push.p_W = Vec3(0, 0, 0.1);
    push.wrench << 0, 0, 0, 1.0, 0, 0;
    world.input().wrenches = {push};
    for (int i = 0; i < 500; ++i) take_step(world.options().h, &world, &recorder);
    recorder.close(world);
  }
  RecordingReader reader(file.path);
  RecordedMessage message;
  recorded::Contacts contacts;
  recorded::Patches patches;
  while (reader.next(&message)) {
    if (const auto* found = std::get_if<recorded::Contacts>(&message)) contacts = *found;
    if (const auto* found = std::get_if<recorded::Patches>(&message)) patches = *found;
  }
  ASSERT_EQ(contacts.contacts.size(), 1u);
  const recorded::Contact& contact = contacts.contacts[0];
  EXPECT_NEAR(contact.force.z, 9.81, 1e-4);
  EXPECT_NEAR(contact.force.x, -1.0, 1e-4);
  // It has crept a little.
  const double centre = world.body_pose("cube").p.x() + 0.1 / 9.81;
  EXPECT_NEAR(contact.point.x, centre, 1e-5);
  EXPECT_NEAR(contact.point.z, 0.0, 1e-5);
  ASSERT_TRUE(contact.moment.has_value());
  EXPECT_NEAR(contact.moment->y, 0.0, 1e-5);
  EXPECT_FALSE(contact.sliding);
  // The pressure over the polygons is the weight, at the same centre.
  ASSERT_EQ(patches.patches.size(), 1u);
  const recorded::Patch& patch = patches.patches[0];
  double force = 0.0, area = 0.0, moment = 0.0;
  std::size_t begin = 0;
  const auto corner = [&](std::size_t c) {
    return Vec3(patch.corners[3 * c], patch.corners[3 * c + 1], patch.corners[3 * c + 2]);
  };
  for (const int count : patch.corner_counts) {
    for (std::size_t i = 2; i < std::size_t(count); ++i) {
      const std::size_t a = begin, b = begin + i - 1, c = begin + i;
      const double part = 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).z();
      const double pa = patch.pressures[a], pb = patch.pressures[b], pc = patch.pressures[c];
      area += part;
      force += part * (pa + pb + pc) / 3.0;
      moment += part / 12.0 *
                (corner(a).x() * (2 * pa + pb + pc) + corner(b).x() * (pa + 2 * pb + pc) +
                 corner(c).x() * (pa + pb + 2 * pc));
    }
    begin += std::size_t(count);
  }
  EXPECT_EQ(3 * begin, patch.corners.size());
  EXPECT_EQ(begin, patch.pressures.size());
  EXPECT_NEAR(area, patch.area, 1e-6);
  EXPECT_NEAR(area, 0.01, 1e-5);
  EXPECT_NEAR(force, 9.81, 1e-3);
  EXPECT_NEAR(moment / force, centre, 1e-5);
}

TEST(Recorder, CopiesPatchesWithoutAllocations) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world = resting_cube();
  RecorderFrame frame;
  PatchWork work;
  std::int64_t allocations = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    const AllocationCounter counter;
    copy_contacts(world.record(), &frame);
    copy_patches(*world.model().tables().collision, world.record(), &work, &frame);
    if (i >= 50) allocations += counter.count();
  }
  EXPECT_EQ(frame.num_contacts, 1);
  EXPECT_EQ(frame.num_patches, 1);
  EXPECT_EQ(allocations, 0);
}

TEST(Recorder, TellsSlidingFromSticking) {
  for (const bool slides : {true, false}) {
    const TemporaryFile file("sliding.mcap");
    World world(make_scene(slides ? "dragged_box" : "slope"));  // at 1 m/s; within the cone of friction
    {
      Recorder recorder(world, world.input(), to_file(file));
      for (int i = 0; i < 200; ++i) take_step(world.options().h, &world, &recorder);
      recorder.close(world);
    }
    RecordingReader reader(file.path);
    RecordedMessage message;
    recorded::Contacts contacts;
    while (reader.next(&message))
      if (const auto* found = std::get_if<recorded::Contacts>(&message)) contacts = *found;
    ASSERT_FALSE(contacts.contacts.empty());
    for (const recorded::Contact& c : contacts.contacts) EXPECT_EQ(c.sliding, slides);
  }
}

TEST(Recorder, AFileThatCannotBeWrittenIsAUserError) {
  World world = small_world();
  RecorderOptions options;
  options.file = "/no/such/folder/run.mcap";
  EXPECT_THROW(Recorder(world, world.input(), options), UserError);
}

TEST(FormulationJson, ComesBackTheSame) {
  for (const CatalogEntry& entry : catalog()) {
    Formulation formulation;
    set_formulation(entry.name(), &formulation.contact);
    formulation.scheme = scheme_list().back();
    formulation.contact.v_s = 1.0 / 3e4;
    formulation.contact.rigid.penetration_recovery = 0.1;
    formulation.newton.max_iterations = 17;
    formulation.dual.pyramid.facets = 12;
    const std::string text = formulation_to_json(formulation);
    const Formulation read = formulation_from_json(text);
    EXPECT_EQ(formulation_to_json(read), text);
    EXPECT_EQ(read.contact.law, formulation.contact.law);
    EXPECT_EQ(std::string_view(read.contact.solver), entry.solver);
    EXPECT_EQ(read.contact.v_s, formulation.contact.v_s);
    EXPECT_EQ(read.dual.pyramid.facets, 12);
  }
}

// A field that recordings do not know is lost in a replay, and nothing else would tell. Where this fails,
// write the new field in formulation_json.cpp, or in messages.h, messages.cpp and stiction.proto, and its
// size here.
TEST(FormulationJson, KnowsAllFieldsThereAre) {
  EXPECT_EQ(sizeof(ContactOptions), 96u);
  EXPECT_EQ(sizeof(ConstraintOptions), 24u);
  EXPECT_EQ(sizeof(NewtonOptions), 32u);
  EXPECT_EQ(sizeof(DualOptions), 56u);
  EXPECT_EQ(sizeof(GeometricOptions), 48u);
  EXPECT_EQ(sizeof(Formulation), 288u);
  EXPECT_EQ(sizeof(State), 184u);
  EXPECT_EQ(sizeof(Input), 272u);
}

// Recordings that were made before a number was there: it has its default.
TEST(FormulationJson, NumbersThatOlderRecordingsDoNotHaveAreTheDefaults) {
  Formulation formulation;
  formulation.dual.max_iterations = 123;
  std::string text = formulation_to_json(formulation);
  for (const std::string key : {"\"dual_absolute_tolerance\":0.0,", "\"minimum_norm\":false,"}) {
    const auto at = text.find(key);
    ASSERT_NE(at, std::string::npos) << text;
    text.erase(at, key.size());
  }
  const Formulation read = formulation_from_json(text);
  EXPECT_EQ(read.dual.absolute_tolerance, 0.0);
  EXPECT_FALSE(read.dual.minimum_norm);
  EXPECT_EQ(read.dual.max_iterations, 123);
}

TEST(FormulationJson, WhatIsMissingIsNamed) {
  try {
    formulation_from_json(R"({"scheme": "midpoint"})");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("formulation"), std::string::npos);
  }
}

TEST(FormulationJson, OldNamesOfKeysAreReadAndNoted) {
  Formulation formulation;
  formulation.contact.rigid.penetration_recovery = 0.3;
  formulation.contact.rigid.fastest_recovery = 0.7;
  const std::string text = formulation_to_json(formulation);
  auto json = nlohmann::ordered_json::parse(text);
  for (const auto& [old_key, key] :
       {std::pair("push_out", "penetration_recovery"), std::pair("fastest_push_out", "fastest_recovery")}) {
    auto both = nlohmann::ordered_json::parse(text);
    both[old_key] = 0.1;
    try {
      formulation_from_json(both.dump(), "run");
      FAIL() << key;
    } catch (const UserError& error) {
      EXPECT_EQ(error.what(),
                format("run: '{}' is the old name of '{}': only one of them may be given", old_key, key));
    }
    json[old_key] = json[key];
    json.erase(key);
  }
  const CaughtWarnings caught;
  EXPECT_EQ(formulation_to_json(formulation_from_json(json.dump(), "run")), text);
  EXPECT_EQ(caught.lines,
            (std::vector<std::string>{
                "run: 'push_out' is now called 'penetration_recovery'; the old name is still read",
                "run: 'fastest_push_out' is now called 'fastest_recovery'; the old name is still read"}));
}

// Copies a recording; `change` has the scene to work on, and `change_model` the model.
void copy_recording(const std::filesystem::path& from, const std::filesystem::path& to,
                    const std::function<void(nlohmann::ordered_json*)>& change,
                    const std::function<void(nlohmann::ordered_json*)>& change_model) {
  McapReader reader(from);
  McapWriter writer(to);
  std::map<const McapChannel*, int> channels;
  McapMessage message;
  while (reader.next(&message)) {
    const McapChannel& channel = *message.channel;
    if (channels.count(&channel) == 0) {
      const McapSchema& schema = reader.schemas().at(channel.schema);
      channels[&channel] = writer.add_channel(channel.topic, channel.message_encoding,
                                              writer.add_schema(schema.name, schema.encoding, schema.data));
    }
    std::string data(message.data);
    if (channel.topic == "/scene" || channel.topic == "/model") {
      auto json = nlohmann::ordered_json::parse(data);
      (channel.topic == "/scene" ? change : change_model)(&json);
      data = json.dump();
    }
    writer.write(channels[&channel], message.time, data);
  }
  writer.close();
}

void rename(const char* from, const char* to, nlohmann::ordered_json* json) {
  (*json)[to] = (*json)[from];
  json->erase(from);
}

TEST(Replay, ARecordingOfTheFirstVersionIsReplayedToTheSameBits) {
  const TemporaryFile file("second.mcap"), old("first.mcap");
  World world = small_world();
  const std::uint64_t end = record_steps(20, to_file(file), &world);
  copy_recording(
      file.path, old.path,
      [](nlohmann::ordered_json* scene) {
        (*scene)["version"] = 1;
        auto formulation = nlohmann::ordered_json::parse((*scene)["formulation"].get<std::string>());
        rename("penetration_recovery", "push_out", &formulation);
        rename("fastest_recovery", "fastest_push_out", &formulation);
        (*scene)["formulation"] = formulation.dump();
      },
      [](nlohmann::ordered_json* model) {
        (*model)["version"] = 1;
        for (auto& shape : (*model)["shapes"]) {
          rename("anisotropy_ratio", "cross_friction", &shape["contact"]);
          rename("friction_direction", "grain", &shape["contact"]);
        }
      });
  const CaughtWarnings caught;
  const ReplayResult result = replay(old.path);
  EXPECT_TRUE(result.is_the_same());
  EXPECT_EQ(result.hash, end);
  EXPECT_EQ(caught.lines.size(), 4u);
}

TEST(Replay, ARecordingOfAnotherVersionIsRefusedByName) {
  const TemporaryFile file("now.mcap"), other("other.mcap");
  World world = small_world();
  record_steps(2, to_file(file), &world);
  for (const int version : {0, 3}) {
    copy_recording(
        file.path, other.path, [version](nlohmann::ordered_json* scene) { (*scene)["version"] = version; },
        [](nlohmann::ordered_json*) {});
    try {
      replay(other.path);
      FAIL() << version;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what())
                    .find(format("{}: this is version {} of stiction recordings, which this version "
                                 "does not read",
                                 other.path.string(), version)),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Recorder, TheMetadataHaveTheFormatAndItsVersion) {
  const TemporaryFile file("metadata.mcap");
  World world = small_world();
  record_steps(1, to_file(file), &world);
  McapReader reader(file.path);
  McapMessage message;
  while (reader.next(&message)) {
  }
  ASSERT_FALSE(reader.metadata().empty());
  EXPECT_EQ(reader.metadata()[0].values.at("format"), "stiction_recording");
  EXPECT_EQ(reader.metadata()[0].values.at("format_version"), "2");
}

}  // namespace
}  // namespace stiction
