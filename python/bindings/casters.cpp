#include "python/bindings/casters.h"

#include <cstring>

#include <nanobind/stl/string.h>

namespace stiction::python {
namespace {

namespace nb = nanobind;

// A function of NumPy, looked up once and kept for the life of the process.
PyObject* numpy_function(const char* name) {
  PyObject* module = PyImport_ImportModule("numpy");
  if (module == nullptr) return nullptr;
  PyObject* function = PyObject_GetAttrString(module, name);
  Py_DECREF(module);
  return function;
}

// Real numbers alone: no text, no objects, no complex numbers, no times.
bool holds_real_numbers(PyObject* array) {
  PyObject* dtype = PyObject_GetAttrString(array, "dtype");
  if (dtype == nullptr) return false;
  PyObject* kind = PyObject_GetAttrString(dtype, "kind");
  Py_DECREF(dtype);
  if (kind == nullptr) return false;
  const char* text = PyUnicode_AsUTF8(kind);
  const bool is_real = text != nullptr && text[0] != '\0' && std::strchr("biuf", text[0]) != nullptr;
  Py_DECREF(kind);
  return is_real;
}

}  // namespace

NumberBuffer::~NumberBuffer() {
  if (is_taken_) PyBuffer_Release(&view_);
}

bool NumberBuffer::take(PyObject* object) {
  if (!PyObject_CheckBuffer(object)) return false;
  if (PyObject_GetBuffer(object, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  is_taken_ = true;
  const bool fits = view_.format != nullptr && std::strcmp(view_.format, "d") == 0 && view_.ndim >= 1;
  if (fits) return true;
  PyBuffer_Release(&view_);
  is_taken_ = false;
  return false;
}

bool NumberBuffer::read(PyObject* object) {
  if (take(object)) return true;
  static PyObject* const asarray = numpy_function("asarray");
  static PyObject* const ascontiguousarray = numpy_function("ascontiguousarray");
  if (asarray == nullptr || ascontiguousarray == nullptr || PyUnicode_Check(object) || object == Py_None) {
    PyErr_Clear();
    return false;
  }
  PyObject* array = PyObject_CallOneArg(asarray, object);
  if (array == nullptr || !holds_real_numbers(array)) {
    PyErr_Clear();
    Py_XDECREF(array);
    return false;
  }
  PyObject* dense =
      PyObject_CallFunction(ascontiguousarray, "Os", array, "float64");  // NOLINT: varargs of CPython
  Py_DECREF(array);
  if (dense == nullptr) {
    PyErr_Clear();
    return false;
  }
  const bool is_read = take(dense);  // the view holds a reference
  Py_DECREF(dense);
  return is_read;
}

bool read_short(PyObject* object, Py_ssize_t size, double* out) {
  const bool is_tuple = PyTuple_CheckExact(object), is_list = PyList_CheckExact(object);
  if (!is_tuple && !is_list) return false;
  if ((is_tuple ? PyTuple_GET_SIZE(object) : PyList_GET_SIZE(object)) != size) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject* item = is_tuple ? PyTuple_GET_ITEM(object, i) : PyList_GET_ITEM(object, i);
    if (PyFloat_CheckExact(item)) {
      out[i] = PyFloat_AS_DOUBLE(item);
    } else if (PyLong_CheckExact(item)) {
      out[i] = PyLong_AsDouble(item);
      if (out[i] == -1.0 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        return false;
      }
    } else {
      return false;
    }
  }
  return true;
}

PyObject* zero_tuple(int n) {
  PyObject* tuple = PyTuple_New(n);
  for (int i = 0; tuple != nullptr && i < n; ++i) PyTuple_SET_ITEM(tuple, i, PyFloat_FromDouble(0.0));
  return tuple;
}

PyObject* new_array(const double* column_major, Py_ssize_t rows, Py_ssize_t columns, bool is_vector) {
  static PyObject* const empty = numpy_function("empty");
  if (empty == nullptr) return nullptr;
  PyObject* array = is_vector ? PyObject_CallFunction(empty, "n", rows)
                              : PyObject_CallFunction(empty, "((nn))", rows, columns);
  if (array == nullptr) return nullptr;
  Py_buffer view;
  if (PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0) {
    Py_DECREF(array);
    return nullptr;
  }
  double* out = static_cast<double*>(view.buf);
  for (Py_ssize_t r = 0; r < rows; ++r)
    for (Py_ssize_t c = 0; c < columns; ++c) out[r * columns + c] = column_major[c * rows + r];
  PyBuffer_Release(&view);
  return array;
}

std::string describe_numbers(nb::handle given) {
  const std::string kind = "'" + nb::cast<std::string>(nb::type_name(given.type())) + "'";
  NumberBuffer numbers;
  if (!numbers.read(given.ptr())) return kind;
  std::string shape;
  for (int d = 0; d < numbers.ndim(); ++d) shape += (d > 0 ? ", " : "") + std::to_string(numbers.size(d));
  if (numbers.ndim() == 1) return shape + " of them";
  return "an array of " + std::to_string(numbers.ndim()) + " dimensions (" + shape + ")";
}

void throw_misfit(nb::handle given, int rows, int columns, bool is_vector) {
  const auto count = [](int n, const char* what) {
    return n == Eigen::Dynamic ? std::string(what) : std::to_string(n) + " " + what;
  };
  const std::string wanted = is_vector
                                 ? "a row of " + count(rows, "numbers")
                                 : "an array of " + count(rows, "rows") + " and " + count(columns, "columns");
  throw nb::type_error(("takes " + wanted + ", not " + describe_numbers(given)).c_str());
}

// In fields.h.
std::string literal(nb::handle value) {
  const auto repr = [](nb::handle x) { return nb::cast<std::string>(nb::repr(x)); };
  if (nb::hasattr(value, "tolist")) return literal(value.attr("tolist")());
  if (nb::isinstance<nb::float_>(value)) {
    const std::string text = repr(value);
    const bool is_finite = text.find_first_not_of("-+.e0123456789") == std::string::npos;
    return is_finite ? text : "float('" + text + "')";
  }
  if (value.is_none() || nb::isinstance<nb::bool_>(value) || nb::isinstance<nb::int_>(value) ||
      nb::isinstance<nb::str>(value))
    return repr(value);
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    std::string text;
    for (nb::handle item : value) text += (text.empty() ? "" : ", ") + literal(item);
    return "[" + text + "]";
  }
  // One of our structs, if it is as it is made without arguments.
  try {
    const nb::object made = value.type()();
    if (repr(made) == repr(value)) return nb::cast<std::string>(value.type().attr("__name__")) + "()";
  } catch (nb::python_error&) {
  }
  return "...";
}

}  // namespace stiction::python
