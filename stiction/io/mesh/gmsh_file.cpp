#include "stiction/io/mesh/gmsh_file.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mesh/block_cursor.h"

namespace stiction {
namespace {

struct ElementKind {
  int type, nodes;
  const char* name;
  bool is_solid;
};
// Gmsh's element types up to second order and the tetrahedra beyond.
constexpr ElementKind kKinds[] = {
    {1, 2, "line", false},
    {2, 3, "triangle", false},
    {3, 4, "quadrangle", false},
    {4, 4, "tetrahedron", true},
    {5, 8, "hexahedron", true},
    {6, 6, "prism", true},
    {7, 5, "pyramid", true},
    {8, 3, "line of second order", false},
    {9, 6, "triangle of second order", false},
    {10, 9, "quadrangle of second order", false},
    {11, 10, "tetrahedron of second order", true},
    {12, 27, "hexahedron of second order", true},
    {13, 18, "prism of second order", true},
    {14, 14, "pyramid of second order", true},
    {15, 1, "point", false},
    {16, 8, "quadrangle of second order", false},
    {17, 20, "hexahedron of second order", true},
    {18, 15, "prism of second order", true},
    {19, 13, "pyramid of second order", true},
    {29, 20, "tetrahedron of third order", true},
};
constexpr int kTetrahedron = 4;

class GmshReader {
 public:
  GmshReader(std::string_view bytes, std::string_view file_name, MeshReport* report)
      : cursor_(bytes, file_name), report_(report) {}

  TetVolume read() {
    while (read_section()) {
    }
    if (version_ == 0) cursor_.fail("there is no $MeshFormat");
    if (!has_nodes_) cursor_.fail("there are no $Nodes");
    if (volume_.tets.empty()) cursor_.fail("there are no tetrahedra among the $Elements");
    return std::move(volume_);
  }

 private:
  bool read_section() {
    const std::string_view keyword = cursor_.word();
    if (keyword.empty()) return false;
    if (keyword.front() != '$')
      cursor_.fail(format("'{}' stands where a section should begin", keyword.substr(0, 40)));
    const std::string name(keyword.substr(1, 60));
    if (name == "MeshFormat") {
      read_format();
    } else if (version_ == 0 && name != "Comments") {
      cursor_.fail(format("${} comes before $MeshFormat", name));
    } else if (name == "Nodes") {
      if (std::exchange(has_nodes_, true)) cursor_.fail("there are $Nodes already");
      version_ == 2 ? read_nodes_2() : read_nodes_4();
      std::sort(places_.begin(), places_.end());
      const auto twice = std::adjacent_find(places_.begin(), places_.end(),
                                            [](const auto& a, const auto& b) { return a.first == b.first; });
      if (twice != places_.end()) cursor_.fail(format("there are two nodes {}", twice->first));
    } else if (name == "ParametricNodes") {
      cursor_.fail("$ParametricNodes are not read: save the file without them, or as version 4.1");
    } else if (name == "Elements") {
      if (!has_nodes_) cursor_.fail("the $Elements come before the $Nodes");
      version_ == 2 ? read_elements_2() : read_elements_4();
    }
    if (!cursor_.skip_past("$End" + name)) cursor_.fail(format("there is no $End{}", name));
    return true;
  }

  void read_format() {
    if (version_ != 0) cursor_.fail("there is a $MeshFormat already");
    const double version = cursor_.number("the version");
    if (version >= 2.0 && version < 2.25)
      version_ = 2;
    else if (version > 4.05 && version < 4.15)
      version_ = 4;
    else
      cursor_.fail(format("version {} of Gmsh's files is not read: 2.0 to 2.2 and 4.1 are", version));
    const std::size_t form = cursor_.count("the type of the file", 1),
                      size = cursor_.count("the size of numbers", 16);
    if (form == 0) return;
    if (size != 8) cursor_.fail(format("numbers of {} bytes are not read: 8 are", size));
    cursor_.line();
    cursor_.set_binary(std::endian::native);
    // A one, as it lies in the memory of the writer.
    const auto one = cursor_.take<std::int32_t>();
    constexpr std::int32_t kOne = 1, kSwapped = 1 << 24;
    if (one != kOne && one != kSwapped) cursor_.fail("the number that shows the order of bytes is no 1");
    if (one == kSwapped)
      cursor_.set_binary(std::endian::native == std::endian::little ? std::endian::big : std::endian::little);
  }

  // A count in a text line, also of binary files, or in a block as eight bytes.
  std::size_t size(const char* what, std::size_t most) {
    if (!cursor_.is_binary()) return cursor_.count(what, most);
    const auto value = cursor_.take<std::uint64_t>();
    if (value > most) cursor_.fail(format("{} {}, which must be 0 to {}", what, value, most));
    return static_cast<std::size_t>(value);
  }
  std::int64_t small(const char* what) {
    return cursor_.is_binary() ? cursor_.take<std::int32_t>() : cursor_.integer(what);
  }
  std::uint64_t tag(const char* what) {
    if (cursor_.is_binary()) return cursor_.take<std::uint64_t>();
    const std::int64_t value = cursor_.integer(what);
    if (value < 0) cursor_.fail(format("{} {} is negative", what, value));
    return static_cast<std::uint64_t>(value);
  }
  double real(const char* what) {
    return cursor_.is_binary() ? cursor_.take<double>() : cursor_.number(what);
  }

  void begin_block() {
    if (cursor_.is_binary()) cursor_.line();
  }

  void add_node(std::uint64_t node_tag) {
    if (volume_.vertices.size() == kMaxMeshVertices)
      cursor_.fail(format("more than {} nodes", kMaxMeshVertices));
    places_.emplace_back(node_tag, static_cast<int>(volume_.vertices.size()));
    const double x = real("x"), y = real("y"), z = real("z");
    volume_.vertices.emplace_back(x, y, z);
  }

  void read_nodes_2() {
    const std::size_t count = cursor_.count("nodes", kMaxMeshVertices);
    begin_block();
    cursor_.check_room(4 * count, 7, "numbers of nodes");  // 28 bytes for four
    volume_.vertices.reserve(count);
    places_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) add_node(static_cast<std::uint64_t>(small("the tag of a node")));
  }

  void read_nodes_4() {
    begin_block();
    const std::size_t blocks = size("blocks of nodes", kMostBlocks);
    size("nodes", kMaxMeshVertices);
    size("least tag", kAnyTag);
    size("largest tag", kAnyTag);
    std::vector<std::uint64_t> tags;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = small("the dimension of an entity");
      small("the tag of an entity");
      const bool is_parametric = small("whether nodes are parametric") != 0;
      const std::size_t count = size("nodes of a block", kMaxMeshVertices);
      if (dimension < 0 || dimension > 3) cursor_.fail(format("an entity has the dimension {}", dimension));
      cursor_.check_room(4 * count, 8, "numbers of nodes");
      tags.clear();
      for (std::size_t i = 0; i < count; ++i) tags.push_back(tag("the tag of a node"));
      for (const std::uint64_t node_tag : tags) {
        add_node(node_tag);
        for (std::int64_t k = 0; is_parametric && k < dimension; ++k) real("a parameter");
      }
    }
  }

  const ElementKind& kind_of(std::int64_t type) {
    for (const ElementKind& kind : kKinds) {
      if (kind.type != type) continue;
      if (kind.is_solid && kind.type != kTetrahedron)
        cursor_.fail(
            format("an element is a {} (type {}): only tetrahedra (type 4) are read", kind.name, type));
      return kind;
    }
    cursor_.fail(format("elements of type {} are not known", type));
  }

  template <class NextTag>
  void add_element(const ElementKind& kind, const NextTag& next_tag) {
    if (kind.type != kTetrahedron) {
      ++report_->ignored_cells;
      for (int k = 0; k < kind.nodes; ++k) next_tag();
      return;
    }
    if (volume_.tets.size() == kMaxTets) cursor_.fail(format("more than {} tetrahedra", kMaxTets));
    Tet tet;
    for (int& corner : tet) {
      const std::uint64_t node = next_tag();
      const auto found = std::lower_bound(places_.begin(), places_.end(), std::pair(node, 0));
      if (found == places_.end() || found->first != node) cursor_.fail(format("there is no node {}", node));
      corner = found->second;
    }
    volume_.tets.push_back(tet);
  }

  void read_elements_2() {
    const std::size_t count = cursor_.count("elements", kMostElements);
    begin_block();
    cursor_.check_room(3 * count, 4, "numbers of elements");
    const auto next_tag = [this] { return static_cast<std::uint64_t>(small("a node of an element")); };
    const auto skip_tags = [this](std::int64_t tags) {
      if (tags < 0) cursor_.fail(format("an element has {} tags", tags));
      for (std::int64_t k = 0; k < tags; ++k) small("a tag of an element");
    };
    for (std::size_t i = 0; i < count;) {
      if (!cursor_.is_binary()) {
        small("the number of an element");
        const ElementKind& kind = kind_of(small("the type of an element"));
        skip_tags(small("the number of tags"));
        add_element(kind, next_tag);
        ++i;
        continue;
      }
      // Blocks of elements of one type.
      const ElementKind& kind = kind_of(small("type"));
      const std::int64_t in_block = small("elements"), tags = small("tags");
      if (in_block < 1 || static_cast<std::uint64_t>(in_block) > count - i)
        cursor_.fail(format("a block has {} elements of the {} that are left", in_block, count - i));
      for (std::int64_t k = 0; k < in_block; ++k, ++i) {
        small("number");
        skip_tags(tags);
        add_element(kind, next_tag);
      }
    }
  }

  void read_elements_4() {
    begin_block();
    const std::size_t blocks = size("blocks of elements", kMostBlocks);
    size("elements", kMostElements);
    size("least tag", kAnyTag);
    size("largest tag", kAnyTag);
    const auto next_tag = [this] { return tag("a node of an element"); };
    for (std::size_t b = 0; b < blocks; ++b) {
      small("the dimension of an entity");
      small("the tag of an entity");
      const ElementKind& kind = kind_of(small("the type of elements"));
      const std::size_t count = size("elements of a block", kMostElements);
      cursor_.check_room(2 * count, 8, "numbers of elements");
      for (std::size_t i = 0; i < count; ++i) {
        tag("the tag of an element");
        add_element(kind, next_tag);
      }
    }
  }

  static constexpr std::size_t kMostElements = 4 * kMaxTets, kMostBlocks = std::size_t{1} << 20;
  static constexpr std::size_t kAnyTag = ~std::size_t{0};

  BlockCursor cursor_;
  MeshReport* report_;
  int version_ = 0;  // 2 or 4
  bool has_nodes_ = false;
  TetVolume volume_;
  std::vector<std::pair<std::uint64_t, int>> places_;  // of nodes by tag
};

}  // namespace

bool is_gmsh(std::string_view bytes) {
  return bytes.size() >= 4 && bytes[0] == '$' &&
         std::all_of(bytes.begin() + 1, bytes.begin() + 4,
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

TetVolume parse_gmsh(std::string_view bytes, std::string_view file_name, MeshReport* report) {
  return GmshReader(bytes, file_name, report).read();
}

}  // namespace stiction
