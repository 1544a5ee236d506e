#include "stiction/io/mjcf/expand.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/names.h"
#include "stiction/io/mjcf/values.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

constexpr int kMaxAttachDepth = 16;  // models attached to attached models
constexpr int kMaxReplicas = 1'000'000;

bool is_section_with_references(const std::string& tag) {
  static const std::vector<std::string> tags = {"contact",  "tendon", "equality",
                                                "actuator", "sensor", "custom"};
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

MjcfElement frame_at(const MjcfElement& origin, const Vec3& p, const Vec4& q) {
  MjcfElement frame{"frame", origin.source, {}, {}, origin.context};
  frame.attributes.push_back({"pos", origin.source, format("{} {} {}", p[0], p[1], p[2])});
  frame.attributes.push_back({"quat", origin.source, format("{} {} {} {}", q[0], q[1], q[2], q[3])});
  return frame;
}

class Expansion {
 public:
  Expansion(MjcfModel* model, MjcfFiles* files, int depth) : model_(model), files_(files), depth_(depth) {}

  void run() {
    // The bodies are rewritten while elements are added to sections, so the two are kept apart.
    std::vector<MjcfElement> worlds;
    if (attaches_itself(model_->root)) written_ = model_->root.children;
    for (MjcfElement& child : model_->root.children)
      (child.tag == "worldbody" ? worlds : sections_).push_back(std::move(child));
    for (MjcfElement& world : worlds) expand_children(&world, "");
    model_->root.children = std::move(sections_);
    for (MjcfElement& world : worlds) model_->root.children.push_back(std::move(world));
  }

 private:
  void expand_children(MjcfElement* parent, const std::string& childclass) {
    std::vector<MjcfElement> children;
    for (MjcfElement& child : parent->children) {
      const std::string own_class = child.value("childclass");
      expand_children(&child, own_class.empty() ? childclass : own_class);
      if (child.tag == "replicate")
        replicate(child, &children);
      else if (child.tag == "attach")
        attach(child, &children);
      else
        children.push_back(std::move(child));
    }
    parent->children = std::move(children);
  }

  void replicate(const MjcfElement& element, std::vector<MjcfElement>* into) {
    element.source.honour();
    const MjcfValues values(element);
    if (!values.has("count")) values.fail("attribute 'count' is required");
    const int count = values.integer("count", 0);
    if (count < 0 || count > kMaxReplicas) values.fail("count", format("must be 0 to {}", kMaxReplicas));
    const Vec3 offset = values.vec3("offset", Vec3::Zero()), euler = values.vec3("euler", Vec3::Zero());
    const std::string separator = values.string("sep");
    values.ignore("prefix", "copies are named by their number alone, as in MuJoCo");

    files_->count(element, count);

    // Everything that has to be copied: what is inside, and what refers to it, and so on.
    MjcfNames copied;
    for (const MjcfElement& child : element.children) collect_names(child, "worldbody", &copied);
    std::set<const MjcfElement*> touched;
    while (touch_referring(&copied, &touched)) {
    }

    Vec3 p = Vec3::Zero();
    std::vector<std::string> suffixes;
    const std::size_t digits = std::to_string(count).size();
    for (int i = 0; i < count; ++i) {
      std::string number = std::to_string(i);
      number.insert(0, digits - number.size(), '0');
      suffixes.push_back(separator + number);
      Vec3 angles = double(i) * euler;
      for (double& a : angles) a = values.angle(a);
      const Mat3 R = rotation_from_euler(element.context->compiler.eulerseq, angles);
      MjcfElement frame = frame_at(element, p, quaternion_from_rotation(R));
      if (const MjcfAttribute* childclass = element.find("childclass"))
        frame.attributes.push_back(*childclass);
      for (MjcfElement copy : element.children) {
        add_suffix(copied, suffixes.back(), "worldbody", &copy);
        frame.children.push_back(std::move(copy));
      }
      into->push_back(std::move(frame));
      p += R * offset;
    }
    copy_touched(touched, copied, suffixes);
  }

  // Adds what refers to a name in the set; false when nothing new does.
  bool touch_referring(MjcfNames* copied, std::set<const MjcfElement*>* touched) {
    bool found = false;
    for (MjcfElement& section : sections_) {
      if (!is_section_with_references(section.tag)) continue;
      for (MjcfElement& element : section.children) {
        if (touched->count(&element) > 0) continue;
        bool refers = false;
        for_each_reference(&element, [&](const std::string& kind, MjcfAttribute* attribute) {
          refers = refers || copied->count({kind, attribute->value()}) > 0;
        });
        if (!refers) continue;
        touched->insert(&element);
        collect_names(element, section.tag, copied);
        found = true;
      }
    }
    return found;
  }

  // Copy after copy, behind everything that is not copied, as MuJoCo orders them.
  void copy_touched(const std::set<const MjcfElement*>& touched, const MjcfNames& copied,
                    const std::vector<std::string>& suffixes) {
    std::vector<MjcfElement> copies;
    for (MjcfElement& section : sections_) {
      MjcfElement taken{section.tag, section.source, {}, {}, section.context}, left = taken;
      left.attributes = section.attributes;
      for (MjcfElement& element : section.children)
        (touched.count(&element) > 0 ? taken : left).children.push_back(std::move(element));
      section = std::move(left);
      if (!taken.children.empty()) copies.push_back(std::move(taken));
    }
    for (const std::string& suffix : suffixes) {
      for (const MjcfElement& section : copies) {
        files_->count(section);
        sections_.push_back(section);
        for (MjcfElement& element : sections_.back().children)
          add_suffix(copied, suffix, section.tag, &element);
      }
    }
  }

  static void add_suffix(const MjcfNames& copied, const std::string& suffix, const std::string& section,
                         MjcfElement* element) {
    rename(element, section,
           [&](const MjcfName& name) { return copied.count(name) > 0 ? name.second + suffix : name.second; });
  }

  void attach(const MjcfElement& element, std::vector<MjcfElement>* into) {
    element.source.honour();
    const MjcfValues values(element);
    if (values.has("body") && values.has("frame")) values.fail("frame", "a body is attached already");
    const std::string prefix = values.string("prefix");
    const bool is_self = !values.has("model");
    if (is_self && !values.has("body") && !values.has("frame"))
      values.fail("a part of the model that is attached to itself needs a 'body' or 'frame'");
    if (!is_self && attaches_other_format(element, values.string("model"))) return;
    MjcfModel child = is_self ? MjcfModel{{"mujoco", element.source, {}, written_, element.context}, {}, {}}
                              : read_child(element, values.string("model"));
    const int attachment = is_self ? -1 : take_attachments(prefix, &child);

    // The part of the other model that is attached, and its default class, which does not depend on ours.
    const std::string tag = values.has("frame") ? "frame" : "body", name_of_part = values.string(tag);
    std::vector<MjcfElement> part;
    for (MjcfElement& section : child.root.children) {
      if (section.tag != "worldbody") continue;
      section.source.honour();
      if (name_of_part.empty())
        std::move(section.children.begin(), section.children.end(), std::back_inserter(part));
      else
        find_part(section, {tag, name_of_part}, "main", !is_self, &part);
      if (attachment >= 0 && !name_of_part.empty())
        count_before(section, {tag, name_of_part}, "main", &model_->attachments[std::size_t(attachment)]);
    }
    if (part.empty()) values.fail(tag, format("the model has no {} '{}'", tag, name_of_part));
    if (is_self) expand_part(element, &part);
    MjcfNames names;
    for (const MjcfElement& item : part) collect_names(item, "worldbody", &names);

    const auto prefixed = [&](const MjcfName& name) {
      return name == MjcfName{"body", "world"} ? name.second : prefix + name.second;
    };
    MjcfElement frame{"frame", element.source, {}, {}, child.root.context};
    frame.attributes.push_back({"childclass", element.source, "main"});
    frame.attachment = attachment;
    for (MjcfElement& item : part) {
      rename(&item, "worldbody", prefixed);
      frame.children.push_back(std::move(item));
    }
    files_->count(frame);
    into->push_back(std::move(frame));
    if (is_self) return copy_own_sections(child.root, names, prefixed);
    adopt_sections(&child.root, names, attachment, prefixed);
    for (const std::shared_ptr<MjcfContext>& context : child.contexts) {
      context->prefix = prefix + context->prefix;
      // The outer model may use their classes, under the prefix.
      MjcfContext& ours = *model_->contexts[0];
      for (const auto& [name, its_class] : context->classes)
        if (!context->prefix.empty()) ours.classes.insert({context->prefix + name, its_class});
      model_->contexts.push_back(context);
    }
  }

  // Takes over the attachments of an attached model, and its own if it has keyframes; returns the latter.
  int take_attachments(const std::string& prefix, MjcfModel* child) {
    std::vector<MjcfAttachment>& ours = model_->attachments;
    shift_attachments(int(ours.size()), &child->root);
    for (MjcfAttachment& theirs : child->attachments) {
      theirs.prefix = prefix + theirs.prefix;
      ours.push_back(std::move(theirs));
    }
    MjcfAttachment own;
    own.prefix = prefix;
    for (const MjcfElement& section : child->root.children)
      if (section.tag == "keyframe")
        own.keys.insert(own.keys.end(), section.children.begin(), section.children.end());
    if (own.keys.empty()) return -1;
    ours.push_back(std::move(own));
    return int(ours.size()) - 1;
  }

  static void shift_attachments(int by, MjcfElement* element) {
    if (element->attachment >= 0) element->attachment += by;
    for (MjcfElement& child : element->children) shift_attachments(by, &child);
  }

  // Counts positions and velocities of joints in the order of bodies up to a part; true when it is reached.
  static bool count_before(const MjcfElement& body, const MjcfName& part, const std::string& childclass,
                           MjcfAttachment* attachment) {
    count_joints(body, childclass, attachment);
    return count_bodies(body, part, childclass, attachment);
  }
  static void count_joints(const MjcfElement& element, const std::string& childclass,
                           MjcfAttachment* attachment) {
    for (const MjcfElement& child : element.children) {
      const std::string own_class = child.value("childclass");
      if (child.tag == "frame") count_joints(child, own_class.empty() ? childclass : own_class, attachment);
      if (child.tag != "joint" && child.tag != "freejoint") continue;
      const std::string type =
          child.tag == "freejoint" ? "free" : with_class(child, childclass).string("type");
      attachment->q_before += type == "free" ? 7 : type == "ball" ? 4 : 1;
      attachment->v_before += type == "free" ? 6 : type == "ball" ? 3 : 1;
    }
  }
  static bool count_bodies(const MjcfElement& element, const MjcfName& part, const std::string& childclass,
                           MjcfAttachment* attachment) {
    for (const MjcfElement& child : element.children) {
      if (child.tag != "body" && child.tag != "frame") continue;
      if (child.tag == part.first && child.value("name") == part.second) return true;
      const std::string own_class = child.value("childclass");
      const std::string& inherited = own_class.empty() ? childclass : own_class;
      if (child.tag == "body" ? count_before(child, part, inherited, attachment)
                              : count_bodies(child, part, inherited, attachment))
        return true;
    }
    return false;
  }

  // Whether the model is a URDF file, which MuJoCo attaches and we do not: reported.
  bool attaches_other_format(const MjcfElement& element, const std::string& name) {
    for (const MjcfElement& section : sections_) {
      if (section.tag != "asset") continue;
      for (const MjcfElement& asset : section.children) {
        if (asset.tag != "model" || asset.context != element.context || asset.value("name") != name) continue;
        if (mjcf_path(asset.value("file")).extension() != ".urdf") continue;
        element.source.ignore_all("attaches a URDF file; only MJCF files are attached");
        return true;
      }
    }
    return false;
  }

  MjcfModel read_child(const MjcfElement& element, const std::string& name) {
    if (!files_->options().allow_files) element.source.fail("files are not allowed here");
    if (depth_ >= kMaxAttachDepth)
      element.source.fail(format("models are attached to each other more than {} deep", kMaxAttachDepth));
    std::vector<std::string> names;
    for (const MjcfElement& section : sections_) {
      if (section.tag != "asset") continue;
      for (const MjcfElement& asset : section.children) {
        if (asset.tag != "model" || asset.context != element.context) continue;
        const std::filesystem::path file_name = mjcf_path(asset.value("file"));
        std::filesystem::path file = asset.context->folder / file_name;
        std::error_code missing;
        if (!asset.include_folder.empty() && !std::filesystem::exists(file, missing))
          file = asset.context->folder / asset.include_folder / file_name;
        if (asset.find("name") != nullptr && asset.value("name") != name) {
          names.push_back(asset.value("name"));
          continue;
        }
        asset.source.honour();
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file, ignored))
          asset.source.fail("file", format("there is no file '{}'", file.string()));
        MjcfModel child = read_mjcf_model(file, files_, depth_ + 1);
        // Without a name, a model is called what its own file calls it.
        if (asset.find("name") != nullptr || child.root.value("model") == name) return child;
        names.push_back(child.root.value("model"));
      }
    }
    element.source.fail("model", unknown_name_message("model", name, names));
  }

  static bool attaches_itself(const MjcfElement& element) {
    if (element.tag == "attach" && element.find("model") == nullptr) return true;
    return std::any_of(element.children.begin(), element.children.end(), attaches_itself);
  }

  // A part of the model's own tree may have copies inside; one that attaches itself never ends.
  void expand_part(const MjcfElement& element, std::vector<MjcfElement>* part) {
    if (++self_depth_ > kMaxAttachDepth)
      element.source.fail(format("parts of the model are attached more than {} deep", kMaxAttachDepth));
    MjcfElement holder{"frame", element.source, {}, std::move(*part), element.context};
    expand_children(&holder, "");
    *part = std::move(holder.children);
    --self_depth_;
  }

  // Copies of what refers to the part, and to nothing else but the world.
  void copy_own_sections(const MjcfElement& root, const MjcfNames& part,
                         const std::function<std::string(const MjcfName&)>& prefixed) {
    MjcfNames names = part;
    for (const MjcfElement& section : root.children) {
      if (!is_section_with_references(section.tag)) continue;
      MjcfElement copies{section.tag, section.source, {}, {}, section.context};
      for (MjcfElement element : section.children) {
        bool is_about = false, complete = true;
        for_each_reference(&element, [&](const std::string& kind, MjcfAttribute* attribute) {
          const MjcfName name = {kind, attribute->value()};
          const bool is_inside = names.count(name) > 0;
          is_about = is_about || is_inside;
          complete = complete && (is_inside || name == MjcfName{"body", "world"});
        });
        if (!is_about || !complete) continue;
        collect_names(element, section.tag, &names);
        rename(&element, section.tag, prefixed);
        copies.children.push_back(std::move(element));
      }
      files_->count(copies);
      if (!copies.children.empty()) sections_.push_back(std::move(copies));
    }
  }

  // The body or frame with its childclass; its siblings, and those of the elements above it, are left out.
  bool find_part(const MjcfElement& parent, const MjcfName& part, const std::string& childclass,
                 bool reports_others, std::vector<MjcfElement>* found) {
    const MjcfElement* way = nullptr;
    for (const MjcfElement& child : parent.children) {
      const std::string own_class = child.value("childclass");
      const std::string inherited = own_class.empty() ? childclass : own_class;
      if (child.tag == part.first && child.value("name") == part.second) {
        found->push_back(child);
        if (own_class.empty()) found->back().attributes.push_back({"childclass", child.source, inherited});
        way = &child;
      } else if (find_part(child, part, inherited, reports_others, found)) {
        way = &child;
      }
      if (way != nullptr) break;
    }
    if (way == nullptr) return false;
    for (const MjcfElement& child : parent.children)
      if (&child != way && reports_others)
        child.source.ignore_all("not in the part of the model that is attached");
    return true;
  }

  // Takes over the assets, and of the other sections what refers to nothing that was left out.
  void adopt_sections(MjcfElement* child, MjcfNames names, int attachment,
                      const std::function<std::string(const MjcfName&)>& prefixed) {
    for (const char* tag : {"asset", "contact", "tendon", "equality", "actuator", "sensor", "custom"}) {
      for (MjcfElement& section : child->children) {
        if (section.tag != tag) continue;
        MjcfElement adopted{section.tag, section.source, {}, {}, section.context};
        for (MjcfElement& element : section.children) {
          bool complete = true;
          for_each_reference(&element, [&](const std::string& kind, MjcfAttribute* attribute) {
            const MjcfName name = {kind, attribute->value()};
            complete = complete && (names.count(name) > 0 || name == MjcfName{"body", "world"});
          });
          if (section.tag == "actuator" && attachment >= 0) {
            model_->attachments[std::size_t(attachment)].has_actuator.push_back(complete);
            element.attachment = attachment;
          }
          if (section.tag != "asset" && !complete) {
            element.source.ignore_all("refers to a part of its model that is not attached");
            continue;
          }
          if (section.tag != "asset") {
            collect_names(element, section.tag, &names);
            rename(&element, section.tag, prefixed);
          }
          adopted.children.push_back(std::move(element));
        }
        sections_.push_back(std::move(adopted));
      }
    }
    for (const char* tag : {"option", "size", "visual", "statistic", "extension"})
      for (const MjcfElement& section : child->children)
        if (section.tag == tag) section.source.ignore_all("of an attached model; the outer model's count");
    for (const MjcfElement& section : child->children)
      if (section.tag == "keyframe") section.source.honour();
    child->source.honour();
    child->value("model");
  }

  MjcfModel* model_;
  MjcfFiles* files_;
  int depth_, self_depth_ = 0;
  std::vector<MjcfElement> sections_;
  std::vector<MjcfElement> written_;  // all sections as they are written, if parts of them are attached again
};

MjcfModel expanded(MjcfElement root, const std::filesystem::path& file, MjcfFiles* files, int depth) {
  MjcfModel model{std::move(root), {}, {}};
  model.contexts.push_back(make_context(&model.root, file));
  Expansion(&model, files, depth).run();
  return model;
}

}  // namespace

MjcfModel read_mjcf_model(const std::filesystem::path& file, MjcfFiles* files, int depth) {
  return expanded(files->read(file), file, files, depth);
}

MjcfModel parse_mjcf_model(std::string_view text, const std::filesystem::path& file, MjcfFiles* files) {
  return expanded(files->parse(text, file), file, files, 0);
}

}  // namespace stiction
