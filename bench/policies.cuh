#pragma once

#include <cstring>
#include <vector>

#include "clock.cuh"
#include "kernels.cuh"

constexpr std::size_t PAGE = 4096 / sizeof(float);

/// Two arrays that the host writes and the GPU works on, by one policy for all of their life.
class Arrays {
public:
  explicit Arrays(std::size_t n) : n(n) {}
  virtual ~Arrays() = default;
  Arrays(const Arrays &) = delete;
  Arrays &operator=(const Arrays &) = delete;
  /// Work between the host's writing and the kernels.
  virtual void before() {}
  /// Work between the kernels and the host's reading.
  virtual void after() {}
  /// Where the kernels find the arrays.
  virtual float *x_on_gpu() { return x; }
  virtual float *y_on_gpu() { return y; }

  std::size_t n;
  float *x = nullptr;
  float *y = nullptr;
  cudaStream_t stream = nullptr;
};

/// Managed memory: pages move when they are touched.
class Faults : public Arrays {
public:
  explicit Faults(std::size_t n) : Arrays(n) {
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  }
  ~Faults() override {
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
  }
};

/// Managed memory that is moved to the GPU and back as a whole.
class Moved : public Faults {
public:
  using Faults::Faults;
  void before() override {
    move(x, cudaMemLocationTypeDevice);
    move(y, cudaMemLocationTypeDevice);
  }
  void after() override { move(y, cudaMemLocationTypeHost); }

private:
  void move(float *array, cudaMemLocationType where) {
    CHECK(cudaMemPrefetchAsync(array, n * sizeof(float), {where, 0}, 0, stream));
  }
};

/// Managed memory that stays on the host, mapped for the GPU.
class Mapped : public Faults {
public:
  explicit Mapped(std::size_t n) : Faults(n) {
    for (float *array : {x, y}) {
      advise(array, cudaMemAdviseSetPreferredLocation, cudaMemLocationTypeHost);
      advise(array, cudaMemAdviseSetAccessedBy, cudaMemLocationTypeDevice);
    }
  }

private:
  void advise(float *array, cudaMemoryAdvise advice, cudaMemLocationType where) {
    CHECK(cudaMemAdvise(array, n * sizeof(float), advice, {where, 0}));
  }
};

/// Pinned memory that the kernels use in place.
class Pinned : public Arrays {
public:
  explicit Pinned(std::size_t n) : Arrays(n) {
    CHECK(cudaMallocHost(&x, n * sizeof(float)));
    CHECK(cudaMallocHost(&y, n * sizeof(float)));
  }
  ~Pinned() override {
    CHECK(cudaFreeHost(x));
    CHECK(cudaFreeHost(y));
  }
};

/// Pinned memory that is copied to the GPU and back.
class PinnedCopies : public Pinned {
public:
  explicit PinnedCopies(std::size_t n) : Pinned(n) {
    CHECK(cudaMalloc(&there_x_, n * sizeof(float)));
    CHECK(cudaMalloc(&there_y_, n * sizeof(float)));
  }
  ~PinnedCopies() override {
    CHECK(cudaFree(there_x_));
    CHECK(cudaFree(there_y_));
  }
  void before() override {
    CHECK(cudaMemcpyAsync(there_x_, x, n * sizeof(float), cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(there_y_, y, n * sizeof(float), cudaMemcpyHostToDevice, stream));
  }
  void after() override {
    CHECK(cudaMemcpyAsync(y, there_y_, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  float *x_on_gpu() override { return there_x_; }
  float *y_on_gpu() override { return there_y_; }

private:
  float *there_x_ = nullptr;
  float *there_y_ = nullptr;
};

/// The host writes both arrays, then kernels run `calls` times, then the host reads every page of
/// y. Returns the seconds from after the writing on.
inline double cycle(Arrays &arrays, int calls) {
  for (std::size_t i = 0; i < arrays.n; ++i) {
    arrays.x[i] = 1;
    arrays.y[i] = 2;
  }
  const Stopwatch watch;
  arrays.before();
  for (int call = 0; call < calls; ++call) {
    launch_axpy(1e-9F, arrays.x_on_gpu(), arrays.y_on_gpu(), arrays.n, arrays.stream);
    CHECK(cudaStreamSynchronize(arrays.stream));
  }
  arrays.after();
  CHECK(cudaStreamSynchronize(arrays.stream));
  double sum = 0;
  for (std::size_t i = 0; i < arrays.n; i += PAGE) {
    sum += arrays.y[i];
  }
  const double seconds = watch.seconds();
  if (sum < 0) { // so that the reading is not optimised away
    std::abort();
  }
  return seconds;
}
