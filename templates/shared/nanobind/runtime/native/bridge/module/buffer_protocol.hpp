// Other exporters of the buffer protocol: `array.array`, `memoryview`, `bytearray`, …
#pragma once

#include <optional>

#include "argument.hpp"

/// The array that the object exports; none when it exports none.
std::optional<Argument> read_buffer_protocol(nb::handle object);
