#include <cuvec.h>

#include <algorithm>
#include <numeric>

#ifdef CUVEC_CUDA
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#endif

using namespace cuvec;

#ifdef CUVEC_CUDA
/// Where Thrust gets temporary memory: from the pool of the package, in the order of the stream.
struct Scratch {
  using value_type = char;
  Call &call;

  char *allocate(std::ptrdiff_t bytes) const { return call.scratch<char>(bytes).data; }
  void deallocate(char * /*memory*/, std::size_t /*bytes*/) const {} // the call does
};
#endif

struct argsort {
  static constexpr auto signature = "argsort(x: int32(n)) -> order: int64(n)";
  static constexpr auto doc = "Return the indices that sort `x`; equal elements keep their order.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<std::int32_t> x, Out<int64> order) {
    const auto sorted = call.scratch<std::int32_t>(x.size());
    call.copy(x, sorted);
    const Scratch scratch{call};
    const auto policy = thrust::cuda::par_nosync(scratch).on(call.stream());
    thrust::sequence(policy, order.data, order.data + order.size());
    thrust::stable_sort_by_key(policy, sorted.data, sorted.data + sorted.size(), order.data);
  }
#endif
  static void cpu(In<std::int32_t> x, Out<int64> order) {
    std::iota(order.data, order.data + order.size(), 0);
    std::stable_sort(order.data, order.data + order.size(),
                     [=](int64 i, int64 j) { return x[i] < x[j]; });
  }
};
CUVEC_EXPORT(argsort);
