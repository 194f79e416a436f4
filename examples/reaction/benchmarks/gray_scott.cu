// The scheme of kernels/gray_scott.rs with a tile in shared memory; u and v of a cell are a float2.

constexpr int TILE = 32, SIDE = TILE + 2;

extern "C" __global__ void gray_scott(const float2 *plate, const float *feed, const float *kill,
                                      float diffusion, int rows, int columns, float2 *next) {
  __shared__ float2 tile[SIDE][SIDE];
  const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  for (int k = thread; k < SIDE * SIDE; k += threads) {
    const int i = (top + k / SIDE - 1 + rows) % rows;
    const int j = (left + k % SIDE - 1 + columns) % columns;
    tile[k / SIDE][k % SIDE] = plate[size_t(i) * columns + j];
  }
  __syncthreads();
  const int j = left + threadIdx.x;
  for (int down = threadIdx.y; down < TILE; down += blockDim.y) {
    const int i = top + down;
    if (i < rows && j < columns) {
      const int y = down + 1, x = threadIdx.x + 1;
      const float2 up = tile[y - 1][x], low = tile[y + 1][x];
      const float2 before = tile[y][x - 1], behind = tile[y][x + 1], here = tile[y][x];
      const float u = here.x, v = here.y, reaction = u * v * v;
      const float spread_u = diffusion * (up.x + low.x + before.x + behind.x - 4 * u);
      const float spread_v = diffusion * (up.y + low.y + before.y + behind.y - 4 * v);
      next[size_t(i) * columns + j] =
          make_float2(u + spread_u - reaction + feed[j] * (1 - u),
                      v + spread_v * 0.5F + reaction - (feed[j] + kill[i]) * v);
    }
  }
}
