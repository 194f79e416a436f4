// A row and the threads that share it: loops, reductions and scans.
#pragma once

#include <limits>
#include <type_traits>

#include "cluster.h"
#include "cpu.h"
#include "fast.h"
#include "reduce.h"
#include "row_elements.h"

namespace cuvec {

/// The largest of some numbers, and the sum of e to the power of each minus it.
struct ExpSum {
  float largest, sum;
};

namespace detail {

constexpr int threads_of_row = 512; // of a block at most: each may use 128 registers
constexpr int blocks_of_row = 8;    // of a cluster at most, where a row has one
constexpr int warps_of_row = threads_of_row / 32 * blocks_of_row;

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
/// Adds up two parts of a row.
struct AddExps {
  __host__ __device__ ExpSum operator()(ExpSum a, ExpSum b) const {
    const float largest = larger(a.largest, b.largest);
    return {largest,
            a.sum * fast::exp(a.largest - largest) + b.sum * fast::exp(b.largest - largest)};
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

  /// The largest f(i), at least the lowest float, and the sum of exp(f(i) - largest), read once:
  /// for softmax and its logarithm. Exponentials are `fast::exp`.
  template <class F> __host__ __device__ ExpSum exp_sum(const F &f) {
    const ExpSum none{std::numeric_limits<float>::lowest(), 0};
#ifdef __CUDA_ARCH__
    ExpSum all = none;
    packs([&](int64 first, int slot) { // the sum is scaled once a pack
      ExpSum more = all;
      float values[16];
      lanes(first, slot, [&](Place i) {
        values[i.lane] = float(f(i));
        more.largest = larger(more.largest, values[i.lane]);
      });
      more.sum *= fast::exp(all.largest - more.largest);
      lanes(first, slot, [&](Place i) { more.sum += fast::exp(values[i.lane] - more.largest); });
      all = more;
    });
    return among_threads<false>(all, none, detail::AddExps());
#else
    const float largest = larger(none.largest, float(max(f)));
    return {largest, sum([&](Place i) { return fast::exp(float(f(i)) - largest); })};
#endif
  }

  /// Calls to(i, f(0) op … op f(i)) for each place: op is associative, and `neutral` changes
  /// nothing.
  template <class T, class F, class Op, class To>
  __host__ __device__ void scan(T neutral, const F &f, const Op &op, const To &to) {
#ifdef __CUDA_ARCH__
    T before = neutral; // all packs that are done
    all_packs<true>([&](int64 first, int slot, bool is_there) {
      T sums[16], mine = neutral; // those that are not there only take part
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
    all_packs<false>([&](int64 first, int slot, bool is_there) {
      if (is_there) {
        f(first, slot);
      }
    });
  }
  /// The same; if the row consists of packs, one at least, with its last one for those that are not
  /// in it, so that no load waits for another.
  template <class F> __device__ void packs_to_load(const F &f) const {
    all_packs<false>([&](int64 first, int slot, bool is_there) {
      if (is_packed_) {
        f(is_there ? first : size_ - lanes_, slot);
      } else if (is_there) {
        f(first, slot);
      }
    });
  }

private:
  /// Calls f(first, slot, is_in_row) for packs, `Together` as often in all threads. It is called at
  /// one place, for compilers repeat all that it does at each before they know which is meant.
  template <bool Together, class F> __device__ void all_packs(const F &f) const {
    const bool is_kept = packs_kept_ > 0;
    const int64 mine = int64(thread_) * lanes_;
    int64 next = -shift_; // of the first thread

    CUVEC_UNROLL() // all of them, if their number is a constant
    for (int k = 0; is_kept ? k < packs_kept_ : next + (Together ? 0 : mine) < size_; ++k) {
      const int64 first = is_kept ? int64((k * threads_ + thread_) * lanes_ - shift_) : next + mine;
      const bool is_there =
          is_kept ? is_full_ || int(first) < int(size_) : !Together || first < size_;
      f(first, is_kept ? k * lanes_ : 0, is_there);
      next += int64(threads_) * lanes_;
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

} // namespace cuvec
