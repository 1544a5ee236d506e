#include "bench/claims/rigid_scenes.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "stiction/contact/catalog.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::claims {

WorldOptions rigid_options(std::string_view formulation, double h, double tolerance) {
  WorldOptions options;
  options.h = h;
  set_formulation(formulation, &options.formulation.contact);
  options.formulation.dual.tolerance = tolerance;
  options.formulation.dual.max_iterations = kRigidIterations;
  options.formulation.dual.accelerates = false;  // Gauss-Seidel as the paper has it
  options.formulation.newton.relative_tolerance = tolerance;
  return options;
}

namespace {

void add_cube(const char* name, double height, double mass, double mu, ModelBuilder* builder) {
  ContactMaterial material;
  material.static_friction = mu;
  builder->add_free_body(name, translation(0.0, 0.0, height), Inertia{});
  builder->add_solid(name, name, {}, Box{Vec3::Constant(0.5 * kCubeEdge)}, mass / std::pow(kCubeEdge, 3));
  builder->set_material(name, material);
}

void add_floor(double mu, ModelBuilder* builder) {
  ContactMaterial material;
  material.static_friction = mu;
  builder->add_shape("floor", "world", {}, HalfSpace{});
  builder->set_material("floor", material);
}

}  // namespace

Model cube_on_floor(double inertia_factor) {
  ModelBuilder builder("cube");
  add_floor(kCubeFriction, &builder);
  if (inertia_factor == 1.0) {
    add_cube("cube", 0.5 * kCubeEdge, kCubeMass, kCubeFriction, &builder);
    return builder.build();
  }
  Inertia inertia = solid_box(kCubeMass, Vec3::Constant(0.5 * kCubeEdge));
  inertia.I_com *= inertia_factor;
  ContactMaterial material;
  material.static_friction = kCubeFriction;
  builder.add_free_body("cube", translation(0.0, 0.0, 0.5 * kCubeEdge), inertia);
  builder.add_shape("cube", "cube", {}, Box{Vec3::Constant(0.5 * kCubeEdge)});
  builder.set_material("cube", material);
  return builder.build();
}

Model two_cubes(double light, double heavy) {
  ModelBuilder builder("two_cubes");
  add_floor(0.9, &builder);
  add_cube("light", 0.5 * kCubeEdge, light, 0.9, &builder);
  add_cube("heavy", 1.5 * kCubeEdge, heavy, 0.95, &builder);
  return builder.build();
}

void push(std::string_view body, const Vec3& force, World* world) {
  BodyWrench wrench;
  wrench.body = world->model().body(body);
  wrench.p_W = world->body_pose(body).p;
  wrench.wrench = stack<double>(Vec3::Zero(), force);
  world->input().wrenches.assign(1, wrench);
}

DualAnswer dual_of(const World& world) {
  const ContactRecord& c = world.record().contact;
  for (std::size_t i = 0; i < c.problem.islands.size(); ++i) {
    if (c.problem.islands[i].patch_begin == c.problem.islands[i].patch_end) continue;
    const int island = static_cast<int>(i);
    const RigidSolver& solver = world.workspace().contact.solver.dual_islands();
    return {&solver.dual(c.problem, island), &solver.lambda(c.problem, island)};
  }
  return {};
}

double internal_impulse(const DualProblem& problem, const VecX& lambda) {
  int rows = 0;
  for (const DualBlock& block : problem.blocks) rows += block.is_contact() ? block.size() : 0;
  MatX J = MatX::Zero(rows, problem.num_velocities());
  VecX of_contacts(rows);
  int row = 0;
  for (const DualBlock& block : problem.blocks) {
    if (!block.is_contact()) continue;
    for (int p = block.part_begin; p < block.part_end; ++p) {
      const DualPart& part = problem.parts[p];
      for (int i = 0; i < block.size(); ++i)
        for (int c = 0; c < part.columns; ++c)
          J(row + i, part.offset + c) = problem.J[part.begin + i * part.columns + c];
    }
    of_contacts.segment(row, block.size()) = lambda.segment(block.begin, block.size());
    row += block.size();
  }
  // lambda less its projection on range(J).
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition(rows, problem.num_velocities());
  decomposition.setThreshold(1e-9);  // J has all digits
  decomposition.compute(J);
  return (of_contacts - J * decomposition.solve(of_contacts)).norm();
}

std::string figure_name(std::string_view formulation) {
  constexpr const char* kNames[][2] = {
      {"coulomb_ncp", "ncp"}, {"convex_cone", "ccp"}, {"pyramid_lcp", "lcp"}};
  std::string name(formulation);
  for (const auto& [law, short_name] : kNames)
    if (name.starts_with(law)) return short_name + name.substr(std::string_view(law).size());
  return name;
}

std::vector<std::string> all_rigid_formulations() {
  std::vector<std::string> names;
  for (const CatalogEntry& entry : catalog())
    if (is_rigid(entry.law)) names.push_back(entry.name());
  return names;
}

bool is_per_contact(std::string_view formulation) {
  return formulation.ends_with("+pgs") || formulation.ends_with("+pgs_plain") ||
         formulation.ends_with("+bisection");
}

bool is_newton(std::string_view formulation) { return formulation.find("+newton") != std::string::npos; }

bool is_literal(std::string_view formulation) {
  return formulation.ends_with("+pgs_plain") || formulation.ends_with("+admm_spectral");
}

double stack_residual(std::string_view formulation, double mass_ratio, int iterations) {
  constexpr double kLight = 1e-3, kExact = 1e-12;  // kg; no solver stops for want of being asked
  WorldOptions options = rigid_options(formulation, kRigidStep, kExact);
  options.formulation.dual.max_iterations = options.formulation.newton.max_iterations = iterations;
  World world(two_cubes(kLight, mass_ratio * kLight), options);
  const double reported = world.step().contact.residual;
  const LawKind law = options.formulation.contact.law;
  if (is_newton(formulation) || (law != LawKind::coulomb_ncp && law != LawKind::convex_cone)) return reported;
  const DualAnswer answer = dual_of(world);
  const double velocity = kGravity * kRigidStep;
  const DualResidual checked = check_dual_residual(*answer.problem, *answer.lambda,
                                                   {(1.0 + mass_ratio) * kLight * velocity, velocity});
  const bool is_coulomb = law == LawKind::coulomb_ncp;
  const Error& dual = is_coulomb ? checked.dual : checked.ccp_dual;
  const Error& complementarity = is_coulomb ? checked.complementarity : checked.ccp_complementarity;
  return std::max({checked.primal.relative, dual.relative, complementarity.relative});
}

namespace {

// N s, of the impulses on a cube, from any solver: the part of them without force and moment.
double internal_of_cube(const StepRecord& r) {
  const ContactProblem& problem = r.contact.problem;
  std::vector<int> points;
  for (const Patch& patch : problem.patches)
    for (int p = patch.begin; p < patch.end; ++p) points.push_back(p);
  const auto columns = static_cast<Eigen::Index>(3 * points.size());
  MatX to_wrench(6, columns);
  VecX impulses(columns);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto c = static_cast<Eigen::Index>(3 * k);
    to_wrench.block<3, 3>(0, c) = skew<double>(Eigen::Map<const Vec3>(problem.frames[points[k]].r_B));
    to_wrench.block<3, 3>(3, c).setIdentity();
    impulses.segment<3>(c) = Eigen::Map<const Vec3>(r.contact.solution.impulses.data() + 4 * points[k]);
  }
  const VecX wrench = to_wrench * impulses;
  const Eigen::CompleteOrthogonalDecomposition<MatX> decomposition(to_wrench);
  return (impulses - decomposition.solve(wrench)).norm();
}

}  // namespace

Stiction internal_at_stiction(const ClaimContext& context, std::string_view formulation, bool is_cold) {
  // Until F = mu m g / (1 + mu) equal shares of friction fit under the hind corners, whose load has fallen by
  // F/(m g) of it; later the cones themselves ask for unequal ones.
  constexpr double kRate = 20.0;  // N/s
  constexpr double kEnd = 0.95 * kCubeFriction * kCubeMass * kGravity / (1.0 + kCubeFriction) / kRate;
  const Vec3 x = Vec3::UnitX();
  World world(cube_on_floor(), rigid_options(formulation, kRigidStep, 1e-10));
  Stiction out;
  push("cube", Vec3::Zero(), &world);
  run_until(context, kEnd, &world, [&](const StepReport&) {
    const double impulse = internal_of_cube(world.record());
    out.time.push_back(world.time());
    out.internal.push_back(impulse / (kCubeMass * kGravity * kRigidStep));
    if (is_cold) {
      State state = world.state();
      state.memory = {};
      world.set_state(state);
    }
    push("cube", kRate * world.time() * x, &world);
  });
  out.median = median(out.internal);
  out.largest = *std::max_element(out.internal.begin(), out.internal.end());
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace stiction::claims
