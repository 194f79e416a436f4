#include <cuvec.h>

#include "pet.h"
#include "project.h"

using namespace cuvec;

struct forward {
  static constexpr auto signature = "forward(x: float32(n)) -> y: float32(n)";
  static constexpr auto doc = "Project `x`.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<float> x, Out<float> y) {
    call.check(pet_clear(y.data, y.size(), call.stream()));
    call.check(project(x.data, y.data, x.size(), call.stream()));
  }
#endif
  static void cpu(Call &call, In<float> x, Out<float> y) {
    call.zero(y);
    project(x.data, y.data, x.size());
  }
};
CUVEC_EXPORT(forward);
