// Elements of a row, as a thread of the GPU finds them in memory and keeps them in registers.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "device.h"

namespace cuvec {

/// An element of a row, as the loops of a `Row` pass it: converts to its index.
class Place {
public:
  int64 index;
  int slot, lane; // in the registers of a thread, and in the pack that it is loaded with

  __host__ __device__ operator int64() const { return index; }
};

} // namespace cuvec

namespace cuvec::detail {

constexpr int bytes_kept = 128; // of each array, in registers of a thread

/// The lanes of a pack that belong to its row, which may begin and end in the middle of a pack.
struct Lanes {
  int begin, end;
  __device__ Lanes(int64 first, int64 size, int lanes)
      : begin(first < 0 ? int(-first) : 0), end(size - first < lanes ? int(size - first) : lanes) {}
  __device__ bool have(int lane) const { return lane >= begin && lane < end; }
};

constexpr int64 no_pack = std::numeric_limits<int64>::min();

/// Elements of a row in registers of a thread: all its packs, or the one that it writes.
template <class T> struct KeptRow {
  // Where not all packs are kept: the first element of the one that is there, or no_pack. And true
  // if another loop has written it before.
  int64 current;
  bool is_again;
  alignas(16) T elements[sizeof(T) > 16 ? 8 : bytes_kept / sizeof(T)];

  /// An element that was loaded. Small ones are taken out of a word here, or compilers make a
  /// register of each where a pack is loaded, and wait for it before they load the next.
  __device__ T at(int slot) const {
    if constexpr (sizeof(T) < sizeof(std::uint32_t)) {
      constexpr int lanes = sizeof(std::uint32_t) / sizeof(T);
      std::uint32_t word;
      memcpy(&word, elements + slot / lanes * lanes, sizeof word);
      if constexpr (sizeof(T) == 2) {
        return same_bytes<T>(slot % 2 == 0 ? std::uint16_t(word) : upper_half(word));
      } else {
        return same_bytes<T>(std::uint8_t(word >> unsigned(slot % lanes * 8)));
      }
    } else {
      return elements[slot];
    }
  }
};

/// A row as a thread finds it. Apart from what is kept, so that compilers see that these are
/// constants, and keep that in registers.
template <class T> struct FoundRow {
  T *data;
  int64 size;
  KeptRow<std::remove_const_t<T>> *kept;
  bool is_kept, is_read, is_packed;
  int lanes;

  template <int N> __device__ void load(int64 first, std::remove_const_t<T> *to) const {
    if (is_whole<N>(first)) {
      *reinterpret_cast<Pack<std::remove_const_t<T>, N> *>(to) = pack<N>(first);
      return;
    }
    const Lanes there(first, size, N);
    CUVEC_UNROLL(N)
    for (int lane = 0; lane < N; ++lane) {
      if (there.have(lane)) {
        to[lane] = data[first + lane];
      }
    }
  }
  template <int N> __device__ void store(int64 first, const T *from) const {
    if (is_whole<N>(first)) {
      *reinterpret_cast<Pack<T, N> *>(data + first) = *reinterpret_cast<const Pack<T, N> *>(from);
      return;
    }
    const Lanes there(first, size, N);
    CUVEC_UNROLL(N)
    for (int lane = 0; lane < N; ++lane) {
      if (there.have(lane)) {
        data[first + lane] = from[lane];
      }
    }
  }
  /// Checks whether all of a pack is in the row, and where it can be loaded at once.
  template <int N> __device__ bool is_whole(int64 first) const {
    return is_packed || (first >= 0 && first + N <= size &&
                         reinterpret_cast<std::uintptr_t>(data + first) % (N * sizeof(T)) == 0);
  }

  /// A pack, which nobody writes if T is const: it may be loaded before others are stored.
  template <int N> __device__ auto pack(int64 first) const {
    using Whole = Pack<std::remove_const_t<T>, N>;
    const auto *const at = reinterpret_cast<const Whole *>(data + first);
    if constexpr (std::is_const_v<T> && sizeof(Whole) == sizeof(uint4)) {
      return same_bytes<Whole>(__ldg(reinterpret_cast<const uint4 *>(at)));
    } else {
      return *at;
    }
  }
  /// An element of memory: the loads of a pack's lanes are one.
  __device__ T at(int64 first, int lane) const {
    if (!is_packed) {
      return data[first + lane];
    }
    return by_lanes([&](auto n) { return T(pack<n>(first)[lane]); });
  }
  /// An element of a pack that begins anywhere, which is loaded once for its lanes.
  __device__ T shifted(int64 first, int lane) const {
    const bool is_new = first != kept->current;
    kept->current = first;
    if (is_new) {
      FoundRow row = *this;
      row.is_packed = is_packed && first % lanes == 0;
      by_lanes([&](auto n) { row.template load<n>(first, kept->elements); });
    }
    return kept->elements[lane];
  }
  __device__ T &written(Place i) const {
    if (is_kept) {
      return kept->elements[i.slot];
    }
    if (const int64 first = i.index - i.lane; first != kept->current) {
      flush();
      kept->is_again |= first < kept->current;
      kept->current = first;
      if (is_read || kept->is_again) {
        by_lanes([&](auto n) { load<n>(first, kept->elements); });
      }
    }
    return kept->elements[i.lane];
  }
  __device__ void flush() const {
    if (kept->current != no_pack) {
      by_lanes([&](auto n) { store<n>(kept->current, kept->elements); });
    }
  }

private:
  /// f of `lanes` as a type: one case is left where that is a constant.
  template <class F> __device__ auto by_lanes(const F &f) const {
    switch (lanes) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    default:
      return f(std::integral_constant<int, 16>{});
    }
  }
};

} // namespace cuvec::detail
