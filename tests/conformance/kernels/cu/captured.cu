#include <cuvec.h>

using namespace cuvec;

__global__ void captured_all(In<float> x, float more, Out<float> y) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    y[i] = x[i] + more;
  }
}

struct captured {
  static constexpr auto signature =
      "captured(x: float32(n), *, more: float32 = 1) -> y: float32(n)";
  static constexpr auto doc = "`x`, and `more` if the call becomes a part of a CUDA graph.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<float> x, float more, Out<float> y) {
    cudaStreamCaptureStatus status{};
    call.check(cudaStreamIsCapturing(call.stream(), &status));
    const bool is_captured = status == cudaStreamCaptureStatusActive;
    call.launch<captured_all>(threads_for(x.size()), x, is_captured ? more : 0, y);
  }
#endif
  static constexpr auto cpu = gpu_only;
};
CUVEC_EXPORT(captured);
