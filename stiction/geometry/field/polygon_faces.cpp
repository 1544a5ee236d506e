#include <algorithm>
#include <cmath>

#include "stiction/geometry/field/pressure_query.h"

namespace stiction {
namespace {

// Cosine of 112.5 degrees, at which a side that looks away has faded out.
constexpr double kFadedOut = -0.3826834323650898;

// Polygons whose area is less than this share of the square of the query's radius are round-off.
constexpr double kSliver = 1e-13;

// Keeps where `least` is not larger than any other piece; of tied ones where it has the face, with the plane's normal
// into the shape of the pieces.
bool cut_to_cell(const FieldPieces& pieces, std::size_t least, const PlaneFrame& frame, const PlaneTie& tie,
                 PlanePolygon* polygon) {
  const auto gradient = [&](std::size_t i) { return -pieces[i].slope.dot(frame.normal); };
  const OnPlane own = restricted(pieces[least], frame);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i == least) continue;
    const OnPlane other = restricted(pieces[i], frame);
    const double c = own.c - other.c, cu = own.cu - other.cu, cv = own.cv - other.cv;
    if (tie.holds(c, cu, cv)) {
      if (tie.yields(gradient(least), least, gradient(i), i)) return false;
    } else if (!polygon->cut(c, cu, cv)) {
      return false;
    }
  }
  return true;
}

// Cuts first by the pieces that are least in the middle of the polygon: most pairs of pieces have no face, and
// nothing is left after a cut or two.
bool cut_in_the_middle(const PieceRows& A, std::size_t i, const PieceRows& B, std::size_t j,
                       PlanePolygon* polygon) {
  constexpr int kRounds = 3;
  const int first_B = static_cast<int>(A.size());
  for (int round = 0; round < kRounds; ++round) {
    double u = 0.0, v = 0.0;
    const double share = 1.0 / static_cast<double>(polygon->size());
    for (std::size_t k = 0; k < polygon->size(); ++k) {
      u += share * polygon->u(k);
      v += share * polygon->v(k);
    }
    const std::size_t a = A.least_at(u, v), b = B.least_at(u, v);
    if (a == i && b == j) return true;
    if (a != i && !A.cut_by(i, a, 0, polygon)) return false;
    if (b != j && !B.cut_by(j, b, first_B, polygon)) return false;
  }
  return true;
}

// How far the overlap reaches from x along d inside one shape: to the first of its planes.
double distance_inside(const FieldPieces& pieces, const Vec3& x, const Vec3& d, double most) {
  double t = most;
  for (const FieldPiece& piece : pieces) {
    const double fall = piece.slope.dot(d);
    if (fall * most > 0.0) t = std::min(t, std::max(0.0, (piece.value - piece.slope.dot(x)) / fall));
  }
  return t;
}

// Weight of a side whose gradient makes this cosine with the normal.
double share_of_side(double gradient, const Vec3& slope) {
  const double cosine = gradient / slope.norm();
  return cosine >= 0.0 ? 1.0 : std::max(0.0, 1.0 - cosine / kFadedOut);
}

struct Sheet {
  Vec3 normal;              // from A into B
  double g_A = 0, g_B = 0;  // Pa/m; infinite sides: 0 and is_rigid
  double gradient = 0.0, share = 1.0;
};

Sheet sheet_of(const FieldPiece* f, const FieldPiece* g, const Vec3& normal) {
  Sheet sheet{normal};
  sheet.share = 1.0;
  if (f) {
    sheet.g_A = f->slope.dot(normal);
    sheet.share = std::min(sheet.share, share_of_side(sheet.g_A, f->slope));
  }
  if (g) {
    sheet.g_B = -g->slope.dot(normal);
    sheet.share = std::min(sheet.share, share_of_side(sheet.g_B, g->slope));
  }
  const double a = std::max(0.0, sheet.g_A), b = std::max(0.0, sheet.g_B);
  if (f && g)
    sheet.gradient = a + b > 0.0 ? a * b / (a + b) : 0.0;
  else
    sheet.gradient = a + b;
  return sheet;
}

// Adds the polygon as a face, or as two if it crosses p = 0.
class FaceWriter {
 public:
  FaceWriter(const PressureQuery& query, const PlaneFrame& frame, const FieldPiece& pressure,
             const Sheet& sheet, int piece_A, int piece_B, const FieldPieces& pieces_A,
             const FieldPieces& pieces_B, PressurePatch* patch)
      : query_(query),
        frame_(frame),
        sheet_(sheet),
        p_(restricted(pressure, frame)),
        // Along the plane alone: of what lies across it a steep field would make pressure out of round-off.
        slope_(p_.cu * frame.t1 + p_.cv * frame.t2),
        piece_A_(piece_A),
        piece_B_(piece_B),
        pieces_A_(pieces_A),
        pieces_B_(pieces_B),
        patch_(patch) {}

  void write(PlanePolygon* polygon, PlanePolygon* lower) {
    double least = 1e300, most = -1e300;
    for (std::size_t i = 0; i < polygon->size(); ++i) {
      const double p = p_.c + p_.cu * polygon->u(i) + p_.cv * polygon->v(i);
      least = std::min(least, p);
      most = std::max(most, p);
    }
    if (query_.is_speculative) {
      if (least < 0.0 && (most <= 0.0 || polygon->cut(p_.c, p_.cu, p_.cv))) add(*polygon);
      return;
    }
    if (query_.least_pressure < 0.0 && least < 0.0 && most > 0.0) {
      *lower = *polygon;
      if (lower->cut(p_.c, p_.cu, p_.cv)) add(*lower);
      if (!polygon->cut(-p_.c, -p_.cu, -p_.cv)) return;
    }
    add(*polygon);
  }

 private:
  void add(const PlanePolygon& polygon) {
    const PolygonMoments m = polygon.moments();
    if (!(m.area > kSliver * query_.radius * query_.radius)) return;
    const double share = query_.fades ? sheet_.share : 1.0;
    const double pressure = p_.c + p_.cu * m.u + p_.cv * m.v;
    patch_->fades = patch_->fades || share < 1.0;
    if (!(share > 0.0) || (pressure <= 0.0 && !(sheet_.gradient > 0.0))) return;
    const Vec3 x = frame_.at(m.u, m.v);
    PressureFace face;
    face.centroid = query_.origin + x;
    face.normal = sheet_.normal;
    // A side that fades out has less of its area.
    face.share = share;
    face.area = share * m.area;
    face.pressure = pressure;
    face.gradient = sheet_.gradient;
    face.pressure_slope = slope_;
    face.trace = share * m.trace;
    face.piece_A = piece_A_;
    face.piece_B = piece_B_;
    face.reach = distance_inside(pieces_A_, x, sheet_.normal, 2.0 * query_.radius) +
                 distance_inside(pieces_B_, x, -sheet_.normal, 2.0 * query_.radius);
    face.begin = static_cast<int>(patch_->corners.size());
    // The plane's frame may look either way; corners run counter-clockwise seen against n.
    const bool is_turned = frame_.normal.dot(sheet_.normal) < 0.0;
    const std::size_t n = polygon.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t k = is_turned ? n - 1 - i : i;
      patch_->corners.push_back(query_.origin + frame_.at(polygon.u(k), polygon.v(k)));
    }
    face.end = static_cast<int>(patch_->corners.size());
    patch_->faces.push_back(face);
  }

  const PressureQuery& query_;
  const PlaneFrame& frame_;
  const Sheet& sheet_;
  OnPlane p_;
  Vec3 slope_;
  int piece_A_, piece_B_;
  const FieldPieces &pieces_A_, &pieces_B_;
  PressurePatch* patch_;
};

// Pieces that matter farther away have been left out.
bool cut_to_square(double L, PlanePolygon* polygon) {
  return polygon->cut(-L, 1.0, 0.0) && polygon->cut(-L, -1.0, 0.0) && polygon->cut(-L, 0.0, 1.0) &&
         polygon->cut(-L, 0.0, -1.0);
}

bool starts(const PressureQuery& query, const PlaneFrame& frame, PlanePolygon* polygon) {
  if (frame.origin.squaredNorm() > query.radius * query.radius) return false;
  polygon->set_square(query.radius);
  return true;
}

}  // namespace

namespace {

// The plane where both pressures are equal, or the face of the rigid one, with n from A into B: m . x = offset.
struct EqualPlane {
  Vec3 m;
  double offset = 0.0, length = 0.0;
  // Whether it may have a part in the ball of the query: otherwise it is nowhere, or everywhere, or far away.
  bool is_near(const PressureQuery& query, const FieldPiece& f, const FieldPiece& g) const {
    return length > 1e-12 * (f.slope.norm() + g.slope.norm()) && std::abs(offset) <= query.radius * length;
  }
};

EqualPlane equal_plane(const PressureQuery& query, const FieldPiece& f, const FieldPiece& g) {
  EqualPlane plane;
  if (query.A.is_rigid) {
    plane.m = f.slope;
    plane.offset = f.value;
  } else if (query.B.is_rigid) {
    plane.m = -g.slope;
    plane.offset = -g.value;
  } else {
    plane.m = f.slope - g.slope;
    plane.offset = f.value - g.value;
  }
  plane.length = plane.m.norm();
  return plane;
}

// Adds the face of one pair of pieces. False if there is none; otherwise on_edges(polygon, frame, pressure) has seen it
// before it was divided at p = 0.
template <class OnEdges>
bool add_face(const PressureQuery& query, const FieldPieces& pieces_A, std::size_t i,
              const FieldPieces& pieces_B, std::size_t j, Buffers* buffers, PressurePatch* patch,
              const OnEdges& on_edges) {
  const FieldPiece &f = pieces_A[i], &g = pieces_B[j];
  const EqualPlane plane = equal_plane(query, f, g);
  if (!plane.is_near(query, f, g)) return false;
  const PlaneFrame frame = plane_frame(plane.m / plane.length, plane.offset / plane.length);
  PlanePolygon& polygon = buffers->polygon;
  polygon.set_square(query.radius);
  const FieldPiece& pressure = query.A.is_rigid ? g : f;
  const OnPlane p = restricted(pressure, frame);
  if (!polygon.cut(query.least_pressure - p.c, -p.cu, -p.cv)) return false;
  PieceRows &A = buffers->rows_A, &B = buffers->rows_B;
  A.restrict_to(frame, query.radius, 1.0);
  B.restrict_to(frame, query.radius, -1.0);
  if (!cut_in_the_middle(A, i, B, j, &polygon)) return false;
  if (!A.cut_to_cell(i, 0, &polygon) || !B.cut_to_cell(j, static_cast<int>(A.size()), &polygon)) return false;
  on_edges(polygon, p);
  const Sheet sheet =
      sheet_of(query.A.is_rigid ? nullptr : &f, query.B.is_rigid ? nullptr : &g, frame.normal);
  FaceWriter(query, frame, pressure, sheet, f.id, g.id, pieces_A, pieces_B, patch)
      .write(&polygon, &buffers->lower);
  return true;
}

std::size_t least_at(const FieldPieces& pieces, const Vec3& x) {
  std::size_t least = 0;
  double value = 1e300;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double at = pieces[i].value - pieces[i].slope.dot(x);
    if (at < value) {
      value = at;
      least = i;
    }
  }
  return least;
}

// A pair of pieces with a face near x: on the plane of the two that are least there. False if none is found.
bool find_first_face(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
                     const Vec3& near, std::size_t* i, std::size_t* j) {
  constexpr int kRounds = 16;
  Vec3 x = near;
  *i = least_at(pieces_A, x);
  *j = least_at(pieces_B, x);
  for (int round = 0; round < kRounds; ++round) {
    const EqualPlane plane = equal_plane(query, pieces_A[*i], pieces_B[*j]);
    if (!plane.is_near(query, pieces_A[*i], pieces_B[*j])) return false;
    x += (plane.offset - plane.m.dot(x)) / (plane.length * plane.length) * plane.m;
    const std::size_t a = least_at(pieces_A, x), b = least_at(pieces_B, x);
    if (a == *i && b == *j) return true;
    *i = a;
    *j = b;
  }
  return false;
}

// The sheet is one connected piece if the pressure of A does not grow along n and that of B does not fall: it is then
// a graph over the plane normal to n, above the places where the concave function max over n of min(pA, pB) is not
// below the least pressure, which are convex.
bool is_graph_along(const FieldPieces& pieces_A, const FieldPieces& pieces_B, const Vec3& n) {
  constexpr double kRoundOff = 1e-12;
  const auto looks_along = [](const FieldPieces& pieces, const Vec3& d) {
    return std::all_of(pieces.begin(), pieces.end(), [&](const FieldPiece& piece) {
      return piece.slope.dot(d) >= -kRoundOff * piece.slope.norm();
    });
  };
  return looks_along(pieces_A, n) && looks_along(pieces_B, -n);
}

// Notes which pairs of pieces may lie beyond the edges of the face (i, j): all that meet in the middle of an edge, of A
// as well as of B, since edges of both may coincide.
class EdgeNotes {
 public:
  EdgeNotes(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
            const PieceRows& A, const PieceRows& B, FaceWalk* walk)
      : query_(query), pieces_A_(pieces_A), pieces_B_(pieces_B), A_(A), B_(B), walk_(walk) {}

  void note(int i, int j, const PlanePolygon& polygon, const OnPlane& pressure) const {
    const double scale = kMeets * query_.radius;
    const double meets_A = scale * pieces_A_[static_cast<std::size_t>(i)].slope.norm(),
                 meets_B = scale * pieces_B_[static_cast<std::size_t>(j)].slope.norm();
    const double at_end = scale * std::hypot(pressure.cu, pressure.cv);
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const std::size_t next = k + 1 == polygon.size() ? 0 : k + 1;
      const double du = polygon.u(next) - polygon.u(k), dv = polygon.v(next) - polygon.v(k);
      if (std::hypot(du, dv) <= scale) continue;
      const double u = polygon.u(k) + 0.5 * du, v = polygon.v(k) + 0.5 * dv;
      const bool is_border = polygon.cut_of_edge(k) == PlanePolygon::kNoCut ||
                             pressure.c + pressure.cu * u + pressure.cv * v <= query_.least_pressure + at_end;
      A_.find_least(static_cast<std::size_t>(i), u, v, meets_A, &walk_->near_A);
      B_.find_least(static_cast<std::size_t>(j), u, v, meets_B, &walk_->near_B);
      const int begin = static_cast<int>(walk_->beyond.size());
      for (const int a : walk_->near_A)
        for (const int b : walk_->near_B)
          if (a != i || b != j) visit(a, b);
      // At the border of the sheet nothing needs to be beyond.
      if (!is_border) walk_->edges.emplace_back(begin, static_cast<int>(walk_->beyond.size()));
    }
  }
  void visit(int a, int b) const {
    const int pair = a * static_cast<int>(pieces_B_.size()) + b;
    walk_->beyond.push_back(pair);
    char& flag = walk_->seen[static_cast<std::size_t>(pair)];
    if (flag == kUnseen) walk_->open.emplace_back(a, b);
    if (flag == kUnseen) flag = kSeen;
  }

  enum : char { kUnseen = 0, kSeen, kFace };

 private:
  static constexpr double kMeets = 1e-9;  // of the query's radius

  const PressureQuery& query_;
  const FieldPieces &pieces_A_, &pieces_B_;
  const PieceRows &A_, &B_;
  FaceWalk* walk_;
};

}  // namespace

void add_polygon_faces(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
                       Buffers* buffers, PressurePatch* patch) {
  buffers->rows_A.assign(pieces_A);
  buffers->rows_B.assign(pieces_B);
  for (std::size_t i = 0; i < pieces_A.size(); ++i) {
    for (std::size_t j = 0; j < pieces_B.size(); ++j) {
      add_face(query, pieces_A, i, pieces_B, j, buffers, patch, [](const PlanePolygon&, const OnPlane&) {});
    }
  }
}

bool add_faces_around(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
                      const Vec3& near, const Vec3& n, Buffers* buffers, PressurePatch* patch) {
  if (buffers->walk.tries_every_pair || pieces_A.empty() || pieces_B.empty()) return false;
  std::size_t i, j;
  if (!is_graph_along(pieces_A, pieces_B, n) || !find_first_face(query, pieces_A, pieces_B, near, &i, &j))
    return false;
  buffers->rows_A.assign(pieces_A);
  buffers->rows_B.assign(pieces_B);
  FaceWalk& walk = buffers->walk;
  walk.seen.assign(pieces_A.size() * pieces_B.size(), EdgeNotes::kUnseen);
  walk.open.clear();
  walk.beyond.clear();
  walk.edges.clear();
  const EdgeNotes notes(query, pieces_A, pieces_B, buffers->rows_A, buffers->rows_B, &walk);
  const std::size_t faces = patch->faces.size(), corners = patch->corners.size();
  const bool fades = patch->fades;
  notes.visit(static_cast<int>(i), static_cast<int>(j));
  for (std::size_t next = 0; next < walk.open.size(); ++next) {
    const int a = walk.open[next].first, b = walk.open[next].second;
    const bool is_face =
        add_face(query, pieces_A, static_cast<std::size_t>(a), pieces_B, static_cast<std::size_t>(b), buffers,
                 patch, [&](const PlanePolygon& polygon, const OnPlane& p) { notes.note(a, b, polygon, p); });
    if (is_face)
      walk.seen[static_cast<std::size_t>(a) * pieces_B.size() + static_cast<std::size_t>(b)] =
          EdgeNotes::kFace;
  }
  // Complete if there is a face beyond every edge that is not at the border. Where nothing has been added the first face
  // may be a point in which all pieces meet.
  const bool is_closed = std::all_of(walk.edges.begin(), walk.edges.end(), [&](const auto& edge) {
    return std::any_of(walk.beyond.begin() + edge.first, walk.beyond.begin() + edge.second, [&](int pair) {
      return walk.seen[static_cast<std::size_t>(pair)] == EdgeNotes::kFace;
    });
  });
  if (is_closed && patch->faces.size() > faces) return true;
  patch->faces.resize(faces);
  patch->corners.resize(corners);
  patch->fades = fades;
  return false;
}

void add_triangle_faces(const PressureQuery& query, const Vec3 (&corners)[3], int id, bool rigid_is_A,
                        const FieldPieces& pieces, Buffers* buffers, PressurePatch* patch) {
  const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double twice_area = across.norm();
  if (!(twice_area > 0.0)) return;
  const Vec3 outward = across / twice_area;
  const PlaneFrame frame = plane_frame(outward, outward.dot(corners[0]));
  if (std::abs(outward.dot(corners[0])) > query.radius) return;
  double u[3], v[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = frame.t1.dot(corners[i]);
    v[i] = frame.t2.dot(corners[i]);
  }
  buffers->cuts.assign(1, {outward, outward.dot(corners[0]), id});
  double steepest = 0.0;
  for (const FieldPiece& piece : pieces) steepest = std::max(steepest, piece.slope.norm());
  const PlaneTie tie(steepest, query.radius);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    PlanePolygon& polygon = buffers->polygon;
    polygon.set_triangle(u, v);
    if (!cut_to_square(query.radius, &polygon)) return;
    const OnPlane p = restricted(pieces[i], frame);
    if (!polygon.cut(query.least_pressure - p.c, -p.cu, -p.cv)) continue;
    if (!cut_to_cell(pieces, i, frame, tie, &polygon)) continue;
    const Vec3 normal = rigid_is_A ? outward : Vec3(-outward);
    const Sheet sheet =
        sheet_of(rigid_is_A ? nullptr : &pieces[i], rigid_is_A ? &pieces[i] : nullptr, normal);
    const FieldPieces& of_A = rigid_is_A ? buffers->cuts : pieces;
    const FieldPieces& of_B = rigid_is_A ? pieces : buffers->cuts;
    FaceWriter(query, frame, pieces[i], sheet, rigid_is_A ? id : pieces[i].id, rigid_is_A ? pieces[i].id : id,
               of_A, of_B, patch)
        .write(&polygon, &buffers->lower);
  }
}

void add_element_faces(const PressureQuery& query, const FieldPiece& f, const FieldPiece& g,
                       const FieldPieces& cuts, const Vec3* corners, Buffers* buffers, PressurePatch* patch) {
  const FieldPiece m = query.A.is_rigid   ? f
                       : query.B.is_rigid ? FieldPiece{-g.slope, -g.value, 0}
                                          : difference(f, g);
  const double length = m.slope.norm();
  if (!(length > 1e-12 * (f.slope.norm() + g.slope.norm()))) return;
  const PlaneFrame frame = plane_frame(m.slope / length, m.value / length);
  PlanePolygon& polygon = buffers->polygon;
  if (corners) {
    double u[3], v[3];
    for (int i = 0; i < 3; ++i) {
      u[i] = frame.t1.dot(corners[i]);
      v[i] = frame.t2.dot(corners[i]);
    }
    if ((u[1] - u[0]) * (v[2] - v[0]) < (u[2] - u[0]) * (v[1] - v[0])) {
      std::swap(u[1], u[2]);
      std::swap(v[1], v[2]);
    }
    polygon.set_triangle(u, v);
    if (!cut_to_square(query.radius, &polygon)) return;
  } else if (!starts(query, frame, &polygon)) {
    return;
  }
  const FieldPiece& pressure = query.A.is_rigid ? g : f;
  const OnPlane p = restricted(pressure, frame);
  if (!polygon.cut(query.least_pressure - p.c, -p.cu, -p.cv)) return;
  for (const FieldPiece& cut : cuts) {
    const OnPlane c = restricted(cut, frame);
    if (!lies_in(query, c, cut) && !polygon.cut(-c.c, -c.cu, -c.cv)) return;
  }
  const Sheet sheet =
      sheet_of(query.A.is_rigid ? nullptr : &f, query.B.is_rigid ? nullptr : &g, frame.normal);
  buffers->one_A.assign(1, f);
  buffers->one_B.assign(1, g);
  FaceWriter(query, frame, pressure, sheet, f.id, g.id, buffers->one_A, buffers->one_B, patch)
      .write(&polygon, &buffers->lower);
}

}  // namespace stiction
