// The short form: a function that is one expression for an element.
#pragma once

#include <cstdint>
#include <utility>

#include "cpu.h"
#include "device.h"

namespace cuvec::detail {

/// A number, the same for every element.
template <class D> struct Number {
  D value;

  template <int N> struct Lanes {
    D value;
    __host__ __device__ D &operator[](int /*lane*/) { return value; }
  };
  template <int N> __device__ Lanes<N> load(int64 /*first*/) const { return {value}; }
  template <int N> __device__ void store(int64 /*first*/, const Lanes<N> & /*lanes*/) const {}
  D at(int64 /*i*/) const { return value; }
};

/// The elements of an array: read, written, or both.
template <class D, bool Reads, bool Writes> struct Elements {
  D *data;

  template <int N> using Lanes = Pack<D, N>;
  template <int N> __device__ Lanes<N> load(int64 first) const {
    if constexpr (Reads) {
      return *reinterpret_cast<const Pack<D, N> *>(data + first);
    } else {
      return {};
    }
  }
  template <int N> __device__ void store(int64 first, const Lanes<N> &lanes) const {
    if constexpr (Writes) {
      *reinterpret_cast<Pack<D, N> *>(data + first) = lanes;
    }
  }
  D &at(int64 i) const { return data[i]; }
};

/// The elements of an array that may be None: pointers to them, or null.
template <class D, bool Reads, bool Writes> struct OptionalElements {
  using Given = Elements<D, Reads, Writes>;
  using Element = std::conditional_t<Writes, D, const D>;
  D *data;

  template <int N> struct Lanes {
    Pack<D, N> pack;
    bool is_given;
    __host__ __device__ Element *operator[](int lane) { return is_given ? &pack[lane] : nullptr; }
  };
  template <int N> __device__ Lanes<N> load(int64 first) const {
    if (data == nullptr) {
      return {{}, false};
    }
    return {Given{data}.template load<N>(first), true};
  }
  template <int N> __device__ void store(int64 first, const Lanes<N> &lanes) const {
    if (lanes.is_given) {
      Given{data}.template store<N>(first, lanes.pack);
    }
  }
  Element *at(int64 i) const { return data == nullptr ? nullptr : data + i; }
};

/// Calls F's `each` for the lanes of some elements.
template <class Body, int N, class... Lanes> __device__ void each_lane(Lanes &...lanes) {
  CUVEC_UNROLL(N)
  for (int lane = 0; lane < N; ++lane) {
    Body::apply(lanes[lane]...);
  }
}

template <class Body, int N, class... S, std::size_t... I>
__device__ void each_pack(int64 first, std::index_sequence<I...> /*all*/, const S &...s) {
  auto go = [&](auto... lanes) {
    each_lane<Body, N>(lanes...);
    (s.template store<N>(first, lanes), ...);
  };
  go(s.template load<N>(first)...);
}

/// N elements a thread, and the elements before `head` and after the last pack one by one.
template <class Body, int N, class... S>
__global__ void __launch_bounds__(256) each_kernel(int64 head, int64 n, S... s) {
  using All = std::index_sequence_for<S...>;
  const int64 packs = (n - head) / N, tail = head + packs * N;
  for (int64 i = thread_index(); i < packs; i += thread_count()) {
    each_pack<Body, N>(head + i * N, All{}, s...);
  }
  if constexpr (N > 1) {
    CUVEC_UNROLL(1) // few elements
    for (int64 i = thread_index(); i < head + (n - tail); i += thread_count()) {
      each_pack<Body, 1>(i < head ? i : tail + (i - head), All{}, s...);
    }
  }
}

/// Elements of an array before the first that packs of N may begin at; -1 if none may.
template <int N, class D> int64 until_aligned(const D *data) {
  const auto past = reinterpret_cast<std::uintptr_t>(data) % (N * sizeof(D));
  return past % sizeof(D) != 0 ? -1 : int64((N * sizeof(D) - past) % (N * sizeof(D)) / sizeof(D));
}

/// The same for all arrays of a call: the first sets it, the others must agree.
template <int N, class D, bool R, bool W> void agree(int64 &head, const Elements<D, R, W> &array) {
  const int64 mine = until_aligned<N>(array.data);
  head = head == -2 || head == mine ? mine : -1;
}
template <int N, class D> void agree(int64 & /*head*/, const Number<D> & /*number*/) {}
template <int N, class D, bool R, bool W>
void agree(int64 &head, const OptionalElements<D, R, W> &array) {
  if (array.data != nullptr) {
    agree<N>(head, Elements<D, R, W>{array.data});
  }
}

template <class Body, int N, class... S> void each_gpu(Call &call, int64 n, const S &...s) {
  int64 head = -2; // no array yet
  (agree<N>(head, s), ...);
  if (N > 1 && head >= 0 && head <= n) {
    call.launch<each_kernel<Body, N, S...>>(threads_for((n - head + N - 1) / N), head, n, s...);
  } else {
    call.launch<each_kernel<Body, 1, S...>>(threads_for(n), int64(0), n, s...);
  }
}

template <class Body, class... S> void each_cpu(int64 n, const S &...s) {
  parallel(n, [=](int64 i) { Body::apply(s.at(i)...); });
}

} // namespace cuvec::detail
