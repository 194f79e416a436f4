#include <cuvec.h>

using namespace cuvec;

// One loop for both sides: `begin` and `step` say which elements are the caller's.
__host__ __device__ inline void pieces_part(In<int> x, Out<int> less, Out<int> more, Out<int> half,
                                            int64 begin, int64 step) {
  for (int64 i = begin; i < more.size(); i += step) {
    more[i] = i < x.size() ? x[i] : int(-i);
    if (i < less.size()) {
      less[i] = x[i + 1] - x[i];
    }
    if (i < half.size()) {
      half[i] = x[2 * i];
    }
  }
}

__global__ void pieces_of(In<int> x, Out<int> less, Out<int> more, Out<int> half,
                          Out<int64, 0> size) {
  pieces_part(x, less, more, half, thread_index(), thread_count());
  if (thread_index() == 0) {
    *size = x.size();
  }
}

struct pieces {
  static constexpr auto signature =
      "pieces(x: int32(n)) -> less: int32(n-1), more: int32(2*n+1), int32(n/2), "
      "size: int64";
  static constexpr auto doc = R"(Several results, whose extents are calculated.

`less` are the differences of neighbours, `more` is `x` and then the negative indices, the third
holds every other element, and `size` is the number of elements.)";

  static void gpu(Call &call, In<int> x, Out<int> less, Out<int> more, Out<int> half,
                  Out<int64, 0> size) {
    call.launch<pieces_of>(threads_for(more.size()), x, less, more, half, size);
  }
  static void cpu(In<int> x, Out<int> less, Out<int> more, Out<int> half, Out<int64, 0> size) {
    pieces_part(x, less, more, half, 0, 1);
    *size = x.size();
  }
};
CUVEC_EXPORT(pieces);
