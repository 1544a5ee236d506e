#include "stiction/io/mesh/obj_file.h"

#include <algorithm>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mesh/text_cursor.h"

namespace stiction {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view text, std::string_view file_name, MeshReport* report)
      : cursor_(text, file_name), report_(report) {
    // A vertex takes some 30 characters, a face some 20, and both are about as long in sum.
    mesh_.vertices.reserve(text.size() / 64);
    mesh_.triangles.reserve(text.size() / 40);
  }

  TriangleMesh read() {
    while (!cursor_.at_end()) {
      read_statement(cursor_.word());
      cursor_.next_line();
    }
    check_farthest_reference();
    return std::move(mesh_);
  }

 private:
  void read_statement(std::string_view keyword) {
    if (keyword == "v") {
      read_vertex();
    } else if (keyword == "f") {
      read_face();
    } else if (!keyword.empty() && keyword.front() != '#' && keyword != "vt" && keyword != "vn") {
      ++report_->ignored_statements;
    }
  }

  // v x y z; a weight or a colour may follow.
  void read_vertex() {
    if (mesh_.vertices.size() == kMaxMeshVertices)
      cursor_.fail(format("more than {} vertices", kMaxMeshVertices));
    const double x = cursor_.number("x"), y = cursor_.number("y"), z = cursor_.number("z");
    mesh_.vertices.emplace_back(x, y, z);
  }

  // A fan around the first corner; of four corners the shorter diagonal, because they need not lie in a plane.
  void read_face() {
    int first = -1, last = -1, corners = 0;
    for (std::string_view word = cursor_.word(); !word.empty() && word.front() != '#';
         word = cursor_.word()) {
      const int corner = vertex_of(word);
      if (++corners == 1) first = corner;
      if (corners >= 3) mesh_.triangles.push_back({first, last, corner});
      last = corner;
    }
    if (corners < 3) ++report_->degenerate_triangles;
    if (corners == 4) choose_diagonal();
    if (mesh_.triangles.size() > kMaxMeshTriangles)
      cursor_.fail(format("more than {} triangles", kMaxMeshTriangles));
  }

  // Of the last two triangles, which are a fan. Vertices may follow later; then the fan stays.
  void choose_diagonal() {
    Triangle& first = mesh_.triangles[mesh_.triangles.size() - 2];
    Triangle& second = mesh_.triangles.back();
    const int a = first[0], b = first[1], c = first[2], d = second[2];
    const int count = static_cast<int>(mesh_.vertices.size());
    if (std::max({a, b, c, d}) >= count || std::min({a, b, c, d}) < 0) return;
    const auto& v = mesh_.vertices;
    if (!((v[b] - v[d]).squaredNorm() < (v[a] - v[c]).squaredNorm())) return;
    first = {a, b, d};
    second = {b, c, d};
  }

  // The vertex of a corner such as 3, 3/1, 3//2, 3/1/2 or -1/-1.
  int vertex_of(std::string_view corner) {
    int number = 0;
    if (!parse_integer(corner.substr(0, corner.find('/')), &number) || number == 0)
      cursor_.fail(format("'{}' is no corner of a face", corner.substr(0, 40)));
    const int count = static_cast<int>(mesh_.vertices.size());
    if (number < -count) cursor_.fail(format("vertex {} of {} so far does not exist", number, count));
    if (number < 0) return count + number;
    // A face may come before its vertices.
    if (number > farthest_) {
      farthest_ = number;
      farthest_line_ = cursor_.line();
    }
    return number - 1;
  }

  void check_farthest_reference() const {
    if (farthest_ > static_cast<int>(mesh_.vertices.size()))
      cursor_.fail_at(farthest_line_,
                      format("vertex {} of {} does not exist", farthest_, mesh_.vertices.size()));
  }

  TextCursor cursor_;
  MeshReport* report_;
  TriangleMesh mesh_;
  int farthest_ = 0;  // the largest number of a vertex, and where it was
  int farthest_line_ = 0;
};

}  // namespace

TriangleMesh parse_obj(std::string_view text, std::string_view file_name, MeshReport* report) {
  MeshReport own;
  return ObjReader(text, file_name, report != nullptr ? report : &own).read();
}

}  // namespace stiction
