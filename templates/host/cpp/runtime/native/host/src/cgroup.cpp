#include "cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace host::os {

namespace {

constexpr std::size_t NO_LIMIT = std::numeric_limits<std::size_t>::max();

/// The number in a file; without a limit there is none, or not even a file.
std::size_t number_in(const std::string &path) {
  std::ifstream file(path);
  std::size_t bytes = 0;
  return file >> bytes ? bytes : NO_LIMIT;
}

/// The smallest limit of a group and of those that it is in. What a container sees may begin
/// anywhere in between, and so a part of the path may be missing.
std::size_t smallest(const std::string &root, std::string group, const char *file) {
  std::size_t bytes = number_in(root + "/" + file);
  while (!group.empty()) {
    bytes = std::min(bytes, number_in(root + group + "/" + file));
    group.resize(std::min(group.rfind('/'), group.size()));
  }
  return bytes;
}

} // namespace

std::size_t memory_of_groups(std::istream &groups, const std::string &root) {
  std::size_t bytes = smallest(root, "", "memory.max"); // where /proc is hidden
  std::string line;
  while (std::getline(groups, line)) {
    std::istringstream parts(line);
    std::string number;
    std::string controllers;
    std::string group;
    std::getline(parts, number, ':');
    std::getline(parts, controllers, ':');
    std::getline(parts, group);
    if (controllers.empty()) { // version 2
      bytes = std::min(bytes, smallest(root, group, "memory.max"));
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      bytes = std::min(bytes, smallest(root + "/memory", group, "memory.limit_in_bytes"));
    }
  }
  return bytes;
}

std::size_t memory_of_container() {
  std::ifstream groups("/proc/self/cgroup");
  return memory_of_groups(groups, "/sys/fs/cgroup");
}

} // namespace host::os
