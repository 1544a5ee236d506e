#pragma once
// A run, packed for the viewer's page: quantised columns of differences, deflated (docs/viewer_protocol.md).
//
//   x_i = round(number_i / step),   stored: x_0, x_1 - x_0, then x_i - 2 x_(i-1) + x_(i-2),
//
// which is small if a body moves smoothly and zero if it rests. A contact keeps its index from frame to frame
// as long as it lasts, so that its differences are small too. If many bodies tumble all the time, contacts
// are most of the file: in a file that would be too large they are rounded to larger steps, and then held for
// some frames. Polygons of pressure patches are a block of bytes for each frame; where they would take more than half
// of such a file, they are held for some frames too, or left out.

#include <cstdint>
#include <string>
#include <vector>

#include "apps/viewer/frame.h"

namespace stiction::viewer {

struct TrackScales {
  double position_step = 1e-5;          // m, of bodies
  double contact_position_step = 1e-4;  // m
  double force_step = 1e-3;             // N
};
// Fine enough for the eye: fractions of the size of the scene and of the mean weight of a body.
TrackScales track_scales(const Model& model, double view_radius);

class TrackPacker {
 public:
  TrackPacker(std::vector<std::string> value_names, const TrackScales& scales);

  // Frames in the order of their times, all with the same bodies.
  void add(const ViewFrame& frame);
  std::size_t frames() const { return times_.size(); }
  // The packed file.
  std::string finish() const;

 private:
  using Quantised = std::array<std::int64_t, 7>;
  // The columns of a body begin when it first moves.
  struct BodyColumns {
    ViewPose first = {};
    Quantised last = {}, last_difference = {};
    bool moves = false;
    std::array<std::string, 7> bytes;
  };
  static constexpr int kContactColumns = 14;
  using QuantisedContact = std::array<std::int64_t, kContactColumns>;
  struct PlacedContact {
    std::array<int, 4> key;  // shapes, bodies
    int rank = 0;            // among those with the same key
    QuantisedContact numbers = {};
  };

  using ContactColumns = std::array<std::string, kContactColumns>;
  // How contacts are reduced in a file that would be too large.
  struct Thinning {
    int coarser = 1;  // factor of the steps of positions and forces
    int every = 1;    // number of frames for which contacts are held
  };

  void add_pose(const ViewPose& pose, BodyColumns* body) const;
  void add_contacts(const std::vector<ViewContact>& contacts);
  void add_polygons(const ViewPolygons& polygons);
  // Of all frames; empty where there are none, or too many.
  std::string packed_polygons(std::size_t most) const;
  void thin_out(const Thinning& by, std::string* counts, ContactColumns* columns) const;
  std::string packed(const Thinning& by, const std::string& counts, const ContactColumns& columns,
                     const std::string& polygons) const;

  std::vector<std::string> names_;
  TrackScales scales_;
  std::vector<double> times_;
  std::vector<BodyColumns> bodies_;
  std::vector<std::vector<float>> values_;  // by name
  std::string contact_counts_;
  ContactColumns contact_columns_;
  std::vector<PlacedContact> last_contacts_, contacts_;
  std::vector<std::string> polygons_;  // by frame
  bool has_polygons_ = false;
};

}  // namespace stiction::viewer
