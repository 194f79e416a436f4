// The arguments of a call, as a body of a row gets them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "row.h"

namespace cuvec::detail {

/// A number, or a whole array.
template <class D> struct WholeOfRow {
  D value;
  static constexpr bool is_row = false, is_written = false;

  D on_cpu(int64 /*row*/) const { return value; }
  template <int N> bool is_packed() const { return true; }

  struct Kept {
    D value;
    __device__ D argument() { return value; }
    __device__ void load(const Row & /*row*/) const {}
    __device__ void store(const Row & /*row*/) const {}
  };
  template <int N, int Packs, bool IsPacked> __device__ Kept kept(int64 /*row*/) const {
    return {value};
  }
};

/// One element a row.
template <class D, bool Reads, bool Writes, bool IsOptional> struct ItemOfRow {
  D *data;
  static constexpr bool is_row = false, is_written = false;
  using Element = std::conditional_t<Writes, D, const D>;
  using Argument = std::conditional_t<IsOptional, Element *, Element &>;

  static __host__ __device__ Argument argument(D *at, bool is_given) {
    if constexpr (IsOptional) {
      return is_given ? at : nullptr;
    } else {
      return *at;
    }
  }
  Argument on_cpu(int64 row) const { return argument(data + row, data != nullptr); }
  template <int N> bool is_packed() const { return true; }

  struct Kept {
    D *at;
    D value;
    __device__ Argument argument() { return ItemOfRow::argument(&value, at != nullptr); }
    __device__ void load(const Row & /*row*/) {
      if (Reads && at != nullptr) {
        value = *at;
      }
    }
    __device__ void store(const Row &row) const {
      if (Writes && at != nullptr && row.thread() == 0) {
        *at = value;
      }
    }
  };
  template <int N, int Packs, bool IsPacked> __device__ Kept kept(int64 row) const {
    return {data == nullptr ? nullptr : data + row, {}};
  }
};

/// Elements that lie one after the other, and so many from one row to the next: none if it
/// `IsShared` by all rows. `IsWhole`: as many as the row has places.
template <class D, bool Reads, bool Writes, bool IsOptional, bool IsWhole, bool IsShared>
struct ArrayOfRow {
  D *data;
  int64 size, step;
  static constexpr bool is_row = IsWhole && !IsShared, is_written = is_row && Writes;
  using Found = FoundRow<std::conditional_t<Writes, D, const D>>;
  using Argument = std::conditional_t<Writes, RowOut<D>, RowIn<D>>;

  /// Where a row begins; `IsAsked`: if the array is there.
  template <bool IsAsked = true> __host__ __device__ D *begin(int64 row) const {
    return IsShared || (IsAsked && data == nullptr) ? data : data + row * step;
  }
  Argument on_cpu(int64 row) const {
    return Found{begin(row), size, nullptr, false, Reads, false, 1};
  }
  template <int N> bool is_packed() const {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    return size % N == 0 && step % N == 0 && address % (N * sizeof(D)) == 0;
  }

  template <int N, int Packs, bool IsPacked> struct Kept {
    // Arguments that rows share stay in the cache: fewer registers let more rows run at a time.
    static constexpr bool is_kept = is_row && Packs > 0;
    // Elements of packs stay together where nothing is asked. Where packs begin anywhere, compilers
    // would then work out at each where the row begins.
    static constexpr bool is_asked = IsOptional || !IsPacked;
    D *data;
    int64 size;
    KeptRow<D> kept;

    __device__ bool is_there() const { return !is_asked || data != nullptr; }
    __device__ Found found() { return {data, size, &kept, is_kept, Reads, IsPacked, N}; }
    __device__ Argument argument() { return found(); }
    __device__ void load(const Row &of) {
      if (is_kept && Reads && is_there()) {
        of.packs_to_load(
            [&](int64 first, int slot) { found().template load<N>(first, kept.elements + slot); });
      }
    }
    __device__ void store(const Row &of) {
      if constexpr (Writes) {
        if (!is_there()) {
          return;
        }
        if constexpr (is_kept) {
          of.packs([&](int64 first, int slot) {
            found().template store<N>(first, kept.elements + slot);
          });
        } else {
          found().flush();
        }
      }
    }
  };
  template <int N, int Packs, bool IsPacked>
  __device__ Kept<N, Packs, IsPacked> kept(int64 row) const {
    return {begin<Kept<N, Packs, IsPacked>::is_asked>(row), size, {no_pack, false, {}}};
  }
};

/// Sums over all rows: first of groups of rows, in `parts`, one group behind the other.
template <class D> struct SumOfRows {
  using Sum = typename Summed<D>::type;
  D *data;
  int64 size;
  Sum *parts;
  static constexpr bool is_row = false, is_written = false;

  template <int N> bool is_packed() const { return true; }
  __host__ __device__ Sum *part(int64 group) const { return parts + group * size; }

  /// The sums of a group of rows, in registers or in memory.
  template <int N, int Packs, bool IsPacked> struct Group {
    Sum *part;
    Sum kept[Packs > 0 ? Packs *N : 1];
    int64 size;

    __device__ RowSum<D> argument() { return {Packs > 0 ? kept : part, size, Packs > 0}; }
    __device__ void load(const Row & /*row*/) const {}
    __device__ void store(const Row & /*row*/) const {}
    __device__ void start(const Row &row) {
      row.each([&](Place i) { argument()[i] = Sum{}; });
    }
    __device__ void end(const Row &row) {
      if (Packs > 0 && !IsPacked) {
        row.each([&](Place i) { part[i.index] = argument()[i]; });
      } else if (Packs > 0) {
        row.packs([&](int64 first, int slot) {
          Pack<Sum, N> pack;
          CUVEC_UNROLL(N)
          for (int lane = 0; lane < N; ++lane) {
            pack[lane] = kept[slot + lane];
          }
          *reinterpret_cast<Pack<Sum, N> *>(part + first) = pack;
        });
      }
    }
  };
};

template <class S> constexpr bool is_sum = false;
template <class D> constexpr bool is_sum<SumOfRows<D>> = true;
template <class... S> constexpr int sums_of = (0 + ... + int(is_sum<S>));

/// An argument with memory for the sums of so many groups of rows.
template <class S> S with_parts(Call & /*call*/, const S &s, int64 /*groups*/) { return s; }
template <class D> SumOfRows<D> with_parts(Call &call, SumOfRows<D> s, int64 groups) {
  s.parts = call.scratch<typename SumOfRows<D>::Sum>(groups, s.size).data;
  return s;
}

} // namespace cuvec::detail
