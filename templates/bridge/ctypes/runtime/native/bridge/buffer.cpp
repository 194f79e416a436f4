#include "buffer.hpp"

#include <string_view>
#include <utility>

#include "array.hpp"
#include "blocks.hpp"
#include "dtype.hpp"
#include "error.hpp"

namespace core {

Buffer::Buffer(std::shared_ptr<host::Block> memory, host::DType type, host::Shape shape)
    : core_buffer{}, block(std::move(memory)), dtype(type), extents(std::move(shape)),
      steps(host::strides_of(extents, dtype)) {
  array = array_of(dtype);
  array.ndim = static_cast<std::int32_t>(extents.size());
  array.flags |= CORE_C_CONTIGUOUS;
  array.flags |= CORE_WRITABLE;
  array.shape = reinterpret_cast<std::intptr_t *>(extents.data());
  array.strides = steps.data();
  array.data = reinterpret_cast<void *>(block->address());
  nbytes = host::bytes_of(extents, dtype);
  device = block->gpu().value_or(-1);
  host::typestr(dtype).copy(typestr, sizeof(typestr) - 1);
  std::string_view(host::name(block->kind()))
      .copy(core_buffer::memory, sizeof(core_buffer::memory) - 1);
  add(block);
}

Buffer::~Buffer() { remove(*block); }

} // namespace core

using core::get;

core_status core_buffer_new(int32_t ndim, const int64_t *shape, const char *typestr,
                            const char *memory, int32_t zero, core_buffer **result) {
  return core::guarded([=] {
    const host::DType dtype = core::dtype_of_typestr(typestr);
    host::Shape extents;
    for (int32_t axis = 0; axis < ndim; ++axis) {
      if (shape[axis] < 0) {
        throw host::ValueError("an extent of " + std::to_string(shape[axis]) + " is negative");
      }
      extents.push_back(static_cast<std::size_t>(shape[axis]));
    }
    const host::MemoryKind kind = host::memory_kind(memory);
    const std::size_t bytes = host::bytes_of(extents, dtype);
    auto block = zero != 0 ? host::Block::zeroed(bytes, kind) : host::Block::allocate(bytes, kind);
    *result = new core::Buffer(std::move(block), dtype, std::move(extents));
  });
}

core_status core_buffer_wait(const core_buffer *buffer) {
  return core::guarded([=] { get(buffer).block->synchronize(); });
}

core_status core_buffer_expose(const core_buffer *buffer) {
  return core::guarded([=] { get(buffer).block->expose(); });
}

core_status core_buffer_prefetch(const core_buffer *buffer, const char *where, uint64_t offset,
                                 uint64_t nbytes, const core_stream *stream) {
  return core::guarded([=] {
    const host::Side side = host::side(where);
    if (offset > buffer->nbytes || nbytes > buffer->nbytes - offset) {
      throw host::ValueError("the range to prefetch is not in the buffer");
    }
    get(buffer).block->prefetch(side, offset, nbytes, core::read(stream));
  });
}

void core_buffer_delete(core_buffer *buffer) { delete static_cast<core::Buffer *>(buffer); }
