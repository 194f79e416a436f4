#include <cuvec.h>

using namespace cuvec;

struct quantize_rows {
  static constexpr auto signature = "quantize_rows<T: float32, bfloat16>(x: T(...,n)) -> q: "
                                    "float8_e4m3fn(...,n), scale: float32(...)";
  static constexpr auto doc =
      "Return each row in 8 bits, divided by `scale`, which makes its largest magnitude 448.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, RowOut<float8_e4m3fn> q, float &scale) {
    const float largest = row.max([&](Place i) { return fabsf(float(x[i])); });
    scale = largest > 0 ? largest / 448 : 1;
    const float factor = 1 / scale;
    row.each([&](Place i) { q[i] = float8_e4m3fn(float(x[i]) * factor); });
  }
};
CUVEC_EXPORT(quantize_rows);
