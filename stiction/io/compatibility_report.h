#pragma once
// What became of every element and attribute of a model file.
//
//   CompatibilityReport report;
//   Model model = load_urdf("robot.urdf", {}, &report);
//   if (report.count(Compatibility::ignored) > 0) std::puts(to_text(report).c_str());
//
// Loaders drop nothing silently: what a file says is honoured, approximated or ignored, each with its line
// and, where it is not honoured, the reason. What a format does not know at all is an error, not an entry.

#include <string>
#include <vector>

namespace stiction {

enum class Compatibility { honoured, approximated, ignored };
const char* name_of(Compatibility status);

struct CompatibilityEntry {
  std::string element;    // its tag
  std::string attribute;  // empty: the element itself
  std::string file;
  int line = 0;  // from 1
  Compatibility status = Compatibility::honoured;
  std::string why;  // the reason; may be empty for what is honoured
};

struct CompatibilityReport {
  std::vector<CompatibilityEntry> entries;  // in the order of the files

  int count(Compatibility status) const;
  // Appends the entries of an included file.
  void merge(const CompatibilityReport& other);
};

// A table for people: the counts, then what is approximated and ignored. Entries of one element with the same
// reason are one line, with the places where they occur; an entry of the element itself includes its
// attributes. `with_honoured` lists what is honoured too.
std::string to_text(const CompatibilityReport& report, bool with_honoured = false);

// A JSON array of objects with the keys element, attribute, file, line, status and why.
std::string to_json(const CompatibilityReport& report);

}  // namespace stiction
