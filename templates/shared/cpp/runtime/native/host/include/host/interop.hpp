// Arrays of other libraries: their pointers, their streams and DLPack.
//
// https://dmlc.github.io/dlpack/latest/c_api.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "array.hpp"

namespace host {

/// The index of the GPU whose memory holds `bytes` bytes at `address`. Throws `ValueError` when
/// the driver knows no such memory, or less of it.
int locate(std::uintptr_t address, std::size_t bytes);

/// A point on a stream of a GPU; of a stream whose work becomes part of a graph, the graph's end.
struct Mark {
  /// The stream, or another number for a graph: marks of one order are passed one after the other.
  Stream order;

  /// Whether everything before it has been done. It is asked and destroyed on any thread. After an
  /// error of CUDA's nothing is waited for any more.
  std::function<bool()> has_passed;
};

/// Where a stream of a GPU is now.
Mark mark(int gpu, Stream stream);

/// A library's current stream on the GPU of this index, if it has one.
using CurrentStream = std::function<std::optional<Stream>(int gpu)>;

/// Throws `RuntimeError` while a graph is recorded on that stream: a call on the GPU, or on the
/// current one, without a stream of its caller's would run now, and be no part of the graph.
void refuse_beside(std::optional<int> gpu, const CurrentStream &current_stream);

namespace dlpack {

inline constexpr std::uint32_t MAJOR = 1;
inline constexpr std::uint32_t MINOR = 1;

struct Device {
  std::int32_t type;
  std::int32_t index;
};

struct DataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct Tensor {
  void *data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t *shape;
  std::int64_t *strides; // in elements; null when C-contiguous
  std::uint64_t byte_offset;
};

/// A tensor in a capsule called `dltensor`.
struct Legacy {
  static constexpr const char *NAME = "dltensor";
  static constexpr const char *USED_NAME = "used_dltensor";
  Tensor tensor;
  void *context;
  void (*deleter)(Legacy *);
};

/// A tensor in a capsule called `dltensor_versioned`.
struct Versioned {
  static constexpr const char *NAME = "dltensor_versioned";
  static constexpr const char *USED_NAME = "used_dltensor_versioned";
  static constexpr std::uint64_t READ_ONLY = 1;
  static constexpr std::uint64_t IS_COPIED = 2;
  std::uint32_t major;
  std::uint32_t minor;
  void *context;
  void (*deleter)(Versioned *);
  std::uint64_t flags;
  Tensor tensor;
};

/// The functions that a class of arrays offers to C, since DLPack 1.3, in a capsule that is its
/// attribute `__dlpack_c_exchange_api__`. They need the GIL, and return 0 or set a Python
/// exception.
struct Exchange {
  static constexpr const char *NAME = "dlpack_exchange_api";
  std::uint32_t major;
  std::uint32_t minor;
  const Exchange *previous; ///< those of another version, or null
  void (*managed_tensor_allocator)();
  int (*managed_tensor_from_py_object_no_sync)(void *object, Versioned **tensor);
  void (*managed_tensor_to_py_object_no_sync)();
  int (*dltensor_from_py_object_no_sync)(void *object, Tensor *tensor); ///< or null
  int (*current_work_stream)(std::int32_t device_type, std::int32_t device_index, void **stream);
};

/// Those of our major version among the functions that are offered; null when there are none, or
/// when one that imports need is missing.
const Exchange *compatible(const Exchange *offered);

/// The stream on which an exporter must make a tensor of this device ready; none for memory of
/// the host. Throws `ValueError` for devices whose memory cannot be used here.
std::optional<Stream> consumer_stream(Device device);

/// Whether a GPU addresses memory of this device. Throws as `consumer_stream`.
bool is_for_gpu(Device device);

/// The array that a tensor describes; `writable` as its flags say. It is ready on its
/// `consumer_stream`. Throws `UnsupportedDType` or, for nonsense, `ValueError`.
Array import(const Tensor &tensor, bool writable);

/// The same of a tensor that is ready after the present work on another stream; none for memory of
/// the host, as `is_for_gpu` says.
Array import(const Tensor &tensor, bool writable, std::optional<Stream> ready);

/// Reads a tensor in the memory of the GPU that its library's own functions for C name: the driver
/// is not asked where it is. It is ready after the present work on `ready`.
void import_from_gpu(const Tensor &tensor, bool writable, Stream ready, Array &array);

/// What to ask a tensor of PyTorch that reads like this: `is_conj` or `is_neg`, whether its
/// elements are the conjugates, or the negatives, of what is in memory. DLPack cannot say so. Null
/// when they cannot be: negatives are imaginary parts of conjugates, and do not follow each other.
const char *question_about(const Array &array);

/// The error when they are.
inline constexpr const char *OTHER_VALUES =
    "the tensor is a view of conjugates or negatives, which cannot be exported; pass "
    "tensor.resolve_conj().resolve_neg()";

/// Whether memory of this device is a GPU's alone.
bool is_gpus_own(Device device);

/// The device of such memory.
Device of_gpu(int index);

/// What a capsule says about a part of a block.
struct Export {
  std::uintptr_t address;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides; ///< in elements
  DType dtype;
  bool read_only;
  Device device;
  bool copied;
};

/// A tensor that keeps the block alive until its deleter is called, on any thread. Throws
/// `ValueError` when it is not in the block, or not on its device.
Legacy *export_legacy(Export tensor, std::shared_ptr<Block> block);
Versioned *export_versioned(Export tensor, std::shared_ptr<Block> block);

} // namespace dlpack
} // namespace host
