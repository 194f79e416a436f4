#include "conversation.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <host/inplace_vector.hpp>

#include "argument.hpp"
#include "beside.hpp"
#include "buffer.hpp"
#include "kept.hpp"
#include "number.hpp"
#include "read.hpp"
#include "stream.hpp"
#include "unlocked.hpp"

namespace python {

namespace {

PyObject *array_factory = nullptr; // set by the package when imported

/// Checks what the caller gives for the results. Null when they are all to be new.
PyObject *check_out(const Callable &callable, const Arguments &matched) {
  PyObject *out = callable.results == 0 ? nullptr : matched[callable.out()];
  if (out == nullptr || out == Py_None) {
    return nullptr;
  }
  const auto results = static_cast<Py_ssize_t>(callable.results);
  if (results > 1 && (PyTuple_Check(out) == 0 || PyTuple_Size(out) != results)) {
    throw host::TypeError("out must be a tuple of " + std::to_string(results) + " arrays");
  }
  return out;
}

/// The object for a result; null when it is to be new.
PyObject *object_of(const Callable &callable, PyObject *out, std::size_t result) {
  if (out == nullptr || callable.results == 1) {
    return out;
  }
  PyObject *item = PyTuple_GetItem(out, static_cast<Py_ssize_t>(result));
  return item == Py_None ? nullptr : item;
}

/// The stream that the caller names; null if none.
PyObject *stream_of(const Callable &callable, const Arguments &matched) {
  PyObject *stream = matched[callable.stream()];
  return stream == Py_None ? nullptr : stream;
}

/// One call, from Python's objects to Python's objects.
class Conversation {
public:
  Conversation(const Callable &callable, const Arguments &matched)
      : callable_(callable), asked_(stream_of(callable, matched) != nullptr) {
    PyObject *out = check_out(callable, matched);
    for (std::size_t i = 0; i < callable.parameters + callable.results; ++i) {
      PyObject *object =
          i < callable.parameters ? matched[i] : object_of(callable, out, i - callable.parameters);
      items_.emplace_back(object);
      given_.emplace_back();
      if (object != nullptr) {
        read(i, object);
      }
    }
    if (PyObject *stream = stream_of(callable, matched)) {
      stream_ = python::stream(stream);
      keeps_ = std::any_of(items_.begin(), items_.end(),
                           [&](const Item &item) { return item.may_be_reused(*stream_); });
      if (keeps_) {
        own();
      }
    }
  }

  Object hold() {
    if (!stream_ && others_may_record()) {
      refuse_beside(gpu());
    }
    if (host::run_at_once != nullptr && callable_.results == 0 && has_reals_ &&
        unlocked([&] { return host::run_at_once(callable_.index, given_.begin(), stream_); })) {
      finish();
      return none();
    }
    host::Invocation invocation(callable_.index, given_.begin());
    for (const auto &missing : invocation.missing()) {
      make(invocation, missing);
    }
    unlocked([&] { invocation.run(stream_); });
    finish();
    return answer(invocation);
  }

private:
  void finish() {
    if (keeps_) {
      keep();
    }
    let_go();
  }

  /// That of an array.
  std::optional<int> gpu() const {
    for (const host::Given &given : given_) {
      const auto gpu = given.array == nullptr ? std::nullopt : given.array->gpu();
      if (gpu) {
        return gpu;
      }
    }
    return {};
  }

  void read(std::size_t i, PyObject *object) {
    const Brief &brief = callable_.briefs[i];
    if (brief.is_number) {
      given_[i].number = &items_[i].number.emplace(object, brief.called);
      has_reals_ = has_reals_ && PyFloat_CheckExact(object) != 0;
      if (host::run_at_once != nullptr && has_reals_) {
        given_[i].real = PyFloat_AsDouble(object);
      }
      return;
    }
    given_[i].array = &items_[i].array.emplace(object, brief.called, asked_).array();
    if (i >= callable_.parameters) {
      items_[i].result = Object::borrow(object);
    }
  }

  /// Takes shares of borrowed memory that may have another use before the call is over.
  void own() {
    for (Item &item : items_) {
      if (item.may_be_reused(*stream_)) {
        item.array->own(item.given, asked_);
      }
    }
  }

  /// A new array for a result.
  void make(host::Invocation &invocation, const host::Invocation::New &missing) {
    if (array_factory == nullptr) {
      throw host::RuntimeError("no array factory is set: import the package, not its `_core`");
    }
    auto block = unlocked([&] { return invocation.allocate(missing); });
    const Object buffer = make_buffer(std::move(block), missing.dtype, missing.shape);
    Object array = call_with(array_factory, buffer.get());
    if (!array) {
      throw Raised();
    }
    Item &item = items_[missing.parameter];
    item.result = std::move(array);
    // Its block outlives the call.
    item.array.emplace(as_buffer(buffer.get())->array(), no_loan());
    invocation.give(missing.parameter, item.array->array());
  }

  /// Keeps what the GPU may still use and its owner knows nothing of.
  void keep() {
    std::vector<Kept> kept;
    for (Item &item : items_) {
      if (item.may_be_reused(*stream_)) {
        kept.push_back({Object::borrow(item.given), std::move(*item.array)});
      }
    }
    if (!kept.empty()) {
      python::keep(*stream_, std::move(kept));
    }
  }

  /// A result: an array, or a number that the call has found.
  Object take(const host::Invocation &invocation, std::size_t i) {
    Object &array = items_[i].result;
    return array ? std::move(array) : checked(to_python(invocation.number(i)));
  }

  Object answer(const host::Invocation &invocation) {
    const std::size_t first = callable_.parameters;
    if (callable_.results == 0) {
      return none();
    }
    if (callable_.results == 1) {
      return take(invocation, first);
    }
    Object tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(callable_.results)));
    for (std::size_t k = 0; k < callable_.results; ++k) {
      PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(k),
                      take(invocation, first + k).release());
    }
    return tuple;
  }

  /// What is known of a parameter or a result.
  struct Item {
    explicit Item(PyObject *object) : given(object) {}

    bool may_be_reused(host::Stream stream) const {
      return array && array->array().may_be_reused(stream);
    }

    PyObject *given; // what it is read from, which the caller holds; null if there is none
    std::optional<Number> number;
    std::optional<Argument> array;
    Object result; // what Python gets
  };

  const Callable &callable_;
  Asked asked_;
  std::optional<host::Stream> stream_;
  bool keeps_ = false;    // arrays whose owners know nothing of the stream
  bool has_reals_ = true; // and no other numbers
  host::InplaceVector<host::Given, MOST> given_;
  host::InplaceVector<Item, MOST> items_;
};

} // namespace

Object converse(const Callable &callable, const Arguments &matched) {
  return Conversation(callable, matched).hold();
}

void set_array_factory(PyObject *factory) {
  Py_XDECREF(array_factory);
  Py_INCREF(factory);
  array_factory = factory;
}

} // namespace python
