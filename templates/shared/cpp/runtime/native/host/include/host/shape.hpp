// Shapes: element counts, byte counts and layouts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "dtype.hpp"

namespace host {

/// Extents, in elements. Those of the usual arrays are in the object itself: an allocation for each
/// array would be a good part of a call.
class Shape {
public:
  Shape() = default;
  Shape(std::initializer_list<std::size_t> extents) : Shape(extents.begin(), extents.end()) {}
  template <typename Iterator> Shape(Iterator first, Iterator last) { assign(first, last); }

  // to move one is to copy it
  Shape(const Shape &) = default;
  Shape &operator=(const Shape &) = default;
  ~Shape() = default;

  template <typename Iterator> void assign(Iterator first, Iterator last) {
    size_ = 0;
    many_.clear();
    for (; first != last; ++first) {
      push_back(static_cast<std::size_t>(*first));
    }
  }

  void push_back(std::size_t extent) {
    if (size_ < few_.size()) {
      few_[size_] = extent;
    } else {
      if (size_ == few_.size()) {
        many_.assign(few_.begin(), few_.end());
      }
      many_.push_back(extent);
    }
    ++size_;
  }

  std::size_t size() const { return size_; }
  std::size_t *data() { return size_ <= few_.size() ? few_.data() : many_.data(); }
  const std::size_t *data() const { return size_ <= few_.size() ? few_.data() : many_.data(); }
  const std::size_t *begin() const { return data(); }
  const std::size_t *end() const { return data() + size_; }
  std::size_t operator[](std::size_t axis) const { return data()[axis]; }

  friend bool operator==(const Shape &a, const Shape &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const Shape &a, const Shape &b) { return !(a == b); }

private:
  std::size_t size_ = 0;
  std::array<std::size_t, 4> few_{}; // all of them, unless there are more
  std::vector<std::size_t> many_;    // all of them, if there are
};

/// Steps from one element to the next, in bytes.
using Strides = std::vector<std::ptrdiff_t>;

/// Elements of an array of this shape; none when the number does not fit.
std::optional<std::size_t> count_of(const Shape &shape);

/// Bytes of an array of this shape and dtype. Throws `ValueError` when they do not fit into the
/// address space.
std::size_t bytes_of(const Shape &shape, DType dtype);

/// Strides of a C-contiguous array.
Strides strides_of(const Shape &shape, DType dtype);

/// Whether an array of these strides is C-contiguous. As in NumPy, the stride of an axis of
/// length one does not matter, and an empty array is contiguous.
bool is_contiguous(const Shape &shape, const Strides &strides, DType dtype);

/// As Python prints a shape: `()`, `(3,)`, `(2, 3)`.
std::string to_string(const Shape &shape);

} // namespace host
