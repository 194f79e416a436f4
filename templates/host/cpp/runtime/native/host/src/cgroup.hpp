// Limits of containers and services, which Linux has as control groups.
#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace host::os {

/// The smallest limit of memory, in bytes, of the control groups that `groups` names (in the format
/// of /proc/self/cgroup) and of all those that they are in; the largest number without one.
/// `root` is where the groups are mounted.
std::size_t memory_of_groups(std::istream &groups, const std::string &root);

/// The same, of this process.
std::size_t memory_of_container();

} // namespace host::os
