#include <host/dtype.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace host {

namespace {

/// Everything other interfaces call a dtype.
struct Names {
  const char *name;
  char kind;
  const char *format;
  std::size_t size;
};

constexpr std::array<Names, 14> NAMES{{
    // in the order of DType
    {"bool", 'b', "?", 1},
    {"int8", 'i', "b", 1},
    {"uint8", 'u', "B", 1},
    {"int16", 'i', "h", 2},
    {"uint16", 'u', "H", 2},
    {"int32", 'i', "i", 4},
    {"uint32", 'u', "I", 4},
    {"int64", 'i', "q", 8},
    {"uint64", 'u', "Q", 8},
    {"float16", 'f', "e", 2},
    {"float32", 'f', "f", 4},
    {"float64", 'f', "d", 8},
    {"complex64", 'c', "Zf", 8},
    {"complex128", 'c', "Zd", 16},
}};

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

char kind(DType dtype) { return names(dtype).kind; }

const char *format(DType dtype) { return names(dtype).format; }

std::size_t size(DType dtype) { return names(dtype).size; }

std::string typestr(DType dtype) {
  const char order = size(dtype) == 1 ? '|' : native_order();
  return std::string{order, kind(dtype)} + std::to_string(size(dtype));
}

std::optional<DType> dtype_from_kind(char kind, std::size_t size) {
  const auto *found = std::find_if(NAMES.begin(), NAMES.end(), [kind, size](const Names &row) {
    return row.kind == kind && row.size == size;
  });
  if (found == NAMES.end()) {
    return {};
  }
  return static_cast<DType>(found - NAMES.begin());
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
