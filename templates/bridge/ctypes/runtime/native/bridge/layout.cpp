// Where the members of the structs are, for tests.

#include <cstddef>

#include "core.h"
#include "cpython.h"

// NOLINTBEGIN(cppcoreguidelines-macro-usage): only the preprocessor makes names of members
#define STRUCT(type) {#type, 0, sizeof(type)}
#define MEMBER(type, member) {#type "." #member, offsetof(type, member), sizeof(type::member)}
// NOLINTEND(cppcoreguidelines-macro-usage)

const core_layout_row core_layout[] = {
    STRUCT(core_array),
    MEMBER(core_array, two),
    MEMBER(core_array, ndim),
    MEMBER(core_array, kind),
    MEMBER(core_array, itemsize),
    MEMBER(core_array, flags),
    MEMBER(core_array, shape),
    MEMBER(core_array, strides),
    MEMBER(core_array, data),
    MEMBER(core_array, descr),
    MEMBER(core_array, ready),
    STRUCT(core_buffer),
    MEMBER(core_buffer, array),
    MEMBER(core_buffer, nbytes),
    MEMBER(core_buffer, device),
    MEMBER(core_buffer, typestr),
    MEMBER(core_buffer, memory),
    STRUCT(core_stream),
    MEMBER(core_stream, handle),
    STRUCT(core_device_info),
    MEMBER(core_device_info, index),
    MEMBER(core_device_info, kind),
    MEMBER(core_device_info, name),
    MEMBER(core_device_info, reason),
    STRUCT(core_memory),
    MEMBER(core_memory, used),
    MEMBER(core_memory, held),
    STRUCT(core_py_buffer),
    MEMBER(core_py_buffer, buf),
    MEMBER(core_py_buffer, obj),
    MEMBER(core_py_buffer, len),
    MEMBER(core_py_buffer, itemsize),
    MEMBER(core_py_buffer, readonly),
    MEMBER(core_py_buffer, ndim),
    MEMBER(core_py_buffer, format),
    MEMBER(core_py_buffer, shape),
    MEMBER(core_py_buffer, strides),
    MEMBER(core_py_buffer, suboffsets),
    MEMBER(core_py_buffer, internal),
    {nullptr, 0, 0},
};
