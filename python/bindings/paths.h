#pragma once
// Conversion of file paths: from a string or anything with __fspath__, to pathlib.Path.
//
// nanobind has such a caster, but its stubs say os.PathLike without a type argument, which strict type
// checkers report at every call with a path.

#include <cstdint>
#include <filesystem>
#include <string>

#include <nanobind/nanobind.h>

namespace nanobind::detail {

template <>
struct type_caster<std::filesystem::path> {
  NB_TYPE_CASTER(std::filesystem::path, io_name("str | os.PathLike[str]", "pathlib.Path"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    PyObject* bytes = nullptr;
    if (PyUnicode_FSConverter(source.ptr(), &bytes) == 0) {
      PyErr_Clear();
      return false;
    }
    value = PyBytes_AsString(bytes);
    Py_DECREF(bytes);
    return true;
  }
  static handle from_cpp(const std::filesystem::path& path, rv_policy, cleanup_list*) noexcept {
    const std::string& text = path.native();
    try {
      const object decoded =
          steal(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
      return decoded.is_valid() ? module_::import_("pathlib").attr("Path")(decoded).release() : handle();
    } catch (python_error& error) {
      error.restore();
      return handle();
    }
  }
};

}  // namespace nanobind::detail
