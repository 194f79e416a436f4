#include "buffer.hpp"

#include <utility>

namespace python {

Buffer::Buffer(std::shared_ptr<host::Block> block, host::DType dtype, host::Shape shape)
    : block_(std::move(block)), dtype_(dtype), shape_(std::move(shape)),
      strides_(host::strides_of(shape_, dtype)), bytes_(host::bytes_of(shape_, dtype)) {}

host::Array Buffer::array() const {
  host::Array array;
  array.address = block_->address();
  array.dtype = dtype_;
  array.shape = shape_;
  if (block_->gpu()) {
    array.place = block_;
  }
  return array;
}

} // namespace python
