#include "stiction/simulation/actuation/body_forces.h"

#include <algorithm>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/triangle_mesh.h"
#include "stiction/math/eigenvalues.h"

namespace stiction {
namespace {

constexpr double kSmallestMass = 1e-15;  // kg, fluid forces act on heavier bodies only

// Principal axes and moments; if the axes of the body are principal already, they keep their order.
PrincipalAxes principal_of(const Mat3& I) {
  constexpr double kDiagonal = 1e-14;  // of the largest moment: round-off of a rotation
  PrincipalAxes out;
  out.moments = I.diagonal();
  Mat3 rest = I;
  rest.diagonal().setZero();
  if (rest.cwiseAbs().maxCoeff() <= kDiagonal * out.moments.maxCoeff()) return out;
  return principal_axes(I);
}

// The ellipsoid that approximates a shape, and its pose in the shape.
struct Stand {
  Pose X_SE;
  Vec3 radii = Vec3::Zero();
};

Stand ellipsoid_of(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {{}, Vec3::Constant(sphere->radius)};
  if (const auto* capsule = std::get_if<Capsule>(&shape))
    return {{}, Vec3(capsule->radius, capsule->radius, capsule->radius + 0.5 * capsule->length)};
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return {{}, Vec3(cylinder->radius, cylinder->radius, 0.5 * cylinder->length)};
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return {{}, ellipsoid->radii};
  if (const auto* box = std::get_if<Box>(&shape)) return {{}, box->half_extents};
  if (const auto* super = std::get_if<Superellipsoid>(&shape)) return {{}, super->radii};
  // Along the principal axes of the solid, to the extent of its vertices.
  const Inertia inertia = solid_inertia(shape, 1.0);
  const Pose X = {principal_of(inertia.I_com).R, inertia.com};
  const auto* hull = std::get_if<SharedHull>(&shape);
  const auto* mesh = std::get_if<SharedMesh>(&shape);
  Stand stand = {X, Vec3::Zero()};
  for (const Vec3& vertex : hull != nullptr ? (*hull)->vertices : (*mesh)->vertices)
    stand.radii = stand.radii.cwiseMax((X.R.transpose() * (vertex - X.p)).cwiseAbs());
  return stand;
}

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }

Mat3 rotation(const NodeMotion& node) {
  Mat3 R;
  R << vec3(node.R), vec3(node.R + 4), vec3(node.R + 8);
  return R;
}

// Position relative to the origin of the tree, in W.
Vec3 from_origin(const Kinematics& k, const AttachedFrame& place) {
  const NodeMotion& node = k.nodes[place.node];
  const Vec3& p = place.X_NP.p;
  return vec3(node.p) + p[0] * vec3(node.R) + p[1] * vec3(node.R + 4) + p[2] * vec3(node.R + 8);
}

void clear(std::vector<NodeWrench>* wrenches) {
  std::fill(wrenches->begin(), wrenches->end(), NodeWrench{Vec3::Zero(), Vec3::Zero()});
}

// (angular, linear at the origin of the ellipsoid or box, p from the tree's), in W.
Vec6 velocity_of(const Kinematics& k, const BodyInFluid& item, const Vec3& p) {
  const NodeMotion& node = k.nodes[item.place.node];
  const Vec3 w = vec3(node.w);
  return stack<double>(w, Vec3(vec3(node.v) + w.cross(p)));
}

// (moment, force) in W at that origin.
Vec6 force_on(const BodyForcesModel& model, const Kinematics& k, const BodyInFluid& item, const Vec6& V_W) {
  const Vec3 w = V_W.head<3>(), v = V_W.tail<3>() - model.fluid.wind;
  // A box in a fluid without density has the same force along all axes.
  if (item.is_box && model.fluid.density <= 0.0)
    return fluid_force(item.box, model.fluid, stack<double>(w, v));
  const Mat3 R = rotation(k.nodes[item.place.node]) * item.place.X_NP.R;
  const Vec6 V = stack<double>(R.transpose() * w, R.transpose() * v);
  const Vec6 F =
      item.is_box ? fluid_force(item.box, model.fluid, V) : fluid_force(item.ellipsoid, model.fluid, V);
  return stack<double>(R * F.head<3>(), R * F.tail<3>());
}

// tau = S' of the wrenches on a node and on all its descendants.
void project(const Forest& forest, const Kinematics& k, std::vector<NodeWrench>* wrenches, double* tau) {
  for (int n = static_cast<int>(forest.nodes.size()) - 1; n >= 0; --n) {
    const Node& node = forest.nodes[n];
    const NodeWrench& wrench = (*wrenches)[n];
    for (int d = node.v_begin; d < node.v_begin + node.num_v; ++d)
      tau[d] = vec3(k.axis(d)).dot(wrench.moment) + vec3(k.axis(d) + 4).dot(wrench.force);
    if (node.parent < 0) continue;
    (*wrenches)[node.parent].moment += wrench.moment;
    (*wrenches)[node.parent].force += wrench.force;
  }
}

}  // namespace

BodyForcesModel::BodyForcesModel(const Model& model) {
  const Forest& forest = model.forest;
  for (const GravityCompensation& item : model.elements.gravity_compensation) {
    const int body = model.body(item.body);
    const Inertia& inertia = forest.bodies[body].inertia;
    const Vec3 force = -item.fraction * inertia.mass * forest.gravity;
    const AttachedFrame com = place_on(forest, body, translation(inertia.com));
    if (!force.isZero(0.0) && com.node >= 0) compensated.push_back({com, force});
  }

  const SimulationOptions& options = model.elements.options;
  fluid = {options.density, options.viscosity, options.wind};
  const auto is_off = [&](const char* flag) {
    return std::find(options.disabled.begin(), options.disabled.end(), flag) != options.disabled.end();
  };
  // In MJCF these two flags together switch all passive forces off.
  if (is_off("spring") && is_off("damper")) {
    compensated.clear();
    return;
  }
  if (fluid.density <= 0.0 && fluid.viscosity <= 0.0) return;
  std::vector<char> has_ellipsoid(forest.bodies.size(), false);
  for (std::size_t s = 0; s < model.shapes.size() && s < model.elements.shapes.size(); ++s) {
    const ShapeProperties& properties = model.elements.shapes[s];
    const PlacedShape& placed = model.shapes[s];
    if (properties.fluid_shape != "ellipsoid") continue;
    has_ellipsoid[placed.body] = true;
    if (forest.places[placed.body].node < 0) continue;
    const Stand stand = ellipsoid_of(placed.shape);
    BodyInFluid item;
    item.place = place_on(forest, placed.body, placed.X_BS * stand.X_SE);
    item.ellipsoid = make_fluid_ellipsoid(stand.radii, properties.fluid_coefficients);
    in_fluid.push_back(item);
  }
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    const Inertia& inertia = forest.bodies[b].inertia;
    if (has_ellipsoid[b] || forest.places[b].node < 0 || inertia.mass < kSmallestMass) continue;
    PrincipalAxes principal = principal_of(inertia.I_com);
    for (const InertialAxes& axes : model.elements.inertial_axes)
      if (axes.body == forest.bodies[b].name)
        principal = {(axes.R_BI.transpose() * inertia.I_com * axes.R_BI).diagonal(), axes.R_BI};
    BodyInFluid item;
    item.place = place_on(forest, static_cast<int>(b), {principal.R, inertia.com});
    item.is_box = true;
    item.box = make_fluid_box(inertia.mass, principal.moments);
    in_fluid.push_back(item);
  }
}

BodyForcesRecord::BodyForcesRecord(const Forest& forest)
    : gravity_compensation(VecX::Zero(forest.num_v)), fluid(VecX::Zero(forest.num_v)) {}

void compute_body_forces(const Forest& forest, const BodyForcesModel& model, const Kinematics& k,
                         std::vector<NodeWrench>* scratch, BodyForcesRecord* record) {
  std::vector<NodeWrench>& wrenches = *scratch;
  if (!model.compensated.empty() || !model.in_fluid.empty()) wrenches.resize(forest.nodes.size());
  if (!model.compensated.empty()) {
    clear(&wrenches);
    for (const CompensatedBody& item : model.compensated) {
      NodeWrench& sum = wrenches[item.com.node];
      sum.moment += from_origin(k, item.com).cross(item.force);
      sum.force += item.force;
    }
    project(forest, k, &wrenches, record->gravity_compensation.data());
  }
  if (model.in_fluid.empty()) return;
  clear(&wrenches);
  for (const BodyInFluid& item : model.in_fluid) {
    const Vec3 p = from_origin(k, item.place);
    const Vec6 F = force_on(model, k, item, velocity_of(k, item, p));
    NodeWrench& sum = wrenches[item.place.node];
    sum.moment += F.head<3>() + p.cross(F.tail<3>());
    sum.force += F.tail<3>();
  }
  project(forest, k, &wrenches, record->fluid.data());
}

Mat6 fluid_damping(const BodyForcesModel& model, const Kinematics& k, const BodyInFluid& body) {
  constexpr double kShift = 1e-6;  // rad/s, m/s, and relative to the velocity
  const Vec6 V = velocity_of(k, body, from_origin(k, body.place));
  const double shift = kShift * (1.0 + V.norm());
  Mat6 D;
  for (int i = 0; i < 6; ++i) {
    const Vec6 step = shift * Vec6::Unit(i);
    D.col(i) = (force_on(model, k, body, V - step) - force_on(model, k, body, V + step)) / (2.0 * shift);
  }
  return D;
}

void add_body_forces(const BodyForcesModel& model, const ActuationModel& actuation,
                     const BodyForcesRecord& record, double* tau) {
  const int num_v = static_cast<int>(record.fluid.size());
  if (!model.in_fluid.empty())
    for (int d = 0; d < num_v; ++d) tau[d] += record.fluid[d];
  if (model.compensated.empty()) return;
  for (int d = 0; d < num_v; ++d) tau[d] += record.gravity_compensation[d];
  for (const int d : actuation.compensating_dofs) tau[d] -= record.gravity_compensation[d];
}

}  // namespace stiction
