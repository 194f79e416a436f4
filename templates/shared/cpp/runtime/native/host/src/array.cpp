#include <host/array.hpp>

namespace host {

std::optional<int> Array::gpu() const {
  if (const auto *block = std::get_if<InBlock>(&place)) {
    return (*block)->gpu();
  }
  if (const auto *foreign = std::get_if<InForeignMemory>(&place)) {
    return foreign->gpu;
  }
  return {};
}

} // namespace host
