#include "stiction/simulation/contact/soft_contact.h"

#include <algorithm>
#include <cmath>

#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/contact/mujoco_points.h"

namespace stiction {
namespace {

constexpr double kReferenceGravity = 9.81;  // m/s^2, at which curves are compared

// g(r) in m and its slope.
ForceKnot knot_of(const std::array<double, 5>& solimp, double r) {
  const mujoco::Impedance at = mujoco::impedance(solimp, r);
  const double open = 1.0 - at.d, factor = at.d * at.d / open;
  const double factor_slope = at.slope * at.d * (2.0 - at.d) / (open * open);
  return {r, factor * r, factor + factor_slope * r};
}

// Adds knots between two until a cubic is as good as the curve in the middle.
void refine(const std::array<double, 5>& solimp, const ForceKnot& from, const ForceKnot& to, int depth,
            std::vector<ForceKnot>* knots) {
  constexpr int kDeepest = 9;
  constexpr double kError = 1e-5;  // of the force
  const ForceKnot middle = knot_of(solimp, 0.5 * (from.x + to.x));
  const double cubic = 0.5 * (from.f + to.f) + 0.125 * (to.x - from.x) * (from.slope - to.slope);
  const bool is_coarse = depth < 2 || std::abs(cubic - middle.f) > kError * middle.f;
  if (is_coarse && depth < kDeepest) {
    refine(solimp, from, middle, depth + 1, knots);
    refine(solimp, middle, to, depth + 1, knots);
    return;
  }
  knots->push_back(to);
}

// The table of g; empty if the curve does not rise everywhere.
std::vector<ForceKnot> knots_of(const std::array<double, 5>& solimp) {
  std::vector<ForceKnot> knots = {knot_of(solimp, 0.0)};
  const double width = solimp[2];
  if (width > mujoco::kTiny) {
    // The curve may bend at the midpoint.
    const double middle = mujoco::clamped(solimp[3]) * width;
    const ForceKnot bend = knot_of(solimp, middle), end = knot_of(solimp, width);
    refine(solimp, knots[0], bend, 0, &knots);
    refine(solimp, bend, end, 0, &knots);
  }
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!(knots[i].slope > 0.0) || (i > 0 && !(knots[i].f > knots[i - 1].f))) return {};
    // What keeps a rising cubic from turning back.
    if (i > 0) {
      const double secant = (knots[i].f - knots[i - 1].f) / (knots[i].x - knots[i - 1].x);
      knots[i].slope = std::min(knots[i].slope, 3.0 * secant);
      knots[i - 1].slope = std::min(knots[i - 1].slope, 3.0 * secant);
    }
  }
  return knots;
}

// The index of an equal table, which is added if there is none.
int index_of(ForceTable table, std::vector<ForceTable>* tables) {
  const auto found = std::find(tables->begin(), tables->end(), table);
  const auto index = found - tables->begin();
  if (found == tables->end()) tables->push_back(std::move(table));
  return static_cast<int>(index);
}

// c of the header.
double share_of_cone(const PairMaterial& pair, int condim, const std::string& cone) {
  const double mu2 = pair.static_friction * pair.static_friction;
  if (cone == "elliptic" || condim == 1 || !(mu2 > 0.0)) return 1.0;
  return (condim - 1) / (mu2 / pair.mujoco.impratio * (1.0 + mu2));
}

}  // namespace

PairCurve mujoco_curve(const PairMaterial& pair, int condim, const std::string& cone, double h,
                       std::vector<ForceTable>* tables) {
  const MujocoContact& numbers = pair.mujoco;
  if (!numbers.is_given || !(numbers.solref[0] > 0.0)) return {};
  std::vector<ForceKnot> knots = knots_of(numbers.solimp);
  if (knots.empty()) return {};
  const double share = share_of_cone(pair, condim, cone);
  const auto depth = [&](const MujocoContact& of, const ForceTable& table) {
    return table.overlap(kReferenceGravity / (share * mujoco::reference(of, of.solref, h).k));
  };
  const MujocoContact usual;
  ForceTable table(std::move(knots));
  if (!(depth(numbers, table) > kSofter * depth(usual, ForceTable(knots_of(usual.solimp))))) return {};
  return {index_of(std::move(table), tables), share * mujoco::reference(numbers, numbers.solref, h).k};
}

PairCurve curve_of_points(std::span<const ForcePoint> points, std::vector<ForceTable>* tables) {
  if (points.empty()) return {};
  return {index_of(make_force_table(points), tables), 0.0};
}

void SoftContact::set(int i, int j, PairMaterial* pair) const {
  set(by_kinds.empty() ? PairCurve() : by_kinds[kind_of_item[i] * kinds + kind_of_item[j]], i, j, pair);
}

namespace {

// The stiffness, and of a curve of MuJoCo's the damping, of laws without tables; `points` carry the load.
void set_by_load(const ForceTable& table, double points, double load, bool is_mujoco, PairMaterial* pair) {
  const double scale = pair->table_scale * points;
  // Without gravity, the stiffness at no load.
  const double x = load > 0.0 ? table.overlap(load / scale) : 0.0;
  const std::vector<ForceKnot>& knots = table.knots();
  const double first = knots.size() > 1 ? knots[1].f / knots[1].x : knots[0].slope;
  set_stiffness(x > 0.0 ? load / x : scale * first, pair);
  if (!is_mujoco || !(x > 0.0)) return;
  const MujocoReference reference = mujoco::reference(pair->mujoco, pair->mujoco.solref, 0.0);
  pair->relaxation_time = reference.b / (reference.k * mujoco::impedance(pair->mujoco.solimp, x).d);
  pair->dissipation = pair->relaxation_time / x;
}

// N of mujoco_points.h.
double points_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
      return 1.0;
    case ShapeKind::capsule:
      return 2.0;
    default:
      return 4.0;
  }
}

}  // namespace

double mujoco_points(const CollisionModel& collision, const PairMaterial& pair, int i, int j) {
  const bool is_mujoco = pair.table >= 0 && pair.mujoco.is_given;
  if (!is_mujoco) return 1.0;
  return std::min(points_of(collision.items[static_cast<std::size_t>(i)].geometry.kind),
                  points_of(collision.items[static_cast<std::size_t>(j)].geometry.kind));
}

double table_share(double weight, double points) {
  return points > 1.0 ? std::min(1.0, points * weight) : weight;
}

void set_for_points(const SoftContact& soft, double points, int i, int j, PairMaterial* pair) {
  const double load =
      std::max(soft.weights[static_cast<std::size_t>(i)], soft.weights[static_cast<std::size_t>(j)]);
  set_by_load((*soft.tables)[static_cast<std::size_t>(pair->table)], points, load, true, pair);
}

void SoftContact::set(const PairCurve& curve, int i, int j, PairMaterial* pair) const {
  const double A = inverse_masses[i] + inverse_masses[j];
  pair->mujoco.inverse_mass = A;
  if (!(A > 0.0)) pair->mujoco.is_given = false;
  const bool is_mujoco = curve.stiffness > 0.0;
  // With the damper under the weight of one link alone, links that begin in each other stick for seconds.
  const double heavier = std::max(weights[i], weights[j]);
  if (pair->mujoco.is_given && pair->mujoco.solref[0] < 0.0 && heavier > 0.0)
    pair->dissipation = std::max(-pair->mujoco.solref[1], 0.0) / heavier;
  if (curve.table < 0 || (is_mujoco && (pair->stiffness_is_given || !(A > 0.0)))) return;
  const ForceTable& table = (*tables)[curve.table];
  const double scale = is_mujoco ? curve.stiffness / A : 1.0;
  pair->table = curve.table;
  pair->table_scale = scale;
  set_by_load(table, 1.0, heavier, is_mujoco, pair);
  pair->stiffness_is_given = true;
}

namespace {

// MuJoCo's exception: a body that is alone on slides along its own axes, and these are principal axes through
// its centre of mass, counts with 1/mass, in whatever directions it can move.
bool is_simple_slider(const Forest& forest, const CollisionItem& item) {
  const Body& body = forest.bodies[static_cast<std::size_t>(item.body)];
  const int num_v = forest.trees[forest.nodes[item.node].tree].num_v();
  if (body.joints.empty() || static_cast<int>(body.joints.size()) != num_v) return false;
  for (const Joint& joint : body.joints) {
    const bool is_along_axis = joint.axis.cwiseAbs().maxCoeff() == 1.0;
    if (joint.type != JointType::prismatic || !is_along_axis || !joint.p_BJ.isZero(0.0)) return false;
  }
  return body.inertia.com.isZero(0.0) && body.inertia.I_com.isDiagonal(1e-12);
}

}  // namespace

void set_inverse_masses(const Model& model, const CollisionModel& collision, SoftContact* soft) {
  const Forest& forest = model.forest;
  std::vector<double> tree_masses(forest.trees.size());
  for (std::size_t n = 0; n < forest.nodes.size(); ++n)
    tree_masses[forest.nodes[n].tree] += forest.constants[n].mass;
  Kinematics kinematics(forest);
  MassMatrix M(forest);
  compute_positions(forest, model.q0.data(), &kinematics);
  compute_mass_matrix(forest, kinematics, &M);
  // Where it has no inverse, a body alone counts.
  const bool has_inverse = factorise(forest, nullptr, &M) < 0;
  std::vector<double> of_body(forest.bodies.size(), -1.0);
  TreeJacobian J;
  VecX x(forest.num_v);
  const auto inverse_mass = [&](const CollisionItem& item) {
    const Tree& tree = forest.trees[forest.nodes[item.node].tree];
    const double alone = 1.0 / std::max(mujoco::kTiny, forest.constants[item.node].mass);
    if (!has_inverse || is_simple_slider(forest, item)) return alone;
    const Vec3 com = body_pose(forest, kinematics, item.body) * forest.bodies[item.body].inertia.com;
    point_jacobian(forest, kinematics, item.body, com, &J);
    double sums[2] = {0.0, 0.0};  // of rotation and translation
    for (int c = 0; c < 6; ++c) {
      x.segment(tree.v_begin, tree.num_v()) = J.row(c).transpose();
      solve_tree(forest, M, forest.nodes[item.node].tree, x.data());
      sums[c / 3] += J.row(c).dot(x.segment(tree.v_begin, tree.num_v())) / 3.0;
    }
    // A body that only turns about its centre of mass has the number of its rotation, as MuJoCo's has.
    return sums[1] > mujoco::kTiny ? sums[1] : sums[0];
  };
  for (const CollisionItem& item : collision.items) {
    const bool moves = item.node >= 0;
    if (moves && of_body[item.body] < 0.0) of_body[item.body] = inverse_mass(item);
    soft->inverse_masses.push_back(moves ? of_body[item.body] : 0.0);
    soft->weights.push_back(moves ? tree_masses[forest.nodes[item.node].tree] * collision.gravity : 0.0);
  }
}

}  // namespace stiction
