// The structs that a file of kernels/ can name: the ones of CUVEC_STRUCT in it, and in what it
// includes.
#pragma once

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

inline std::string read_file(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

class KnownStructs {
public:
  explicit KnownStructs(const std::string &path) { look(path); }

  /// Checks whether a struct of this name may exist: only compilers know files in other folders.
  bool may_have(const std::string &name) const { return is_partial_ || names_.count(name) != 0; }

private:
  void look(const std::string &path) {
    if (!seen_.insert(path).second) {
      return;
    }
    const std::string file = read_file(path), folder = path.substr(0, path.find_last_of("/\\") + 1);
    is_partial_ = is_partial_ || file.empty();
    each(file, std::regex("CUVEC_STRUCT\\( *(\\w+)"),
         [&](const std::string &name) { names_.insert(name); });
    each(file, std::regex("#include \"([^\"]+)\""),
         [&](const std::string &name) { look(folder + name); });
  }

  template <class Use> static void each(const std::string &file, const std::regex &what, Use use) {
    for (std::sregex_iterator it(file.begin(), file.end(), what), end; it != end; ++it) {
      use((*it)[1].str());
    }
  }

  std::set<std::string> names_, seen_;
  bool is_partial_ = false;
};
