// Operands of a declared function that a body calls: `call.run("gemv", a, x, 1.0, 0.0, y)`.
#pragma once

#include <stdexcept>
#include <type_traits>

#include "buffer.h"
#include "types.h"

namespace cuvec {

/// The cuvec_dtype of a C++ type; 0 if it is none.
template <class T>
inline constexpr int dtype_of = 0
#define CUVEC_DTYPE(name, NAME, code, bits)                                                        \
  +(std::is_same_v<T, detail::element_t<CUVEC_##NAME>> ? CUVEC_##NAME : 0)
    CUVEC_DTYPES(CUVEC_DTYPE);
#undef CUVEC_DTYPE

/// A declared function that a body has called did not take its arguments, or has failed. Python
/// raises the exception that a call of it would have raised.
struct CallFailed : std::runtime_error {
  CallFailed(int code, const char *message) : std::runtime_error(message), status(code) {}
  int status; // a cuvec_status
};

namespace detail {

template <class T> constexpr int dtype_of_operand() {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return (std::is_signed_v<T> ? 0 : 1) * 256 + int(sizeof(T)) * 8; // `long long` too
  } else {
    static_assert(dtype_of<T> != 0, "cuvec: no dtype has elements of type T");
    return dtype_of<T>;
  }
}

template <class T, int Rank, class Layout>
cuvec_operand operand(const View<T, Rank, Layout> &view) {
  using Element = std::remove_const_t<T>;
  cuvec_operand operand{};
  operand.value.data = const_cast<Element *>(view.data);
  operand.value.shape = view.shape;
  if constexpr (!std::is_same_v<Layout, Contiguous>) {
    operand.value.strides = view.strides;
  }
  operand.value.size = view.size();
  operand.dtype = dtype_of_operand<Element>();
  operand.rank = Rank;
  operand.is_writable = std::is_const_v<T> ? 0 : 1;
  return operand;
}

/// So many scalars.
template <class T> cuvec_operand scalars(const T *first, int64 count) {
  cuvec_operand operand{};
  operand.value.data = const_cast<T *>(first);
  operand.value.size = count;
  operand.dtype = dtype_of_operand<T>();
  operand.rank = -1;
  return operand;
}

template <class T, int N> cuvec_operand operand(const Tuple<T, N> &tuple) {
  return scalars(tuple.item, N);
}

/// None, for an optional array.
inline cuvec_operand operand(const std::nullptr_t & /*none*/) {
  cuvec_operand operand{};
  operand.dtype = CUVEC_BOOL;
  return operand;
}

template <class T, class = std::enable_if_t<!std::is_pointer_v<T>>>
cuvec_operand operand(const T &scalar) {
  return scalars(&scalar, 1);
}

} // namespace detail

} // namespace cuvec
