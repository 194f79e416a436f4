// The functions that the package declares.

#include <host/functions.hpp>

#include <host/inplace_vector.hpp>
#include <host/ops.hpp>

#include <deque>
#include <optional>
#include <vector>

#include "array.hpp"
#include "buffer.hpp"
#include "error.hpp"
#include "kept.hpp"
#include "number.hpp"

using core::guarded;
using core::read;

namespace {

/// The rows for C, over texts that the host keeps.
struct Table {
  std::vector<core_function> functions;
  std::deque<std::vector<core_parameter>> parameters;

  Table() {
    for (const host::Function &function : host::functions()) {
      auto &rows = parameters.emplace_back();
      for (const host::Parameter &it : function.parameters) {
        rows.push_back({it.name.c_str(), it.type.c_str(), it.fallback.c_str(),
                        static_cast<std::int32_t>(it.kind),
                        static_cast<std::int32_t>(it.keyword_only)});
      }
      functions.push_back({function.name.c_str(), function.signature.c_str(), function.doc.c_str(),
                           rows.data(), static_cast<std::int32_t>(rows.size())});
    }
  }
};

const Table &table() {
  static const Table all;
  return all;
}

/// What C gives for a call, as the host has it.
class Arguments {
public:
  Arguments(const host::Function &function, const void *const *given) {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const host::Parameter &parameter = function.parameters[i];
      host::Given &it = given_.emplace_back();
      if (given[i] == nullptr) {
        continue;
      }
      if (parameter.kind == host::Parameter::Kind::Number) {
        it.number =
            &numbers_.emplace_back(*static_cast<const core_number *>(given[i]), parameter.name);
      } else {
        const auto *array = static_cast<const core_array *>(given[i]);
        it.array = &arrays_.emplace_with([&] { return read(array, parameter.called()); });
      }
    }
  }

  const host::Given *given() const { return given_.begin(); }

  /// The GPU of an array whose owner may reuse it while the call goes on.
  std::optional<int> gpu_of_others(host::Stream stream) const {
    for (const host::Given &it : given_) {
      if (it.array != nullptr && it.array->may_be_reused(stream)) {
        return it.array->gpu();
      }
    }
    return {};
  }

  bool has(std::size_t i) const { return given_[i].array != nullptr; }

private:
  host::InplaceVector<host::Given, host::MAX_ARGUMENTS> given_;
  host::InplaceVector<host::Array, host::MAX_ARGUMENTS> arrays_;
  host::InplaceVector<core::Number, host::MAX_ARGUMENTS> numbers_;
};

host::Array array_of(const core::Buffer &buffer) {
  host::Array array;
  array.address = buffer.block->address();
  array.dtype = buffer.dtype;
  array.shape = buffer.extents;
  if (buffer.block->gpu()) {
    array.place = buffer.block;
  }
  return array;
}

/// Whether the GPU may still use arrays of others.
bool call(std::size_t index, const void *const *given, const core_stream *stream,
          core_result *results) {
  const host::Function &function = host::functions().at(index);
  const std::size_t count = function.parameters.size();
  std::size_t first = count;
  while (first > 0 && function.parameters[first - 1].is_result()) {
    --first;
  }
  const Arguments arguments(function, given);
  host::Invocation invocation(index, arguments.given());
  std::deque<host::Array> made;
  for (const auto &missing : invocation.missing()) {
    auto *buffer = new core::Buffer(invocation.allocate(missing), missing.dtype, missing.shape);
    *results[missing.parameter - first].place = buffer; // whoever has the place owns it
    invocation.give(missing.parameter, made.emplace_back(array_of(*buffer)));
  }
  invocation.run(read(stream));
  for (std::size_t i = first; i < count; ++i) {
    if (function.parameters[i].kind == host::Parameter::Kind::NumberResult && !arguments.has(i)) {
      results[i - first].number = core::to_c(invocation.number(i));
    }
  }
  if (stream == nullptr) {
    return false;
  }
  const auto gpu = arguments.gpu_of_others(*read(stream));
  if (gpu) {
    core::mark_unfinished(*read(stream), *gpu);
  }
  return gpu.has_value();
}

std::int32_t (*interrupt_check)(void) = nullptr;

} // namespace

core_status core_functions(const core_function **result, int32_t *count) {
  return guarded([=] {
    *result = table().functions.data();
    *count = static_cast<std::int32_t>(table().functions.size());
  });
}

core_status core_call(int32_t function, const void *const *given, const core_stream *stream,
                      core_result *results) {
  bool unfinished = false;
  const core_status status = guarded(
      [&] { unfinished = call(static_cast<std::size_t>(function), given, stream, results); });
  return unfinished ? static_cast<core_status>(CORE_UNFINISHED) : status;
}

// NOLINTBEGIN(cppcoreguidelines-macro-usage): only the preprocessor counts arguments for C
#define CORE_CALL_WITH(n, ...)                                                                     \
  CORE_CALL(n) {                                                                                   \
    const void *const given[] = {__VA_ARGS__};                                                     \
    return core_call(function, given, stream, results);                                            \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
CORE_CALL_WITH(1, g0)
CORE_CALL_WITH(2, g0, g1)
CORE_CALL_WITH(3, g0, g1, g2)
CORE_CALL_WITH(4, g0, g1, g2, g3)
CORE_CALL_WITH(5, g0, g1, g2, g3, g4)
CORE_CALL_WITH(6, g0, g1, g2, g3, g4, g5)
CORE_CALL_WITH(7, g0, g1, g2, g3, g4, g5, g6)
CORE_CALL_WITH(8, g0, g1, g2, g3, g4, g5, g6, g7)
CORE_CALL_WITH(9, g0, g1, g2, g3, g4, g5, g6, g7, g8)
CORE_CALL_WITH(10, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9)
CORE_CALL_WITH(11, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10)
CORE_CALL_WITH(12, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11)
CORE_CALL_WITH(13, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12)
CORE_CALL_WITH(14, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13)
CORE_CALL_WITH(15, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14)
CORE_CALL_WITH(16, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15)

void core_set_interrupt_check(int32_t (*check)(void)) {
  interrupt_check = check;
  host::set_interrupt_check([] { return interrupt_check() != 0; });
}

core_status core_assign(const core_array *x, const core_array *y, const core_stream *stream) {
  return guarded([=] { host::assign(read(x, "x"), read(y, "y"), read(stream)); });
}
