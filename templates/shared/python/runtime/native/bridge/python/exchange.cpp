#include "exchange.hpp"

#include <atomic>
#include <utility>

#include "apart.hpp"
#include "getter.hpp"
#include "object.hpp"
#include "read.hpp"
#include "tensor.hpp"

namespace dlpack = host::dlpack;

namespace python {

namespace {

PYTHON_APART Object look_for_requires_grad(PyObject *object) {
  static PyObject *const name = interned("requires_grad");
  return attribute(object, name);
}

/// Whether gradients are computed through the array. They would be lost without a word: the
/// functions for C know nothing of them, while `__dlpack__` refuses such an array.
bool requires_grad(PyObject *object, const Getter &getter = {}) {
  const Object answer = getter ? getter.of(object) : look_for_requires_grad(object);
  const bool asks = answer && answer.get() != Py_False; // mostly it is False
  const int truth = asks ? run(PyObject_IsTrue, answer.get()) : 0;
  if (truth < 0) {
    throw Raised();
  }
  return truth != 0;
}

/// A class, and the functions that it offers to C.
struct Offer {
  PyObject *cls;
  const dlpack::Exchange *exchange;
  bool lends; ///< tensors of the object's own
  Getter requires_grad;
};

/// The first one, for good: mostly there is no other, and to look again takes a part of a call.
std::atomic<const Offer *> first_offer{nullptr};

bool is_of_the_first(PyObject *object) {
  const Offer *offer = first_offer;
  return offer != nullptr && offer->cls == class_of(object);
}

/// PyTorch lends its tensors, and all of them may be written to: of another library, what it lends
/// does not say so.
bool lends(PyObject *cls, const dlpack::Exchange &exchange) {
  const Object module = attribute(cls, "__module__");
  return exchange.dltensor_from_py_object_no_sync != nullptr && module &&
         to_string(module.get()) == "torch";
}

void remember(PyObject *cls, const dlpack::Exchange &exchange) {
  if (first_offer == nullptr) {
    const auto *offer = new Offer{Object::borrow(cls).release(), &exchange, lends(cls, exchange),
                                  Getter(cls, "requires_grad")};
    const Offer *none = nullptr;
    first_offer.compare_exchange_strong(none, offer);
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
    remember(class_of(object), *exchange);
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

/// Refuses a tensor of PyTorch whose elements are not what is in memory.
void refuse_other_values(PyObject *object, const host::Array &array) {
  const char *question = dlpack::question_about(array);
  const Object method = question == nullptr ? Object() : attribute(object, question);
  if (method && checked(run(PyObject_CallNoArgs, method.get())).get() == Py_True) {
    raise(PyExc_BufferError, dlpack::OTHER_VALUES);
  }
}

void read(const dlpack::Exchange &exchange, const dlpack::Versioned &managed, Asked &asked,
          host::Array &array) {
  const auto &tensor = managed.tensor;
  const bool writable = is_writable(managed);
  if (!dlpack::is_for_gpu(tensor.device)) {
    array = dlpack::import(tensor, writable, std::nullopt);
    return;
  }
  const host::Stream ready = asked.work_stream(exchange, tensor.device);
  if (dlpack::is_gpus_own(tensor.device)) {
    dlpack::import_from_gpu(tensor, writable, ready, array);
  } else {
    array = dlpack::import(tensor, writable, ready);
  }
}

/// Takes the tensor without a call of Python. Nothing has been waited for: its contents are ready
/// after the present work on its library's own stream.
PYTHON_APART void import_with(const dlpack::Exchange &exchange, PyObject *object, Asked &asked,
                              Reading &reading) {
  dlpack::Versioned *managed = nullptr;
  expect_success(run(exchange.managed_tensor_from_py_object_no_sync, object, &managed));
  if (managed == nullptr) {
    raise(PyExc_BufferError, "the array's library has exported no tensor");
  }
  reading.loan = Loan(managed, give_back<dlpack::Versioned>);
  check_version(*managed);
  read(exchange, *managed, asked, reading.array);
  refuse_other_values(object, reading.array);
}

/// Reads a tensor that the object still owns, which takes less; false unless it is in the GPU's own
/// memory. What another thread lets go of there gets its next use in the order of its library's
/// stream, but other memory at once.
bool borrow(const dlpack::Exchange &exchange, PyObject *object, Asked &asked, Reading &reading) {
  dlpack::Tensor tensor{};
  expect_success(run(exchange.dltensor_from_py_object_no_sync, object, &tensor));
  if (!dlpack::is_gpus_own(tensor.device)) {
    return false;
  }
  const host::Stream ready = asked.work_stream(exchange, tensor.device);
  dlpack::import_from_gpu(tensor, true, ready, reading.array);
  refuse_other_values(object, reading.array);
  reading.borrowed = true;
  return true;
}

} // namespace

bool import_exchange_again(PyObject *object, Asked &asked, Reading &reading) {
  if (!is_of_the_first(object)) {
    return false;
  }
  const Offer &offer = *first_offer.load();
  if (requires_grad(object, offer.requires_grad)) {
    return false;
  }
  const bool may_borrow = offer.lends && asked.may_borrow();
  if (!may_borrow || !borrow(*offer.exchange, object, asked, reading)) {
    import_with(*offer.exchange, object, asked, reading);
  }
  return true;
}

bool import_exchange(PyObject *object, Asked &asked, Reading &reading) {
  if (is_of_the_first(object)) {
    return false; // it was asked, and has gradients
  }
  const auto *exchange = exchange_of(object);
  if (exchange != nullptr) {
    import_with(*exchange, object, asked, reading);
  }
  return exchange != nullptr;
}

void import_exchange_to_own(PyObject *object, Asked &asked, Reading &reading) {
  Reading owned;
  import_with(*first_offer.load()->exchange, object, asked, owned);
  reading = std::move(owned);
}

host::Stream work_stream(const dlpack::Exchange &exchange, dlpack::Device device) {
  static_cast<void>(dlpack::is_for_gpu(device)); // or it throws
  void *stream = nullptr;
  expect_success(run(exchange.current_work_stream, device.type, device.index, &stream));
  return {reinterpret_cast<std::uintptr_t>(stream)};
}

} // namespace python
