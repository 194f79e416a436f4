#include "call.hpp"

#include <algorithm>
#include <string>

#include <host/interop.hpp>

#include "not_here.hpp"

namespace host::xla {

namespace {

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

std::string_view first_line(const Attributes &attributes) {
  const Text &text = **attributes.items;
  const std::string_view whole(text.address, text.size);
  return whole.substr(0, whole.find('\n'));
}

} // namespace

const Buffer &Row::next() {
  if (place_ == buffers_.size) {
    throw NotHere();
  }
  return *buffers_.items[place_++];
}

Call::Call(const Frame &frame, std::optional<Stream> stream)
    : stream_(stream), arguments_(frame.arguments), results_(frame.results) {
  Words words(first_line(frame.attributes));
  const std::string_view name = words.next();
  const auto &all = functions();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Function &function) { return function.name == name; });
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

void Call::give(const Parameter &parameter, std::string_view word) {
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

const Array &Call::array(const Buffer &buffer, bool is_written) {
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

} // namespace host::xla
