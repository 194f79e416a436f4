#include <cuvec.h>

using namespace cuvec;

__global__ void spread_rows(In<float, 2, Rows> x, In<float, 1, Strided> scale,
                            Out<float, 2, Rows> y, Out<int64> strides) {
  for (int64 at = thread_index(); at < y.size(); at += thread_count()) {
    const int64 row = at / y.size(1), i = at % y.size(1);
    y(row, i) = x(row, i) * scale[i];
  }
  if (thread_index() == 0) {
    strides[0] = x.stride(0), strides[1] = x.stride(1), strides[2] = scale.stride(0);
    strides[3] = y.stride(0), strides[4] = y.stride(1);
  }
}

struct spread {
  static constexpr auto signature = "spread(x: float32(...,n) rows, scale: float32(n) strided, "
                                    "y: out float32(...,n) rows, strides: out int64(5))";
  static constexpr auto doc = "Put the rows of `x`, times `scale`, into `y`, and what the strides "
                              "are.";

  static void gpu(Call &call, In<float, 2, Rows> x, In<float, 1, Strided> scale,
                  Out<float, 2, Rows> y, Out<int64> strides) {
    call.launch<spread_rows>(threads_for(y.size()), x, scale, y, strides);
  }
  static void cpu(In<float, 2, Rows> x, In<float, 1, Strided> scale, Out<float, 2, Rows> y,
                  Out<int64> strides) {
    parallel(y.size(0), [=](int64 row) {
      for (int64 i = 0; i < y.size(1); ++i) {
        y(row, i) = x(row, i) * scale[i];
      }
    });
    strides[0] = x.stride(0), strides[1] = x.stride(1), strides[2] = scale.stride(0);
    strides[3] = y.stride(0), strides[4] = y.stride(1);
  }
};
CUVEC_EXPORT(spread);
