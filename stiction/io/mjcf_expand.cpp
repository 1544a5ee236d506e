#include "stiction/io/mjcf_expand.h"

#include <algorithm>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/io/mjcf_names.h"
#include "stiction/io/mjcf_values.h"
#include "stiction/simulation/name_lookup.h"

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
    // The bodies are rewritten while sections grow, so the two are kept apart.
    std::vector<MjcfElement> worlds;
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
    if (count < 1 || count > kMaxReplicas) values.fail("count", format("must be 1 to {}", kMaxReplicas));
    const Vec3 offset = values.vec3("offset", Vec3::Zero()), euler = values.vec3("euler", Vec3::Zero());
    const std::string separator = values.string("sep");

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
      for (MjcfElement copy : element.children) {
        add_suffix(copied, suffixes.back(), "worldbody", &copy);
        frame.children.push_back(std::move(copy));
      }
      files_->count(frame);
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

  void copy_touched(const std::set<const MjcfElement*>& touched, const MjcfNames& copied,
                    const std::vector<std::string>& suffixes) {
    for (MjcfElement& section : sections_) {
      std::vector<MjcfElement> children;
      for (MjcfElement& element : section.children) {
        if (touched.count(&element) == 0) {
          children.push_back(std::move(element));
          continue;
        }
        for (const std::string& suffix : suffixes) {
          children.push_back(element);
          files_->count(element);
          add_suffix(copied, suffix, section.tag, &children.back());
        }
      }
      section.children = std::move(children);
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
    if (values.has("frame")) values.fail("frame", "attaching a frame of another model is not supported");
    if (!values.has("model")) values.fail("attaching a part of the model to itself is not supported");
    if (!values.has("prefix")) values.fail("attribute 'prefix' is required");
    const std::string prefix = values.string("prefix"), body = values.string("body");
    MjcfModel child = read_child(element, values.string("model"));

    // The part of the other model that comes along, and its default class, which does not depend on ours.
    std::vector<MjcfElement> part;
    for (MjcfElement& section : child.root.children) {
      if (section.tag != "worldbody") continue;
      section.source.honour();
      if (body.empty())
        std::move(section.children.begin(), section.children.end(), std::back_inserter(part));
      else
        find_body(section, body, "main", &part);
    }
    if (part.empty()) values.fail("body", format("the model has no body '{}'", body));
    MjcfNames names;
    for (const MjcfElement& item : part) collect_names(item, "worldbody", &names);

    const auto prefixed = [&](const MjcfName& name) {
      return name == MjcfName{"body", "world"} ? name.second : prefix + name.second;
    };
    MjcfElement frame{"frame", element.source, {}, {}, child.root.context};
    frame.attributes.push_back({"childclass", element.source, "main"});
    for (MjcfElement& item : part) {
      rename(&item, "worldbody", prefixed);
      frame.children.push_back(std::move(item));
    }
    into->push_back(std::move(frame));
    adopt_sections(&child.root, names, prefixed);
    for (const std::shared_ptr<MjcfContext>& context : child.contexts) {
      context->prefix = prefix + context->prefix;
      model_->contexts.push_back(context);
    }
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
        const std::filesystem::path file = asset.context->folder / asset.value("file");
        if (asset.find("name") != nullptr && asset.value("name") != name) {
          names.push_back(asset.value("name"));
          continue;
        }
        asset.source.honour();
        MjcfModel child = read_mjcf_model(file, files_, depth_ + 1);
        // Without a name, a model is called what its own file calls it.
        if (asset.find("name") != nullptr || child.root.value("model") == name) return child;
        names.push_back(child.root.value("model"));
      }
    }
    element.source.fail("model", unknown_name_message("model", name, names));
  }

  // The body with its childclass; what stands beside it on the way there stays behind.
  bool find_body(const MjcfElement& parent, const std::string& name, const std::string& childclass,
                 std::vector<MjcfElement>* found) {
    const MjcfElement* way = nullptr;
    for (const MjcfElement& child : parent.children) {
      const std::string own_class = child.value("childclass");
      const std::string inherited = own_class.empty() ? childclass : own_class;
      if (child.tag == "body" && child.value("name") == name) {
        found->push_back(child);
        if (own_class.empty()) found->back().attributes.push_back({"childclass", child.source, inherited});
        way = &child;
      } else if (find_body(child, name, inherited, found)) {
        way = &child;
      }
      if (way != nullptr) break;
    }
    if (way == nullptr) return false;
    for (const MjcfElement& child : parent.children)
      if (&child != way) child.source.ignore_all("not in the part of the model that is attached");
    return true;
  }

  // Takes over assets, and of the other sections what refers to nothing that stayed behind.
  void adopt_sections(MjcfElement* child, MjcfNames names,
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
      if (section.tag == "keyframe")
        section.source.ignore_all("keyframes of an attached model do not come along");
    child->source.honour();
    child->value("model");
  }

  MjcfModel* model_;
  MjcfFiles* files_;
  int depth_;
  std::vector<MjcfElement> sections_;
};

MjcfModel expanded(MjcfElement root, const std::filesystem::path& file, MjcfFiles* files, int depth) {
  MjcfModel model{std::move(root), {}};
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
