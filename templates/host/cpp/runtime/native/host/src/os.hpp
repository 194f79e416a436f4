// What the operating system tells, one implementation for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace host::os {

/// The processor's architecture, such as `x86_64`.
std::string machine();

/// Processors that this process may use.
std::size_t processors();

/// Bytes of memory of the machine or, if it has less, of the container; the largest number where
/// the system does not tell.
std::size_t memory();

/// Counts the forks between the first call of this function and now, in this process and those
/// it comes from. Neither CUDA contexts nor threads survive a fork.
std::size_t forks();

/// Whether `is_in_page_table` can say no.
extern const bool HAS_PAGE_TABLE;

/// Bytes of a page.
std::size_t page();

/// Whether the page of this number is in the page table of this process.
bool is_in_page_table(std::uintptr_t number);

/// Asks for huge pages in this range: the CPU has fewer addresses to look up, and goes through it
/// up to twice as fast. Without them everything works.
void ask_for_huge_pages(std::uintptr_t address, std::size_t bytes);

} // namespace host::os
