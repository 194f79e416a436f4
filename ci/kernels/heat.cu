// The twin of heat.rs, with tiles of the same size.

#include <cstddef>

namespace {

/// Rows and columns of a tile that are written.
constexpr unsigned TILE = 32;

/// Those that are read at each side of it.
constexpr unsigned HALO = 1;

constexpr unsigned SIDE = TILE + 2 * HALO;

/// Elements that a thread loads before it stores the first of them.
constexpr unsigned IN_FLIGHT = 5;

/// `start + distance - HALO`, moved to the nearest index below `count`.
__device__ std::size_t inside(std::size_t start, unsigned distance, std::size_t count) {
  const std::size_t index = start + distance;
  const std::size_t above = index > HALO ? index - HALO : 0;
  return above < count ? above : count - 1;
}

} // namespace

/// y = x + rate * (the sum of the four neighbours of x - 4 * x), float32
extern "C" __global__ void heat_f32(float rate, const float *__restrict__ x, float *__restrict__ y,
                                    std::size_t rows, std::size_t columns) {
  __shared__ float tile[SIDE][SIDE];
  const std::size_t across = (columns + TILE - 1) / TILE;
  const std::size_t tiles = across * ((rows + TILE - 1) / TILE);
  for (std::size_t index = blockIdx.x; index < tiles; index += gridDim.x) {
    const std::size_t top = index / across * TILE;
    const std::size_t left = index % across * TILE;
    __syncthreads(); // the tile before has been read
    for (unsigned first = threadIdx.x; first < SIDE * SIDE; first += IN_FLIGHT * blockDim.x) {
      float values[IN_FLIGHT];
#pragma unroll
      for (unsigned k = 0; k < IN_FLIGHT; ++k) {
        const unsigned i = first + k * blockDim.x;
        const std::size_t row = inside(top, i / SIDE, rows);
        values[k] = x[row * columns + inside(left, i % SIDE, columns)];
      }
#pragma unroll
      for (unsigned k = 0; k < IN_FLIGHT; ++k) {
        const unsigned i = first + k * blockDim.x;
        if (i < SIDE * SIDE) {
          tile[i / SIDE][i % SIDE] = values[k];
        }
      }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < TILE * TILE; i += blockDim.x) {
      const unsigned down = i / TILE;
      const unsigned right = i % TILE;
      if (top + down < rows && left + right < columns) {
        const float middle = tile[down + 1][right + 1];
        const float around = tile[down][right + 1] + tile[down + 2][right + 1] +
                             tile[down + 1][right] + tile[down + 1][right + 2];
        y[(top + down) * columns + left + right] = middle + rate * (around - 4 * middle);
      }
    }
  }
}
