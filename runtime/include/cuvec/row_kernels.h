// The form for rows: a body says what happens to one row. The threads of a GPU that share it, its
// loads of 16 bytes and the registers that keep it follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "row_arguments.h"

namespace cuvec::detail {

/// How many elements of a row's last array are between its first one and a pack's before it.
template <int N, class S>
__device__ void add_lanes_past(const S & /*s*/, int64 /*row*/, int & /*lanes*/) {}
template <int N, class D, bool Reads, bool Writes, bool IsOptional>
__device__ void add_lanes_past(const ArrayOfRow<D, Reads, Writes, IsOptional, true, false> &s,
                               int64 row, int &lanes) {
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

/// With so many `Threads` of a block at most, which says how many registers each has.
template <class Body, int N, int Packs, bool IsPacked, bool IsFull, int Threads, class... S>
__global__ void __launch_bounds__(Threads)
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
template <class D, bool Writes, bool IsOptional>
__device__ void fetch_row(const ArrayOfRow<D, true, Writes, IsOptional, true, false> &s,
                          const Row &by, int64 row) {
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

template <class... S> constexpr int arrays_of = (0 + ... + int(S::is_row));
/// A row of which nothing is written is mostly read once.
template <class... S> constexpr bool is_written_by = (sums_of<S...> + ... + int(S::is_written)) > 0;

/// With `Packs` packs of each thread in registers, where the row has so many.
template <class Body, int N, int Packs, bool IsPacked, class... S>
void row_gpu_keeping(Call &call, int64 rows, int64 n, int64 packs, const S &...s) {
  int64 threads = 1, blocks = 1; // of a row, and in all of the blocks
  const auto launch = [&](auto packs_kept, auto is_full, auto of_block) {
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
      call.launch<row_kernel<Body, N, packs_kept, IsPacked, is_full, of_block, S...>>(
          grid_of(rows), call, rows, n, shift, s...);
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
  using Kept = std::integral_constant<int, Packs>;
  using Usual = std::integral_constant<int, threads_of_row>;
  using Large = std::integral_constant<int, 2 * threads_of_row>;
  // Half of the registers are enough for few arrays and elements.
  constexpr bool is_small =
      IsPacked && sums_of<S...> == 0 && arrays_of<S...> <= 2 && Packs == 8 && N <= 4;
  constexpr bool is_written = is_written_by<S...>;
  int64 most = threads_of_row;
  const bool is_large = is_small && is_written && rows >= 128 && packs > most * Packs &&
                        packs <= Large::value * Packs && packs % (32 * Packs) == 0;
  if (is_large) {
    most = Large::value;
  } else if (packs > most * Packs) {
    if constexpr (sums_of<S...> == 0) {
      most *= blocks_at_most(row_kernel<Body, N, Packs, IsPacked, false, threads_of_row, S...>);
    } else {
      most *= blocks_at_most(rows_kernel<Body, N, Packs, IsPacked, false, S...>);
    }
  }
  while (threads < most) {
    const bool is_block = threads >= threads_of_row;
    const int64 enough = is_block && is_written ? 1 << 16 : 1 << 17; // threads for any GPU
    if ((threads * Packs >= packs || (is_block && !is_written)) &&
        (threads >= packs || rows * threads >= enough)) {
      break;
    }
    threads *= 2;
  }
  if (threads > 32) { // as few as have all packs, in whole warps of all blocks
    if (threads > threads_of_row && !is_large) { // of more elements each, fewer in more blocks
      const int64 of_block = N <= 4 || sums_of<S...> > 0 ? threads_of_row : threads_of_row / 2;
      blocks = std::min<int64>(blocks_of_row, threads / of_block);
    }
    const int64 warps = 32 * blocks;
    const int64 fit = (packs + warps * Packs - 1) / (warps * Packs) * warps;
    threads = threads / 2 < fit ? std::min(threads, fit) : threads;
  }
  using Zero = std::integral_constant<int, 0>;
  if constexpr (IsPacked) {
    if (packs == threads * Packs) {
      if constexpr (is_small) {
        if (threads > threads_of_row / 2 * blocks) {
          return launch(Kept{}, std::true_type{}, Large{});
        }
      }
      return launch(Kept{}, std::true_type{}, Usual{});
    }
  }
  if (packs > 0 && packs <= threads * Packs) {
    launch(Kept{}, std::false_type{}, Usual{});
  } else {
    launch(Zero{}, std::false_type{}, Usual{});
  }
}

template <class Body, int N, bool IsPacked, class... S>
void row_gpu_with(Call &call, int64 rows, int64 n, const S &...s) {
  // With more arrays registers do not suffice for more, nor where lanes are checked.
  constexpr int more = arrays_of<S...> <= 4 ? 8 : std::min(4, 32 / N);
  constexpr int with_sums = std::max(1, more >> std::min(2, sums_of<S...>));
  constexpr int few = 32 / N, asked = arrays_of<S...> <= 4 ? few : few / 2;
  constexpr int kept = IsPacked ? with_sums : std::min(with_sums, asked);
  const int64 packs = (n + (IsPacked ? 0 : N - 1) + N - 1) / N;
  if constexpr (kept > few && is_written_by<S...>) { // of 16 bits and fewer: more threads sooner
    const bool is_full = packs % (32 * kept) == 0;
    if (packs <= threads_of_row / (is_full ? 4 : 2) * few) {
      return row_gpu_keeping<Body, N, few, IsPacked>(call, rows, n, packs, s...);
    }
  }
  row_gpu_keeping<Body, N, kept, IsPacked>(call, rows, n, packs, s...);
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

} // namespace cuvec::detail
