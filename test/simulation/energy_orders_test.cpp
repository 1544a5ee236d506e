// The entries of the energy books that only the size of the step makes, and what the books miss where they are not
// exact: their order in h.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/contact/catalog.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/contact/law/sap.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/energy_audit.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

WorldOptions options_of(const std::string& scheme, double h) {
  WorldOptions options;
  options.h = h;
  options.formulation.scheme = &find_scheme(scheme);
  return options;
}

struct Motion {
  const char* name;
  Model model;
  Vec6 V;       // (angular, linear) at the start
  double time;  // s
  bool bends;   // the distances are not linear in the motion
};

// depth: m, of the rolling ball in the dome at the start.
std::vector<Motion> contact_motions(double depth = 2e-3, double relaxation_time = 0.02) {
  ContactMaterial soft;
  soft.stiffness = 2e3;
  soft.dissipation = 0.2;
  soft.relaxation_time = relaxation_time;
  soft.static_friction = 0.4;
  const auto on = [&](const char* name, const Shape& floor, const Pose& X_WF, const Shape& shape,
                      double height) {
    ModelBuilder builder(name);
    builder.add_shape("floor", "world", X_WF, floor).set_material("floor", soft);
    builder.add_free_body("body", translation(0.0, 0.0, height), Inertia{});
    builder.add_solid("body", "body", {}, shape, 800.0);
    return builder.build();
  };
  const Vec3 none = Vec3::Zero();
  return {// Down a dome: the way along it bends away from the tangent.
          {"rolling ball", on("roll", Sphere{0.5}, translation(0.0, 0.0, -0.5), Sphere{0.05}, 0.05 - depth),
           stack<double>(Vec3(0.0, 6.0, 0.0), Vec3(0.3, 0.0, 0.0)), 0.3, true},
          // With a turn about the vertical and a little about its long side.
          {"sliding box", on("slide", HalfSpace{}, {}, Box{Vec3(0.1, 0.06, 0.03)}, 0.03),
           stack<double>(Vec3(0.3, 0.0, 4.0), Vec3(1.0, 0.0, 0.0)), 0.2, true},
          {"bouncing ball", on("bounce", HalfSpace{}, {}, Sphere{0.05}, 0.06),
           stack<double>(none, Vec3(0.4, 0.0, -0.5)), 0.2, false}};
}

// Of speeds and lengths: ten times what a geometric law can reach.
constexpr double kGeometricTolerance = 1e-12;

// Sums of absolute values over a motion, J.
struct Sums {
  double contacts = 0.0, geometry = 0.0, solver = 0.0;
  double stored = 0.0;   // what the contacts took and gave back
  double largest = 0.0;  // relative error of a step
};

Sums sums_of(const Motion& motion, const ContactOptions& contact, double h) {
  WorldOptions options = options_of("semi_implicit_euler", h);
  options.formulation.contact = contact;
  set_tolerance(is_geometric(contact.law) ? kGeometricTolerance : 1e-13, &options.formulation);
  World world(motion.model, options);
  world.set_body_velocity("body", motion.V);
  Sums sums;
  for (int i = 0; i < static_cast<int>(std::lround(motion.time / h)); ++i) {
    world.step();
    const EnergyBooks books = world.energy_books();
    sums.contacts += std::abs(books.numerical.contacts);
    sums.geometry += std::abs(books.numerical.geometry);
    sums.solver += std::abs(books.numerical.solver);
    sums.stored += std::abs(books.after.contacts - books.before.contacts);
    sums.largest = std::max(sums.largest, books.relative_error());
  }
  return sums;
}

// Over a fixed motion the sums fall with h. A distance that does not follow the velocity of its point, or a part of a
// force that is booked for a potential it does not have, would leave a sum that is proportional to the way and stays.
void expect_to_fall_with_the_step(const Motion& motion, const ContactOptions& contact, const char* how,
                                  double step = 1e-4) {
  SCOPED_TRACE(testing::Message() << motion.name << ", " << formulation_name(contact) << ", " << how);
  // The order of a h + b h^2 between h and h/2 is 1 + log2((1 + e)/(1 + e/2)) with e = b h/a: within 0.1 while the part
  // of second order is below an eighth. A part that stays would make it 0, one of second order alone 2.
  constexpr double kSecondOrder = 0.1;
  // Each step's round-off, of the energy that contacts hold; and what the tolerance of 1e-13 leaves of an impulse.
  constexpr double kRoundOff = 1e-11;
  // Under a geometric law its tolerance, in some thousand steps, of momenta and gaps.
  const double left = is_geometric(contact.law) ? 1e-7 : 1e-9;
  const Sums coarse = sums_of(motion, contact, step), fine = sums_of(motion, contact, 0.5 * step);
  const double contacts = std::log2(coarse.contacts / fine.contacts),
               geometry = std::log2(coarse.geometry / fine.geometry);
  std::printf("[ order    ] %-13s %-33s %-6s contacts %.2e J order %.3f, geometry %.2e J order %.3f\n",
              motion.name, formulation_name(contact).c_str(), how, fine.contacts, contacts, fine.geometry,
              motion.bends ? geometry : 0.0);
  EXPECT_GT(fine.stored, 1e-4);
  EXPECT_NEAR(contacts, 1.0, kSecondOrder);
  if (motion.bends)
    EXPECT_NEAR(geometry, 1.0, kSecondOrder);
  else
    EXPECT_LE(fine.geometry, (is_geometric(contact.law) ? left : kRoundOff) * fine.stored);
  EXPECT_LE(fine.solver, left * fine.stored);
  EXPECT_LE(fine.largest, 1e-10);
}

TEST(EnergyOrders, ContactsAndGeometryFallWithTheStepUnderEveryCompliantLaw) {
  for (const Motion& motion : contact_motions()) {
    for (const LawRow& row : kLawRows) {
      if (row.family != LawFamily::compliant) continue;
      for (const Dissipation dissipation : {Dissipation::hunt_crossley, Dissipation::kelvin_voigt}) {
        const bool is_damper = dissipation == Dissipation::kelvin_voigt;
        if (row.kind == LawKind::sap && !is_damper) continue;  // it has its own
        ContactOptions contact;
        set_formulation(row.name, &contact);
        contact.dissipation = dissipation;
        expect_to_fall_with_the_step(motion, contact, is_damper ? "damper" : "");
      }
    }
  }
}

TEST(EnergyOrders, ContactsAndGeometryFallWithTheStepUnderRigidLawsWithTheSpringsOfMaterials) {
  for (const Motion& motion : contact_motions()) {
    for (const LawRow& row : kLawRows) {
      if (row.family != LawFamily::rigid) continue;
      ContactOptions contact;
      set_formulation(row.name, &contact);
      contact.rigid.material_compliance = true;
      // The box slides on edges that come and go: at 1e-4 s the part of second order is above an eighth of the first.
      expect_to_fall_with_the_step(motion, contact, "spring", 5e-5);
    }
  }
}

// From where the bodies touch: a state inside a layer lacks its deflection. The damper of a layer acts at once where it
// is met, so that the step of an impact depends on when in the step that is; the ball that bounces has none.
TEST(EnergyOrders, ContactsAndGeometryFallWithTheStepInTheLayersOfQuasiRigidBodies) {
  ContactOptions contact;
  set_formulation("geometric_quasi_rigid", &contact);
  for (const double relaxation_time : {0.0, 0.02}) {
    const bool has_damper = relaxation_time > 0.0;
    for (const Motion& motion : contact_motions(0.0, relaxation_time)) {
      if (motion.bends != has_damper || std::string(motion.name) == "sliding box") continue;
      expect_to_fall_with_the_step(motion, contact, has_damper ? "damper" : "");
    }
  }
}

// The entry solver compares with the law at the velocities, whatever gave the impulse: one that is 1 % below its law
// (the law made 1 % stiffer after the step) leaves 1 % of its work there, under every solver of sap.
TEST(EnergyOrders, ShowAnImpulseBesideItsLawAsTheSolvers) {
  constexpr double kStep = 1e-3, kBeside = 0.01, kRadius = 0.05;
  for (const CatalogEntry& entry : catalog()) {
    if (entry.law != LawKind::sap) continue;
    SCOPED_TRACE(entry.name());
    ModelBuilder builder("ball");
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.add_free_body("ball", translation(0.0, 0.0, kRadius - 1e-4), Inertia{});
    builder.add_solid("ball", "ball", {}, Sphere{kRadius}, 1000.0);
    ContactMaterial slippery;
    slippery.static_friction = 0.0;
    builder.set_material("floor", slippery);
    WorldOptions options = options_of("semi_implicit_euler", kStep);
    set_formulation(entry.name(), &options.formulation.contact);
    set_tolerance(1e-12, &options.formulation);
    World world(builder.build(), options);
    world.set_body_velocity("ball", stack<double>(Vec3::Zero(), Vec3(0.0, 0.0, -0.2)));
    world.step();
    EnergyAudit audit(world.model());
    StepRecord record = world.record();
    auto row = SapParameters<double>::from(record.contact.problem.parameters_at(0));
    row.normal *= 1.0 + kBeside;
    row.sliding *= 1.0 + kBeside;
    record.contact.problem.set_parameters(0, row.stored());
    const Formulation& f = world.options().formulation;
    const EnergyBooks books = audit.audit(record, world.state(), world.input(), f);
    const double work = kStep * world.contact_force("ball").z() * world.body_velocity("ball")[5];
    EXPECT_GT(std::abs(work), 1e-4);  // it has something to show
    EXPECT_NEAR(books.numerical.solver, kBeside * work, 1e-6 * std::abs(work));
  }
}

// A mass of 1 kg on a vertical slide and a spring that pulls it up or down; slack between 0.1 and 0.2 m where it is
// along the slide, or around a post that it touches below 0.1 m.
const char* const kAlong = R"(
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="mass">
      <joint name="z" type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="spring" stiffness="40" springlength="0.1 0.2"><joint joint="z" coef="1"/></fixed>
  </tendon>
</mujoco>)";
const char* const kAround = R"(
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <site name="anchor" pos="-0.3 0 0.1"/>
    <geom name="post" type="cylinder" euler="90 0 0" size="0.1 0.2" contype="0" conaffinity="0"/>
    <body name="mass">
      <joint name="z" type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <site name="end" pos="0.3 0 0"/>
    </body>
    <site name="top" pos="0 0 0.5"/>
  </worldbody>
  <tendon>
    <spatial name="spring" stiffness="40" springlength="0.3">
      <site site="anchor"/><geom geom="post" sidesite="top"/><site site="end"/>
    </spatial>
  </tendon>
</mujoco>)";

// The books of the one step in which the force of a tendon bends: what they miss is the error of an integral over a
// corner, of second order in h.
TEST(EnergyOrders, MissASecondOrderPartOfTheStepInWhichATendonBecomesSlackOrLeavesAShape) {
  constexpr double kWhere = 0.37;  // of the step
  for (const auto& [file, corner] : {std::pair{kAlong, 0.2}, std::pair{kAround, 0.1}}) {
    const Model model = parse_model(file, "tendon.xml");
    for (const char* scheme : {"explicit_euler", "symplectic_euler", "semi_implicit_euler", "midpoint"}) {
      for (const double speed : {-1.0, 1.0}) {
        SCOPED_TRACE(testing::Message() << scheme << ", " << speed << " m/s, corner at " << corner << " m");
        const auto missing = [&, at = corner](double h) {
          World world(model, options_of(scheme, h));
          world.set_position("z", at - kWhere * h * speed);
          world.set_velocity("z", speed);
          world.step();
          EXPECT_LT((world.position("z") - at) * speed, h);
          EXPECT_GT((world.position("z") - at) * speed, 0.0);
          return std::abs(world.energy_books().error());
        };
        const double coarse = missing(2e-3), fine = missing(1e-3);
        const double order = std::log2(coarse / fine);
        std::printf("[ order    ] %-20s corner at %.1f m, %4.1f m/s: %.2e J missing, order %.3f\n", scheme,
                    corner, speed, fine, order);
        EXPECT_NEAR(order, 2.0, 0.1);
      }
    }
  }
}

}  // namespace
}  // namespace stiction
