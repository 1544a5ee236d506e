// The exceptions of the library, and their Python counterparts.

#include <nanobind/stl/string.h>

#include "python/bindings/bindings.h"
#include "stiction/base/check.h"
#include "stiction/simulation/world.h"

namespace stiction::python {
namespace {

// Kept for the life of the process: exceptions may be raised until its very end.
PyObject* user_error = nullptr;
PyObject* simulation_error = nullptr;

PyObject* new_exception(nb::module_& m, const char* name, const char* doc, PyObject* bases) {
  PyObject* type = PyErr_NewExceptionWithDoc((nb::cast<std::string>(m.attr("__name__")) + "." + name).c_str(),
                                             doc, bases, nullptr);
  if (type == nullptr) throw nb::python_error();
  m.attr(name) = nb::handle(type);
  return type;
}

}  // namespace

void bind_errors(nb::module_& m) {
  PyObject* error =
      new_exception(m, "Error", "What stiction raises: UserError or SimulationError.", PyExc_Exception);
  user_error = new_exception(m, "UserError",
                             "What was asked for cannot be done; the message says why, with the values, and "
                             "with the closest name where a name is not known. A ValueError too.",
                             nb::make_tuple(nb::handle(error), nb::handle(PyExc_ValueError)).ptr());
  simulation_error =
      new_exception(m, "SimulationError",
                    "A step failed; the message names the body and the time. The state is the one "
                    "before the step. A RuntimeError too.",
                    nb::make_tuple(nb::handle(error), nb::handle(PyExc_RuntimeError)).ptr());
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const UserError& e) {
      PyErr_SetString(user_error, e.what());
    } catch (const SimulationError& e) {
      PyErr_SetString(simulation_error, e.what());
    }
  });
}

}  // namespace stiction::python
