// Structs whose arrays functions take, and which they take by value:
//
//     struct Particle {
//       float pos[3];
//       float energy;
//       std::int32_t id;
//     };
//     CUVEC_STRUCT(Particle, pos, energy, id);
//
// Types, sizes and offsets of the members are the compiler's, so that nothing is written twice.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "signature.h"
#include "types.h"

namespace cuvec::detail {

/// FNV-1a of a name.
constexpr std::uint64_t name_hash(const char *name) {
  std::uint64_t hash = 14695981039346656037U;
  for (; *name != 0; ++name) {
    hash = (hash ^ static_cast<unsigned char>(*name)) * 1099511628211U;
  }
  return hash;
}

/// The struct whose name has this hash: `type`, and its `row`.
template <std::uint64_t Hash> struct StructNamed;

template <std::uint64_t Hash, class = void> constexpr bool is_struct = false;
template <std::uint64_t Hash>
constexpr bool is_struct<Hash, std::void_t<typename StructNamed<Hash>::type>> = true;

/// The dtype of a number, or -1. Integers are told by their size: C++ has two of 64 bits.
template <class T> constexpr int dtype_code() {
  if (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return (std::is_signed_v<T> ? 0 : 256) + 8 * static_cast<int>(sizeof(T));
  }
  int found = -1;
#define CUVEC_DTYPE(name, NAME, code, bits)                                                        \
  found = std::is_same_v<T, element_t<CUVEC_##NAME>> ? int(CUVEC_##NAME) : found;
  CUVEC_DTYPES(CUVEC_DTYPE)
#undef CUVEC_DTYPE
  return found;
}

template <class T, std::size_t... Axis>
constexpr cuvec_field field_of(const char *name, std::size_t offset,
                               std::index_sequence<Axis...> /*all*/) {
  constexpr int dtype = dtype_code<std::remove_all_extents_t<T>>();
  static_assert(dtype >= 0, "cuvec: a member of a struct is a number of a dtype, or an array of "
                            "such numbers");
  static_assert(sizeof...(Axis) < CUVEC_MAX_RANK, "cuvec: a member has too many dimensions");
  return {
      name, dtype, static_cast<std::uint32_t>(offset), {std::uint32_t(std::extent_v<T, Axis>)...}};
}

/// Checks whether these are all members of a struct, in their order, where C puts them.
constexpr bool is_laid_out(const cuvec_struct &s) {
  std::uint32_t end = 0;
  const auto next = [&](std::uint32_t alignment) {
    return (end + alignment - 1) / alignment * alignment;
  };
  for (int i = 0; i < s.n_fields; ++i) {
    const cuvec_field &field = s.fields[i];
    std::uint32_t bytes = std::uint32_t(field.dtype & 0xff) / 8;
    if (field.offset != next(bytes)) {
      return false;
    }
    for (const std::uint32_t size : field.shape) {
      bytes *= size == 0 ? 1 : size;
    }
    end = field.offset + bytes;
  }
  return s.size == next(s.alignment) && s.alignment <= 16;
}

} // namespace cuvec::detail

struct cuvec_outermost; // which CUVEC_STRUCT declares again where it stands

/// Makes a struct one that signatures can name. All of its members follow, in their order.
#define CUVEC_STRUCT(Struct, ...)                                                                  \
  struct cuvec_outermost;                                                                          \
  static_assert(std::is_same_v<cuvec_outermost, ::cuvec_outermost>,                                \
                "cuvec: CUVEC_STRUCT(" #Struct ", ...) is in a namespace; move it out of that, "   \
                "after a `using` of the struct");                                                  \
  template <> struct cuvec::detail::StructNamed<cuvec::detail::name_hash(#Struct)> {               \
    using type = Struct;                                                                           \
    static_assert(std::is_standard_layout_v<Struct> && std::is_trivially_copyable_v<Struct>,       \
                  "cuvec: the struct " #Struct " is none that C could have, or cannot be copied "  \
                  "as bytes");                                                                     \
    static constexpr cuvec_field fields[] = {                                                      \
        CUVEC_EXPAND(CUVEC_FIELDS(__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, \
                                  11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(Struct, __VA_ARGS__))};    \
    static constexpr cuvec_struct row = {                                                          \
        #Struct, sizeof(Struct), alignof(Struct),                                                  \
        static_cast<std::int32_t>(sizeof(fields) / sizeof(cuvec_field)), fields};                  \
    static_assert(cuvec::detail::is_laid_out(row),                                                 \
                  "cuvec: CUVEC_STRUCT(" #Struct ", ...) does not list all members of the struct " \
                  "in their order, or one has an `alignas`");                                      \
  }

#define CUVEC_FIELD(Struct, member)                                                                \
  cuvec::detail::field_of<decltype(Struct::member)>(                                               \
      #member, offsetof(Struct, member),                                                           \
      std::make_index_sequence<std::rank_v<decltype(Struct::member)>>{})

// A loop for the preprocessor: CUVEC_FIELDS picks the macro for so many members.
#define CUVEC_EXPAND(...) __VA_ARGS__
#define CUVEC_FIELDS(...) CUVEC_EXPAND(CUVEC_25TH(__VA_ARGS__))
#define CUVEC_25TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, N, ...) \
  CUVEC_FIELDS_##N
#define CUVEC_FIELDS_1(S, m) CUVEC_FIELD(S, m)
#define CUVEC_FIELDS_2(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_1(S, __VA_ARGS__))
#define CUVEC_FIELDS_3(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_2(S, __VA_ARGS__))
#define CUVEC_FIELDS_4(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_3(S, __VA_ARGS__))
#define CUVEC_FIELDS_5(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_4(S, __VA_ARGS__))
#define CUVEC_FIELDS_6(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_5(S, __VA_ARGS__))
#define CUVEC_FIELDS_7(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_6(S, __VA_ARGS__))
#define CUVEC_FIELDS_8(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_7(S, __VA_ARGS__))
#define CUVEC_FIELDS_9(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_8(S, __VA_ARGS__))
#define CUVEC_FIELDS_10(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_9(S, __VA_ARGS__))
#define CUVEC_FIELDS_11(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_10(S, __VA_ARGS__))
#define CUVEC_FIELDS_12(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_11(S, __VA_ARGS__))
#define CUVEC_FIELDS_13(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_12(S, __VA_ARGS__))
#define CUVEC_FIELDS_14(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_13(S, __VA_ARGS__))
#define CUVEC_FIELDS_15(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_14(S, __VA_ARGS__))
#define CUVEC_FIELDS_16(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_15(S, __VA_ARGS__))
#define CUVEC_FIELDS_17(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_16(S, __VA_ARGS__))
#define CUVEC_FIELDS_18(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_17(S, __VA_ARGS__))
#define CUVEC_FIELDS_19(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_18(S, __VA_ARGS__))
#define CUVEC_FIELDS_20(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_19(S, __VA_ARGS__))
#define CUVEC_FIELDS_21(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_20(S, __VA_ARGS__))
#define CUVEC_FIELDS_22(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_21(S, __VA_ARGS__))
#define CUVEC_FIELDS_23(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_22(S, __VA_ARGS__))
#define CUVEC_FIELDS_24(S, m, ...) CUVEC_FIELD(S, m), CUVEC_EXPAND(CUVEC_FIELDS_23(S, __VA_ARGS__))
