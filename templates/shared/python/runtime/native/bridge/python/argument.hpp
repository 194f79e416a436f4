// Array arguments: every kind of object that a function takes.
#pragma once

#include <Python.h>
#include <memory>
#include <optional>

#include <host/array.hpp>
#include <host/interop.hpp>

namespace python {

/// What an exporter handed out for one call and takes back after it. Its value is its deleter.
using Loan = std::unique_ptr<void, void (*)(void *)>;

inline Loan no_loan() {
  return {nullptr, [](void *) {}};
}

/// What is asked once for all arrays of a call.
class Asked {
public:
  Asked() = default;

  /// `may_borrow` says that arrays may be read which are only lent as long as their objects live
  /// and their memory is used in the order of `Array::ready`.
  explicit Asked(bool may_borrow) : may_borrow_(may_borrow) {}

  bool may_borrow() const { return may_borrow_; }

  /// The stream that CuPy works on, for memory of this device. Throws as `dlpack::is_for_gpu`.
  host::Stream cupys_stream(host::dlpack::Device device);

  /// The stream that a library works on. Throws what it has raised.
  host::Stream work_stream(const host::dlpack::Exchange &exchange, host::dlpack::Device device);

private:
  bool may_borrow_ = false;
  bool has_cupys_ = false; // which is what follows
  host::dlpack::Device cupys_device_{};
  host::Stream cupys_;
  const host::dlpack::Exchange *exchange_ = nullptr; // that has said what follows
  host::dlpack::Device device_{};
  host::Stream work_;
};

/// An array as it is read of an object, and what to give back after its use.
struct Reading {
  host::Array array;
  Loan loan = no_loan();
  bool borrowed = false; ///< as `Asked` may permit
};

/// An array argument. The array is valid as long as this lives and the caller holds the object,
/// with or without the GIL; made and destroyed with the GIL.
class Argument {
public:
  /// Reads an object. Throws the error that the caller is to get, who knows it by its name.
  Argument(PyObject *object, const char *name);
  Argument(PyObject *object, const char *name, Asked &asked);

  /// An array, and what to give back after its use.
  Argument(host::Array &&array, Loan &&loan);

  const host::Array &array() const { return reading_.array; }

  /// Takes a share of memory that is only borrowed of this object.
  void own(PyObject *object, Asked &asked);

private:
  Reading reading_;
};

} // namespace python
