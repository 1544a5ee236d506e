#include "scenes/piles.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "stiction/base/random.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::scenes {
namespace {

constexpr double kPi = std::numbers::pi;

Model named(const char* name, Model model) {
  model.name = name;
  return model;
}

ContactMaterial with_friction(double mu) {
  ContactMaterial material;
  material.static_friction = mu;
  return material;
}

void add_floor(const ContactMaterial& material, ModelBuilder* builder) {
  builder->add_shape("floor", "world", {}, HalfSpace{});
  builder->set_material("floor", material);
}

void add_box(const std::string& name, const Pose& X_WB, const Vec3& half, double density,
             const ContactMaterial& material, ModelBuilder* builder) {
  builder->add_free_body(name, X_WB, Inertia{});
  builder->add_solid(name, name, {}, Box{half}, density);
  builder->set_material(name, material);
}

}  // namespace

Model clutter(const ClutterOptions& options) {
  constexpr double kSide = 0.8, kWall = 0.05, kApart = 0.3, kLevel = 0.12;  // m
  ModelBuilder builder("clutter_" + std::to_string(options.bodies));
  // Every surface has twice the stiffness of a pair: two such surfaces in series give options.stiffness.
  ContactMaterial soft;
  soft.stiffness = 2.0 * options.stiffness;
  soft.dissipation = options.dissipation;
  soft.relaxation_time = options.relaxation_time;
  soft.static_friction = 1.0;
  ContactMaterial hard = soft;
  add_floor(hard, &builder);
  const int side = static_cast<int>(std::lround(std::sqrt(options.columns)));
  if (options.walls) {
    const double high = std::max(kSide, kLevel * (double(options.bodies) / options.columns + 2.0));
    const double width = std::max(kSide, kApart * side + 0.2);
    const double c = width / 2.0 + kWall, s = width / 2.0 + 2.0 * kWall;
    const Vec3 halves[] = {
        {kWall, s, high / 2.0}, {kWall, s, high / 2.0}, {s, kWall, high / 2.0}, {s, kWall, high / 2.0}};
    const Vec3 places[] = {
        {c, 0.0, high / 2.0}, {-c, 0.0, high / 2.0}, {0.0, c, high / 2.0}, {0.0, -c, high / 2.0}};
    for (int i = 0; i < 4; ++i) {
      const std::string name = "wall" + std::to_string(i);
      builder.add_shape(name, "world", translation(places[i]), Box{halves[i]});
      builder.set_material(name, hard);
    }
  }
  Random random(options.seed);
  for (int i = 0; i < options.bodies; ++i) {
    const int column = i % options.columns, level = i / options.columns;
    const double middle = (side - 1) / 2.0;
    const Vec3 p(kApart * (column % side - middle) + random.uniform(-0.01, 0.01),
                 kApart * (column / side - middle) + random.uniform(-0.01, 0.01), 0.1 + kLevel * level);
    const auto axis = random.unit_vector<3>();
    const Vec3 turn = random.uniform(0.0, kPi) * Vec3(axis[0], axis[1], axis[2]);
    const bool is_sphere = random.uniform() < 0.5;
    const std::string name = (is_sphere ? "sphere" : "box") + std::to_string(i);
    builder.add_free_body(name, {rotation_exp(turn), p}, Inertia{});
    const Shape shape = is_sphere ? Shape(Sphere{0.05}) : Shape(Box{Vec3::Constant(0.05)});
    builder.add_solid(name, name, {}, shape, 1000.0);
    builder.set_material(name, soft);
  }
  return builder.build();
}

Model clutter_of_40() { return named("clutter", clutter({})); }
Model clutter_of_160() { return named("clutter_160", clutter({.bodies = 160})); }

Model box_stack(int boxes) {
  ModelBuilder builder("box_stack_" + std::to_string(boxes));
  const ContactMaterial material = with_friction(0.5);
  add_floor(material, &builder);
  for (int i = 0; i < boxes; ++i)
    add_box("box" + std::to_string(i), translation(0.0, 0.0, 0.05 + 0.1 * i), Vec3::Constant(0.05), 1000.0,
            material, &builder);
  return builder.build();
}
Model box_stack_of_10() { return named("box_stack", box_stack(10)); }

Model brick_wall(int courses, int bricks) {
  const Vec3 half(0.12, 0.0575, 0.035);  // m
  constexpr double kGap = 1e-3;          // m, between bricks of a course
  ModelBuilder builder("brick_wall_" + std::to_string(courses) + "x" + std::to_string(bricks));
  const ContactMaterial material = with_friction(0.6);
  add_floor(material, &builder);
  const double pitch = 2.0 * half.x() + kGap;
  for (int row = 0; row < courses; ++row) {
    for (int i = 0; i < bricks; ++i) {
      const double shift = row % 2 == 0 ? 0.0 : 0.5;
      add_box("brick" + std::to_string(row) + "_" + std::to_string(i),
              translation(pitch * (i + shift - bricks / 2.0), 0.0, half.z() * (2 * row + 1)), half, 1800.0,
              material, &builder);
    }
  }
  return builder.build();
}
Model brick_wall_of_10() { return named("brick_wall", brick_wall(10, 10)); }

Model book_pile(int books) {
  const Vec3 half(0.12, 0.085, 0.015);  // m
  constexpr double kPaper = 700.0;      // kg/m^3
  ModelBuilder builder("book_pile_" + std::to_string(books));
  ContactMaterial material = with_friction(0.5);
  material.stiffness = 2e9;  // N/m, of a surface; of a pair half of it
  add_floor(material, &builder);
  for (int i = 0; i < books; ++i)
    add_box("book" + std::to_string(i), translation(0.0, 0.0, half.z() * (2 * i + 1)), half, kPaper, material,
            &builder);
  return builder.build();
}
Model book_pile_of_20() { return named("book_pile", book_pile(20)); }

double book_pile_beta(int books) { return 1.0 / std::sqrt(static_cast<double>(books)); }

Model card_house(int levels, double mu) {
  const Vec3 half(0.030, 0.001, 0.045);  // m: wide along x, thick along y, high along z
  constexpr double kLean = 22.0 * kPi / 180.0;
  ModelBuilder builder("card_house_" + std::to_string(levels));
  const ContactMaterial material = with_friction(mu);
  add_floor(material, &builder);
  // Two leaning cards touch along the inner upper edges of their tops.
  const double rise = half.z() * std::cos(kLean) + half.y() * std::sin(kLean);  // of a leaning card's centre
  const double reach = half.z() * std::sin(kLean) + half.y() * std::cos(kLean);
  constexpr double kGap = 5e-4;  // m, between level cards side by side
  const double pitch = 2.0 * half.z() + kGap, high = 2.0 * rise;
  double z = 0.0;
  for (int level = 0; level < levels; ++level) {
    const int tents = levels - level;
    for (int t = 0; t < tents; ++t) {
      const double y = pitch * (t - (tents - 1) / 2.0);
      for (const int side : {-1, 1}) {
        const Mat3 R = rotation_about<double>(Vec3::UnitX(), side * kLean);
        add_box("card" + std::to_string(level) + "_" + std::to_string(t) + (side < 0 ? "l" : "r"),
                {R, Vec3(0.0, y + side * reach, z + rise)}, half, 800.0, material, &builder);
      }
    }
    z += high;
    // Level cards from tip to tip support the next row.
    for (int t = 0; t + 1 < tents; ++t) {
      const double y = pitch * (t + 0.5 - (tents - 1) / 2.0);
      const Mat3 flat = rotation_about<double>(Vec3::UnitX(), kPi / 2.0);
      add_box("floor" + std::to_string(level) + "_" + std::to_string(t), {flat, Vec3(0.0, y, z + half.y())},
              half, 800.0, material, &builder);
    }
    z += 2.0 * half.y();
  }
  return builder.build();
}
Model card_house_of_3() { return named("card_house", card_house(3, 0.8)); }

Model arch(int blocks, double mu) {
  constexpr double kInner = 0.4, kOuter = 0.55, kDeep = 0.15;  // m
  ModelBuilder builder("arch_" + std::to_string(blocks));
  const ContactMaterial material = with_friction(mu);
  const double angle = kPi / (blocks + 2);  // the first and the last wedge are fixed springers
  const auto wedge = [&](double middle) {
    std::vector<Vec3> corners;
    for (const double a : {middle - angle / 2.0, middle + angle / 2.0}) {
      for (const double radius : {kInner, kOuter}) {
        for (const double y : {-kDeep / 2.0, kDeep / 2.0})
          corners.emplace_back(radius * std::cos(a), y, radius * std::sin(a));
      }
    }
    return corners;
  };
  for (int i = 0; i < blocks + 2; ++i) {
    const std::string name = "block" + std::to_string(i);
    const std::vector<Vec3> corners = wedge(angle * (i + 0.5));
    Vec3 centre = Vec3::Zero();
    for (const Vec3& corner : corners) centre += corner / double(corners.size());
    std::vector<Vec3> local;
    for (const Vec3& corner : corners) local.push_back(corner - centre);
    const Shape shape = std::make_shared<const ConvexHull>(convex_hull(local));
    if (i == 0 || i == blocks + 1) {
      builder.add_shape(name, "world", translation(centre), shape);
    } else {
      builder.add_free_body(name, translation(centre), Inertia{});
      builder.add_solid(name, name, {}, shape, 2000.0);
    }
    builder.set_material(name, material);
  }
  builder.add_shape("floor", "world", translation(0.0, 0.0, -0.5), HalfSpace{});
  builder.set_material("floor", material);
  return builder.build();
}
Model arch_of_9() { return named("arch", arch(9, 0.7)); }

Model dominoes() {
  constexpr int kCount = 20;
  const Vec3 half(0.00375, 0.012, 0.024);  // m
  ModelBuilder builder("dominoes");
  const ContactMaterial material = with_friction(0.3);
  add_floor(material, &builder);
  for (int i = 0; i < kCount; ++i)
    add_box("domino" + std::to_string(i), translation(0.02 * i, 0.0, half.z()), half, 700.0, material,
            &builder);
  // The first one rotates about its lower front edge at 6 rad/s.
  const double w = 6.0;
  builder.set_initial_velocity("domino0", {0.0, w, 0.0, w * half.z(), 0.0, w * half.x()});
  return builder.build();
}

}  // namespace stiction::scenes
