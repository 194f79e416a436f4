// What is used here of the C interface to XLA's foreign functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace host::xla {

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

inline constexpr int INVALID_ARGUMENT = 3;
inline constexpr int RESOURCE_EXHAUSTED = 8;
inline constexpr int INTERNAL = 13;

} // namespace host::xla
