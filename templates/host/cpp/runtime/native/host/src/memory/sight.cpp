#include "sight.hpp"

#include "../os.hpp"

namespace host {

Sample take_sample(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t WORD = sizeof(std::uint64_t);
  const std::uintptr_t start = (address + WORD - 1) / WORD * WORD;
  const std::size_t words = (address + bytes - start) / WORD;
  const auto *block = reinterpret_cast<const volatile std::uint64_t *>(start);
  Sample sample{};
  for (std::size_t place = 0; place < sample.size(); ++place) {
    sample[place] = block[(words - 1) * place / (sample.size() - 1)];
  }
  return sample;
}

bool host_touched(std::uintptr_t address, std::size_t bytes) {
  return os::is_in_page_table(address + bytes / 4) && os::is_in_page_table(address + bytes / 4 * 3);
}

} // namespace host
