// Types of array elements.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace host {

/// The element types that NumPy, CUDA and DLPack share.
enum class DType : std::uint8_t {
  Bool,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  F32,
  F64,
  C64,
  C128
};

/// NumPy's name, such as `float32`.
std::string_view name(DType dtype);

/// The kind letter of the array interface: `b`, `i`, `u`, `f` or `c`.
char kind(DType dtype);

/// The format of the `struct` module and the buffer protocol, a letter or two.
const char *format(DType dtype);

/// Bytes of one element of each, in their order: powers of two.
inline constexpr std::array<std::uint8_t, 14> SIZES{1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 16};

/// Bytes of one element.
inline std::size_t size(DType dtype) { return SIZES[static_cast<std::size_t>(dtype)]; }

/// The array-interface `typestr`, such as `<f4` or `|b1`.
std::string typestr(DType dtype);

/// The dtype of an array-interface kind letter and item size.
std::optional<DType> dtype_from_kind(char kind, std::size_t size);

/// The dtype of an array-interface `typestr`; none when it is not one of these or not in this
/// machine's byte order.
std::optional<DType> dtype_from_typestr(std::string_view typestr);

/// The dtype of a `struct` format in native sizes, with or without `@` or `=`.
std::optional<DType> dtype_from_format(std::string_view format, std::size_t size);

/// The dtype of a C++ type; there is one for every arithmetic type of up to 8 bytes, and for
/// complex ones.
template <typename T> constexpr DType dtype_of();
template <> constexpr DType dtype_of<bool>() { return DType::Bool; }
template <> constexpr DType dtype_of<std::int8_t>() { return DType::I8; }
template <> constexpr DType dtype_of<std::uint8_t>() { return DType::U8; }
template <> constexpr DType dtype_of<std::int16_t>() { return DType::I16; }
template <> constexpr DType dtype_of<std::uint16_t>() { return DType::U16; }
template <> constexpr DType dtype_of<std::int32_t>() { return DType::I32; }
template <> constexpr DType dtype_of<std::uint32_t>() { return DType::U32; }
template <> constexpr DType dtype_of<std::int64_t>() { return DType::I64; }
template <> constexpr DType dtype_of<std::uint64_t>() { return DType::U64; }
template <> constexpr DType dtype_of<float>() { return DType::F32; }
template <> constexpr DType dtype_of<double>() { return DType::F64; }
template <> constexpr DType dtype_of<std::complex<float>>() { return DType::C64; }
template <> constexpr DType dtype_of<std::complex<double>>() { return DType::C128; }

} // namespace host
