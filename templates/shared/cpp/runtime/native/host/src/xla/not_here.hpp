#pragma once

#include <exception>

namespace host::xla {

/// The call is one for the other handler.
struct NotHere : std::exception {};

} // namespace host::xla
