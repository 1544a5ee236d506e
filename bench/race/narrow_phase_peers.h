#pragma once
// Pairs of shapes for the peers' narrow phases. No Eigen types: Coal is compiled for any x86-64.

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace stiction::race {

// A shape as plain numbers, with the conventions of stiction/geometry/shape/shape.h.
struct PlainShape {
  enum class Kind { sphere, capsule, ellipsoid, cylinder, box, hull, mesh, height_field };
  Kind kind = Kind::sphere;
  // m: radius; radius and half the length; radii; half extents; half the extents and the elevation of a
  // field.
  std::array<double, 3> size{};
  std::vector<std::array<double, 3>> vertices;  // m, of a hull or a mesh
  std::vector<std::array<int, 3>> triangles;
  int rows = 0, cols = 0;
  std::vector<double> heights;  // m, as in HeightField
};

struct PlainPose {
  std::array<double, 9> R{};  // row by row
  std::array<double, 3> p{};  // m
};

// What a peer found in one pose.
struct PeerContacts {
  int count = 0;
  double deepest = 0.0;  // m, smallest distance
};

// MuJoCo's function for the pair alone, straight from its table: none of the bookkeeping of mj_collision.
class MujocoNarrowPhase {
 public:
  MujocoNarrowPhase(const PlainShape& A, const PlainShape& B, const std::vector<PlainPose>& X_WA,
                    const std::vector<PlainPose>& X_WB);
  ~MujocoNarrowPhase();
  MujocoNarrowPhase(const MujocoNarrowPhase&) = delete;
  MujocoNarrowPhase& operator=(const MujocoNarrowPhase&) = delete;

  PeerContacts collide(int pose);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

// Coal's collide(), and the patch of points where the shapes are flat.
class [[gnu::visibility("default")]] CoalNarrowPhase {
 public:
  CoalNarrowPhase(const PlainShape& A, const PlainShape& B, const std::vector<PlainPose>& X_WA,
                  const std::vector<PlainPose>& X_WB, int max_contacts);
  ~CoalNarrowPhase();
  CoalNarrowPhase(const CoalNarrowPhase&) = delete;
  CoalNarrowPhase& operator=(const CoalNarrowPhase&) = delete;

  PeerContacts collide(int pose);
  PeerContacts collide_with_patch(int pose);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace stiction::race
