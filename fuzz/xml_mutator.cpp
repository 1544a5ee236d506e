#include "fuzz/xml_mutator.h"

#include <map>
#include <sstream>
#include <vector>

#include <pugixml.hpp>

#include "fuzz/fuzz_random.h"

namespace stiction::fuzz {
namespace {

constexpr std::size_t kMostNodes = 400;  // of a text that is still changed as a tree

struct Node {
  pugi::xml_node xml;
  const XmlSchema::Type* type;  // null: the schema does not know it
};

struct Writer : pugi::xml_writer {
  std::string text;
  void write(const void* bytes, std::size_t size) override {
    text.append(static_cast<const char*>(bytes), size);
  }
};

std::string text_of(const pugi::xml_document& document) {
  Writer writer;
  document.save(writer, "", pugi::format_raw | pugi::format_no_declaration);
  return writer.text;
}

bool parse(const std::uint8_t* data, std::size_t size, pugi::xml_document* document) {
  return bool(document->load_buffer(data, size, pugi::parse_default, pugi::encoding_utf8)) &&
         document->document_element();
}

// Values that attributes of a name had in the inputs so far.
class SeenValues {
 public:
  void add(const std::string& name, const std::string& value, Random* random) {
    constexpr std::size_t kMost = 40, kLongest = 200;
    if (value.size() > kLongest) return;
    std::vector<std::string>& list = values_[name];
    if (list.size() < kMost)
      list.push_back(value);
    else
      random->pick(list) = value;
  }
  const std::vector<std::string>* find(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

SeenValues& seen_values() {
  static SeenValues seen;
  return seen;
}

class XmlMutation {
 public:
  XmlMutation(pugi::xml_document* document, const XmlSchema& schema, const std::string& root, unsigned seed)
      : document_(document), schema_(schema), root_(root), random_(seed) {}

  void run() {
    const std::size_t changes = 1 + random_.below(4);
    for (std::size_t i = 0; i < changes; ++i) {
      collect();
      change();
    }
  }

 private:
  void collect() {
    nodes_.clear();
    names_.clear();
    add(document_->document_element(), &schema_.type(root_));
  }

  void add(const pugi::xml_node& xml, const XmlSchema::Type* type) {
    if (nodes_.size() >= kMostNodes) return;
    nodes_.push_back({xml, type});
    for (const pugi::xml_attribute& attribute : xml.attributes()) {
      const std::string name = attribute.name();
      seen_values().add(name, attribute.value(), &random_);
      if (name == "name" || name == "class") names_.push_back(attribute.value());
    }
    for (const pugi::xml_node& child : xml.children())
      if (child.type() == pugi::node_element) add(child, type_of(child.name(), type));
  }

  const XmlSchema::Type* type_of(const std::string& tag, const XmlSchema::Type* parent) const {
    if (parent == nullptr) return nullptr;
    for (std::size_t i = 0; i < parent->tags.size(); ++i)
      if (parent->tags[i] == tag) return &schema_.type(parent->types[i]);
    return nullptr;
  }

  void change() {
    Node node = random_.pick(nodes_);
    switch (random_.below(12)) {
      case 0:
      case 1:
        return add_element(node);
      case 2:
        return copy_element(random_.pick(nodes_).xml, node);
      case 3:
        return remove_element(node.xml);
      case 4:
        return swap_attributes(node.xml, random_.pick(nodes_).xml);
      case 5:
        return rename(node.xml);
      case 6:
      case 7:
        return add_attribute(node);
      case 8:
        return remove_attribute(node.xml);
      default:
        return change_value(node.xml);
    }
  }

  void add_element(const Node& parent) {
    if (parent.type == nullptr || parent.type->tags.empty()) return;
    const std::size_t i = random_.below(parent.type->tags.size());
    const std::string& tag = parent.type->tags[i];
    Node child{parent.xml, &schema_.type(parent.type->types[i])};
    // Where a copy of one that exists does, its attributes make sense together.
    for (const Node& other : nodes_)
      if (other.xml.name() == tag && random_.below(3) == 0) return copy_element(other.xml, parent);
    child.xml =
        random_.below(2) == 0 ? child.xml.append_child(tag.c_str()) : child.xml.prepend_child(tag.c_str());
    for (std::size_t k = random_.below(5); k > 0; --k) add_attribute(child);
  }

  void copy_element(const pugi::xml_node& from, const Node& parent) {
    pugi::xml_node copy = parent.xml;
    copy = copy.append_copy(from);
    // Half of the copies get a name of their own.
    if (pugi::xml_attribute name = copy.attribute("name"); name && random_.below(2) == 0)
      name.set_value((std::string(name.value()) + "_").c_str());
  }

  void remove_element(pugi::xml_node node) {
    if (node != document_->document_element()) node.parent().remove_child(node);
  }

  void rename(pugi::xml_node node) {
    const Node& parent = random_.pick(nodes_);
    if (parent.type != nullptr && !parent.type->tags.empty() && node != document_->document_element())
      node.set_name(random_.pick(parent.type->tags).c_str());
  }

  void add_attribute(Node node) {
    if (node.type == nullptr || node.type->attributes.empty()) return;
    const std::string& name = random_.pick(node.type->attributes);
    pugi::xml_attribute attribute = node.xml.attribute(name.c_str());
    if (!attribute) attribute = node.xml.append_attribute(name.c_str());
    attribute.set_value(value_for(name).c_str());
  }

  pugi::xml_attribute any_attribute(const pugi::xml_node& node) {
    std::vector<pugi::xml_attribute> all(node.attributes_begin(), node.attributes_end());
    return all.empty() ? pugi::xml_attribute() : random_.pick(all);
  }

  void remove_attribute(pugi::xml_node node) {
    if (const pugi::xml_attribute attribute = any_attribute(node)) node.remove_attribute(attribute);
  }

  void swap_attributes(const pugi::xml_node& a, const pugi::xml_node& b) {
    pugi::xml_attribute from = any_attribute(a), to = any_attribute(b);
    if (!from || !to) return;
    const std::string kept = from.value();
    from.set_value(to.value());
    to.set_value(kept.c_str());
  }

  void change_value(const pugi::xml_node& node) {
    pugi::xml_attribute attribute = any_attribute(node);
    if (!attribute) return;
    const std::size_t way = random_.below(4);
    if (way == 0)
      attribute.set_value(value_for(attribute.name()).c_str());
    else if (way == 1)
      attribute.set_value(plain(mutated_bytes(attribute.value())).c_str());
    else
      attribute.set_value(with_another_word(attribute.value()).c_str());
  }

  // What a parser of XML lets pass: the rest is for the mutation of whole texts.
  static std::string plain(std::string text) {
    for (char& c : text)
      if (c < ' ' || c > '~') c = ' ';
    return text;
  }

  // One word of a list of numbers or names replaced, removed or added.
  std::string with_another_word(const std::string& value) {
    std::istringstream stream(value);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    const std::size_t way = random_.below(6);
    if (way == 0 && !words.empty())
      words.pop_back();
    else if (way == 1 || words.empty())
      words.push_back(awkward());
    else
      random_.pick(words) = awkward();
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  std::string value_for(const std::string& name) {
    const std::vector<std::string>* seen = seen_values().find(name);
    const std::size_t way = random_.below(8);
    if (way < 4 && seen != nullptr) return random_.pick(*seen);
    if (way < 6 && !names_.empty()) return random_.pick(names_);
    if (way == 6) return awkward();
    std::string list = awkward();
    for (std::size_t i = random_.below(6); i > 0; --i) list += " " + awkward();
    return list;
  }

  std::string awkward() {
    static const std::vector<std::string> words = {
        "0",         "1",      "-1",       "0.1",        "2",          "3",           "10",        "1e-3",
        "1e-9",      "1e-300", "1e300",    "1e20",       "-0",         "100",         "65536",     "1000000",
        "0.5",       "-0.5",   "90",       "180",        "2147483647", "-2147483648", "true",      "false",
        "auto",      "sphere", "capsule",  "box",        "mesh",       "plane",       "hfield",    "cylinder",
        "ellipsoid", "hinge",  "slide",    "ball",       "free",       "world",       "main",      "xyz",
        "zyx",       "joint",  "fixed",    "floating",   "nan",        "inf",         "1e400",     "0x10",
        "1,5",       "",       "revolute", "continuous", "prismatic",  "planar",      "4294967295"};
    return random_.pick(words);
  }

  pugi::xml_document* document_;
  const XmlSchema& schema_;
  std::string root_;
  Random random_;
  std::vector<Node> nodes_;
  std::vector<std::string> names_;
};

void collect_elements(const pugi::xml_node& node, std::vector<pugi::xml_node>* all) {
  if (all->size() >= kMostNodes) return;
  all->push_back(node);
  for (const pugi::xml_node& child : node.children())
    if (child.type() == pugi::node_element) collect_elements(child, all);
}

}  // namespace

std::size_t mutate_xml(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                       const XmlSchema& schema, const std::string& root) {
  pugi::xml_document document;
  constexpr unsigned kOneInBytes = 10;  // changes that may break the XML itself
  if (seed % kOneInBytes == 0 || !parse(data, size, &document)) return LLVMFuzzerMutate(data, size, max_size);
  XmlMutation(&document, schema, root, seed).run();
  const std::size_t new_size = written(text_of(document), data, max_size);
  return new_size > 0 ? new_size : LLVMFuzzerMutate(data, size, max_size);
}

std::size_t cross_xml(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
                      std::size_t second_size, std::uint8_t* out, std::size_t max_size, unsigned seed) {
  pugi::xml_document into, from;
  if (!parse(first, first_size, &into) || !parse(second, second_size, &from)) return 0;
  Random random(seed);
  std::vector<pugi::xml_node> targets, sources;
  collect_elements(into.document_element(), &targets);
  collect_elements(from.document_element(), &sources);
  for (std::size_t i = 1 + random.below(3); i > 0; --i) {
    const pugi::xml_node source = random.pick(sources);
    // Best below an element like the one that it comes from; else anywhere.
    std::vector<pugi::xml_node> alike;
    for (const pugi::xml_node& target : targets)
      if (std::string(target.name()) == source.parent().name()) alike.push_back(target);
    pugi::xml_node target = alike.empty() ? random.pick(targets) : random.pick(alike);
    target.append_copy(source);
  }
  return written(text_of(into), out, max_size);
}

}  // namespace stiction::fuzz
