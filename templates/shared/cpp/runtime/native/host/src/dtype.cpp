#include <host/dtype.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace host {

namespace {

/// Everything other interfaces call a dtype.
struct Names {
  const char *name;
  const char *format;
};

constexpr std::array<Names, 14> NAMES{{
    // in the order of DType
    {"bool", "?"},
    {"int8", "b"},
    {"uint8", "B"},
    {"int16", "h"},
    {"uint16", "H"},
    {"int32", "i"},
    {"uint32", "I"},
    {"int64", "q"},
    {"uint64", "Q"},
    {"float16", "e"},
    {"float32", "f"},
    {"float64", "d"},
    {"complex64", "Zf"},
    {"complex128", "Zd"},
}};

/// The letters of the array interface, in the same order. They are apart, and few bytes with the
/// sizes: every array of a call is looked up in them.
constexpr std::string_view KINDS = "biuiuiuiufffcc";
static_assert(KINDS.size() == NAMES.size() && SIZES.size() == NAMES.size());

const Names &names(DType dtype) { return NAMES.at(static_cast<std::size_t>(dtype)); }

/// The array interface's letter for this machine's byte order.
char native_order() {
  const std::uint16_t one = 1;
  unsigned char first = 0;
  std::memcpy(&first, &one, 1);
  return first == 1 ? '<' : '>';
}

/// The kind letter of the array interface for a letter of the `struct` module.
char kind_of_format(char letter) {
  const std::string_view letters = "?bhilqnBHILQNefd";
  const std::string_view kinds = "biiiiiiuuuuuufff";
  const std::size_t place = letters.find(letter);
  return place == std::string_view::npos ? '\0' : kinds[place];
}

} // namespace

std::string_view name(DType dtype) { return names(dtype).name; }

char kind(DType dtype) { return KINDS[static_cast<std::size_t>(dtype)]; }

const char *format(DType dtype) { return names(dtype).format; }

std::string typestr(DType dtype) {
  const char order = size(dtype) == 1 ? '|' : native_order();
  return std::string{order, kind(dtype)} + std::to_string(size(dtype));
}

std::optional<DType> dtype_from_kind(char kind, std::size_t size) {
  for (std::size_t place = 0; place < KINDS.size(); ++place) {
    if (KINDS[place] == kind && SIZES[place] == size) {
      return static_cast<DType>(place);
    }
  }
  return {};
}

std::optional<DType> dtype_from_typestr(std::string_view typestr) {
  if (typestr.size() < 3 || typestr.size() > 4) {
    return {};
  }
  const char order = typestr[0];
  std::size_t size = 0;
  for (const char digit : typestr.substr(2)) {
    if (digit < '0' || digit > '9') {
      return {};
    }
    size = 10 * size + static_cast<std::size_t>(digit - '0');
  }
  if (order != native_order() && order != '=' && size != 1) {
    return {};
  }
  return dtype_from_kind(typestr[1], size);
}

std::optional<DType> dtype_from_format(std::string_view format, std::size_t size) {
  const std::string prefixes{'@', '=', native_order()};
  format.remove_prefix(std::min(format.find_first_not_of(prefixes), format.size()));
  if (format == "Zf" || format == "Zd") {
    return dtype_from_kind('c', size);
  }
  if (format.size() != 1) {
    return {};
  }
  return dtype_from_kind(kind_of_format(format[0]), size);
}

} // namespace host
