#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline float without_mean(float pixel, float &mean, float rate) {
  const float difference = pixel - mean;
  mean += rate * difference;
  return difference;
}
__global__ void background_subtract(In<float, 2> frame, Out<float, 2> mean, float rate,
                                    Out<float, 2> difference) {
  for (int64 i = thread_index(); i < frame.size(); i += thread_count()) {
    difference[i] = without_mean(frame[i], mean[i], rate);
  }
}

struct Background {
  static constexpr auto signature =
      "Background(height: int64, width: int64, *, rate: float32 = 0.5)";
  static constexpr auto doc = "The background of a film: a running mean of its frames.";

  Buffer<float, 2> mean; // on the GPU, or on the CPU where there is none
  float rate;

  Background(Call &call, int64 height, int64 width, float new_rate)
      : mean(call.buffer<float>(height, width)), rate(new_rate) {
    call.zero(mean.view());
  }

  struct subtract {
    static constexpr auto signature =
        "subtract(frame: float32(height,width)) -> difference: float32(height,width)";
    static constexpr auto doc = "Return the new part of a frame, and add it to the background.";

    static void gpu(Background &self, Call &call, In<float, 2> frame, Out<float, 2> difference) {
      call.launch<background_subtract>(threads_for(frame.size()), frame, self.mean.view(),
                                       self.rate, difference);
    }
    static void cpu(Background &self, In<float, 2> frame, Out<float, 2> difference) {
      const Out<float, 2> mean = self.mean.view();
      const float rate = self.rate;
      parallel(frame.size(),
               [=](int64 i) { difference[i] = without_mean(frame[i], mean[i], rate); });
    }
  };

  struct reset {
    static constexpr auto signature = "reset()";
    static constexpr auto doc = "Forget all frames.";

    static void gpu(Background &self, Call &call) { call.zero(self.mean.view()); }
    static void cpu(Background &self, Call &call) { gpu(self, call); }
  };

  using methods = Methods<subtract, reset>;
};
CUVEC_CLASS(Background);
