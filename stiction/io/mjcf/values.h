#pragma once
// The attributes of an element with those of its default class filled in, read as numbers, words and poses.
//
// MJCF lets an element give fewer numbers than its class: the rest stays as the class has it. The same holds
// for fill(), which leaves what is not given.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/io/mjcf/tree.h"
#include "stiction/math/spatial.h"
#include "stiction/simulation/model/elements.h"

namespace stiction {

class MjcfValues {
 public:
  // The element alone, without a class.
  explicit MjcfValues(const MjcfElement& element) : element_(&element), attributes_(element.attributes) {}
  // With the attributes of a class, which are the element's where it has none of its own.
  MjcfValues(const MjcfElement& element, const std::vector<MjcfAttribute>& inherited);

  const MjcfElement& element() const { return *element_; }
  const std::vector<MjcfAttribute>& attributes() const { return attributes_; }
  const MjcfContext& context() const { return *element_->context; }

  bool has(std::string_view attribute) const { return find(attribute) != nullptr; }
  std::string string(std::string_view attribute, std::string_view fallback = "") const;
  double number(std::string_view attribute, double fallback) const;
  int integer(std::string_view attribute, int fallback) const;
  bool boolean(std::string_view attribute, bool fallback) const;
  std::vector<double> numbers(std::string_view attribute, std::size_t min_count, std::size_t max_count,
                              bool may_be_infinite = false) const;
  Vec3 vec3(std::string_view attribute, const Vec3& fallback) const;
  // One of the words; an unlisted one throws and suggests the closest.
  std::string word(std::string_view attribute, std::string_view fallback,
                   const std::vector<std::string>& words) const;
  // Overwrites as many numbers as are given, at least `min_count`.
  template <std::size_t count>
  void fill(std::string_view attribute, std::array<double, count>* values, std::size_t min_count = 1) const {
    fill(attribute, values->data(), min_count, count);
  }
  // A range with its switch `limited`: true, false or, with compiler/autolimits, where the range is not
  // empty. `scale` brings degrees to radians.
  Range range(std::string_view attribute, std::string_view limited, double scale = 1.0) const;

  // pos and whichever of quat, axisangle, euler, xyaxes and zaxis is there.
  Pose pose() const;
  bool has_orientation() const;
  double angle(double value) const;  // rad, from the unit of compiler/angle

  void ignore(std::string_view attribute, std::string_view why) const;
  void approximate(std::string_view attribute, std::string_view why) const;
  [[noreturn]] void fail(std::string_view message) const { element_->source.fail(message); }
  [[noreturn]] void fail(std::string_view attribute, std::string_view message) const;

 private:
  const MjcfAttribute* find(std::string_view attribute) const;
  void fill(std::string_view attribute, double* values, std::size_t min_count, std::size_t max_count) const;
  Mat3 orientation() const;

  const MjcfElement* element_;
  std::vector<MjcfAttribute> attributes_;
};

// R of three angles about the axes of compiler/eulerseq: lower case turns with the frame, upper case stays.
Mat3 rotation_from_euler(const std::string& sequence, const Vec3& angles);
// The smallest rotation that takes (0, 0, 1) to the unit vector z.
Mat3 rotation_to_z(const Vec3& z);

// Separated by white space.
std::vector<std::string> words_of(std::string_view text);

}  // namespace stiction
