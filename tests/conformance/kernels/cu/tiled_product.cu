#include <cuvec.h>

using namespace cuvec;

template <class T> struct Sides {
  T left[16][16], right[16][16];
};
template <class T> using Square = Tile<16, 16, Sides<T>>;

template <class T>
__host__ __device__ auto of_square(Square<T> &tile, int64 i, int64 j, In<T, 2> a, In<T, 2> b) {
  typename Square<T>::template Own<T> sum;
  const auto element = [](In<T, 2> x, int64 row, int64 column) {
    return row < x.size(0) && column < x.size(1) ? x(row, column) : T(0);
  };
  for (int64 first = 0; first < a.size(1); first += 16) {
    tile.each([&](int row, int column) {
      tile.shared.left[row][column] = element(a, i + row, first + column);
      tile.shared.right[row][column] = element(b, first + row, j + column);
    });
    tile.each([&](int row, int column) {
      for (int k = 0; k < 16; ++k) {
        sum(row, column) += tile.shared.left[row][k] * tile.shared.right[k][column];
      }
    });
  }
  return sum;
}

struct tiled_product {
  static constexpr auto signature =
      "tiled_product<T: float32, float64>(a: T(m, k), b: T(k, n)) -> c: T(m, n)";
  static constexpr auto doc = "Return the product of two matrices, by squares in shared memory.";

  template <class T> static void passes(Call &call, In<T, 2> a, In<T, 2> b, Out<T, 2> c) {
    call.each_tile<of_square<T>>(c, a, b);
  }
};
CUVEC_EXPORT(tiled_product);
