#pragma once
// Views of memory as NumPy arrays, which keep the owner of the memory alive.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "stiction/math/matrix.h"

namespace stiction::python {

namespace nb = nanobind;

using Array = nb::ndarray<nb::numpy, double, nb::c_contig>;
using ReadOnlyArray = nb::ndarray<nb::numpy, const double, nb::c_contig>;
using IntArray = nb::ndarray<nb::numpy, const int, nb::c_contig>;

// A read-only view. It has a type of its own, so that the owner is never left out.
inline ReadOnlyArray read_only(const double* data, std::initializer_list<std::size_t> shape,
                               nb::handle owner) {
  return ReadOnlyArray(data, shape, owner);
}
inline Array writable(double* data, std::initializer_list<std::size_t> shape, nb::handle owner) {
  return Array(data, shape, owner);
}

// Numbers whose memory belongs to a NumPy array: the array lives as long as someone holds it, and its memory
// never moves. Such arrays refer to no other object, so an object that keeps them makes no reference cycle.
class OwnedNumbers {
 public:
  OwnedNumbers() = default;
  explicit OwnedNumbers(std::size_t size) : data_(new double[size]()), size_(size) {
    owner_ = nb::capsule(data_, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  }
  bool is_made() const { return data_ != nullptr; }
  double* data() const { return data_; }
  std::size_t size() const { return size_; }
  Array array(std::initializer_list<std::size_t> shape) const { return Array(data_, shape, owner_); }
  ReadOnlyArray view(std::initializer_list<std::size_t> shape) const {
    return ReadOnlyArray(data_, shape, owner_);
  }

 private:
  double* data_ = nullptr;
  std::size_t size_ = 0;
  nb::object owner_;
};

inline std::size_t length(const VecX& x) { return static_cast<std::size_t>(x.size()); }

}  // namespace stiction::python
