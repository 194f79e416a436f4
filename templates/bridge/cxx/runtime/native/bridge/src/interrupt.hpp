// Ctrl-C in the middle of a call, as Rust asks for it.
#pragma once

namespace host {

/// Whether a signal's handler has raised an exception.
bool is_interrupted() noexcept;

} // namespace host
