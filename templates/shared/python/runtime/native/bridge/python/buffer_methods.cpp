#include "buffer_methods.hpp"

#include <utility>

#include <host/error.hpp>

#include "buffer.hpp"
#include "buffer_arguments.hpp"
#include "dlpack.hpp"
#include "object.hpp"
#include "unlocked.hpp"

namespace python {

namespace {

PyObject *wait(PyObject *self, PyObject * /*none*/) noexcept {
  return guarded([&] {
    host::Block &block = *as_buffer(self)->block();
    unlocked([&] { block.synchronize(); });
    return none();
  });
}

PyObject *prefetch(PyObject *self, PyObject *positional, PyObject *named) noexcept {
  return guarded([&] {
    const Buffer &buffer = *as_buffer(self);
    const Prefetch given(positional, named);
    if (given.offset > buffer.bytes() || given.bytes > buffer.bytes() - given.offset) {
      throw host::ValueError("the range to prefetch is not in the buffer");
    }
    host::Block &block = *buffer.block();
    unlocked([&] { block.prefetch(given.where, given.offset, given.bytes, given.stream); });
    return none();
  });
}

PyObject *to_dlpack(PyObject *self, PyObject *positional, PyObject *named) noexcept {
  return guarded([&] {
    ToDlpack given(positional, named);
    return export_dlpack(std::move(given.tensor), as_buffer(self)->block(), given.versioned);
  });
}

constexpr int NAMED = METH_VARARGS | METH_KEYWORDS;

/// A function of that kind, as the table wants it: the interpreter knows by the flags what it is.
PyCFunction named(PyCFunctionWithKeywords function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

} // namespace

PyMethodDef buffer_methods[] = {
    {"wait", wait, METH_NOARGS, R"(wait($self)
--

Wait for asynchronous calls that use the memory.)"},
    {"prefetch", named(prefetch), NAMED, R"(prefetch($self, where, offset, nbytes, stream=None)
--

Move `nbytes` bytes from `offset` on to the "device" or the "host".)"},
    {"dlpack", named(to_dlpack), NAMED,
     R"(dlpack($self, address, shape, strides, typestr, readonly, device, versioned, copied)
--

A DLPack capsule of an array in this memory. It keeps the memory alive. Does not wait for asynchronous calls.)"},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace python
