#include "number.hpp"

#include <cmath>

#include "ndarray.hpp"
#include "object.hpp"
#include "read.hpp"

namespace python {

namespace {

bool failed() { return PyErr_Occurred() != nullptr; }

/// float16 as IEEE 754 has it: a sign, 5 bits of exponent and 10 of fraction.
double half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits >> 15) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return sign * (fraction != 0 ? NAN : INFINITY);
  }
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

} // namespace

std::optional<host::Integer> Number::integer() const {
  if (is_numpy_bool(object_)) { // the one integer of NumPy's without `__index__`
    return host::Integer{false, static_cast<std::uint64_t>(PyObject_IsTrue(object_)), true};
  }
  if (PyIndex_Check(object_) == 0) {
    return std::nullopt;
  }
  const Object number = checked(run(PyNumber_Index, object_));
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow == 0) {
    const auto bits = static_cast<std::uint64_t>(value);
    return host::Integer{value < 0, value < 0 ? 0 - bits : bits, true};
  }
  if (overflow < 0) {
    return host::Integer{true, 0, false};
  }
  const unsigned long long large = PyLong_AsUnsignedLongLong(number.get());
  if (failed()) {
    PyErr_Clear(); // larger still
    return host::Integer{false, 0, false};
  }
  return host::Integer{false, large, true};
}

double Number::real() const {
  const double value = run(PyFloat_AsDouble, object_);
  if (value == -1.0 && failed()) {
    refuse();
  }
  return value;
}

std::complex<double> Number::complex() const {
  if (PyUnicode_Check(object_) != 0) { // complex("1j") would be one
    throw host::TypeError(std::string(name_) + " must be a number, not " + type());
  }
  auto *maker = reinterpret_cast<PyObject *>(&PyComplex_Type);
  const Object made = call_with(maker, object_);
  if (!made) {
    refuse();
  }
  return {PyComplex_RealAsDouble(made.get()), PyComplex_ImagAsDouble(made.get())};
}

std::string Number::type() const { return class_name(object_); }

std::string Number::text() const {
  const Object text = checked(run(PyObject_Str, object_));
  return to_string(text.get()).value_or("");
}

/// What Python has raised, or our own words where the object is no number at all.
void Number::refuse() const {
  if (PyErr_ExceptionMatches(PyExc_TypeError) != 0 && PyIndex_Check(object_) == 0) {
    PyObject *error = nullptr;
    PyObject *value = nullptr;
    PyObject *trace = nullptr;
    PyErr_Fetch(&error, &value, &trace);
    const bool has_any = attribute(object_, "__float__") || attribute(object_, "__complex__");
    if (!has_any) {
      Py_XDECREF(error);
      Py_XDECREF(value);
      Py_XDECREF(trace);
      throw host::TypeError(std::string(name_) + " must be a number, not " + type());
    }
    PyErr_Restore(error, value, trace);
  }
  throw Raised();
}

PyObject *to_python(const host::Value &value) {
  switch (value.dtype) {
  case host::DType::Bool:
    return PyBool_FromLong(static_cast<long>(value.as<bool>()));
  case host::DType::I8:
    return PyLong_FromLong(value.as<std::int8_t>());
  case host::DType::U8:
    return PyLong_FromLong(value.as<std::uint8_t>());
  case host::DType::I16:
    return PyLong_FromLong(value.as<std::int16_t>());
  case host::DType::U16:
    return PyLong_FromLong(value.as<std::uint16_t>());
  case host::DType::I32:
    return PyLong_FromLong(value.as<std::int32_t>());
  case host::DType::U32:
    return PyLong_FromUnsignedLong(value.as<std::uint32_t>());
  case host::DType::I64:
    return PyLong_FromLongLong(value.as<std::int64_t>());
  case host::DType::U64:
    return PyLong_FromUnsignedLongLong(value.as<std::uint64_t>());
  case host::DType::F16:
    return PyFloat_FromDouble(half(value.as<std::uint16_t>()));
  case host::DType::F32:
    return PyFloat_FromDouble(static_cast<double>(value.as<float>()));
  case host::DType::F64:
    return PyFloat_FromDouble(value.as<double>());
  case host::DType::C64: {
    const auto number = value.as<std::complex<float>>();
    return PyComplex_FromDoubles(static_cast<double>(number.real()),
                                 static_cast<double>(number.imag()));
  }
  default: {
    const auto number = value.as<std::complex<double>>();
    return PyComplex_FromDoubles(number.real(), number.imag());
  }
  }
}

} // namespace python
