// What the runtime itself does with arrays.

#include <host/ops.hpp>

#include "rust.hpp"

namespace host {

void assign(const Array &x, const Array &y, std::optional<Stream> stream) {
  checked([&] { rs::assign(to_rust(x), to_rust(y), to_rust(stream)); });
}

} // namespace host
