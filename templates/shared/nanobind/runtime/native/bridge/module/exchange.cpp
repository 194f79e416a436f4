#include "exchange.hpp"

#include <utility>

#include "python.hpp"
#include "tensor.hpp"

namespace dlpack = host::dlpack;

namespace {

/// Whether gradients are computed through the array. They would be lost without a word: the
/// functions for C know nothing of them, while `__dlpack__` refuses such an array.
bool requires_grad(nb::handle object) {
  static PyObject *const name = interned("requires_grad");
  const nb::object answer = attribute(object, name);
  const int truth = answer.is_valid() ? PyObject_IsTrue(answer.ptr()) : 0;
  if (truth < 0) {
    nb::raise_python_error();
  }
  return truth != 0;
}

/// The functions that the object's class offers to C; null when none of them may be used.
const dlpack::Exchange *exchange_of(nb::handle object) {
  static PyObject *const name = interned("__dlpack_c_exchange_api__");
  const nb::object capsule = attribute(object.type(), name);
  if (!capsule.is_valid() || capsule.is_none()) {
    return nullptr;
  }
  const void *offered = PyCapsule_GetPointer(capsule.ptr(), dlpack::Exchange::NAME);
  if (offered == nullptr) {
    nb::raise_python_error();
  }
  const auto *exchange = dlpack::compatible(static_cast<const dlpack::Exchange *>(offered));
  return exchange == nullptr || requires_grad(object) ? nullptr : exchange;
}

/// What such a function has returned must be 0.
void expect_success(int status) {
  if (status != 0 && PyErr_Occurred() == nullptr) {
    throw nb::buffer_error("the array could not be exported, and its library says no reason");
  }
  if (status != 0) {
    nb::raise_python_error();
  }
}

/// Takes the tensor without a call of Python. Nothing has been waited for: its contents are ready
/// after the present work on its library's own stream.
Argument import_with(const dlpack::Exchange &exchange, nb::handle object) {
  dlpack::Versioned *managed = nullptr;
  expect_success(exchange.managed_tensor_from_py_object_no_sync(object.ptr(), &managed));
  if (managed == nullptr) {
    throw nb::buffer_error("the array's library has exported no tensor");
  }
  Loan loan(managed, give_back<dlpack::Versioned>);
  host::Array array = read_versioned(*managed);
  if (array.ready) {
    const auto [type, index] = managed->tensor.device;
    void *stream = nullptr;
    expect_success(exchange.current_work_stream(type, index, &stream));
    array.ready = host::Stream{reinterpret_cast<std::uintptr_t>(stream)};
  }
  return {std::move(array), std::move(loan)};
}

} // namespace

std::optional<Argument> import_exchange(nb::handle object) {
  const auto *exchange = exchange_of(object);
  return exchange == nullptr ? std::nullopt : std::optional(import_with(*exchange, object));
}
