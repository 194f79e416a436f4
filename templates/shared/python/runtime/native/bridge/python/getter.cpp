#include "getter.hpp"

#include "read.hpp"

namespace python {

namespace {

/// Whether it is what a class in C has for an attribute. Such a one comes before those that are the
/// object's own.
bool is_defined_in_c(PyObject *descriptor) {
  const PyTypeObject *kind = Py_TYPE(descriptor);
  return kind == &PyGetSetDescr_Type || kind == &PyMemberDescr_Type;
}

} // namespace

Getter::Getter(PyObject *cls, const char *name) {
  auto *type = reinterpret_cast<PyTypeObject *>(cls);
  if (PyType_GetSlot(type, Py_tp_getattro) != reinterpret_cast<void *>(PyObject_GenericGetAttr)) {
    return; // it looks attributes up in its own way
  }
  Object descriptor = attribute(cls, name);
  if (descriptor && is_defined_in_c(descriptor.get())) {
    get_ =
        reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(descriptor.get()), Py_tp_descr_get));
    descriptor_ = descriptor.release();
  }
}

Object Getter::of(PyObject *object) const {
  return checked(run(get_, descriptor_, object, class_of(object)));
}

} // namespace python
