#pragma once
// The forest: bodies and joints as given, compiled into flat arrays that the recursions run over.
//
// A forest is a set of trees, each rooted at the world or at a kinematic body. Every tree has a contiguous
// range of nodes, of positions q and of velocities v, in depth-first order, and everything that couples
// velocities (mass matrix, factors, derivatives) is stored per tree.
//
// A *node* is a frame that moves relative to its parent node by one elementary joint: a hinge, slide or screw
// (one velocity), a ball (three) or a free joint (six, at the root of a tree). A joint with two or three
// axes, or a body with several joints, becomes several nodes; the last of them has the body's mass. Bodies
// that are fixed to each other share a node, but keep their names, poses, inertias and the force between
// them.
//
// A node's origin is the joint's anchor (free: the centre of mass of everything welded to the body). The z
// axis of an axis node is the joint's axis; ball and free nodes have the body's axes.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/math/spatial.h"
#include "stiction/multibody/joint.h"

namespace stiction {

// `automatic`: static if no joint lies between the body and the world, otherwise dynamic.
// `kinematic`: pose and velocity are prescribed from outside; a child of the world, without joints.
enum class BodyMotion { automatic, kinematic };

// A body as the user gives it.
struct Body {
  std::string name;
  int parent = 0;             // index in the list; smaller than the body's own; 0 is the world
  Pose X_PB;                  // at the reference position of its joints
  Inertia inertia;            // in B
  std::vector<Joint> joints;  // in order from the parent; empty: fixed to the parent
  BodyMotion motion = BodyMotion::automatic;
};

// Constants of a node. Matrices are stored as three columns of four numbers, vectors as four numbers; the
// fourth is zero. The pose of an axis node in its parent node's frame is
//
//   R(q) = R R_z(turn q),     p(q) = p + slide (q - reference) z,     z: third column of R.
struct alignas(32) NodeConstants {
  double R[12] = {};       // axis: at q = 0; ball: at the identity quaternion; free: unused
  double p[4] = {};        // free: the centre of mass in the body's frame
  double turn = 0.0;       // 1: q is an angle about the axis (hinge, screw), 0: it is not (slide)
  double slide = 0.0;      // m along the axis per unit of q (slide 1, screw: pitch)
  double reference = 0.0;  // of q, for `slide`
  double mass = 0.0;       // kg, of everything welded to this node
  // Pseudo-inertia of the node's own mass about the node's origin in node axes, four columns of four:
  // [ int x x' dm, int x dm; int x' dm, int dm ].
  double pseudo_inertia[16] = {};
};

struct Node {
  NodeKind kind = NodeKind::axis;
  int parent = -1;  // node, -1 at the root of a tree
  int tree = 0;
  int joint = 0;  // that this node belongs to
  int q_begin = 0, v_begin = 0;
  int num_q = 1, num_v = 1;
  bool has_mass = false;
  bool is_fork = false;  // it has a child other than the next node
};

// Consecutive velocities or positions. The ancestors of a velocity, itself included, are a few such ranges.
struct DofRange {
  int begin = 0;
  int count = 0;
};

struct Dof {
  int node = 0;
  int depth = 0;                       // number of ancestors among the velocities, not counting itself
  int row = 0;                         // where its row of depth + 1 numbers starts in a TreeMatrix
  int range_begin = 0, range_end = 0;  // in Forest::ranges
  int ancestors = 0;    // where its `depth` ancestors start in Forest::ancestor_rows, root first
  int subtree_end = 0;  // velocities [d, subtree_end) are d and its descendants
  double armature = 0.0;
  double damping = 0.0;
  double stiffness = 0.0;  // of an axis node's spring; ball and free springs are the joint's
  double neutral = 0.0;
};

struct Tree {
  int node_begin = 0, node_end = 0;
  int q_begin = 0, q_end = 0;
  int v_begin = 0, v_end = 0;
  int row_begin = 0, row_end = 0;    // storage of its rows in a TreeMatrix, in doubles
  int max_depth = 0;                 // of its velocities
  int fork_begin = 0, fork_end = 0;  // in Forest::forks
  int kinematic_base = -1;           // index into Forest::kinematic_bodies, -1: the world
  bool is_free_body = false;         // one free node
  int num_v() const { return v_end - v_begin; }
};

// Which node, kinematic body or the world a body is attached to, and where.
struct BodyPlace {
  int node = -1;       // that it is attached to, -1: static, or (fixed to) a kinematic body
  int kinematic = -1;  // index into Forest::kinematic_bodies
  Pose X_NB;           // in the node's frame, the kinematic body's frame or the world
  bool is_static() const { return node < 0 && kinematic < 0; }
};

struct JointIndices {
  int body = 0;
  int index_in_body = 0;
  int node_begin = 0, node_end = 0;  // empty for fixed
  int q_begin = 0, v_begin = 0;
  int num_q = 0, num_v = 0;
};

struct Forest {
  std::vector<Body> bodies;           // [0] is the world
  std::vector<BodyPlace> places;      // one per body
  std::vector<JointIndices> joints;   // in the order of q
  std::vector<int> kinematic_bodies;  // body indices
  std::vector<Node> nodes;
  std::vector<NodeConstants> constants;  // one per node
  std::vector<int> forks;                // nodes with Node::is_fork
  std::vector<Dof> dofs;
  std::vector<DofRange> ranges;
  std::vector<int> ancestor_rows;  // Dof::row of the ancestors of every velocity, one after the other
  std::vector<int> ancestor_dofs;  // the ancestors themselves, likewise
  std::vector<int> dof_rows;       // Dof::row of every velocity
  std::vector<Tree> trees;
  std::vector<DofRange> articulated_q;  // positions of all trees but free bodies, as few ranges
  int num_q = 0, num_v = 0;
  int row_storage = 0;                   // doubles in a TreeMatrix
  int max_tree_v = 0;                    // velocities of the largest tree
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  // m/s^2

  const Joint& joint(int index) const;
  std::span<const int> forks_of(const Tree& tree) const {
    return {forks.data() + tree.fork_begin, static_cast<size_t>(tree.fork_end - tree.fork_begin)};
  }
  int find_body(std::string_view name) const;   // -1 if there is none
  int find_joint(std::string_view name) const;  // -1 if there is none
};

// Compiles bodies into a forest. Throws UserError, naming the body or joint, for bad input: a free joint on a
// body that is not a child of the world, axes that are not unit vectors, a moving subtree without mass or
// inertia, numbers that are not finite.
Forest make_forest(std::vector<Body> bodies, const Vec3& gravity = Vec3(0.0, 0.0, -9.81));

}  // namespace stiction
