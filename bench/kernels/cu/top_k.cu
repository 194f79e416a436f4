#include <algorithm>
#include <numeric>
#include <vector>

#include <cuvec.h>

using namespace cuvec;

template <class T> struct Ranked {
  T value;
  int64 index;
};

// Whichever comes first: the larger value, of equal ones the first in the row.
struct First {
  template <class T> __host__ __device__ bool before(Ranked<T> a, Ranked<T> b) const {
    return a.value > b.value || (a.value == b.value && a.index < b.index);
  }
  template <class T> __host__ __device__ Ranked<T> operator()(Ranked<T> a, Ranked<T> b) const {
    return before(b, a) ? b : a;
  }
};

// A block for each row finds one element after the other.
template <class T> __global__ void top_k_row(In<T, 2> x, Out<T, 2> values, Out<int64, 2> indices) {
  const int64 row = blockIdx.x, n = x.size(1);
  const Ranked<T> none{T(-INFINITY), n};
  auto *last = shared_memory<Ranked<T>>();
  for (int64 k = 0; k < values.size(1); ++k) {
    Ranked<T> first = none;
    for_block(n, [&](int64 i) {
      const Ranked<T> here{x(row, i), i};
      first = k == 0 || First().before(*last, here) ? First()(first, here) : first;
    });
    first = block_reduce(first, First(), none);
    if (threadIdx.x == 0) {
      *last = first;
      values(row, k) = first.value;
      indices(row, k) = first.index;
    }
    __syncthreads();
  }
}

struct top_k {
  static constexpr auto signature = "top_k<T: float32, float64>(x: T(...,n), k: int64) -> values: "
                                    "T(...,k), indices: int64(...,k)";
  static constexpr auto doc = "Return the `k` largest elements of each row and their indices.";

  template <class T>
  static void gpu(Call &call, In<T, 2> x, int64 k, Out<T, 2> values, Out<int64, 2> indices) {
    call.fail_if(k > x.size(1), "k is larger than a row, which has", x.size(1));
    call.launch<top_k_row<T>>(Grid(x.size(0), 256, sizeof(Ranked<T>)), x, values, indices);
  }

  template <class T>
  static void cpu(Call &call, In<T, 2> x, int64 k, Out<T, 2> values, Out<int64, 2> indices) {
    call.fail_if(k > x.size(1), "k is larger than a row, which has", x.size(1));
    parallel(x.size(0), [=](int64 row) {
      std::vector<int64> order(std::size_t(x.size(1)));
      std::iota(order.begin(), order.end(), int64(0));
      const auto before = [=](int64 i, int64 j) {
        return First().before(Ranked<T>{x(row, i), i}, Ranked<T>{x(row, j), j});
      };
      std::partial_sort(order.begin(), order.begin() + k, order.end(), before);
      for (int64 i = 0; i < k; ++i) {
        indices(row, i) = order[std::size_t(i)];
        values(row, i) = x(row, indices(row, i));
      }
    });
  }
};
CUVEC_EXPORT(top_k);
