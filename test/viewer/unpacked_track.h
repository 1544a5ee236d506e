#pragma once
// Reads a packed track, straight from the description of the format (docs/viewer_protocol.md).

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <zlib.h>

namespace stiction::viewer {

class UnpackedTrack {
 public:
  explicit UnpackedTrack(const std::string& packed) {
    std::string bytes(std::size_t{1} << 26, '\0');
    uLongf size = bytes.size();
    is_whole = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                          reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK;
    bytes_ = bytes.substr(0, size);
    magic = bytes_.substr(0, 4);
    at_ = 4;
    version = take<std::uint32_t>();
    const auto length = take<std::uint32_t>();
    header = nlohmann::json::parse(bytes_.substr(at_, length));
    at_ += length;
    const auto n = header["frames"].get<std::size_t>(), bodies = header["bodies"].get<std::size_t>();
    for (std::size_t i = 0; i < n; ++i) time.push_back(take<double>());
    for (std::size_t b = 0; b < bodies; ++b) moves.push_back(take<std::uint8_t>() != 0);
    poses.assign(n, std::vector<std::vector<double>>(bodies, std::vector<double>(7)));
    for (std::size_t b = 0; b < bodies; ++b)
      for (std::size_t k = 0; k < 7; ++k) {
        const double number = take<double>();
        for (std::size_t i = 0; i < n; ++i) poses[i][b][k] = number;
      }
    for (std::size_t b = 0; b < bodies; ++b) {
      if (!moves[b]) continue;
      for (std::size_t k = 0; k < 7; ++k) {
        const double step = header["bounds"][k < 4 ? "quaternion_step" : "position_step"].get<double>();
        std::int64_t x = 0, difference = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const std::int64_t stored = signed_varint();
          if (i == 0) {
            x = stored;
          } else {
            difference = i == 1 ? stored : difference + stored;
            x += difference;
          }
          poses[i][b][k] = static_cast<double>(x) * step;
        }
      }
    }
    for (std::size_t v = 0; v < header["values"].size(); ++v) {
      values.emplace_back();
      for (std::size_t i = 0; i < n; ++i) values.back().push_back(take<float>());
    }
    for (std::size_t i = 0; i < n; ++i) contacts.emplace_back(varint(), std::vector<std::int64_t>(14));
    for (std::size_t column = 0; column < 14; ++column)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < contacts[i].size(); ++c) {
          const bool has_before = i > 0 && c < contacts[i - 1].size();
          contacts[i][c][column] = signed_varint() + (has_before ? contacts[i - 1][c][column] : 0);
        }
    if (header.contains("polygons")) take_polygons(n, header["polygons"]["position_step"].get<double>());
    is_whole = is_whole && at_ == bytes_.size();
  }

  struct Polygons {
    std::vector<std::size_t> counts;
    std::vector<std::array<double, 4>> corners;  // x, y, z (m), pressure (Pa)
    std::vector<double> slips;                   // m/s, of each corner
  };

  bool is_whole = false;
  std::string magic;
  std::uint32_t version = 0;
  nlohmann::json header;
  std::vector<double> time;
  std::vector<bool> moves;
  std::vector<std::vector<std::vector<double>>> poses;           // by frame, body, number
  std::vector<std::vector<float>> values;                        // by name, frame
  std::vector<std::vector<std::vector<std::int64_t>>> contacts;  // by frame, contact, column; whole numbers
  std::vector<Polygons> polygons;                                // by frame; empty: the run has none

 private:
  void take_polygons(std::size_t frames, double step) {
    for (std::size_t i = 0; i < frames; ++i) {
      const std::uint64_t announced = varint();
      if (announced == 0) {
        polygons.push_back(polygons.back());
        continue;
      }
      Polygons& frame = polygons.emplace_back();
      if (announced == 1) continue;
      const double largest = take<float>();
      for (std::uint64_t k = 1; k < announced; ++k) frame.counts.push_back(varint());
      std::size_t corners = 0;
      for (const std::size_t count : frame.counts) corners += count;
      std::array<std::int64_t, 3> at = {};
      for (std::size_t c = 0; c < corners; ++c) {
        frame.corners.emplace_back();
        for (std::size_t k = 0; k < 3; ++k)
          frame.corners.back()[k] = static_cast<double>(at[k] += signed_varint()) * step;
      }
      for (auto& corner : frame.corners) corner[3] = largest * take<std::uint8_t>() / 255.0;
      const double fastest = take<float>();
      for (std::size_t c = 0; c < corners; ++c) frame.slips.push_back(fastest * take<std::uint8_t>() / 255.0);
    }
  }
  template <class Number>
  Number take() {
    Number number;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.at(at_++));
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
  std::int64_t signed_varint() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1) * (value & 1 ? -1 : 1) -
           static_cast<std::int64_t>(value & 1);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace stiction::viewer
