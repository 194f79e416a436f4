// The form for rows: a body says what happens to one row. The threads of a GPU that share it, its
// loads of 16 bytes and the registers that keep it follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu.h"
#include "device.h"
#include "reduce.h"

namespace cuvec {

/// An element of a row, as the loops of a `Row` pass it: converts to its index.
class Place {
public:
  int64 index;
  int slot, lane; // in the registers of a thread, and in the pack that it is loaded with

  __host__ __device__ operator int64() const { return index; }
};

namespace detail {

/// The place so many elements away, which lies in a pack like it if that is a multiple of packs.
struct Shifted {
  int64 index;
  int lane;
  __host__ __device__ operator int64() const { return index; }
};
template <class I> using IfInteger = std::enable_if_t<std::is_integral_v<I>>;

constexpr int bytes_kept = 128;     // of each array, in registers of a thread
constexpr int threads_of_row = 512; // of a block at most: each may use 128 registers
constexpr int blocks_of_row = 8;    // of a cluster at most, where a row has one
constexpr int warps_of_row = threads_of_row / 32 * blocks_of_row;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/// How many blocks the cluster of this one has, and which it is.
__device__ inline int cluster_size() {
  int size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}
__device__ inline int cluster_rank() {
  int rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
/// The same place in the shared memory of another block of the cluster.
template <class T> __device__ T *in_block(T *mine, int rank) {
  T *other;
  asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(mine), "r"(rank));
  return other;
}
__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
#else
__device__ inline int cluster_size() { return 1; }
__device__ inline int cluster_rank() { return 0; }
template <class T> __device__ T *in_block(T *mine, int /*rank*/) { return mine; }
__device__ inline void cluster_barrier() {}
#endif

/// The lanes of a pack that belong to its row, which may begin and end in the middle of a pack.
struct Lanes {
  int begin, end;
  __device__ Lanes(int64 first, int64 size, int lanes)
      : begin(first < 0 ? int(-first) : 0), end(size - first < lanes ? int(size - first) : lanes) {}
  __device__ bool have(int lane) const { return lane >= begin && lane < end; }
};

constexpr int64 no_pack = std::numeric_limits<int64>::min();

/// Elements of a row in registers of a thread: all its packs, or the one that it writes.
template <class T> struct KeptRow {
  // Where not all packs are kept: the first element of the one that is there, or no_pack. And true
  // if another loop has written it before.
  int64 current;
  bool is_again;
  alignas(16) T elements[sizeof(T) > 16 ? 8 : bytes_kept / sizeof(T)];
};

/// A row as a thread finds it. Apart from what is kept, so that compilers see that these are
/// constants, and keep that in registers.
template <class T> struct FoundRow {
  T *data;
  int64 size;
  KeptRow<std::remove_const_t<T>> *kept;
  bool is_kept, is_read, is_packed;
  int lanes;

  template <int N> __device__ void load(int64 first, std::remove_const_t<T> *to) const {
    if (is_whole<N>(first)) {
      *reinterpret_cast<Pack<std::remove_const_t<T>, N> *>(to) = pack<N>(first);
      return;
    }
    const Lanes there(first, size, N);
    CUVEC_UNROLL(N)
    for (int lane = 0; lane < N; ++lane) {
      if (there.have(lane)) {
        to[lane] = data[first + lane];
      }
    }
  }
  template <int N> __device__ void store(int64 first, const T *from) const {
    if (is_whole<N>(first)) {
      *reinterpret_cast<Pack<T, N> *>(data + first) = *reinterpret_cast<const Pack<T, N> *>(from);
      return;
    }
    const Lanes there(first, size, N);
    CUVEC_UNROLL(N)
    for (int lane = 0; lane < N; ++lane) {
      if (there.have(lane)) {
        data[first + lane] = from[lane];
      }
    }
  }
  /// Checks whether all of a pack is in the row, and where it can be loaded at once.
  template <int N> __device__ bool is_whole(int64 first) const {
    return is_packed || (first >= 0 && first + N <= size &&
                         reinterpret_cast<std::uintptr_t>(data + first) % (N * sizeof(T)) == 0);
  }

  /// A pack, which nobody writes if T is const: it may be loaded before others are stored.
  template <int N> __device__ auto pack(int64 first) const {
    using Whole = Pack<std::remove_const_t<T>, N>;
    const auto *const at = reinterpret_cast<const Whole *>(data + first);
    if constexpr (std::is_const_v<T> && sizeof(Whole) == sizeof(uint4)) {
      return same_bytes<Whole>(__ldg(reinterpret_cast<const uint4 *>(at)));
    } else {
      return *at;
    }
  }
  /// An element of memory: the loads of a pack's lanes are one.
  __device__ T at(int64 first, int lane) const {
    if (!is_packed) {
      return data[first + lane];
    }
    return by_lanes([&](auto n) { return T(pack<n>(first)[lane]); });
  }
  /// An element of a pack that begins anywhere, which is loaded once for its lanes.
  __device__ T shifted(int64 first, int lane) const {
    const bool is_new = first != kept->current;
    kept->current = first;
    if (is_new) {
      FoundRow row = *this;
      row.is_packed = is_packed && first % lanes == 0;
      by_lanes([&](auto n) { row.template load<n>(first, kept->elements); });
    }
    return kept->elements[lane];
  }
  __device__ T &written(Place i) const {
    if (is_kept) {
      return kept->elements[i.slot];
    }
    if (const int64 first = i.index - i.lane; first != kept->current) {
      flush();
      kept->is_again |= first < kept->current;
      kept->current = first;
      if (is_read || kept->is_again) {
        by_lanes([&](auto n) { load<n>(first, kept->elements); });
      }
    }
    return kept->elements[i.lane];
  }
  __device__ void flush() const {
    if (kept->current != no_pack) {
      by_lanes([&](auto n) { store<n>(kept->current, kept->elements); });
    }
  }

private:
  /// f of `lanes` as a type: one case is left where that is a constant.
  template <class F> __device__ auto by_lanes(const F &f) const {
    switch (lanes) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      return f(std::integral_constant<int, 16>{});
    }
  }
};

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
    return row_.is_kept ? row_.kept->elements[i.slot] : row_.at(i.index - i.lane, i.lane);
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

namespace detail {

/// The maximum and the minimum of an empty row.
template <class T> struct Extremes {
  using Limits = std::numeric_limits<T>;
  static constexpr T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
  static constexpr T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
};

/// A value and where it is; index -1: none.
template <class T> struct Found {
  T value;
  int64 index;
};
/// Checks whether a is larger than b; what is not a number is larger than all numbers.
template <class T> __host__ __device__ bool is_more(T a, T b) {
  return a > b || (a != a && b == b);
}
/// The larger of two, of equal ones the first.
struct FirstLargest {
  template <class T> __host__ __device__ Found<T> operator()(Found<T> a, Found<T> b) const {
    const bool takes_b = b.index >= 0 && (a.index < 0 || is_more(b.value, a.value) ||
                                          (!is_more(a.value, b.value) && b.index < a.index));
    return takes_b ? b : a;
  }
};
} // namespace detail

/// A row and those who work on it: all threads of the GPU that share it call the same, and all get
/// what it returns.
class Row {
public:
  __host__ __device__ Row(const KernelCall &call, int64 index, int64 size)
      : call_(call), index_(index), size_(size) {}
  Row(const Row &) = delete;
  Row &operator=(const Row &) = delete;

  /// Its number among all rows, and its elements.
  __host__ __device__ int64 index() const { return index_; }
  __host__ __device__ int64 size() const { return size_; }

  /// As in a kernel.
  __host__ __device__ void fail_if(bool failed, const char *what) const {
    call_.fail_if(failed, what);
  }

  /// Calls f(i) for each place of the row.
  template <class F> __host__ __device__ void each(const F &f) const {
#ifdef __CUDA_ARCH__
    packs([&](int64 first, int slot) { lanes(first, slot, f); });
#else
    CUVEC_INDEPENDENT
    for (int64 i = 0; i < size_; ++i) {
      f(Place{i, 0, 0});
    }
#endif
  }

  /// f(0), f(1), … by op, which is associative and commutative; `neutral` for an empty row, which
  /// changes nothing.
  template <class T, class F, class Op>
  __host__ __device__ T reduce(T neutral, const F &f, const Op &op) {
    return of_all<false>(f, neutral, op);
  }
  /// The sum, largest and smallest of f(i): 0 and infinities for an empty row. Floats of
  /// fewer than 32 bits are summed as float.
  template <class F, class T = detail::summed_t<F>> __host__ __device__ T sum(const F &f) {
#ifdef __CUDA_ARCH__
    return of_all<true>(f, T{}, detail::Plus());
#else
    return cuvec::sum(0, size_, [&](int64 i) { return T(f(Place{i, 0, 0})); });
#endif
  }
  template <class F, class T = detail::summed_t<F>> __host__ __device__ T max(const F &f) {
    return of_all<true>(f, detail::Extremes<T>::least, detail::Larger());
  }
  template <class F, class T = detail::summed_t<F>> __host__ __device__ T min(const F &f) {
    return of_all<true>(f, detail::Extremes<T>::most, detail::Smaller());
  }
  /// Where the first of the largest f(i) is, or of those that are not a number; -1 for an empty
  /// row.
  template <class F> __host__ __device__ int64 argmax(const F &f) {
    using detail::is_more;
    detail::Found<std::decay_t<std::invoke_result_t<F, Place>>> found{{}, -1};
#ifdef __CUDA_ARCH__
    packs([&](int64 first, int slot) { // an index of 64 bits once a pack
      auto best = found.value;
      int at = found.index < 0 ? 0 : -1;
      lanes(first, slot, [&](Place i) {
        const auto value = f(i);
        const bool is_best = is_more(value, best) || (at == 0 && (i.lane == 0 || i.index == 0));
        best = is_best ? value : best;
        at = is_best ? i.lane : at;
      });
      found = at < 0 ? found : decltype(found){best, first + at};
    });
    found = among_threads<true>(found, decltype(found){{}, -1}, detail::FirstLargest());
#else
    for (int64 i = 0; i < size_; ++i) {
      if (const auto value = f(Place{i, 0, 0}); i == 0 || is_more(value, found.value)) {
        found = {value, i};
      }
    }
#endif
    return found.index;
  }

  /// Calls to(i, f(0) op … op f(i)) for each place: op is associative, and `neutral` changes
  /// nothing.
  template <class T, class F, class Op, class To>
  __host__ __device__ void scan(T neutral, const F &f, const Op &op, const To &to) {
#ifdef __CUDA_ARCH__
    T before = neutral; // all packs that are done
    all_packs([&](int64 first, int slot) {
      const bool is_there = is_full_ || first < size_; // the others only take part
      T sums[16], mine = neutral;
      if (is_there) {
        lanes(first, slot, [&](Place i) { sums[i.lane] = mine = op(mine, T(f(i))); });
      }
      T all = neutral;
      const T earlier = op(before, in_earlier_threads(mine, neutral, op, all));
      if (is_there) {
        lanes(first, slot, [&](Place i) { to(i, op(earlier, sums[i.lane])); });
      }
      before = op(before, all);
    });
#else
    T total = neutral;
    for (int64 i = 0; i < size_; ++i) {
      const Place place{i, 0, 0};
      to(place, total = op(total, T(f(place))));
    }
#endif
  }

  /// The threads that share it, a power of two or whole warps, and which this one is. Its packs, of
  /// so many elements, are so many threads apart. Constants: `packs_kept`, or 0 if registers keep
  /// none, and whether all threads have those.
  __device__ Row(const KernelCall &call, int64 index, int64 size, int threads, int thread,
                 int blocks, int lanes, int packs_kept, bool is_packed, bool is_full)
      : call_(call), index_(index), size_(size), threads_(threads), thread_(thread),
        blocks_(blocks), lanes_(lanes), packs_kept_(packs_kept), is_packed_(is_packed),
        is_full_(is_full) {}
  /// Begins with so many lanes that are not in the row, for the memory of a pack to begin there.
  __device__ void shift_by(int lanes) { shift_ = lanes; }
  __device__ int threads() const { return threads_; }
  __device__ int thread() const { return thread_; }
  /// Goes on to another row of the same threads.
  __device__ void move_by(int64 rows) { index_ += rows; }

  /// Calls f(first, slot) for each pack of this thread.
  template <class F> __device__ void packs(const F &f) const {
    if (packs_kept_ == 0) {
      CUVEC_UNROLL(4)
      for (int64 first = int64(thread_) * lanes_ - shift_; first < size_;
           first += int64(threads_) * lanes_) {
        f(first, 0);
      }
      return;
    }
    all_packs([&](auto first, int slot) {
      if (is_full_ || first < decltype(first)(size_)) {
        f(first, slot);
      }
    });
  }

private:
  /// The same, as often in all threads.
  template <class F> __device__ void all_packs(const F &f) const {
    if (packs_kept_ > 0) {
      CUVEC_UNROLL(8)
      for (int k = 0; k < packs_kept_; ++k) {
        f((k * threads_ + thread_) * lanes_ - shift_, k * lanes_);
      }
      return;
    }
    CUVEC_UNROLL(4)
    for (int64 first = -shift_; first < size_; first += int64(threads_) * lanes_) {
      f(first + int64(thread_ * lanes_), 0);
    }
  }
  template <class F> __device__ void lanes(int64 first, int slot, const F &f) const {
    const detail::Lanes there(first, size_, lanes_);
    CUVEC_UNROLL(16)
    for (int lane = 0; lane < lanes_; ++lane) {
      if (is_packed_ || there.have(lane)) {
        f(Place{first + lane, slot + lane, lane});
      }
    }
  }
  /// The values of all warps, in memory that is another the next time.
  template <class T> __device__ const T *of_warps(T value) {
    alignas(T) __shared__ unsigned char memory[2][detail::warps_of_row * sizeof(T)];
    turn_ = 1 - turn_;
    T *const parts = reinterpret_cast<T *>(memory[turn_]);
    const int lane = thread_ % 32;
    if (blocks_ == 1) {
      if (lane == 0) {
        parts[thread_ / 32] = value;
      }
      __syncthreads();
    } else {
      if (lane < blocks_) {
        detail::in_block(parts, lane)[thread_ / 32] = value;
      }
      detail::cluster_barrier();
    }
    return parts;
  }
  /// op of a value of each of `count` lanes, in all of them; those are lanes of `mask`.
  template <bool Symmetric, class T, class Op>
  __device__ T among_lanes(T value, int count, unsigned mask, const Op &op) const {
    CUVEC_UNROLL(5)
    for (int apart = 1; apart < 32; apart *= 2) {
      if (apart < count) {
        const T other =
            detail::shuffled(value, [&](auto word) { return __shfl_xor_sync(mask, word, apart); });
        const bool is_behind = !Symmetric && (threadIdx.x & unsigned(apart)) != 0;
        value = is_behind ? op(other, value) : op(value, other);
      }
    }
    return value;
  }
  /// The lanes of a warp that share a row of fewer threads.
  __device__ unsigned mask() const {
    return ((1U << unsigned(threads_)) - 1) << (threadIdx.x % 32 - unsigned(thread_));
  }

  template <bool Symmetric, class T, class Op>
  __host__ __device__ T among_threads(T value, [[maybe_unused]] T neutral,
                                      [[maybe_unused]] const Op &op) {
#ifdef __CUDA_ARCH__
    if (threads_ < 32) {
      return among_lanes<Symmetric>(value, threads_, mask(), op);
    }
    value = among_lanes<Symmetric>(value, 32, ~0U, op);
    if (const int warps = threads_ / 32; warps > 1) {
      const T *all = of_warps(value);
      value = neutral;
      CUVEC_UNROLL(1)
      for (int warp = thread_ % 32; warp < warps; warp += 32) {
        value = op(value, all[warp]);
      }
      value = among_lanes<Symmetric>(value, 32, ~0U, op);
    }
#endif
    return value;
  }
  /// op of the values of the lanes before this one, of `width`, and of all.
  template <class T, class Op>
  __device__ static T in_earlier_lanes(T value, int width, unsigned mask, T neutral, const Op &op,
                                       T &all) {
    const int lane = int(threadIdx.x) & (width - 1);
    T sum = value;
    for (int apart = 1; apart < width; apart *= 2) {
      const T other = detail::shuffled(
          sum, [&](auto word) { return __shfl_up_sync(mask, word, unsigned(apart), width); });
      sum = lane >= apart ? op(other, sum) : sum;
    }
    all =
        detail::shuffled(sum, [&](auto word) { return __shfl_sync(mask, word, width - 1, width); });
    const T earlier =
        detail::shuffled(sum, [&](auto word) { return __shfl_up_sync(mask, word, 1, width); });
    return lane == 0 ? neutral : earlier;
  }
  /// op of the values of the threads before this one, and of all.
  template <class T, class Op>
  __device__ T in_earlier_threads(T value, T neutral, const Op &op, T &all) {
    if (threads_ < 32) {
      return in_earlier_lanes(value, threads_, mask(), neutral, op, all);
    }
    T earlier = in_earlier_lanes(value, 32, ~0U, neutral, op, all);
    if (threads_ > 32) { // each lane has so many warps
      const T *const warps = of_warps(all);
      const int each = (threads_ / 32 + 31) / 32, warp = thread_ / 32, mine = thread_ % 32 * each;
      T some = neutral;
      for (int other = mine; other < mine + each && other < threads_ / 32; ++other) {
        some = op(some, warps[other]);
      }
      some = in_earlier_lanes(some, 32, ~0U, neutral, op, all);
      some = detail::shuffled(some, [&](auto word) { return __shfl_sync(~0U, word, warp / each); });
      for (int other = warp / each * each; other < warp; ++other) {
        some = op(some, warps[other]);
      }
      earlier = op(some, earlier);
    }
    return earlier;
  }

  /// op of all f(i); bits are the same in all threads if it is symmetric, or made so.
  template <bool Symmetric, class T, class F, class Op>
  __host__ __device__ T of_all(const F &f, T neutral, const Op &op) {
    T total = neutral;
#ifdef __CUDA_ARCH__
    each([&](Place i) { total = op(total, T(f(i))); });
#else
    for (int64 i = 0; i < size_; ++i) { // not `each`, whose places are independent
      total = op(total, T(f(Place{i, 0, 0})));
    }
#endif
    return among_threads<Symmetric>(total, neutral, op);
  }

  KernelCall call_;
  int64 index_, size_;
  int threads_ = 1, thread_ = 0, blocks_ = 1, shift_ = 0, lanes_ = 1, packs_kept_ = 0, turn_ = 0;
  bool is_packed_ = false, is_full_ = false;
};

namespace detail {

// ---- the arguments of a call, as a row gets them ------------------------------------------------

/// A number, or a whole array.
template <class D> struct WholeOfRow {
  D value;
  static constexpr bool is_row = false, is_written = false;

  D on_cpu(int64 /*row*/) const { return value; }
  template <int N> bool is_packed() const { return true; }

  struct Kept {
    D value;
    __device__ D argument() { return value; }
    __device__ void load(const Row & /*row*/) const {}
    __device__ void store(const Row & /*row*/) const {}
  };
  template <int N, int Packs, bool IsPacked> __device__ Kept kept(int64 /*row*/) const {
    return {value};
  }
};

/// One element a row.
template <class D, bool Reads, bool Writes, bool IsOptional> struct ItemOfRow {
  D *data;
  static constexpr bool is_row = false, is_written = false;
  using Element = std::conditional_t<Writes, D, const D>;
  using Argument = std::conditional_t<IsOptional, Element *, Element &>;

  static __host__ __device__ Argument argument(D *at, bool is_given) {
    if constexpr (IsOptional) {
      return is_given ? at : nullptr;
    } else {
      return *at;
    }
  }
  Argument on_cpu(int64 row) const { return argument(data + row, data != nullptr); }
  template <int N> bool is_packed() const { return true; }

  struct Kept {
    D *at;
    D value;
    __device__ Argument argument() { return ItemOfRow::argument(&value, at != nullptr); }
    __device__ void load(const Row & /*row*/) {
      if (Reads && at != nullptr) {
        value = *at;
      }
    }
    __device__ void store(const Row &row) const {
      if (Writes && at != nullptr && row.thread() == 0) {
        *at = value;
      }
    }
  };
  template <int N, int Packs, bool IsPacked> __device__ Kept kept(int64 row) const {
    return {data == nullptr ? nullptr : data + row, {}};
  }
};

/// Elements that lie one after the other, and so many from one row to the next: none if it
/// `IsShared` by all rows. `IsWhole`: as many as the row has places.
template <class D, bool Reads, bool Writes, bool IsWhole, bool IsShared> struct ArrayOfRow {
  D *data;
  int64 size, step;
  static constexpr bool is_row = IsWhole && !IsShared, is_written = is_row && Writes;
  using Found = FoundRow<std::conditional_t<Writes, D, const D>>;
  using Argument = std::conditional_t<Writes, RowOut<D>, RowIn<D>>;

  __host__ __device__ D *begin(int64 row) const {
    return IsShared || data == nullptr ? data : data + row * step;
  }
  Argument on_cpu(int64 row) const {
    return Found{begin(row), size, nullptr, false, Reads, false, 1};
  }
  template <int N> bool is_packed() const {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    return size % N == 0 && step % N == 0 && address % (N * sizeof(D)) == 0;
  }

  template <int N, int Packs, bool IsPacked> struct Kept {
    // Arguments that rows share stay in the cache: fewer registers let more rows run at a time.
    static constexpr bool is_kept = is_row && Packs > 0;
    D *data;
    int64 size;
    KeptRow<D> kept;

    __device__ Found found() { return {data, size, &kept, is_kept, Reads, IsPacked, N}; }
    __device__ Argument argument() { return found(); }
    __device__ void load(const Row &of) {
      if (is_kept && Reads && data != nullptr) {
        of.packs(
            [&](int64 first, int slot) { found().template load<N>(first, kept.elements + slot); });
      }
    }
    __device__ void store(const Row &of) {
      if constexpr (Writes) {
        if (data == nullptr) {
          return;
        }
        if constexpr (is_kept) {
          of.packs([&](int64 first, int slot) {
            found().template store<N>(first, kept.elements + slot);
          });
        } else {
          found().flush();
        }
      }
    }
  };
  template <int N, int Packs, bool IsPacked>
  __device__ Kept<N, Packs, IsPacked> kept(int64 row) const {
    return {begin(row), size, {no_pack, false, {}}};
  }
};

/// Sums over all rows: first of groups of rows, in `parts`, one group behind the other.
template <class D> struct SumOfRows {
  using Sum = typename Summed<D>::type;
  D *data;
  int64 size;
  Sum *parts;
  static constexpr bool is_row = false, is_written = false;

  template <int N> bool is_packed() const { return true; }
  __host__ __device__ Sum *part(int64 group) const { return parts + group * size; }

  /// The sums of a group of rows, in registers or in memory.
  template <int N, int Packs, bool IsPacked> struct Group {
    Sum *part;
    Sum kept[Packs > 0 ? Packs *N : 1];
    int64 size;

    __device__ RowSum<D> argument() { return {Packs > 0 ? kept : part, size, Packs > 0}; }
    __device__ void load(const Row & /*row*/) const {}
    __device__ void store(const Row & /*row*/) const {}
    __device__ void start(const Row &row) {
      row.each([&](Place i) { argument()[i] = Sum{}; });
    }
    __device__ void end(const Row &row) {
      if (Packs > 0 && !IsPacked) {
        row.each([&](Place i) { part[i.index] = argument()[i]; });
      } else if (Packs > 0) {
        row.packs([&](int64 first, int slot) {
          Pack<Sum, N> pack;
          CUVEC_UNROLL(N)
          for (int lane = 0; lane < N; ++lane) {
            pack[lane] = kept[slot + lane];
          }
          *reinterpret_cast<Pack<Sum, N> *>(part + first) = pack;
        });
      }
    }
  };
};

template <class S> constexpr bool is_sum = false;
template <class D> constexpr bool is_sum<SumOfRows<D>> = true;
template <class... S> constexpr int sums_of = (0 + ... + int(is_sum<S>));

/// An argument with memory for the sums of so many groups of rows.
template <class S> S with_parts(Call & /*call*/, const S &s, int64 /*groups*/) { return s; }
template <class D> SumOfRows<D> with_parts(Call &call, SumOfRows<D> s, int64 groups) {
  s.parts = call.scratch<typename SumOfRows<D>::Sum>(groups, s.size).data;
  return s;
}

// ---- rows on the GPU and on the CPU -------------------------------------------------------------

/// How many elements of a row's last array are between its first one and a pack's before it.
template <int N, class S>
__device__ void add_lanes_past(const S & /*s*/, int64 /*row*/, int & /*lanes*/) {}
template <int N, class D, bool Reads, bool Writes>
__device__ void add_lanes_past(const ArrayOfRow<D, Reads, Writes, true, false> &s, int64 row,
                               int &lanes) {
  if (s.data != nullptr) {
    lanes = int(reinterpret_cast<std::uintptr_t>(s.begin(row)) / sizeof(D) % N);
  }
}
template <int N, class... S> __device__ int lanes_past(int64 row, const S &...s) {
  int lanes = 0;
  (add_lanes_past<N>(s, row, lanes), ...);
  return lanes;
}

/// Calls f(row) with the first row of those who share one, 2^`shift` threads of a warp, or a block
/// or a cluster if that is more, if its number is below `count`.
template <int N, int Packs, bool IsPacked, bool IsFull, class F>
__device__ void with_row(const KernelCall &call, int64 count, int64 n, int shift, const F &f) {
  const bool is_block = shift > 5;
  const int all = int(blockDim.x), thread = int(threadIdx.x);
  const int blocks = is_block ? cluster_size() : 1;
  if (blocks > 1) {
    cluster_barrier(); // all of them have begun, and may get values
  }
  const int64 index =
      is_block ? int64(blockIdx.x) / blocks : (int64(blockIdx.x) * all + thread) >> unsigned(shift);
  if (index < count) {
    const int threads = is_block ? all * blocks : 1 << unsigned(shift);
    const int mine = is_block ? cluster_rank() * all + thread : thread & (threads - 1);
    Row row(call, index, n, threads, mine, blocks, N, Packs, IsPacked, IsFull);
    f(row);
  }
}

template <class Body, int N, int Packs, bool IsPacked, bool IsFull, class... S>
__global__ void __launch_bounds__(threads_of_row)
    row_kernel(KernelCall call, int64 rows, int64 n, int shift, S... s) {
  with_row<N, Packs, IsPacked, IsFull>(call, rows, n, shift, [&](Row &row) {
    if constexpr (!IsPacked) {
      row.shift_by(lanes_past<N>(row.index(), s...));
    }
    const auto run = [&](auto... kept) {
      (kept.load(row), ...);
      Body::row(row, kept.argument()...);
      (kept.store(row), ...);
    };
    run(s.template kept<N, Packs, IsPacked>(row.index())...);
  });
}

/// No sums of a group of rows.
struct NoGroup {
  __device__ void start(const Row & /*row*/) const {}
  __device__ void end(const Row & /*row*/) const {}
};
template <int N, int Packs, bool IsPacked, class S>
__device__ NoGroup group_of(const S & /*s*/, int64 /*group*/) {
  return {};
}
template <int N, int Packs, bool IsPacked, class D>
__device__ auto group_of(const SumOfRows<D> &s, int64 group) {
  return typename SumOfRows<D>::template Group<N, Packs, IsPacked>{s.part(group), {}, s.size};
}
template <int N, int Packs, bool IsPacked, class S>
__device__ auto kept_of(const S &s, NoGroup & /*sums*/, int64 row) {
  return s.template kept<N, Packs, IsPacked>(row);
}
template <int N, int Packs, bool IsPacked, class D, class G>
__device__ G &kept_of(const SumOfRows<D> & /*s*/, G &sums, int64 /*row*/) {
  return sums;
}

/// Brings memory into the cache that all blocks share.
__device__ inline void fetch([[maybe_unused]] const void *at) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#endif
}
/// Brings what is read of a row into it, by the threads that share another.
template <class S> __device__ void fetch_row(const S & /*s*/, const Row & /*by*/, int64 /*row*/) {}
template <class D, bool Writes>
__device__ void fetch_row(const ArrayOfRow<D, true, Writes, true, false> &s, const Row &by,
                          int64 row) {
  if (s.data != nullptr) {
    constexpr int sector = sizeof(D) < 32 ? 32 / sizeof(D) : 1; // what memory brings at least
    CUVEC_UNROLL(1)
    for (int64 i = int64(by.thread()) * sector; i < s.size; i += int64(by.threads()) * sector) {
      fetch(s.begin(row) + i);
    }
  }
}

/// The same where those who share a row work on every so many-th, and sum over them.
template <class Body, int N, int Packs, bool IsPacked, bool IsFull, class... S>
__global__ void __launch_bounds__(threads_of_row)
    rows_kernel(KernelCall call, int64 rows, int64 n, int shift, int64 groups, S... s) {
  with_row<N, Packs, IsPacked, IsFull>(call, groups, n, shift, [&](Row &row) {
    if constexpr (!IsPacked) { // the same for all rows of a group
      row.shift_by(lanes_past<N>(row.index(), s...));
    }
    const auto run = [&](auto &&...kept) {
      (kept.load(row), ...);
      if (const int64 next = row.index() + groups; next < rows) {
        (fetch_row(s, row, next), ...);
      }
      Body::row(row, kept.argument()...);
      (kept.store(row), ...);
    };
    const auto sum = [&](auto... sums) {
      (sums.start(row), ...);
      for (; row.index() < rows; row.move_by(groups)) {
        run(kept_of<N, Packs, IsPacked>(s, sums, row.index())...);
      }
      (sums.end(row), ...);
    };
    sum(group_of<N, Packs, IsPacked>(s, row.index())...);
  });
}

constexpr int parts_of_place = 32; // threads that add up the sums of groups

template <class D>
__global__ void __launch_bounds__(32 * parts_of_place) parts_kernel(SumOfRows<D> s, int64 groups) {
  using Sum = typename SumOfRows<D>::Sum;
  alignas(Sum) __shared__ unsigned char memory[32 * parts_of_place * sizeof(Sum)];
  auto *const sums = reinterpret_cast<Sum *>(memory);
  const int lane = int(threadIdx.x) % 32, first = int(threadIdx.x) / 32;
  const int64 i = int64(blockIdx.x) * 32 + lane;
  Sum sum{};
  if (i < s.size) {
    CUVEC_UNROLL(8)
    for (int64 group = first; group < groups; group += parts_of_place) {
      sum += s.part(group)[i];
    }
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (first == 0 && i < s.size) {
    for (int other = 1; other < parts_of_place; ++other) {
      sum += sums[other * 32 + lane];
    }
    s.data[i] = D(sum);
  }
}
template <class S> void add_parts_gpu(Call & /*call*/, const S & /*s*/, int64 /*groups*/) {}
template <class D> void add_parts_gpu(Call &call, const SumOfRows<D> &s, int64 groups) {
  call.launch<parts_kernel<D>>(Grid((s.size + 31) / 32, 32 * parts_of_place), s, groups);
}

/// How many blocks may share a row: more than one if the code is for GPUs that have clusters.
template <class Kernel> int64 blocks_at_most([[maybe_unused]] Kernel *kernel) {
#ifdef __CUDACC__
  cudaFuncAttributes found{};
  if (cudaFuncGetAttributes(&found, kernel) == cudaSuccess && found.ptxVersion >= 90) {
    return blocks_of_row;
  }
#endif
  return 1;
}

template <class Body, int N, bool IsPacked, class... S>
void row_gpu_with(Call &call, int64 rows, int64 n, const S &...s) {
  // With more arrays registers do not suffice for more, nor where lanes are checked.
  constexpr int more = (0 + ... + int(S::is_row)) <= 4 ? 8 : 4;
  constexpr int with_sums = more / (sums_of<S...> == 0 ? 1 : sums_of<S...> == 1 ? 2 : 4);
  constexpr int kept = IsPacked || with_sums * N <= 32 ? with_sums : 32 / N;
  const int64 packs = (n + (IsPacked ? 0 : N - 1) + N - 1) / N;
  int64 threads = 1, blocks = 1; // of a row, and in all of the blocks
  const auto launch = [&](auto packs_kept, auto is_full) {
    int shift = 0;
    while (shift < 6 && int64(1) << shift < threads) {
      ++shift;
    }
    const int64 together = threads > 32 ? 1 : 128 / threads; // rows of a block
    const auto grid_of = [&](int64 all) {
      const Grid grid((all + together - 1) / together * blocks, threads / blocks * together);
      return blocks > 1 ? grid.cluster(unsigned(blocks)) : grid;
    };
    if constexpr (sums_of<S...> == 0) {
      call.launch<row_kernel<Body, N, packs_kept, IsPacked, is_full, S...>>(grid_of(rows), call,
                                                                            rows, n, shift, s...);
    } else {
      // As many as a GPU runs at a time, by sizes alone: so are the bits of the sums. Fewer
      // clusters fit. Where rows begin anywhere, all rows of a group begin with the same lane.
      const int64 most = std::min<int64>(4096, (blocks > 2 ? 120 : 128) * threads_of_row / threads);
      const int64 groups = std::min(rows, IsPacked ? most : std::max<int64>(1, most / N) * N);
      const auto run = [&](const auto &...with) {
        call.launch<rows_kernel<Body, N, packs_kept, IsPacked, is_full, S...>>(
            grid_of(groups), call, rows, n, shift, groups, with...);
        (add_parts_gpu(call, with, groups), ...);
      };
      run(with_parts(call, s, groups)...);
    }
  };
  using Kept = std::integral_constant<int, kept>;
  int64 most = threads_of_row;
  if (packs > most * kept) {
    if constexpr (sums_of<S...> == 0) {
      most *= blocks_at_most(row_kernel<Body, N, kept, IsPacked, false, S...>);
    } else {
      most *= blocks_at_most(rows_kernel<Body, N, kept, IsPacked, false, S...>);
    }
  }
  // A row of which nothing is written is mostly read once: blocks need not keep it.
  constexpr bool is_written = (sums_of<S...> + ... + int(S::is_written)) > 0;
  while (threads < most) {
    const bool is_block = threads >= threads_of_row;
    const int64 enough = is_block && is_written ? 1 << 16 : 1 << 17; // threads for any GPU
    if ((threads * kept >= packs || (is_block && !is_written)) &&
        (threads >= packs || rows * threads >= enough)) {
      break;
    }
    threads *= 2;
  }
  if (threads > 32) { // as few as have all packs, in whole warps of all blocks
    blocks = (threads + threads_of_row - 1) / threads_of_row;
    const int64 warps = 32 * blocks;
    const int64 fit = (packs + warps * kept - 1) / (warps * kept) * warps;
    threads = threads / 2 < fit ? std::min(threads, fit) : threads;
  }
  if constexpr (IsPacked) {
    if (packs == threads * kept) {
      return launch(Kept{}, std::true_type{});
    }
  }
  if (packs <= threads * kept) {
    launch(Kept{}, std::false_type{});
  } else {
    launch(std::integral_constant<int, 0>{}, std::false_type{});
  }
}

template <class Body, int N, class... S>
void row_gpu(Call &call, int64 rows, int64 n, const S &...s) {
  (s.template is_packed<N>() && ...) ? row_gpu_with<Body, N, true>(call, rows, n, s...)
                                     : row_gpu_with<Body, N, false>(call, rows, n, s...);
}

template <class S> decltype(auto) on_cpu_of(const S &s, int64 row, int64 /*group*/) {
  return s.on_cpu(row);
}
template <class D> RowSum<D> on_cpu_of(const SumOfRows<D> &s, int64 /*row*/, int64 group) {
  return {s.part(group), s.size, false};
}
template <class S> void clear_part(const S & /*s*/, int64 /*group*/) {}
template <class D> void clear_part(const SumOfRows<D> &s, int64 group) {
  std::fill_n(s.part(group), s.size, typename SumOfRows<D>::Sum{});
}
template <class S> void add_parts_cpu(const S & /*s*/, int64 /*groups*/) {}
template <class D> void add_parts_cpu(const SumOfRows<D> &s, int64 groups) {
  const auto add = [=](int64 i) {
    typename SumOfRows<D>::Sum sum{};
    for (int64 group = 0; group < groups; ++group) {
      sum += s.part(group)[i];
    }
    s.data[i] = D(sum);
  };
  parallel(s.size, add, grain_for_rows(groups));
}

template <class Body, class... S> void row_cpu(Call &call, int64 rows, int64 n, const S &...s) {
  const KernelCall kernel = call;
  if constexpr (sums_of<S...> == 0) {
    parallel(
        rows,
        [=](int64 index) {
          Row row(kernel, index, n);
          Body::row(row, s.on_cpu(index)...);
        },
        grain_for_rows(n));
  } else {
    const int64 groups = std::min<int64>(rows, 64), most = rows / std::max<int64>(1, groups) + 1;
    const auto run = [=](const auto &...with) {
      parallel(
          groups,
          [=](int64 group) {
            (clear_part(with, group), ...);
            for (int64 index = group; index < rows; index += groups) {
              Row row(kernel, index, n);
              Body::row(row, on_cpu_of(with, index, group)...);
            }
          },
          std::max<int64>(1, grain_for_rows(n) / most));
      (add_parts_cpu(with, groups), ...);
    };
    run(with_parts(call, s, groups)...);
  }
}

} // namespace detail
} // namespace cuvec
