#include "stiction/multibody/tree.h"

#include <cmath>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/math/physical_inertia.h"
#include "stiction/math/simd.h"
#include "stiction/multibody/node_kinds.h"

namespace stiction {

namespace {

// Numbers reserved for a row of a TreeMatrix: whole packs, with room for a last pack that starts at the last
// number.
int row_capacity(int length) { return simd::padded(length + 3); }

void store_columns(const Mat3& M, double* columns) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) columns[4 * c + r] = M(r, c);
}

void store_vector(const Vec3& a, double* out) {
  for (int r = 0; r < 3; ++r) out[r] = a[r];
}

bool moves(const Body& body) {
  for (const Joint& joint : body.joints)
    if (motions_of(joint).count > 0) return true;
  return false;
}

class ForestMaker {
 public:
  ForestMaker(std::vector<Body> bodies, const Vec3& gravity) {
    forest_.bodies = std::move(bodies);
    forest_.gravity = gravity;
  }

  Forest make() {
    check_bodies();
    forest_.places.resize(forest_.bodies.size());
    children_.resize(forest_.bodies.size());
    for (int b = 1; b < num_bodies(); ++b) children_[body(b).parent].push_back(b);
    place_fixed(0, -1, {});
    weld_masses();
    describe_dofs();
    check_masses();
    return std::move(forest_);
  }

 private:
  int num_bodies() const { return static_cast<int>(forest_.bodies.size()); }
  const Body& body(int b) const { return forest_.bodies[b]; }

  void check_bodies() const;
  void check_joint(const Body& b, const Joint& joint) const;
  void place_fixed(int b, int kinematic, const Pose& X);
  void place_tree(int root, int kinematic, const Pose& X_KB);
  void place_moving(int b, int parent_node, const Pose& X_NpB);
  void place_children(int b);
  int add_node(const ElementaryMotion& motion, int parent_node, const Pose& X_NpB, const Vec3& anchor);
  Inertia welded_inertia(int b) const;
  void weld_masses();
  void describe_dofs();
  void check_masses() const;

  Forest forest_;
  std::vector<std::vector<int>> children_;
};

void ForestMaker::check_bodies() const {
  STICTION_USER_CHECK(num_bodies() > 0 && body(0).parent == 0 && body(0).joints.empty(),
                      "body 0 of a forest must be the world, without joints");
  STICTION_USER_CHECK(forest_.gravity.allFinite(), "gravity is not finite");
  for (int i = 1; i < num_bodies(); ++i) {
    const Body& b = body(i);
    STICTION_USER_CHECK(b.parent >= 0 && b.parent < i, "body '{}': its parent must come before it", b.name);
    STICTION_USER_CHECK(b.X_PB.R.allFinite() && b.X_PB.p.allFinite(), "body '{}': its pose is not finite",
                        b.name);
    constexpr double kNotARotation = 1e-6;
    STICTION_USER_CHECK((b.X_PB.R.transpose() * b.X_PB.R - Mat3::Identity()).norm() < kNotARotation &&
                            b.X_PB.R.determinant() > 0.0,
                        "body '{}': the orientation of its pose is not a rotation", b.name);
    // Moments that break the triangle inequality do no harm to the equations of motion, and many robot files
    // have them.
    const std::string defect = inertia_defect(b.inertia);
    STICTION_USER_CHECK(defect.empty() || violates_triangle_inequality(b.inertia), "body '{}' {}", b.name,
                        defect);
    if (b.motion == BodyMotion::kinematic) {
      STICTION_USER_CHECK(!moves(b), "body '{}' is kinematic and cannot have joints", b.name);
      STICTION_USER_CHECK(b.parent == 0, "body '{}' is kinematic and must be a child of the world", b.name);
    }
    for (const Joint& joint : b.joints) check_joint(b, joint);
  }
}

void ForestMaker::check_joint(const Body& b, const Joint& joint) const {
  constexpr double kNotUnit = 1e-9;
  const auto is_unit = [](const Vec3& a) { return std::abs(a.norm() - 1.0) < kNotUnit; };
  const ElementaryMotions motions = motions_of(joint);
  STICTION_USER_CHECK(!motions.uses_axis || is_unit(joint.axis),
                      "joint '{}' of body '{}': axis ({}, {}, {}) is not a unit vector", joint.name, b.name,
                      joint.axis.x(), joint.axis.y(), joint.axis.z());
  if (motions.uses_axis2) {
    STICTION_USER_CHECK(is_unit(joint.axis2), "joint '{}' of body '{}': axis2 is not a unit vector",
                        joint.name, b.name);
    STICTION_USER_CHECK(joint.type != JointType::planar || std::abs(joint.axis.dot(joint.axis2)) < kNotUnit,
                        "joint '{}' of body '{}': axis2 of a planar joint must be normal to axis", joint.name,
                        b.name);
    STICTION_USER_CHECK(joint.axis.cross(joint.axis2).norm() > kNotUnit,
                        "joint '{}' of body '{}': the two axes of a {} joint are parallel", joint.name,
                        b.name, name_of(joint.type));
  }
  for (const ElementaryMotion& motion : motions)
    STICTION_USER_CHECK(!moves_in_world(motion.kind) || b.joints.size() == 1,
                        "joint '{}': a {} joint must be the only joint of body '{}'", joint.name,
                        name_of(joint.type), b.name);
  STICTION_USER_CHECK(joint.p_BJ.allFinite() && std::isfinite(joint.pitch) && std::isfinite(joint.reference),
                      "joint '{}' of body '{}': anchor, pitch or reference is not finite", joint.name,
                      b.name);
  for (int k = 0; k < num_velocities(joint.type); ++k) {
    const auto bad = [k](const PerDof& values) { return !std::isfinite(values[k]) || values[k] < 0.0; };
    STICTION_USER_CHECK(!bad(joint.armature), "joint '{}': armature must be finite and not negative",
                        joint.name);
    STICTION_USER_CHECK(!bad(joint.damping), "joint '{}': damping must be finite and not negative",
                        joint.name);
    STICTION_USER_CHECK(!bad(joint.stiffness), "joint '{}': stiffness must be finite and not negative",
                        joint.name);
    STICTION_USER_CHECK(!bad(joint.friction_loss),
                        "joint '{}': friction loss must be finite and not negative", joint.name);
  }
}

// A body fixed to the world (kinematic < 0) or to a kinematic body, at the pose X in that frame.
void ForestMaker::place_fixed(int b, int kinematic, const Pose& X) {
  BodyPlace& place = forest_.places[b];
  if (body(b).motion == BodyMotion::kinematic) {
    place.kinematic = static_cast<int>(forest_.kinematic_bodies.size());
    forest_.kinematic_bodies.push_back(b);
    place.X_NB = {};
  } else {
    place.kinematic = kinematic;
    place.X_NB = X;
  }
  for (int j = 0; j < static_cast<int>(body(b).joints.size()); ++j) {
    JointIndices joint_place;
    joint_place.body = b;
    joint_place.index_in_body = j;
    joint_place.node_begin = joint_place.node_end = static_cast<int>(forest_.nodes.size());
    joint_place.q_begin = forest_.num_q;
    joint_place.v_begin = forest_.num_v;
    forest_.joints.push_back(joint_place);
  }
  const BodyPlace here = place;
  for (int child : children_[b]) {
    const Pose X_child = here.X_NB * body(child).X_PB;
    if (moves(body(child))) {
      place_tree(child, here.kinematic, X_child);
    } else {
      place_fixed(child, here.kinematic, X_child);
    }
  }
}

void ForestMaker::place_tree(int root, int kinematic, const Pose& X_KB) {
  Tree tree;
  tree.node_begin = static_cast<int>(forest_.nodes.size());
  tree.q_begin = forest_.num_q;
  tree.v_begin = forest_.num_v;
  tree.kinematic_base = kinematic;
  forest_.trees.push_back(tree);
  place_moving(root, -1, X_KB);
  Tree& done = forest_.trees.back();
  done.node_end = static_cast<int>(forest_.nodes.size());
  done.q_end = forest_.num_q;
  done.v_end = forest_.num_v;
  done.fork_begin = static_cast<int>(forest_.forks.size());
  for (int n = done.node_begin + 1; n < done.node_end; ++n) {
    const int parent = forest_.nodes[n].parent;
    if (parent != n - 1) forest_.nodes[parent].is_fork = true;
  }
  for (int n = done.node_begin; n < done.node_end; ++n)
    if (forest_.nodes[n].is_fork) forest_.forks.push_back(n);
  done.fork_end = static_cast<int>(forest_.forks.size());
  done.is_free_body =
      done.node_end == done.node_begin + 1 && forest_.nodes[done.node_begin].kind == NodeKind::free;
}

// A body in a tree, at the pose X_NpB in its parent node's frame when its joints are at their references.
void ForestMaker::place_moving(int b, int parent_node, const Pose& X_NpB) {
  BodyPlace& place = forest_.places[b];
  if (!moves(body(b))) {
    place.node = parent_node;
    place.X_NB = X_NpB;
  }
  int node = parent_node;
  Pose X = X_NpB;  // of the body in the frame of `node`, before the next motion
  int index_in_body = 0;
  for (const Joint& joint : body(b).joints) {
    JointIndices joint_place;
    joint_place.body = b;
    joint_place.index_in_body = index_in_body++;
    joint_place.node_begin = static_cast<int>(forest_.nodes.size());
    joint_place.q_begin = forest_.num_q;
    joint_place.v_begin = forest_.num_v;
    for (const ElementaryMotion& motion : motions_of(joint)) {
      Vec3 anchor = joint.p_BJ;
      if (moves_in_world(motion.kind)) {
        const Tree& tree = forest_.trees.back();
        STICTION_USER_CHECK(
            parent_node < 0 && tree.kinematic_base < 0,
            "joint '{}': a {} joint must connect to the world, but the parent of body '{}' is '{}'",
            joint.name, name_of(joint.type), body(b).name, body(body(b).parent).name);
        anchor = welded_inertia(b).com;
      }
      node = add_node(motion, node, X, anchor);
      // The next motion of this body acts in the body's axes, from the anchor of this one.
      const Mat3 R_NB = with_node_kind(motion.kind, [&](auto kind) { return kind.R_BN(motion); }).transpose();
      X = Pose{R_NB, R_NB * -anchor};
    }
    joint_place.node_end = static_cast<int>(forest_.nodes.size());
    joint_place.num_q = forest_.num_q - joint_place.q_begin;
    joint_place.num_v = forest_.num_v - joint_place.v_begin;
    for (int n = joint_place.node_begin; n < joint_place.node_end; ++n)
      forest_.nodes[n].joint = static_cast<int>(forest_.joints.size());
    forest_.joints.push_back(joint_place);
  }
  if (node != parent_node) {
    place.node = node;
    place.X_NB = X;
  }
  place_children(b);
}

void ForestMaker::place_children(int b) {
  const BodyPlace here = forest_.places[b];
  for (int child : children_[b]) {
    STICTION_USER_CHECK(body(child).motion != BodyMotion::kinematic,
                        "body '{}' is kinematic and must be a child of the world", body(child).name);
    place_moving(child, here.node, here.X_NB * body(child).X_PB);
  }
}

// `X_NpB`: the body in the parent node's frame at reference; the node's origin is the anchor (in B).
int ForestMaker::add_node(const ElementaryMotion& motion, int parent_node, const Pose& X_NpB,
                          const Vec3& anchor) {
  Node node;
  node.kind = motion.kind;
  node.parent = parent_node;
  node.tree = static_cast<int>(forest_.trees.size()) - 1;
  node.q_begin = forest_.num_q;
  node.v_begin = forest_.num_v;
  node.num_q = num_positions(motion.kind);
  node.num_v = num_velocities(motion.kind);
  forest_.num_q += node.num_q;
  forest_.num_v += node.num_v;

  NodeConstants constants;
  with_node_kind(motion.kind, [&](auto kind) {
    store_columns(kind.constant_R(X_NpB, motion), constants.R);
    store_vector(kind.constant_p(X_NpB, anchor), constants.p);
  });
  constants.reference = motion.reference;
  constants.turn = motion.turn;
  constants.slide = motion.slide;
  forest_.nodes.push_back(node);
  forest_.constants.push_back(constants);
  return static_cast<int>(forest_.nodes.size()) - 1;
}

// Of a body and everything fixed to it, in its frame.
Inertia ForestMaker::welded_inertia(int b) const {
  Inertia total = body(b).inertia;
  for (int child : children_[b])
    if (!moves(body(child))) total = total + welded_inertia(child).in_frame(body(child).X_PB);
  return total;
}

void ForestMaker::weld_masses() {
  std::vector<Inertia> welded(forest_.nodes.size());
  for (int b = 1; b < num_bodies(); ++b) {
    const BodyPlace& place = forest_.places[b];
    if (place.node < 0) continue;
    Inertia& sum = welded[place.node];
    sum = sum + body(b).inertia.in_frame(place.X_NB);
  }
  for (size_t n = 0; n < welded.size(); ++n) {
    const Inertia& inertia = welded[n];
    NodeConstants& constants = forest_.constants[n];
    const Mat3 I = inertia.about_origin().topLeftCorner<3, 3>();
    const Mat3 second_moment = 0.5 * I.trace() * Mat3::Identity() - I;  // int x x' dm
    store_columns(second_moment, constants.pseudo_inertia);
    const Vec3 h = inertia.mass * inertia.com;
    for (int c = 0; c < 3; ++c) constants.pseudo_inertia[4 * c + 3] = h[c];
    store_vector(h, constants.pseudo_inertia + 12);
    constants.pseudo_inertia[15] = inertia.mass;
    constants.mass = inertia.mass;
    forest_.nodes[n].has_mass = inertia.mass > 0.0 || inertia.I_com.norm() > 0.0;
  }
}

void ForestMaker::describe_dofs() {
  forest_.dofs.resize(forest_.num_v);
  int row = 0;
  for (Tree& tree : forest_.trees) {
    tree.row_begin = row;
    for (int n = tree.node_begin; n < tree.node_end; ++n) {
      const Node& node = forest_.nodes[n];
      const Joint& joint = forest_.joint(node.joint);

      // The ranges of the parent's last velocity, continued by this node's velocities.
      std::vector<DofRange> ranges;
      int depth = 0;
      if (node.parent >= 0) {
        const Node& parent = forest_.nodes[node.parent];
        const Dof& last = forest_.dofs[parent.v_begin + parent.num_v - 1];
        ranges.assign(forest_.ranges.begin() + last.range_begin, forest_.ranges.begin() + last.range_end);
        depth = last.depth + 1;
      }
      for (int k = 0; k < node.num_v; ++k) {
        const int d = node.v_begin + k;
        if (!ranges.empty() && ranges.back().begin + ranges.back().count == d) {
          ++ranges.back().count;
        } else {
          ranges.push_back({d, 1});
        }
        Dof& dof = forest_.dofs[d];
        dof.node = n;
        dof.depth = depth + k;
        dof.row = row;
        row += row_capacity(dof.depth + 1);
        dof.range_begin = static_cast<int>(forest_.ranges.size());
        forest_.ranges.insert(forest_.ranges.end(), ranges.begin(), ranges.end());
        dof.range_end = static_cast<int>(forest_.ranges.size());
        dof.ancestors = static_cast<int>(forest_.ancestor_rows.size());
        dof.subtree_end = d + 1;
        forest_.dof_rows.push_back(dof.row);
        tree.max_depth = std::max(tree.max_depth, dof.depth);
        for (const DofRange& range : ranges) {
          for (int a = range.begin; a < range.begin + range.count && a < d; ++a) {
            forest_.ancestor_rows.push_back(forest_.dofs[a].row);
            forest_.ancestor_dofs.push_back(a);
            forest_.dofs[a].subtree_end = d + 1;
          }
        }
        const size_t k_joint = static_cast<size_t>(d - forest_.joints[node.joint].v_begin);
        dof.armature = joint.armature[k_joint];
        dof.damping = joint.damping[k_joint];
        dof.stiffness = joint.stiffness[k_joint];
        dof.neutral = has_quaternion(node.kind) ? 0.0 : joint.neutral[k_joint];
      }
    }
    tree.row_end = row;
    if (!tree.is_free_body) {
      const int count = tree.q_end - tree.q_begin;
      std::vector<DofRange>& runs = forest_.articulated_q;
      if (!runs.empty() && runs.back().begin + runs.back().count == tree.q_begin) {
        runs.back().count += count;
      } else {
        runs.push_back({tree.q_begin, count});
      }
    }
    forest_.max_tree_v = std::max(forest_.max_tree_v, tree.num_v());
  }
  forest_.row_storage = row;
}

void ForestMaker::check_masses() const {
  // Every node must have mass, or a descendant with mass; every leaf must resist the motion of its own joint.
  std::vector<bool> has_mass(forest_.nodes.size()), has_child(forest_.nodes.size());
  for (size_t n = forest_.nodes.size(); n-- > 0;) {
    const Node& node = forest_.nodes[n];
    has_mass[n] = has_mass[n] || node.has_mass;
    const Joint& joint = forest_.joint(node.joint);
    const std::string& body_name = body(forest_.joints[node.joint].body).name;
    double least_armature = forest_.dofs[node.v_begin].armature;
    for (int k = 1; k < node.num_v; ++k)
      least_armature = std::min(least_armature, forest_.dofs[node.v_begin + k].armature);
    STICTION_USER_CHECK(has_mass[n] || least_armature > 0.0,
                        "joint '{}' moves body '{}', which has neither mass nor armature", joint.name,
                        body_name);
    if (!has_child[n] && least_armature == 0.0) {
      const double inertia =
          with_node_kind(node.kind, [&](auto kind) { return kind.least_inertia(forest_.constants[n]); });
      STICTION_USER_CHECK(
          inertia > 0.0,
          "joint '{}' turns body '{}', which has no inertia about it: give the body a moment of inertia or "
          "the joint an armature",
          joint.name, body_name);
    }
    if (node.parent >= 0) {
      has_child[node.parent] = true;
      if (has_mass[n]) has_mass[node.parent] = true;
    }
  }
}

}  // namespace

const Joint& Forest::joint(int index) const {
  const JointIndices& place = joints[index];
  return bodies[place.body].joints[place.index_in_body];
}

int Forest::find_body(std::string_view name) const {
  for (size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].name == name) return static_cast<int>(b);
  return -1;
}

int Forest::find_joint(std::string_view name) const {
  for (size_t j = 0; j < joints.size(); ++j)
    if (joint(static_cast<int>(j)).name == name) return static_cast<int>(j);
  return -1;
}

Forest make_forest(std::vector<Body> bodies, const Vec3& gravity) {
  return ForestMaker(std::move(bodies), gravity).make();
}

}  // namespace stiction
