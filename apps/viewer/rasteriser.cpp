#include "apps/viewer/rasteriser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "stiction/base/parallel.h"

namespace stiction::viewer {
namespace {

constexpr int kPerSide = 2;  // samples of a pixel along each side
constexpr int kShadowSize = 1024;
constexpr int kBandsOfAThread = 3;  // rows of a picture that a thread draws together
constexpr std::int32_t kNothing = -1;

// Of palette.ts, light.
const Vec3f kZenith = linear_colour({0.525f, 0.686f, 0.859f}),
            kHorizon = linear_colour({0.914f, 0.937f, 0.961f}),
            kBelow = linear_colour({0.875f, 0.898f, 0.925f}), kLine = linear_colour({0.573f, 0.616f, 0.671f});
const Vec3f kSkyLight(0.43f, 0.44f, 0.46f), kGroundLight(0.25f, 0.235f, 0.21f),
    kSunLight(0.60f, 0.585f, 0.55f);
const Vec3f kToSun = Vec3f(0.42f, -0.38f, 0.95f).normalized();

float smooth_step(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

unsigned char screen_value(float light) {
  static const std::vector<unsigned char> table = [] {
    std::vector<unsigned char> values(4096);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = static_cast<double>(i) / (static_cast<double>(values.size()) - 1.0);
      const double shown = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
      values[i] = static_cast<unsigned char>(std::lround(255.0 * shown));
    }
    return values;
  }();
  return table[static_cast<std::size_t>(std::clamp(light, 0.0f, 1.0f) * 4095.0f + 0.5f)];
}

// Calls write(x, y, b0, b1, b2) for the samples of a triangle, with their weights of its corners.
template <class Write>
void fill(const std::array<double, 3>& X, const std::array<double, 3>& Y, int width, int y_first, int y_last,
          const Write& write) {
  const double area = (X[1] - X[0]) * (Y[2] - Y[0]) - (X[2] - X[0]) * (Y[1] - Y[0]);
  if (!(std::abs(area) > 1e-12)) return;
  const auto [y_least, y_most] = std::minmax({Y[0], Y[1], Y[2]});
  const auto [x_least, x_most] = std::minmax({X[0], X[1], X[2]});
  if (y_most < y_first || y_least > y_last + 1 || x_most < 0.0 || x_least > width) return;
  const int y_begin = std::max(y_first, static_cast<int>(std::ceil(std::max(y_least, -1.0) - 0.5)));
  const int y_end = std::min(y_last, static_cast<int>(std::floor(std::min(y_most, y_last + 1.0) - 0.5)));
  const double from = std::max(x_least, 0.0), to = std::min(x_most, static_cast<double>(width));
  std::array<double, 3> slope, start;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    slope[i] = (Y[j] - Y[k]) / area;
  }
  for (int y = y_begin; y <= y_end; ++y) {
    const double py = y + 0.5;
    double low = std::ceil(from - 0.5), high = std::floor(to - 0.5);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      start[i] = ((X[j] - 0.5) * (Y[k] - py) - (X[k] - 0.5) * (Y[j] - py)) / area;
      if (slope[i] > 0.0)
        low = std::max(low, std::ceil(-start[i] / slope[i]));
      else if (slope[i] < 0.0)
        high = std::min(high, std::floor(-start[i] / slope[i]));
      else if (start[i] < 0.0)
        high = -1.0;
    }
    if (!(low <= high)) continue;
    const int x_end = std::min(static_cast<int>(high), width - 1);
    for (int x = std::max(static_cast<int>(low), 0); x <= x_end; ++x)
      write(x, y, start[0] + slope[0] * x, start[1] + slope[1] * x, start[2] + slope[2] * x);
  }
}

// The distances of the nearest surfaces to the sun.
class Shadows {
 public:
  explicit Shadows(const DrawnScene& scene)
      : depth_(static_cast<std::size_t>(kShadowSize) * kShadowSize, std::numeric_limits<float>::max()) {
    right_ = kToSun.cross(Vec3f(0.0f, 1.0f, 0.0f)).normalized();
    up_ = right_.cross(kToSun);
    centre_ = scene.centre;
    constexpr float kMargin = 1.6f;  // shadows of what stands at the border
    scale_ = kShadowSize / (2.0f * kMargin * scene.radius);
    bias_ = 2.5f / scale_;
    std::vector<Vec3f> corners;
    for (const DrawnShape& shape : scene.shapes) {
      if (shape.alpha < 1.0f) continue;
      corners.clear();
      for (const Vec3f& point : shape.mesh->points) corners.push_back(place(shape.R * point + shape.p));
      for (const auto& t : shape.mesh->triangles) {
        const Vec3f &a = corners[static_cast<std::size_t>(t[0])],
                    &b = corners[static_cast<std::size_t>(t[1])],
                    &c = corners[static_cast<std::size_t>(t[2])];
        fill({a[0], b[0], c[0]}, {a[1], b[1], c[1]}, kShadowSize, 0, kShadowSize - 1,
             [&](int x, int y, double w0, double w1, double w2) {
               float& nearest =
                   depth_[static_cast<std::size_t>(y) * kShadowSize + static_cast<std::size_t>(x)];
               nearest = std::min(nearest, static_cast<float>(w0 * a[2] + w1 * b[2] + w2 * c[2]));
             });
      }
    }
  }

  // How much of the sun reaches a place.
  float lit(const Vec3f& p, const Vec3f& n) const {
    const Vec3f at = place(p + n * bias_);
    const int x = static_cast<int>(std::floor(at[0])), y = static_cast<int>(std::floor(at[1]));
    if (x < 1 || y < 1 || x >= kShadowSize - 1 || y >= kShadowSize - 1) return 1.0f;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += at[2] - bias_ <=
               depth_[static_cast<std::size_t>(y + dy) * kShadowSize + static_cast<std::size_t>(x + dx)];
    return sum / 9.0f;
  }

 private:
  // Pixels of the map, and the distance along the light (m).
  Vec3f place(const Vec3f& p) const {
    const Vec3f d = p - centre_;
    return {0.5f * kShadowSize + scale_ * d.dot(right_), 0.5f * kShadowSize + scale_ * d.dot(up_),
            -d.dot(kToSun)};
  }

  std::vector<float> depth_;
  Vec3f right_, up_, centre_;
  float scale_ = 1.0f, bias_ = 0.0f;
};

// A point of a triangle before the camera, and its normal.
struct Corner {
  Vec3f p;  // right, up, forward (m)
  Vec3f n;
};

class Drawing {
 public:
  Drawing(const DrawnScene& scene, const DrawingCamera& camera, const PictureSize& size)
      : scene_(scene), camera_(camera), size_(size), shadows_(scene) {
    width_ = kPerSide * size.width;
    height_ = kPerSide * size.height;
    forward_ = (camera.target - camera.eye).normalized();
    const Vec3f up = std::abs(forward_[2]) > 0.9999f ? Vec3f(0.0f, 1.0f, 0.0f) : Vec3f(0.0f, 0.0f, 1.0f);
    right_ = forward_.cross(up).normalized();
    up_ = right_.cross(forward_);
    focal_ = 0.5 * height_ / std::tan(0.5 * camera.field_of_view * std::numbers::pi / 180.0);
    const auto samples = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    inverse_depth_.assign(samples, 0.0f);
    shape_.assign(samples, kNothing);
    normal_.assign(samples, Vec3f::Zero());
  }

  Picture draw() {
    place_corners();
    Picture out{size_.width, size_.height, {}};
    out.rgb.resize(3 * static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height));
    const int threads = thread_count(), wanted = threads == 1 ? 1 : kBandsOfAThread * threads;
    const int rows = kPerSide * ((size_.height + wanted - 1) / wanted);
    const int bands = (height_ + rows - 1) / rows;
    parallel_for(bands, 1, [&](int band) {
      const int first = band * rows, last = std::min(first + rows, height_) - 1;
      for (std::size_t s = 0; s < scene_.shapes.size(); ++s)
        if (scene_.shapes[s].alpha >= 1.0f) draw_shape(s, first, last);
      std::vector<Vec3f> light(static_cast<std::size_t>(size_.width) *
                               static_cast<std::size_t>((last - first + 1) / kPerSide));
      for (int y = first / kPerSide; y <= last / kPerSide; ++y)
        for (int x = 0; x < size_.width; ++x)
          light[static_cast<std::size_t>(y - first / kPerSide) * static_cast<std::size_t>(size_.width) +
                static_cast<std::size_t>(x)] = pixel(x, y);
      for (const std::size_t s : glass_) draw_glass(s, first, last, &light);
      draw_polygons(first, last, &light);
      std::size_t at = 3 * static_cast<std::size_t>(first / kPerSide) * static_cast<std::size_t>(size_.width);
      for (const Vec3f& colour : light)
        for (int i = 0; i < 3; ++i) out.rgb[at++] = screen_value(colour[i]);
    });
    return out;
  }

 private:
  // Corners of all shapes as the camera sees them, and the order of those that light goes through: far ones first.
  void place_corners() {
    corners_.resize(scene_.shapes.size());
    std::vector<std::pair<float, std::size_t>> far;
    Eigen::Matrix3f to_camera;
    to_camera << right_.transpose(), up_.transpose(), forward_.transpose();
    parallel_for(static_cast<int>(scene_.shapes.size()), 1, [&](int i) {
      const DrawnShape& shape = scene_.shapes[static_cast<std::size_t>(i)];
      std::vector<Corner>& corners = corners_[static_cast<std::size_t>(i)];
      corners.resize(shape.mesh->points.size());
      const Eigen::Matrix3f R = to_camera * shape.R;
      const Vec3f p = to_camera * (shape.p - camera_.eye);
      for (std::size_t k = 0; k < corners.size(); ++k)
        corners[k] = {R * shape.mesh->points[k] + p, shape.R * shape.mesh->normals[k]};
    });
    for (std::size_t s = 0; s < scene_.shapes.size(); ++s)
      if (scene_.shapes[s].alpha < 1.0f) far.push_back({-(scene_.shapes[s].p - camera_.eye).norm(), s});
    std::sort(far.begin(), far.end());
    for (const auto& [distance, s] : far) glass_.push_back(s);
  }

  // Calls write(sample, inverse depth, normal) for every sample of a shape in some rows.
  template <class Write>
  void cover(std::size_t s, int first, int last, const Write& write) const {
    const ShapeMesh& mesh = *scene_.shapes[s].mesh;
    const std::vector<Corner>& corners = corners_[s];
    for (const auto& t : mesh.triangles) {
      std::array<Corner, 4> cut;
      int count = 0;
      // What is nearer than the nearest plane is cut off.
      for (std::size_t i = 0; i < 3; ++i) {
        const Corner &a = corners[static_cast<std::size_t>(t[i])],
                     &b = corners[static_cast<std::size_t>(t[(i + 1) % 3])];
        const float da = a.p[2] - camera_.nearest, db = b.p[2] - camera_.nearest;
        if (da > 0.0f) cut[static_cast<std::size_t>(count++)] = a;
        if ((da > 0.0f) == (db > 0.0f)) continue;
        const float share = da / (da - db);
        cut[static_cast<std::size_t>(count++)] = {a.p + share * (b.p - a.p), a.n + share * (b.n - a.n)};
      }
      for (int i = 1; i + 1 < count; ++i)
        cover_triangle(cut[0], cut[static_cast<std::size_t>(i)], cut[static_cast<std::size_t>(i) + 1],
                       mesh.is_closed, first, last, write);
    }
  }

  template <class Write>
  void cover_triangle(const Corner& a, const Corner& b, const Corner& c, bool is_closed, int first, int last,
                      const Write& write) const {
    const std::array<double, 3> depth = {1.0 / a.p[2], 1.0 / b.p[2], 1.0 / c.p[2]};
    const auto x_of = [&](const Corner& k, double inverse) {
      return 0.5 * width_ + focal_ * k.p[0] * inverse;
    };
    const auto y_of = [&](const Corner& k, double inverse) {
      return 0.5 * height_ - focal_ * k.p[1] * inverse;
    };
    const std::array<double, 3> X = {x_of(a, depth[0]), x_of(b, depth[1]), x_of(c, depth[2])};
    const std::array<double, 3> Y = {y_of(a, depth[0]), y_of(b, depth[1]), y_of(c, depth[2])};
    // y points down: what is counter-clockwise in space is clockwise here.
    if (is_closed && (X[1] - X[0]) * (Y[2] - Y[0]) - (X[2] - X[0]) * (Y[1] - Y[0]) > 0.0) return;
    const Vec3f na = a.n * static_cast<float>(depth[0]), nb = b.n * static_cast<float>(depth[1]),
                nc = c.n * static_cast<float>(depth[2]);
    fill(X, Y, width_, first, last, [&](int x, int y, double w0, double w1, double w2) {
      const auto inverse = static_cast<float>(w0 * depth[0] + w1 * depth[1] + w2 * depth[2]);
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
      if (inverse <= inverse_depth_[at]) return;
      write(x, y, at, inverse,
            Vec3f(static_cast<float>(w0) * na + static_cast<float>(w1) * nb + static_cast<float>(w2) * nc));
    });
  }

  void draw_shape(std::size_t s, int first, int last) {
    cover(s, first, last, [&](int, int, std::size_t at, float inverse, const Vec3f& n) {
      inverse_depth_[at] = inverse;
      shape_[at] = static_cast<std::int32_t>(s);
      normal_[at] = n;
    });
  }

  void draw_glass(std::size_t s, int first, int last, std::vector<Vec3f>* light) const {
    const DrawnShape& shape = scene_.shapes[s];
    cover(s, first, last, [&](int x, int y, std::size_t, float inverse, const Vec3f& n) {
      const Vec3f ray = ray_of(x + 0.5f, y + 0.5f);
      const Vec3f colour = surface(shape.albedo, n, ray, camera_.eye + ray / (inverse * ray.dot(forward_)));
      const std::size_t at =
          static_cast<std::size_t>((y - first) / kPerSide) * static_cast<std::size_t>(size_.width) +
          static_cast<std::size_t>(x / kPerSide);
      const float share = shape.alpha / (kPerSide * kPerSide);
      (*light)[at] += share * (colour - (*light)[at]);
    });
  }

  // All samples of a pixel together, so that it has as much of the polygons as they cover of it.
  void draw_polygons(int first, int last, std::vector<Vec3f>* light) const {
    const DrawnPolygons& all = scene_.polygons;
    if (all.counts.empty()) return;
    std::vector<Eigen::Vector4f> sums(light->size(), Eigen::Vector4f::Zero());  // colours, and how many
    std::size_t begin = 0;
    for (const std::uint32_t count : all.counts) {
      for (std::size_t k = 2; k < count; ++k)
        add_triangle({begin, begin + k - 1, begin + k}, first, last, &sums);
      begin += count;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const float samples = sums[i][3];
      if (samples == 0.0f) continue;
      const float share = all.alpha * std::min(samples / (kPerSide * kPerSide), 1.0f);
      (*light)[i] += share * (sums[i].head<3>() / samples - (*light)[i]);
    }
  }

  // Of the corners of polygons; not what reaches behind the camera.
  void add_triangle(const std::array<std::size_t, 3>& corners, int first, int last,
                    std::vector<Eigen::Vector4f>* sums) const {
    const DrawnPolygons& all = scene_.polygons;
    std::array<double, 3> X, Y;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3f d = all.corners[corners[i]] - camera_.eye;
      const double depth = d.dot(forward_);
      if (!(depth > camera_.nearest)) return;
      X[i] = 0.5 * width_ + focal_ * d.dot(right_) / depth;
      Y[i] = 0.5 * height_ - focal_ * d.dot(up_) / depth;
    }
    const Vec3f &a = all.colours[corners[0]], &b = all.colours[corners[1]], &c = all.colours[corners[2]];
    fill(X, Y, width_, first, last, [&](int x, int y, double w0, double w1, double w2) {
      const std::size_t at =
          static_cast<std::size_t>((y - first) / kPerSide) * static_cast<std::size_t>(size_.width) +
          static_cast<std::size_t>(x / kPerSide);
      (*sums)[at].head<3>() +=
          static_cast<float>(w0) * a + static_cast<float>(w1) * b + static_cast<float>(w2) * c;
      (*sums)[at][3] += 1.0f;
    });
  }

  // Unit, through a place on the picture in samples.
  Vec3f ray_of(float x, float y) const {
    const float u = (x - 0.5f * static_cast<float>(width_)) / static_cast<float>(focal_);
    const float v = (0.5f * static_cast<float>(height_) - y) / static_cast<float>(focal_);
    return (forward_ + u * right_ + v * up_).normalized();
  }

  Vec3f surface(const Vec3f& albedo, const Vec3f& normal, const Vec3f& ray, const Vec3f& p) const {
    Vec3f n = normal.normalized();
    if (n.dot(ray) > 0.0f) n = -n;
    const Vec3f ambient = kGroundLight + (0.5f + 0.5f * n[2]) * (kSkyLight - kGroundLight);
    const float facing = n.dot(kToSun);
    const float sun = facing > 0.0f ? facing * shadows_.lit(p, n) : 0.0f;
    const Vec3f half = (kToSun - ray).normalized();
    float shine = std::max(0.0f, n.dot(half));
    for (int doubled = 0; doubled < 5; ++doubled) shine *= shine;  // to the power of 32
    shine *= 0.10f * sun;
    return albedo.cwiseProduct(ambient + sun * kSunLight) + Vec3f::Constant(shine);
  }

  Vec3f sky(const Vec3f& ray) const {
    const float height = ray[2];
    if (height > 0.0f) return kHorizon + std::pow(height, 0.65f) * (kZenith - kHorizon);
    return kHorizon + std::min(-3.0f * height, 1.0f) * (kBelow - kHorizon);
  }

  // Lines at every 0.1, 1 and 10 m, a pixel or so wide, gone where they would be closer than a few pixels.
  static float grid(float u, float v, float footprint) {
    float most = 0.0f;
    for (const auto& [spacing, strength] :
         {std::pair(0.1f, 0.22f), std::pair(1.0f, 0.5f), std::pair(10.0f, 0.75f)}) {
      const float visible = strength * (1.0f - smooth_step(0.03f, 0.16f, footprint / spacing));
      if (visible <= 0.0f) continue;
      const auto away = [spacing = spacing](float x) {
        return std::abs(x / spacing - std::round(x / spacing)) * spacing;
      };
      const float nearest = std::min(away(u), away(v));
      most = std::max(most, visible * (1.0f - smooth_step(0.0f, 1.2f * footprint, nearest)));
    }
    return most;
  }

  // What is seen along a ray up to a distance (m): ground before what lies behind it.
  Vec3f beyond(const Vec3f& ray, float distance, const Vec3f& behind, float footprint_at_1m) const {
    Vec3f colour = behind;
    float nearest = distance;
    for (const DrawnGround& ground : scene_.grounds) {
      const Vec3f n = ground.R.col(2);
      const float slope = ray.dot(n), height = (camera_.eye - ground.p).dot(n);
      if (std::abs(slope) < 1e-6f) continue;
      const float t = -height / slope;
      if (!(t > 0.0f && t < nearest)) continue;
      const Vec3f p = camera_.eye + t * ray, local = ground.R.transpose() * (p - ground.p);
      const float reach = 40.0f * scene_.radius;
      const float fade = 1.0f - smooth_step(0.25f, 1.0f, (p - scene_.centre).norm() / reach);
      const float footprint = t * footprint_at_1m / std::max(std::abs(slope), 0.05f);
      const float line = grid(local[0], local[1], footprint);
      if (ground.is_bare_grid) {
        colour += 0.75f * fade * line * (kLine - colour);
        continue;
      }
      const float cell = std::fmod(std::floor(local[0]) + std::floor(local[1]), 2.0f) == 0.0f ? -0.5f : 0.5f;
      const float sharp = 1.0f - smooth_step(0.1f, 0.6f, footprint);
      Vec3f albedo = ground.albedo * (1.0f - 0.06f * sharp * cell);
      albedo += line * (kLine - albedo);
      const Vec3f here = surface(albedo, n, ray, p), open = sky(ray);
      colour = open + fade * (here - open);
      nearest = t;
    }
    return colour;
  }

  // Of the mean of the samples of a pixel.
  Vec3f pixel(int x, int y) const {
    const auto index = [&](int k) {
      const int sx = kPerSide * x + k % kPerSide, sy = kPerSide * y + k / kPerSide;
      return static_cast<std::size_t>(sy) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(sx);
    };
    constexpr int kSamples = kPerSide * kPerSide;
    bool is_one = true;
    for (int k = 1; k < kSamples; ++k) is_one = is_one && shape_[index(k)] == shape_[index(0)];
    const auto footprint = static_cast<float>(kPerSide / focal_);
    if (is_one) {
      Vec3f n = Vec3f::Zero();
      float inverse = 0.0f;
      for (int k = 0; k < kSamples; ++k) {
        n += normal_[index(k)].stableNormalized();
        inverse += inverse_depth_[index(k)] / kSamples;
      }
      return seen(ray_of(kPerSide * (x + 0.5f), kPerSide * (y + 0.5f)), shape_[index(0)], inverse, n,
                  footprint);
    }
    Vec3f sum = Vec3f::Zero();
    for (int k = 0; k < kSamples; ++k) {
      const Vec3f ray = ray_of(kPerSide * x + k % kPerSide + 0.5f, kPerSide * y + k / kPerSide + 0.5f);
      sum += seen(ray, shape_[index(k)], inverse_depth_[index(k)], normal_[index(k)], footprint);
    }
    return sum / kSamples;
  }

  Vec3f seen(const Vec3f& ray, std::int32_t shape, float inverse, const Vec3f& n, float footprint) const {
    if (shape == kNothing) return beyond(ray, std::numeric_limits<float>::max(), sky(ray), footprint);
    const float distance = 1.0f / (inverse * ray.dot(forward_));
    const Vec3f p = camera_.eye + distance * ray;
    return beyond(ray, distance, surface(scene_.shapes[static_cast<std::size_t>(shape)].albedo, n, ray, p),
                  footprint);
  }

  const DrawnScene& scene_;
  const DrawingCamera& camera_;
  PictureSize size_;
  Shadows shadows_;
  int width_ = 0, height_ = 0;  // samples
  double focal_ = 1.0;          // samples
  Vec3f right_, up_, forward_;
  std::vector<std::vector<Corner>> corners_;  // by shape
  std::vector<std::size_t> glass_;
  std::vector<float> inverse_depth_;  // 1/m
  std::vector<std::int32_t> shape_;
  std::vector<Vec3f> normal_;  // times the inverse depth
};

}  // namespace

Vec3f linear_colour(const Vec3f& srgb) {
  Vec3f out;
  for (int i = 0; i < 3; ++i) {
    const float x = std::clamp(srgb[i], 0.0f, 1.0f);
    out[i] = x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
  }
  return out;
}

Picture draw(const DrawnScene& scene, const DrawingCamera& camera, const PictureSize& size) {
  return Drawing(scene, camera, size).draw();
}

}  // namespace stiction::viewer
