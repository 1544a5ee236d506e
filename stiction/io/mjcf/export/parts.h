#pragma once
// The parts of the MJCF writer: the tree of XML elements that becomes the text, and what they share.

#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stiction/io/mjcf/export/export.h"

namespace stiction {

// An element of the file that is being made.
struct MjcfNode {
  std::string tag;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::list<MjcfNode> children;  // a list, so that references to them stay valid

  MjcfNode& add(const std::string& child_tag);
  // The shortest text that reads back as the same bits.
  MjcfNode& set(const char* attribute, const std::string& value);
  MjcfNode& set(const char* attribute, const char* value);
  MjcfNode& set(const char* attribute, bool value);
  MjcfNode& set(const char* attribute, int value);
  MjcfNode& set(const char* attribute, double value);
  MjcfNode& set(const char* attribute, std::span<const double> values);
  MjcfNode& set(const char* attribute, const Vec3& value);
  MjcfNode& set(const char* attribute, const Vec4& value);
  template <class Value, class Default>
  MjcfNode& set_unless(const char* attribute, const Value& value, const Default& usual) {
    return value == usual ? *this : set(attribute, value);
  }
  MjcfNode& set_pose(const Pose& X);  // pos and quat, where they are not those of the identity
};

std::string to_text(const MjcfNode& root);

struct ExportedMesh {
  std::string name;
  const void* source = nullptr;
};

// Names in MJCF, and what has been written so far. A thing is declared when it is written and can be referred
// to from then on; bodies are declared before all else.
class MjcfExport {
 public:
  MjcfExport(const Model& the_model, MjcfExportReport* report) : model(the_model), report_(report) {}

  const Model& model;
  std::vector<std::string> body_names;  // by body
  std::vector<ExportedMesh> meshes;
  // Where the meshes go as files, if they do: the folder's name, and text by file name.
  std::string mesh_folder;
  std::map<std::string, std::string> mesh_files;

  void approximate(const char* element, const char* attribute, const std::string& name,
                   const std::string& why);
  void ignore(const char* element, const char* attribute, const std::string& name, const std::string& why);

  // Keeps made-up names of this kind away from a name that comes later.
  void reserve(const std::string& kind, const std::string& name) { reserved_.insert({kind, name}); }
  // The name in MJCF: the same unless it is taken, empty or cannot be written, which is reported.
  std::string declare(const std::string& kind, const std::string& name);
  // Declares a thing that needs no name and sets its `name`, unless it is empty.
  void set_name(const std::string& kind, const std::string& name, MjcfNode* node);
  // A name that is not the model's: `wanted`, or with a number where that is taken.
  std::string make_up(const std::string& kind, const std::string& wanted);
  // What a name of the model is called in MJCF; nothing if it has not been written.
  std::optional<std::string> find(const std::string& kind, const std::string& name) const;
  // Sets the attribute to the thing's name, or reports that `owner` is left out and returns false.
  bool refer(const char* attribute, const std::string& kind, const std::string& name,
             const std::string& owner, MjcfNode* node);

 private:
  using Name = std::pair<std::string, std::string>;  // kind, name
  std::map<Name, std::string> declared_;
  std::set<Name> taken_, reserved_;
  MjcfExportReport* report_;
};

// `limited` and `range` of anything; a range that MuJoCo would refuse is reported and left out.
void set_range(const char* range_attribute, const char* limited_attribute, const Range& range,
               const std::string& name, MjcfExport* out, MjcfNode* node);

// Textures, materials, meshes and height fields; then geoms refer to them.
void write_assets(MjcfExport* out, MjcfNode* asset);
void write_geom(int shape, MjcfExport* out, MjcfNode* body, MjcfNode* asset);
// The world with everything on it.
void write_bodies(MjcfExport* out, MjcfNode* worldbody, MjcfNode* asset, MjcfNode* equality);
// The joints of one body, and equalities that couple them.
void write_joints(int body, MjcfExport* out, MjcfNode* node, MjcfNode* equality);
void write_contact(MjcfExport* out, MjcfNode* contact);
void write_tendons(MjcfExport* out, MjcfNode* tendon);
void write_equalities(MjcfExport* out, MjcfNode* equality);
void write_actuators(MjcfExport* out, MjcfNode* actuator);
void write_sensors(MjcfExport* out, MjcfNode* sensor);
void write_custom(MjcfExport* out, MjcfNode* custom);
void write_keyframes(MjcfExport* out, MjcfNode* keyframe);

}  // namespace stiction
