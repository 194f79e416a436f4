#include <host/xla.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include <host/device.hpp>
#include <host/error.hpp>
#include <host/functions.hpp>
#include <host/inplace_vector.hpp>
#include <host/interop.hpp>

namespace host::xla {

namespace {

struct Head {
  std::size_t size;
  void *extension; ///< what the call is about in place of work
};

struct Buffer {
  Head head;
  int dtype;
  void *data;
  std::int64_t rank;
  const std::int64_t *dims;
};

struct Buffers {
  Head head;
  std::int64_t size;
  const std::int32_t *types;
  const Buffer *const *items;
};

struct Text {
  const char *address;
  std::size_t size;
};

struct Attributes {
  Head head;
  std::int64_t size;
  const std::int32_t *types;
  const Text *const *names;
  const Text *const *items;
};

struct NewError {
  Head head;
  const char *message;
  int code;
};

struct GetStream {
  Head head;
  void *context;
  void *stream;
};

struct Api {
  Head head;
  struct {
    Head head;
    int major, minor;
  } version;
  void *internal;
  void *(*new_error)(NewError *arguments);
  void *get_message, *destroy_error, *register_handler;
  void *(*get_stream)(GetStream *arguments);
};

struct Frame {
  Head head;
  const Api *api;
  void *context;
  int stage;
  Buffers arguments, results;
  Attributes attributes;
};

constexpr int INVALID_ARGUMENT = 3;
constexpr int RESOURCE_EXHAUSTED = 8;
constexpr int INTERNAL = 13;

/// By XLA's numbers.
std::optional<DType> dtype_of(int number) {
  switch (number) {
  case 1:
    return DType::Bool;
  case 2:
    return DType::I8;
  case 3:
    return DType::I16;
  case 4:
    return DType::I32;
  case 5:
    return DType::I64;
  case 6:
    return DType::U8;
  case 7:
    return DType::U16;
  case 8:
    return DType::U32;
  case 9:
    return DType::U64;
  case 10:
    return DType::F16;
  case 11:
    return DType::F32;
  case 12:
    return DType::F64;
  case 15:
    return DType::C64;
  case 18:
    return DType::C128;
  default:
    return std::nullopt;
  }
}

/// The call is one for the other handler.
struct NotHere : std::exception {};

/// A number that is known when the program is made.
class Known final : public Number {
public:
  /// Reads a word such as `b1`, `i-3`, or `f` or `c` and the bits of one or two `double`.
  explicit Known(std::string_view word) : kind_(word.front()) {
    const std::string_view value = word.substr(1);
    switch (kind_) {
    case 'b':
    case 'i':
      integer_.negative = value.front() == '-';
      integer_.magnitude = read(value.substr(integer_.negative ? 1 : 0), 10);
      parts_[0] = static_cast<double>(integer_.magnitude) * (integer_.negative ? -1 : 1);
      break;
    default:
      for (std::size_t part = 0; part < (kind_ == 'c' ? 2 : 1); ++part) {
        const std::uint64_t bits = read(value.substr(std::min(16 * part, value.size()), 16), 16);
        std::memcpy(&parts_[part], &bits, sizeof bits);
      }
    }
  }

  std::optional<Integer> integer() const override {
    return kind_ == 'b' || kind_ == 'i' ? std::optional(integer_) : std::nullopt;
  }
  double real() const override {
    if (kind_ == 'c') {
      throw NotHere();
    }
    return parts_[0];
  }
  std::complex<double> complex() const override { return {parts_[0], parts_[1]}; }
  std::string type() const override { throw NotHere(); } // for messages, which Python writes
  std::string text() const override { throw NotHere(); }

private:
  static std::uint64_t read(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const char *begin = digits.data();
    const char *end = begin + digits.size();
    if (digits.empty() || std::from_chars(begin, end, value, base).ptr != end) {
      throw NotHere();
    }
    return value;
  }

  char kind_;
  Integer integer_;
  std::array<double, 2> parts_{};
};

/// The words of a text, one after the other.
class Words {
public:
  explicit Words(std::string_view text) : left_(text) {}

  std::string_view next() {
    const std::string_view word = left_.substr(0, left_.find(' '));
    left_.remove_prefix(std::min(word.size() + 1, left_.size()));
    if (word.empty()) {
      throw NotHere();
    }
    return word;
  }

private:
  std::string_view left_;
};

/// Buffers of XLA's, one after the other.
class Row {
public:
  explicit Row(const Buffers &buffers) : buffers_(buffers) {}

  const Buffer &next() {
    if (place_ == buffers_.size) {
      throw NotHere();
    }
    return *buffers_.items[place_++];
  }

private:
  const Buffers &buffers_;
  std::int64_t place_ = 0;
};

constexpr std::size_t MOST = 16; // arguments of a function

/// A call: what it is given, as the function takes it.
class Call {
public:
  Call(const Frame &frame, std::optional<Stream> stream)
      : stream_(stream), arguments_(frame.arguments), results_(frame.results) {
    Words words(first_line(frame.attributes));
    const std::string_view name = words.next();
    const auto &all = functions();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Function &function) { return function.name == name; });
    const std::string_view rank = words.next();
    const bool is_mapped =
        frame.results.size == 0 || std::to_string(frame.results.items[0]->rank) != rank;
    if (found == all.end() || is_mapped) {
      throw NotHere();
    }
    function_ = static_cast<std::size_t>(found - all.begin());
    for (const Parameter &parameter : found->parameters) {
      give(parameter, words.next());
    }
  }

  std::size_t function() const { return function_; }
  const Given *given() const { return given_.begin(); }

private:
  static std::string_view first_line(const Attributes &attributes) {
    const Text &text = **attributes.items;
    const std::string_view whole(text.address, text.size);
    return whole.substr(0, whole.find('\n'));
  }

  void give(const Parameter &parameter, std::string_view word) {
    Given &given = given_.emplace_back();
    if (parameter.kind == Parameter::Kind::Number) {
      given.number = &numbers_.emplace_back(word);
    } else if (parameter.is_result()) {
      given.array = &array(results_.next(), true);
    } else {
      const Buffer &argument = arguments_.next();
      const bool is_written = word != "in";
      const Buffer &buffer = is_written ? results_.next() : argument;
      if (word == "inout" && buffer.data != argument.data) {
        throw NotHere();
      }
      given.array = &array(buffer, is_written);
    }
  }

  const Array &array(const Buffer &buffer, bool is_written) {
    Array &array = arrays_.emplace_back();
    const auto dtype = dtype_of(buffer.dtype);
    if (!dtype) {
      throw NotHere();
    }
    array.address = reinterpret_cast<std::uintptr_t>(buffer.data);
    array.dtype = *dtype;
    array.shape.assign(buffer.dims, buffer.dims + buffer.rank);
    array.writable = is_written;
    if (stream_ && array.count() != 0) { // an empty array is nowhere
      if (!gpu_) {
        gpu_ = locate(array.address, array.bytes());
      }
      array.place = InForeignMemory{*gpu_};
      array.ready = stream_;
    }
    return array;
  }

  std::optional<Stream> stream_;
  std::optional<int> gpu_;
  Row arguments_, results_;
  std::size_t function_ = 0;
  InplaceVector<Array, MOST> arrays_;
  InplaceVector<Known, MOST> numbers_;
  InplaceVector<Given, MOST> given_;
};

/// The stream that the program runs on.
Stream stream_of(const Frame &frame) {
  GetStream wanted{{sizeof wanted, nullptr}, frame.context, nullptr};
  if (frame.api->get_stream(&wanted) != nullptr) {
    throw NotHere(); // the other handler says so
  }
  const auto handle = reinterpret_cast<std::uintptr_t>(wanted.stream);
  return handle == 0 ? LEGACY_DEFAULT_STREAM : Stream{handle};
}

template <typename Kind> bool is(const std::exception &error) {
  return dynamic_cast<const Kind *>(&error) != nullptr;
}

int code_of(const std::exception &error) {
  if (is<TypeError>(error) || is<ValueError>(error) || is<OverflowError>(error)) {
    return INVALID_ARGUMENT;
  }
  return is<MemoryError>(error) ? RESOURCE_EXHAUSTED : INTERNAL;
}

void *new_error(const Frame &frame, int code, const char *message) {
  NewError error{{sizeof error, nullptr}, message, code};
  return frame.api->new_error(&error);
}

void run(const Frame &frame, std::optional<Stream> stream) {
  std::optional<Call> call;
  std::optional<Invocation> invocation;
  try {
    call.emplace(frame, stream);
    invocation.emplace(call->function(), call->given());
  } catch (const Error &) {
    throw NotHere(); // nothing was touched
  }
  invocation->run(stream);
}

/// On the CPU: with a GPU, the function would work there, and Python has to be asked.
bool is_for_us(bool on_gpu) {
  static const bool has_gpu = device().index.has_value();
  return on_gpu || !has_gpu;
}

/// On the CPU and on GPUs.
std::array<std::atomic<Handler>, 2> others{};
std::atomic<void (*)()> forget_exception{nullptr};

template <bool ON_GPU> void *handle(void *pointer) {
  const auto &frame = *static_cast<const Frame *>(pointer);
  try {
    if (frame.head.extension != nullptr || !is_for_us(ON_GPU)) {
      throw NotHere();
    }
    run(frame, ON_GPU ? std::optional(stream_of(frame)) : std::nullopt);
    return nullptr;
  } catch (const NotHere &) {
    return others[ON_GPU].load()(pointer);
  } catch (const std::exception &error) {
    if (is<Interrupted>(error)) {
      forget_exception.load()();
    }
    return new_error(frame, code_of(error), error.what());
  }
}

} // namespace

Handler handler(bool on_gpu, Python python) {
  others[on_gpu ? 1 : 0] = python.other;
  forget_exception = python.forget_exception;
  return on_gpu ? handle<true> : handle<false>;
}

} // namespace host::xla
