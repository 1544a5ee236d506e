#include "apps/viewer/track_packer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "apps/viewer/run_track.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "test/base/fewer.h"
#include "test/viewer/unpacked_track.h"

namespace stiction::viewer {
namespace {

ViewFrame frame_at(double time, const ViewPose& moving) {
  ViewFrame frame;
  frame.time = time;
  frame.poses = {{1, 0, 0, 0, 0, 0, 0}, moving};
  frame.values = {std::sin(time), 3.0};
  return frame;
}

constexpr TrackScales kScales = {1e-4, 1e-3, 0.01};

TEST(TrackPacker, UnpacksToThePosesWithinHalfAStep) {
  TrackPacker packer({"sine", "three"}, kScales);
  const auto pose = [](double t) -> ViewPose {
    return {std::cos(t), std::sin(t), 0, 0, std::cos(3 * t), -1e3 * t * t, 1e-3 * t};
  };
  for (int i = 0; i < 200; ++i) packer.add(frame_at(0.05 * i, pose(0.05 * i)));
  const UnpackedTrack track(packer.finish());
  ASSERT_TRUE(track.is_whole);
  EXPECT_EQ(track.magic, "STKT");
  EXPECT_EQ(track.version, 1u);
  EXPECT_EQ(track.header["values"], (std::vector<std::string>{"sine", "three"}));
  EXPECT_EQ(track.header["duration"], 0.05 * 199);
  EXPECT_EQ(track.moves, (std::vector<bool>{false, true}));
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(track.time[i], 0.05 * static_cast<double>(i));
    const ViewPose expected = pose(track.time[i]);
    for (std::size_t k = 0; k < 7; ++k)
      EXPECT_NEAR(track.poses[i][1][k], expected[k], k < 4 ? 0.501 / 32767 : 0.501e-4) << i << " " << k;
    EXPECT_EQ(track.values[0][i], static_cast<float>(std::sin(track.time[i])));
    EXPECT_EQ(track.values[1][i], 3.0f);
  }
}

TEST(TrackPacker, ABodyThatMovesLateStandsUntilThen) {
  TrackPacker packer({"a", "b"}, kScales);
  for (int i = 0; i < 10; ++i) packer.add(frame_at(i, {1, 0, 0, 0, 5, 0, i < 7 ? 1.0 : 2.0}));
  const UnpackedTrack track(packer.finish());
  ASSERT_TRUE(track.is_whole);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(track.poses[i][1][6], i < 7 ? 1.0 : 2.0, 1e-4);
}

TEST(TrackPacker, TakesTheQuaternionNearTheOneBefore) {
  TrackPacker packer({"a", "b"}, kScales);
  // The same turning with signs as they happen to come.
  for (int i = 0; i < 100; ++i) {
    const double half = 0.1 * i, sign = i % 3 == 0 ? -1.0 : 1.0;
    packer.add(frame_at(i, {sign * std::cos(half), 0, 0, sign * std::sin(half), 0, 0, 0}));
  }
  const UnpackedTrack track(packer.finish());
  for (std::size_t i = 1; i < 100; ++i) {
    double dot = 0.0;
    for (std::size_t k = 0; k < 4; ++k) dot += track.poses[i][1][k] * track.poses[i - 1][1][k];
    EXPECT_NEAR(dot, std::cos(0.1), 1e-3);
  }
}

ViewContact contact_of(int shape, float force) {
  ViewContact contact;
  contact.body_b = contact.shape_b = shape;
  contact.point = {0.1f, 0.2f, 0.3f};
  contact.normal = {0, 0, 1};
  contact.force = {0, 0, force};
  contact.gap = -1e-3f;
  contact.sliding = shape % 2 == 0;
  contact.mu = 0.5f;
  return contact;
}

TEST(TrackPacker, ContactsKeepTheirPlaceWhileTheyLast) {
  TrackPacker packer({"a", "b"}, kScales);
  const std::vector<std::vector<int>> touching = {{1, 2, 3}, {2, 3}, {2, 3, 4}, {}, {5}};
  for (std::size_t i = 0; i < touching.size(); ++i) {
    ViewFrame frame = frame_at(static_cast<double>(i), {1, 0, 0, 0, 0, 0, 0});
    for (const int shape : touching[i])
      frame.contacts.push_back(contact_of(shape, static_cast<float>(shape)));
    packer.add(frame);
  }
  const UnpackedTrack track(packer.finish());
  ASSERT_TRUE(track.is_whole);
  EXPECT_EQ(track.header["contacts"]["count"], 9);
  const auto bodies = [&](std::size_t frame) {
    std::vector<std::int64_t> list;
    for (const auto& contact : track.contacts[frame]) list.push_back(contact[1]);
    return list;
  };
  EXPECT_EQ(bodies(0), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(bodies(1), (std::vector<std::int64_t>{3, 2}));  // 2 stays second, 3 takes the place of 1
  EXPECT_EQ(bodies(2), (std::vector<std::int64_t>{3, 2, 4}));
  EXPECT_EQ(bodies(3), (std::vector<std::int64_t>{}));
  EXPECT_EQ(track.contacts[4][0],
            (std::vector<std::int64_t>{0, 5, 100, 200, 300, 0, 0, 127, 0, 0, 500, -1000, 0, 500}));
}

// A contact whose place and force are noise, in as many frames as make a file too large.
TEST(TrackPacker, HoldsContactsForSomeFramesWhereThereIsTooMuchOfThem) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  TrackPacker packer({"a", "b"}, kScales);
  std::uint64_t random = 1;
  const auto noise = [&random] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(static_cast<double>(random >> 40) / (1 << 24));
  };
  constexpr int kContacts = 1000, kFrames = 900;
  std::vector<std::vector<ViewContact>> given;
  for (int i = 0; i < kFrames; ++i) {
    ViewFrame frame = frame_at(i, {1, 0, 0, 0, 0, 0, 0});
    for (int c = 0; c < kContacts; ++c) {
      ViewContact contact = contact_of(c, 0.0f);
      contact.point = {noise(), noise(), noise()};
      contact.force = {10 * noise(), 10 * noise(), 10 * noise()};
      frame.contacts.push_back(contact);
    }
    given.push_back(frame.contacts);
    packer.add(frame);
  }
  const std::string packed = packer.finish();
  EXPECT_LE(packed.size(), 6'500'000u);
  const UnpackedTrack track(packed);
  ASSERT_TRUE(track.is_whole);
  const auto every = track.header["contacts"]["every"].get<std::size_t>();
  const double place = track.header["contacts"]["position_step"].get<double>();
  EXPECT_GT(every * static_cast<std::size_t>(place / kScales.contact_position_step + 0.5), 1u);
  for (std::size_t i = 0; i < given.size(); i += 7)
    for (std::size_t c = 0; c < kContacts; c += 99)
      EXPECT_NEAR(static_cast<double>(track.contacts[i][c][2]) * place, given[i - i % every][c].point[0],
                  0.5 * place + 0.5 * kScales.contact_position_step + 1e-6);
}

TEST(TrackPacker, KeepsThePolygonsOfPatches) {
  TrackPacker packer({"a", "b"}, kScales);
  std::vector<ViewPolygons> given;
  for (int i = 0; i < 4; ++i) {
    ViewFrame frame = frame_at(i, {1, 0, 0, 0, 0, 0, 0});
    const float x = 0.01f * static_cast<float>(i);
    if (i != 2) {
      frame.polygons.counts = {3, 4};
      for (int c = 0; c < 7; ++c)
        for (const float number : {x, -0.2f * static_cast<float>(c), 0.3f, 1000.0f * static_cast<float>(c)})
          frame.polygons.corners.push_back(number);
      for (int c = 0; c < 7; ++c) frame.polygons.slips.push_back(0.1f * static_cast<float>(c * i));
    }
    given.push_back(frame.polygons);
    packer.add(frame);
  }
  const UnpackedTrack track(packer.finish());
  ASSERT_TRUE(track.is_whole);
  ASSERT_EQ(track.polygons.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(track.polygons[i].corners.size(), given[i].num_corners());
    EXPECT_EQ(track.polygons[i].counts,
              (i == 2 ? std::vector<std::size_t>{} : std::vector<std::size_t>{3, 4}));
    for (std::size_t c = 0; c < given[i].num_corners(); ++c) {
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(track.polygons[i].corners[c][k], given[i].corners[4 * c + k], 0.501e-4);
      EXPECT_NEAR(track.polygons[i].corners[c][3], given[i].corners[4 * c + 3], 6000.0 / 510.0 + 1e-3);
      EXPECT_NEAR(track.polygons[i].slips[c], given[i].slips[c], 1.8 / 510.0 + 1e-6);
    }
  }
}

TEST(TrackPacker, NumbersThatAreNotFiniteDoNoHarm) {
  TrackPacker packer({"a", "b"}, kScales);
  for (const double number : {0.0, std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, 1.0})
    packer.add(frame_at(0, {1, 0, 0, 0, number, 0, 0}));
  const UnpackedTrack track(packer.finish());
  ASSERT_TRUE(track.is_whole);
  EXPECT_EQ(track.poses[5][1][4], 1.0);
}

TEST(FrameClock, TakesTheFirstTimeThatIsNotBeforeEachFrame) {
  FrameClock clock(60.0);
  int frames = 0;
  for (int step = 0; step <= 5000; ++step) frames += clock.wants(3.0 + 0.002 * step) ? 1 : 0;
  EXPECT_EQ(frames, 601);
  FrameClock slow(10.0);
  // Steps longer than a frame: every one of them.
  for (int step = 0; step < 10; ++step) EXPECT_TRUE(slow.wants(0.25 * step));
}

TEST(RunTrack, HasTheFirstAndTheLastStateAndTheWeightAtRest) {
  World world(make_scene("slope"));
  RunTrack run(world, world.input());
  for (int i = 0; i < 105; ++i) run.add(world, world.input(), world.step());
  const Pose end = world.body_pose(world.model().forest.bodies.back().name);
  const UnpackedTrack track(run.finish(world, world.input()));
  ASSERT_TRUE(track.is_whole);
  EXPECT_EQ(track.time.front(), 0.0);
  EXPECT_NEAR(track.time.back(), world.time(), 1e-12);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(track.poses.back().back()[4 + k], end.p[static_cast<Eigen::Index>(k)],
                0.51 * track.header["bounds"]["position_step"].get<double>());
  double force = 0.0;
  for (const auto& contact : track.contacts.back()) force += static_cast<double>(contact[10]);
  force *= track.header["contacts"]["force_step"].get<double>();
  double mass = 0.0;
  for (const Body& body : world.model().forest.bodies) mass += body.inertia.mass;
  EXPECT_NEAR(force, mass * world.model().forest.gravity.norm(), 0.05 * force);
}

TEST(RunTrack, RefusesFramesThatCannotBe) {
  for (const double fps : {0.0, -1.0, 1e9, std::nan("")}) EXPECT_THROW(check_fps(fps), UserError);
}

}  // namespace
}  // namespace stiction::viewer
