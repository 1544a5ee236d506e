#include "scenes/humanoid.h"

#include <string>

#include "scenes/solids.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

const Vec3 kX = Vec3::UnitX(), kY = Vec3::UnitY(), kZ = Vec3::UnitZ();  // forward, left, up

constexpr Motor kStrong{0.12, 1.2, 180.0}, kMiddle{0.06, 0.6, 90.0}, kWeak{0.02, 0.2, 30.0};

// `side` is +1 on the left; rolls and yaws are mirrored, so that equal angles make equal poses.
void add_leg(const std::string& leg, double side, ModelBuilder* builder) {
  builder->add_body(leg + "thigh", "pelvis", translation(0.0, side * 0.095, -0.06));
  builder->add_joint(leg + "thigh", motor_hinge(leg + "hip_yaw", side * kZ, -0.7, 0.7, kMiddle));
  builder->add_joint(leg + "thigh", motor_hinge(leg + "hip_roll", side * kX, -0.4, 0.9, kStrong));
  builder->add_joint(leg + "thigh", motor_hinge(leg + "hip_pitch", kY, -2.0, 0.8, kStrong));
  add_rod(leg + "thigh", leg + "thigh", Vec3(0.0, 0.0, -0.04), Vec3(0.01, side * -0.01, -0.36), 0.062, 7.2,
          builder);

  builder->add_body(leg + "shank", leg + "thigh", translation(0.0, 0.0, -0.41));
  builder->add_joint(leg + "shank", motor_hinge(leg + "knee", kY, 0.0, 2.4, kStrong));
  add_rod(leg + "shank", leg + "shank", Vec3(0.0, 0.0, -0.03), Vec3(-0.015, 0.0, -0.36), 0.047, 3.4, builder);

  builder->add_body(leg + "foot", leg + "shank", translation(0.0, 0.0, -0.41));
  builder->add_joint(leg + "foot", motor_hinge(leg + "ankle_pitch", kY, -0.9, 0.7, kMiddle));
  builder->add_joint(leg + "foot", motor_hinge(leg + "ankle_roll", side * kX, -0.4, 0.4, kWeak));
  add_part(leg + "foot", leg + "foot", translation(0.045, 0.0, -0.05), Box{Vec3(0.115, 0.045, 0.02)}, 1.1,
           builder);
  builder->add_frame(leg + "sole", leg + "foot", translation(0.045, 0.0, -0.07));
}

void add_arm(const std::string& arm, double side, ModelBuilder* builder) {
  builder->add_body(arm + "upper_arm", "chest", translation(0.0, side * 0.19, 0.23));
  builder->add_joint(arm + "upper_arm", motor_hinge(arm + "shoulder_pitch", kY, -2.9, 1.2, kMiddle));
  builder->add_joint(arm + "upper_arm", motor_hinge(arm + "shoulder_roll", side * kX, -0.3, 2.4, kMiddle));
  builder->add_joint(arm + "upper_arm", motor_hinge(arm + "shoulder_yaw", side * kZ, -1.4, 1.4, kWeak));
  add_rod(arm + "upper_arm", arm + "upper_arm", Vec3(0.0, side * 0.02, -0.02), Vec3(0.0, side * 0.03, -0.25),
          0.042, 2.1, builder);

  builder->add_body(arm + "forearm", arm + "upper_arm", translation(0.0, side * 0.03, -0.28));
  builder->add_joint(arm + "forearm", motor_hinge(arm + "elbow", kY, -2.4, 0.0, kMiddle));
  add_rod(arm + "forearm", arm + "forearm", Vec3::Zero(), Vec3(0.02, 0.0, -0.22), 0.034, 1.3, builder);

  builder->add_body(arm + "hand", arm + "forearm", translation(0.02, 0.0, -0.28));
  add_part(arm + "hand", arm + "hand", translation(0.0, 0.0, -0.04), Ellipsoid{Vec3(0.025, 0.04, 0.075)}, 0.5,
           builder);
}

}  // namespace

Model humanoid() {
  ModelBuilder builder("humanoid");
  builder.add_free_body("pelvis", translation(0.0, 0.0, 0.95), Inertia{});
  add_rod("pelvis", "pelvis", Vec3(-0.01, -0.08, 0.0), Vec3(-0.01, 0.08, 0.0), 0.085, 8.6, &builder);

  builder.add_body("chest", "pelvis", translation(-0.01, 0.0, 0.14));
  builder.add_joint("chest", motor_hinge("waist_yaw", kZ, -1.0, 1.0, kMiddle));
  builder.add_joint("chest", motor_hinge("waist_pitch", kY, -0.4, 0.9, kStrong));
  add_part("chest", "chest", translation(0.01, 0.0, 0.14), Box{Vec3(0.09, 0.14, 0.14)}, 15.5, &builder);
  add_part("backpack", "chest", translation(-0.12, 0.0, 0.16), Box{Vec3(0.04, 0.1, 0.11)}, 3.0, &builder);

  builder.add_body("head", "chest", translation(0.01, 0.0, 0.33));
  builder.add_joint("head", motor_hinge("neck_yaw", kZ, -1.3, 1.3, kWeak));
  builder.add_joint("head", motor_hinge("neck_pitch", kY, -0.6, 0.8, kWeak));
  add_part("head", "head", translation(0.015, 0.0, 0.09), Ellipsoid{Vec3(0.09, 0.075, 0.11)}, 4.0, &builder);
  builder.add_frame("eyes", "head", translation(0.1, 0.0, 0.11));

  add_leg("left_", 1.0, &builder);
  add_leg("right_", -1.0, &builder);
  add_arm("left_", 1.0, &builder);
  add_arm("right_", -1.0, &builder);
  for (const char* side : {"left_", "right_"}) {
    const std::string name = side;
    builder.set_initial(name + "hip_pitch", {-0.25});
    builder.set_initial(name + "knee", {0.5});
    builder.set_initial(name + "ankle_pitch", {-0.25});
    builder.set_initial(name + "elbow", {-0.6});
  }
  return builder.build();
}

}  // namespace stiction::scenes
