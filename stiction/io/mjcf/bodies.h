#pragma once
// The kinematic tree of an MJCF model: bodies, frames, joints, geoms, sites, cameras and lights.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "stiction/io/mjcf/assets.h"
#include "stiction/io/mjcf/names.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// Reasons of the report that several readers give.
inline constexpr const char* kForDisplayOnly = "for display only; kept in the model's elements";
inline constexpr const char* kNotUsed = "not used";

// A joint's spring and damper given by its time constant (s) and damping ratio: set once the inertia that the
// joint moves is known.
struct SpringDamper {
  std::string joint;
  double time_constant = 0.0, damping_ratio = 0.0;
};

struct MjcfBody {
  Body body;
  bool is_mocap = false;
  Mat3 R_BI = Mat3::Identity();                     // axes of its inertial frame
  std::optional<XmlElement> source = std::nullopt;  // none: the world
};

// Everything of the tree, in depth-first order; bodies[0] is the world.
struct MjcfScene {
  std::vector<MjcfBody> bodies;
  std::vector<Frame> frames;
  std::vector<PlacedShape> shapes;
  std::vector<std::string> geom_names;  // of the shapes, and of the meshes that were not wanted
  std::vector<SpringDamper> spring_dampers;
  // Of attached models, by MjcfElement::attachment: their bodies, and the first of their actuators.
  std::map<int, std::pair<std::size_t, std::size_t>> attached_bodies;
  std::map<int, std::size_t> attached_actuators;
  std::vector<std::string> deformables;  // names of flexcomp elements, whose bodies are not simulated
  bool leaves_out_actuators = false;     // some act on deformables
  Elements elements;
};

class MjcfBodyReader {
 public:
  MjcfBodyReader(MjcfAssets* assets, const MjcfOptions& options, MjcfScene* scene);

  // All worldbody sections of a model.
  void read(const std::vector<const MjcfElement*>& worlds);

 private:
  // Where an element stands: the body, its frame in it, and the default class of bodies and frames around.
  struct Place {
    int body = 0;
    Pose X_BF;
    std::string childclass;
  };
  // A body while it is read.
  struct Open {
    const MjcfElement* inertial = nullptr;
    Pose X_BF_of_inertial;  // of the frame that it stands in
    Inertia from_geoms;
    int num_masses = 0;                 // geoms that add to it
    Mat3 R_of_mass = Mat3::Identity();  // rotation of the last of them
    int num_geoms = 0, num_sites = 0;
    bool aligns = false;  // its free joint has align="true"
  };

  void read_children(const MjcfElement& element, const Place& place, Open* open);
  void find_inertial(const MjcfElement& element, const Pose& X_BF, Open* open) const;
  void read_body(const MjcfElement& element, const Place& place);
  void read_frame(const MjcfElement& element, const Place& place, Open* open);
  void read_joint(const MjcfElement& element, const Place& place, Open* open);
  void read_free_joint(const MjcfElement& element, const Place& place, Open* open);
  void add_joint(const MjcfElement& element, const Place& place, Joint joint);
  void read_geom(const MjcfElement& element, const Place& place, Open* open);
  void read_site(const MjcfElement& element, const Place& place, Open* open);
  void read_camera(const MjcfElement& element, const Place& place);
  void read_light(const MjcfElement& element, const Place& place);

  // The element's name, which must be new, or one made up from the body's.
  std::string name_of_element(const MjcfElement& element, const std::string& kind,
                              const std::string& made_up);
  void set_inertia(const MjcfElement& element, const Open& open, MjcfBody* body) const;
  // Puts the frame of a free body to its centre of mass and principal axes (freejoint/align).
  void align_with_inertia(int body);

  MjcfAssets* assets_;
  const MjcfOptions& options_;
  MjcfScene* scene_;
  MjcfNames taken_;  // by the file; made-up names avoid them
  MjcfNames given_;  // to elements read so far
};

// How a geom touches and looks, and what of it does not act.
ShapeProperties read_shape_properties(const MjcfValues& values, const Elements& elements);
// Throws unless a contact may have so many rows.
void check_condim(const MjcfValues& values, int condim);
// The name of the material of an element, which must be there.
std::string material_of(const MjcfValues& values, const Elements& elements);
// How many sizes a primitive has.
int num_mjcf_sizes(const std::string& type);
// What the report says of the contact numbers of a geom or a pair: where they differ from MuJoCo's meaning.
void report_contact_numbers(const MjcfValues& values, const SolverReference& solref);

// A geom's form and where it stands in its frame: from its type, sizes, fromto, mesh or height field.
struct GeomForm {
  Shape shape;
  Pose X_FG;
};
GeomForm read_geom_form(const MjcfValues& values, bool collides, const MjcfOptions& options,
                        MjcfAssets* assets);
// Its inertia in its own frame.
Inertia read_geom_inertia(const MjcfValues& values, const Shape& shape, MjcfAssets* assets);

// A hinge, slide, ball or free joint in the frame of its body.
Joint read_joint_values(const MjcfValues& values, const Pose& X_BF, SpringDamper* spring_damper,
                        JointActuation* actuation);

// The ends of a capsule, cylinder, box or ellipsoid as a pose and half its length.
struct Segment {
  Pose X;
  double half_length = 0.0;
};
Segment read_fromto(const MjcfValues& values);

}  // namespace stiction
