#include "cgroup.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "test.hpp"

namespace {

namespace fs = std::filesystem;

/// A folder that looks like the one where control groups are mounted.
class Groups {
public:
  Groups() {
    std::string name = (fs::temp_directory_path() / "groups-XXXXXX").string();
    CHECK(mkdtemp(name.data()) != nullptr);
    root_ = name;
  }
  ~Groups() { fs::remove_all(root_); }
  Groups(const Groups &) = delete;
  Groups &operator=(const Groups &) = delete;

  void set(const std::string &file, const std::string &text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  std::size_t memory(const std::string &of_process) const {
    std::istringstream groups(of_process);
    return host::os::memory_of_groups(groups, root_.string());
  }

private:
  fs::path root_;
};

constexpr std::size_t NO_LIMIT = std::numeric_limits<std::size_t>::max();

} // namespace

TEST(the_smallest_limit_of_nested_groups_counts) {
  const Groups groups;
  const std::string process = "0::/system.slice/job.service/worker\n";
  CHECK(groups.memory(process) == NO_LIMIT);
  groups.set("system.slice/memory.max", "max\n");
  groups.set("system.slice/job.service/memory.max", "3000000\n");
  groups.set("system.slice/job.service/worker/memory.max", "max\n");
  groups.set("system.slice/other.service/memory.max", "1000\n");
  CHECK(groups.memory(process) == 3'000'000);
  groups.set("system.slice/memory.max", "2000000\n");
  CHECK(groups.memory(process) == 2'000'000);
  groups.set("memory.max", "1000000\n"); // of the container itself
  CHECK(groups.memory(process) == 1'000'000);
  CHECK(groups.memory("0::/\n") == 1'000'000);
  CHECK(groups.memory("") == 1'000'000);
}

TEST(groups_of_version_1_have_limits_too) {
  const Groups groups;
  groups.set("memory/docker/memory.limit_in_bytes", "4000000\n");
  groups.set("memory/docker/job/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(groups.memory("5:cpu,cpuacct:/docker/job\n4:memory:/docker/job\n") == 4'000'000);
  CHECK(groups.memory("5:cpu,cpuacct:/docker/job\n") == NO_LIMIT);
}
