#include <cuvec.h>

#include <vector>

using namespace cuvec;

void keep_table(std::vector<float> values); // of look_up.cu

struct set_table {
  static constexpr auto signature = "set_table(values: float32(256))";
  static constexpr auto doc = "Set the table of `look_up`, for all threads and streams.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<float> values) {
    std::vector<float> copy(values.size());
    call.check(cudaMemcpyAsync(copy.data(), values.data, sizeof(float) * copy.size(),
                               cudaMemcpyDeviceToHost, call.stream()));
    call.check(cudaStreamSynchronize(call.stream()));
    keep_table(std::move(copy));
  }
#endif
  static void cpu(In<float> values) { keep_table({values.data, values.data + values.size()}); }
};
CUVEC_EXPORT(set_table);
