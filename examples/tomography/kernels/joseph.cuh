// Code shared by projection and backprojection: P. M. Joseph, "An improved algorithm for
// reprojecting rays through pixel images", IEEE Trans. Med. Imaging 1 (1982), 192.
#pragma once

#include <cuvec.h>

namespace joseph {

using cuvec::In;
using cuvec::int64;

/// Blanks around a row of pixels or bins, one before and two behind it: what lies beyond the image
/// is then read as anything else is.
constexpr int BLANKS = 3;

/// Rays or pixels that the CPU works on at once, in its wide vectors.
constexpr int LANES = 64;

/// Pixels or bins from the middle of `count` of them.
template <class T> __host__ __device__ T from_middle(int64 index, int64 count) {
  return T(index) - T(count - 1) / 2;
}

template <class T> __host__ __device__ T absolute(T x) { return x < 0 ? -x : x; }

/// The larger of |cos| and |sin|: the part of a row, or of a column, between two rays.
template <class T> __host__ __device__ T steepness(In<T, 2> directions, int64 angle) {
  const T cosine = absolute(directions(angle, 0)), sine = absolute(directions(angle, 1));
  return cosine < sine ? sine : cosine;
}

/// Where something is in a padded row: at `left`, and by `rest` nearer to the next.
template <class T> struct Place {
  int left;
  T rest;
};

/// Place of `at`, which counts from 0 without the blanks; all that is beyond the row is blank.
template <class T> __host__ __device__ Place<T> place(T at, int count) {
  const T behind = T(count + 1), from_blank = at + 1;
  const T positive = from_blank > 0 ? from_blank : 0; // what is not a number, too
  const T inside = positive < behind ? positive : behind;
  const int left = int(inside);
  return {left, inside - T(left)};
}

/// How much of a ray a pixel gets that is this far from where the ray crosses its row, or its
/// column: it is shared linearly by the two next to it.
template <class T> __host__ __device__ T share(T pixels) {
  const T rest = 1 - pixels; // without a branch, so that the CPU's vectors can do it
  return rest > 0 ? rest : 0;
}

/// Beyond this many pixels or bins a side, float32 does not tell them apart.
inline void check(int64 first, int64 second) {
  if (first > 1 << 22 || second > 1 << 22) {
    throw std::invalid_argument("more than 4,194,304 pixels or bins a side");
  }
}

} // namespace joseph
