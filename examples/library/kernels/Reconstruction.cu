#include <optional>

#include "structs.cuh"

using namespace cuvec;

struct Reconstruction {
  static constexpr auto signature =
      "Reconstruction(angles: int64, bins: int64, size: int64, geometry: Geometry)";
  static constexpr auto doc =
      R"(Images of `size` by `size` pixels from sinograms of a shape, by filtered backprojection.

It has the plans and the memory that the transforms need.)";

  std::optional<fbp::HostPlan> on_cpu;
#ifdef CUVEC_CUDA
  std::optional<fbp::Plan> on_gpu;
#endif
  Buffer<float, 2> filtered; // on the CPU
  Buffer<char> workspace;    // on the GPU

  Reconstruction(Call &call, int64 angles, int64 bins, int64 size, Geometry geometry) {
    const fbp::Sizes sizes{angles, bins, size};
    if (!call.is_on_gpu()) {
      on_cpu.emplace(sizes, geometry);
      filtered = call.buffer<float>(angles, bins);
      return;
    }
#ifdef CUVEC_CUDA
    on_gpu.emplace(sizes, geometry, call.stream());
    workspace = call.buffer<char>(on_gpu->workspace());
#endif
  }

  struct apply {
    static constexpr auto signature =
        "apply(sinogram: float32(angles,bins)) -> image: float32(size,size)";
    static constexpr auto doc = "The image, in densities for the unit that widths are in.";

#ifdef CUVEC_CUDA
    static void gpu(Reconstruction &self, Call &call, In<float, 2> sinogram, Out<float, 2> image) {
      self.on_gpu->run(sinogram.data, image.data, self.workspace.view().data, call.stream());
    }
#endif
    static void cpu(Reconstruction &self, In<float, 2> sinogram, Out<float, 2> image) {
      const Out<float, 2> filtered = self.filtered.view();
      const fbp::HostPlan &plan = *self.on_cpu;
      parallel(
          sinogram.size(0),
          [&](int64 angle) { plan.filter_row(&sinogram(angle, 0), &filtered(angle, 0)); }, 1);
      parallel(
          image.size(0),
          [&](int64 row) { plan.backproject_row(filtered.data, row, &image(row, 0)); }, 1);
    }
  };

  using methods = Methods<apply>;
};
CUVEC_CLASS(Reconstruction);
