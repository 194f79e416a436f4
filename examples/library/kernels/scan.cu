#include "structs.cuh"

using namespace cuvec;

struct scan {
  static constexpr auto signature = "scan(ellipses: Ellipse(n), geometry: Geometry, angles: int64, "
                                    "bins: int64) -> sinogram: float32(angles,bins)";
  static constexpr auto doc =
      R"(The integrals of `ellipses` along parallel rays, at angles over half a turn.)";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<Ellipse> ellipses, Geometry geometry, int64 angles, int64 bins,
                  Out<float, 2> sinogram) {
    call.check(fbp::project(ellipses.data, ellipses.size(), geometry, {angles, bins, 1},
                            sinogram.data, call.stream()));
  }
#endif
  static void cpu(In<Ellipse> ellipses, Geometry geometry, int64 angles, int64 bins,
                  Out<float, 2> sinogram) {
    const fbp::Sizes sizes{angles, bins, 1};
    sizes.check();
    parallel(angles, [=](int64 angle) {
      fbp::project_row(ellipses.data, ellipses.size(), geometry, sizes, angle, &sinogram(angle, 0));
    });
  }
};
CUVEC_EXPORT(scan);
