#pragma once
// A run, packed for the viewer's page: quantised columns of differences, deflated (docs/viewer_protocol.md).
//
//   x_i = round(number_i / step),   stored: x_0, x_1 - x_0, then x_i - 2 x_(i-1) + x_(i-2),
//
// which is small wherever a body moves smoothly and zero where it rests. Contacts keep their place from frame
// to frame as long as they last, so that their differences are small too. Where many bodies tumble all the
// time, contacts are most of the file: one that would be too large has them rounded more, and then held for
// some frames.

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
// Fine enough for the eye: shares of the size of what is seen and of the weight of a mean body.
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
  // The columns of a body begin where it first moves.
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
  // How contacts are thinned out in a file that would be too large.
  struct Thinning {
    int coarser = 1;  // times the steps of places and forces
    int every = 1;    // frames for which contacts are held
  };

  void add_pose(const ViewPose& pose, BodyColumns* body) const;
  void add_contacts(const std::vector<ViewContact>& contacts);
  void thin_out(const Thinning& by, std::string* counts, ContactColumns* columns) const;
  std::string packed(const Thinning& by, const std::string& counts, const ContactColumns& columns) const;

  std::vector<std::string> names_;
  TrackScales scales_;
  std::vector<double> times_;
  std::vector<BodyColumns> bodies_;
  std::vector<std::vector<float>> values_;  // by name
  std::string contact_counts_;
  ContactColumns contact_columns_;
  std::vector<PlacedContact> last_contacts_, contacts_;
};

}  // namespace stiction::viewer
