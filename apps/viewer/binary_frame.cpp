#include "apps/viewer/binary_frame.h"

namespace stiction::viewer {
namespace {

template <class Number>
void put(Number number, std::string* out) {
  out->append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_float(double number, std::string* out) { put(static_cast<float>(number), out); }

}  // namespace

std::string binary_frame(std::uint32_t track, const ViewFrame& frame) {
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  std::string out = "STKF";
  out.reserve(40 + 4 * (7 * frame.poses.size() + 6 * frame.velocities.size() + frame.values.size() +
                        16 * frame.contacts.size()));
  put(track, &out);
  put(frame.time, &out);
  put(static_cast<std::uint32_t>(frame.step), &out);
  put(count(frame.poses), &out);
  put(count(frame.contacts), &out);
  put(count(frame.values), &out);
  put(count(frame.velocities), &out);
  for (const ViewPose& pose : frame.poses)
    for (const double number : pose) put_float(number, &out);
  for (const auto& velocity : frame.velocities)
    for (const double number : velocity) put_float(number, &out);
  for (const double value : frame.values) put_float(value, &out);
  for (const ViewContact& contact : frame.contacts) {
    put_float(contact.body_a, &out);
    put_float(contact.body_b, &out);
    for (const auto& vector : {contact.point, contact.normal, contact.force})
      for (const float number : vector) put(number, &out);
    put(contact.gap, &out);
    put_float(contact.sliding ? 1.0 : 0.0, &out);
    put(contact.mu, &out);
    put_float(contact.shape_a, &out);
    put_float(contact.shape_b, &out);
  }
  if (frame.polygons.counts.empty()) return out;
  put(count(frame.polygons.counts), &out);
  put(static_cast<std::uint32_t>(frame.polygons.num_corners()), &out);
  for (const std::uint32_t corners : frame.polygons.counts) put(corners, &out);
  for (const float number : frame.polygons.corners) put(number, &out);
  for (const float number : frame.polygons.slips) put(number, &out);
  return out;
}

}  // namespace stiction::viewer
