#include "apps/viewer/track_packer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "stiction/base/check.h"

namespace stiction::viewer {
namespace {

constexpr double kQuaternionStep = 1.0 / 32767.0;
constexpr double kNormalStep = 1.0 / 127.0, kGapStep = 1e-6, kFrictionStep = 1e-3;  // 1, m, 1
// A track of this size, in base64, makes a page of less than 10 MB with a minute of it.
constexpr std::size_t kMostBytes = 6'500'000;
constexpr std::size_t kFramesOfAMinute = 3600;
constexpr double kLargest = 4e15;  // of a quantised number, so that second differences stay exact

std::int64_t quantised(double number, double step) {
  const double ratio = number / step;
  return std::isfinite(ratio) ? std::llround(std::clamp(ratio, -kLargest, kLargest)) : 0;
}

void put_varint(std::uint64_t number, std::string* out) {
  for (; number >= 128; number >>= 7) out->push_back(static_cast<char>(number | 128u));
  out->push_back(static_cast<char>(number));
}

void put_signed(std::int64_t number, std::string* out) {
  put_varint(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63), out);
}

std::uint64_t take_varint(const std::string& bytes, std::size_t* at) {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[(*at)++]);
    number |= static_cast<std::uint64_t>(byte & 127u) << shift;
    if (byte < 128) return number;
  }
}

std::int64_t take_signed(const std::string& bytes, std::size_t* at) {
  const std::uint64_t number = take_varint(bytes, at);
  return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1u);
}

template <class Number>
void put_raw(const Number* numbers, std::size_t count, std::string* out) {
  out->append(reinterpret_cast<const char*>(numbers), count * sizeof(Number));
}

std::string deflated(const std::string& bytes) {
  constexpr int kLevel = 9;
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kLevel);
  STICTION_USER_CHECK(code == Z_OK, "a track of {} bytes cannot be compressed", bytes.size());
  out.resize(size);
  return out;
}

}  // namespace

TrackScales track_scales(const Model& model, double view_radius) {
  constexpr double kFine = 1e-5, kContactFine = 2e-4, kForceFine = 2e-3;
  double mass = 0.0;
  int bodies = 0;
  for (const Body& body : model.forest.bodies) {
    mass += body.inertia.mass;
    bodies += body.inertia.mass > 0.0 ? 1 : 0;
  }
  const double gravity = model.forest.gravity.norm();
  const double weight = bodies > 0 ? mass / bodies * (gravity > 0.0 ? gravity : 1.0) : 1.0;
  const double radius = std::clamp(view_radius, 1e-3, 1e3);
  return {kFine * radius, kContactFine * radius, std::max(1e-9, kForceFine * weight)};
}

TrackPacker::TrackPacker(std::vector<std::string> value_names, const TrackScales& scales)
    : names_(std::move(value_names)), scales_(scales), values_(names_.size()) {}

void TrackPacker::add(const ViewFrame& frame) {
  if (bodies_.empty()) {
    bodies_.resize(frame.poses.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      BodyColumns& body = bodies_[b];
      body.first = frame.poses[b];
      for (int k = 0; k < 7; ++k)
        body.last[k] = quantised(body.first[k], k < 4 ? kQuaternionStep : scales_.position_step);
    }
  }
  STICTION_ASSERT(frame.poses.size() == bodies_.size() && frame.values.size() == names_.size());
  times_.push_back(frame.time);
  for (std::size_t b = 0; b < bodies_.size(); ++b) add_pose(frame.poses[b], &bodies_[b]);
  for (std::size_t i = 0; i < names_.size(); ++i) values_[i].push_back(static_cast<float>(frame.values[i]));
  add_contacts(frame.contacts);
  add_polygons(frame.polygons);
}

void TrackPacker::add_pose(const ViewPose& pose, BodyColumns* body) const {
  Quantised now;
  // Of the two quaternions of a rotation, the one near that of the frame before.
  double dot = 0.0;
  for (int k = 0; k < 4; ++k) dot += pose[k] * static_cast<double>(body->last[k]);
  for (int k = 0; k < 7; ++k)
    now[k] =
        quantised(k < 4 && dot < 0.0 ? -pose[k] : pose[k], k < 4 ? kQuaternionStep : scales_.position_step);
  if (!body->moves) {
    if (now == body->last) return;
    // It has been at rest until now.
    body->moves = true;
    for (int k = 0; k < 7; ++k) {
      put_signed(body->last[k], &body->bytes[k]);
      body->bytes[k].append(times_.size() - 2, '\0');
    }
  }
  for (int k = 0; k < 7; ++k) {
    const std::int64_t difference = now[k] - body->last[k];
    put_signed(difference - body->last_difference[k], &body->bytes[k]);
    body->last_difference[k] = difference;
    body->last[k] = now[k];
  }
}

void TrackPacker::add_contacts(const std::vector<ViewContact>& contacts) {
  // Index of a contact in the previous frame, by its shapes and rank.
  std::map<std::pair<std::array<int, 4>, int>, std::size_t> place_before;
  for (std::size_t i = 0; i < last_contacts_.size(); ++i)
    place_before[{last_contacts_[i].key, last_contacts_[i].rank}] = i;
  std::map<std::array<int, 4>, int> ranks;
  const std::size_t count = contacts.size();
  std::vector<PlacedContact> homeless;
  std::vector<bool> taken(count, false);
  contacts_.assign(count, {});
  for (const ViewContact& contact : contacts) {
    PlacedContact placed;
    placed.key = {contact.shape_a, contact.shape_b, contact.body_a, contact.body_b};
    placed.rank = ranks[placed.key]++;
    QuantisedContact& q = placed.numbers;
    q[0] = contact.body_a;
    q[1] = contact.body_b;
    for (int k = 0; k < 3; ++k) {
      q[2 + k] = quantised(contact.point[k], scales_.contact_position_step);
      q[5 + k] = quantised(contact.normal[k], kNormalStep);
      q[8 + k] = quantised(contact.force[k], scales_.force_step);
    }
    q[11] = quantised(contact.gap, kGapStep);
    q[12] = contact.sliding ? 1 : 0;
    q[13] = quantised(contact.mu, kFrictionStep);
    const auto before = place_before.find({placed.key, placed.rank});
    if (before != place_before.end() && before->second < count) {
      taken[before->second] = true;
      contacts_[before->second] = placed;
    } else {
      homeless.push_back(placed);
    }
  }
  std::size_t free = 0;
  for (const PlacedContact& placed : homeless) {
    while (taken[free]) ++free;
    contacts_[free++] = placed;
  }
  put_varint(count, &contact_counts_);
  static const QuantisedContact none = {};
  for (std::size_t i = 0; i < count; ++i) {
    const QuantisedContact& before = i < last_contacts_.size() ? last_contacts_[i].numbers : none;
    for (int k = 0; k < kContactColumns; ++k)
      put_signed(contacts_[i].numbers[k] - before[k], &contact_columns_[k]);
  }
  std::swap(contacts_, last_contacts_);
}

void TrackPacker::add_polygons(const ViewPolygons& polygons) {
  std::string& out = polygons_.emplace_back();
  put_varint(polygons.counts.size() + 1, &out);
  if (polygons.counts.empty()) return;
  has_polygons_ = true;
  float largest = 0.0f;
  for (std::size_t c = 0; c < polygons.num_corners(); ++c)
    largest = std::max(largest, polygons.corners[4 * c + 3]);
  put_raw(&largest, 1, &out);
  for (const std::uint32_t corners : polygons.counts) put_varint(corners, &out);
  std::array<std::int64_t, 3> before = {};
  for (std::size_t c = 0; c < polygons.num_corners(); ++c) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int64_t now = quantised(polygons.corners[4 * c + k], scales_.position_step);
      put_signed(now - before[k], &out);
      before[k] = now;
    }
  }
  const auto put_share = [&out](float number, float most) {
    out.push_back(
        static_cast<char>(quantised(std::clamp(number, 0.0f, most), most > 0.0f ? most / 255.0 : 1.0)));
  };
  for (std::size_t c = 0; c < polygons.num_corners(); ++c) put_share(polygons.corners[4 * c + 3], largest);
  const float fastest =
      polygons.slips.empty() ? 0.0f : *std::max_element(polygons.slips.begin(), polygons.slips.end());
  put_raw(&fastest, 1, &out);
  for (const float slip : polygons.slips) put_share(slip, fastest);
}

std::string TrackPacker::packed_polygons(std::size_t most) const {
  if (!has_polygons_) return {};
  for (std::size_t every = 1; every <= 8; every *= 2) {
    std::string all;
    // A zero: those of the frame before.
    for (std::size_t i = 0; i < polygons_.size(); ++i)
      all += i % every == 0 ? polygons_[i] : std::string(1, '\0');
    if (every == 1 && all.size() <= most) return all;
    if (deflated(all).size() <= most) return all;
  }
  return {};
}

// Reads the columns again, and writes them with other steps and with fewer changes.
void TrackPacker::thin_out(const Thinning& by, std::string* counts, ContactColumns* columns) const {
  std::vector<std::size_t> held;  // contacts of every frame, as they are shown
  std::vector<std::size_t> given;
  for (std::size_t at = 0; at < contact_counts_.size();) given.push_back(take_varint(contact_counts_, &at));
  for (std::size_t i = 0; i < given.size(); ++i)
    held.push_back(given[i - i % static_cast<std::size_t>(by.every)]);
  for (const std::size_t count : held) put_varint(count, counts);
  std::vector<std::int64_t> now, before, shown, shown_before;
  for (int k = 0; k < kContactColumns; ++k) {
    const bool is_coarser = (k >= 2 && k < 5) || (k >= 8 && k < 11);  // positions and forces
    const double step = is_coarser ? by.coarser : 1;
    before.clear();
    shown_before.clear();
    std::size_t at = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      now.resize(given[i]);
      for (std::size_t c = 0; c < now.size(); ++c)
        now[c] = take_signed(contact_columns_[k], &at) + (c < before.size() ? before[c] : 0);
      if (i % static_cast<std::size_t>(by.every) == 0) {
        shown.clear();
        for (const std::int64_t number : now) shown.push_back(quantised(static_cast<double>(number), step));
      }
      for (std::size_t c = 0; c < shown.size(); ++c)
        put_signed(shown[c] - (c < shown_before.size() ? shown_before[c] : 0), &(*columns)[k]);
      shown_before = shown;
      std::swap(before, now);
    }
  }
}

std::string TrackPacker::packed(const Thinning& by, const std::string& counts, const ContactColumns& columns,
                                const std::string& polygons) const {
  std::uint64_t total = 0;
  for (std::size_t at = 0; at < counts.size();) total += take_varint(counts, &at);
  const double duration = times_.empty() ? 0.0 : times_.back() - times_.front();
  nlohmann::json header = {
      {"frames", times_.size()},
      {"bodies", bodies_.size()},
      {"bounds", {{"position_step", scales_.position_step}, {"quaternion_step", kQuaternionStep}}},
      {"values", names_},
      {"contacts",
       {{"count", total},
        {"position_step", by.coarser * scales_.contact_position_step},
        {"force_step", by.coarser * scales_.force_step},
        {"every", by.every}}},
      {"statuses", status_names()},
      {"duration", duration}};
  if (!polygons.empty()) header["polygons"] = {{"position_step", scales_.position_step}, {"slips", true}};
  const std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out = "STKT";
  const std::uint32_t sizes[2] = {1, static_cast<std::uint32_t>(text.size())};
  put_raw(sizes, 2, &out);
  out += text;
  put_raw(times_.data(), times_.size(), &out);
  for (const BodyColumns& body : bodies_) out.push_back(body.moves ? 1 : 0);
  for (const BodyColumns& body : bodies_) put_raw(body.first.data(), body.first.size(), &out);
  for (const BodyColumns& body : bodies_) {
    if (!body.moves) continue;
    for (const std::string& column : body.bytes) out += column;
  }
  for (const std::vector<float>& column : values_) put_raw(column.data(), column.size(), &out);
  out += counts;
  for (const std::string& column : columns) out += column;
  out += polygons;
  return deflated(out);
}

std::string TrackPacker::finish() const {
  // A longer run may be as much larger.
  const std::size_t most = std::max(kMostBytes, kMostBytes * times_.size() / kFramesOfAMinute);
  const std::string polygons = packed_polygons(most / 2);
  std::string out = packed({}, contact_counts_, contact_columns_, polygons);
  for (const Thinning& by : {Thinning{4, 1}, Thinning{4, 2}, Thinning{4, 4}, Thinning{4, 8}}) {
    if (out.size() <= most) break;
    std::string counts;
    ContactColumns columns;
    thin_out(by, &counts, &columns);
    out = packed(by, counts, columns, polygons);
  }
  return out;
}

}  // namespace stiction::viewer
