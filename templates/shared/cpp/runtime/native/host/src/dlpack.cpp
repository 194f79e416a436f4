// DLPack: reading tensors and making them.
#include <host/interop.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <host/error.hpp>

namespace host::dlpack {

namespace {

// Of DLDeviceType.
constexpr std::int32_t CPU = 1;
constexpr std::int32_t CUDA = 2;

/// The kind letters of the array interface, by DLPack's type codes.
constexpr std::array<std::pair<char, std::uint8_t>, 5> CODES{{
    {'i', 0},
    {'u', 1},
    {'f', 2},
    {'c', 5},
    {'b', 6},
}};

std::uint8_t code_of(DType dtype) {
  for (const auto &[kind, code] : CODES) {
    if (kind == host::kind(dtype)) {
      return code;
    }
  }
  return 0; // never: the table has every kind of ours
}

DType dtype_of(DataType type) {
  for (const auto &[kind, code] : CODES) {
    if (code == type.code && type.bits % 8 == 0 && type.lanes == 1) {
      if (const auto dtype = dtype_from_kind(kind, type.bits / 8U)) {
        return *dtype;
      }
    }
  }
  throw UnsupportedDType("DLPack type " + std::to_string(type.code) + " of " +
                         std::to_string(type.bits) + " bits");
}

void read_shape(const Tensor &tensor, Shape &shape) {
  if (tensor.ndim < 0 || (tensor.ndim > 0 && tensor.shape == nullptr)) {
    throw ValueError("the DLPack tensor has no shape");
  }
  if (std::any_of(tensor.shape, tensor.shape + tensor.ndim, [](std::int64_t n) { return n < 0; })) {
    throw ValueError("the DLPack tensor has a negative extent");
  }
  shape.assign(tensor.shape, tensor.shape + tensor.ndim);
}

/// Of a tensor with elements, whose number fits. As in NumPy, the stride of an axis of length one
/// does not matter.
bool is_contiguous(const Tensor &tensor) {
  if (tensor.strides == nullptr) {
    return true;
  }
  std::int64_t step = 1;
  for (std::int32_t axis = tensor.ndim; axis-- > 0; step *= tensor.shape[axis]) {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) {
      return false;
    }
  }
  return true;
}

/// All that the tensor says, but not where it is and when it is ready. Returns its bytes.
std::size_t read(const Tensor &tensor, bool writable, Array &array) {
  array.dtype = dtype_of(tensor.dtype);
  read_shape(tensor, array.shape);
  const std::size_t bytes = bytes_of(array.shape, array.dtype);
  if (tensor.data == nullptr && bytes != 0) {
    throw ValueError("the DLPack tensor has no data");
  }
  array.address = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  array.contiguous = bytes == 0 || is_contiguous(tensor);
  array.writable = writable;
  return bytes;
}

bool is_empty(const Export &tensor) {
  return std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end();
}

/// What the deleter frees: the tensor, its shape and strides, and a share of the block.
template <typename Managed> struct Owner {
  Managed managed{};
  Export exported;
  std::shared_ptr<Block> block;
};

/// Whether all elements are in the block.
bool is_inside(const Export &tensor, const Block &block) {
  const std::size_t item = size(tensor.dtype);
  std::size_t below = 0; // bytes from the first element down to the lowest one
  std::size_t above = item;
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    const auto steps = static_cast<std::size_t>(tensor.shape[axis]) - 1;
    const auto stride = static_cast<std::size_t>(tensor.strides[axis]);
    const std::size_t step = tensor.strides[axis] < 0 ? 0 - stride : stride;
    if (steps != 0 && step > block.size() / item / steps) {
      return false;
    }
    std::size_t &reached = tensor.strides[axis] < 0 ? below : above;
    reached += steps * step * item;
    if (reached > block.size()) {
      return false;
    }
  }
  return below <= tensor.address && block.contains(tensor.address - below, below + above);
}

/// Whether the block can be said to be on this device.
bool is_on(Device device, const Block &block) {
  const auto gpu = block.gpu();
  return device.type == CPU || (gpu && device.type == CUDA && device.index == *gpu);
}

/// Throws `ValueError` for what is no array in the block: Python says what the array is.
void check(const Export &tensor, const Block &block) {
  const auto &shape = tensor.shape;
  if (shape.size() != tensor.strides.size()) {
    throw ValueError("the array's shape and strides differ in length");
  }
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; })) {
    throw ValueError("the array has a negative extent");
  }
  if (!is_empty(tensor) && !is_inside(tensor, block)) {
    throw ValueError("the array is not in the buffer");
  }
  if (!is_on(tensor.device, block)) {
    throw ValueError("the buffer is not on the device");
  }
}

template <typename Managed> Managed *export_as(Export exported, std::shared_ptr<Block> block) {
  check(exported, *block);
  auto *owner = new Owner<Managed>{{}, std::move(exported), std::move(block)};
  const DType dtype = owner->exported.dtype;
  auto &shape = owner->exported.shape;
  Tensor &tensor = owner->managed.tensor;
  tensor.data =
      is_empty(owner->exported) ? nullptr : reinterpret_cast<void *>(owner->exported.address);
  tensor.device = owner->exported.device;
  tensor.ndim = static_cast<std::int32_t>(shape.size());
  tensor.dtype = {code_of(dtype), static_cast<std::uint8_t>(8 * size(dtype)), 1};
  tensor.shape = shape.data();
  tensor.strides = owner->exported.strides.data();
  tensor.byte_offset = 0;
  owner->managed.context = owner;
  owner->managed.deleter = [](Managed *managed) {
    delete static_cast<Owner<Managed> *>(managed->context);
  };
  owner->block->expose();
  return &owner->managed;
}

bool has_what_imports_need(const Exchange &exchange) {
  return exchange.managed_tensor_from_py_object_no_sync != nullptr &&
         exchange.current_work_stream != nullptr;
}

} // namespace

const Exchange *compatible(const Exchange *offered) {
  constexpr int VERSIONS = 16; // more than there are: a circle of them must end
  for (int version = 0; offered != nullptr && version < VERSIONS; ++version) {
    if (offered->major == MAJOR) {
      return has_what_imports_need(*offered) ? offered : nullptr;
    }
    offered = offered->previous;
  }
  return nullptr;
}

Array import(const Tensor &tensor, bool writable) {
  return import(tensor, writable, consumer_stream(tensor.device));
}

Array import(const Tensor &tensor, bool writable, std::optional<Stream> ready) {
  Array array;
  const std::size_t bytes = read(tensor, writable, array);
  array.ready = ready;
  if (array.ready && bytes != 0) { // an empty array is nowhere
    array.place =
        InForeignMemory{locate(array.address, array.contiguous ? bytes : size(array.dtype))};
  }
  return array;
}

void import_from_gpu(const Tensor &tensor, bool writable, Stream ready, Array &array) {
  array.ready = ready;
  if (read(tensor, writable, array) != 0) {
    array.place = InForeignMemory{tensor.device.index};
  }
}

const char *question_about(const Array &array) {
  const char letter = kind(array.dtype);
  if (letter == 'c') {
    return "is_conj";
  }
  const bool is_dense = array.contiguous && array.count() > 1;
  return letter == 'f' && !is_dense ? "is_neg" : nullptr;
}

bool is_gpus_own(Device device) { return device.type == CUDA; }

Device of_gpu(int index) { return {CUDA, index}; }

Legacy *export_legacy(Export tensor, std::shared_ptr<Block> block) {
  return export_as<Legacy>(std::move(tensor), std::move(block));
}

Versioned *export_versioned(Export tensor, std::shared_ptr<Block> block) {
  const std::uint64_t flags =
      (tensor.read_only ? Versioned::READ_ONLY : 0) | (tensor.copied ? Versioned::IS_COPIED : 0);
  auto *managed = export_as<Versioned>(std::move(tensor), std::move(block));
  managed->major = MAJOR;
  managed->minor = MINOR;
  managed->flags = flags;
  return managed;
}

} // namespace host::dlpack
