#include "sight.hpp"

#include "../os.hpp"

namespace host {

Sample take_sample(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t WORD = sizeof(std::uint64_t);
  const std::uintptr_t start = address / WORD * WORD;
  const std::size_t words = (address + bytes - start + WORD - 1) / WORD;
  const auto *block = reinterpret_cast<const volatile std::uint64_t *>(start);
  Sample sample{};
  for (std::size_t place = 0; place < sample.size(); ++place) {
    sample[place] = block[(words - 1) * place / (sample.size() - 1)];
  }
  return sample;
}

bool host_touched(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t first = (address + bytes / 4) / os::page();
  const std::uintptr_t second = (address + bytes / 4 * 3) / os::page();
  return os::is_in_page_table(first) && (first == second || os::is_in_page_table(second));
}

} // namespace host
