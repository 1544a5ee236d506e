#pragma once
// Conversion of vectors, matrices and enumerations between C++ and Python.
//
// Vectors and matrices come from anything of which NumPy makes an array of real numbers (lists, tuples,
// arrays of any such dtype), and go as new arrays of float64. A wrong shape or dtype is a TypeError of the
// call. Enumerations are words: "revolute", not a number; a wrong one is a TypeError that lists them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

#include "stiction/math/matrix.h"

namespace stiction::python {

// The numbers of a Python object, which it keeps alive: C-contiguous, one or two dimensions.
class NumberBuffer {
 public:
  NumberBuffer() = default;
  ~NumberBuffer();
  NumberBuffer(const NumberBuffer&) = delete;
  NumberBuffer& operator=(const NumberBuffer&) = delete;

  // False, without a Python error, where it is no array of real numbers.
  bool read(PyObject* object);
  int ndim() const { return view_.ndim; }
  Py_ssize_t size(int dimension) const { return view_.shape[dimension]; }
  const double* data() const { return static_cast<const double*>(view_.buf); }

 private:
  bool take(PyObject* object);

  Py_buffer view_ = {};
  bool is_taken_ = false;
};

PyObject* zero_tuple(int n);

// Throws a TypeError that says what is asked for and what was given: "takes a row of 3 numbers, not 2 of them".
[[noreturn]] void throw_misfit(nanobind::handle given, int rows, int columns, bool is_vector);
// "an array of 2 dimensions (1, 7)", "'str'".
std::string describe_numbers(nanobind::handle given);

// Reads numbers from a tuple or list of floats without NumPy; false: use the general conversion.
bool read_short(PyObject* object, Py_ssize_t size, double* out);

// A default argument of n zeros, made without NumPy.
inline nanobind::tuple zeros(int n) { return nanobind::tuple(nanobind::steal(zero_tuple(n))); }

// A new array of float64, row-major; null with a Python error where memory is short.
PyObject* new_array(const double* column_major, Py_ssize_t rows, Py_ssize_t columns, bool is_vector);

}  // namespace stiction::python

namespace nanobind::detail {

template <int Rows, int Columns>
struct type_caster<Eigen::Matrix<double, Rows, Columns>> {
  using Numbers = Eigen::Matrix<double, Rows, Columns>;
  static constexpr bool kIsVector = Columns == 1;
  using Value = Numbers;
  static constexpr auto Name = io_name("numpy.typing.ArrayLike", "numpy.typing.NDArray[numpy.float64]");
  template <class T>
  using Cast = movable_cast_t<T>;
  // False within an optional or a variant, whose other kinds are then tried.
  template <class T>
  bool can_cast() const {
    return !misfit.is_valid();
  }
  // As an argument, where no overload takes what was given: says what is asked for.
  explicit operator Value*() { return &fitting(); }
  explicit operator Value&() { return fitting(); }
  explicit operator Value&&() { return static_cast<Value&&>(fitting()); }
  Value& fitting() {
    if (misfit.is_valid()) stiction::python::throw_misfit(misfit, Rows, Columns, kIsVector);
    return value;
  }
  Value value;
  handle misfit;  // what was given, if it is none of these numbers

  bool from_python(handle source, std::uint32_t flags, cleanup_list*) noexcept {
    if (read(source)) return true;
    const bool is_last_try = (flags & cast_flags::convert) != 0;
    if (is_last_try) misfit = source;
    return is_last_try;
  }
  bool read(handle source) noexcept {
    if constexpr (kIsVector && Rows != Eigen::Dynamic)
      if (stiction::python::read_short(source.ptr(), Rows, value.data())) return true;
    stiction::python::NumberBuffer numbers;
    if (!numbers.read(source.ptr()) || numbers.ndim() != (kIsVector ? 1 : 2)) return false;
    if (Rows != Eigen::Dynamic && numbers.size(0) != Rows) return false;
    const Py_ssize_t columns = kIsVector ? 1 : numbers.size(1);
    if (Columns != Eigen::Dynamic && columns != Columns) return false;
    value.resize(numbers.size(0), columns);
    for (Py_ssize_t r = 0; r < numbers.size(0); ++r)
      for (Py_ssize_t c = 0; c < columns; ++c) value(r, c) = numbers.data()[r * columns + c];
    return true;
  }
  template <class T, enable_if_t<std::is_same_v<std::remove_cv_t<T>, Value>> = 0>
  static handle from_cpp(T* p, rv_policy policy, cleanup_list* list) noexcept {
    if (p == nullptr) return none().release();
    return from_cpp(*p, policy, list);
  }
  static handle from_cpp(const Numbers& numbers, rv_policy, cleanup_list*) noexcept {
    return stiction::python::new_array(numbers.data(), numbers.rows(), numbers.cols(), kIsVector);
  }
};

// A word of a list, by its index.
template <class Enum, std::size_t N>
bool word_from_python(handle source, const std::array<const char*, N>& words, Enum* out) noexcept {
  if (!PyUnicode_Check(source.ptr())) return false;
  Py_ssize_t length = 0;
  const char* text = PyUnicode_AsUTF8AndSize(source.ptr(), &length);
  if (text == nullptr) {
    PyErr_Clear();
    return false;
  }
  for (std::size_t i = 0; i < N; ++i) {
    if (std::string_view(words[i]) != std::string_view(text, static_cast<std::size_t>(length))) continue;
    *out = static_cast<Enum>(i);
    return true;
  }
  return false;
}

// "'a', 'b'" of a list of words, for the type checker.
template <const auto& kWords>
struct QuotedWords {
  static constexpr std::size_t kLength = [] {
    std::size_t length = 0;
    for (const char* word : kWords) length += std::string_view(word).size() + 4;
    return length - 2;
  }();
  char text[kLength + 1] = {};

  constexpr QuotedWords() {
    std::size_t at = 0;
    for (const char* word : kWords) {
      for (const char c : std::string_view(at > 0 ? ", '" : "'")) text[at++] = c;
      for (const char c : std::string_view(word)) text[at++] = c;
      text[at++] = '\'';
    }
  }
};
template <const auto& kWords>
inline constexpr QuotedWords<kWords> kQuotedWords;

}  // namespace nanobind::detail

// Where an enumeration is bound: STICTION_WORDS(type, "literals for the type checker", words in the order of
// the enumeration), or STICTION_WORD_LIST(type, array of the words).
#define STICTION_WORDS(Enum, Literals, ...)                                  \
  namespace nanobind::detail {                                               \
  template <>                                                                \
  struct type_caster<Enum> {                                                 \
    static constexpr std::array kWords = {__VA_ARGS__};                      \
    NB_TYPE_CASTER(Enum, const_name("typing.Literal[" Literals "]"))         \
    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept { \
      return word_from_python(source, kWords, &value);                       \
    }                                                                        \
    static handle from_cpp(Enum word, rv_policy, cleanup_list*) noexcept {   \
      return PyUnicode_FromString(kWords[static_cast<std::size_t>(word)]);   \
    }                                                                        \
  };                                                                         \
  }
#define STICTION_WORD_LIST(Enum, Words)                                                                    \
  namespace nanobind::detail {                                                                             \
  template <>                                                                                              \
  struct type_caster<Enum> {                                                                               \
    NB_TYPE_CASTER(Enum,                                                                                   \
                   const_name("typing.Literal[") + const_name(kQuotedWords<Words>.text) + const_name("]")) \
    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {                               \
      return word_from_python(source, Words, &value);                                                      \
    }                                                                                                      \
    static handle from_cpp(Enum word, rv_policy, cleanup_list*) noexcept {                                 \
      return PyUnicode_FromString(Words[static_cast<std::size_t>(word)]);                                  \
    }                                                                                                      \
  };                                                                                                       \
  }
