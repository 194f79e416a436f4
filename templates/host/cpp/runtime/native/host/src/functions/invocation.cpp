#include <host/functions.hpp>

#include <algorithm>
#include <exception>
#include <new>

#include <host/error.hpp>
#include <host/inplace_vector.hpp>

#include "../device.hpp"
#include "../gpu/call.hpp"
#include "../gpu/recorded.hpp"
#include "../memory/block.hpp"
#include "arguments.hpp"
#include "cpu_call.hpp"
#include "gpu_call.hpp"

namespace host {

namespace {

[[noreturn]] void fail(int status, const char *text) {
  switch (status) {
  case CUVEC_TYPE_ERROR:
    throw TypeError(text);
  case CUVEC_VALUE_ERROR:
    throw ValueError(text);
  case CUVEC_OVERFLOW_ERROR:
    throw OverflowError(text);
  case CUVEC_MEMORY_ERROR:
    throw MemoryError(text);
  case CUVEC_INTERRUPTED:
    throw Interrupted();
  default:
    throw RuntimeError(text);
  }
}

void check_status(int status, const cuvec_call &call) {
  if (status != CUVEC_OK) {
    fail(status, call.error);
  }
}

/// Extents as bodies have them: no array is so large that the sign would matter.
const std::int64_t *extents(const Shape &shape) {
  return reinterpret_cast<const std::int64_t *>(shape.data());
}

static_assert(MAX_ARGUMENTS == CUVEC_MAX_ARGUMENTS);

using Values = InplaceVector<cuvec_value, CUVEC_MAX_ARGUMENTS>;

} // namespace

bool (*const run_at_once)(std::size_t, const Given *, std::optional<Stream>) = nullptr;

struct Invocation::State {
  State(const cuvec_function &row, const Given *given) : arguments(row, given) {
    for (int i = 0; i < arguments.count(); ++i) {
      arrays.emplace_back(arguments.array(i));
      if (arguments.is_missing(i) && arguments.declared(i).is_number == 0) {
        missing.push_back({index(i), arguments.dtype(i), arguments.result_shape(i)});
      }
    }
    gpu = common_gpu(arrays);
  }

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// Whether an argument is a number that comes back.
  bool is_number(int i) const {
    return arguments.declared(i).is_number != 0 && arrays[index(i)] == nullptr;
  }

  /// Whether there is anything to do: a number to find, or an element to write.
  bool writes() const {
    for (int i = 0; i < arguments.count(); ++i) {
      const auto &declared = arguments.declared(i);
      if (rows::is_written(declared) && (is_number(i) || arrays[index(i)]->count() > 0)) {
        return true;
      }
    }
    return false;
  }

  /// The values of a body; `address` says where an array's elements are for it, and `place` where
  /// a number goes.
  template <typename Address, typename Place>
  Values values(const Address &address, const Place &place) {
    Values values;
    for (int i = 0; i < arguments.count(); ++i) {
      cuvec_value &value = values.emplace_back();
      if (const Array *array = arrays[index(i)]) {
        value = {address(i, *array), extents(array->shape),
                 static_cast<std::int64_t>(array->count())};
      } else if (is_number(i)) {
        value = {place(i), nullptr, 1};
      } else {
        value = {arguments.scalar(i).bytes.data(), nullptr, 1};
      }
    }
    return values;
  }

  void run_on_cpu() {
    CpuCall call;
    const auto given =
        values([](int /*i*/, const Array &array) { return array.data<void>(); },
               [this](int i) { return static_cast<void *>(arguments.scalar(i).bytes.data()); });
    check_status(arguments.variant().cpu(&call, given.begin()), call);
  }

  void run_on_gpu(std::optional<Stream> stream);

  Arguments arguments;
  const Gpu *gpu = nullptr;
  Arrays arrays; // those that were given, or made since
  std::vector<New> missing;
};

void Invocation::State::run_on_gpu(std::optional<Stream> stream) {
  if constexpr (Gpu::BUILT) {
    constexpr std::size_t NUMBER = sizeof Value::bytes;
    std::shared_ptr<Block> places; // where the GPU leaves numbers
    for (int i = 0; i < arguments.count(); ++i) {
      if (is_number(i) && places == nullptr) {
        places = BlockAccess::allocate_on(*gpu, NUMBER * arrays.size(), MemoryKind::Pinned);
      }
    }
    Call call(*gpu, stream, arrays);
    if (places != nullptr) {
      call.wait_at_the_end(not_for_numbers);
    }
    GpuCall lent(*gpu, call.stream());
    const auto place = [&](int i) {
      return reinterpret_cast<void *>(places->address() + index(i) * NUMBER);
    };
    const auto given = values(
        [&](int i, const Array &array) {
          const auto role = arguments.declared(i).role;
          const bool reads = role == CUVEC_IN || role == CUVEC_INOUT;
          return call.address(array, reads, rows::is_written(arguments.declared(i)));
        },
        place);
    const int status = arguments.variant().gpu(&lent, given.begin());
    call.hold(lent.lent());
    check_status(status, lent);
    if (call.finish()) {
      lent.end();
    }
    for (int i = 0; i < arguments.count(); ++i) {
      if (is_number(i)) {
        std::copy_n(static_cast<const std::byte *>(place(i)), NUMBER,
                    arguments.scalar(i).bytes.begin());
      }
    }
  }
}

Invocation::Invocation(std::size_t function, const Given *given)
    : state_(new (&memory_) State(rows::row(function), given)) {
  static_assert(sizeof(State) <= sizeof memory_);
}

void Invocation::Destroy::operator()(State *state) const { state->~State(); }

Invocation::~Invocation() = default;

const std::vector<Invocation::New> &Invocation::missing() const { return state_->missing; }

std::shared_ptr<Block> Invocation::allocate(const New &result) const {
  const std::size_t bytes = bytes_of(result.shape, result.dtype);
  return state_->gpu == nullptr
             ? Block::allocate(bytes)
             : BlockAccess::allocate_on(*state_->gpu, bytes, MemoryKind::Managed);
}

void Invocation::give(std::size_t parameter, const Array &array) {
  state_->arrays[parameter] = &array;
}

void Invocation::run(std::optional<Stream> stream) {
  if (!state_->writes()) {
    return;
  }
  if (state_->gpu == nullptr) {
    state_->run_on_cpu();
  } else {
    state_->run_on_gpu(stream);
  }
}

Value Invocation::number(std::size_t parameter) const {
  const int i = static_cast<int>(parameter);
  return {state_->arguments.dtype(i), state_->arguments.scalar(i).bytes};
}

} // namespace host
