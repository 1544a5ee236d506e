#include "scenes/hand.h"

#include <string>

#include "scenes/solids.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

constexpr Motor kFinger{4e-5, 0.008, 0.7};

// A digit whose base frame has z along the digit and curls about y.
void add_digit(const std::string& digit, const Pose& X_PB, double scale, ModelBuilder* builder) {
  const double knuckle = 0.02 * scale, first = 0.05 * scale, second = 0.036 * scale,
               third = 0.028 * scale;  // m
  const auto add = [&](const std::string& name, const std::string& parent, const Pose& X, const Joint& joint,
                       double length, double radius, double mass) {
    builder->add_body(digit + name, parent, X);
    builder->add_joint(digit + name, joint);
    add_rod(digit + name, digit + name, Vec3(0.0, 0.0, 0.15 * length), Vec3(0.0015, 0.0, 0.9 * length),
            radius, mass, builder);
  };
  add("knuckle", "palm", X_PB, motor_hinge(digit + "spread", Vec3::UnitX(), -0.35, 0.35, kFinger), knuckle,
      0.011, 0.014);
  builder->exclude_contacts("palm", digit + "knuckle");  // which rotates inside it
  add("proximal", digit + "knuckle", translation(0.0, 0.0, knuckle),
      motor_hinge(digit + "base", Vec3::UnitY(), -0.2, 1.6, kFinger), first, 0.0105, 0.038);
  add("middle", digit + "proximal", translation(0.0, 0.0, first),
      motor_hinge(digit + "middle", Vec3::UnitY(), 0.0, 1.7, kFinger), second, 0.0095, 0.024);
  add("distal", digit + "middle", translation(0.0, 0.0, second),
      motor_hinge(digit + "end", Vec3::UnitY(), 0.0, 1.3, kFinger), third, 0.0085, 0.013);
  builder->add_frame(digit + "tip", digit + "distal", translation(0.0, 0.0, third));
  builder->set_initial(digit + "base", {0.4});
  builder->set_initial(digit + "middle", {0.5});
  builder->set_initial(digit + "end", {0.3});
}

}  // namespace

Model hand() {
  ModelBuilder builder("hand");
  // Fingers along the world's y, palm facing up: a digit's z is y, and it curls upwards.
  Mat3 along_y;
  along_y.col(0) = Vec3::UnitZ();
  along_y.col(1) = Vec3::UnitX();
  along_y.col(2) = Vec3::UnitY();
  builder.add_body("palm", "world", {along_y, Vec3(0.0, 0.0, 0.3)});
  add_part("palm", "palm", {}, Box{Vec3(0.014, 0.044, 0.05)}, 0.46, &builder);

  add_digit("index_", translation(0.0, 0.032, 0.05), 1.0, &builder);
  add_digit("middle_", translation(0.0, 0.0, 0.054), 1.08, &builder);
  add_digit("ring_", translation(0.0, -0.032, 0.05), 0.98, &builder);
  add_digit("thumb_", {rotation_from_roll_pitch_yaw(-1.0, 0.5, -0.6), Vec3(0.012, 0.044, -0.02)}, 1.1,
            &builder);
  return builder.build();
}

}  // namespace stiction::scenes
