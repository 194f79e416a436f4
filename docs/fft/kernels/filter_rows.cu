#include <cuvec.h>

#include <cmath>

#ifdef CUVEC_CUDA
#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include <cufft.h>
#endif

using namespace cuvec;

static constexpr double tau = 6.283185307179586;

/// Scales the inverse transform too, which cuFFT does not divide by the length.
__global__ void multiply_rows(Out<complex64, 2> spectrum, In<float> response, float factor) {
  for (int64 i = thread_index(); i < spectrum.size(); i += thread_count()) {
    spectrum.data[i] *= factor * response[i % response.size()];
  }
}

#ifdef CUVEC_CUDA
struct Plan {
  cufftHandle forward = 0, backward = 0;
  std::size_t bytes = 0;

  /// Transforms in place: a row of n numbers, and behind it as much as its spectrum is longer.
  Plan(Call &call, int rows, int n) {
    int half = n / 2 + 1, padded = 2 * half;
    std::size_t more = 0;
    for (cufftHandle *plan : {&forward, &backward}) {
      call.check(cufftCreate(plan));
      call.check(cufftSetAutoAllocation(*plan, 0)); // a call has the memory, see below
    }
    call.check(cufftMakePlanMany(forward, 1, &n, &padded, 1, padded, &half, 1, half, CUFFT_R2C,
                                 rows, &bytes));
    call.check(cufftMakePlanMany(backward, 1, &n, &half, 1, half, &padded, 1, padded, CUFFT_C2R,
                                 rows, &more));
    bytes = std::max(bytes, more);
  }
};

/// Made at the first call of a shape on a GPU, which takes far longer than a transform.
static const Plan &plan_for(Call &call, int rows, int n) {
  static std::map<std::tuple<int, int, int>, Plan> plans;
  int gpu = 0;
  call.check(cudaGetDevice(&gpu));
  const std::tuple key(gpu, rows, n);
  auto found = plans.find(key);
  if (found == plans.end()) {
    found = plans.emplace(key, Plan(call, rows, n)).first;
  }
  return found->second;
}
#endif

struct filter_rows {
  static constexpr auto signature =
      "filter_rows(x: float32(...,n), response: float32(n/2+1)) -> y: float32(...,n)";
  static constexpr auto doc = "Multiply the spectrum of each row of `x` by `response`.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<float, 2> x, In<float> response, Out<float, 2> y) {
    const int64 rows = x.size(0), n = x.size(1), half = response.size();
    call.fail_if(rows > INT32_MAX || n > INT32_MAX, "it is too large for cuFFT");
    static std::mutex one_at_a_time; // a plan has one stream, and one piece of memory
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const Plan &plan = plan_for(call, int(rows), int(n));
    void *memory = call.scratch<char>(plan.bytes).data;
    for (cufftHandle handle : {plan.forward, plan.backward}) {
      call.check(cufftSetStream(handle, call.stream()));
      call.check(cufftSetWorkArea(handle, memory));
    }
    auto spectrum = call.scratch<complex64>(rows, half);
    auto *complex = reinterpret_cast<cufftComplex *>(spectrum.data);
    auto *real = reinterpret_cast<cufftReal *>(spectrum.data);
    const std::size_t row = sizeof(float) * n, padded = sizeof(complex64) * half;
    call.check(cudaMemcpy2DAsync(real, padded, x.data, row, row, rows, cudaMemcpyDeviceToDevice,
                                 call.stream()));
    call.check(cufftExecR2C(plan.forward, real, complex));
    call.launch<multiply_rows>(threads_for(spectrum.size()), spectrum, response, 1 / float(n));
    call.check(cufftExecC2R(plan.backward, complex, real));
    call.check(cudaMemcpy2DAsync(y.data, row, real, padded, row, rows, cudaMemcpyDeviceToDevice,
                                 call.stream()));
  }
#endif
  /// As a convolution: for small rows, and to compare with.
  static void cpu(Call &call, In<float, 2> x, In<float> response, Out<float, 2> y) {
    const int64 n = x.size(1);
    auto kernel = call.scratch<double>(n);
    parallel(n, [=](int64 i) {
      kernel[i] = 0;
      for (int64 k = 0; k < response.size(); ++k) {
        const double twice = k == 0 || 2 * k == n ? 1 : 2; // and its conjugate
        kernel[i] +=
            twice / double(n) * response[k] * std::cos(tau * double(k * i % n) / double(n));
      }
    });
    parallel(y.size(), [=](int64 at) {
      const int64 row = at / n, i = at % n;
      double sum = 0;
      for (int64 j = 0; j < n; ++j) {
        sum += kernel[(i - j + n) % n] * x(row, j);
      }
      y(row, i) = float(sum);
    });
  }
};
CUVEC_EXPORT(filter_rows);
