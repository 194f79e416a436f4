#include <cuvec.h>

using namespace cuvec;

template <class T> struct Candidate {
  T value;
  int64 index;
};

// The larger value, of equal ones the first.
struct Better {
  template <class T>
  __host__ __device__ Candidate<T> operator()(Candidate<T> a, Candidate<T> b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};

// One block for each row.
template <class T> __global__ void argmax_row(In<T, 2> x, Out<int64> index) {
  const Candidate<T> none{x(blockIdx.x, 0), 0};
  Candidate<T> best = none;
  for_block(x.size(1), [&](int64 i) { best = Better()(best, Candidate<T>{x(blockIdx.x, i), i}); });
  best = block_reduce(best, Better(), none);
  if (threadIdx.x == 0) {
    index[blockIdx.x] = best.index;
  }
}

struct argmax {
  static constexpr auto signature =
      "argmax<T: float32, float64, int32>(x: T(...,n)) -> index: int64(...)";
  static constexpr auto doc = "Return where in each row the first of its largest elements is.";

  template <class T> static void gpu(Call &call, In<T, 2> x, Out<int64> index) {
    call.fail_if(x.size(1) == 0, "rows are empty");
    call.launch<argmax_row<T>>(Grid(x.size(0), 256), x, index);
  }

  template <class T> static void cpu(Call &call, In<T, 2> x, Out<int64> index) {
    call.fail_if(x.size(1) == 0, "rows are empty");
    const auto argmax_row = [=](int64 row) {
      Candidate<T> best{x(row, 0), 0};
      for (int64 i = 1; i < x.size(1); ++i) {
        best = Better()(best, Candidate<T>{x(row, i), i});
      }
      index[row] = best.index;
    };
    parallel(x.size(0), argmax_row, 16);
  }
};
CUVEC_EXPORT(argmax);
