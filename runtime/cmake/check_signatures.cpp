// check_signatures FILE…: reads the signatures in files of kernels/ before they are compiled, and
// shows the place where one is wrong. What it does not find, the compiler does.
//
// check_signatures --compile COMMAND…: runs a compiler, and says in a line before its own what is
// wrong with a body, or that a file needs CUDA where there is none.
#include <cuvec/signature.h>

#include "compile_error.h"
#include "known_structs.h"
#include "run_compiler.h"
#include "unknown_dtype.h"
#include "without_cuda.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

namespace {

/// A signature as it is in a file.
struct Found {
  std::string text;
  std::vector<std::size_t> places; // of its letters, and of its end
};

/// The string literals behind the first `signature =` from here on, which make one; empty if there
/// is none, or they are of another form.
Found find(const std::string &file, std::size_t from = 0) {
  Found found;
  const auto skip = [&](std::size_t at) {
    return std::min(file.find_first_not_of(" \t\r\n", at), file.size());
  };
  std::size_t at = file.find("signature", from);
  at = at == std::string::npos ? file.size() : skip(at + std::string("signature").size());
  if (at == file.size() || file[at] != '=') {
    return found;
  }
  std::size_t end = at;
  for (at = skip(at + 1); at < file.size() && file[at] == '"'; at = skip(at + 1)) {
    for (++at; at < file.size() && file[at] != '"'; ++at) {
      if (file[at] == '\\' && file.compare(at, 2, "\\\"") != 0) {
        return {};
      }
      at += file[at] == '\\' ? 1 : 0; // a quotation mark
      found.text += file[at];
      found.places.push_back(at);
    }
    end = at;
  }
  found.places.push_back(end);
  return found;
}

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

/// Shows in the file that was compiled what the compiler's output says of its function, or of a
/// method of its class.
void explain(const char *path, const std::string &output) {
  CompilerOutput compiler(output);
  const std::string all = read_file(path), method = compiler.method();
  const auto name_in = [](const std::string &file) {
    return std::string(cuvec::detail::read_signature(find(file).text.c_str()).name);
  };
  std::size_t start = 0, end = all.size();
  std::string scope;
  if (std::smatch found;
      !method.empty() && std::regex_search(all, found, std::regex("struct +" + method + "\\b"))) {
    scope = name_in(all) + ".";
    start = std::size_t(found.position());
    end = std::min(all.find("struct ", start + std::size_t(found.length())), end);
  }
  const std::string file = all.substr(start, end - start);
  CompileError error = compiler.error_of(scope + name_in(file), find(file).text);
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

} // namespace

int main(int count, char **paths) {
#ifndef _WIN32
  if (count > 2 && std::string(paths[1]) == "--compile") {
    return run_compiler(paths + 2, [&](const char *path, const std::string &output) {
      if (is_without_cuda(paths + 2)) {
        show_name_of_cuda(output);
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
    Found found = find(file);
    const cuvec::detail::Signature first = check(cuvec::detail::read_signature(found.text.c_str()));
    cuvec::detail::Signature signature = first;
    while (!found.text.empty()) {
      if (signature.fault != cuvec::detail::Fault::none) {
        const auto place = std::size_t(signature.place);
        std::string what = text_of(signature.fault);
        if (signature.fault == cuvec::detail::Fault::unknown_dtype) {
          what += said_of_dtype(found.text, place);
        }
        show(paths[i], file, found.places[place], what.c_str());
        wrong = 1;
      }
      if (!is_class || first.fault != cuvec::detail::Fault::none) {
        break;
      }
      found = find(file, found.places.back()); // a method's, which knows the constructor
      signature = check(cuvec::detail::read_signature(found.text.c_str(), first));
    }
  }
  return wrong;
}
