#include <cuvec.h>

using namespace cuvec;

/// Rotates the pair of elements `i` and `i + d` of a head, at a place of the sequence.
template <class T>
__host__ __device__ void rotate_pair(Out<T, 4, Strided> x, In<float, 2, Rows> cosine,
                                     In<float, 2, Rows> sine, int64 at) {
  const int64 d = cosine.size(1), i = at % d, head = at / d % x.size(2);
  const int64 place = at / d / x.size(2) % x.size(1), sequence = at / d / x.size(2) / x.size(1);
  T &first = x(sequence, place, head, i), &second = x(sequence, place, head, i + d);
  const float a = float(first), b = float(second);
  first = T(a * cosine(place, i) - b * sine(place, i));
  second = T(a * sine(place, i) + b * cosine(place, i));
}

template <class T>
__global__ void rotate_pairs(Out<T, 4, Strided> x, In<float, 2, Rows> cosine,
                             In<float, 2, Rows> sine) {
  for (int64 at = thread_index(); at < x.size() / 2; at += thread_count()) {
    rotate_pair(x, cosine, sine, at);
  }
}

struct rotary {
  static constexpr auto signature = "rotary<T: float32, bfloat16>(x: inout T(b,s,h,2*d) strided, "
                                    "cosine: float32(s,d) rows, sine: float32(s,d) rows)";
  static constexpr auto doc = "Rotate the pairs of elements of each head, in place: `x` may be a "
                              "part of a larger tensor.";

  template <class T>
  static void gpu(Call &call, Out<T, 4, Strided> x, In<float, 2, Rows> cosine,
                  In<float, 2, Rows> sine) {
    call.launch<rotate_pairs<T>>(threads_for(x.size() / 2), x, cosine, sine);
  }
  template <class T>
  static void cpu(Out<T, 4, Strided> x, In<float, 2, Rows> cosine, In<float, 2, Rows> sine) {
    parallel(x.size() / 2, [=](int64 at) { rotate_pair(x, cosine, sine, at); });
  }
};
CUVEC_EXPORT(rotary);
