#include <cuvec.h>

using namespace cuvec;

constexpr int SIDE = 16;

// Squares of the factors.
template <class T> struct Squares {
  T left[SIDE][SIDE], right[SIDE][SIDE];
};
template <class T> using Square = Tile<SIDE, SIDE, Squares<T>>;

// An element, or zero beyond the edges.
template <class T> __host__ __device__ T element(In<T, 2> x, int64 i, int64 j) {
  return i < x.size(0) && j < x.size(1) ? x(i, j) : T(0);
}

template <class T>
__host__ __device__ auto product(Square<T> &tile, int64 i, int64 j, In<T, 2> a, In<T, 2> b) {
  typename Square<T>::template Own<T> sum;
  for (int64 first = 0; first < a.size(1); first += SIDE) {
    tile.each([&](int row, int column) {
      tile.shared.left[row][column] = element(a, i + row, first + column);
      tile.shared.right[row][column] = element(b, first + row, j + column);
    });
    tile.each([&](int row, int column) {
      for (int k = 0; k < SIDE; ++k) {
        sum(row, column) += tile.shared.left[row][k] * tile.shared.right[k][column];
      }
    });
  }
  return sum;
}

struct matmul {
  static constexpr auto signature =
      "matmul<T: float32, float64>(a: T(m,k), b: T(k,n)) -> c: T(m,n)";
  static constexpr auto doc = "Return the product of two matrices.";

  template <class T> static void passes(Call &call, In<T, 2> a, In<T, 2> b, Out<T, 2> c) {
    call.each_tile<product<T>>(c, a, b);
  }
};
CUVEC_EXPORT(matmul);
