// DLPack: reading tensors and making them.
#include <host/interop.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include <host/error.hpp>

namespace host::dlpack {

namespace {

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
    const auto dtype = dtype_from_kind(kind, type.bits / 8U);
    if (code == type.code && type.bits % 8 == 0 && type.lanes == 1 && dtype) {
      return *dtype;
    }
  }
  throw TypeError("arrays of DLPack type " + std::to_string(type.code) + " of " +
                  std::to_string(type.bits) + " bits are not supported");
}

Shape shape_of(const Tensor &tensor) {
  if (tensor.ndim < 0 || (tensor.ndim > 0 && tensor.shape == nullptr)) {
    throw ValueError("the DLPack tensor has no shape");
  }
  Shape shape;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] < 0) {
      throw ValueError("the DLPack tensor has a negative extent");
    }
    shape.push_back(static_cast<std::size_t>(tensor.shape[axis]));
  }
  return shape;
}

/// In bytes; steps that no memory has room for stay at the largest one.
Strides strides_of(const Tensor &tensor, DType dtype) {
  Strides strides;
  const auto limit = std::numeric_limits<std::ptrdiff_t>::max();
  const auto item = static_cast<std::ptrdiff_t>(size(dtype));
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    const std::int64_t stride = tensor.strides[axis];
    strides.push_back(stride < limit / item && stride > -limit / item ? stride * item : limit);
  }
  return strides;
}

/// What the deleter frees: the tensor, its shape and strides, and a share of the block.
template <typename Managed> struct Owner {
  Managed managed{};
  Export exported;
  std::shared_ptr<Block> block;
};

template <typename Managed> Managed *export_as(Export exported, std::shared_ptr<Block> block) {
  auto *owner = new Owner<Managed>{{}, std::move(exported), std::move(block)};
  const DType dtype = owner->exported.dtype;
  auto &shape = owner->exported.shape;
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  Tensor &tensor = owner->managed.tensor;
  tensor.data = empty ? nullptr : reinterpret_cast<void *>(owner->exported.address);
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
  Array array;
  array.dtype = dtype_of(tensor.dtype);
  array.shape = shape_of(tensor);
  const std::size_t bytes = bytes_of(array.shape, array.dtype);
  if (tensor.data == nullptr && bytes != 0) {
    throw ValueError("the DLPack tensor has no data");
  }
  array.address = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  array.contiguous = tensor.strides == nullptr ||
                     is_contiguous(array.shape, strides_of(tensor, array.dtype), array.dtype);
  array.writable = writable;
  array.ready = consumer_stream(tensor.device);
  if (array.ready && bytes != 0) { // an empty array is nowhere
    array.place =
        InForeignMemory{locate(array.address, array.contiguous ? bytes : size(array.dtype))};
  }
  return array;
}

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
