// For CPU paths: loops on several threads and with wide vectors, and sums.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

#include "call.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define CUVEC_HAS_AVX2 (__builtin_cpu_supports("avx2") != 0)
#define CUVEC_WITH_AVX2 __attribute__((target("avx2"), flatten))
#else // elsewhere every CPU has what the compiler uses anyway, or the compiler has no such thing
#define CUVEC_HAS_AVX2 false
#define CUVEC_WITH_AVX2
#endif

#ifdef __GNUC__
#define CUVEC_INDEPENDENT _Pragma("GCC ivdep") // arguments do not overlap: the hosts refuse it
#define CUVEC_NOINLINE __attribute__((noinline))
#else
#define CUVEC_INDEPENDENT
#define CUVEC_NOINLINE
#endif

namespace cuvec {

namespace detail {

/// The call that this thread runs; its threads serve `parallel`.
inline thread_local cuvec_call *current_call = nullptr;

/// This thread's `current_call`, as long as it lives.
class Current {
public:
  explicit Current(cuvec_call *call) : before_(current_call) { current_call = call; }
  ~Current() { current_call = before_; }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

private:
  cuvec_call *before_;
};

/// `flatten`: what the loop calls is inlined, and so compiled for AVX2 too.
template <class Loop> CUVEC_WITH_AVX2 void with_avx2(const Loop &loop) { loop(); }

} // namespace detail

/// Calls `loop`, which is compiled twice: for all CPUs, and with the wider vectors that nearly all
/// x86-64 have today. Both give the same bits.
template <class Loop> void vectorized(const Loop &loop) {
  if (CUVEC_HAS_AVX2) {
    detail::with_avx2(loop);
  } else {
    loop();
  }
}

namespace detail {

/// Work of one call that may throw, on threads that must not.
template <class Task> class Tasks {
public:
  explicit Tasks(const Task &task) : task_(task) {}

  void run(int64 tasks) {
    if (current_call->parallel(current_call, tasks, one, this) != 0) {
      throw Interrupted();
    }
    if (failed_) {
      std::rethrow_exception(error_);
    }
  }

private:
  static void one(void *self, int64_t i) {
    auto &tasks = *static_cast<Tasks *>(self);
    try {
      tasks.task_(i);
    } catch (...) {
      if (!tasks.failed_.exchange(true)) {
        tasks.error_ = std::current_exception();
      }
    }
  }

  const Task &task_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

} // namespace detail

/// Calls range(begin, end) for parts of 0 … n of at most `grain`, on several threads if there are
/// several parts.
template <class Range> void parallel_ranges(int64 n, int64 grain, const Range &range) {
  if (n <= grain) {
    range(int64(0), n);
    return;
  }
  const auto task = [&](int64 i) { range(i * grain, std::min(n, (i + 1) * grain)); };
  detail::Tasks<decltype(task)>(task).run((n + grain - 1) / grain);
}

/// Calls body(i) for i = 0 … n-1, on several threads from `grain` on: choose it so that so many
/// take about ten microseconds.
template <class Body> void parallel(int64 n, const Body &body, int64 grain = 32768) {
  parallel_ranges(n, grain, [&](int64 begin, int64 end) {
    vectorized([=] { // a copy of the body: its pointers are then known not to change
      CUVEC_INDEPENDENT
      for (int64 i = begin; i < end; ++i) {
        body(i);
      }
    });
  });
}

namespace detail {

/// Numbers that are added in one instruction: 32 bytes of floats where the compiler has such
/// vectors. Told so, GCC converts floats to doubles without shuffling them.
template <class T, class = void> struct WideVector {
  using type = T;
};
#ifdef __GNUC__
template <class T> struct WideVector<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  typedef T type __attribute__((vector_size(32)));
};
#endif

/// all[0] + … + all[2 * half - 1], pairwise, into the first; unrolled, so that it stays in
/// registers.
template <int half, class T> void fold(T *all) {
  if constexpr (half > 0) {
    for (int i = 0; i < half; ++i) {
      all[i] += all[i + half];
    }
    fold<half / 2>(all);
  }
}

/// Calls f(0), f(1), …, f(n - 1), with each index a constant: no compiler has one pragma for that.
template <class F, int... I> void unrolled(std::integer_sequence<int, I...> /*n*/, const F &f) {
  (f(I), ...);
}

/// At most some thousand terms, added in so many sums, which have constant indices and so stay in
/// registers.
template <int lanes, class T, class Term> T sum_leaf(int64 begin, int64 end, const Term &term) {
  using V = typename WideVector<T>::type;
  // Static, for clang 22 sees a capture in the size of `terms`.
  static constexpr int width = sizeof(V) / sizeof(T), vectors = lanes / width;
  constexpr std::make_integer_sequence<int, vectors> all;
  V sums[vectors] = {};
  const auto add = [&sums, &term](int v, int64 i, int count) {
    T terms[width] = {};
    for (int lane = 0; lane < count; ++lane) {
      terms[lane] = term(i + v * width + lane);
    }
    V vector;
    std::copy_n(terms, width, reinterpret_cast<T *>(&vector));
    sums[v] += vector;
  };
  const int64 blocks = (end - begin) / lanes;
  for (int64 block = 0; block < blocks; ++block) {
    unrolled(all, [&](int v) { add(v, begin + block * lanes, width); });
  }
  const int64 i = begin + blocks * lanes;
  const int rest = static_cast<int>(end - i);
  unrolled(all, [&](int v) {
    if ((v + 1) * width <= rest) {
      add(v, i, width);
    } else if (v * width < rest) {
      add(v, i, rest - v * width);
    }
  });
  fold<vectors / 2>(sums);
  T last[width];
  std::copy_n(reinterpret_cast<const T *>(sums), width, last);
  fold<width / 2>(last);
  return last[0];
}

} // namespace detail

template <class Term, class T = std::decay_t<std::invoke_result_t<Term, int64>>>
T sum(int64 begin, int64 end, const Term &term);

namespace detail {
template <int lanes, class T, class Term>
CUVEC_NOINLINE T sum_halves(int64 begin, int64 end, const Term &term) {
  const int64 half = ((end - begin) / 2 + lanes - 1) / lanes * lanes;
  T left = sum(begin, begin + half, term);
  left += sum(begin + half, end, term);
  return left;
}
} // namespace detail

/// term(begin) + … + term(end - 1), added pairwise and, at the leaves, in 32 sums for the vector
/// units. The order depends on the length alone. The error grows with its logarithm: N. J. Higham,
/// "The accuracy of floating point summation", SIAM J. Sci. Comput. 14 (1993).
template <class Term, class T> T sum(int64 begin, int64 end, const Term &term) {
  constexpr int64 lanes = 32, leaf = 2048;
  if (end - begin > leaf) {
    return detail::sum_halves<lanes, T>(begin, end, term);
  }
  T total;
  vectorized([&total, begin, end, term] { total = detail::sum_leaf<lanes, T>(begin, end, term); });
  return total;
}

/// Rows of n elements that are worth a thread: a `grain` for `parallel`.
inline int64 grain_for_rows(int64 n) { return std::max<int64>(1, 32768 / std::max<int64>(1, n)); }

/// The same for 0 … n-1 on several threads, with the same bits for any number of them.
template <class Term, class T = std::decay_t<std::invoke_result_t<Term, int64>>>
T parallel_sum(int64 n, const Term &term) {
  constexpr int64 grain = 32768;
  if (n <= grain) {
    return sum(0, n, term);
  }
  std::vector<T> parts(std::size_t((n + grain - 1) / grain));
  parallel_ranges(n, grain, [&](int64 begin, int64 end) {
    parts[std::size_t(begin / grain)] = sum(begin, end, term);
  });
  return sum(0, int64(parts.size()), [&](int64 i) { return parts[std::size_t(i)]; });
}

/// Ends the call if Ctrl-C was pressed. For long loops on the thread of the call; `parallel` looks
/// by itself.
inline void check_interrupt() {
  if (detail::current_call->interrupted(detail::current_call) != 0) {
    throw Interrupted();
  }
}

} // namespace cuvec
