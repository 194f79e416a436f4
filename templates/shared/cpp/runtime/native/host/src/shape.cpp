#include <host/shape.hpp>

#include <algorithm>
#include <limits>

#include <host/error.hpp>

namespace host {

namespace {

constexpr auto LARGEST = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());

/// The step of the next axis; steps that no memory has room for stay at the largest one.
std::ptrdiff_t wider(std::ptrdiff_t step, std::size_t extent) {
  std::size_t product = 0;
  const bool overflows = __builtin_mul_overflow(static_cast<std::size_t>(step), extent, &product);
  return static_cast<std::ptrdiff_t>(overflows ? LARGEST : std::min(product, LARGEST));
}

bool has_no_elements(const Shape &shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

} // namespace

std::optional<std::size_t> count_of(const Shape &shape) {
  if (has_no_elements(shape)) {
    return 0; // also when other extents would overflow
  }
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) {
      return std::nullopt;
    }
  }
  return count;
}

std::size_t bytes_of(const Shape &shape, DType dtype) {
  const auto count = count_of(shape);
  std::size_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, size(dtype), &bytes) || bytes > LARGEST) {
    throw ValueError("an array of shape " + to_string(shape) + " and dtype " +
                     std::string(name(dtype)) + " is larger than the address space");
  }
  return bytes;
}

Strides strides_of(const Shape &shape, DType dtype) {
  Strides strides(shape.size());
  auto step = static_cast<std::ptrdiff_t>(size(dtype));
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = step;
    step = wider(step, std::max<std::size_t>(shape[axis], 1));
  }
  return strides;
}

bool is_contiguous(const Shape &shape, const Strides &strides, DType dtype) {
  if (has_no_elements(shape)) {
    return true;
  }
  auto step = static_cast<std::ptrdiff_t>(size(dtype));
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] != 1 && strides[axis] != step) {
      return false;
    }
    step = wider(step, shape[axis]);
  }
  return true;
}

std::string to_string(const Shape &shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

} // namespace host
