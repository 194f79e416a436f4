// The declared functions, as built-in functions of Python.

#include <deque>
#include <string>

#include <host/functions.hpp>

#include "callable.hpp"
#include "conversation.hpp"
#include "method.hpp"
#include "module.hpp"
#include "object.hpp"
#include "read.hpp"
#include "run.hpp"

namespace python {

namespace {

PyObject *call(PyObject *self, PyObject *const *values, Py_ssize_t positional,
               PyObject *names) noexcept {
  return guarded([&] {
    const auto &callable = **static_cast<const Callable **>(PyModule_GetState(self));
    Arguments matched;
    match(callable, values, static_cast<std::size_t>(positional), names, matched);
    return converse(callable, matched);
  });
}

std::deque<Callable> &callables() {
  static auto &all = *new std::deque<Callable>; // the interpreter keeps pointers to its items
  if (all.empty()) {
    for (std::size_t index = 0; index < host::functions().size(); ++index) {
      all.push_back(callable_of(index));
      Callable &callable = all.back();
      PyObject *(*entry)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *) = call;
      // The interpreter knows by the flags what it really is.
      callable.method = {callable.function->name.c_str(),
                         reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry)),
                         ARGUMENTS, callable.docstring.c_str()};
    }
  }
  return all;
}

/// A built-in function. Its `self` is a module of its own, for Python takes a built-in function
/// with a module as one that can be found by its name: pickle does.
Object built_in(const Callable &callable, PyObject *package) {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "function",
                                   nullptr,
                                   sizeof(void *),
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  const Object self = checked(PyModule_Create(&definition));
  *static_cast<const Callable **>(PyModule_GetState(self.get())) = &callable;
  return checked(
      PyCFunction_NewEx(const_cast<PyMethodDef *>(&callable.method), self.get(), package));
}

/// The name of the package: two levels above this module.
Object package_of(PyObject *module) {
  const Object full = checked(PyModule_GetNameObject(module));
  std::string name = to_string(full.get()).value_or("");
  for (int level = 0; level < 2 && name.find('.') != std::string::npos; ++level) {
    name.erase(name.rfind('.'));
  }
  return checked(PyUnicode_FromString(name.c_str()));
}

Object take_array_factory(const Call &call) {
  const auto [factory] = call.match("set_array_factory", {"factory"});
  set_array_factory(factory);
  return none();
}

PyMethodDef function_methods[] = {
    {"set_array_factory", function<take_array_factory>(), ARGUMENTS,
     R"(set_array_factory($module, factory)
--

Set what makes an array of a `Buffer`, for results of functions.)"},
    {nullptr, nullptr, 0, nullptr},
};

bool check_signals() {
  const PyGILState_STATE state = run(PyGILState_Ensure);
  const bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return raised;
}

void add(PyObject *module, const char *name, const Object &value) {
  if (PyModule_AddObjectRef(module, name, value.get()) < 0) {
    throw Raised();
  }
}

} // namespace

void add_functions(PyObject *module) {
  host::set_interrupt_check(check_signals);
  const Object package = package_of(module);
  const Object declared = checked(PyTuple_New(static_cast<Py_ssize_t>(callables().size())));
  const Object signatures = checked(PyDict_New());
  for (const Callable &callable : callables()) {
    const auto place = static_cast<Py_ssize_t>(callable.index);
    PyTuple_SetItem(declared.get(), place, built_in(callable, package.get()).release());
    const Object text = checked(PyUnicode_FromString(callable.function->signature.c_str()));
    if (PyDict_SetItemString(signatures.get(), callable.function->name.c_str(), text.get()) < 0) {
      throw Raised();
    }
  }
  add(module, "declared", declared);
  add(module, "signatures", signatures);
  add_table(module, function_methods);
}

} // namespace python
