// A call of a function, as its body sees it.
#pragma once

#include <algorithm>
#include <cstdio>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "abi.h"
#include "buffer.h"
#include "failure.h"
#include "launch.h"
#include "operand.h"
#include "status.h"
#include "view.h"

namespace cuvec {

/// An error of CUDA's: a RuntimeError in Python.
struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {
inline int failed(cuvec_call *call, int status, const char *text) {
  std::snprintf(call->error, CUVEC_MAX_ERROR, "%s", text);
  return status;
}
} // namespace detail

/// Ctrl-C: ends the call with the KeyboardInterrupt that is on its way.
struct Interrupted {};

/// Blocks and threads of a launch, and bytes of shared memory a block.
struct Grid {
  dim3 blocks, threads;
  std::size_t shared;
  dim3 blocks_of_cluster{0, 0, 0}; // none
  bool is_cooperative = false, is_dependent = false;

  Grid(int64 count, int64 size, std::size_t shared_bytes = 0)
      : blocks(), threads(), shared(shared_bytes) {
    if (count < 0 || count > 0x7fffffff) {
      throw std::invalid_argument("a launch of " + std::to_string(count) +
                                  " blocks: CUDA takes 2147483647 at most");
    }
    if (size < 1 || size > 1024) {
      throw std::invalid_argument("a block of " + std::to_string(size) +
                                  " threads: CUDA takes 1 to 1024");
    }
    blocks.x = static_cast<unsigned>(count);
    threads.x = static_cast<unsigned>(size);
  }
  Grid(dim3 count, dim3 size, std::size_t shared_bytes = 0)
      : blocks(count), threads(size), shared(shared_bytes) {}

  /// Clusters of so many blocks, which divide the blocks of the grid; from compute capability 9.0
  /// on.
  Grid cluster(unsigned x, unsigned y = 1, unsigned z = 1) const {
    Grid grid = *this;
    grid.blocks_of_cluster = dim3{x, y, z};
    return grid;
  }
  /// All blocks run at a time, so that `cooperative_groups::this_grid().sync()` may wait for them.
  Grid cooperative() const {
    Grid grid = *this;
    grid.is_cooperative = true;
    return grid;
  }
  /// It may begin before the kernel in front of it on the stream has ended, and calls
  /// `cudaGridDependencySynchronize()` before it reads what that one writes; from 9.0 on.
  Grid dependent() const {
    Grid grid = *this;
    grid.is_dependent = true;
    return grid;
  }
  bool is_plain() const { return blocks_of_cluster.x == 0 && !is_cooperative && !is_dependent; }
};

/// A thread for each of `n`, in blocks of `threads`: at least one block, at most `limit`.
inline Grid threads_for(int64 n, int64 threads = 256, int64 limit = 0x7fffffff) {
  const int64 size = std::max<int64>(1, threads); // `Grid` refuses others
  const int64 blocks = n / size + (n % size > 0 ? 1 : 0);
  return {std::max<int64>(1, std::min(limit, blocks)), threads};
}

/// A size as an integer of fewer bits, which code that was there before may take: one that does not
/// fit is a std::invalid_argument.
template <class To> To narrow(int64 size) {
  static_assert(std::is_integral_v<To>, "cuvec: sizes are integers");
  const auto most = std::uint64_t(std::numeric_limits<To>::max());
  if (size < 0 || std::uint64_t(size) > most) {
    throw std::invalid_argument("a size of " + std::to_string(size) + " is more than " +
                                std::to_string(most) + ", the most that its code takes");
  }
  return static_cast<To>(size);
}

namespace detail {
template <class T> constexpr bool is_negative(T value) {
  if constexpr (std::is_signed_v<T>) {
    return value < 0;
  } else {
    return false;
  }
}

/// An argument as a parameter of a kernel; std::invalid_argument for an integer that does not
/// fit, such as the size of an array in an `int n`.
template <class Parameter, class Argument> Parameter as_parameter(const Argument &argument) {
  const auto parameter = static_cast<Parameter>(argument);
  if constexpr (std::is_integral_v<Parameter> && std::is_integral_v<Argument> &&
                !std::is_same_v<Parameter, bool>) {
    if (static_cast<Argument>(parameter) != argument ||
        is_negative(parameter) != is_negative(argument)) {
      const std::string hint = sizeof(Parameter) < sizeof(int64) ? ": declare it `int64`" : "";
      throw std::invalid_argument("a parameter of the kernel has " +
                                  std::to_string(8 * sizeof(Parameter)) + " bits and cannot be " +
                                  std::to_string(argument) + hint);
    }
  }
  return parameter;
}
} // namespace detail

/// Gives a body its stream, launches and memory. Whatever it throws ends the call:
/// std::invalid_argument becomes a ValueError, std::bad_alloc a MemoryError and other exceptions a
/// RuntimeError.
class Call {
public:
  /// `function` is a constant, as its kernels may tell it when the call is over.
  explicit Call(cuvec_call *call, const char *function = nullptr)
      : call_(call), function_(function) {
#if defined(CUVEC_DEBUG) && defined(__CUDACC__)
    if (call->stream != nullptr) {
      check(detail::set_debug_slots(call), nullptr);
    }
#endif
  }

  /// Part of it for its kernels, as a parameter `KernelCall call`, and for functions of both sides.
  operator KernelCall() const { return {call_->report, function_}; }

  /// As in a kernel.
  template <class... Value> void fail_if(bool failed, const char *what, Value... value) const {
    KernelCall(*this).fail_if(failed, what, value...);
  }

#ifdef __CUDACC__
  /// The stream to work on, for libraries such as cuFFT.
  cudaStream_t stream() const { return static_cast<cudaStream_t>(call_->stream); }

  /// Runs an algorithm of CUB, which says first how much memory it needs:
  /// `call.cub([&](void *memory, std::size_t &bytes, cudaStream_t stream) { return
  /// cub::DeviceScan::InclusiveSum(memory, bytes, x.data, y.data, x.size(), stream); })`
  template <class Run> void cub(const Run &run) {
    std::size_t bytes = 0;
    check(run(static_cast<void *>(nullptr), bytes, stream()), nullptr);
    void *memory = scratch<unsigned char>(std::max<std::size_t>(1, bytes)).data; // never null
    check(run(memory, bytes, stream()), nullptr);
  }
#else
  void *stream() const { return call_->stream; }
#endif

  /// Throws what is no success, for functions that return an enum: CUDA's `cudaError_t`,
  /// `cufftResult`, `cublasStatus_t` and so on. No template, as nvcc would take its own place for
  /// the caller's.
  static void check(const detail::Status &status, const char *file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
    if (status.failed()) {
      const std::string place =
          file == nullptr ? ""
                          : " (" + (detail::short_path(file) + (":" + std::to_string(line))) + ")";
      throw CudaError(status.text() + place);
    }
  }

  /// Launches a kernel on the call's stream: `call.launch<kernel<T>>(threads_for(n), x, y)`. The
  /// arguments are converted to the kernel's parameters. Without blocks nothing is launched.
  template <auto Kernel, class... Arguments> void launch(Grid grid, const Arguments &...arguments) {
    constexpr bool fits = std::is_invocable_v<decltype(Kernel), const Arguments &...>;
    static_assert(fits, "cuvec: launched with other arguments than the kernel has parameters");
    if constexpr (fits) {
      launch_as<Kernel>(Kernel, grid, arguments...);
    }
  }

  /// A pass, on the side of the call: y(i, j) = f(i, j, arguments…) for each element of `y`, or
  /// only the call if f returns nothing. For an array, f may have an `Edge` or a `Wrap`.
  template <auto F, class T, int Rank, class Layout, class... Arguments>
  void each(const View<T, Rank, Layout> &y, const Arguments &...arguments);

  /// The same with threads that share each element: y(i, j) = f(row, i, j, arguments…), where `row`
  /// has `size` places.
  template <auto F, class T, int Rank, class... Arguments>
  void each_row(const View<T, Rank, Contiguous> &y, int64 size, const Arguments &...arguments);

  /// The same for a tile at a time, in threads with shared memory: f(tile, i, j, arguments…), where
  /// the tile begins, returns an `Own` for y(i, j) and those after it.
  template <auto F, class T, class... Arguments>
  void each_tile(const View<T, 2, Contiguous> &y, const Arguments &...arguments);

  /// Memory of the GPU in `gpu`, of the CPU in `cpu`, until the call is done. Its contents are
  /// undefined. A size that is negative is a std::invalid_argument, one that is too large a
  /// std::bad_alloc.
  template <class T, class... Sizes> Out<T, sizeof...(Sizes)> scratch(Sizes... shape) {
    return with_memory<T>([&](auto bytes) { return call_->scratch(call_, bytes); }, shape...);
  }

  /// The same until it is destroyed: memory of an object.
  template <class T, class... Sizes> Buffer<T, sizeof...(Sizes)> buffer(Sizes... shape) {
    void *owner = nullptr;
    const auto allocate = [&](auto bytes) { return call_->allocate(call_, bytes, &owner); };
    const auto view = with_memory<T>(allocate, shape...);
    return {view, owner, call_->release};
  }

  /// True if this call works on a GPU, for code that both sides share, such as a constructor.
  bool is_on_gpu() const { return call_->stream != nullptr; }

  /// Calls a declared function of the package as a part of this call, on its side and in the order
  /// of its stream: `call.run("gemv", a, x, 1.0, 0.0, y)`, all its arguments and behind them an
  /// array for each result. An optional array may be nullptr. What it takes is checked as in a call
  /// from Python, and nothing is copied; what is wrong is a CallFailed.
  template <class... Operands> void run(const char *function, const Operands &...operands) {
    const cuvec_operand all[] = {detail::operand(operands)..., {}};
    const int status = call_->run(call_, function, all, int(sizeof...(Operands)));
    if (status == CUVEC_INTERRUPTED) {
      throw Interrupted();
    }
    if (status != CUVEC_OK) {
      throw CallFailed(status, call_->error);
    }
  }

  /// The object that a method works on.
  void *object() const { return call_->object; }

  /// Keeps something until the work of this call on its stream is done: a texture, host memory that
  /// is copied, a std::shared_ptr. It is destroyed on any thread. Returns what is kept.
  template <class T> std::decay_t<T> &keep(T &&thing) {
    using Kept = std::decay_t<T>;
    auto *kept = new Kept(std::forward<T>(thing));
    call_->keep(call_, kept, [](void *it) { delete static_cast<Kept *>(it); });
    return *kept;
  }

  /// Copies arrays of one size, in the order of the stream.
  template <class T, int Rank> void copy(In<T, Rank> from, Out<T, Rank> to) {
    if (from.size() != to.size()) {
      throw std::invalid_argument("a copy of " + std::to_string(from.size()) + " elements to " +
                                  std::to_string(to.size()));
    }
#ifdef __CUDACC__
    if (is_on_gpu()) {
      const auto bytes = std::size_t(from.size()) * sizeof(T);
      check(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDefault, stream()));
      return;
    }
#endif
    std::copy_n(from.data, from.size(), to.data);
  }

  /// Sets every byte to zero, in the order of the stream: also a result that kernels add to, which
  /// is on the GPU then.
  template <class T, int Rank> void zero(Out<T, Rank> out) {
    const auto bytes = std::size_t(out.size()) * sizeof(T);
#ifdef __CUDACC__
    if (call_->stream != nullptr) {
      check(cudaMemsetAsync(out.data, 0, bytes, stream()), nullptr);
      call_->adds_to(call_, out.data);
      return;
    }
#endif
    std::fill_n(reinterpret_cast<unsigned char *>(out.data), bytes, static_cast<unsigned char>(0));
  }

private:
  template <class Size> static int64 to_size(Size size) {
    static_assert(std::is_integral_v<Size>, "cuvec: sizes of memory are integers");
    if constexpr (std::is_signed_v<Size>) {
      if (size < 0) {
        throw std::invalid_argument("a size of memory cannot be " + std::to_string(size));
      }
    }
    const auto wide = static_cast<std::uint64_t>(size);
    if (wide > std::uint64_t(std::numeric_limits<int64>::max())) {
      throw std::bad_alloc();
    }
    return static_cast<int64>(wide);
  }

  /// A view of this shape, of what `allocate` returns for its bytes.
  template <class T, class Allocate, class... Sizes>
  static Out<T, sizeof...(Sizes)> with_memory(const Allocate &allocate, Sizes... shape) {
    Out<T, sizeof...(Sizes)> view{nullptr, {to_size(shape)...}};
    std::size_t bytes = sizeof(T);
    for (std::size_t axis = 0; axis < sizeof...(Sizes); ++axis) {
      const auto size = std::size_t(view.shape[axis]);
      if (size > 0 && bytes > std::size_t(std::numeric_limits<int64>::max()) / size) {
        throw std::bad_alloc();
      }
      bytes *= size;
    }
    view.data = static_cast<T *>(allocate(std::max<std::size_t>(1, bytes)));
    if (view.data == nullptr) {
      throw std::bad_alloc();
    }
    return view;
  }

  template <auto Kernel, class... Parameters, class... Arguments>
  void launch_as(void (* /*kernel*/)(Parameters...), Grid grid, const Arguments &...arguments) {
    launch_with<Kernel, Parameters...>(grid, detail::as_parameter<Parameters>(arguments)...);
  }

#ifdef __CUDACC__
  template <auto Kernel, class... Parameters>
  void launch_with(Grid grid, Parameters... parameters) {
    static_assert((std::is_trivially_copyable_v<Parameters> && ...),
                  "cuvec: the parameters of a kernel are plain data");
    if (grid.blocks.x == 0 || grid.blocks.y == 0 || grid.blocks.z == 0) {
      return; // for CUDA that is an error
    }
    constexpr std::size_t without_asking = 48 << 10;
    constexpr std::size_t most = std::numeric_limits<int>::max();
    if (grid.shared > without_asking &&
        (grid.shared > most ||
         cudaFuncSetAttribute(reinterpret_cast<const void *>(Kernel),
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(grid.shared)) != cudaSuccess)) {
      cudaGetLastError(); // or the next one to ask would take it for its own
      throw std::invalid_argument("a block needs " + std::to_string(grid.shared) +
                                  " bytes of shared memory, more than this GPU has");
    }
    using Packed = detail::driver::Parameters<Parameters...>;
    check(Packed::are_packed && grid.is_plain()
              ? detail::driver::launch<Kernel>(call_->gpu, grid.blocks, grid.threads,
                                               Packed(parameters...), grid.shared, stream())
              : launch_extended<Kernel>(grid, parameters...),
          nullptr);
  }

  /// Launches with properties that the shorter way does not have.
  template <auto Kernel, class... Parameters>
  cudaError_t launch_extended(const Grid &grid, Parameters &...parameters) {
    cudaLaunchAttribute attributes[3] = {};
    unsigned count = 0;
    if (const dim3 &of = grid.blocks_of_cluster; of.x != 0) {
      attributes[count].id = cudaLaunchAttributeClusterDimension;
      attributes[count].val.clusterDim.x = of.x;
      attributes[count].val.clusterDim.y = of.y;
      attributes[count++].val.clusterDim.z = of.z;
    }
    if (grid.is_cooperative) {
      attributes[count].id = cudaLaunchAttributeCooperative;
      attributes[count++].val.cooperative = 1;
    }
    if (grid.is_dependent) {
      attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = grid.blocks;
    config.blockDim = grid.threads;
    config.dynamicSmemBytes = grid.shared;
    config.stream = stream();
    config.attrs = attributes;
    config.numAttrs = count;
    void *addresses[] = {&parameters..., nullptr};
    return cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(Kernel), addresses);
  }
#else
  template <auto Kernel, class... Parameters>
  void launch_with(Grid /*grid*/, Parameters... /*parameters*/) {
    throw CudaError("built without CUDA");
  }
#endif

  cuvec_call *call_;
  const char *function_;
};

} // namespace cuvec
