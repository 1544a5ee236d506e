#include "scenes/quadruped.h"

#include <string>

#include "scenes/solids.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {

Model quadruped() {
  ModelBuilder builder("quadruped");
  builder.add_free_body("trunk", translation(0.0, 0.0, 0.36), Inertia{});
  add_part("trunk", "trunk", {}, Box{Vec3(0.21, 0.1, 0.055)}, 7.4, &builder);
  // Battery below, sensor head in front: the centre of mass is not the trunk's origin.
  add_part("battery", "trunk", translation(-0.03, 0.0, -0.07), Box{Vec3(0.09, 0.06, 0.02)}, 1.3, &builder);
  builder.add_body("head", "trunk", translation(0.24, 0.0, 0.04));
  add_part("head", "head", {}, Box{Vec3(0.04, 0.05, 0.035)}, 0.5, &builder);
  builder.add_frame("imu", "trunk", translation(-0.02, 0.01, 0.03));

  const Motor hip{0.009, 0.06, 24.0}, knee{0.014, 0.09, 36.0};
  constexpr double kThigh = 0.2, kShank = 0.2;  // m
  for (const bool front : {true, false}) {
    for (const bool left : {true, false}) {
      const double sx = front ? 1.0 : -1.0, sy = left ? 1.0 : -1.0;
      const std::string leg = std::string(front ? "front_" : "hind_") + (left ? "left_" : "right_");

      builder.add_body(leg + "hip", "trunk", translation(sx * 0.19, sy * 0.05, 0.0));
      builder.add_joint(leg + "hip", motor_hinge(leg + "roll", Vec3::UnitX(), -0.8, 0.8, hip));
      add_rod(leg + "hip", leg + "hip", Vec3(0.0, sy * 0.01, 0.0), Vec3(0.0, sy * 0.07, 0.0), 0.045, 0.62,
              &builder);

      builder.add_body(leg + "thigh", leg + "hip", translation(0.0, sy * 0.085, 0.0));
      builder.add_joint(leg + "thigh", motor_hinge(leg + "pitch", Vec3::UnitY(), -1.2, 2.6, hip));
      add_rod(leg + "thigh", leg + "thigh", Vec3(-0.005, sy * 0.012, -0.01), Vec3(0.0, 0.0, -kThigh), 0.024,
              0.83, &builder);

      builder.add_body(leg + "shank", leg + "thigh", translation(0.0, 0.0, -kThigh));
      builder.add_joint(leg + "shank", motor_hinge(leg + "knee", Vec3::UnitY(), -2.6, -0.4, knee));
      add_rod(leg + "shank", leg + "shank", Vec3::Zero(), Vec3(0.006, 0.0, -kShank), 0.014, 0.19, &builder);

      builder.add_body(leg + "foot", leg + "shank", translation(0.0, 0.0, -kShank));
      add_part(leg + "foot", leg + "foot", {}, Sphere{0.022}, 0.05, &builder);

      builder.set_initial(leg + "pitch", {0.75});
      builder.set_initial(leg + "knee", {-1.5});
    }
  }
  return builder.build();
}

}  // namespace stiction::scenes
