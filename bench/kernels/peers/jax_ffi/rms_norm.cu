#include <cuda_bf16.h>
#include <xla/ffi/api/ffi.h>

namespace ffi = xla::ffi;

__device__ inline float warp_sum(float value) {
  for (int k = 16; k > 0; k /= 2) value += __shfl_xor_sync(~0U, value, k);
  return value;
}

// One warp for each row of `x`.
template <class T>
__global__ void norm_rows(const T *x, const T *weight, float eps, T *y, float *rstd, int64_t rows, int64_t n) {
  const int64_t row = (blockIdx.x * int64_t(blockDim.x) + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  x += row * n, y += row * n;
  float squares = 0;
  for (int64_t i = lane; i < n; i += 32) squares += float(x[i]) * float(x[i]);
  const float scale = rsqrtf(warp_sum(squares) / float(n) + eps);
  for (int64_t i = lane; i < n; i += 32) y[i] = T(float(x[i]) * scale * float(weight[i]));
  if (lane == 0) rstd[row] = scale;
}

template <class T>
__global__ void norm_rows_bwd(
    const T *dy, const T *x, const T *weight, const float *rstd, T *dx, float *dweight, int64_t rows, int64_t n) {
  const int64_t row = (blockIdx.x * int64_t(blockDim.x) + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  dy += row * n, x += row * n, dx += row * n;
  float products = 0;
  for (int64_t i = lane; i < n; i += 32) products += float(dy[i]) * float(weight[i]) * float(x[i]);
  const float scale = rstd[row], common = warp_sum(products) * scale * scale / float(n);
  for (int64_t i = lane; i < n; i += 32) {
    dx[i] = T(scale * (float(dy[i]) * float(weight[i]) - common * float(x[i])));
    atomicAdd(&dweight[i], float(dy[i]) * float(x[i]) * scale);
  }
}

ffi::Error launched() {
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? ffi::Error::Success() : ffi::Error::Internal(cudaGetErrorString(error));
}

ffi::Error check(ffi::AnyBuffer x, ffi::AnyBuffer weight, ffi::AnyBuffer rstd) {
  const auto shape = x.dimensions();
  if (weight.dimensions().size() != 1 || shape.size() == 0 || shape.back() != weight.dimensions()[0]) {
    return ffi::Error::InvalidArgument("the shapes must be (...,n),(n)");
  }
  if (weight.element_type() != x.element_type() || rstd.element_count() * shape.back() != x.element_count()) {
    return ffi::Error::InvalidArgument("x and weight must have the same dtype, and rstd an element for each row");
  }
  return ffi::Error::Success();
}

template <class T>
ffi::Error launch(
    cudaStream_t stream, ffi::AnyBuffer x, ffi::AnyBuffer weight, float eps, ffi::AnyBuffer y, ffi::AnyBuffer rstd) {
  const int64_t rows = rstd.element_count();
  if (rows == 0) return ffi::Error::Success();
  norm_rows<<<(rows + 7) / 8, 256, 0, stream>>>(static_cast<const T *>(x.untyped_data()),
      static_cast<const T *>(weight.untyped_data()), eps, static_cast<T *>(y.untyped_data()),
      static_cast<float *>(rstd.untyped_data()), rows, weight.element_count());
  return launched();
}

ffi::Error rms_norm(cudaStream_t stream, ffi::AnyBuffer x, ffi::AnyBuffer weight, float eps,
    ffi::Result<ffi::AnyBuffer> y, ffi::Result<ffi::AnyBuffer> rstd) {
  if (ffi::Error error = check(x, weight, *rstd); error.failure()) return error;
  switch (x.element_type()) {
  case ffi::F32: return launch<float>(stream, x, weight, eps, *y, *rstd);
  case ffi::BF16: return launch<__nv_bfloat16>(stream, x, weight, eps, *y, *rstd);
  default: return ffi::Error::InvalidArgument("x must be float32 or bfloat16");
  }
}

template <class T>
ffi::Error launch_bwd(cudaStream_t stream, ffi::AnyBuffer dy, ffi::AnyBuffer x, ffi::AnyBuffer weight,
    ffi::AnyBuffer rstd, ffi::AnyBuffer dx, ffi::AnyBuffer dweight) {
  const int64_t rows = rstd.element_count();
  auto *sums = static_cast<float *>(dweight.untyped_data());
  cudaMemsetAsync(sums, 0, dweight.size_bytes(), stream);
  if (rows == 0) return launched();
  norm_rows_bwd<<<(rows + 7) / 8, 256, 0, stream>>>(static_cast<const T *>(dy.untyped_data()),
      static_cast<const T *>(x.untyped_data()), static_cast<const T *>(weight.untyped_data()),
      static_cast<const float *>(rstd.untyped_data()), static_cast<T *>(dx.untyped_data()), sums, rows,
      weight.element_count());
  return launched();
}

ffi::Error rms_norm_bwd(cudaStream_t stream, ffi::AnyBuffer dy, ffi::AnyBuffer x, ffi::AnyBuffer weight,
    ffi::AnyBuffer rstd, ffi::Result<ffi::AnyBuffer> dx, ffi::Result<ffi::AnyBuffer> dweight) {
  if (ffi::Error error = check(x, weight, rstd); error.failure()) return error;
  switch (x.element_type()) {
  case ffi::F32: return launch_bwd<float>(stream, dy, x, weight, rstd, *dx, *dweight);
  case ffi::BF16: return launch_bwd<__nv_bfloat16>(stream, dy, x, weight, rstd, *dx, *dweight);
  default: return ffi::Error::InvalidArgument("x must be float32 or bfloat16");
  }
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(RmsNorm, rms_norm,
    ffi::Ffi::Bind()
        .Ctx<ffi::PlatformStream<cudaStream_t>>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Attr<float>("eps")
        .Ret<ffi::AnyBuffer>()
        .Ret<ffi::AnyBuffer>(),
    {ffi::Traits::kCmdBufferCompatible});

XLA_FFI_DEFINE_HANDLER_SYMBOL(RmsNormBwd, rms_norm_bwd,
    ffi::Ffi::Bind()
        .Ctx<ffi::PlatformStream<cudaStream_t>>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Arg<ffi::AnyBuffer>()
        .Ret<ffi::AnyBuffer>()
        .Ret<ffi::AnyBuffer>(),
    {ffi::Traits::kCmdBufferCompatible});
