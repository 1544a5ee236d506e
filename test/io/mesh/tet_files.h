#pragma once
// Writers of volumes in every dialect of legacy VTK and Gmsh, for the tests of their readers.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "stiction/base/format.h"
#include "stiction/geometry/shape/tet_volume.h"

namespace stiction {

// A number as it lies in a file of this byte order.
template <class Number>
void put(Number number, std::endian order, std::string* out) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(Number));
  if (order != std::endian::native) std::reverse(raw, raw + sizeof(Number));
  out->append(raw, sizeof(Number));
}

struct VtkDialect {
  std::string version = "3.0";  // from 5.0 on with OFFSETS and CONNECTIVITY
  bool is_binary = false;
  bool is_double = true;
  bool has_extras = false;  // a field and metadata before the points, a triangle, data of the points
};

inline std::string vtk_text(const TetVolume& volume, const VtkDialect& dialect) {
  const auto big = std::endian::big;
  std::string out = "# vtk DataFile Version " + dialect.version + "\nany title: 4 5 6\n";
  out += dialect.is_binary ? "BINARY\n" : "ASCII\n";
  out += "DATASET UNSTRUCTURED_GRID\n";
  const auto end_block = [&] { out += "\n"; };
  if (dialect.has_extras) {
    out += "FIELD FieldData 1\nTimeValue 1 1 double\n";
    if (dialect.is_binary)
      put(2.5, big, &out);
    else
      out += "2.5";
    out += "\nMETADATA\nINFORMATION 1\nNAME L2 LOCATION vtkDataArray\nDATA 1 0\n\n";
  }
  out += format("POINTS {} {}\n", volume.vertices.size(), dialect.is_double ? "double" : "float");
  for (const Vec3& v : volume.vertices) {
    for (int i = 0; i < 3; ++i) {
      if (!dialect.is_binary)
        out += format("{} ", v[i]);
      else if (dialect.is_double)
        put(v[i], big, &out);
      else
        put(float(v[i]), big, &out);
    }
  }
  end_block();
  std::vector<std::vector<int>> cells;
  for (const Tet& tet : volume.tets) cells.emplace_back(tet.begin(), tet.end());
  if (dialect.has_extras) cells.insert(cells.begin(), {0, 1, 2});
  std::size_t indices = 0;
  for (const auto& cell : cells) indices += cell.size();
  const auto put_integer = [&](std::int64_t value, bool is_long) {
    if (!dialect.is_binary)
      out += format("{} ", value);
    else if (is_long)
      put(value, big, &out);
    else
      put(std::int32_t(value), big, &out);
  };
  if (dialect.version[0] == '5') {
    out += format("CELLS {} {}\nOFFSETS vtktypeint64\n", cells.size() + 1, indices);
    std::int64_t offset = 0;
    put_integer(0, true);
    for (const auto& cell : cells) put_integer(offset += std::int64_t(cell.size()), true);
    out += "\nCONNECTIVITY vtktypeint64\n";
    for (const auto& cell : cells)
      for (const int v : cell) put_integer(v, true);
  } else {
    out += format("CELLS {} {}\n", cells.size(), cells.size() + indices);
    for (const auto& cell : cells) {
      put_integer(std::int64_t(cell.size()), false);
      for (const int v : cell) put_integer(v, false);
    }
  }
  end_block();
  out += format("CELL_TYPES {}\n", cells.size());
  for (const auto& cell : cells) put_integer(cell.size() == 4 ? 10 : 5, false);
  end_block();
  if (dialect.has_extras) out += "POINT_DATA 1\nSCALARS pressure double 1\nLOOKUP_TABLE default\nwhatever\n";
  return out;
}

struct GmshDialect {
  std::string version = "4.1";  // or 2.2
  bool is_binary = false;
  std::endian order = std::endian::native;
  bool has_extras = false;  // tags with gaps, downwards; a triangle; other sections; parametric nodes
};

inline std::string gmsh_text(const TetVolume& volume, const GmshDialect& dialect) {
  std::string out = format("$MeshFormat\n{} {} 8\n", dialect.version, dialect.is_binary ? 1 : 0);
  if (dialect.is_binary) {
    put(std::int32_t{1}, dialect.order, &out);
    out += "\n";
  }
  out += "$EndMeshFormat\n";
  if (dialect.has_extras) out += "$PhysicalNames\n1\n3 1 \"my volume\"\n$EndPhysicalNames\n";
  const bool is_new = dialect.version == "4.1";
  const auto small = [&](std::int64_t value) {
    if (dialect.is_binary)
      put(std::int32_t(value), dialect.order, &out);
    else
      out += format("{} ", value);
  };
  const auto large = [&](std::uint64_t value) {
    if (dialect.is_binary)
      put(value, dialect.order, &out);
    else
      out += format("{} ", value);
  };
  const auto real = [&](double value) {
    if (dialect.is_binary)
      put(value, dialect.order, &out);
    else
      out += format("{} ", value);
  };
  const auto new_line = [&] {
    if (!dialect.is_binary) out += "\n";
  };
  const std::size_t nodes = volume.vertices.size();
  const auto tag_of = [&](std::size_t v) { return dialect.has_extras ? 7 * (nodes - v) : v + 1; };
  out += "$Nodes\n";
  if (is_new) {
    // The first node is a block of its own.
    large(2), large(nodes), large(1), large(8 * nodes), new_line();
    small(dialect.has_extras ? 2 : 0), small(1), small(dialect.has_extras ? 1 : 0), large(1), new_line();
    large(tag_of(0)), new_line();
    for (int i = 0; i < 3; ++i) real(volume.vertices[0][i]);
    if (dialect.has_extras) real(0.25), real(0.75);
    new_line();
    small(3), small(1), small(0), large(nodes - 1), new_line();
    for (std::size_t v = 1; v < nodes; ++v) large(tag_of(v)), new_line();
    for (std::size_t v = 1; v < nodes; ++v) {
      for (int i = 0; i < 3; ++i) real(volume.vertices[v][i]);
      new_line();
    }
  } else {
    out += format("{}\n", nodes);
    for (std::size_t v = 0; v < nodes; ++v) {
      small(std::int64_t(tag_of(v)));
      for (int i = 0; i < 3; ++i) real(volume.vertices[v][i]);
      new_line();
    }
  }
  out += "\n$EndNodes\n$Elements\n";
  const std::size_t extra = dialect.has_extras ? 1 : 0, elements = volume.tets.size() + extra;
  if (is_new) {
    large(1 + extra), large(elements), large(1), large(elements), new_line();
    if (dialect.has_extras) {
      small(2), small(1), small(2), large(1), new_line();
      large(1), large(tag_of(0)), large(tag_of(1)), large(tag_of(2)), new_line();
    }
    small(3), small(1), small(4), large(volume.tets.size()), new_line();
    for (std::size_t t = 0; t < volume.tets.size(); ++t) {
      large(extra + t + 1);
      for (const int v : volume.tets[t]) large(tag_of(std::size_t(v)));
      new_line();
    }
  } else {
    out += format("{}\n", elements);
    const auto node = [&](int v) { small(std::int64_t(tag_of(std::size_t(v)))); };
    if (dialect.has_extras) {
      if (dialect.is_binary)
        small(2), small(1), small(2), small(1);
      else
        small(1), small(2), small(2);
      small(5), small(6), node(0), node(1), node(2), new_line();
    }
    if (dialect.is_binary) small(4), small(std::int64_t(volume.tets.size())), small(2);
    for (std::size_t t = 0; t < volume.tets.size(); ++t) {
      small(std::int64_t(extra + t + 1));
      if (!dialect.is_binary) small(4), small(2);
      small(5), small(6);
      for (const int v : volume.tets[t]) node(v);
      new_line();
    }
  }
  out += "\n$EndElements\n";
  return out;
}

}  // namespace stiction
