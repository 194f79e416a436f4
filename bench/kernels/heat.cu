// The twin of heat in heat_in_rust.rs, with tiles in shared memory.

#include <cuvec.h>

using namespace cuvec;

/// Rows and columns of a tile that are written.
constexpr unsigned TILE = 32;

/// Those that are read at each side of it.
constexpr unsigned HALO = 1;

constexpr unsigned SIDE = TILE + 2 * HALO;

/// Elements that a thread loads before it stores the first of them.
constexpr unsigned IN_FLIGHT = 5;

/// `start + distance - HALO`, moved to the nearest index of `count`.
__host__ __device__ inline int64 inside(int64 start, unsigned distance, int64 count) {
  const int64 index = start + distance - HALO;
  return index < 0 ? 0 : index < count ? index : count - 1;
}

__global__ void heat_tiles(float rate, In<float, 2> x, Out<float, 2> y) {
  const int64 rows = x.size(0), columns = x.size(1);
  auto *tile = shared_memory<float>();
  const int64 across = (columns + TILE - 1) / TILE;
  const int64 tiles = across * ((rows + TILE - 1) / TILE);
  for (int64 index = blockIdx.x; index < tiles; index += gridDim.x) {
    const int64 top = index / across * TILE, left = index % across * TILE;
    __syncthreads(); // the tile before has been read
    for (unsigned first = threadIdx.x; first < SIDE * SIDE; first += IN_FLIGHT * blockDim.x) {
      float values[IN_FLIGHT];
#pragma unroll
      for (unsigned k = 0; k < IN_FLIGHT; ++k) {
        const unsigned i = first + k * blockDim.x;
        values[k] = x(inside(top, i / SIDE, rows), inside(left, i % SIDE, columns));
      }
#pragma unroll
      for (unsigned k = 0; k < IN_FLIGHT; ++k) {
        const unsigned i = first + k * blockDim.x;
        if (i < SIDE * SIDE) {
          tile[i] = values[k];
        }
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < TILE * TILE; i += blockDim.x) {
      const unsigned down = i / TILE, right = i % TILE;
      if (top + down < rows && left + right < columns) {
        const float *middle = tile + (down + 1) * SIDE + right + 1;
        const float around = middle[-int(SIDE)] + middle[SIDE] + middle[-1] + middle[1];
        y(top + down, left + right) = *middle + rate * (around - 4 * *middle);
      }
    }
  }
}

struct heat {
  static constexpr auto signature =
      "heat(rate: float32, x: float32(rows, columns), y: out float32(rows, columns))";
  static constexpr auto doc = "A step of heat flow through a plate, which loses none at its edges.";

  static void gpu(Call &call, float rate, In<float, 2> x, Out<float, 2> y) {
    const int64 tiles = ((x.size(0) + TILE - 1) / TILE) * ((x.size(1) + TILE - 1) / TILE);
    const auto blocks = std::max<int64>(1, std::min<int64>(tiles, 1 << 20));
    call.launch<heat_tiles>(Grid(blocks, 256, SIDE * SIDE * sizeof(float)), rate, x, y);
  }

  static void cpu(float rate, In<float, 2> x, Out<float, 2> y) {
    const int64 rows = x.size(0), columns = x.size(1);
    parallel(x.size(), [=](int64 k) {
      const int64 i = k / columns, j = k % columns;
      const float around = x(inside(i, 0, rows), j) + x(inside(i, 2, rows), j) +
                           x(i, inside(j, 0, columns)) + x(i, inside(j, 2, columns));
      y[k] = x[k] + rate * (around - 4 * x[k]);
    });
  }
};
CUVEC_EXPORT(heat);
