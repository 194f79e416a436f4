// check_signatures FILE…: reads the signatures in files of kernels/ before they are compiled, and
// shows the place where one is wrong, and where two files define one thing in two ways. What else
// is wrong, the compiler finds.
//
// check_signatures --compile COMMAND…: runs a compiler, and says in a line before its own what is
// wrong with a body, or that a file needs CUDA where there is none.
#include <cuvec/signature.h>

#include "compile_error.h"
#include "definitions.h"
#include "found_signature.h"
#include "run_compiler.h"
#include "unknown_dtype.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

const char *text_of(cuvec::detail::Fault fault) {
  switch (fault) {
#define CUVEC_FAULT(name, text)                                                                    \
  case cuvec::detail::Fault::name:                                                                 \
    return text;
    CUVEC_FAULTS(CUVEC_FAULT)
#undef CUVEC_FAULT
  default:
    return "";
  }
}

/// As compilers do: where it is, what is wrong, the line, and a mark.
void show(const char *path, const std::string &file, std::size_t place, const char *what) {
  const std::size_t start = place == 0 ? 0 : file.rfind('\n', place - 1) + 1;
  const auto line = std::count(file.begin(), file.begin() + std::ptrdiff_t(place), '\n') + 1;
  const std::size_t column = place - start;
  std::cerr << path << ':' << line << ':' << column + 1 << ": error: " << what << '\n'
            << "    " << file.substr(start, file.find('\n', start) - start) << '\n'
            << "    " << std::string(column, ' ') << "^\n";
}

std::string file_of(const std::string &path) { return path.substr(path.find_last_of("/\\") + 1); }

/// Returns the name that the file of a function must have, without its ending.
std::string stem_of(const std::string &path) {
  const std::string file = file_of(path);
  return file.substr(0, file.find('.'));
}

/// The name in a signature; `otherwise` where its text is unknown.
std::string name_in(const std::string &signature, const std::string &otherwise) {
  const std::string name = cuvec::detail::read_signature(signature.c_str()).name;
  return name.empty() ? otherwise : name;
}

/// Shows in the file that was compiled what the compiler's output says of its function, or of a
/// method of its class.
void explain(const char *path, const std::string &output) {
  CompilerOutput compiler(output);
  const std::string all = read_file(path), method = compiler.method();
  std::size_t start = 0, end = all.size();
  std::string scope, name = stem_of(path);
  if (std::smatch found;
      !method.empty() && std::regex_search(all, found, std::regex("struct +" + method + "\\b"))) {
    scope = name_in(find_signature(all).text, name) + ".";
    name = method;
    start = std::size_t(found.position());
    end = std::min(all.find("struct ", start + std::size_t(found.length())), end);
  }
  const std::string file = all.substr(start, end - start);
  const std::string signature = find_signature(file).text;
  CompileError error = compiler.error_of(scope + name_in(signature, name), signature);
  const auto head = [](const std::string &body) { return std::regex("[ *&\n]" + body + " *[(=]"); };
  for (const char *body : {"gpu", "cpu"}) {
    if (error.what.find("neither") != std::string::npos && !std::regex_search(file, head(body))) {
      error.what += std::string("; there is no `") + body + '`';
    }
  }
  if (!error.what.empty()) {
    std::smatch found;
    const bool is_there = std::regex_search(file, found, head(error.where));
    show(path, all, start + (is_there ? std::size_t(found.position()) + 1 : 0), error.what.c_str());
  }
}

/// Returns a name that two definitions of one name use differently; empty if there is none.
std::string differing_use(const Definition &one, const Definition &other) {
  const auto [first, second] =
      std::mismatch(one.used.begin(), one.used.end(), other.used.begin(), other.used.end());
  if (first == one.used.end()) {
    return second == other.used.end() ? "" : second->first;
  }
  return second == other.used.end() ? first->first : std::min(first->first, second->first);
}

/// Shows definitions that one of the files before has too, and that differ, in their text or in
/// what they use; whether there are any.
bool show_two_definitions(char **paths, int count) {
  std::map<std::string, std::pair<const char *, Definition>> known;
  bool found = false;
  for (int i = 0; i < count; ++i) {
    const std::string file = read_file(paths[i]);
    for (const Definition &it : Definitions::of(file)) {
      const auto &[path, first] = known.insert({it.key, {paths[i], it}}).first->second;
      const std::string use = first.text == it.text ? differing_use(first, it) : "";
      if (path != paths[i] && (first.text != it.text || !use.empty())) {
        const std::string what =
            '`' + it.name + "` is in kernels/" + file_of(path) +
            " too, and differs: both would be linked to one" +
            (use.empty() ? "" : " (`" + use + "`, which it uses, is another)") +
            ". Rename one of them, put each into "
            "`namespace { }`, or move one into a header that both include";
        show(paths[i], file, it.place, what.c_str());
        found = true;
      }
    }
  }
  return found;
}

} // namespace

int main(int count, char **paths) {
#ifndef _WIN32
  if (count > 2 && std::string(paths[1]) == "--compile") {
    return run_compiler(paths + 2, [&](const char *path, const std::string &output) {
      if (is_without_cuda(paths + 2)) {
        show_name_of_cuda(output);
      } else {
        show_missing_header(output);
      }
      explain(path, output);
    });
  }
#endif
  int wrong = 0;
  for (int i = 1; i < count; ++i) {
    const std::string file = read_file(paths[i]);
    const KnownStructs structs(paths[i]);
    const auto check = [&](const cuvec::detail::Signature &it) {
      const auto is_known = [&](int k) { return structs.may_have(it.structs[k].name); };
      return cuvec::detail::checked_structs(it, is_known);
    };
    const bool is_class = file.find("CUVEC_CLASS(") != std::string::npos;
    FoundSignature found = find_signature(file);
    const cuvec::detail::Signature first = check(cuvec::detail::read_signature(found.text.c_str()));
    cuvec::detail::Signature signature = first;
    while (!found.text.empty()) {
      if (signature.fault != cuvec::detail::Fault::none) {
        const auto place = std::size_t(signature.place);
        auto fault = signature.fault;
        if (fault == cuvec::detail::Fault::unused_variable && is_like_dtype(found.text, place)) {
          fault = cuvec::detail::Fault::unknown_dtype; // of `<T: float32, flaot64, U: int32>`
        }
        std::string what = text_of(fault);
        if (fault == cuvec::detail::Fault::unknown_dtype) {
          what += said_of_dtype(found.text, place);
        }
        show(paths[i], file, found.places[place], what.c_str());
        wrong = 1;
      }
      if (!is_class || first.fault != cuvec::detail::Fault::none) {
        break;
      }
      found = find_signature(file, found.end); // a method's, which knows the constructor
      signature = check(cuvec::detail::read_signature(found.text.c_str(), first));
    }
  }
  return wrong != 0 || show_two_definitions(paths + 1, count - 1) ? 1 : 0;
}
