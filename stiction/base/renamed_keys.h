#pragma once
// Keys of a file format that were renamed. Files with the old name are still read, and their author is told
// the new one. Every format has one list:
//
//   constexpr RenamedKey kRenamed[] = {{"contact", "push_out", "penetration_recovery"}};
//
// A reader first gives the old keys of a file their new name, by rename_old_keys() where it is JSON or by
// OldKeys where it is not; from there on it knows the new names only.

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct RenamedKey {
  const char* section;  // the object or table that has the key; "": the root
  const char* old_key;
  const char* key;
};

// "'push_out' is now called 'penetration_recovery'; the old name is still read"
std::string renamed_key_note(const RenamedKey& renamed);

// The old keys of one file. Every note is logged as a warning, once in the life of the process.
class OldKeys {
 public:
  explicit OldKeys(std::span<const RenamedKey> list) : list_(list) {}

  // The entry of the list for an old key of a section; null: it is not one.
  const RenamedKey* find(std::string_view section, std::string_view key) const;
  // Notes an old key: "scene.toml:3:1: ...". Of a key that is there often, the first place counts.
  // has_both: the new key stands beside it, which is a UserError that names both.
  void note(const RenamedKey& renamed, std::string_view place, bool has_both);

 private:
  std::span<const RenamedKey> list_;
  std::set<const RenamedKey*> noted_;
};

// Renames the old keys of a value of nlohmann's JSON and of the objects in it. The section of an object is
// the key that it, or the list it is in, stands under; that of the root is "". `place` is where the value is,
// in messages: keys are appended to it after a point, indices of a list as [3].
template <class Json>
void rename_old_keys(const std::string& place, Json* json, OldKeys* old_keys, const std::string& section = "",
                     int depth = 0) {
  constexpr int kDeepest = 16;  // no format has keys below; texts from strangers may be nested without end
  if (depth > kDeepest) return;
  if (json->is_array()) {
    for (std::size_t i = 0; i < json->size(); ++i) {
      Json& item = (*json)[i];
      const bool has_objects =
          item.is_object() || (item.is_array() && item.size() > 0 && item[0].is_structured());
      if (has_objects)
        rename_old_keys(place + "[" + std::to_string(i) + "]", &item, old_keys, section, depth + 1);
    }
  } else if (json->is_object()) {
    std::vector<const RenamedKey*> found;
    const std::string stem = place.ends_with(' ') ? place : place + ".";
    for (auto& item : json->items()) {
      if (item.value().is_structured())
        rename_old_keys(stem + item.key(), &item.value(), old_keys, item.key(), depth + 1);
      if (const RenamedKey* renamed = old_keys->find(section, item.key())) found.push_back(renamed);
    }
    for (const RenamedKey* renamed : found) {
      old_keys->note(*renamed, place.ends_with(": ") ? place.substr(0, place.size() - 2) : place,
                     json->contains(renamed->key));
      Json value = std::move((*json)[renamed->old_key]);
      json->erase(renamed->old_key);
      (*json)[renamed->key] = std::move(value);
    }
  }
}

}  // namespace stiction
