// Passes of a call: a function for each element of an array, on the side that the call is on.
#pragma once

#include "near.h"
#include "row_kernels.h"
#include "tile.h"

namespace cuvec::detail {

/// The indices of an element, of an array with this shape.
template <int Rank> struct Indices {
  int64 at[Rank > 0 ? Rank : 1];

  __host__ __device__ static Indices of(int64 element, const int64 *shape) {
    Indices found{};
    for (int axis = Rank - 1; axis > 0; --axis) {
      found.at[axis] = element % shape[axis];
      element /= shape[axis];
    }
    found.at[0] = element;
    return found;
  }
  /// Goes on by as many elements as are before the one of other indices.
  __host__ __device__ void add(const Indices &by, const int64 *shape) {
    for (int axis = Rank - 1; axis >= 0; --axis) {
      at[axis] += by.at[axis];
      if (axis > 0 && at[axis] >= shape[axis]) {
        at[axis] -= shape[axis];
        ++at[axis - 1];
      }
    }
  }
};

/// A parameter as the function gets it for the element of these indices.
template <class P> __host__ __device__ const P &around(const P &parameter, const int64 * /*at*/) {
  return parameter;
}
template <class T, int Rank, class Beyond>
__host__ __device__ auto around(const Near<T, Rank, Beyond> &array, const int64 *at) {
  return array.around(at);
}

/// The parameters of a function behind its row or tile, if it has one, and its indices.
template <class R, class... P> struct Given {
  static constexpr bool has_value = !std::is_void_v<R>;

  /// Calls run with the arguments of a pass, as the function takes them.
  template <class Run, class... A> static void with(const Run &run, const A &...arguments) {
    constexpr bool fits = sizeof...(A) == sizeof...(P);
    static_assert(fits, "cuvec: a pass has other arguments than its function has parameters");
    if constexpr (fits) {
      run(as_parameter<P>(arguments)...);
    }
  }
};
template <int Indices, class R> constexpr Given<R> given(R (* /*function*/)()) {
  static_assert(Indices == 0, "cuvec: the function of a pass has an int64 for each dimension");
  return {};
}
template <int Indices, class R, class First, class... P>
constexpr auto given(R (* /*function*/)(First, P...)) {
  constexpr R (*rest)(P...) = nullptr;
  if constexpr (std::is_same_v<First, Row &> || is_tile<First>) {
    return given<Indices>(rest);
  } else if constexpr (Indices == 0) {
    return Given<R, First, P...>{};
  } else {
    static_assert(std::is_same_v<First, int64>,
                  "cuvec: the function of a pass has an int64 for each dimension");
    return given<Indices - 1>(rest);
  }
}

/// A function of indices, for arrays of so many dimensions.
template <auto F, int Rank, class = std::make_integer_sequence<int, Rank>> struct AtIndices;
template <auto F, int Rank, int... I> struct AtIndices<F, Rank, std::integer_sequence<int, I...>> {
  using Parameters = decltype(given<Rank>(F));

  /// Sets an element of `y` to the function's value, if it has one.
  template <class Y, class... P>
  static __host__ __device__ void set(const Y &y, int64 element, const Indices<Rank> &found,
                                      const P &...p) {
    if constexpr (Parameters::has_value) {
      y[element] = F(found.at[I]..., around(p, found.at)...);
    } else {
      F(found.at[I]..., around(p, found.at)...);
    }
  }
  /// The same by those who share a row.
  template <class T, class Y, class... P>
  static __host__ __device__ void row(Row &row, T &element, const Y &y, const P &...p) {
    const auto found = Indices<Rank>::of(row.index(), y.shape);
    element = F(row, found.at[I]..., around(p, found.at)...);
  }
  /// Sets the elements of the tile of this number.
  template <class Tile, class Y, class... P>
  static __host__ __device__ void tile(Tile &tile, int64 number, const Y &y, const P &...p) {
    const int64 across = tiles_of(Tile::columns, y.shape[1]);
    const int64 i = number / across * Tile::rows, j = number % across * Tile::columns;
    auto values = F(tile, i, j, p...);
    tile.each([&](int row, int column) {
      if (i + row < y.shape[0] && j + column < y.shape[1]) {
        y(i + row, j + column) = values(row, column);
      }
    });
  }
};

/// Blocks at most: where their threads begin takes divisions, so that more are not faster.
constexpr int64 blocks_of_pass = 1 << 14;

template <class Body, class Place, class Y, class... P>
__global__ void __launch_bounds__(256) each_of_pass(Y y, P... p) {
  const int64 n = y.size(), threads = thread_count();
  int64 element = thread_index();
  if (element >= n) {
    return;
  }
  Place found = Place::of(element, y.shape);
  const Place by = n - element > threads ? Place::of(threads, y.shape) : Place{};
  for (;; element += threads, found.add(by, y.shape)) {
    Body::set(y, element, found, p...);
    if (n - element <= threads) {
      return;
    }
  }
}

template <class Body, class Y, int Rank, class... P>
void pass_on_cpu(const Y &y, const Indices<Rank> & /*place*/, const P &...p) {
  constexpr int last = Rank > 0 ? Rank - 1 : 0;
  parallel_ranges(y.size(), 4096, [&](int64 begin, int64 end) {
    vectorized([=] {
      auto found = Indices<Rank>::of(begin, y.shape);
      for (int64 element = begin; element < end; found.add({}, y.shape)) {
        const int64 first = found.at[last];
        const int64 count = Rank > 0 ? std::min(end - element, y.shape[last] - first) : 1;
        CUVEC_INDEPENDENT
        for (int64 i = 0; i < count; ++i) {
          Indices<Rank> here = found;
          here.at[last] = first + i;
          Body::set(y, element + i, here, p...);
        }
        element += count;
        found.at[last] = first + count;
      }
    });
  });
}

/// Threads that share each of so many rows, of whole warps: for all of a GPU, if they suffice.
inline int64 threads_of_each(int64 rows, int64 size) {
  int64 threads = 32;
  while (threads < threads_of_row && threads < size && rows * threads < 1 << 17) {
    threads *= 2;
  }
  return threads;
}

} // namespace cuvec::detail

namespace cuvec {

template <auto F, class T, int Rank, class Layout, class... Arguments>
void Call::each(const View<T, Rank, Layout> &y, const Arguments &...arguments) {
  using Body = detail::AtIndices<F, Rank>;
  using Place = detail::Indices<Rank>;
  const auto run = [&](const auto &...p) {
    if (y.size() == 0) {
      return; // indices come from divisions by sizes
    }
    if (is_on_gpu()) {
      launch<
          detail::each_of_pass<Body, Place, View<T, Rank, Layout>, std::decay_t<decltype(p)>...>>(
          threads_for(y.size(), 256, detail::blocks_of_pass), y, p...);
    } else {
      detail::pass_on_cpu<Body>(y, Place{}, p...);
    }
  };
  Body::Parameters::with(run, arguments...);
}

template <auto F, class T, int Rank, class... Arguments>
void Call::each_row(const Out<T, Rank> &y, int64 size, const Arguments &...arguments) {
  using Body = detail::AtIndices<F, Rank>;
  using detail::WholeOfRow;
  const auto run = [&](const auto &...s) {
    if (is_on_gpu()) {
      const int64 rows = y.size(), threads = detail::threads_of_each(rows, size);
      const int64 together = threads > 32 ? 1 : 4; // rows of a block
      launch<detail::row_kernel<Body, 1, 0, true, false, 0, std::decay_t<decltype(s)>...>>(
          Grid((rows + together - 1) / together, threads * together), *this, rows, size,
          threads > 32 ? 6 : 5, s...);
    } else {
      detail::row_cpu<Body>(*this, y.size(), size, s...);
    }
  };
  Body::Parameters::with(
      [&](const auto &...p) {
        run(detail::ItemOfRow<T, false, true, false>{y.data}, WholeOfRow<Out<T, Rank>>{y},
            WholeOfRow<std::decay_t<decltype(p)>>{p}...);
      },
      arguments...);
}

template <auto F, class T, class... Arguments>
void Call::each_tile(const Out<T, 2> &y, const Arguments &...arguments) {
  using Body = detail::AtIndices<F, 2>;
  using Tile = decltype(detail::tile_of(F));
  const int64 tiles =
      detail::tiles_of(Tile::rows, y.size(0)) * detail::tiles_of(Tile::columns, y.size(1));
  const auto run = [&](const auto &...p) {
    if (is_on_gpu()) {
      launch<detail::tile_kernel<Body, Tile, Out<T, 2>, std::decay_t<decltype(p)>...>>(
          Grid(tiles, Tile::threads), y, p...);
    } else {
      const auto body = [=](int64 number) {
        typename Tile::Shared memory;
        Tile tile(memory);
        Body::tile(tile, number, y, p...);
      };
      parallel(tiles, body, 4);
    }
  };
  Body::Parameters::with(run, arguments...);
}

} // namespace cuvec
