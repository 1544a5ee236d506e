#include "stiction/simulation/actuation/transmission.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/multibody/positions.h"
#include "test/multibody/random_state.h"

namespace stiction {
namespace {

// Every kind of wrap and of transmission, on a tree with hinges, a slide and a ball.
Model machine() { return load_mjcf("test/data/mjcf/transmissions.xml"); }

TransmissionState at(const Model& model, const Transmissions& transmissions, const VecX& q) {
  Kinematics kinematics(model.forest);
  compute_positions(model.forest, q.data(), &kinematics);
  TransmissionState state(transmissions);
  transmissions.compute(kinematics, q.data(), &state);
  return state;
}

TEST(Transmission, RowsAreTheDerivativesOfTheLengths) {
  // Central differences along v with a step of 1e-6: 1e-12 of third derivatives and 1e-10 of round-off, and
  // where a cord touches a drum from inside, the second is that of the search for the place.
  constexpr double h = 1e-6, kWithin = 2e-8;
  const Model model = machine();
  const Transmissions transmissions(model);
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const VecX q = random_positions(model.forest, &random), v = random_vector(model.num_v(), 1.0, &random);
    VecX before = q, after = q;
    integrate_positions(model.forest, q.data(), v.data(), -h, before.data());
    integrate_positions(model.forest, q.data(), v.data(), h, after.data());
    const TransmissionState now = at(model, transmissions, q), first = at(model, transmissions, before),
                            last = at(model, transmissions, after);
    for (int t = 0; t < transmissions.num_tendons(); ++t) {
      SCOPED_TRACE(model.elements.tendons[t].name);
      EXPECT_NEAR(now.tendon_rows.dot(t, v.data()),
                  (last.tendon_lengths[t] - first.tendon_lengths[t]) / (2 * h), kWithin * v.norm());
    }
    for (int a = 0; a < transmissions.num_actuators(); ++a) {
      // A turn has no length whose derivative is its row, and a jet has no length at all.
      const Actuator& actuator = model.elements.actuators[a];
      const bool is_turn = transmissions.period(a) > 0.0;
      const bool is_jet = actuator.transmission == TransmissionKind::site && actuator.reference_site.empty();
      const bool moves_reference = actuator.reference_site == "wrist";
      if (is_turn || is_jet || moves_reference) continue;
      SCOPED_TRACE(a);
      EXPECT_NEAR(now.actuator_rows.dot(a, v.data()),
                  (last.actuator_lengths[a] - first.actuator_lengths[a]) / (2 * h), kWithin * v.norm());
    }
  }
}

TEST(Transmission, ColumnsAscend) {
  const Model model = machine();
  const Transmissions transmissions(model);
  for (const MomentRows* rows : {&transmissions.tendon_rows(), &transmissions.actuator_rows()})
    for (int i = 0; i < rows->num_rows(); ++i) {
      const auto columns = rows->columns_of(i);
      EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end(), std::less_equal<int>())) << i;
    }
}

TEST(Transmission, WhatMovesBothEndsIsNotAColumn) {
  const Model model = parse_mjcf(R"(<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/>
      <site name="s" pos="0.1 0 0"/>
      <body name="b" pos="0.3 0 0"><joint name="j"/><geom size="0.1" pos="0.1 0 0"/><site name="t" pos="0 0.2 0"/>
      </body></body></worldbody>
      <tendon><spatial><site site="s"/><site site="t"/></spatial></tendon></mujoco>)",
                                 "model.xml");
  const Transmissions transmissions(model);
  const auto columns = transmissions.tendon_rows().columns_of(0);
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0], model.forest.joints[model.joint("j")].v_begin);
}

TEST(Transmission, TendonsNameWhatTheyCannotWrapAround) {
  Model model = machine();
  model.elements.tendons[2].wraps[1].name = "fist";
  EXPECT_THROW(Transmissions{model}, UserError);
}

}  // namespace
}  // namespace stiction
