// Tiles: a block of threads, each with an element, and memory that they share.
#pragma once

#include "device.h"

namespace cuvec {

/// Those who work on so many rows and columns of a result: on the GPU a block with a thread for
/// each element, which share a `Memory`, undefined at first. All threads run the code outside of
/// `each`.
template <int Rows, int Columns, class Memory> class Tile {
public:
  using Shared = Memory;
  static constexpr int rows = Rows, columns = Columns, threads = Rows * Columns;

  /// Memory of all threads: written in one `each`, and read in the next.
  Memory &shared;

  __host__ __device__ explicit Tile(Memory &memory) : shared(memory) {}
  Tile(const Tile &) = delete;
  Tile &operator=(const Tile &) = delete;

  /// A value for each element, zero at first, in the registers of its thread.
  template <class T> class Own {
  public:
    __host__ __device__ T &operator()([[maybe_unused]] int row, [[maybe_unused]] int column) {
#ifdef __CUDA_ARCH__
      return value_;
#else
      return values_[row * Columns + column];
#endif
    }

  private:
#ifdef __CUDA_ARCH__
    T value_{};
#else
    T values_[threads]{};
#endif
  };

  /// Calls f(row, column) for each element; all calls are over before anything behind it is run.
  template <class F> __host__ __device__ void each(const F &f) const {
#ifdef __CUDA_ARCH__
    f(int(threadIdx.x) / Columns, int(threadIdx.x) % Columns);
    __syncthreads();
#else
    for (int row = 0; row < Rows; ++row) {
      for (int column = 0; column < Columns; ++column) {
        f(row, column);
      }
    }
#endif
  }
};

} // namespace cuvec

namespace cuvec::detail {

template <class First> constexpr bool is_tile = false;
template <int Rows, int Columns, class Memory>
constexpr bool is_tile<Tile<Rows, Columns, Memory> &> = true;

/// The tile that a function gets first.
template <class R, class First, class... P> First tile_of(R (*function)(First &, P...));

/// Tiles of so many rows or columns that all of them need.
__host__ __device__ inline int64 tiles_of(int64 side, int64 all) { return (all + side - 1) / side; }

template <class Body, class Tile, class Y, class... P>
__global__ void __launch_bounds__(Tile::threads) tile_kernel(Y y, P... p) {
  using Memory = typename Tile::Shared;
  alignas(Memory) __shared__ unsigned char memory[sizeof(Memory)];
  Tile tile(reinterpret_cast<Memory &>(memory));
  Body::tile(tile, blockIdx.x, y, p...);
}

} // namespace cuvec::detail
