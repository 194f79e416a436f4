#include "arguments.hpp"

#include <algorithm>
#include <string>

#include <host/error.hpp>

#include "scalars.hpp"

namespace host {

using rows::name_of;

Arguments::Arguments(const cuvec_function &row, const Given *given) : row_(row), given_(given) {
  std::fill_n(sizes_.begin(), row.n_dimensions, -1);
  std::fill_n(giver_.begin(), row.n_dimensions, -1);
  choose_dtypes();
  convert_scalars();
  check_layout();
  check_shapes();
  check_results();
  check_writes();
}

const cuvec_variant &Arguments::variant() const {
  std::size_t index = 0;
  for (std::size_t v = 0; v < static_cast<std::size_t>(row_.n_variables); ++v) {
    index = index * static_cast<std::size_t>(row_.variables[v].count) +
            static_cast<std::size_t>(chosen_.at(v));
  }
  return row_.variants[index];
}

DType Arguments::dtype(int i) const {
  const int code = declared(i).dtype;
  if (code >= 0) {
    return static_cast<DType>(code);
  }
  const auto v = static_cast<std::size_t>(-1 - code);
  return static_cast<DType>(row_.variables[v].dtypes[chosen_.at(v)]);
}

// ---- dtypes ---------------------------------------------------------------------------------

void Arguments::choose_dtypes() {
  for (int i = 0; i < count(); ++i) {
    const cuvec_argument &a = declared(i);
    if (const Array *array = this->array(i)) {
      choose(arrays_.emplace_back(Taken{i, a, *array}));
    } else if (given_[i].number != nullptr && !rows::is_scalar(a)) {
      throw TypeError(std::string(name_of(a)) + " must be an array, not a number");
    } else if (a.role == CUVEC_RESULT) {
      any_missing_ = true;
    } else if (!rows::is_scalar(a)) {
      throw TypeError(std::string(name_of(a)) + " is missing");
    }
  }
  for (const Taken &taken : arrays_) {
    if (taken.declared.dtype < 0) {
      const auto v = static_cast<std::size_t>(-1 - taken.declared.dtype);
      checks::same_dtype(decider_[v]->named(), taken.named());
    }
  }
}

/// Is the dtype one that the argument may have? The first array of a variable decides for it.
void Arguments::choose(const Taken &taken) {
  const cuvec_argument &a = taken.declared;
  const DType dtype = taken.array.dtype;
  if (rows::is_scalar(a)) {
    throw TypeError(std::string(a.name) + " must be a number, not an array");
  }
  const int code = static_cast<int>(dtype);
  if (a.dtype >= 0) {
    if (code != a.dtype) {
      checks::dtype(taken.named(), {static_cast<DType>(a.dtype)});
    }
    return;
  }
  const auto v = static_cast<std::size_t>(-1 - a.dtype);
  const cuvec_variable &variable = row_.variables[v];
  const auto *end = variable.dtypes + variable.count;
  const auto *found = std::find(variable.dtypes, end, code);
  if (found == end) {
    throw TypeError(std::string(name_of(a)) + " has dtype " + std::string(name(dtype)) +
                    ", but must have " + allowed(a));
  }
  if (decider_.at(v) == nullptr) {
    decider_.at(v) = &taken;
    chosen_.at(v) = static_cast<int>(found - variable.dtypes);
  }
}

std::string Arguments::allowed(const cuvec_argument &argument) const {
  const cuvec_variable &variable = row_.variables[-1 - argument.dtype];
  std::string names;
  for (int k = 0; k < variable.count; ++k) {
    names += (k > 0 ? " or " : "") + std::string(name(static_cast<DType>(variable.dtypes[k])));
  }
  return names;
}

void Arguments::convert_scalars() {
  for (int i = 0; i < count(); ++i) {
    const cuvec_argument &a = declared(i);
    if (!rows::is_scalar(a)) {
      scalars_.emplace_back();
    } else if (given_[i].number != nullptr) {
      scalars_.emplace_with([&] { return scalars::convert(a.name, dtype(i), *given_[i].number); });
    } else if (a.has_default != 0) {
      scalars_.emplace_with([&] { return scalars::convert(a.name, dtype(i), a.value); });
    } else {
      throw TypeError(std::string(a.name) + " is missing");
    }
  }
}

// ---- layout and shapes ----------------------------------------------------------------------

void Arguments::check_layout() const {
  for (const Taken &taken : arrays_) {
    checks::contiguous(taken.named());
  }
}

void Arguments::check_shapes() {
  take_sizes();
  for (const Taken &taken : arrays_) {
    check_rank(taken);
  }
  // First what names alone say, then what is calculated from them.
  for (const bool calculated : {false, true}) {
    for (const Taken &taken : arrays_) {
      check_extents(taken, calculated);
    }
  }
}

/// The extents that numbers give.
void Arguments::take_sizes() {
  for (int d = 0; d < row_.n_dimensions; ++d) {
    const int i = row_.dimensions[d].scalar;
    if (i < 0) {
      continue;
    }
    const auto size = scalars::to_int64(scalar(i));
    if (size < 0) {
      throw ValueError(std::string(declared(i).name) + " is a size and cannot be " +
                       std::to_string(size));
    }
    sizes_.at(static_cast<std::size_t>(d)) = size;
    giver_.at(static_cast<std::size_t>(d)) = i;
  }
}

void Arguments::check_rank(const Taken &taken) {
  const cuvec_argument &a = taken.declared;
  if (a.rank < 0) {
    if (any_ == nullptr) {
      any_ = &taken;
    } else {
      checks::same_shape(any_->named(), taken.named());
    }
  } else if (static_cast<std::size_t>(a.rank) != taken.array.shape.size()) {
    throw ValueError(std::string(name_of(a)) + " must have " + std::to_string(a.rank) +
                     (a.rank == 1 ? " dimension " : " dimensions ") + rows::shape_of(row_, a) +
                     ", not shape " + to_string(taken.array.shape));
  }
}

/// Those that are names, or those that are numbers and expressions.
void Arguments::check_extents(const Taken &taken, bool calculated) {
  for (int axis = 0; axis < taken.declared.rank; ++axis) {
    const cuvec_extent &extent = taken.declared.shape[axis];
    if ((extent.count > 1 || row_.terms[extent.first].operation == '#') == calculated) {
      check_extent(taken, axis);
    }
  }
}

void Arguments::check_extent(const Taken &taken, int axis) {
  const cuvec_extent &extent = taken.declared.shape[axis];
  const cuvec_term &term = row_.terms[extent.first];
  const auto has = static_cast<std::int64_t>(taken.array.shape[static_cast<std::size_t>(axis)]);
  if (extent.count == 1 && term.operation == 'd') {
    auto &size = sizes_.at(static_cast<std::size_t>(term.value));
    if (size < 0) {
      size = has;
      giver_.at(static_cast<std::size_t>(term.value)) = taken.index;
    }
  }
  if (rows::evaluate(row_, extent, sizes_.data()) != has) {
    refuse_extent(taken, axis);
  }
}

void Arguments::refuse_extent(const Taken &taken, int axis) const {
  const cuvec_argument &a = taken.declared;
  const cuvec_extent &extent = a.shape[axis];
  const cuvec_term &term = row_.terms[extent.first];
  const std::string found =
      std::string(name_of(a)) + " has shape " + to_string(taken.array.shape) + ", but ";
  if (extent.count > 1 || term.operation == '#') {
    const std::string declared = rows::shape_of(row_, a);
    const std::string wanted = rows::shape_of(row_, a, sizes_.data());
    throw ValueError(found + "must have " + declared + (declared == wanted ? "" : " = " + wanted));
  }
  const auto size = std::to_string(rows::evaluate(row_, extent, sizes_.data()));
  const int giver = giver_.at(static_cast<std::size_t>(term.value));
  const std::string is = std::string(row_.dimensions[term.value].name) + " is " + size;
  if (array(giver) == nullptr) {
    throw ValueError(found + is);
  }
  throw ValueError(found + is + " in " + name_of(declared(giver)) + " of shape " +
                   to_string(array(giver)->shape));
}

// ---- results and writes ---------------------------------------------------------------------

Shape Arguments::result_shape(int i) const {
  const cuvec_argument &a = declared(i);
  if (a.rank < 0) {
    return any_->array.shape;
  }
  Shape shape;
  for (int axis = 0; axis < a.rank; ++axis) {
    const auto extent = rows::evaluate(row_, a.shape[axis], sizes_.data());
    if (extent < 0) {
      throw ValueError("the extent " + rows::text_of(row_, a.shape[axis]) + " of " + name_of(a) +
                       " is negative");
    }
    shape.push_back(static_cast<std::size_t>(extent));
  }
  return shape;
}

void Arguments::check_results() const {
  for (int i = 0; any_missing_ && i < count(); ++i) {
    if (is_missing(i)) {
      bytes_of(result_shape(i), dtype(i)); // throws when they are too many
    }
  }
}

void Arguments::check_writes() const {
  for (const Taken &taken : arrays_) {
    if (rows::is_written(taken.declared)) {
      checks::writable(taken.named());
    }
  }
  for (const Taken &taken : arrays_) {
    for (const Taken *before = arrays_.begin(); before != &taken; ++before) {
      if (rows::is_written(taken.declared) || rows::is_written(before->declared)) {
        checks::disjoint(before->named(), taken.named());
      }
    }
  }
}

} // namespace host
