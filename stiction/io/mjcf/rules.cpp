#include "stiction/io/mjcf/rules.h"

#include <algorithm>
#include <unordered_map>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/values.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

// Of a type of the schema; words are separated by spaces.
struct Needs {
  const char* type;
  const char* needed;    // a|b: one of them
  const char* excluded;  // a/b: at most one of them
  const char* together;  // a&b: both or none
};

constexpr Needs kNeeds[] = {
    {"hfield", "size", "", ""},
    {"material", "name", "", ""},
    {"layer", "texture role", "", ""},
    {"config", "key value", "", ""},
    {"instance", "name", "", ""},
    {"flexcomp", "name", "", ""},
    {"camera", "", "fovy/sensorsize", ""},
    {"default_camera", "", "fovy/sensorsize", ""},
    {"light", "", "directional/type", ""},
    {"default_light", "", "directional/type", ""},
    {"connect", "", "site1/body1 site1/anchor", "site1&site2"},
    {"weld", "", "site1/body1 site1/anchor site1/relpose", "site1&site2"},
    {"position", "", "kv/dampratio", ""},
    {"intvelocity", "", "kv/dampratio", ""},
    {"actuator_plugin", "plugin|instance", "", ""},
    {"site_sensor", "site", "", ""},
    {"camprojection", "site camera", "", ""},
    {"rangefinder", "site|camera", "site/camera", ""},
    {"joint_sensor", "joint", "", ""},
    {"tendon_sensor", "tendon", "", ""},
    {"actuator_sensor", "actuator", "", ""},
    {"frame_sensor", "objtype objname", "", "reftype&refname"},
    {"frame_acceleration_sensor", "objtype objname", "", ""},
    {"subtree_sensor", "body", "", ""},
    {"insidesite", "site objtype objname", "", ""},
    {"distance_sensor", "geom1|body1 geom2|body2", "geom1/body1 geom2/body2", ""},
    {"user", "dim", "", "objtype&objname"},
    {"tactile", "geom mesh", "", ""},
    {"numeric", "name size|data", "", ""},
    {"text", "name data", "", ""},
    {"tuple", "name", "", ""},
    {"element", "objtype objname", "", ""},
};

// Words of an attribute; those of lists stand in their order.
struct Words {
  const char* attributes;  // TYPE.ATTRIBUTE, or *.ATTRIBUTE for all types
  const char* words;
};

constexpr const char* kFrames = "body xbody geom site camera";
constexpr const char* kYesOrNo = "false true";
constexpr Words kWords[] = {
    {"compiler.discardvisual compiler.usethread compiler.fusestatic compiler.saveinertial "
     "compiler.savecompiled compiler.savecanonical lengthrange.useexisting lengthrange.uselimit "
     "mesh.smoothnormal *.hflip *.vflip *.texuniform *.castshadow *.directional global.orthographic "
     "global.ellipsoidinertia global.bvactive",
     kYesOrNo},
    {"compiler.conflict", "warning merge error"},
    {"compiler.passthrough", "none textures"},
    {"lengthrange.mode", "none muscle muscleuser all"},
    {"option.jacobian", "dense sparse auto"},
    {"texture.colorspace default_texture.colorspace", "auto linear sRGB"},
    {"texture.mark default_texture.mark", "none edge cross random"},
    {"layer.role", "rgb occlusion roughness metallic opacity emissive normal orm rgba"},
    {"body.sleep", "auto never allowed init"},
    {"body.simple body.fuse", "false auto"},
    {"frame.scaling", "similar geometry"},
    {"camera.projection default_camera.projection", "perspective orthographic"},
    {"camera.output default_camera.output", "rgb depth distance normal segmentation"},
    {"light.type default_light.type", "spot directional point image"},
    {"*.interp", "zoh linear cubic"},
    {"pid.input dcmotor.input", "none pos vel ff voltage"},
    {"orientation.input", "expmap quat"},
    {"frame_sensor.objtype frame_sensor.reftype frame_acceleration_sensor.objtype insidesite.objtype",
     kFrames},
    {"rangefinder.data", "dist dir origin point normal depth"},
    {"sensor_contact.data", "found force torque dist pos normal tangent linvel angvel"},
    {"user.datatype", "real positive axis quaternion"},
    {"user.needstage", "pos vel acc"},
};
// Of these, several words may be given; *: in their order, none twice.
constexpr const char* kLists = "camera.output pid.input dcmotor.input rangefinder.data* sensor_contact.data*";

enum class Bound { positive, not_negative };
struct Bounds {
  const char* attributes;
  Bound bound;
};
constexpr Bounds kBounds[] = {
    {"statistic.extent map.znear sensor_contact.num", Bound::positive},
    {"*.cutoff *.noise *.dampratio *.tausmooth position.timeconst position.kv intvelocity.kv damper.kv "
     "adhesion.gain numeric.size",
     Bound::not_negative},
};
// Not these: of lights cutoff is an angle.
constexpr const char* kUnbounded = "light.cutoff default_light.cutoff";

// Elements of which there is one at most.
constexpr const char* kOnce =
    "option.flag visual.global visual.quality visual.headlight visual.map visual.scale visual.rgba "
    "compiler.lengthrange flexcomp.edge flexcomp.elasticity flexcomp.contact";

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string> words = words_of(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The parts of a word of the table.
std::vector<std::string> split(std::string_view word, char at) {
  std::vector<std::string> parts(1);
  for (const char c : word) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string joined(const std::vector<std::string>& names, const char* between) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "'" : between) + name + "'";
  return out;
}

void check_needs(const MjcfElement& element, const Needs& needs) {
  // A text may be of blanks, which count as nothing elsewhere.
  const auto has = [&](const std::string& name) {
    return element.find(name) != nullptr || !element.source.string(name, "").empty();
  };
  for (const std::string& word : words_of(needs.needed)) {
    const std::vector<std::string> names = split(word, '|');
    if (std::none_of(names.begin(), names.end(), has))
      element.source.fail(format("attribute {} is required", joined(names, " or '")));
  }
  for (const std::string& word : words_of(needs.excluded)) {
    const std::vector<std::string> names = split(word, '/');
    if (std::all_of(names.begin(), names.end(), has))
      element.source.fail(names[1], format("cannot be given together with '{}'", names[0]));
  }
  for (const std::string& word : words_of(needs.together)) {
    const std::vector<std::string> names = split(word, '&');
    if (has(names[0]) != has(names[1]))
      element.source.fail(format("attributes {} go together", joined(names, " and '")));
  }
}

void check_words(const MjcfElement& element, const std::string& name, const std::string& key,
                 const char* known) {
  const std::string text = MjcfAttribute{name, element.source}.source.string(name);
  const std::vector<std::string> words = words_of(known), given = words_of(text);
  const bool is_ordered = has_word(kLists, key + "*"), is_list = is_ordered || has_word(kLists, key);
  if (!is_list && given.size() > 1) element.source.fail(name, format("'{}' is not one word", text));
  auto last = words.begin();
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto found = std::find(words.begin(), words.end(), given[i]);
    if (found == words.end()) element.source.fail(name, unknown_name_message("word", given[i], words));
    if (is_ordered && i > 0 && found <= last)
      element.source.fail(
          name, format("'{}' stands behind '{}': the order is '{}'", given[i], given[i - 1], known));
    last = found;
  }
}

void check_bound(const MjcfElement& element, const std::string& name, Bound bound) {
  const MjcfValues values(element);
  const double number = values.numbers(name, 1, 1)[0];
  if (bound == Bound::positive && !(number > 0.0)) values.fail(name, "must be positive");
  if (bound == Bound::not_negative && number < 0.0) values.fail(name, "must not be negative");
}

// What there is to check of TYPE.ATTRIBUTE.
struct Checks {
  const char* words = nullptr;
  const Bound* bound = nullptr;
};

const std::unordered_map<std::string, Checks>& all_checks() {
  static const std::unordered_map<std::string, Checks> table = [] {
    std::unordered_map<std::string, Checks> out;
    for (const Words& row : kWords)
      for (const std::string& key : words_of(row.attributes)) out[key].words = row.words;
    for (const Bounds& row : kBounds)
      for (const std::string& key : words_of(row.attributes)) out[key].bound = &row.bound;
    return out;
  }();
  return table;
}

const std::unordered_map<std::string, const Needs*>& all_needs() {
  static const std::unordered_map<std::string, const Needs*> table = [] {
    std::unordered_map<std::string, const Needs*> out;
    for (const Needs& row : kNeeds) out[row.type] = &row;
    return out;
  }();
  return table;
}

}  // namespace

void check_rules(const MjcfElement& element, const std::string& type) {
  if (const auto needs = all_needs().find(type); needs != all_needs().end())
    check_needs(element, *needs->second);
  for (const MjcfAttribute& attribute : element.attributes) {
    const std::string own = type + "." + attribute.name;
    for (const std::string& key : {own, "*." + attribute.name}) {
      const auto found = all_checks().find(key);
      if (found == all_checks().end()) continue;
      if (found->second.words != nullptr) check_words(element, attribute.name, own, found->second.words);
      if (found->second.bound != nullptr && !has_word(kUnbounded, own))
        check_bound(element, attribute.name, *found->second.bound);
    }
  }
  for (auto child = element.children.begin(); child != element.children.end(); ++child) {
    if (!has_word(kOnce, element.tag + "." + child->tag)) continue;
    if (std::any_of(element.children.begin(), child,
                    [&](const MjcfElement& c) { return c.tag == child->tag; }))
      child->source.fail(format("a <{}> has only one", element.tag));
  }
}

}  // namespace stiction
