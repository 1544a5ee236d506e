#include "stiction/io/mesh/dae_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/io/xml/xml.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr int kMaxNodeDepth = 100;                   // of nodes that place other nodes
constexpr int kMaxNodes = 1'000'000;                 // placed, with repeated ones
constexpr std::size_t kMaxCorners = 3 * 20'000'000;  // of all triangles, with repeated geometries

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The numbers of an element's text.
template <class Number>
std::vector<Number> numbers_of(const XmlElement& element) {
  std::vector<Number> numbers;
  const std::string_view text = element.text();
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return numbers;
    Number number{};
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (next != end && !is_space(*next)))
      element.fail(format("'{}' is not a number", std::string(at, std::min<std::ptrdiff_t>(end - at, 20))));
    numbers.push_back(number);
    at = next;
  }
}

std::vector<double> numbers_of(const XmlElement& element, std::size_t count) {
  std::vector<double> numbers = numbers_of<double>(element);
  if (numbers.size() != count) element.fail(format("has {} numbers, not {}", numbers.size(), count));
  return numbers;
}

// x -> A x + b
struct Placement {
  Mat3 A = Mat3::Identity();
  Vec3 b = Vec3::Zero();

  Placement operator*(const Placement& inner) const { return {A * inner.A, A * inner.b + b}; }
};

class DaeReader {
 public:
  explicit DaeReader(const XmlElement& root) : root_(root) {
    if (root.name() != "COLLADA") root.fail("a COLLADA file has the root element <COLLADA>");
    collect_ids(root);
  }

  TriangleMesh read() {
    const Placement to_metres = asset_placement();
    const std::optional<XmlElement> scene = root_.child("scene");
    const std::optional<XmlElement> instance =
        scene ? scene->child("instance_visual_scene") : std::optional<XmlElement>();
    if (instance) {
      for (const XmlElement& node : target(*instance, "url").children("node")) add_node(node, to_metres, 0);
    } else {
      for (const XmlElement& library : root_.children("library_geometries"))
        for (const XmlElement& geometry : library.children("geometry")) add_geometry(geometry, to_metres);
    }
    return std::move(mesh_);
  }

 private:
  // Of one source, in mesh_.
  struct Vertices {
    int begin = 0, count = 0;
  };

  void collect_ids(const XmlElement& element) {
    if (element.has("id")) ids_.emplace(element.string("id"), element);
    for (const XmlElement& child : element.children()) collect_ids(child);
  }

  // The element that an attribute refers to by '#id'.
  XmlElement target(const XmlElement& element, const char* attribute) const {
    const std::string reference = element.string(attribute);
    if (reference.empty() || reference[0] != '#')
      element.fail(attribute, format("'{}' is not in this file", reference));
    const auto found = ids_.find(reference.substr(1));
    if (found == ids_.end()) element.fail(attribute, format("there is no element '{}'", reference));
    return found->second;
  }

  Placement asset_placement() const {
    Placement X;
    const std::optional<XmlElement> asset = root_.child("asset");
    if (!asset) return X;
    if (const std::optional<XmlElement> up = asset->child("up_axis")) {
      if (up->text() == "Y_UP") X.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
      if (up->text() == "X_UP") X.A << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    }
    if (const std::optional<XmlElement> unit = asset->child("unit")) {
      const double metre = unit->number("meter", 1.0);
      if (!(metre > 0.0)) unit->fail("meter", "must be positive");
      X.A *= metre;
    }
    return X;
  }

  static Placement placement_of(const XmlElement& element) {
    Placement X;
    if (element.name() == "matrix") {
      const std::vector<double> m = numbers_of(element, 16);
      X.A << m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10];
      X.b = Vec3(m[3], m[7], m[11]);
    } else if (element.name() == "translate") {
      const std::vector<double> t = numbers_of(element, 3);
      X.b = Vec3(t[0], t[1], t[2]);
    } else if (element.name() == "rotate") {
      const std::vector<double> r = numbers_of(element, 4);
      const Vec3 axis(r[0], r[1], r[2]);
      if (axis.norm() > 0.0) X.A = rotation_exp(Vec3(axis.normalized() * (r[3] * std::numbers::pi / 180.0)));
    } else if (element.name() == "scale") {
      const std::vector<double> s = numbers_of(element, 3);
      X.A = Vec3(s[0], s[1], s[2]).asDiagonal();
    } else if (element.name() == "lookat" || element.name() == "skew") {
      element.fail("such transforms are not read");
    }
    return X;
  }

  void add_node(const XmlElement& node, Placement X, int depth) {
    if (depth > kMaxNodeDepth || ++num_nodes_ > kMaxNodes) node.fail("nodes place each other without end");
    for (const XmlElement& child : node.children()) X = X * placement_of(child);
    for (const XmlElement& child : node.children()) {
      if (child.name() == "node")
        add_node(child, X, depth + 1);
      else if (child.name() == "instance_node")
        add_node(target(child, "url"), X, depth + 1);
      else if (child.name() == "instance_geometry")
        add_geometry(target(child, "url"), X);
    }
  }

  void add_geometry(const XmlElement& geometry, const Placement& X) {
    const std::optional<XmlElement> mesh = geometry.child("mesh");
    if (!mesh) return;  // a spline or the like
    std::map<std::string, Vertices> sources;
    const bool is_mirrored = X.A.determinant() < 0.0;
    for (const XmlElement& primitive : mesh->children()) {
      const std::string_view kind = primitive.name();
      if (kind != "triangles" && kind != "polylist" && kind != "polygons" && kind != "tristrips" &&
          kind != "trifans")
        continue;
      add_primitive(primitive, X, is_mirrored, &sources);
    }
  }

  void add_primitive(const XmlElement& primitive, const Placement& X, bool is_mirrored,
                     std::map<std::string, Vertices>* sources) {
    // Corners are rows of indices, one for each offset; ours is that of the positions.
    std::size_t stride = 1, offset = 0;
    std::optional<XmlElement> positions;
    for (const XmlElement& input : primitive.children("input")) {
      const int place = input.integer("offset", 0);
      if (place < 0 || place > 100) input.fail("offset", "must be 0 to 100");
      stride = std::max(stride, std::size_t(place) + 1);
      if (input.string("semantic") != "VERTEX") continue;
      offset = std::size_t(place);
      for (const XmlElement& vertex_input : target(input, "source").children("input"))
        if (vertex_input.string("semantic") == "POSITION") positions = target(vertex_input, "source");
    }
    if (!positions) return;
    const std::string source = positions->string("id");
    if (sources->count(source) == 0) sources->emplace(source, add_vertices(*positions, X));
    const Vertices vertices = sources->at(source);

    std::vector<int> polygon;
    const auto add_polygons = [&](const XmlElement& p, const std::vector<int>& sizes) {
      const std::vector<int> indices = numbers_of<int>(p);
      std::size_t at = 0;
      const std::size_t corners = indices.size() / stride;
      for (std::size_t i = 0; at < corners; ++i) {
        if (!sizes.empty() && i == sizes.size()) break;
        const std::size_t size = sizes.empty()             ? 3
                                 : sizes[i] == kAllCorners ? corners
                                                           : std::size_t(std::max(0, sizes[i]));
        if (at + size > corners) p.fail("ends in the middle of a polygon");
        polygon.clear();
        for (std::size_t k = at; k < at + size; ++k) {
          const int index = indices[k * stride + offset];
          if (index < 0 || index >= vertices.count)
            p.fail(format("{} is not one of the {} vertices", index, vertices.count));
          polygon.push_back(vertices.begin + index);
        }
        at += size;
        add_polygon(p, polygon, primitive.name() == "tristrips", is_mirrored);
      }
    };
    std::vector<int> sizes;
    if (primitive.name() == "polylist") {
      sizes = numbers_of<int>(primitive.required_child("vcount"));
      if (sizes.empty()) return;
    } else if (primitive.name() != "triangles") {
      sizes = {kAllCorners};
    }
    for (const XmlElement& p : primitive.children("p")) add_polygons(p, sizes);
  }

  void add_polygon(const XmlElement& p, const std::vector<int>& corners, bool is_strip, bool is_mirrored) {
    num_corners_ += 3 * corners.size();
    if (num_corners_ > kMaxCorners) p.fail("the mesh has too many triangles");
    for (std::size_t k = 2; k < corners.size(); ++k) {
      Triangle triangle = {corners[is_strip ? k - 2 : 0], corners[k - 1], corners[k]};
      if ((is_strip && k % 2 == 1) != is_mirrored) std::swap(triangle[1], triangle[2]);
      mesh_.triangles.push_back(triangle);
    }
  }

  Vertices add_vertices(const XmlElement& source, const Placement& X) {
    const XmlElement array = source.required_child("float_array");
    const std::vector<double> numbers = numbers_of<double>(array);
    std::size_t stride = 3, begin = 0;
    if (const std::optional<XmlElement> technique = source.child("technique_common")) {
      if (const std::optional<XmlElement> accessor = technique->child("accessor")) {
        const int given = accessor->integer("stride", 3), first = accessor->integer("offset", 0);
        if (given < 3 || first < 0) accessor->fail("places of vertices have three numbers");
        stride = std::size_t(given);
        begin = std::size_t(first);
      }
    }
    const int place = int(mesh_.vertices.size());
    for (std::size_t i = begin; i + 3 <= numbers.size(); i += stride) {
      const Vec3 vertex(numbers[i], numbers[i + 1], numbers[i + 2]);
      if (!vertex.allFinite()) array.fail("a vertex is not finite");
      mesh_.vertices.push_back(X.A * vertex + X.b);
    }
    return {place, int(mesh_.vertices.size()) - place};
  }

  static constexpr int kAllCorners = -1;  // one polygon, strip or fan has all corners of its <p>

  XmlElement root_;
  std::map<std::string, XmlElement> ids_;
  TriangleMesh mesh_;
  std::size_t num_corners_ = 0;
  int num_nodes_ = 0;
};

}  // namespace

TriangleMesh parse_dae(std::string_view text, std::string_view file_name) {
  const XmlDocument document = parse_xml(text, std::string(file_name));
  TriangleMesh mesh = DaeReader(document.root()).read();
  if (mesh.triangles.empty()) document.root().fail("the scene has no triangles");
  return mesh;
}

}  // namespace stiction
