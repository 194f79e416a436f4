// The short form: a function that is one expression for an element.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "cpu.h"
#include "device.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define CUVEC_GRID_CONSTANT // older GPUs have copies of parameters that are indexed
#else
#define CUVEC_GRID_CONSTANT __grid_constant__
#endif

namespace cuvec::detail {

/// A number, the same for every element.
template <class D> struct Number {
  D value;
  static constexpr int64 size = 0;

  template <int N> struct Lanes {
    D value;
    __host__ __device__ D &operator[](int /*lane*/) { return value; }
  };
  template <int N> __device__ Lanes<N> load(int64 /*first*/) const { return {value}; }
  template <int N> __device__ void store(int64 /*first*/, const Lanes<N> & /*lanes*/) const {}
  template <int N> __device__ Lanes<N> gather(int64 /*step*/, int /*count*/) const {
    return {value};
  }
  template <int N>
  __device__ void scatter(int64 /*step*/, int /*count*/, Lanes<N> & /*lanes*/) const {}
  D at(int64 /*i*/) const { return value; }
  __host__ __device__ const Number &moved(int64 /*bytes*/) const { return *this; }

  struct Block {
    Number elements;
    Block(const Number &all, int64 /*step*/, int64 /*count*/) : elements(all) {}
  };
};

/// How many elements a loop of the CPU may copy at a time: so many stay in its first cache.
template <class D> inline constexpr int64 elements_of_block = std::max<int64>(1, 2048 / sizeof(D));

/// The elements of an array: read, written, or both.
template <class D, bool Reads, bool Writes> struct Elements {
  D *data;
  static constexpr int64 size = sizeof(D);

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
  /// Some elements, `step` bytes apart.
  template <int N> __device__ Lanes<N> gather(int64 step, int count) const {
    Lanes<N> lanes{};
    if constexpr (Reads) {
      CUVEC_UNROLL(N)
      for (int lane = 0; lane < N; ++lane) {
        if (lane < count) {
          lanes[lane] = *moved(lane * step).data;
        }
      }
    }
    return lanes;
  }
  template <int N> __device__ void scatter(int64 step, int count, Lanes<N> &lanes) const {
    if constexpr (Writes) {
      CUVEC_UNROLL(N)
      for (int lane = 0; lane < N; ++lane) {
        if (lane < count) {
          *moved(lane * step).data = lanes[lane];
        }
      }
    }
  }
  D &at(int64 i) const { return data[i]; }
  __host__ __device__ Elements moved(int64 bytes) const {
    using Byte = unsigned char;
    return {reinterpret_cast<D *>(reinterpret_cast<Byte *>(data) + bytes)};
  }

  class Block;
};

/// Some elements for a loop of the CPU, `step` bytes apart: where they are, if they lie one after
/// the other, or copied.
template <class D, bool Reads, bool Writes> class Elements<D, Reads, Writes>::Block {
public:
  Elements elements;

  Block(const Elements &all, int64 step, int64 count)
      : elements(all), from_(reinterpret_cast<unsigned char *>(all.data)), step_(step),
        count_(count) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(from_) % alignof(D) == 0;
    if (step == size && is_aligned) {
      count_ = 0;
      return;
    }
    elements.data = reinterpret_cast<D *>(copy_);
    if (step == 0 && is_aligned) { // of which the compiler makes wide stores
      std::fill_n(elements.data, count, *all.data);
      return;
    }
    for (int64 i = 0; i < count; ++i) {
      std::memcpy(copy_ + i * size, from_ + i * step, sizeof(D));
    }
  }
  ~Block() {
    if constexpr (Writes) {
      for (int64 i = 0; i < count_; ++i) {
        std::memcpy(from_ + i * step_, copy_ + i * size, sizeof(D));
      }
    }
  }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

private:
  unsigned char *from_;
  int64 step_, count_;
  alignas(D) unsigned char copy_[elements_of_block<D> * sizeof(D)];
};

/// The elements of an array that may be None: pointers to them, or null.
template <class D, bool Reads, bool Writes> struct OptionalElements {
  using Given = Elements<D, Reads, Writes>;
  using Element = std::conditional_t<Writes, D, const D>;
  D *data;
  static constexpr int64 size = sizeof(D);

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
  template <int N> __device__ Lanes<N> gather(int64 step, int count) const {
    if (data == nullptr) {
      return {{}, false};
    }
    return {Given{data}.template gather<N>(step, count), true};
  }
  template <int N> __device__ void scatter(int64 step, int count, Lanes<N> &lanes) const {
    if (lanes.is_given) {
      Given{data}.template scatter<N>(step, count, lanes.pack);
    }
  }
  Element *at(int64 i) const { return data == nullptr ? nullptr : data + i; }
  __host__ __device__ OptionalElements moved(int64 bytes) const {
    return {data == nullptr ? nullptr : Given{data}.moved(bytes).data};
  }

  struct Block {
    typename Given::Block given;
    OptionalElements elements;
    Block(const OptionalElements &all, int64 step, int64 count)
        : given({all.data}, step, all.data == nullptr ? 0 : count),
          elements{all.data == nullptr ? nullptr : given.elements.data} {}
  };
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

/// Where a body finds the elements of K arguments, in bytes.
template <int K> struct Walk : cuvec_walk {
  int64 strides[CUVEC_MAX_RANK][K];

  /// The one of a call for some of its arguments; -1 is none.
  Walk(const cuvec_walk &all, const cuvec_value *values, const int (&arguments)[K])
      : cuvec_walk(all), strides() {
    packs = 0;
    for (int k = 0; k < K; ++k) {
      const int argument = arguments[k];
      if (argument >= 0 && values[argument].strides != nullptr) {
        packs |= (all.packs >> argument & 1) << k;
        for (int axis = 0; axis < rank; ++axis) {
          strides[axis][k] = values[argument].strides[axis];
        }
      }
    }
  }

  /// Through elements that lie one after the other, of these sizes; a warp has neighbours.
  template <int N> static Walk row(int64 count, const int64 (&sizes)[K]) {
    constexpr int width = 5;
    const unsigned tiles = unsigned((count + N * 32 - 1) / (N * 32));
    Walk walk({1, 0, {count}, tiles * 32, {tiles, 1}, width, 0, 0});
    std::copy_n(sizes, K, walk.strides[0]);
    return walk;
  }

private:
  explicit Walk(const cuvec_walk &all) : cuvec_walk(all), strides() {}
};

template <class Body, int N, class... S, std::size_t... I>
__device__ void walk_lanes(unsigned packs, const int64 *steps, int count,
                           std::index_sequence<I...> /*all*/, const S &...s) {
  auto go = [&](auto... lanes) {
    CUVEC_UNROLL(N)
    for (int lane = 0; lane < N; ++lane) {
      if (lane < count) {
        Body::apply(lanes[lane]...);
      }
    }
    ((packs >> I & 1 ? s.template store<N>(0, lanes)
                     : s.template scatter<N>(steps[I], count, lanes)),
     ...);
  };
  go((packs >> I & 1 ? s.template load<N>(0) : s.template gather<N>(steps[I], count))...);
}

/// N elements a thread, which are found by a walk.
template <class Body, int N, class... S, std::size_t... I>
__device__ void walk_thread(const Walk<sizeof...(S)> &walk, std::index_sequence<I...> all,
                            const S &...s) {
  const auto thread = unsigned(thread_index());
  if (thread >= walk.threads) {
    return;
  }
  const unsigned across = thread & ((1U << walk.width) - 1), tile = thread >> walk.width;
  unsigned rest = tile >> walk.height, next = rest / walk.tiles[0];
  unsigned i =
      (((rest - next * walk.tiles[0]) * N) << walk.width) + across * (walk.is_packed ? N : 1);
  const int apart = walk.is_packed ? 0 : walk.width;
  const int64 left = walk.counts[0] - i, lanes = (left + (1 << apart) - 1) >> apart;
  if (left <= 0) {
    return;
  }
  int64 offsets[] = {i * walk.strides[0][I]...};
  const int64 steps[] = {walk.strides[0][I] * (int64(1) << apart)...};
  CUVEC_UNROLL(1)
  for (int axis = 1; axis < walk.rank; ++axis) {
    const unsigned size = axis == 1 ? walk.tiles[1] : unsigned(walk.counts[axis]);
    rest = next;
    next = rest / size;
    i = rest - next * size;
    if (axis == 1) {
      i = (i << walk.height) + (tile & ((1U << walk.height) - 1));
      if (i >= walk.counts[1]) {
        return;
      }
    }
    ((offsets[I] += i * walk.strides[axis][I]), ...);
  }
  const int count = lanes < N ? int(lanes) : N;
  if (walk.is_packed == 2 && count == N) { // as mostly: nothing is asked of each element
    each_pack<Body, N>(0, all, s.moved(offsets[I])...);
    return;
  }
  const unsigned packs = walk.is_packed && count == N ? walk.packs : 0;
  walk_lanes<Body, N>(packs, steps, count, all, s.moved(offsets[I])...);
}

template <class Body, int N, class... S>
__global__ void __launch_bounds__(256)
    walk_kernel(const CUVEC_GRID_CONSTANT Walk<sizeof...(S)> walk, S... s) {
  walk_thread<Body, N>(walk, std::index_sequence_for<S...>{}, s...);
}

template <class Body, int N, class... S>
void walk_gpu(Call &call, const Walk<sizeof...(S)> &walk, const S &...s) {
  call.launch<walk_kernel<Body, N, S...>>(threads_for(walk.threads), walk, s...);
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
  if (head >= 0 && head <= n) {
    // Where there are threads for any GPU, each has two packs: long bodies take less time so.
    const int64 packs = (n - head + N - 1) / N, threads = packs > 1 << 20 ? (packs + 1) / 2 : packs;
    call.launch<each_kernel<Body, N, S...>>(threads_for(threads, 128), head, n, s...);
    return;
  }
  constexpr int64 most = 1 << 30;
  for (int64 first = 0; first < n; first += most) {
    const auto walk = Walk<sizeof...(S)>::template row<N>(std::min(most, n - first), {S::size...});
    walk_gpu<Body, N>(call, walk, s.moved(first * S::size)...);
  }
}

template <class Body, class... S> void each_cpu(int64 n, const S &...s) {
  parallel(n, [=](int64 i) { Body::apply(s.at(i)...); });
}

/// The elements of one block.
template <class Body, class... Blocks> void block_cpu(int64 n, const Blocks &...blocks) {
  const auto loop = [n](auto... s) {
    vectorized([=] {
      CUVEC_INDEPENDENT
      for (int64 i = 0; i < n; ++i) {
        Body::apply(s.at(i)...);
      }
    });
  };
  loop(blocks.elements...);
}

/// Rows along the first dimension, or parts of them, on several threads.
template <class Body, class... S, std::size_t... I>
void walk_cpu(const Walk<sizeof...(S)> &walk, std::index_sequence<I...> /*all*/, const S &...s) {
  constexpr int64 most = elements_of_block<unsigned char[std::max({int64(1), S::size...})]>;
  int64 n = 1;
  for (int axis = 0; axis < walk.rank; ++axis) {
    n *= walk.counts[axis];
  }
  parallel_ranges(n, 32768, [&](int64 begin, int64 end) {
    int64 index[CUVEC_MAX_RANK], offsets[sizeof...(S)] = {}, rest = begin;
    for (int axis = 0; axis < walk.rank; ++axis) {
      index[axis] = rest % walk.counts[axis];
      rest /= walk.counts[axis];
      ((offsets[I] += index[axis] * walk.strides[axis][I]), ...);
    }
    while (begin < end) {
      const int64 count = std::min({walk.counts[0] - index[0], end - begin, most});
      block_cpu<Body>(count, typename S::Block(s.moved(offsets[I]), walk.strides[0][I], count)...);
      begin += count;
      int64 by = count;
      for (int axis = 0; axis < walk.rank; ++axis, by = 1) {
        index[axis] += by;
        ((offsets[I] += by * walk.strides[axis][I]), ...);
        if (index[axis] < walk.counts[axis]) {
          break;
        }
        ((offsets[I] -= index[axis] * walk.strides[axis][I]), ...);
        index[axis] = 0;
      }
    }
  });
}

} // namespace cuvec::detail
