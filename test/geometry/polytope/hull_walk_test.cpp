#include <cmath>
#include <cstdlib>
#include <map>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include "test/geometry/polytope/polytope_reference.h"

namespace stiction {
namespace {
Mat3 rotation_between(const Vec3& d) { Mat3 R; R.col(2) = d; R.col(0) = d.unitOrthogonal(); R.col(1) = d.cross(R.col(0)); return R; }
TEST(Explore, Walks) {
  Random random(23);
  std::vector<CollisionShape> shapes;
  for (int n : {0, 8, 20, 100, 500, 2000})
    for (int k = 0; k < 2; ++k)
      shapes.push_back(n == 0 ? box_shape(0.5, 0.3 + 0.1 * k, 0.1) : round_hull(n, k == 0 ? Vec3(0.5, 0.5, 0.5) : Vec3(0.5, 0.3, 0.1), n + k));
  std::map<std::string, std::array<double, 5>> worst;
  const char* only = std::getenv("WALK");
  for (int i = 0; i < 600; ++i) {
    const int ia = random.uniform_int(0, int(shapes.size()) - 1), ib = random.uniform_int(0, int(shapes.size()) - 1);
    static const CollisionShape ground = collision_shape(HalfSpace{}); const CollisionShape &A = std::getenv("PLANE") ? ground : shapes[ia], &B = shapes[ib];
    const bool plane = std::getenv("PLANE") != nullptr;
    const Mat3 R_A = random_rotation(&random), R_B = random_rotation(&random);
    const Vec3 d = random_direction(&random), axis = random_direction(&random), slide = random_direction(&random);
    const double depth = i % 2 ? 1e-4 : 2e-3;
    if (only && std::atoi(only) != i) continue;
    const Pose X_A{plane ? rotation_between(d) : R_A, Vec3::Zero()};
    // at t: rotate B about axis by t, and put along d (+ a slide) to a depth
    const auto pose = [&](double t) {
      Pose X{rotation_about<double>(axis, t) * R_B, Vec3::Zero()};
      return X;
    };
    double at = 0;
    {
      double lo = 0, hi = 2; Pose X = pose(0);
      for (int k = 0; k < 45; ++k) { const double m = 0.5 * (lo + hi); X.p = m * d; (signed_distance(A, X_A, B, X).distance > 0 ? hi : lo) = m; }
      at = hi - depth;
    }
    const auto motion = [&](double t) { Pose X = pose(0.5 * t); X.p = at * d + 0.5 * t * slide; return X; };
    const auto wrench = [&](const Pose& X) {
      ContactPoints points; CollideOptions options; options.margin = 1e-4; if (std::getenv("MOST")) options.max_points = std::atoi(std::getenv("MOST"));
      collide(A, X_A, B, X, options, nullptr, &points);
      Vec6 w = Vec6::Zero();
      for (const ContactPoint& p : points) {
        const Vec3 f = p.weight * std::max(0.0, -p.distance) * p.normal;
        w.head<3>() += (0.5 * (p.p_A + p.p_B()) - X.p).cross(f); w.tail<3>() += f;
      }
      return w;
    };
    const double size = (plane ? B.ball_radius : std::min(A.ball_radius, B.ball_radius)) * 2;
    double most_f = 0, most_m = 0, at_t = 0;
    const double step = 2e-5;
    Pose X0 = motion(0); Vec6 w0 = wrench(X0);
    for (double t = step; t < 0.01; t += step) {
      double lo = t - step, hi = t; Pose Xl = X0, Xh = motion(t); Vec6 wl = w0, wh = wrench(Xh);
      X0 = Xh; w0 = wh;
      const auto slope = [&](const Pose& X, const Vec6& w, const Pose& Y, const Vec6& v, double* m) {
        const double way = (X.p - Y.p).norm() + B.ball_radius * (X.R - Y.R).norm();
        *m = (w - v).head<3>().norm() / way / size; return (w - v).tail<3>().norm() / way; };
      double m, f = slope(Xl, wl, Xh, wh, &m);
      for (int k = 0; k < 12 && std::max(f, m) > 1.2; ++k) {
        if (f > most_f) at_t = lo;
        most_f = std::max(f, most_f); most_m = std::max(m, most_m);
        const double mid = 0.5 * (lo + hi); const Pose Xm = motion(mid); const Vec6 wm = wrench(Xm);
        double m1, m2; const double f1 = slope(Xl, wl, Xm, wm, &m1), f2 = slope(Xm, wm, Xh, wh, &m2);
        if (std::max(f1, m1) > std::max(f2, m2)) { hi = mid; Xh = Xm; wh = wm; f = f1; m = m1; } else { lo = mid; Xl = Xm; wl = wm; f = f2; m = m2; }
      }
      if (f > most_f) at_t = lo;
      most_f = std::max(f, most_f); most_m = std::max(m, most_m);
    }
    auto& w = worst[fmt::format("depth {:.0e}", depth)];
    if (most_f > 10 || most_m > 10) { w[3] += 1; fmt::print("walk {} vertices {} {} C {:.2f} {:.2f} at {:.12f}\n", i, A.polytope ? A.polytope->vertices.size() : 0, B.polytope->vertices.size(), most_f, most_m, at_t); }
    if (most_f > 3 || most_m > 3) w[4] += 1;
    w[0] = std::max(w[0], most_f); w[1] = std::max(w[1], most_m); w[2] += 1;
    if (only) {
      for (double t = at_t - 2e-8; t < at_t + 2.1e-8; t += 1e-8) {
        ContactPoints points; CollideOptions options; options.margin = 1e-4; if (std::getenv("MOST")) options.max_points = std::atoi(std::getenv("MOST")); Pose X = motion(t); 
        collide(A, X_A, B, X, options, nullptr, &points); 
        fmt::print("t {:.9f} w {:.6e} {:.6e} {:.6e}\n", t, wrench(X)[3], wrench(X)[4], wrench(X)[5]);
        for (auto& p : points) fmt::print("   {:16x} d {:.4e} w {:.5f} n {:.6f} {:.6f} {:.6f} p {:.5f} {:.5f} {:.5f}\n", p.feature, p.distance, p.weight, p.normal.x(), p.normal.y(), p.normal.z(), p.p_A.x(), p.p_A.y(), p.p_A.z());
      }
    }
  }
  for (auto& [n, w] : worst) fmt::print("{} C {:.2f} of the force {:.2f} of the moment, {} walks, {} above 10, {} above 3\n", n, w[0], w[1], w[2], w[3], w[4]);
}
}
}
