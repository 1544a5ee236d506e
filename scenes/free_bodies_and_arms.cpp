#include "scenes/free_bodies_and_arms.h"

#include <numbers>
#include <string>

#include "scenes/arm.h"
#include "scenes/solids.h"
#include "stiction/base/random.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {

Model free_bodies_and_arms() {
  constexpr int kBodies = 40, kPerLayer = 8;
  ModelBuilder builder("free_bodies_and_arms");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.attach(arm(), "world", translation(-0.7, 0.0, 0.0), "left/");
  builder.attach(arm(), "world",
                 {rotation_about<double>(Vec3::UnitZ(), std::numbers::pi), Vec3(0.7, 0.0, 0.0)}, "right/");

  Random random(40);
  for (int i = 0; i < kBodies; ++i) {
    const std::string name = "body" + std::to_string(i);
    const int cell = i % kPerLayer, layer = i / kPerLayer;
    const Vec3 p(-0.18 + 0.12 * (cell % 4), -0.06 + 0.12 * (cell / 4), 0.1 + 0.14 * layer);
    const Vec3 turn(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    builder.add_free_body(name, {rotation_exp(turn), p}, Inertia{});
    const double size = random.uniform(0.02, 0.035);  // m
    Shape shape = Sphere{size};
    if (i % 3 == 1) shape = Box{size * Vec3(1.0, 0.8, 0.6)};
    if (i % 3 == 2) shape = Capsule{0.6 * size, size};
    builder.add_solid(name, name, {}, shape, 800.0);
  }
  return builder.build();
}

}  // namespace stiction::scenes
