#include "stiction/geometry/shape/hull_triangles.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>  // open_memstream

#include "stiction/base/check.h"

namespace stiction {
namespace {

// Captures text that a C library writes into a FILE.
class MessageFile {
 public:
  MessageFile() : file_(open_memstream(&text_, &size_)) { STICTION_ASSERT(file_ != nullptr); }
  ~MessageFile() {
    fclose(file_);
    std::free(text_);
  }
  MessageFile(const MessageFile&) = delete;
  MessageFile& operator=(const MessageFile&) = delete;

  FILE* file() { return file_; }
  std::string first_line() {
    fflush(file_);
    const std::string text(text_, size_);
    return text.substr(0, text.find('\n'));
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  FILE* file_;
};

// One run. Its lists are traversed directly: after the run, a call into Qhull that fails would end the
// program.
class QhullRun {
 public:
  // `coordinates` are three per point and stay until the end of the run.
  QhullRun(std::vector<double>* coordinates, std::string command) : qh_(std::make_unique<qhT>()) {
    qh_zero(qh_.get(), messages_.file());
    exit_code_ = qh_new_qhull(qh_.get(), 3, static_cast<int>(coordinates->size() / 3), coordinates->data(),
                              False, command.data(), nullptr, messages_.file());
  }
  ~QhullRun() {
    int blocks = 0, bytes = 0;
    qh_freeqhull(qh_.get(), !qh_ALL);
    qh_memfreeshort(qh_.get(), &blocks, &bytes);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  int exit_code() const { return exit_code_; }
  std::string message() { return messages_.first_line(); }

  // Empty if a facet is not a triangle.
  std::vector<Triangle> triangles() const {
    std::vector<Triangle> result;
    for (const facetT* facet = qh_->facet_list; facet != nullptr && facet->next != nullptr;
         facet = facet->next) {
      Triangle t{};
      std::size_t count = 0;
      for (vertexT** vertex = SETaddr_(facet->vertices, vertexT); *vertex != nullptr; ++vertex, ++count) {
        if (count == t.size()) return {};
        t[count] = static_cast<int>(((*vertex)->point - qh_->first_point) / 3);
      }
      if (count != t.size()) return {};
      if (facet->toporient) std::swap(t[0], t[1]);
      result.push_back(t);
    }
    return result;
  }

 private:
  MessageFile messages_;
  std::unique_ptr<qhT> qh_;
  int exit_code_ = 0;
};

// Whether every side has exactly one opposite side, and the surface has no handle.
bool is_polyhedron(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  TriangleMesh mesh{points, triangles};
  MeshReport report;
  inspect(mesh, &report);
  std::vector<bool> used(points.size(), false);
  int vertices = 0;
  for (const Triangle& t : triangles) {
    for (int v : t) {
      vertices += used[v] ? 0 : 1;
      used[v] = true;
    }
  }
  // Euler: vertices - edges + faces = 2, with three halves of an edge per triangle.
  return report.is_watertight() && report.components == 1 && 2 * vertices - int(triangles.size()) == 4;
}

}  // namespace

std::vector<Triangle> hull_triangles(const std::vector<Vec3>& points, int max_vertices) {
  STICTION_USER_CHECK(points.size() >= 4, "a convex hull of {} points; it takes 4 to span a volume",
                      points.size());
  STICTION_USER_CHECK(points.size() <= kMaxMeshVertices, "a convex hull of {} points; at most {}",
                      points.size(), kMaxMeshVertices);
  STICTION_USER_CHECK(max_vertices == 0 || max_vertices >= 4, "a convex hull with at most {} vertices",
                      max_vertices);
  for (const Vec3& p : points)
    STICTION_USER_CHECK(p.allFinite(), "a convex hull with a point ({}, {}, {})", p.x(), p.y(), p.z());

  // Qhull's round-off grows with the largest coordinate, so the points are centred and scaled to size 1.
  const Eigen::AlignedBox3d box = bounding_box(points);
  const Vec3 centre = box.center();
  const double extent = box.sizes().maxCoeff();
  STICTION_USER_CHECK(extent > 0.0 && std::isfinite(extent),
                      "a convex hull of {} points with extent {} m: they span no volume", points.size(),
                      extent);
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points)
    for (int i = 0; i < 3; ++i) coordinates.push_back((p[i] - centre[i]) / extent);

  const std::string limit = max_vertices > 0 ? format(" TA{}", max_vertices - 4) : "";
  std::string message;
  for (const char* options : {"qhull Qt", "qhull QJ"}) {
    QhullRun run(&coordinates, options + limit);
    message = run.message();
    STICTION_USER_CHECK(
        run.exit_code() != qh_ERRsingular && run.exit_code() != qh_ERRinput,
        "a convex hull of {} points that lie in one plane, or nearly: they span no volume ({})",
        points.size(), message);
    if (run.exit_code() != qh_ERRnone) continue;
    std::vector<Triangle> triangles = run.triangles();
    if (!triangles.empty() && is_polyhedron(points, triangles)) return triangles;
  }
  throw_user_error(format("a convex hull of {} points that Qhull cannot make: {}", points.size(), message));
}

}  // namespace stiction
