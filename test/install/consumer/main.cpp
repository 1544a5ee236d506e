#include <cstdio>

#include "stiction/stiction.h"

int main() {
  stiction::ModelBuilder builder("pendulum");
  builder.add_body("rod", "world", {}, stiction::point_mass(1.0, stiction::Vec3(0, 0, -1)));
  builder.add_joint("rod", {.name = "hinge", .axis = stiction::Vec3::UnitY()});
  stiction::World world(builder.build());
  world.set_position("hinge", 0.1);
  world.simulate(1.0);
  std::printf("angle %g rad, energy %g J\n", world.position("hinge"), world.energies().total());
  return world.position("hinge") < -0.09 ? 0 : 1;  // half a period of 2.006 s later it is on the other side
}
