#include "stiction/io/mesh/vtk_file.h"

#include <cctype>
#include <string>

#include "stiction/base/check.h"
#include "stiction/io/mesh/block_cursor.h"

namespace stiction {
namespace {

std::string lower_case(std::string_view word) {
  std::string out(word.substr(0, 40));
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

enum class NumberType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, real32, real64 };

struct TypeWord {
  const char* word;
  NumberType type;
  std::size_t bytes;
};
constexpr TypeWord kTypeWords[] = {
    {"char", NumberType::int8, 1},
    {"unsigned_char", NumberType::uint8, 1},
    {"short", NumberType::int16, 2},
    {"unsigned_short", NumberType::uint16, 2},
    {"int", NumberType::int32, 4},
    {"unsigned_int", NumberType::uint32, 4},
    {"vtkidtype", NumberType::int32, 4},  // legacy files have them as int
    {"vtktypeint32", NumberType::int32, 4},
    {"long", NumberType::int64, 8},
    {"unsigned_long", NumberType::uint64, 8},
    {"vtktypeint64", NumberType::int64, 8},
    {"float", NumberType::real32, 4},
    {"double", NumberType::real64, 8},
};

constexpr int kTetra = 10;

// The cells of VTK that are solid and no tetrahedra, and whether a cell has no volume.
const char* name_of_cell(int type) {
  switch (type) {
    case 11:
      return "voxel";
    case 12:
      return "hexahedron";
    case 13:
      return "wedge";
    case 14:
      return "pyramid";
    case 15:
      return "pentagonal prism";
    case 16:
      return "hexagonal prism";
    case 24:
      return "quadratic tetrahedron";
    case 25:
      return "quadratic hexahedron";
    case 26:
      return "quadratic wedge";
    case 27:
      return "quadratic pyramid";
    case 42:
      return "polyhedron";
    case 71:
      return "Lagrange tetrahedron";
    case 72:
      return "Lagrange hexahedron";
    default:
      return "cell";
  }
}
bool is_flat_cell(int type) { return (type >= 0 && type <= 9) || (type >= 21 && type <= 23) || type == 34; }

class VtkReader {
 public:
  VtkReader(std::string_view bytes, std::string_view file_name, MeshReport* report)
      : cursor_(bytes, file_name), report_(report) {}

  TetVolume read() {
    read_header();
    while (read_section()) {
    }
    if (!has_points_) cursor_.fail("there are no POINTS");
    if (!has_cells_ || !has_types_) cursor_.fail("there are no CELLS with their CELL_TYPES");
    collect();
    return std::move(volume_);
  }

 private:
  void read_header() {
    if (lower_case(cursor_.word()) != "#" || lower_case(cursor_.word()) != "vtk" ||
        lower_case(cursor_.word()) != "datafile" || lower_case(cursor_.word()) != "version")
      cursor_.fail("a legacy VTK file begins with '# vtk DataFile Version'");
    const double version = cursor_.number("the version");
    if (!(version >= 1.0 && version < 5.15))
      cursor_.fail(format("version {} is not known: 1.0 to 5.1 are read", version));
    is_new_ = version >= 4.95;
    cursor_.line();
    cursor_.line();  // title
    const std::string form = lower_case(cursor_.word());
    if (form != "ascii" && form != "binary")
      cursor_.fail(format("'{}' stands where ASCII or BINARY should", form));
    if (lower_case(cursor_.word()) != "dataset") cursor_.fail("there is no DATASET");
    const std::string kind = lower_case(cursor_.word());
    if (kind != "unstructured_grid")
      cursor_.fail(format("the dataset '{}' is no UNSTRUCTURED_GRID, which has tetrahedra", kind));
    if (form == "binary") cursor_.set_binary(std::endian::big);
  }

  bool read_section() {
    const std::string keyword = lower_case(cursor_.word());
    if (keyword.empty() || keyword == "point_data" || keyword == "cell_data") return false;
    if (keyword == "points")
      read_points();
    else if (keyword == "cells")
      read_cells();
    else if (keyword == "cell_types")
      read_types();
    else if (keyword == "field")
      skip_fields();
    else if (keyword == "metadata")
      skip_metadata();
    else
      cursor_.fail(format("'{}' is not known", keyword));
    return true;
  }

  const TypeWord& read_type() {
    const std::string word = lower_case(cursor_.word());
    for (const TypeWord& type : kTypeWords)
      if (word == type.word) return type;
    cursor_.fail(format("'{}' is no type of numbers", word));
  }

  // Blocks begin on the line after their keyword.
  void begin_block() {
    if (cursor_.is_binary()) cursor_.line();
  }

  double next_real(const TypeWord& type) {
    if (!cursor_.is_binary()) return cursor_.number("a coordinate");
    if (type.type == NumberType::real32) return cursor_.take<float>();
    if (type.type == NumberType::real64) return cursor_.take<double>();
    return static_cast<double>(next_integer(type));
  }

  std::int64_t next_integer(const TypeWord& type) {
    if (!cursor_.is_binary()) return cursor_.integer("an index");
    switch (type.type) {
      case NumberType::int8:
        return cursor_.take<std::int8_t>();
      case NumberType::uint8:
        return cursor_.take<std::uint8_t>();
      case NumberType::int16:
        return cursor_.take<std::int16_t>();
      case NumberType::uint16:
        return cursor_.take<std::uint16_t>();
      case NumberType::int32:
        return cursor_.take<std::int32_t>();
      case NumberType::uint32:
        return cursor_.take<std::uint32_t>();
      case NumberType::int64:
      case NumberType::uint64:
        return cursor_.take<std::int64_t>();
      case NumberType::real32:
      case NumberType::real64:
        break;
    }
    cursor_.fail(format("numbers of the type '{}' are no indices", type.word));
  }

  void add_index(const TypeWord& type) {
    const std::int64_t v = next_integer(type);
    if (v < 0 || v >= static_cast<std::int64_t>(volume_.vertices.size()))
      cursor_.fail(format("vertex {} of {} does not exist", v, volume_.vertices.size()));
    indices_.push_back(static_cast<int>(v));
  }

  void read_points() {
    if (has_points_) cursor_.fail("there are POINTS already");
    has_points_ = true;
    const std::size_t count = cursor_.count("POINTS", kMaxMeshVertices);
    const TypeWord& type = read_type();
    begin_block();
    cursor_.check_room(3 * count, type.bytes, "coordinates");
    volume_.vertices.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double x = next_real(type), y = next_real(type), z = next_real(type);
      volume_.vertices.emplace_back(x, y, z);
    }
  }

  void read_cells() {
    if (has_cells_) cursor_.fail("there are CELLS already");
    if (!has_points_) cursor_.fail("the CELLS come before the POINTS");
    has_cells_ = true;
    if (is_new_)
      read_new_cells();
    else
      read_old_cells();
  }

  // Each cell begins with the number of its vertices; indices are int.
  void read_old_cells() {
    static constexpr TypeWord kInt = {"int", NumberType::int32, 4};
    const std::size_t count = cursor_.count("CELLS", kMostCells);
    const std::size_t size = cursor_.count("the size of the CELLS", kMostIndices);
    begin_block();
    cursor_.check_room(size, kInt.bytes, "numbers of CELLS");
    indices_.reserve(size);
    offsets_.reserve(count + 1);
    offsets_.push_back(0);
    std::size_t left = size;
    for (std::size_t i = 0; i < count; ++i) {
      if (left == 0) cursor_.fail(format("the {} numbers of CELLS end at cell {} of {}", size, i, count));
      const std::int64_t corners = next_integer(kInt);
      if (corners < 0 || static_cast<std::uint64_t>(corners) > left - 1)
        cursor_.fail(format("cell {} has {} vertices, and {} numbers are left", i, corners, left - 1));
      for (std::int64_t k = 0; k < corners; ++k) add_index(kInt);
      left -= static_cast<std::size_t>(corners) + 1;
      offsets_.push_back(indices_.size());
    }
    if (left != 0) cursor_.fail(format("{} numbers are left after the last of {} CELLS", left, count));
  }

  void read_new_cells() {
    const std::size_t num_offsets = cursor_.count("OFFSETS", kMostCells);
    const std::size_t size = cursor_.count("the CONNECTIVITY", kMostIndices);
    if (lower_case(cursor_.word()) != "offsets") cursor_.fail("there are no OFFSETS of the CELLS");
    const TypeWord& of_offsets = read_type();
    begin_block();
    cursor_.check_room(num_offsets, of_offsets.bytes, "OFFSETS");
    offsets_.reserve(num_offsets);
    for (std::size_t i = 0; i < num_offsets; ++i) {
      const std::int64_t offset = next_integer(of_offsets);
      const std::int64_t before = i == 0 ? 0 : static_cast<std::int64_t>(offsets_.back());
      if (offset < before || static_cast<std::uint64_t>(offset) > size || (i == 0 && offset != 0))
        cursor_.fail(
            format("offset {} of {} is {}: they must rise from 0 to {}", i, num_offsets, offset, size));
      offsets_.push_back(static_cast<std::size_t>(offset));
    }
    if (lower_case(cursor_.word()) != "connectivity") cursor_.fail("there is no CONNECTIVITY of the CELLS");
    const TypeWord& of_indices = read_type();
    begin_block();
    cursor_.check_room(size, of_indices.bytes, "numbers of the CONNECTIVITY");
    indices_.reserve(size);
    for (std::size_t i = 0; i < size; ++i) add_index(of_indices);
  }

  void read_types() {
    static constexpr TypeWord kInt = {"int", NumberType::int32, 4};
    if (has_types_) cursor_.fail("there are CELL_TYPES already");
    has_types_ = true;
    const std::size_t count = cursor_.count("CELL_TYPES", kMostCells);
    begin_block();
    cursor_.check_room(count, kInt.bytes, "CELL_TYPES");
    types_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const int type = static_cast<int>(next_integer(kInt));
      if (type != kTetra && !is_flat_cell(type))
        cursor_.fail(format("cell {} is a {} (type {}): only tetrahedra (type 10) are read", i,
                            name_of_cell(type), type));
      types_.push_back(type);
    }
  }

  // FIELD name arrays, each with its name, components, tuples and type.
  void skip_fields() {
    cursor_.word();
    const std::size_t arrays = cursor_.count("arrays of a FIELD", kMostIndices);
    for (std::size_t i = 0; i < arrays; ++i) {
      if (cursor_.word().empty()) cursor_.fail("the file ends inside a FIELD");
      const std::size_t components = cursor_.count("components", kMostCells);
      const std::size_t tuples = cursor_.count("tuples", kMostCells);
      const TypeWord& type = read_type();
      begin_block();
      const std::size_t numbers = components * tuples;
      cursor_.check_room(numbers, type.bytes, "numbers of a FIELD");
      if (cursor_.is_binary()) {
        cursor_.skip(numbers * type.bytes);
      } else {
        for (std::size_t k = 0; k < numbers; ++k) cursor_.number("a number of a FIELD");
      }
      if (lower_case(cursor_.peek()) == "metadata") {
        cursor_.word();
        skip_metadata();
      }
    }
  }

  // Up to an empty line.
  void skip_metadata() {
    cursor_.line();
    while (!cursor_.at_end() && !cursor_.line().empty()) {
    }
  }

  // The tetrahedra of all cells.
  void collect() {
    const std::size_t cells = offsets_.empty() ? 0 : offsets_.size() - 1;
    if (types_.size() != cells) cursor_.fail(format("{} CELLS have {} CELL_TYPES", cells, types_.size()));
    for (std::size_t i = 0; i < cells; ++i) {
      if (types_[i] != kTetra) {
        ++report_->ignored_cells;
        continue;
      }
      const std::size_t corners = offsets_[i + 1] - offsets_[i];
      if (corners != 4) cursor_.fail(format("cell {} is a tetrahedron with {} vertices", i, corners));
      if (volume_.tets.size() == kMaxTets) cursor_.fail(format("more than {} tetrahedra", kMaxTets));
      const int* v = indices_.data() + offsets_[i];
      volume_.tets.push_back({v[0], v[1], v[2], v[3]});
    }
    if (volume_.tets.empty()) cursor_.fail(format("there are no tetrahedra among its {} cells", cells));
  }

  static constexpr std::size_t kMostCells = 4 * kMaxTets, kMostIndices = 20 * kMaxTets;

  BlockCursor cursor_;
  MeshReport* report_;
  bool is_new_ = false, has_points_ = false, has_cells_ = false, has_types_ = false;
  TetVolume volume_;
  std::vector<std::size_t> offsets_;
  std::vector<int> indices_;
  std::vector<int> types_;
};

}  // namespace

TetVolume parse_vtk(std::string_view bytes, std::string_view file_name, MeshReport* report) {
  return VtkReader(bytes, file_name, report).read();
}

}  // namespace stiction
