#include "stiction/io/mesh/stl_file.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mesh/binary_cursor.h"
#include "stiction/io/mesh/text_cursor.h"

namespace stiction {
namespace {

constexpr std::size_t kTitleBytes = 80, kHeaderBytes = 84, kTriangleBytes = 50;

bool is_word(std::string_view word, std::string_view lower_case) {
  return std::equal(word.begin(), word.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a - 'A' + 'a') : a) == b; });
}

bool is_text(std::string_view bytes) {
  if (bytes.size() >= kHeaderBytes) {
    BinaryCursor cursor(bytes, "");
    cursor.skip(kTitleBytes);
    const std::uint64_t count = cursor.take<std::uint32_t>();
    if (kHeaderBytes + count * kTriangleBytes == bytes.size()) return false;
  }
  const std::size_t start = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  const std::string_view beginning = bytes.substr(0, 1024);
  return is_word(bytes.substr(start, 5), "solid") && beginning.find('\0') == std::string_view::npos;
}

TriangleMesh parse_binary(std::string_view bytes, std::string_view file_name) {
  BinaryCursor cursor(bytes, file_name);
  cursor.skip(kTitleBytes);
  const std::size_t count = cursor.take<std::uint32_t>();
  if (count > cursor.left() / kTriangleBytes)
    cursor.fail(
        format("{} triangles are promised, and there is room for {}", count, cursor.left() / kTriangleBytes));
  if (count > kMaxMeshTriangles) cursor.fail(format("{} triangles, more than {}", count, kMaxMeshTriangles));

  TriangleMesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    cursor.skip(3 * sizeof(float));  // normal
    const int first = static_cast<int>(mesh.vertices.size());
    for (int corner = 0; corner < 3; ++corner) {
      const double x = cursor.take<float>(), y = cursor.take<float>(), z = cursor.take<float>();
      mesh.vertices.emplace_back(x, y, z);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
    cursor.skip(sizeof(std::uint16_t));  // attributes, which have no common meaning
  }
  return mesh;
}

// The words of a file in their order; what stands between `solid` and the first `facet` is a title.
class StlTextReader {
 public:
  StlTextReader(std::string_view text, std::string_view file_name) : cursor_(text, file_name) {}

  TriangleMesh read() {
    while (!cursor_.at_end()) {
      const std::string_view keyword = cursor_.word();
      if (is_word(keyword, "vertex")) {
        read_corner();
      } else if (is_word(keyword, "endfacet")) {
        finish_triangle();
      } else if (!keyword.empty() && !is_skipped(keyword)) {
        cursor_.fail(format("'{}' is not known", keyword.substr(0, 40)));
      }
      cursor_.next_line();
    }
    if (corners_ > 0) cursor_.fail("the file ends inside a facet");
    return std::move(mesh_);
  }

 private:
  static bool is_skipped(std::string_view keyword) {
    const auto is = [keyword](const char* word) { return is_word(keyword, word); };
    return is("solid") || is("facet") || is("outer") || is("endloop") || is("endsolid");
  }

  void read_corner() {
    if (++corners_ > 3) cursor_.fail("a facet has more than three vertices");
    const double x = cursor_.number("x"), y = cursor_.number("y"), z = cursor_.number("z");
    mesh_.vertices.emplace_back(x, y, z);
  }

  void finish_triangle() {
    if (corners_ != 3) cursor_.fail(format("a facet has {} vertices", corners_));
    if (mesh_.triangles.size() == kMaxMeshTriangles)
      cursor_.fail(format("more than {} triangles", kMaxMeshTriangles));
    const int first = static_cast<int>(mesh_.vertices.size()) - 3;
    mesh_.triangles.push_back({first, first + 1, first + 2});
    corners_ = 0;
  }

  TextCursor cursor_;
  TriangleMesh mesh_;
  int corners_ = 0;  // of the facet under way
};

}  // namespace

TriangleMesh parse_stl(std::string_view bytes, std::string_view file_name) {
  TriangleMesh mesh =
      is_text(bytes) ? StlTextReader(bytes, file_name).read() : parse_binary(bytes, file_name);
  weld_equal_vertices(&mesh);
  return mesh;
}

}  // namespace stiction
