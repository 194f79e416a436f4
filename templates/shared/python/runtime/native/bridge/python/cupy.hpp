// CuPy's arrays. They are always on a GPU and ordered by CuPy's current stream, so that neither has
// to be asked of each of them: `__dlpack_device__` and a wait for each array take longer than a
// call.
#pragma once

#include <Python.h>

#include <host/stream.hpp>

#include "object.hpp"

namespace python::cupy {

/// Whether the object is of CuPy's class of arrays, and `see` has seen one before.
bool was_seen(PyObject *object);

/// Looks whether it is; of a subclass it is not, which may export itself in another way.
bool see(PyObject *object);

/// Keeps the first function that says on which stream CuPy works, for good.
void know(Object get_current_stream);

/// Whether there is one; after `see` has seen an array there is.
bool is_known();

/// The stream that CuPy works on, in this thread. Its function must be known.
host::Stream current_stream();

} // namespace python::cupy
