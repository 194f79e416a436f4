// fbp: tomography with parallel rays. Angles are spread over half a turn; ray `bin` of angle `a`
// has x cos(a) + y sin(a) = (bin - (bins - 1) / 2 - axis) bin_width, with x to the right and y
// upwards.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef FBP_CUDA
#include <memory>

#include <cuda_runtime_api.h>
#include <cufft.h>
#endif

namespace fbp {

/// The scanned object: an ellipse with these half axes, the first of which is turned by `angle`.
struct Ellipse {
  float x, y, a, b, angle, density;
};

struct Geometry {
  float bin_width, pixel_width; // in the unit of the ellipses
  float axis;                   // what the scanner turns around, in bins from the middle
};

/// How large a sinogram and its image are.
struct Sizes {
  std::int64_t angles, bins, size;
  /// Throws std::invalid_argument.
  void check() const;
  /// Numbers of a row that is transformed: a power of two, so that its ends do not meet.
  std::int64_t padded() const;
};

/// The spectrum of the ramp filter, divided by what transforms leave in.
std::vector<float> ramp(const Sizes &sizes, const Geometry &geometry);
/// The cosine and the sine of each angle.
std::vector<float> directions(const Sizes &sizes);

// ---- on the host, by the row
// ---------------------------------------------------------------------

void project_row(const Ellipse *ellipses, std::int64_t n, const Geometry &geometry,
                 const Sizes &sizes, std::int64_t angle, float *row);

class HostPlan {
public:
  HostPlan(const Sizes &sizes, const Geometry &geometry);
  void filter_row(const float *row, float *filtered) const;
  void backproject_row(const float *filtered, std::int64_t row, float *pixels) const;

private:
  Sizes sizes_;
  Geometry geometry_;
  std::vector<float> ramp_, directions_;
  std::vector<std::complex<float>> roots_;
};

// ---- on the GPU, in the order of a stream
// --------------------------------------------------------

#ifdef FBP_CUDA
cudaError_t project(const Ellipse *ellipses, std::int64_t n, const Geometry &geometry,
                    const Sizes &sizes, float *sinogram, cudaStream_t stream);

/// Belongs to one GPU; used by one thread at a time.
class Plan {
public:
  Plan(const Sizes &sizes, const Geometry &geometry, cudaStream_t stream);
  /// Bytes of the GPU that `run` works in.
  std::size_t workspace() const { return spectra_ + scratch_; }
  void run(const float *sinogram, float *image, void *workspace, cudaStream_t stream);

private:
  struct Transform {
    cufftHandle handle = 0;
    Transform() = default;
    Transform(const Transform &) = delete;
    Transform &operator=(const Transform &) = delete;
    ~Transform();
  };
  struct Free {
    void operator()(float *memory) const { cudaFree(memory); }
  };

  Sizes sizes_;
  Geometry geometry_;
  std::size_t spectra_ = 0, scratch_ = 0;
  Transform forward_, backward_;
  std::unique_ptr<float, Free> ramp_, directions_;
};
#endif

} // namespace fbp
