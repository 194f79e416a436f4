// The checks of a call: arguments against what the function declares.
#pragma once

#include <array>
#include <cstdint>

#include <host/functions.hpp>
#include <host/inplace_vector.hpp>

#include "../ops/checks.hpp"
#include "rows.hpp"

namespace host {

/// What is known of a call once all its arguments were found right. Nothing of them was touched.
class Arguments {
public:
  /// Throws as `Invocation` says.
  Arguments(const cuvec_function &row, const Given *given);
  Arguments(const Arguments &) = delete; // it points into itself
  Arguments &operator=(const Arguments &) = delete;
  ~Arguments() = default;

  const cuvec_function &row() const { return row_; }
  int count() const { return row_.n_arguments; }
  const cuvec_argument &declared(int i) const { return row_.arguments[i]; }

  /// What runs for these dtypes.
  const cuvec_variant &variant() const;

  /// The array that was given for an argument; null for numbers and results that were not.
  const Array *array(int i) const { return given_[i].array; }
  bool is_missing(int i) const { return declared(i).role == CUVEC_RESULT && array(i) == nullptr; }

  /// The value of a number; of a result that is a number, once something has put it there.
  Value &scalar(int i) { return scalars_[static_cast<std::size_t>(i)]; }
  DType dtype(int i) const;

  /// The shape of a result that was not given.
  Shape result_shape(int i) const;

private:
  /// An argument that is an array.
  struct Taken {
    int index;
    const cuvec_argument &declared;
    const Array &array;

    checks::Argument named() const { return {declared.name, array}; }
  };

  void choose_dtypes();
  void choose(const Taken &taken);
  void convert_scalars();
  void check_layout() const;
  void check_shapes();
  void take_sizes();
  void check_rank(const Taken &taken);
  void check_extents(const Taken &taken, bool calculated);
  void check_extent(const Taken &taken, int axis);
  void check_results() const;
  void check_writes() const;
  std::string allowed(const cuvec_argument &argument) const;
  [[noreturn]] void refuse_extent(const Taken &taken, int axis) const;

  const cuvec_function &row_;
  const Given *given_;
  InplaceVector<Taken, CUVEC_MAX_ARGUMENTS> arrays_;         // in order
  std::array<int, CUVEC_MAX_VARIABLES> chosen_{};            // index into each variable's dtypes
  std::array<const Taken *, CUVEC_MAX_VARIABLES> decider_{}; // the first array of it, or null
  const Taken *any_ = nullptr;                               // the first array of any shape
  bool any_missing_ = false;                                 // a result that was not given
  // Filled as far as the function has such: the whole would be more than a call needs otherwise.
  std::array<std::int64_t, CUVEC_MAX_DIMENSIONS> sizes_; // -1: not known yet
  std::array<int, CUVEC_MAX_DIMENSIONS> giver_;          // the argument that gave it, or -1
  InplaceVector<Value, CUVEC_MAX_ARGUMENTS> scalars_;    // zero where an argument is none
};

} // namespace host
