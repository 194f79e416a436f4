// Events that nobody waits for any more: to use one again takes less than to make one.
#pragma once

#include <memory>

#include "cuda_stream.hpp"

namespace host::events {

/// One of this GPU, which must be current, to be recorded before it is asked.
std::unique_ptr<Event> take(int gpu);

/// Takes it back, on any thread, whatever is current there.
void give_back(int gpu, std::unique_ptr<Event> event) noexcept;

} // namespace host::events
