// Rows of arrays, as bodies of rows see them.
#pragma once

#include <type_traits>

#include "kept_row.h"
#include "types.h"

namespace cuvec {

namespace detail {

/// The place so many elements away, which lies in a pack like it if that is a multiple of packs.
struct Shifted {
  int64 index;
  int lane;
  __host__ __device__ operator int64() const { return index; }
};
template <class I> using IfInteger = std::enable_if_t<std::is_integral_v<I>>;

} // namespace detail

template <class I, class = detail::IfInteger<I>>
__host__ __device__ detail::Shifted operator+(Place i, I by) {
  return {i.index + int64(by), i.lane};
}
template <class I, class = detail::IfInteger<I>>
__host__ __device__ detail::Shifted operator-(Place i, I by) {
  return {i.index - int64(by), i.lane};
}

/// A row that is read: `x[i]` is the element at a place of a loop, `x[i + n]` one so far after it,
/// `x[3]` any. `if (x)` holds unless it is an optional array that is None.
template <class T> class RowIn {
public:
  __host__ __device__ RowIn(const detail::FoundRow<const T> &row) : row_(row) {}

  __host__ __device__ int64 size() const { return row_.size; }
  __host__ __device__ explicit operator bool() const { return row_.data != nullptr; }
  __host__ __device__ T operator[](Place i) const {
#ifdef __CUDA_ARCH__
    return row_.is_kept ? row_.kept->at(i.slot) : row_.at(i.index - i.lane, i.lane);
#else
    return row_.data[i.index];
#endif
  }
  __host__ __device__ T operator[](detail::Shifted i) const {
    detail::within(i.index, row_.size, i.index);
#ifdef __CUDA_ARCH__
    return row_.is_kept ? row_.data[i.index] : row_.shifted(i.index - i.lane, i.lane);
#else
    return row_.data[i.index];
#endif
  }
  __host__ __device__ T operator[](detail::Index i) const {
    return row_.data[detail::within(i, row_.size, i)];
  }

private:
  detail::FoundRow<const T> row_;
};

/// A row that is written, and may be read if it is `inout`: `y[i]` at a place of a loop.
template <class T> class RowOut {
public:
  __host__ __device__ RowOut(const detail::FoundRow<T> &row) : row_(row) {}

  __host__ __device__ int64 size() const { return row_.size; }
  __host__ __device__ explicit operator bool() const { return row_.data != nullptr; }
  __host__ __device__ T &operator[](Place i) const {
#ifdef __CUDA_ARCH__
    return row_.written(i);
#else
    return row_.data[i.index];
#endif
  }

private:
  detail::FoundRow<T> row_;
};

namespace detail {

/// The type that values are summed in: float for floats of 16 and 8 bits.
template <class T> struct Summed : is<T> {};
template <int E, int F, bool I> struct Summed<small_float<E, F, I>> : is<float> {};
template <class F>
using summed_t = typename Summed<std::decay_t<std::invoke_result_t<F, Place>>>::type;

} // namespace detail

/// A row of sums over all rows, zero at first: `dweight[i] += value` at a place of a loop.
template <class T> class RowSum {
public:
  using Sum = typename detail::Summed<T>::type;
  /// Sums of some of the rows, in the order of memory or of the registers of a thread.
  __host__ __device__ RowSum(Sum *sums, int64 size, bool is_kept)
      : sums_(sums), size_(size), is_kept_(is_kept) {}

  __host__ __device__ int64 size() const { return size_; }
  __host__ __device__ Sum &operator[](Place i) const {
    return sums_[is_kept_ ? int64(i.slot) : i.index];
  }

private:
  Sum *sums_;
  int64 size_;
  bool is_kept_;
};

} // namespace cuvec
