// The kernels of this package, and nothing else: no host code, no launches.
//
// Every kernel is `extern "C"` so that the host finds it by its name, and strides over
// the whole grid so that any launch geometry gives the right result.

#include <cstddef>
#include <cstdint>

// Named, because nvcc puts the source's path into the names of an anonymous namespace, and
// builds in two folders would differ.
namespace detail {

/// Threads in a block; the host launches with the same number.
constexpr unsigned BLOCK = 256;

/// Bytes of the widest memory access a thread can make.
constexpr std::size_t ACCESS = 16;

/// 16 bytes of `T`, loaded and stored at once.
template <typename T> struct alignas(ACCESS) Vector {
  static constexpr std::size_t LANES = ACCESS / sizeof(T);
  T lane[LANES];
};

__device__ std::size_t thread_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::size_t thread_count() { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }

/// Elements before the first 16-byte boundary of `p`, at most `n`.
template <typename T> __device__ std::size_t elements_before_boundary(const T *p, std::size_t n) {
  const auto past = reinterpret_cast<std::uintptr_t>(p) % ACCESS;
  const std::size_t before = past == 0 ? 0 : (ACCESS - past) / sizeof(T);
  return before < n ? before : n;
}

/// How `n` elements of two arrays split into single elements, 16-byte vectors and single
/// elements again. Arrays that sit differently to the boundaries have no vectors.
template <typename T> struct Split {
  std::size_t head;
  std::size_t vectors;
  std::size_t tail; // index of the first element after the vectors

  __device__ Split(const T *x, const T *y, std::size_t n) {
    const auto distance = reinterpret_cast<std::uintptr_t>(x) ^ reinterpret_cast<std::uintptr_t>(y);
    const bool together = distance % ACCESS == 0;
    head = together ? elements_before_boundary(y, n) : n;
    vectors = (n - head) / Vector<T>::LANES;
    tail = head + vectors * Vector<T>::LANES;
  }
};

/// y += a * x
template <typename T>
__device__ void axpy(T a, const T *__restrict__ x, T *__restrict__ y, std::size_t n) {
  using V = Vector<T>;
  const Split<T> split(x, y, n);
  const auto *xv = reinterpret_cast<const V *>(x + split.head);
  auto *yv = reinterpret_cast<V *>(y + split.head);

  for (std::size_t i = thread_index(); i < split.vectors; i += thread_count()) {
    const V vx = xv[i];
    V vy = yv[i];
#pragma unroll
    for (std::size_t k = 0; k < V::LANES; ++k) {
      vy.lane[k] += a * vx.lane[k];
    }
    yv[i] = vy;
  }
  for (std::size_t i = thread_index(); i < split.head; i += thread_count()) {
    y[i] += a * x[i];
  }
  for (std::size_t i = split.tail + thread_index(); i < n; i += thread_count()) {
    y[i] += a * x[i];
  }
}

/// A running sum in twice the working precision: `sum + error`.
///
/// Algorithm Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product",
/// SIAM J. Sci. Comput. 26 (2005): the rounding error of every product and of every
/// addition is computed exactly and summed apart.
struct Sum {
  double sum = 0.0;
  double error = 0.0;

  __device__ void add(double value) {
    const double total = sum + value;
    const double part = total - sum;
    error += (sum - (total - part)) + (value - part);
    sum = total;
  }

  __device__ void add_product(double a, double b) {
    const double product = a * b;
    error += fma(a, b, -product);
    add(product);
  }

  /// The product of two floats is exact in a double, and so is nearly every sum of them.
  __device__ void add_product(float a, float b) {
    sum += static_cast<double>(a) * static_cast<double>(b);
  }

  __device__ void add(const Sum &other) {
    add(other.sum);
    error += other.error;
  }

  /// The errors of infinities are not numbers; the sum is then right without them.
  __device__ double value() const { return isfinite(sum) ? sum + error : sum; }
};

__device__ Sum shuffle_down(const Sum &value, unsigned lanes) {
  constexpr unsigned ALL = 0xffffffffU;
  Sum other;
  other.sum = __shfl_down_sync(ALL, value.sum, lanes);
  other.error = __shfl_down_sync(ALL, value.error, lanes);
  return other;
}

__device__ Sum sum_of_warp(Sum value) {
  for (unsigned lanes = warpSize / 2; lanes > 0; lanes /= 2) {
    value.add(shuffle_down(value, lanes));
  }
  return value; // complete in lane 0
}

/// Adds the sums of all threads of the block; the result is complete in thread 0.
__device__ Sum sum_of_block(Sum value) {
  constexpr unsigned WARP = 32;
  __shared__ double sums[BLOCK / WARP];
  __shared__ double errors[BLOCK / WARP];

  value = sum_of_warp(value);
  const unsigned warp = threadIdx.x / WARP;
  if (threadIdx.x % WARP == 0) {
    sums[warp] = value.sum;
    errors[warp] = value.error;
  }
  __syncthreads();

  Sum total;
  if (warp == 0) {
    if (threadIdx.x < BLOCK / WARP) {
      total.sum = sums[threadIdx.x];
      total.error = errors[threadIdx.x];
    }
    total = sum_of_warp(total);
  }
  return total;
}

/// partial[block] = the block's share of sum(x * y); the host adds the shares in order,
/// so that equal input gives equal bits.
template <typename T>
__device__ void dot(const T *__restrict__ x, const T *__restrict__ y, double *__restrict__ partial,
                    std::size_t n) {
  using V = Vector<T>;
  const Split<T> split(x, y, n);
  const auto *xv = reinterpret_cast<const V *>(x + split.head);
  const auto *yv = reinterpret_cast<const V *>(y + split.head);

  Sum sum;
#pragma unroll 4
  for (std::size_t i = thread_index(); i < split.vectors; i += thread_count()) {
    const V vx = xv[i];
    const V vy = yv[i];
#pragma unroll
    for (std::size_t k = 0; k < V::LANES; ++k) {
      sum.add_product(vx.lane[k], vy.lane[k]);
    }
  }
  for (std::size_t i = thread_index(); i < split.head; i += thread_count()) {
    sum.add_product(x[i], y[i]);
  }
  for (std::size_t i = split.tail + thread_index(); i < n; i += thread_count()) {
    sum.add_product(x[i], y[i]);
  }

  sum = sum_of_block(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum.value();
  }
}

} // namespace detail

using namespace detail;

/// y += a * x, float32
extern "C" __global__ void __launch_bounds__(BLOCK)
    axpy_f32(float a, const float *x, float *y, std::size_t n) {
  axpy(a, x, y, n);
}

/// y += a * x, float64
extern "C" __global__ void __launch_bounds__(BLOCK)
    axpy_f64(double a, const double *x, double *y, std::size_t n) {
  axpy(a, x, y, n);
}

/// partial[block] = share of sum(x * y), float32
extern "C" __global__ void __launch_bounds__(BLOCK)
    dot_f32(const float *x, const float *y, double *partial, std::size_t n) {
  dot(x, y, partial, n);
}

/// partial[block] = share of sum(x * y), float64
extern "C" __global__ void __launch_bounds__(BLOCK)
    dot_f64(const double *x, const double *y, double *partial, std::size_t n) {
  dot(x, y, partial, n);
}

/// *seen = the address that the kernel was given
extern "C" __global__ void address(const void *x, std::uint64_t *seen) {
  *seen = reinterpret_cast<std::uint64_t>(x);
}
