#include "exchange.hpp"

#include <atomic>
#include <utility>

#include "object.hpp"
#include "read.hpp"
#include "tensor.hpp"

namespace dlpack = host::dlpack;

namespace python {

namespace {

/// Whether gradients are computed through the array. They would be lost without a word: the
/// functions for C know nothing of them, while `__dlpack__` refuses such an array.
bool requires_grad(PyObject *object) {
  static PyObject *const name = interned("requires_grad");
  const Object answer = attribute(object, name);
  const int truth = answer ? run(PyObject_IsTrue, answer.get()) : 0;
  if (truth < 0) {
    throw Raised();
  }
  return truth != 0;
}

/// A class, and the functions that it offers to C.
struct Offer {
  PyObject *cls;
  const dlpack::Exchange *exchange;
};

/// The first one, for good: mostly there is no other, and to look again takes a part of a call.
std::atomic<const Offer *> first_offer{nullptr};

bool is_of_the_first(PyObject *object) {
  const Offer *offer = first_offer;
  return offer != nullptr && offer->cls == class_of(object);
}

void remember(PyObject *cls, const dlpack::Exchange *exchange) {
  if (first_offer == nullptr) {
    const Offer *none = nullptr;
    first_offer.compare_exchange_strong(none, new Offer{Object::borrow(cls).release(), exchange});
  }
}

/// The functions that the object's class offers to C; null when none of them may be used.
const dlpack::Exchange *exchange_of(PyObject *object) {
  static PyObject *const name = interned("__dlpack_c_exchange_api__");
  const Object capsule = attribute(class_of(object), name);
  if (!capsule || capsule.get() == Py_None) {
    return nullptr;
  }
  const void *offered = PyCapsule_GetPointer(capsule.get(), dlpack::Exchange::NAME);
  if (offered == nullptr) {
    throw Raised();
  }
  const auto *exchange = dlpack::compatible(static_cast<const dlpack::Exchange *>(offered));
  if (exchange != nullptr) {
    remember(class_of(object), exchange);
  }
  return exchange == nullptr || requires_grad(object) ? nullptr : exchange;
}

/// What such a function has returned must be 0.
void expect_success(int status) {
  if (status != 0 && PyErr_Occurred() == nullptr) {
    raise(PyExc_BufferError, "the array could not be exported, and its library says no reason");
  }
  if (status != 0) {
    throw Raised();
  }
}

/// Takes the tensor without a call of Python. Nothing has been waited for: its contents are ready
/// after the present work on its library's own stream.
std::optional<Argument> import_with(const dlpack::Exchange &exchange, PyObject *object) {
  dlpack::Versioned *managed = nullptr;
  expect_success(run(exchange.managed_tensor_from_py_object_no_sync, object, &managed));
  if (managed == nullptr) {
    raise(PyExc_BufferError, "the array's library has exported no tensor");
  }
  Loan loan(managed, give_back<dlpack::Versioned>);
  check_version(*managed);
  std::optional<host::Stream> ready;
  if (dlpack::is_for_gpu(managed->tensor.device)) {
    const auto [type, index] = managed->tensor.device;
    void *stream = nullptr;
    expect_success(run(exchange.current_work_stream, type, index, &stream));
    ready = host::Stream{reinterpret_cast<std::uintptr_t>(stream)};
  }
  return std::optional<Argument>(std::in_place,
                                 dlpack::import(managed->tensor, is_writable(*managed), ready),
                                 std::move(loan));
}

} // namespace

std::optional<Argument> import_exchange_again(PyObject *object) {
  if (!is_of_the_first(object) || requires_grad(object)) {
    return std::nullopt;
  }
  return import_with(*first_offer.load()->exchange, object);
}

std::optional<Argument> import_exchange(PyObject *object) {
  if (is_of_the_first(object)) {
    return std::nullopt; // it was asked, and has gradients
  }
  const auto *exchange = exchange_of(object);
  return exchange == nullptr ? std::nullopt : import_with(*exchange, object);
}

} // namespace python
