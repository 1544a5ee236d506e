#pragma once
// Volumes of tetrahedra with a known answer: unions of cubes and a torus.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "stiction/geometry/shape/tet_volume.h"
#include "test/geometry/test_meshes.h"

namespace stiction {

// A box as twelve tetrahedra around its centre: for a cube their linear pressures are its depth.
inline TetVolume centred_box_volume(const Vec3& half) {
  const TriangleMesh surface = box_mesh(-half, half);
  TetVolume volume{surface.vertices, {}};
  volume.vertices.push_back(Vec3::Zero());
  for (const Triangle& t : surface.triangles) volume.tets.push_back({t[0], t[1], t[2], 8});
  return volume;
}

// A union of cubes of the given edge; cell (i, j, k) reaches from edge*(i, j, k) to edge*(i+1, j+1, k+1). Twelve
// tetrahedra around the centre of each; diagonals of sides run from the least corner, so that neighbours agree.
inline TetVolume cubes_volume(const std::vector<std::array<int, 3>>& cells, double edge) {
  TetVolume volume;
  std::map<std::array<int, 3>, int> corners;
  const auto corner = [&](int i, int j, int k) {
    const auto [place, is_new] = corners.try_emplace({i, j, k}, int(volume.vertices.size()));
    if (is_new) volume.vertices.push_back(edge * Vec3(i, j, k));
    return place->second;
  };
  for (const auto& [i, j, k] : cells) {
    const int at[3] = {i, j, k};
    const int centre = int(volume.vertices.size());
    volume.vertices.push_back(edge * Vec3(i + 0.5, j + 0.5, k + 0.5));
    for (int axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 2; ++side) {
        const auto of_side = [&](int u, int v) {
          int c[3] = {at[0], at[1], at[2]};
          c[axis] += side;
          c[(axis + 1) % 3] += u;
          c[(axis + 2) % 3] += v;
          return corner(c[0], c[1], c[2]);
        };
        const int a = of_side(0, 0), b = of_side(1, 0), c = of_side(1, 1), d = of_side(0, 1);
        volume.tets.push_back({a, b, c, centre});
        volume.tets.push_back({a, c, d, centre});
      }
    }
  }
  return volume;
}

// A torus around z: `around` segments of a circle of the large radius, with `across` corners of its section on a
// circle of the small radius, between inner rings at `layers` equal steps. Prisms of three tetrahedra.
inline TetVolume torus_volume(double large, double small, int around, int across, int layers = 1) {
  TetVolume volume;
  const int of_section = 1 + across * layers;
  for (int s = 0; s < around; ++s) {
    const double angle = 2.0 * M_PI * s / around;
    const Vec3 out(std::cos(angle), std::sin(angle), 0.0);
    volume.vertices.push_back(large * out);
    for (int l = 1; l <= layers; ++l) {
      for (int c = 0; c < across; ++c) {
        // A corner at the bottom would be on the plane by chance of the number; half a step makes a flat side.
        const double turn = 2.0 * M_PI * (c + 0.5) / across - 0.5 * M_PI, r = small * l / layers;
        volume.vertices.push_back((large + r * std::cos(turn)) * out + r * std::sin(turn) * Vec3::UnitZ());
      }
    }
  }
  // Triangles of a section, each with ascending corners, so that sides of neighbouring prisms agree.
  std::vector<std::array<int, 3>> section;
  const auto at = [&](int l, int c) { return 1 + (l - 1) * across + c % across; };
  const auto add = [&](int a, int b, int c) {
    std::array<int, 3> t = {a, b, c};
    std::sort(t.begin(), t.end());
    section.push_back(t);
  };
  for (int c = 0; c < across; ++c) {
    add(0, at(1, c), at(1, c + 1));
    for (int l = 1; l < layers; ++l) {
      add(at(l, c), at(l, c + 1), at(l + 1, c));
      add(at(l, c + 1), at(l + 1, c), at(l + 1, c + 1));
    }
  }
  for (int s = 0; s < around; ++s) {
    const int here = s * of_section, next = (s + 1) % around * of_section;
    for (const auto& [a, b, c] : section) {
      volume.tets.push_back({here + a, here + b, here + c, next + c});
      volume.tets.push_back({here + a, here + b, next + b, next + c});
      volume.tets.push_back({here + a, next + a, next + b, next + c});
    }
  }
  return volume;
}

// The surface of a volume, with it.
inline std::shared_ptr<const TriangleMesh> shared_mesh_of(const TetVolume& volume) {
  return std::make_shared<const TriangleMesh>(mesh_of_tets(volume));
}

inline double volume_of(const TetVolume& volume) {
  double sum = 0.0;
  for (const Tet& tet : volume.tets) sum += std::abs(six_volumes(volume.vertices, tet)) / 6.0;
  return sum;
}

}  // namespace stiction
